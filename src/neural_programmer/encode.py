"""Table and question -> arrays, padded and stacked so that many can be read at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.arrays import Array
from neural_programmer.config import NetworkConfig
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.question import NO_NUMBER, Question, point
from neural_programmer.table import Table, is_text

PADDING = ""


@dataclass(frozen=True)
class Vocabulary:
    """The words that a model knows; place 0 is padding."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, words: Sequence[str]) -> "Vocabulary":
        return cls((PADDING, *sorted(set(words))))

    @cached_property
    def places(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, words: Sequence[str]) -> list[int]:
        try:
            return [self.places[word] for word in words]
        except KeyError as error:
            known = ", ".join(self.words[1:41]) + (" ..." if len(self) > 41 else "")
            raise NeuralProgrammerError(
                f"the model never met the word {error.args[0][:60]!r} in training; it knows: {known}"
            ) from None


class Example(NamedTuple):
    """One question and its table. Counts say how much of each axis is real; what lies beyond is padding."""

    words: Int[Array, "words"]
    word_count: Int[Array, ""]
    word_texts: Int[Array, "words"]  # which of the table's distinct texts a word is; -1 if none
    numbers: Float[Array, "numbers"]  # qn; a question without numbers has the one number -1
    number_positions: Int[Array, "numbers"]  # of the word on the left
    number_count: Int[Array, ""]
    names: Int[Array, "columns name_words"]
    name_counts: Int[Array, "columns"]
    mentions: Bool[Array, "columns words"]  # where the question mentions each column
    text_columns: Bool[Array, "columns"]
    column_count: Int[Array, ""]
    table: Float[Array, "rows columns"]  # 0 in columns of text
    texts: Int[Array, "texts"]  # the distinct texts of the table, where the model reads them
    cells: Int[Array, "rows columns"]  # which of them stands in a cell of text
    row_count: Int[Array, ""]


class Sizes(NamedTuple):
    """How long each axis of an example is, padding included."""

    words: int = 1
    numbers: int = 1
    columns: int = 1
    name_words: int = 1
    rows: int = 1
    texts: int = 1

    def join(self, other: "Sizes") -> "Sizes":
        """The sizes in which examples of either sizes have room."""
        return Sizes(*map(max, self, other))


def sizes(question: Question, table: Table, config: NetworkConfig) -> Sizes:
    reads_names, reads_texts = _reads(config)
    return Sizes(
        words=len(question.words),
        numbers=max(len(question.numbers), 1),
        columns=len(table.names),
        name_words=max(len(name.split()) for name in table.names) if reads_names else 1,
        rows=max(table.rows, 1),
        texts=max(len(distinct_texts(table)), 1) if reads_texts else 1,
    )


def _reads(config: NetworkConfig) -> tuple[bool, bool]:
    """Whether the model reads the names of columns, and the texts of cells; else it only compares them."""
    return config.columns == "names", config.matches_text and config.arguments != "step"


def empty(count: int, room: Sizes, dtype: np.dtype | type = np.float32) -> Example:
    """Arrays for `count` examples, all padding."""
    return Example(
        words=np.zeros((count, room.words), np.int32),
        word_count=np.zeros(count, np.int32),
        word_texts=np.full((count, room.words), -1, np.int32),
        numbers=np.zeros((count, room.numbers), dtype),
        number_positions=np.zeros((count, room.numbers), np.int32),
        number_count=np.zeros(count, np.int32),
        names=np.zeros((count, room.columns, room.name_words), np.int32),
        name_counts=np.zeros((count, room.columns), np.int32),
        mentions=np.zeros((count, room.columns, room.words), bool),
        text_columns=np.zeros((count, room.columns), bool),
        column_count=np.zeros(count, np.int32),
        table=np.zeros((count, room.rows, room.columns), dtype),
        texts=np.zeros((count, room.texts), np.int32),
        cells=np.zeros((count, room.rows, room.columns), np.int32),
        row_count=np.zeros(count, np.int32),
    )


def write(
    batch: Example, place: int, question: Question, table: Table, vocabulary: Vocabulary, config: NetworkConfig
) -> None:
    """Encode a question and its table into one place of a batch, as a network of this configuration reads them."""

    def fill(array: Array, values: Sequence) -> int:
        array[: len(values)] = values
        return len(values)

    reads_names, reads_texts = _reads(config)
    texts = {text: number for number, text in enumerate(distinct_texts(table))}
    if not reads_names:
        question, mentions = point(question, table.names)
        for slot, positions in enumerate(mentions):
            batch.mentions[place, slot, list(positions)] = True
    batch.word_count[place] = fill(batch.words[place], vocabulary.encode(question.words))
    fill(batch.word_texts[place], [texts.get(word, -1) for word in question.words])
    batch.number_count[place] = fill(batch.numbers[place], question.numbers or (NO_NUMBER,))
    fill(batch.number_positions[place], question.number_positions)
    batch.column_count[place] = len(table.names)
    batch.row_count[place] = table.rows
    for slot, (name, column) in enumerate(zip(table.names, table.columns, strict=True)):
        if reads_names:
            batch.name_counts[place, slot] = fill(batch.names[place, slot], vocabulary.encode(name.split()))
        if is_text(column):
            batch.text_columns[place, slot] = True
            batch.cells[place, : table.rows, slot] = [texts[text] for text in column.tolist()]
        else:
            batch.table[place, : table.rows, slot] = column
    if reads_texts:
        fill(batch.texts[place], vocabulary.encode(list(texts)))


def encode(
    question: Question, table: Table, vocabulary: Vocabulary, config: NetworkConfig, room: Sizes | None = None
) -> Example:
    """One question and its table as arrays, padded to `room` if it is given."""
    batch = empty(1, room or sizes(question, table, config))
    write(batch, 0, question, table, vocabulary, config)
    return Example(*(array[0] for array in batch))


def distinct_texts(table: Table) -> list[str]:
    """The distinct texts of a table, in the order in which `Example.texts` and `Example.cells` number them."""
    return list(dict.fromkeys(text for column in table.columns if is_text(column) for text in column.tolist()))

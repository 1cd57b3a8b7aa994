"""Table and question -> arrays, padded and stacked so that many can be read at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.base.arrays import Array
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.features import COLUMN_FEATURES, LINK_FEATURES, of_columns, of_link
from neural_programmer.questions.index import Index, in_full
from neural_programmer.questions.link import link
from neural_programmer.questions.question import NO_NUMBER, Question, parse, pointed
from neural_programmer.questions.tokens import name_words, tokenized
from neural_programmer.questions.vectors import WordVectors, shipped
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import Table, is_date, is_text

REMEMBERED_COLUMNS = 200  # columns whose texts were read: each is as large as they are
PADDING = ""
UNKNOWN = "[unknown]"  # read in the place of words that were never met, by models that have it in their vocabulary
ABSENT = -1  # a link to a text that no cell has
ELSEWHERE = -2  # a link that means nothing in this column
MISSING = -3  # a cell without a text
DAY_ZERO = np.datetime64("2000-01-01")


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
        if UNKNOWN in self.places:
            return [self.places.get(word, self.places[UNKNOWN]) for word in words]
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
    link_positions: Int[Array, "links"]  # of the words that may be the texts of cells
    link_texts: Int[Array, "links columns"]  # which of the table's distinct texts each is, or ABSENT or ELSEWHERE
    link_features: Bool[Array, "links link_features"]  # see features.LINK_FEATURES
    link_count: Int[Array, ""]
    numbers: Float[Array, "numbers"]  # qn; NaN where it is a time alone; without numbers, the one number -1
    periods: Float[Array, "numbers 2"]  # the first and last day of the time that a number means; NaN where none
    number_positions: Int[Array, "numbers"]  # of the word on the left, or of the word in its place
    number_count: Int[Array, ""]
    names: Int[Array, "columns name_words"]
    name_counts: Int[Array, "columns"]
    mentions: Bool[Array, "columns words"]  # where the question mentions each column
    features: Bool[Array, "columns features"]  # see features.COLUMN_FEATURES
    meanings: Float[Array, "words dimensions"]  # word vectors, of what was said; none where the model has none
    name_meanings: Float[Array, "columns dimensions"]
    contents: Float[Array, "columns dimensions"]  # word vectors of what a column holds
    within: Bool[Array, "columns numbers"]  # where a number lies between the least and the greatest of a column
    text_columns: Bool[Array, "columns"]
    date_columns: Bool[Array, "columns"]
    column_count: Int[Array, ""]
    table: Float[Array, "rows columns"]  # 0 in columns of text and where a cell is missing; dates as days
    present: Bool[Array, "rows columns"]  # where there is a number or date
    texts: Int[Array, "texts"]  # the distinct texts of the table, where the model reads them
    cells: Int[Array, "rows columns"]  # which of them stands in a cell of text; MISSING where none does
    row_count: Int[Array, ""]


class Sizes(NamedTuple):
    """How long each axis of an example is, padding included."""

    words: int = 1
    links: int = 1
    numbers: int = 1
    columns: int = 1
    name_words: int = 1
    rows: int = 1
    texts: int = 1
    dimensions: int = 0

    def join(self, other: "Sizes") -> "Sizes":
        """The sizes in which examples of either sizes have room."""
        return Sizes(*map(max, self, other))

    def fits(self, room: "Sizes") -> bool:
        """Whether a question of these sizes has room in others, as far as it says and mentions."""
        names = "words", "links", "numbers", "columns"
        return all(getattr(self, name) <= getattr(room, name) for name in names)


def sizes(question: Question, table: Table | Index, config: NetworkConfig) -> Sizes:
    """What a question and its table need; an index has no rows."""
    reads_names, reads_texts = _reads(config)
    names = _names(table)
    return Sizes(
        words=len(question.words),
        links=max(len(question.words if question.links is None else question.links), 1) if config.matches_text else 1,
        numbers=max(len(question.numbers), 1),
        columns=len(names),
        name_words=max(len(_name_words(name, config)) for name in names) if reads_names else 1,
        rows=max(table.rows, 1) if isinstance(table, Table) else 1,
        texts=max(len(distinct_texts(table)), 1) if reads_texts and isinstance(table, Table) else 1,
        dimensions=config.vectors,
    )


def _names(table: Table | Index) -> tuple[str, ...]:
    return table.names if isinstance(table, Table) else tuple(column.name for column in table.columns)


def _reads(config: NetworkConfig) -> tuple[bool, bool]:
    """Whether the model reads the names of columns, and the texts of cells; else it only compares them."""
    return config.columns != "pointers", config.matches_text and config.arguments != "step"


def empty(count: int, room: Sizes, dtype: np.dtype | type = np.float32) -> Example:
    """Arrays for `count` examples, all padding."""
    return Example(
        words=np.zeros((count, room.words), np.int32),
        word_count=np.zeros(count, np.int32),
        link_positions=np.zeros((count, room.links), np.int32),
        link_texts=np.full((count, room.links, room.columns), ELSEWHERE, np.int32),
        link_features=np.zeros((count, room.links, len(LINK_FEATURES)), bool),
        link_count=np.zeros(count, np.int32),
        numbers=np.zeros((count, room.numbers), dtype),
        periods=np.full((count, room.numbers, 2), np.nan, dtype),
        number_positions=np.zeros((count, room.numbers), np.int32),
        number_count=np.zeros(count, np.int32),
        names=np.zeros((count, room.columns, room.name_words), np.int32),
        name_counts=np.zeros((count, room.columns), np.int32),
        mentions=np.zeros((count, room.columns, room.words), bool),
        features=np.zeros((count, room.columns, len(COLUMN_FEATURES)), bool),
        meanings=np.zeros((count, room.words, room.dimensions), np.float16),
        name_meanings=np.zeros((count, room.columns, room.dimensions), np.float16),
        contents=np.zeros((count, room.columns, room.dimensions), np.float16),
        within=np.zeros((count, room.columns, room.numbers), bool),
        text_columns=np.zeros((count, room.columns), bool),
        date_columns=np.zeros((count, room.columns), bool),
        column_count=np.zeros(count, np.int32),
        table=np.zeros((count, room.rows, room.columns), dtype),
        present=np.zeros((count, room.rows, room.columns), bool),
        texts=np.zeros((count, room.texts), np.int32),
        cells=np.zeros((count, room.rows, room.columns), np.int32),
        row_count=np.zeros(count, np.int32),
    )


def _fill(array: Array, values: Sequence) -> int:
    array[: len(values)] = values
    return len(values)


def write(
    batch: Example, place: int, question: Question, table: Table, vocabulary: Vocabulary, config: NetworkConfig
) -> None:
    """Encode a question and its table into one place of a batch, as a network of this configuration reads them."""
    if config.columns != "names":
        question = pointed(question, table.names)
    if config.columns == "linked":
        vectors = shipped() if config.vectors else None
        write_linked(batch, place, question, Index.of(table), vocabulary, config, vectors)
    else:
        _write_question(batch, place, question, table.names, vocabulary, config)
    for slot, column in enumerate(table.columns):
        batch.text_columns[place, slot] = is_text(column)
        batch.date_columns[place, slot] = is_date(column)
    _write_cells(batch, place, question, table, vocabulary, config)


def write_linked(
    batch: Example,
    place: int,
    question: Question,
    index: Index,
    vocabulary: Vocabulary,
    config: NetworkConfig,
    vectors: WordVectors | None = None,
) -> None:
    """Encode a question that was linked to a table, and what is known of its columns, without its rows."""
    _write_question(batch, place, question, _names(index), vocabulary, config)
    batch.features[place, : len(index.columns)] = of_columns(index.columns)
    for slot, column in enumerate(index.columns):
        batch.text_columns[place, slot] = column.kind in ("text", "boolean")
        batch.date_columns[place, slot] = column.kind == "date"
        for number, value in enumerate(question.numbers):
            batch.within[place, slot, number] = column.low <= value <= column.high
        if vectors is not None:
            batch.name_meanings[place, slot] = vectors.of(in_full(name_words(column.name)))
            if config.cells == "written" and column.texts:
                batch.contents[place, slot] = _contents(column.texts[: config.contents], vectors)
    if vectors is not None:
        for position, said in enumerate(question.said):
            batch.meanings[place, position] = vectors.of(said.split())


def _write_question(
    batch: Example,
    place: int,
    question: Question,
    names: Sequence[str],
    vocabulary: Vocabulary,
    config: NetworkConfig,
) -> None:
    """Encode a question and the names of the columns that it is about."""
    for slot, positions in enumerate(question.mentions or ()):
        batch.mentions[place, slot, list(positions)] = True
    batch.word_count[place] = _fill(batch.words[place], vocabulary.encode(question.words))
    if config.matches_text and question.links is None:
        batch.link_count[place] = _fill(batch.link_positions[place], range(len(question.words)))
        batch.link_texts[place, : len(question.words), : len(names)] = ABSENT
    elif config.matches_text and question.links:
        batch.link_count[place] = _fill(batch.link_positions[place], [link.position for link in question.links])
        for number, link in enumerate(question.links):
            batch.link_texts[place, number, list(link.texts)] = ABSENT
            batch.link_features[place, number] = of_link(link, question)
    no_number = (NO_NUMBER,) if question.links is None else ()  # the paper's, or none
    batch.number_count[place] = _fill(batch.numbers[place], question.numbers or no_number)
    _fill(batch.number_positions[place], question.number_positions)
    if question.periods:
        days = [_days_of(period) for period in question.periods]
        batch.periods[place, : len(days)] = _down(days, batch.periods.dtype)
    batch.column_count[place] = len(names)
    if _reads(config)[0]:
        for slot, name in enumerate(names):
            words = vocabulary.encode(_name_words(name, config))
            batch.name_counts[place, slot] = _fill(batch.names[place, slot], words)


def _write_cells(
    batch: Example, place: int, question: Question, table: Table, vocabulary: Vocabulary, config: NetworkConfig
) -> None:
    """Encode the cells of a table, and which of them the question's texts are."""
    texts = {text: number for number, text in enumerate(distinct_texts(table))}
    if config.matches_text and question.links is None:
        found = [[texts.get(word, ABSENT)] for word in question.words]
        batch.link_texts[place, : len(found), : len(table.names)] = found
    elif config.matches_text:
        for number, link in enumerate(question.links or ()):
            for slot, text in link.texts.items():
                batch.link_texts[place, number, slot] = texts.get(text, ABSENT)
    batch.row_count[place] = table.rows
    for slot, column in enumerate(table.columns):
        if is_text(column):
            batch.cells[place, : table.rows, slot] = [texts[text] if text else MISSING for text in column.tolist()]
        else:
            numbers = _down(_days(column), batch.table.dtype) if is_date(column) else column
            batch.present[place, : table.rows, slot] = there = ~np.isnan(numbers)
            batch.table[place, : table.rows, slot] = np.where(there, numbers, 0.0)
    if _reads(config)[1]:
        _fill(batch.texts[place], vocabulary.encode(list(texts)))


def _name_words(name: str, config: NetworkConfig) -> Sequence[str]:
    """The words of a column's name, one at least."""
    return (in_full(name_words(name)) or (UNKNOWN,)) if config.columns == "linked" else name.split()


@lru_cache(maxsize=REMEMBERED_COLUMNS)
def _contents(texts: tuple[str, ...], vectors: WordVectors) -> Float[np.ndarray, "dimensions"]:
    """What the texts of a column are about."""
    return vectors.of([token.key for text in texts for token in tokenized(text)])


def read(text: str, table: Table, config: NetworkConfig) -> Question:
    """A question as a network of this configuration wants it: linked to its table, or as the paper has it."""
    if config.columns != "linked":
        return parse(text)
    return link(text, Index.of(table), cells=config.cells, meant=config.near)


def _days(dates: Any) -> Any:
    """Dates as days, with fractions, from a day in the middle of those that people ask about."""
    return (dates - DAY_ZERO) / np.timedelta64(1, "D")


def _down(days: Any, dtype: np.dtype) -> np.ndarray:
    """Rounded down to this precision, so that the last moment of a day does not become the day after."""
    rounded = np.asarray(days).astype(dtype)
    return np.where(rounded > days, np.nextafter(rounded, np.asarray(-np.inf, dtype)), rounded)


def _days_of(period: Period | None) -> tuple[float, float]:
    return (np.nan, np.nan) if period is None else (float(_days(period.first)), float(_days(period.last)))


def encode(
    question: Question, table: Table, vocabulary: Vocabulary, config: NetworkConfig, room: Sizes | None = None
) -> Example:
    """One question and its table as arrays, padded to `room` if it is given."""
    batch = empty(1, room or sizes(question, table, config))
    write(batch, 0, question, table, vocabulary, config)
    return Example(*(array[0] for array in batch))


def encode_linked(
    question: Question, index: Index, vocabulary: Vocabulary, config: NetworkConfig, vectors: WordVectors | None
) -> Example:
    """One question and what is known of its table's columns as arrays; there are no rows."""
    batch = empty(1, sizes(question, index, config))
    write_linked(batch, 0, question, index, vocabulary, config, vectors)
    return Example(*(array[0] for array in batch))


def distinct_texts(table: Table) -> list[str]:
    """The distinct texts of a table, in the order in which `Example.texts` and `Example.cells` number them."""
    texts = (text for column in table.columns if is_text(column) for text in column.tolist() if text)
    return list(dict.fromkeys(texts))

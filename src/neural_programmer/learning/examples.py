"""Questions as people write them, made ready for training: linked to their tables, with the programs that answer them.

Finding the programs takes some milliseconds a question, so it is done in as many processes as there are cores. Nothing
here needs JAX.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Bool, Int

from neural_programmer.candidates.conditions import found
from neural_programmer.data.language import Asked, Speaker
from neural_programmer.data.paper.draws import WRITTEN, generator_of
from neural_programmer.data.triples import Triple
from neural_programmer.data.written import question_folders
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import UNKNOWN, Example, Sizes, Vocabulary, empty, sizes, write_linked
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.moves import Codec, Move
from neural_programmer.programs.operations import Operation, own_of
from neural_programmer.programs.workers import each
from neural_programmer.questions.config import NEAR, NearConfig
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import PLACEHOLDERS, link
from neural_programmer.questions.question import Question
from neural_programmer.questions.vectors import shipped
from neural_programmer.tables.table import Table

PROGRAMS_KEPT = 12  # of those that give the answer to one question
PROGRAMS_TRIED = 600  # that give the answer, of which those are kept that use most of what the question mentions
WORD_TIMES = 9  # a word that was met less often is learnt as unknown
COMMON_AMONG = 200  # questions: a word is common if at least one of so many has it
QUESTIONS_A_PART = 500  # that a process works on at a time


@dataclass(frozen=True)
class Linked:
    """A question, what is known of its table's columns, and programs that answer it rightly."""

    question: Question
    index: Index
    programs: tuple[tuple[Move, ...], ...]


def drawn(
    count: int,
    steps: int,
    seed: int,
    stream: int,
    progress: Callable[[int], None] = lambda done: None,
    own: tuple[Operation, ...] = (),
) -> list[Linked]:
    """Return questions of varied English (see data/language.py), linked to their tables, with programs that answer
    them. The same seed gives the same questions."""
    sizes = [min(QUESTIONS_A_PART, count - start) for start in range(0, count, QUESTIONS_A_PART)]
    work = partial(_drawn, steps, seed, stream, own=own)
    return list(islice(each(work, list(enumerate(sizes)), progress), count))


def _drawn(steps: int, seed: int, stream: int, part: tuple[int, int], own: tuple[Operation, ...] = ()) -> list[Linked]:
    number, count = part
    speaker = Speaker(generator_of(seed, stream, number))
    return [linked(speaker.draw(), steps, own) for _ in range(count)]


def written(
    times: int,
    steps: int,
    seed: int,
    progress: Callable[[int], None] = lambda done: None,
    own: tuple[Operation, ...] = (),
    folder: Path | None = None,
) -> list[Linked]:
    """Return the written questions (see data/folders.py), each asked `times` times, with programs that answer them;
    those of a kind are left out."""
    work = partial(_written, times, steps, seed, own=own)
    return list(each(work, list(enumerate(question_folders(folder))), progress))


def count_written(folder: Path | None = None) -> int:
    """Return how many questions were written, but for those of a kind (see data/folders.py), from which nothing
    learns; refuse where they are not there."""
    return sum(
        '"kind":' not in line
        for each in question_folders(folder)
        for line in (each / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    )


def _written(
    times: int, steps: int, seed: int, part: tuple[int, Path], own: tuple[Operation, ...] = ()
) -> list[Linked]:
    from neural_programmer.data.folders import read  # which needs DuckDB, and other training does not

    number, folder = part
    generator = generator_of(seed, WRITTEN, number)
    return [linked(one.asked(generator), steps, own) for one in read(folder, generator) for _ in range(times)]


def linked(asked: Asked, steps: int, own: tuple[Operation, ...] = ()) -> Linked:
    """Return one question linked to its table, with programs that answer it. The texts of its columns are dropped."""
    return _ready(asked.question, Index.of(asked.tables[0]), asked.tables, (asked.answers,), steps, own)


def tried(
    triples: Sequence[Triple], config: NetworkConfig, progress: Callable[[int], None] = lambda done: None
) -> list[Linked]:
    """Return questions of one's own linked to their tables, with programs that give one of the readings of their
    answers."""
    parts = [triples[start : start + QUESTIONS_A_PART] for start in range(0, len(triples), QUESTIONS_A_PART)]
    return list(each(partial(_tried, config), parts, progress))


def _tried(config: NetworkConfig, triples: Sequence[Triple]) -> list[Linked]:
    steps, operations, ready = config.program_steps, config.operations, []
    indexes: dict[int, Index] = {}  # made once for all questions about a table
    for triple in triples:
        index = indexes.get(id(triple.table)) or indexes.setdefault(id(triple.table), Index.of(triple.table))
        meant = tuple((reading,) for reading in triple.readings)
        one = _ready(triple.question, index, (triple.table,), meant, steps, own_of(config.entries), config.near)
        known = [moves for moves in one.programs if all(move.operation in operations for move in moves)]
        ready.append(replace(one, programs=tuple(known)))
    return ready


def _ready(
    text: str,
    index: Index,
    tables: tuple[Table, ...],
    meant: tuple[tuple[Answer, ...], ...],
    steps: int,
    own: tuple[Operation, ...],
    near: NearConfig = NEAR,
) -> Linked:
    """Return a question with the programs that give one of the meant answers, of which each has a part for every table.

    Where programs give the answer by what the question says, those that go by what it only may mean are left out. Of
    many, those are kept that use most of what it mentions, and least of what it does not.
    """
    question = link(text, index, meant=near)
    every = [
        moves for answers in meant for moves in islice(found(question, tables, answers, steps, own), PROGRAMS_TRIED)
    ]
    guesses = {place for place, one in enumerate(question.links or ()) if one.near}
    guessed = [sum(move.link in guesses for move in moves) for moves in every]
    fewest = min(guessed, default=0)
    every = [moves for moves, times in zip(every, guessed, strict=True) if times == fewest]
    mentioned = {-1, *(slot for slot, places in enumerate(question.mentions or ()) if places)}

    def order(moves: Sequence[Move]) -> tuple[int, int]:
        used = len({(move.number, move.link) for move in moves})
        return -used, len({move.column for move in moves} - mentioned)

    every.sort(key=order)
    slim = Index(tuple(replace(column, texts=()) for column in index.columns))
    return Linked(question, slim, tuple(tuple(moves) for moves in every[:PROGRAMS_KEPT]))


@runtime_checkable
class Asks(Protocol):
    """A question that was linked to its table; only its words are read here."""

    @property
    def question(self) -> Question: ...


def vocabulary_of(examples: Sequence[Asks], often: int = WORD_TIMES) -> Vocabulary:
    """Return the words that questions have at least `often` times. Other words, those of columns' names too, are read
    as unknown."""
    times = Counter(word for example in examples for word in example.question.words)
    return Vocabulary.of([*(word for word, count in times.items() if count >= often), *PLACEHOLDERS, UNKNOWN])


def common_words(examples: Sequence[Asks]) -> frozenset[str]:
    """Return the words that at least one in COMMON_AMONG questions has: words of asking, not of what is asked about."""
    times = Counter(word for example in examples for word in set(example.question.words))
    return frozenset(word for word, count in times.items() if count * COMMON_AMONG >= len(examples))


def encoded(
    examples: Sequence[Linked], vocabulary: Vocabulary, config: NetworkConfig
) -> tuple[Example, Int[np.ndarray, "examples programs steps 3"], Bool[np.ndarray, "examples programs"]]:
    """Return questions as arrays, padded to the largest of them; their programs; and which of the places have a
    program."""
    room = Sizes()
    for one in examples:
        room = room.join(sizes(one.question, one.index, config))
    batch = empty(len(examples), room)
    programs = np.zeros((len(examples), PROGRAMS_KEPT, config.program_steps, 3), np.int16)
    right = np.zeros((len(examples), PROGRAMS_KEPT), bool)
    vectors = shipped() if config.vectors else None
    for place, one in enumerate(examples):
        write_linked(batch, place, one.question, one.index, vocabulary, config, vectors)
        for slot, moves in enumerate(one.programs):
            programs[place, slot] = numbered(moves, config, room.numbers)
            right[place, slot] = True
    return batch, programs, right


def numbered(moves: Sequence[Move], config: NetworkConfig, numbers: int) -> Int[np.ndarray, "steps 3"]:
    """Return a program as integers. Steps that select all rows stand before it."""
    codec, resets = Codec(config.entries, numbers), [Move("reset")] * (config.program_steps - len(moves))
    return np.array([codec.integers(move) for move in (*resets, *moves)]).clip(0)

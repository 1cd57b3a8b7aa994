"""Answer a question about a table: open it, let a model decide on a program, run that, and say where the answer is
from."""

import contextlib
import copy
import math
import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Protocol, get_args, runtime_checkable

import duckdb
import numpy as np

from neural_programmer.answering.config import ENGINE, AskConfig, Engine
from neural_programmer.answering.decision import Decision
from neural_programmer.answering.tabling import as_stored, as_written, check_rows, left_out, told
from neural_programmer.base.limits import NO_MEMORY, Limits, check_time, too_long, within
from neural_programmer.base.once import once
from neural_programmer.errors import NeuralProgrammerError, one_of
from neural_programmer.programs.answer import NAMED_CELLS, Answer, AnswerStep
from neural_programmer.programs.expressions import Nonsense
from neural_programmer.programs.program import (
    DECLINED,
    Program,
    Step,
    expressions,
    misfit,
    no_answer,
    origins,
    run,
)
from neural_programmer.programs.text import write
from neural_programmer.programs.wording import in_words
from neural_programmer.questions import indexing
from neural_programmer.questions.index import Index
from neural_programmer.tables import naming
from neural_programmer.tables.frames import is_lazy
from neural_programmer.tables.period import Period
from neural_programmer.tables.source import Source, open_source
from neural_programmer.tables.table import IN_MEMORY, TRIED_ON, Rows, Table, missing, without_rows

MOST_STEPS = 100  # of a program that a person wrote
TABLES_KEPT_OPEN = 8  # files and frames that stay open between questions
MOST_TEXT_BYTES = 200_000_000  # bytes that the texts of a table in memory may take, each with the room of the longest
PARTIAL = "There were too many programs to try them all; those that the question most likely means were tried."


@runtime_checkable
class Decides(Protocol):
    """What asking needs of a model."""

    def decide(self, question: str, index: Index, rows: Rows) -> Decision: ...


class Opened:
    """A table that questions are asked about: its source, and what is prepared once for all questions."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lock, self.ready = threading.Lock(), False
        self.shared: dict[Any, Any] = {}  # by questions that are asked at the same time

    @once
    def known(self) -> indexing.Known:
        """What every index of the table has in common."""
        return indexing.known(self.source)

    @once
    def table(self) -> Table | None:
        """The table in memory, if it is small, its texts are short enough, and float64 holds its numbers."""
        if self.source.rows * len(self.source.columns) > IN_MEMORY or self.source.text_bytes() > MOST_TEXT_BYTES:
            return None
        kinds = self.source.connection.table(self.source.relation).types
        numbers = [
            str(kind) for kind, column in zip(kinds, self.source.columns, strict=True) if column.kind == "number"
        ]
        return self.source.table() if set(numbers) <= {"DOUBLE"} else None

    def some(self) -> Table:
        """Return the first rows of the table, with long texts cut. The first question that wants them reads them."""
        if "some" not in self.shared:
            table = self.table
            width = MOST_TEXT_BYTES // (4 * TRIED_ON * len(self.source.columns))
            self.shared["some"] = self.source.table(TRIED_ON, width) if table is None else table.head(TRIED_ON)
        return self.shared["some"]

    @property
    def rows(self) -> Rows:
        """The rows that candidate programs run on."""
        return Rows(self.table, self.some, self.shared)

    @once
    def cells(self) -> list[tuple[Any, ...]]:
        """The columns of a table in memory as Python values."""
        rows = self.source.page(0, self.source.rows)
        return list(zip(*rows, strict=True)) if rows else [()] * len(self.source.columns)

    @once
    def empty(self) -> Table:
        """The columns without rows, which programs are checked against."""
        return without_rows({column.name: column.kind for column in self.source.columns})

    @once
    def written(self) -> "Opened":
        """The table with views of its cells. It shares the lock, because it shares the connection."""
        made = Opened(self.source.written())
        made.lock = self.lock
        return made

    def seen_by(self, model: Any, seconds: float | None = None) -> "Opened":
        """Return the table as a model sees it: with views of its cells if the model reads written cells.

        The views are made once, within so many seconds.
        """
        if getattr(getattr(model, "config", None), "cells", "typed") != "written":
            return self
        if "written" in vars(self):
            return self.written
        with self._preparing(seconds):
            return self.written

    @once
    def places(self) -> dict[str, Any]:
        """What the shown queries read from, by dialect."""
        return {}

    @contextlib.contextmanager
    def aside(self, seconds: float | None = None, model: Any = None) -> Iterator["Opened"]:
        """Lend the table to one question, as its model sees it, with a connection of its own: others need not wait.

        After so many seconds queries are interrupted, and other work ends where it next looks at the time.
        """
        try:
            seen = self.seen_by(model, seconds)
            seen._prepare(seconds)
            other = copy.copy(seen)
            with seen.source.aside() as other.source, within(seconds, other.source.connection):
                yield other
        except duckdb.InterruptException:
            raise too_long(seconds or 0) from None
        except MemoryError:
            raise NeuralProgrammerError(NO_MEMORY) from None

    def _prepare(self, seconds: float | None) -> None:
        """Prepare what all questions need. The first question does it, and the others wait so many seconds at most."""
        if self.ready:
            return
        with self._preparing(seconds):
            _ = self.known, self.empty, self.places, self.table and self.cells
            self.ready = True

    @contextlib.contextmanager
    def _preparing(self, seconds: float | None) -> Iterator[None]:
        """Hold the lock and the time limit of a preparation; refuse a question that waited too long for the lock."""
        if not self.lock.acquire(timeout=-1 if seconds is None else seconds):
            raise NeuralProgrammerError(f"{self.source.name} is still being prepared for questions; try again soon")
        try:
            with within(seconds, self.source.connection):
                yield
        finally:
            self.lock.release()


_DESKS: "weakref.WeakSet[Desk]" = weakref.WeakSet()


class Desk:
    """The tables that were asked about last, kept open: a file until it changes, a frame while it stays the same."""

    def __init__(self, kept: int = TABLES_KEPT_OPEN) -> None:
        self.kept = kept
        self._begin()
        _DESKS.add(self)

    def _begin(self) -> None:
        """Begin with no tables. A forked process does so too, and leaves the tables of its parent alone."""
        self._lock = threading.Lock()
        self._opened: OrderedDict[Any, tuple[Callable[[], bool], Opened]] = OrderedDict()

    def open(self, table: Any, allowed: AskConfig = AskConfig()) -> Opened:  # noqa: B008  frozen
        """Return the table, opened now or before, within the time and the memory that are allowed."""
        if isinstance(table, Opened | Source) and allowed.memory is not None:
            raise NeuralProgrammerError("a table that is open has its memory already; leave memory out")
        if isinstance(table, Opened):
            return table
        same, fresh = _identity(table)
        key = same, allowed.memory
        with self._lock:
            known = self._opened.get(key)
            if known and known[0]():
                self._opened.move_to_end(key)
                return known[1]
        limits = Limits(megabytes=allowed.memory, seconds=allowed.seconds)
        opened = Opened(table if isinstance(table, Source) else open_source(table, limits=limits))
        with self._lock:
            if fresh is not None:
                self._opened[key] = fresh, opened
                self._opened.move_to_end(key)
            while len(self._opened) > self.kept:
                self._opened.popitem(last=False)  # closed by itself when nobody uses it any more
        return opened

    def clear(self) -> None:
        """Forget all tables."""
        with self._lock:
            self._opened.clear()


def _begin_desks() -> None:
    """Empty all desks of a forked process."""
    for desk in _DESKS:
        desk._begin()


DESK = Desk()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_desks)


def ask(
    model: Decides,
    table: Any,
    question: str,
    *,
    engine: Engine = ENGINE,
    master: str | None = None,
    dialect: str | None = None,
    seconds: float = AskConfig.seconds,
    memory: int | None = AskConfig.memory,
    desk: Desk = DESK,
) -> Answer:
    """Answer a question about a table: a path, as file.db::table or sheet too, a frame, a Source or one that is Opened.

    `engine` runs the program: duckdb, on this machine, or spark, with its `master`. `dialect` is that of the SQL that
    the answer shows: if none is named, that of the database, DuckDB's of all else. `seconds` is how long the table may
    take to be opened, and then the question; `memory` how many megabytes both may take. `desk` keeps tables open.
    """
    check_question(question)
    allowed = AskConfig(seconds, memory)
    with desk.open(table, allowed).aside(seconds, model) as opened:
        return answered(opened, question, decided(model, opened, question), engine, master, dialect, seconds)


def ran(
    table: Any,
    program: Program,
    *,
    engine: Engine = ENGINE,
    master: str | None = None,
    dialect: str | None = None,
    seconds: float = AskConfig.seconds,
    memory: int | None = AskConfig.memory,
    desk: Desk = DESK,
) -> Answer:
    """Run a program on a table, as if a question had been answered with it; nobody is more or less sure of it."""
    if len(program.steps) > MOST_STEPS:
        raise NeuralProgrammerError(
            f"a program has at most {MOST_STEPS} steps, and this one has {len(program.steps):,}"
        )
    allowed = AskConfig(seconds, memory)
    with desk.open(table, allowed).aside(seconds, None) as opened:
        program = as_stored(program, opened.source)
        check_rows(program, opened.empty)
        given = answered(opened, write(program), Decision(program, 1.0), engine, master, dialect, seconds)
    return replace(given, confidence=None)


def decided(model: Decides, opened: Opened, question: str) -> Decision:
    """Return what a model decides for a question about a table."""
    return model.decide(question, indexed(model, opened, question), opened.rows)


def indexed(model: Decides, opened: Opened, question: str) -> Index:
    """Return the index of what a question to a model may refer to in a table."""
    words = getattr(getattr(model, "vocabulary", None), "places", ())
    return indexing.indexed(opened.source, opened.known, question, words)


def check_question(question: Any) -> None:
    """Refuse a question that is no text."""
    if not isinstance(question, str):
        raise NeuralProgrammerError(f"a question is a text, not {type(question).__name__}")


def answered(
    opened: Opened,
    question: str,
    decision: Decision,
    engine: Engine = ENGINE,
    master: str | None = None,
    dialect: str | None = None,
    seconds: float | None = None,
) -> Answer:
    """Run the program of a decision and return its answer. `seconds` limit Spark; other engines have their limit
    already."""
    check_time()
    program = decision.program
    fault = _fault(program, opened.empty)
    if fault:
        found, rows = Answer(reason=decision.reason or fault), [None] * len(program.steps)
    elif engine not in get_args(Engine):
        raise one_of("engine", engine, get_args(Engine))
    elif engine == "spark":
        from neural_programmer.engines import spark

        found, rows = spark.answer(program, opened.source, master, seconds)
    elif opened.table is not None:
        found, rows = interpreted(program, opened)
        check_time()
    else:
        from neural_programmer.engines import duck

        found, rows = duck.answer(program, opened.source, duck.COUNTING)
    if found.scalar is not None and math.isinf(found.scalar):
        found = Answer(reason=f"the {program.steps[-1]} is infinite: a cell of the column is")
    origins = {column: opened.source.origin(column) for column in {column for _, column in found.cells}}
    built = [] if fault else [*expressions(program, opened.empty)]
    names = [built[place].column if built else None for place in range(len(rows))]
    counted = zip(program.steps, rows, names, strict=True)
    return replace(
        found,
        cells=tuple((row, origins[column]) for row, column in found.cells),
        question=question,
        **{"unit": _unit(program, opened, found)}
        | (told(built[-1].node, opened.source, found, rows) if found.answered else {}),
        steps=tuple(_said(n, step, opened, count, name) for n, (step, count, name) in enumerate(counted, 1)),
        sql="" if fault else _sql(program, opened, dialect or opened.source.dialect),
        confidence=decision.confidence,
        partial=decision.partial,
        notes=(*_notes(decision, opened), *left_out(program, built, opened.source, opened.table)),
    )


def interpreted(program: Program, opened: Opened) -> tuple[Answer, list[int | None]]:
    """Return what the interpreter gives on a table in memory, with its cells, and how many rows each step
    selects or reads."""
    assert opened.table is not None
    with np.errstate(all="ignore"):
        done = run(program, opened.table)
    before = [np.ones(opened.table.rows, bool), *(step.row_select for step in done.steps)]
    after = [operation.updates == "rows" for operation in program.operations]
    for place, step in enumerate(done.steps):
        after[place] |= step.relation is not None
    rows: list[int | None] = [int(np.sum(before[place + later])) for place, later in enumerate(after)]
    last = done.steps[-1]
    if last.relation is not None and done.answer.answered:
        cells = done.answer.cells
        result = as_written(done.answer.result, last, opened.empty.names, opened.cells)
        return Answer(result, cells[:NAMED_CELLS], len(cells)), rows
    if done.answer.kind == "lookup" and program.operations[-1].updates == "lookup":
        place = opened.empty.names.index(str(program.steps[-1].column))
        chosen = [row for row, _ in done.answer.cells]
        values = tuple(opened.cells[place][row] for row in chosen)
        result = replace(done.answer.result, held=(values,))
        return Answer(result, done.answer.cells[:NAMED_CELLS], len(chosen)), rows
    if done.answer.kind == "none":
        return done.answer, rows
    cells = [cell for i in origins(program) for cell in _cells(program.steps[i], opened, before[i])]
    return replace(done.answer, cells=tuple(cells[:NAMED_CELLS]), total=len(cells)), rows


def _cells(step: Step, opened: Opened, selected: np.ndarray) -> list[tuple[int, str | None]]:
    """Return the cells that an aggregate of some rows comes from, without missing ones."""
    if step.source is not None and opened.table is not None:
        selected = selected & ~missing(opened.table.column(step.source))
    return [(row, step.source) for row in np.flatnonzero(selected).tolist()]


def _fault(program: Program, empty: Table) -> str:
    """Return why a program can give no answer, whatever the rows are; nothing if it can."""
    if _declines(program):
        return DECLINED
    steps = zip(program.steps, program.operations, strict=True)
    faults = (misfit(step, operation, number, empty) for number, (step, operation) in enumerate(steps, 1))
    if fault := next(filter(None, faults), ""):
        return fault
    try:
        [*_, last] = expressions(program, empty)
    except Nonsense as wrong:
        return str(wrong)
    return no_answer(program, last.node)


def _declines(program: Program) -> bool:
    """Return whether a program gives no answer on purpose."""
    return not program.steps or program.operations[-1].updates == "nothing"


def _unit(program: Program, opened: Opened, found: Answer) -> str:
    """Return the unit of an answer: that of its operation, else of the cells or numbers that it comes from."""
    if found.kind == "none":
        return ""
    scalar = found.scalar is not None
    if found.scalar is not None and (said := program.operations[-1].unit(found.scalar)):
        return said
    if program.steps[-1].operation == "ratio":
        return ""
    units = set()
    for place in origins(program):
        step, of_numbers = program.steps[place], not scalar or program.operations[place].column == "number"
        units.add(opened.source.column(step.source).unit if of_numbers and step.source is not None else "")
    return units.pop() if len(units) == 1 else ""


def _notes(decision: Decision, opened: Opened) -> tuple[str, ...]:
    """Return the notes on an answer: those of the decision, and how its times and columns were read."""
    notes = [PARTIAL, *decision.notes] if decision.partial else [*decision.notes]
    for step in decision.program.steps:
        notes += [step.argument.note] if isinstance(step.argument, Period) else []
        notes += [opened.source.column(str(opened.source.origin(step.source))).note] if step.source else []
    return tuple(dict.fromkeys(filter(None, notes)))


def _said(number: int, step: Step, opened: Opened, rows: int | None, called: str | None) -> AnswerStep:
    """Return a step as the answer shows it, with texts and times as they are written."""
    argument = " or ".join(step.argument) if isinstance(step.argument, tuple) else step.argument
    argument = str(argument) if isinstance(argument, Period) else argument
    kind, unit = ("number", "")
    if step.source is not None:
        column = opened.source.column(step.source)
        kind, unit = column.kind, column.unit
    said = in_words(step, number, kind, unit, called)
    return AnswerStep(step.operation, None if step.column is None else str(step.column), argument, rows, said)


def _sql(program: Program, opened: Opened, dialect: str) -> str:
    """Return the SQL that gives the same answer, for people to read and run elsewhere; nothing if there is none."""
    from neural_programmer.engines import shown, sql

    if sql.refusal(program, dialect, opened.source.cell_kinds):
        return ""
    if dialect not in opened.places:
        opened.places[dialect] = shown.place(opened.source, dialect)
    return shown.text(program, opened.places[dialect], dialect)


def _identity(table: Any) -> tuple[Any, Callable[[], bool] | None]:
    """Return what a table is known by, and a check of whether it is still the same; None where nothing can tell."""
    if isinstance(table, str | os.PathLike):
        named = naming.find(table)
        state = _state(named)
        return (named.path, named.part, named.files), lambda: _state(named) == state
    key = id(table)
    if is_lazy(table):
        return key, None
    try:
        reference = weakref.ref(table)
    except TypeError:  # a dict
        return key, None
    if hasattr(table, "equals") and hasattr(table, "clone" if hasattr(table, "clone") else "iloc"):
        copy = table.clone() if hasattr(table, "clone") else table.copy()  # polars or pandas, whose cells may change
        return key, lambda: (same := reference()) is not None and bool(copy.equals(same))
    return key, lambda: reference() is not None


def _state(named: naming.Named) -> tuple[Any, ...]:
    """Return what changes when one of the files changes, or the log beside a database."""
    logs = [f"{named.path}{beside}" for beside in ("-wal", ".wal")]
    states = []
    for path in (*named.files, *logs):
        try:
            found = os.stat(path)
            states.append((found.st_mtime_ns, found.st_size, found.st_ino))
        except OSError:
            states.append(None)
    return tuple(states)

"""Questions, tables and answers of one's own: a file of them, or objects of Python -> checked triples.

A file has JSON lines of `question`, `table` and `answer`, or is a CSV file with such columns. A table is a path, seen
from the file, or its rows: objects, or lists with the names first. An answer is a number, a text, a truth, a list
of them, rows (a list of lists), or null where the question should be declined. All that is wrong is collected, line by
line, before anything is learnt. A file of WikiTableQuestions is one more form, with a measure of its own (see
wikitables.py).
"""

import contextlib
import csv
import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from neural_programmer.data import wikitables
from neural_programmer.data.readings import keys, readings, short
from neural_programmer.errors import NeuralProgrammerError, UsageError
from neural_programmer.programs import items, same
from neural_programmer.programs.answer import Answer, items_of
from neural_programmer.programs.result import Result
from neural_programmer.programs.values import plain
from neural_programmer.programs.workers import each
from neural_programmer.questions.link import check_length
from neural_programmer.questions.tokens import tokenized
from neural_programmer.tables import naming
from neural_programmer.tables.table import Table
from neural_programmer.tables.table import plain as plain_cells

NAME = "own questions"
FIELDS = ("question", "table", "answer")
VALIDATION_PART = 5  # one of so many questions is for validation, where nothing is said
NAMED_LINES = 5  # bad lines that an error names
CHUNK = 20  # tables that a process opens at a time
SEVERAL = "|"  # between the answers in a cell of a CSV file


@dataclass(frozen=True, eq=False)
class Triple:
    """A question about a table, with all that its answer may mean there: a number, or cells as the table has them."""

    question: str
    table: Table
    answer: Any  # as it was given
    readings: tuple[Answer, ...]
    place: str  # where it was given: line 12
    about: str  # the same for triples about the same table
    key: str = ""  # its id, in a file of WikiTableQuestions
    wanted: tuple[str, ...] = ()  # there also the items of the answer, as they are written

    @property
    def official(self) -> bool:
        """Whether the official measure of WikiTableQuestions judges answers."""
        return bool(self.wanted)

    def judge(self, answer: Answer) -> bool:
        """Return whether an answer is right."""
        if self.official:
            return same.is_right_of_wikitables(items_of(answer), self.wanted)
        return any(same.is_right(answer.value, meant.value) for meant in self.readings)


@dataclass(frozen=True)
class Data:
    """Triples, where they are from, what was wrong with the others, and how many of them stood there twice."""

    name: str
    triples: tuple[Triple, ...]
    bad: tuple[str, ...] = ()
    repeated: int = 0

    @property
    def official(self) -> bool:
        """Whether the official measure of WikiTableQuestions judges all answers."""
        return bool(self.triples) and all(triple.official for triple in self.triples)

    @property
    def digest(self) -> str:
        """Return a hash that is the same for the same triples."""
        digest, tables = hashlib.sha256(), {triple.about: triple.table for triple in self.triples}
        for triple in self.triples:
            digest.update(json.dumps([triple.question, triple.answer, triple.about]).encode())
        for table in tables.values():
            digest.update(json.dumps(table.names).encode())
            for column in table.columns:
                digest.update(np.ascontiguousarray(column).tobytes())
        return digest.hexdigest()[:16]

    def checked(self, skip_bad: bool) -> "Data":
        """Return the data; refuse it if something was wrong that was not to be skipped, or if nothing is left."""
        total = len(self.triples) + len(self.bad) + self.repeated
        if self.bad and not skip_bad:
            more = f"; and {len(self.bad) - NAMED_LINES:,} more" if len(self.bad) > NAMED_LINES else ""
            count = f"{len(self.bad):,} bad line{'s' if len(self.bad) > 1 else ''} of {total:,}"
            raise NeuralProgrammerError(
                f"{self.name} has {count}: {'; '.join(self.bad[:NAMED_LINES])}{more}; mend them or leave them out with "
                "--skip-bad"
            )
        if not self.triples:
            left = f"all of its {total:,} lines are bad, the first: {self.bad[0]}" if self.bad else "it has no lines"
            raise NeuralProgrammerError(f"{self.name} has nothing to learn from: {left}")
        return self


@dataclass(frozen=True)
class _Given:
    """A line before its table is opened: the table as it was given, and what it is known by."""

    place: str
    question: str
    table: Any
    about: str
    answer: Any


def official_only(what: str, name: str) -> NeuralProgrammerError:
    """Return the error for an option that only questions of WikiTableQuestions have, given with other ones."""
    return NeuralProgrammerError(f"{what} goes with a file of WikiTableQuestions, and {name} is none; leave it out")


def read(
    data: Any,
    progress: Callable[[int, int], None] = lambda done, total: None,
    tables: str | os.PathLike[str] | None = None,
) -> Data:
    """Return the triples of a file, or of mappings of Python, whose tables may also be frames.

    `tables` is the folder that the paths of tables in a file of WikiTableQuestions are seen from, if not the file's.
    """
    is_path = isinstance(data, str | os.PathLike)
    name, beside = (Path(data).name, Path(data).parent) if is_path else ("these examples", None)
    if is_official(data):
        return _official(Path(data), Path(data).parent if tables is None else Path(tables), progress)
    if tables is not None:
        raise official_only("a folder of tables", name)
    bad: dict[str, str] = {}
    given: list[_Given] = []
    frames: dict[int, int] = {}
    for place, line in _lines(Path(data)) if is_path else _objects(data):
        try:
            given.append(_given(place, line, beside, frames))
        except NeuralProgrammerError as error:
            bad[place] = str(error)
    placed = list({one.about: one.table for one in given}.items())
    parts = [placed[start : start + CHUNK] for start in range(0, len(placed), CHUNK)]
    opened = dict(each(_opened, parts, lambda done: progress(done, len(placed))))
    triples = []
    for about, lines in _grouped(given).items():
        table = opened[about]
        keyed = None if isinstance(table, str) else keys(table)
        for one in lines:
            try:
                if isinstance(table, str):
                    raise NeuralProgrammerError(table)
                meant = readings(one.answer, table, keyed)
                triples.append(Triple(one.question, table, one.answer, meant, one.place, about))
            except NeuralProgrammerError as error:
                bad[one.place] = str(error)
    order = {one.place: number for number, one in enumerate(given)}
    triples.sort(key=lambda triple: order[triple.place])
    kept, repeated = _agreeing(triples, bad)
    return Data(name, tuple(kept), _in_order(bad), repeated)


def is_official(data: Any) -> bool:
    """Return whether data is a file of WikiTableQuestions."""
    return isinstance(data, str | os.PathLike) and wikitables.is_form(_head(Path(data)))


def _in_order(bad: dict[str, str]) -> tuple[str, ...]:
    """Return what is wrong, ordered by place."""
    return tuple(f"{place}: {bad[place]}" for place in sorted(bad, key=lambda place: (len(place), place)))


def _official(path: Path, folder: Path, progress: Callable[[int, int], None]) -> Data:
    """Return all triples of a file of WikiTableQuestions, those that stand there twice too."""
    with _file(path) as file:
        text = file.read()
    bad, asked = {}, []
    try:
        for place, line in wikitables.lines(text):
            if isinstance(line, NeuralProgrammerError):
                bad[place] = str(line)
            else:
                asked.append((place, line))
    except NeuralProgrammerError as error:
        raise NeuralProgrammerError(f"{path.name}: {error}") from None
    names = dict.fromkeys(line.table for _, line in asked)
    opened: dict[str, Table | NeuralProgrammerError] = {}
    for name in names:
        try:
            opened[name] = wikitables.read_table(folder / name)
        except NeuralProgrammerError as error:
            opened[name] = error
        progress(len(opened), len(names))
    triples = []
    for place, line in asked:
        table = opened[line.table]
        if isinstance(table, NeuralProgrammerError):
            bad[place] = str(table)
        elif fault := _fault(line.question):
            bad[place] = fault
        else:
            triples.append(_official_triple(place, line, table))
    return Data(path.name, tuple(triples), _in_order(bad))


def _fault(question: str) -> str:
    """Return why a question cannot be asked, or None."""
    try:
        check_length(question)
        return "" if tokenized(question) else _no_question(question)
    except NeuralProgrammerError as error:
        return str(error)


def _official_triple(place: str, line: wikitables.Line, table: Table) -> Triple:
    """Return a line with its table; items of its answer that are numbers become numbers."""
    numbers = (items.number(item, grouped=True) for item in line.items)
    values = (item if found is None else found for item, found in zip(line.items, numbers, strict=True))
    meant = Answer(Result.cells(values))
    answer = meant.value if len(line.items) > 1 else meant.value[0]
    one = [Answer(Result.number(float(answer)))] if isinstance(answer, int | float) else []
    about = os.path.normpath(line.table)
    return Triple(line.question, table, answer, (meant, *one), place, about, line.key, line.items)


def _grouped(given: list[_Given]) -> dict[str, list[_Given]]:
    groups: dict[str, list[_Given]] = defaultdict(list)
    for one in given:
        groups[one.about].append(one)
    return groups


def split(triples: Sequence[Triple], seed: int) -> tuple[list[Triple], list[Triple], bool]:
    """Return the triples to learn from, those to validate by, and whether no table is in both; with one table, it is in
    both.

    Which of them does not depend on their order, and stays when others are added.
    """
    by_table = len({triple.about for triple in triples}) > 1

    def drawn(name: str) -> str:
        return hashlib.sha256(f"{seed} {name}".encode()).hexdigest()

    groups: dict[str, list[Triple]] = defaultdict(list)
    for triple in triples:
        groups[triple.about if by_table else triple.question].append(triple)
    if len(groups) < 2:
        raise NeuralProgrammerError(
            f"{len(triples)} question{'s' if len(triples) > 1 else ''} cannot be split into some to learn from and "
            "some to validate by: give two at least, or others to validate by with --validation"
        )
    chosen: set[str] = set()
    for name in sorted(groups, key=drawn)[:-1]:
        size = sum(len(groups[other]) for other in (*chosen, name))
        if not chosen or size * VALIDATION_PART <= len(triples):
            chosen.add(name)
    inside = {id(triple) for name in chosen for triple in groups[name]}
    return [t for t in triples if id(t) not in inside], [t for t in triples if id(t) in inside], by_table


@dataclass(frozen=True, eq=False)
class Shown:
    """A triple whose answer is one number or some cells of its table, as the paper's objective wants it."""

    question: str
    table: Table
    answer: Answer


def shown(triple: Triple) -> Shown:
    """Return a triple with the first cells of a column that hold its answer, or else with the number that it is."""
    answer = triple.readings[0]
    if answer.kind == "lookup" and not answer.cells:
        for name, column in zip(triple.table.names, triple.table.columns, strict=True):
            if (rows := _rows(plain_cells(column), answer.values)) is not None:
                answer = replace(answer, cells=tuple((row, name) for row in rows))
                break
    return Shown(triple.question, triple.table, answer)


def _rows(cells: list[Any], values: Sequence[Any]) -> list[int] | None:
    """Return the first rows whose cells are these values; None if there are none."""
    places: dict[Any, list[int]] = defaultdict(list)
    for row, cell in reversed([*enumerate(cells)]):
        places[cell].append(row)
    try:
        return sorted(places[value].pop() for value in values)
    except IndexError:
        return None


def _agreeing(triples: list[Triple], bad: dict[str, str]) -> tuple[list[Triple], int]:
    """Return each question about a table once; refuse all lines of a question with several answers."""
    same: dict[tuple[str, str], list[Triple]] = defaultdict(list)
    for triple in triples:
        same[triple.about, " ".join(triple.question.split()).casefold()].append(triple)
    kept, repeated = [], 0
    for group in same.values():
        first = group[0]
        others = [triple for triple in group if set(triple.readings) != set(first.readings)]
        for triple in group if others else ():
            other = others[0] if triple is first else first
            bad[triple.place] = (
                f"the same question about the same table has the answer {short(triple.answer)} here and "
                f"{short(other.answer)} at {other.place}"
            )
        kept += [] if others else [first]
        repeated += 0 if others else len(group) - 1
    return kept, repeated


@contextlib.contextmanager
def _file(path: Path) -> Iterator[TextIO]:
    """Open a file of text that can be read more than once."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise NeuralProgrammerError(f"cannot read {str(path)[:200]}: it is not a file; write what it holds into one")
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            yield file
    except OSError as error:
        raise NeuralProgrammerError(f"cannot read {str(path)[:200]}: {error.strerror}") from None
    except ValueError as error:  # a path with a zero byte
        raise NeuralProgrammerError(f"cannot read {str(path)[:200]!r}: {error}") from None


def _head(path: Path) -> str:
    """Return what a file begins with."""
    with _file(path) as file:
        return file.read(1000).lstrip()


def _lines(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the lines of a file, each with its place, parsed or as the error."""
    head = _head(path)
    with _file(path) as file:
        if path.suffix.lower() in (".csv", ".tsv") or (path.suffix == ".txt" and head[:1] != "{"):
            yield from _csv_lines(file, path.name, "\t" if path.suffix.lower() == ".tsv" else ",")
        else:
            yield from _json_lines(file)


def _json_lines(file: Iterable[str]) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(file, 1):
        if line.strip():
            try:
                line.encode()
                yield f"line {number}", parsed(line)
            except UnicodeError:
                yield f"line {number}", NeuralProgrammerError("it is not UTF-8")
            except (ValueError, RecursionError):
                yield f"line {number}", NeuralProgrammerError(f"it is not JSON: {line.strip()[:60]!r}")


def _csv_lines(file: Iterable[str], name: str, delimiter: str) -> Iterator[tuple[str, Any]]:
    reader = csv.reader(file, delimiter=delimiter, strict=True)
    try:
        header = [cell.strip().lower() for cell in next(reader, [])]
        missing = [field for field in FIELDS if field not in header]
        if missing:
            raise NeuralProgrammerError(
                f"{name} has no column {' and no column '.join(missing)}; its first row should name the columns "
                f"{', '.join(FIELDS)}"
            )
        for row in reader:
            if row and len(row) != len(header):
                wrong = f"it has {len(row)} cells, and the first row has {len(header)}"
                yield f"line {reader.line_num}", NeuralProgrammerError(wrong)
            elif row:
                line = dict(zip(header, row, strict=True))
                yield f"line {reader.line_num}", {**line, "answer": _of_cell(line["answer"])}
    except csv.Error as error:
        raise NeuralProgrammerError(f"cannot read {name} as CSV: line {reader.line_num}: {error}; mend it") from None


def _objects(data: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(data, Iterable) or isinstance(data, bytes):
        raise UsageError(f"examples are a file, or mappings of question, table and answer, not {data!r:.60}")
    for number, one in enumerate(data, 1):
        yield f"example {number}", dict(zip(FIELDS, one, strict=False)) if isinstance(one, tuple | list) else one


def parsed(text: str) -> Any:
    """Read JSON; refuse the numbers that it does not have, and what cannot be written again."""
    value = json.loads(text, parse_constant=float.fromhex)  # which reads no NaN and no Infinity
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    return value


def _of_cell(cell: str) -> Any:
    """Read an answer in a cell of a CSV file: JSON, or a text, several of them with a mark between."""
    try:
        return parsed(cell)
    except (ValueError, RecursionError):
        parts = [part.strip() for part in cell.split(SEVERAL)]
        return [_of_cell(part) for part in parts] if len(parts) > 1 and all(parts) else cell.strip()


def _given(place: str, line: Any, beside: Path | None, frames: dict[int, int]) -> _Given:
    """Return a line whose fields are what they should be."""
    if isinstance(line, NeuralProgrammerError):
        raise line
    if not isinstance(line, Mapping):
        raise NeuralProgrammerError(f"it is no object with {', '.join(FIELDS)}, but {short(line)}")
    missing = [field for field in FIELDS if field not in line]
    if missing:
        raise NeuralProgrammerError(f"it has no {' and no '.join(missing)}")
    question, table, answer = (line[field] for field in FIELDS)
    if not isinstance(question, str) or not tokenized(question):
        raise NeuralProgrammerError(_no_question(question))
    check_length(question)
    try:
        question.encode()
    except UnicodeError:
        raise NeuralProgrammerError("the question is not UTF-8") from None
    rows = answer if isinstance(answer, list) else [answer]
    widths = {len(row) if isinstance(row, list) else 0 for row in rows}
    items = [item for row in rows for item in (row if isinstance(row, list) else [row])]
    plain_items = all(item is None or isinstance(item, bool | int | float | str) for item in items)
    if answer == "" or not plain_items or len(widths) > 1:
        raise NeuralProgrammerError(
            "the answer should be a number, a text, a truth, a list of them, a list of rows of one length, or null to"
            f" decline, not {short(answer)}"
        )
    return _Given(place, question, *_placed(table, beside, frames), answer)


def _no_question(question: Any) -> str:
    return f"the question should be a text with words, not {short(question)}"


def _placed(table: Any, beside: Path | None, frames: dict[int, int]) -> tuple[Any, str]:
    """Return a table as it can be opened, and its name; frames are called by the order in which they come."""
    if isinstance(table, str) and beside is not None and table.lstrip()[:1] in ("[", "{"):
        try:
            table = parsed(table)  # in a cell of a CSV file
        except (ValueError, RecursionError):
            raise NeuralProgrammerError(f"the table is neither a path nor JSON: {short(table)}") from None
    if isinstance(table, str | os.PathLike):
        named = os.fspath(table)
        if not named:
            raise NeuralProgrammerError("it names no table")
        naming.check_here(named)
        return (named if beside is None else os.path.join(beside, os.path.expanduser(named))), os.path.normpath(named)
    if isinstance(table, list | Mapping) and table:
        text = json.dumps(table, sort_keys=True, default=str)
        return table, f"rows {hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}"
    if beside is not None or table is None or isinstance(table, list):
        raise NeuralProgrammerError(f"the table should be a path or its rows, not {short(table)}")
    return table, f"frame {frames.setdefault(id(table), len(frames))}"


def _opened(part: list[tuple[str, Any]]) -> list[tuple[str, Table | str]]:
    """Open tables and return them by name; return why, for those that cannot be opened."""
    result: list[tuple[str, Table | str]] = []
    for about, table in part:
        try:
            result.append((about, _table(table)))
        except NeuralProgrammerError as error:
            result.append((about, " ".join(str(error).split())))
    return result


def _table(table: Any) -> Table:
    """Return a table as it is asked about. One of `columns` and `rows`, as `generate` writes it, keeps the types it is
    given."""
    if isinstance(table, Mapping) and set(table) == {"columns", "rows"} and isinstance(table["rows"], list):
        columns = _of_rows([table["columns"], *table["rows"]])
        return Table(tuple(columns), tuple(map(_typed, columns.values())))
    columns = _of_rows(table) if isinstance(table, list) else table
    if isinstance(columns, dict) and all(map(_is_numbers, columns.values())):
        return Table(tuple(columns), tuple(map(_typed, columns.values())))
    from neural_programmer.tables.source import (
        open_source,  # which needs DuckDB, and much of what is read here does not
    )

    with open_source(columns) as source:
        return source.table()


def _of_rows(rows: list[Any]) -> dict[str, list[Any]]:
    """Return rows as columns by name: objects, or lists of which the first has the names."""
    if all(isinstance(row, Mapping) for row in rows):
        names = list(dict.fromkeys(name for row in rows for name in row))
        return {name: [row.get(name) for row in rows] for name in names}
    if not all(isinstance(row, list | tuple) for row in rows):
        raise NeuralProgrammerError(
            "the rows of a table should be objects, or lists with the names of the columns first"
        )
    names, *cells = rows
    for number, row in enumerate(cells, 1):
        if len(row) != len(names):
            raise NeuralProgrammerError(f"row {number} of the table has {len(row)} cells for {len(names)} columns")
    if not all(isinstance(name, str) for name in names):
        raise NeuralProgrammerError(f"the first row of a table should name its columns, not {short(list(names))}")
    if len(set(names)) < len(names):
        raise NeuralProgrammerError(f"two columns of the table have one name: {short(list(names))}")
    return {name: [row[place] for row in cells] for place, name in enumerate(names)}


def _is_numbers(column: Any) -> bool:
    return (
        isinstance(column, list)
        and {type(cell) for cell in column} <= {int, float, type(None)}
        and any(cell is not None for cell in column)
    )


def _typed(column: list[Any]) -> np.ndarray:
    """Return numbers if all cells are numbers, else texts."""
    if _is_numbers(column):
        try:
            return np.array([np.nan if cell is None else cell for cell in column], float)
        except OverflowError:
            raise NeuralProgrammerError("a number of the table is too large to compute with") from None
    return np.array(["" if cell is None else str(plain(cell)) for cell in column], str)

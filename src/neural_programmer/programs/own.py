"""Operations of one's own: a plain function, with what it needs, becomes an operation beside the built-in ones.

    @operation(column="number", sql="MEDIAN")
    def middle(cells):
        "the median of a column over the selected rows"
        return np.median(cells)

A file of such functions is run when its name is given, and only then: a model holds the names of its operations, never
their code. They belong to the model, the program or the training that they were given to: other ones may have others of
the same name. Whatever a function does wrong is said in one sentence with its file and line.
"""

import inspect
import math
import os
import re
import runpy
import threading
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar, get_args

import numpy as np

from neural_programmer.errors import NeuralProgrammerError, one_of
from neural_programmer.programs.aggregates import Needed
from neural_programmer.programs.operation import Operation, Own, Query, Takes
from neural_programmer.programs.operations import ROWS
from neural_programmer.tables.table import column_kind, missing

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")
Given = str | Path | Callable[..., Any]
"""A file of operations, or a function that @operation stands before."""
UPDATES = ("scalar", "rows")
COLUMNS = tuple(kind for kind in get_args(Needed) if kind != "none")
LONGEST = 40  # letters of a name
LARGEST_NOTHING = 1e300  # what a number of no cells may be
SECONDS = 10.0  # for one call of a function; for all calls of a search together see candidates/masks.py
LOADING = 60.0  # seconds for running a file, which may import other packages
AGGREGATE = re.compile(r"[A-Za-z_]\w*( DISTINCT)?")
FEW = {  # cells to try a function on when it is given: one, several, and one that is missing
    "number": np.array([2.5, -1.0, 0.0, 2.5, 1e9, np.nan]),
    "date": np.array(["2020-02-29", "2019-12-31", "2020-02-29", "1969-07-20", "2024-01-01", "NaT"], "M8[D]"),
    "text": np.array(["red", "blue", "red", "O'Hara", "100 %", ""]),
}
OF_KIND = {"number": ["number"], "ordered": ["number", "date"], "text": ["text"], "any": ["number", "date", "text"]}

MADE = "neural_programmer_operation"  # the attribute of a function that has its operation
_lock = threading.Lock()  # one file is run at a time
_limit = threading.local()


def _begin() -> None:
    """Make a new lock in a forked process, where no file is being run."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin)


def operation(
    *,
    column: Needed,
    updates: str = "scalar",
    argument: Takes = "none",
    about: str = "",
    of_nothing: float = math.nan,
    soft: Callable[..., Any] | None = None,
    sql: str | Callable[[Query], Any] | None = None,
) -> Callable[[Function], Function]:
    """Make an operation of the function below: its name, what it needs, and where they differ its soft and SQL forms.

    The function gets the cells of a `column` of this kind as an array: those of the selected rows that are not missing.
    It returns a number (`updates="scalar"`), or a truth for each cell (`updates="rows"`). With an `argument` it gets
    all cells of the column that are not missing, and the number or the tuple of texts to compare them with. It is not
    called without cells: a scalar is `of_nothing` then, and NaN is no answer. `about` describes the operation; if it is
    not given, the docstring of the function does.

    `sql` is an aggregate's name, such as MEDIAN or COUNT DISTINCT, or a function of a Query that gives an expression;
    of rows, the condition on a cell. `soft` is a soft definition as the built-in ones have; of a condition on numbers,
    (cells, numbers) -> truths over the array API.

    >>> @operation(column="number", sql="MEDIAN")
    ... def middle(cells):
    ...     "the median of a column"
    ...     return np.median(cells)
    >>> middle([1.0, 2.0, 9.0]).item()
    2.0
    """

    def make(function: Function) -> Function:
        entry = _entry(function, column, updates, argument, about, of_nothing, soft, sql)
        setattr(function, MADE, entry)
        getattr(_limit, "made", []).append(entry)
        return function

    return make


def load(path: str | Path) -> tuple[Operation, ...]:
    """Run a file that defines operations, try each on a few cells, and return them."""
    path = Path(path)
    if not path.is_file():
        raise NeuralProgrammerError(f"no file of operations at {path}; name a Python file that defines some")
    with _lock:
        found: list[Operation] = []

        def run() -> None:
            _limit.made = found  # by this thread alone, in the order in which they are made
            try:
                names = runpy.run_path(str(path), run_name=str(path.resolve()))
            finally:
                del _limit.made
            imported = [each for each in names.values() if inspect.isfunction(each) and hasattr(each, MADE)]
            found.extend(entry for each in imported if (entry := getattr(each, MADE)) not in found)

        try:
            limited(f"the file {path}", run, LOADING)
        except NeuralProgrammerError:
            raise
        except SyntaxError as error:
            raise NeuralProgrammerError(f"{path}, line {error.lineno}, is not Python: {error.msg}; mend it") from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise NeuralProgrammerError(f"{path}{_line(error, str(path))} {_raised(error)}; mend it") from None
        if not found:
            raise NeuralProgrammerError(f"{path} defines no operation; write @operation(...) before a function of it")
    return _checked(_of_file(entry, path) for entry in found)


def given(operations: Iterable[Given | Operation]) -> tuple[Operation, ...]:
    """Return the operations of files and functions. Operations are returned as they are."""
    found: list[Operation] = []
    files: set[Path] = set()
    for one in operations:
        if isinstance(one, Operation):
            found.append(one)
        elif isinstance(one, str | Path):
            found += [] if Path(one).resolve() in files else load(one)
            files.add(Path(one).resolve())
        elif inspect.isfunction(one) and hasattr(one, MADE):
            found += _checked([getattr(one, MADE)])
        else:
            raise NeuralProgrammerError(f"{one!r:.60} is no operation; write @operation(...) before it")
    found = list(dict.fromkeys(found))
    _check_names(found)
    return tuple(found)


def _of_file(entry: Operation, path: Path) -> Operation:
    assert entry.own is not None
    return replace(entry, own=replace(entry.own, again=partial(reloaded, str(path.resolve()), entry.name)))


@cache
def reloaded(path: str, name: str) -> Operation:
    """Return an operation of a file in another process. The file is run once there."""
    found = [entry for entry in _reloaded(path) if entry.name == name]
    if not found:
        raise NeuralProgrammerError(f"{path} no longer defines the operation {name!r}; leave it as it was")
    return found[0]


@cache
def _reloaded(path: str) -> tuple[Operation, ...]:
    return load(path)


def limited(what: str, work: Callable[[], Result], seconds: float) -> Result:
    """Run work in a thread, and refuse it if it takes longer than `seconds`.

    A thread that takes too long is left behind. Work inside such work shares its time.
    """
    if getattr(_limit, "set", False):
        return work()
    given: list[Result] = []
    raised: list[BaseException] = []

    def run() -> None:
        _limit.set = True
        try:
            with np.errstate(all="ignore"):
                given.append(work())
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if raised:
        raise raised[0]
    if not given:
        raise NeuralProgrammerError(f"{what} did not come to an end within {seconds:g} seconds; mend it")
    return given[0]


def _entry(
    function: Any, column: Any, updates: Any, argument: Any, about: str, of_nothing: float, soft: Any, sql: Any
) -> Operation:
    """Return the operation of a function. Refuse settings that make no sense."""
    if not inspect.isfunction(function):
        raise NeuralProgrammerError(f"{function!r:.60} is no plain function; write it with def, below @operation(...)")
    name, code = function.__name__, function.__code__
    where = f"{Path(code.co_filename).name}, line {code.co_firstlineno}"
    what = f"the operation {name[:LONGEST]!r} ({where})"
    if not name.isidentifier() or len(name) > LONGEST:
        raise NeuralProgrammerError(f"{what} needs a name of at most {LONGEST} letters; define it with def")
    if name in ROWS:
        raise NeuralProgrammerError(f"{what} has the name of a built-in operation; give it another one")
    for label, value, choices in (("column", column, COLUMNS), ("updates", updates, UPDATES)):
        if value not in choices:
            raise NeuralProgrammerError(f"{what}: {one_of(label, value, choices)}")
    if argument not in get_args(Takes):
        raise NeuralProgrammerError(f"{what}: {one_of('argument', argument, get_args(Takes))}")
    if argument != "none" and (updates, column) != ("rows", argument):
        raise NeuralProgrammerError(
            f"{what} takes a {argument}, so it must have updates='rows' and column={argument!r}, not {updates!r} and "
            f"{column!r}"
        )
    if argument == "text" and soft is not None:
        raise NeuralProgrammerError(f"{what} takes a text, for which there is no soft definition; leave out soft")
    about = about or inspect.getdoc(function) or ""
    if not about:
        raise NeuralProgrammerError(f"{what} does not say what it gives; say it in its docstring or with about=")
    named_well = isinstance(sql, str) and updates == "scalar" and AGGREGATE.fullmatch(sql)
    if sql is not None and not named_well and not inspect.isfunction(sql):
        raise NeuralProgrammerError(
            f"{what}: sql must be the name of an aggregate, such as MEDIAN or COUNT DISTINCT, or a function of a query "
            f"that gives an expression, not {sql!r:.60}"
        )
    if soft is not None and not callable(soft):
        raise NeuralProgrammerError(f"{what}: soft must be a function, not {soft!r:.60}")
    if not isinstance(of_nothing, int | float) or abs(of_nothing) > LARGEST_NOTHING:
        raise NeuralProgrammerError(f"{what}: of_nothing must be a number, not {of_nothing!r:.60}")
    compares = argument == "number" and soft is not None
    return Operation(
        name,
        updates,
        column,
        argument,
        None,
        " ".join(about.split()),
        own=Own(
            _scalar(function, what, of_nothing) if updates == "scalar" else _rows(function, what, argument),
            None if sql is None else _sql(sql, what, updates == "rows" and argument == "none"),
            None if compares else soft,
            (lambda cell, low, high: soft(cell, low)) if compares else None,  # type: ignore[misc]
            where,
        ),
    )


def _scalar(function: Callable[..., Any], what: str, of_nothing: float) -> Callable[..., float]:
    """Return a function that makes a number of the selected cells of a column."""

    def apply(column: np.ndarray, selected: np.ndarray, argument: Any = None) -> float:
        cells = column[selected & ~missing(column)]
        if not len(cells):
            return float(of_nothing)
        value = _called(lambda *given: np.asarray(function(*given)), what, cells, file=function.__code__.co_filename)
        if value.shape != () or column_kind(value) != "number":
            raise NeuralProgrammerError(f"{what} should give a number, and gave {_described(value)}; mend it")
        return float(value)

    return apply


def _rows(function: Callable[..., Any], what: str, takes: Takes) -> Callable[..., np.ndarray]:
    """Return a function that says which rows an operation keeps: of the selected ones, or of all where it takes an
    argument."""

    def apply(column: np.ndarray, selected: np.ndarray, argument: Any = None) -> np.ndarray:
        there = ~missing(column) if takes != "none" else selected & ~missing(column)
        rows = np.zeros(len(there), bool)
        cells = column[there]
        if not len(cells):
            return rows
        given = () if takes == "none" else (argument,)
        value = _called(
            lambda *each: np.asarray(function(*each)), what, cells, *given, file=function.__code__.co_filename
        )
        if value.shape != cells.shape or value.dtype != bool:
            raise NeuralProgrammerError(
                f"{what} should give a truth for each of {len(cells)} cells, and gave {_described(value)}; mend it"
            )
        rows[there] = value
        return rows

    return apply


def _sql(sql: Any, what: str, of_selected: bool) -> Callable[[Query], Any]:
    """Return a function that writes an operation in SQL. Where it chooses among the selected rows, their condition is
    added."""

    def expression(q: Query) -> Any:
        from sqlglot import exp

        if isinstance(sql, str):
            return q.aggregate(sql, q.column, q.row_select_1)
        value = _called(sql, f"the SQL of {what}", q)
        if not isinstance(value, exp.Condition | exp.Subquery):
            raise NeuralProgrammerError(f"the SQL of {what} should be an expression of sqlglot, not {_shown(value)}")
        return q.row_select_1.and_(value) if of_selected else value

    return expression


def _called(function: Callable[..., Any], what: str, *arguments: Any, file: str = "") -> Any:
    """Call a function within the limit of time. Errors name a line of `file`, or of the function's own file."""

    def call() -> Any:
        try:
            return function(*arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            line = _line(error, file or function.__code__.co_filename)
            raise NeuralProgrammerError(f"{what} {_raised(error)}{line and f' in{line[1:]}'}; mend it") from None

    return limited(what, call, SECONDS)


def _raised(error: BaseException) -> str:
    """Return an error as one line."""
    try:
        said = " ".join(str(error).split())[:200]
    except BaseException:
        said = ""
    return f"raised {type(error).__name__}{said and f': {said}'}"


def _line(error: BaseException, file: str) -> str:
    """Return the last line of a file that an error came through, or nothing."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f", line {lines[-1]}" if lines else ""


def _described(value: np.ndarray) -> str:
    return f"{value.dtype} of shape {value.shape}" if value.shape else _shown(value.item())


def _shown(value: Any) -> str:
    """Return a value as Python writes it, or its type if it cannot be written."""
    try:
        return f"{value!r:.60}"
    except BaseException:
        return f"a {type(value).__name__[:LONGEST]!r}"


def _checked(entries: Iterable[Operation]) -> tuple[Operation, ...]:
    """Return operations after trying each. Refuse two of the same name."""
    found = tuple(entries)
    _check_names(found)
    for entry in found:
        _try(entry)
    return found


def _check_names(entries: Sequence[Operation]) -> None:
    known: dict[str, Operation] = {}
    for entry in entries:
        other = known.setdefault(entry.name, entry)
        if other is not entry:
            raise NeuralProgrammerError(
                f"the operation {entry.name!r} is defined twice, in {_where(other)} and in {_where(entry)}; give one "
                "of them another name"
            )


def _where(entry: Operation) -> str:
    assert entry.own is not None
    return entry.own.where


def _try(entry: Operation) -> None:
    """Refuse an operation that does not do what it says on no cells, on one, and on a few with one missing."""
    assert entry.own is not None
    for kind in OF_KIND[entry.column]:
        argument = {"none": None, "number": 2.5, "text": ("red",)}[entry.argument]
        for column in (FEW[kind][:0], FEW[kind][:1], FEW[kind]):
            entry.own.apply(column, np.ones(len(column), bool), argument)
    if entry.own.sql is not None:
        from sqlglot import exp

        literal = {"none": None, "number": exp.Literal.number(2.5), "text": [exp.Literal.string("red")]}[entry.argument]
        cells, every = exp.column("cells", quoted=True), exp.true()
        entry.own.sql(Query(cells, literal, literal, every, lambda *_: exp.Placeholder(this="a")))

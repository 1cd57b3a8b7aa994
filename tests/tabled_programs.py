"""Random tables with all kinds of cells, sensible random programs that answer with tables and numbers about them, and
how their answers are compared with what a database gives."""

import datetime
import sqlite3
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, get_args

import duckdb
import numpy as np
from sqlglot import exp

from neural_programmer.engines import sql
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.expressions import RELATION_NODES, Column, Select, Unit, is_grouped
from neural_programmer.programs.frame import Frame
from neural_programmer.programs.interpreter import Interpreter
from neural_programmer.programs.operations import BUILT_IN, ORDER
from neural_programmer.programs.pointers import Argument, BandOf, Computed, MeasureAt, PartOf, Pointer
from neural_programmer.programs.program import Program, Step, expressions, misfit, run
from neural_programmer.programs.put_out import origins, put_out
from neural_programmer.programs.result import Result
from neural_programmer.programs.same import is_right
from neural_programmer.programs.values import is_missing
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import CellKind, Table, is_date, plain

NAMES = ("shop", "kind of", "open", "amount", "pieces", "price", "day", "moment")
SHOP, KIND, OPEN, AMOUNT, PIECES, PRICE, DAY, MOMENT = NAMES
TYPES = ("VARCHAR", "VARCHAR", "BOOLEAN", "DOUBLE", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP")
KINDS_OF: tuple[tuple[str, CellKind], ...] = tuple(
    (name, {"VARCHAR": "text", "BOOLEAN": "text", "DATE": "date", "TIMESTAMP": "date"}.get(kind, "number"))
    for name, kind in zip(NAMES, TYPES, strict=True)
)
TEXTS, NUMBERS, TIMES = (SHOP, KIND, OPEN), (AMOUNT, PIECES, PRICE), (DAY, MOMENT)
EXACT = (AMOUNT, PIECES)  # whose sums are the same in any order, so that what is alike is alike everywhere
SHOPS = ("Oslo", "Zoë", "O'Hara", "東京", "100 %", "oslo", "ÉCOLE", "a\\b", "North Sea", "north_sea")
KINDS = ("old", "new", "newer")
TRUTHS = ("true", "false")
AMOUNTS = (-3.25, 0.0, 0.5, 12.5, 12.5, 99.75, 1024.0)
PRICES = (0.1, 0.2, 0.3, 19.99, 100.01, 7.07)
DAYS = np.array(
    "1899-12-31 1965-02-28 1969-12-29 1969-12-31 1970-01-01 1970-04-01 2018-12-31 2019-01-01 2019-02-28 2019-03-31"
    " 2019-04-01 2019-07-15 2019-12-30 2020-01-01 2020-02-29 2020-03-01 2020-03-02 2021-01-03 2021-01-04".split(),
    "M8[D]",
)
CLOCKS = (0, 1, 3_599, 3_600, 43_200, 86_399)  # seconds of a day
UNITS: tuple[Unit, ...] = get_args(Unit)
CALENDAR: tuple[Unit, ...] = ("year", "quarter", "month", "week", "day")
WIDTHS = (0.5, 5.0, 10.0, 1000.0)
NEEDLES = ("o", "N", "sea", "new", "100 %", "_", "'", "京", "b")
NOT_MADE = {"decline"}


def table(generator: np.random.Generator, most: int = 40) -> Table:
    """A table of no rows, of one, or of some; cells are missing, and values come again."""
    rows = int(generator.choice([0, 1, 2, generator.integers(3, most)], p=[0.03, 0.05, 0.05, 0.87]))
    shops = SHOPS[: int(generator.integers(1, len(SHOPS) + 1))]
    days = DAYS[: int(generator.integers(2, len(DAYS) + 1))]
    if generator.random() < 0.5:  # days that follow each other, or with gaps
        start = generator.choice(np.array(["1969-11-20", "2019-10-01", "2020-02-25"], "M8[D]"))
        days = start + generator.integers(0, generator.choice([12, 60, 800]), 12).astype("m8[D]")
    moments = generator.choice(days, rows).astype("M8[s]") + generator.choice(CLOCKS, rows).astype("m8[s]")
    columns = [
        generator.choice(shops, rows),
        generator.choice(KINDS, rows),
        generator.choice(TRUTHS, rows),
        generator.choice(AMOUNTS, rows),
        generator.integers(-2, 6, rows).astype(float),
        generator.choice(PRICES, rows),
        generator.choice(days, rows),
        moments,
    ]
    for cells in columns:
        missing = "" if cells.dtype.kind == "U" else "NaT" if is_date(cells) else np.nan
        cells[generator.random(rows) < generator.choice([0.0, 0.2, 0.6, 1.0], p=[0.4, 0.4, 0.17, 0.03])] = missing
    return Table(NAMES, tuple(columns))


class Maker:
    """Makes sensible programs about tables of this module."""

    def __init__(self, generator: np.random.Generator, without: Sequence[str] = ()) -> None:
        self.generator, self.without = generator, {*NOT_MADE, *without}

    def program(self) -> Program:
        """A program of any of the shapes, without those operations that it is to do without."""
        while True:
            steps = self.one(
                [self.of_groups] * 5 + [self.of_rows] + [self.of_numbers] * 2 + [self.of_sets, self.of_cells]
            )()
            if not {step.operation for step in steps} & self.without:
                return Program(tuple(steps))

    def one(self, some: Sequence[Any]) -> Any:
        return some[self.generator.integers(len(some))]

    def happens(self, chance: float) -> bool:
        return bool(self.generator.random() < chance)

    def amount(self) -> float:
        return float(self.one([-1.0, 0.0, 1.0, 2.0, 3.0, 12.5, 50.0, 0.1]))

    def period(self) -> Period:
        first = np.datetime64(self.one(["1969-01-01", "1970-01-01", "2019-01-01", "2019-04-01", "2020-02-29"]))
        days = self.one([1, 31, 365])
        return Period(first, first.astype("M8[us]") + np.timedelta64(days, "D") - np.timedelta64(1, "us"), "a time")

    def condition(self, columns: Sequence[str] = NAMES) -> Step:
        """A condition on rows of the table."""
        column = self.one(columns)
        if self.happens(0.12):
            return Step(self.one(["missing", "present"]), column)
        if column in TEXTS:
            texts = {SHOP: SHOPS, KIND: KINDS, OPEN: TRUTHS}[column]
            if self.happens(0.4 if column != OPEN else 0.1):
                count = self.generator.integers(1, 3)
                return Step(self.one(["contains", "begins with", "ends with", "has the word"]), column,
                            tuple(str(self.one(NEEDLES)) for _ in range(count)))  # fmt: skip
            many = 1 if self.happens(0.7) else 2
            return Step(
                self.one(["text match", "text other"]),
                column,
                tuple(map(str, dict.fromkeys(self.one(texts) for _ in range(many)))),
            )
        argument: Argument = self.period() if column in TIMES else self.amount()
        operations = ["greater", "lesser", "equal", "not equal", "at least", "at most"]
        return Step(self.one(operations), column, argument)

    def rows(self) -> list[Step]:
        """Rows of the table, by no condition or some."""
        chance = self.generator.random()
        if chance < 0.4:
            return []
        if chance < 0.7:
            return [self.condition()]
        if chance < 0.8:
            return [self.condition(), Step("not")]
        if chance < 0.84:
            return [self.condition(), Step(self.one(["greatest", "least", "extremes"]), self.one([AMOUNT, DAY]))]
        if chance < 0.88:
            return [self.condition(), Step(self.one(["most common", "least common"]), self.one([SHOP, KIND]))]
        if chance < 0.91:
            return [
                self.condition(),
                Step(self.one(["same", "among", "not among", "more", "fewer"]), self.one([PIECES, DAY])),
            ]
        return [self.condition(), self.condition(), Step(self.one(["and", "or"]))]

    def key(self) -> Pointer:
        chance = self.generator.random()
        if chance < 0.45:
            return self.one([SHOP, KIND, OPEN, PIECES, DAY])
        if chance < 0.85:
            return PartOf(self.one(TIMES), self.one(UNITS if self.happens(0.5) else CALENDAR))
        return BandOf(self.one(NUMBERS), self.one(WIDTHS))

    def measure(self, taken: bool, last: bool) -> list[Step]:
        """A measure of groups, perhaps with a condition of its own; the last may be made of two others."""
        before = [self.condition((AMOUNT, PRICE, MOMENT))] if self.happens(0.25) else []
        if taken and self.happens(0.5):
            return [
                *before,
                self.one(
                    [Step("correlation", self.one(NUMBERS)), Step("sum", Computed()), Step("average", Computed())]
                ),
            ]
        return [*before, self.one([
            Step("count"), Step("count"),
            Step("distinct", self.one(NAMES)),
            Step(self.one(["sum", "average", "maximum", "minimum", "median", "deviation"]), self.one(NUMBERS)),
            Step(self.one(["sum", "average"]), AMOUNT),
            Step(self.one(["range", "share of"]), self.one(NUMBERS)) if last else Step("share" if before else "count"),
        ])]  # fmt: skip

    def of_groups(self) -> list[Step]:
        steps, taken = self.rows(), self.happens(0.15)
        if self.happens(0.1):  # a number, to compare measures with
            steps = [*steps, Step(self.one(["average", "median", "maximum"]), AMOUNT), Step("reset")]
            compared = True
        else:
            compared = False
        if taken:
            steps.append(Step("take", self.one(NUMBERS)))
            if self.happens(0.5):
                steps.append(Step(self.one(["plus", "less", "times", "divided by"]), self.one(NUMBERS)))
            if self.happens(0.2):
                steps.append(Step("divided by number", None, 4.0))
        keys: list[Any] = [self.key()]
        if self.happens(0.3) and (other := self.key()) != keys[0]:
            keys.append(other)
        if self.happens(0.06):
            keys = []
        steps += [Step("for each", key) for key in keys] or [Step("overall")]
        if keys and self.happens(0.06):  # rows of each group
            operation = self.one(["top of each", "bottom of each"])
            steps.append(Step(operation, self.one([*EXACT, *TIMES]), float(self.generator.integers(1, 4))))
            return [*steps, Step("show", self.one(NAMES)), Step("show", self.one(NAMES))]
        measures = self.generator.integers(1, 4)
        for place in range(measures):
            steps += self.measure(taken, place == measures - 1)
        if len(keys) == 2 and self.happens(0.3):  # groups of groups
            steps.append(Step("for each", self.one(keys)) if self.happens(0.7) else Step("overall"))
            steps += [
                Step(self.one(["average", "sum", "maximum", "minimum", "median"]), MeasureAt(0)),
                *self.one([[], [Step("count")]]),
            ]
            return steps
        exact = self.exact(steps)
        count = self.computed_measures(steps)
        made = range(count, count + self.derived(steps, count, keys))
        exact = exact and not made
        at = MeasureAt(int(self.generator.integers(count)))
        if self.happens(0.3):
            steps.append(Step(self.one(["greater", "at most", "equal"]), at, self.amount()))
        if compared and exact:
            steps.append(Step(self.one(["more than it", "less than it", "same as it"]), at))
        if keys and keys[0] in TEXTS and self.happens(0.15):
            texts = {SHOP: SHOPS, KIND: KINDS, OPEN: TRUTHS}[keys[0]]
            steps.append(Step("text match", keys[0], (str(self.one(texts)),)))
        if self.happens(0.5) and keys:
            operation = self.one(["ascending", "descending"])
            limited = ["top", "bottom", "place from the top", "place from the bottom"]
            limited += ["top of each", "bottom of each"] if len(keys) == 2 else []
            by = keys[0] if self.happens(0.25) and not isinstance(keys[0], BandOf | PartOf) else at
            if exact and self.happens(0.6) and by not in TEXTS:
                operation = self.one(limited)
            number = float(self.one([1, 1, 2, 3, 5, 10**9])) if operation in limited else None
            steps.append(Step(operation, by, number))
            if number is None and exact and self.happens(0.3):
                steps.append(Step("greatest", MeasureAt(0)))
        chance = self.generator.random()
        if chance < 0.2 and keys:
            steps += [Step("show", one) for one in (self.one([*keys, at]), at)]
            if self.happens(0.5):
                steps.append(Step("once"))
        elif chance < 0.3:
            steps.append(Step(self.one(["average", "maximum", "minimum", "sum"]), at))
        elif chance < 0.35:
            steps.append(Step("whether"))
        return steps

    def exact(self, steps: Sequence[Step]) -> bool:
        """Whether what is alike in the measures of the groups is so everywhere, whatever order numbers are added in."""
        started = next(place for place, step in enumerate(steps) if step.operation in ("for each", "overall"))
        measures = [step for step in steps[started:] if BUILT_IN[step.operation].updates in ("scalar",)]
        loose = {"deviation", "correlation", "share of", "share"}
        once = ("maximum", "minimum", "distinct")

        def is_exact(step: Step) -> bool:
            return step.operation not in loose and step.column in (*NAMES, None) and (
                step.column != PRICE or step.operation in once
            )  # fmt: skip

        return all(map(is_exact, measures))

    def computed_measures(self, steps: Sequence[Step]) -> int:
        """How many measures the groups have that the steps end with: with two for each range and share of a sum."""
        started = next(place for place, step in enumerate(steps) if step.operation in ("for each", "overall"))
        count = 0
        for step in steps[started:]:
            if step.operation in ("range", "share of"):
                count += 3
            elif BUILT_IN[step.operation].updates == "scalar":
                count += 1
        return count

    def derived(self, steps: list[Step], count: int, keys: Sequence[Pointer]) -> int:
        """Add measures that are computed of others; how many."""
        made, before = [], count
        timed = [key for key in keys if isinstance(key, PartOf) or key in (*TIMES, *NUMBERS) or isinstance(key, BandOf)]
        while self.happens(0.35) and len(made) < 3:
            at = MeasureAt(int(self.generator.integers(count)))
            choices = ["share", "share of", "share within", "plus", "less", "times", "divided by", "rank", "total"]
            choices += ["running total", "moving average", "change", "percent change"] * 2 if timed else []
            operation = self.one(choices)
            if operation == "rank" and (made or not self.exact(steps)):
                operation = "share of"
            argument = float(self.generator.integers(1, 4)) if operation == "moving average" else None
            made.append(Step(operation, None if operation == "share" else at, argument))
            count += 1
        steps += made
        return count - before

    def of_rows(self) -> list[Step]:
        """Rows in an order, the first of them, and what is put out or computed of these."""
        steps = self.rows()
        by = self.one([*NUMBERS, *TIMES])
        number = float(self.one([1, 2, 3, 7, 10**9]))
        chance = self.generator.random()
        if chance < 0.3:
            steps += [
                Step(self.one(["ascending", "descending"]), self.one(NAMES))
                for _ in range(self.generator.integers(1, 3))
            ]
        elif chance < 0.6:
            steps.append(Step(self.one(["top", "bottom"]), by, number))
        elif chance < 0.75:
            steps.append(Step(self.one(["place from the top", "place from the bottom"]), by, number))
            return [*steps, self.one([Step("count"), Step("sum", AMOUNT), Step("show", SHOP)])]
        if self.happens(0.3) and steps and steps[-1].operation not in ("ascending", "descending"):
            return [
                *steps,
                self.one([Step("sum", AMOUNT), Step("average", PRICE), Step("count"), Step("distinct", SHOP)]),
            ]
        steps += [
            Step("show", self.one([*NAMES, PartOf(DAY, self.one(UNITS))])) for _ in range(self.generator.integers(1, 4))
        ]
        return [*steps, Step("once")] if self.happens(0.4) else steps

    def scalar(self) -> list[Step]:
        return [*self.rows(), self.one([
            Step("count"), Step("sum", AMOUNT), Step("average", PRICE), Step("median", AMOUNT), Step("range", PRICE),
            Step("deviation", PIECES), Step("maximum", AMOUNT), Step("distinct", SHOP),
            Step("number", None, self.amount()),
        ])]  # fmt: skip

    def of_numbers(self) -> list[Step]:
        """A number, or one made of two; a truth; rows compared with a number."""
        chance = self.generator.random()
        if chance < 0.12:
            return [*self.rows(), self.condition(), Step(self.one(["share", "whether all"]))]
        if chance < 0.2:
            first, second = self.condition(), self.condition()
            return [first, second, Step("and"), self.one([Step("share"), Step("share of", self.one(NUMBERS))])]
        if chance < 0.3:
            return self.scalar()
        if chance < 0.5:
            column = self.one(NUMBERS)
            steps = [
                *self.rows(),
                Step("average", column),
                Step("reset"),
                Step(self.one(["more than it", "less than it", "same as it"]), column),
            ]
            return [*steps, self.one([Step("count"), Step("assign", SHOP), Step("whether"), Step("share")])]
        operations = ["sum of both", "minus", "ratio", "percent of", "growth", "is more", "is less", "is the same"]
        one, other = self.scalar(), self.scalar()
        return [*one, Step("reset"), *other, Step(self.one(operations))]

    def of_sets(self) -> list[Step]:
        """Rows that have cells of others, or none of them."""
        column = self.one([SHOP, KIND, OPEN, PIECES, DAY])
        steps = [self.condition(), Step(self.one(["among", "not among", "same"]), column)]
        if self.happens(0.4):
            steps = [self.condition(), *steps, Step(self.one(["and", "or"]))]
        return [
            *steps,
            *self.one([[Step("count")], [Step("show", SHOP), Step("once")], [Step("share")], [Step("whether")]]),
        ]

    def of_cells(self) -> list[Step]:
        """What is computed of two columns in each row."""
        one, other = self.one(NUMBERS), self.one(NUMBERS)
        take = [Step("take", one)]
        if self.happens(0.3):
            return [
                *take,
                Step(self.one(["exceeds", "equals"]), other),
                self.one([Step("count"), Step("assign", KIND)]),
            ]
        if self.happens(0.3):
            return [*self.rows(), *take, Step("correlation", other)]
        computed = [*take, Step(self.one(["plus", "less", "times", "divided by"]), other)]
        last = self.one(["sum", "average", "maximum", "minimum", "median"])
        if self.happens(0.3):
            return [*computed, Step("descending", Computed()), Step("show", SHOP), Step("show", Computed())]
        return [*self.rows(), *computed, Step(last, Computed())]


def wild(generator: np.random.Generator) -> Program:
    """Steps in any order, most of which make no sense together."""
    maker, names = Maker(generator), [name for name in BUILT_IN if name not in ORDER]
    steps = []
    for _ in range(generator.integers(1, 7)):
        operation = BUILT_IN[maker.one(names)]
        pointers: list[Pointer] = [*NAMES, maker.key(), MeasureAt(int(generator.integers(3))), Computed()]
        fitting = {"number": NUMBERS, "ordered": (*NUMBERS, *TIMES), "text": TEXTS}.get(operation.column, NAMES)
        column = None if operation.column == "none" else maker.one(fitting if maker.happens(0.7) else pointers)
        argument: Argument = None
        if operation.argument == "number":
            argument = maker.period() if column in TIMES else maker.one([-1.0, 0.0, 1.0, 1.5, 10.0**9, float("nan")])
        elif operation.argument == "text":
            argument = (str(maker.one(SHOPS)),) if maker.happens(0.9) else ("",)
        steps.append(Step(operation.name, column, argument))
    return Program(tuple(steps))


# What a database is given, and gives


def cells(table: Table) -> list[list]:
    """The rows as values of Python, None where they are missing."""
    columns = []
    for cells, kind in zip(table.columns, TYPES, strict=True):
        values = [None if cell in ("", "NaT") or cell != cell else cell for cell in plain(cells)]
        made: Callable[[Any], Any] = {
            "BOOLEAN": lambda cell: cell == "true",
            "BIGINT": int,
            "TIMESTAMP": lambda cell: str(cell).replace("T", " "),
        }.get(kind, lambda cell: cell)
        columns.append([None if value is None else made(value) for value in values])
    return [list(row) for row in zip(*columns, strict=True)]


def created(dialect: str, name: str = "t") -> str:
    """The statement that makes a table for these."""
    columns = [
        exp.ColumnDef(this=exp.to_identifier(column, quoted=True), kind=exp.DataType.build(kind))
        for column, kind in zip(NAMES, TYPES, strict=True)
    ]
    schema = exp.Schema(this=exp.to_table(name), expressions=columns)
    return exp.Create(this=schema, kind="TABLE").sql(dialect)


def fill(connection: Any, table: Table, dialect: str) -> None:
    """Make the table `t` anew in a database."""
    connection.execute("DROP TABLE IF EXISTS t")
    connection.execute(created(dialect))
    if rows := cells(table):
        places = ", ".join([f"({', '.join('?' * len(NAMES))})"] * len(rows))
        connection.execute(f"INSERT INTO t VALUES {places}", [cell for row in rows for cell in row])


def relation_of(program: Program, table: Table) -> Any:
    """The table that a program puts out, or nothing where it gives another answer."""
    node = list(expressions(program, table))[-1].node
    made = isinstance(node, RELATION_NODES) and program.operations[-1].updates != "lookup"
    return node if made and (isinstance(node, Select) or is_grouped(node)) else None


def difference(program: Program, table: Table, rows: Sequence[Sequence[Any]]) -> str:
    """How what a database gives differs from what the interpreter gives, or nothing if it does not."""
    answer = run(program, table).answer
    relation = relation_of(program, table)
    found = _result(program, relation, rows)
    said, wanted = found.value, answer.value
    if answer.kind == "lookup" and relation is None:
        wanted = [None if is_missing(cell) else cell for cell in answer.values]
    if answer.kind == "none" and not _is_nonsense(answer):
        return "" if list(rows) in ([(None,)], [[None]]) else f"{said} where there is none: {answer.reason}"
    if answer.kind == "truth":
        said = bool(said) if isinstance(said, int) else said
        return "" if said == wanted else f"{said}, not {wanted}"
    if answer.kind != found.kind:
        return f"a {found.kind}, not a {answer.kind}"
    if not is_right(said, wanted):
        return f"{said}, not {wanted}"
    if relation is not None:
        rounded = sorted(map(repr, said)) != sorted(map(repr, wanted))
        for part in _alike(relation, table, rounded):
            if not is_right(said[part], wanted[part]):
                return f"another order: {said}, not {wanted}"
    return ""


def _is_nonsense(answer: Answer) -> bool:
    return "makes no sense" in answer.reason


def _result(program: Program, relation: Any, rows: Sequence[Sequence[Any]]) -> Result:
    """What a database gives, as an answer: parts of times by their names, SQLite's 0 and 1 as the truths they are."""
    if relation is not None:
        values = origins(relation)
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(values)
        return put_out(relation, [_read(column, isinstance(value, Column) and value.name == OPEN)
                                  for column, value in zip(columns, values, strict=True)])  # fmt: skip
    updates = program.operations[-1].updates
    if updates == "lookup":
        return Result.cells(_read([row[0] for row in rows], program.steps[-1].column == OPEN))
    [[value]] = rows
    if updates == "truth":
        return Result.truth(value)
    return Result.none() if value is None else Result.number(float(value))


def _read(column: Sequence[Any], of_truths: bool) -> list[Any]:
    """Cells as the interpreter writes them."""
    return [None if cell is None else (str(bool(cell)).lower() if of_truths else _cell(cell)) for cell in column]


def _cell(cell: Any) -> Any:
    if isinstance(cell, datetime.datetime):
        return cell.isoformat()
    if isinstance(cell, datetime.date):
        return cell.isoformat()
    if isinstance(cell, str) and len(cell) == 19 and cell[10] == " " and cell[:4].isdigit():
        return cell.replace(" ", "T")
    return cell if isinstance(cell, str | bool) else float(cell)


def _alike(relation: Any, table: Table, rounded: bool) -> list[slice]:
    """Runs of rows of an answer that its order does not tell apart; none where it has no order. Where numbers were
    `rounded` otherwise, those that are close may come in any order."""
    at = Interpreter(Frame([table]))._relation(relation)
    rows = np.flatnonzero(at.there)
    if not at.order or (isinstance(relation, Select) and relation.distinct):
        return []
    orders = np.stack([np.broadcast_to(order, at.there.shape)[rows] for order in at.order])
    orders = orders[:, np.lexsort([-order for order in orders[::-1]])]
    after, before = orders[:, 1:], orders[:, :-1]
    exactly = after == before
    near = exactly | np.isclose(after, before, rtol=1e-9, atol=1e-9)  # but for how they were rounded: either is first
    deciding = np.argmin(exactly, axis=0)  # the first order that tells two rows apart
    together = exactly.all(axis=0) | near[deciding, np.arange(near.shape[1])] | (near[0] & rounded)
    starts = [0, *(np.flatnonzero(~together) + 1).tolist(), len(rows)]
    return [slice(first, last) for first, last in pairwise(starts) if first < last]


# The engines


class Engine:
    """A database in this process, and what it makes of programs; one table at a time is there."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.connection: Any = (
            duckdb.connect(config={"threads": 1}) if dialect == "duckdb" else sqlite3.connect(":memory:")
        )

    def fill(self, table: Table) -> None:
        fill(self.connection, table, self.dialect)

    def rows(self, program: Program) -> list[Any]:
        """What the query of a program gives, about the table that is there."""
        return self.connection.execute(written(program, self.dialect)).fetchall()

    def close(self) -> None:
        self.connection.close()


def written(program: Program, dialect: str, relation: str = "t") -> str:
    return sql.text(program, relation, dialect, frozenset({OPEN}), kinds=KINDS_OF)


LACKING = {"sqlite": ("median", "deviation", "correlation")}  # and says so


def is_refused(program: Program, table: Table) -> bool:
    """Whether a program cannot be asked of a table at all, so that no engine is asked."""
    steps = zip(program.steps, program.operations, strict=True)
    return any(misfit(step, operation, number, table) for number, (step, operation) in enumerate(steps, 1))


def has_query(program: Program, dialect: str) -> bool:
    """Whether there is a query for a program; else it is said why not."""
    try:
        written(program, dialect)
    except NeuralProgrammerError:
        return False
    return True

"""The interpreter: what expressions mean, in float64, for one set of rows or for many at once.

It is the oracle of data, tests and databases, and what candidate programs are tried with: where an expression has the
leaf `Given` with twelve thousand sets of rows, every node below it has as many, as arrays with one more axis.
"""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.programs.aggregates import AGGREGATES, Groups, Held
from neural_programmer.programs.expressions import (
    And,
    Applied,
    Arithmetic,
    Cell,
    Column,
    Compare,
    Constant,
    Everything,
    Exists,
    Filter,
    Given,
    Group,
    In,
    Limit,
    Measure,
    Measured,
    Missing,
    Not,
    Or,
    Relation,
    RowNumber,
    Scan,
    Select,
    Sort,
    Test,
    Value,
    Within,
    outputs,
)
from neural_programmer.tables.table import CellKind, Table, column_kind, is_date, missing

COMPARE = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
ARITHMETIC = {"+": lambda a, b: a + b, "-": lambda a, b: a - b}


def within(cells: Any, low: Any, high: Any, outside: bool) -> Any:
    """Whether cells lie between two others, or outside."""
    return (cells < low) | (cells > high) if outside else (cells >= low) & (cells <= high)


class TooManyCalls(Exception):
    """More calls of somebody's own operations than are allowed."""


class Frame:
    """Tables with the same columns as one, whose rows know their table: what expressions are evaluated on.

    What is computed of a column is kept, and so is what operations of one's own gave, of which there may be `calls`.
    """

    def __init__(self, tables: Sequence[Table], calls: int | None = None) -> None:
        self.names, self.calls, self.first = tables[0].names, calls, tables[0]
        every = zip(*(table.columns for table in tables), strict=True)
        self.columns = [parts[0] if len(tables) == 1 else np.concatenate(parts) for parts in every]
        lengths = [table.rows for table in tables]
        self.lengths, self.rows = np.array(lengths), sum(lengths)
        self.tables = Groups(np.repeat(np.arange(len(tables)), self.lengths), len(tables))
        self.slices = [slice(end - length, end) for end, length in zip(accumulate(lengths), lengths, strict=True)]
        self.kinds: list[CellKind] = [column_kind(column) for column in self.columns]
        self._places = {name: place for place, name in enumerate(self.names)}
        self.applied: dict[tuple[Any, ...], Any] = {}
        self.all = Rows(np.ones(self.rows, bool), self.tables)
        self.each = np.ones(len(tables), bool), Groups(np.arange(len(tables)), len(tables))  # the tables, as a row each
        self._kept: dict[tuple[str, str], Any] = {}

    def column(self, name: str) -> Column:
        """The expression of a column."""
        return Column(name, self.kinds[self._places[name]])

    def cells(self, name: str) -> np.ndarray:
        return self.columns[self._places[name]]

    def missing(self, name: str) -> Bool[np.ndarray, "rows"]:
        return self._keep("missing", name, lambda: missing(self.cells(name)))

    def present(self, name: str) -> Bool[np.ndarray, "rows"]:
        return self._keep("present", name, lambda: ~self.missing(name))

    def codes(self, name: str) -> tuple[Groups, Int[np.ndarray, "groups"]]:
        """Which rows of each table have the same cell, and a row of each such group."""
        return self._keep("codes", name, lambda: alike([self.cells(name)], self.tables))

    def numbers(self) -> Float[np.ndarray, "rows"]:
        """The place of each row in its table."""
        starts = np.repeat(np.cumsum(self.lengths) - self.lengths, self.lengths)
        return self._keep("numbers", "", lambda: (np.arange(self.rows) - starts).astype(float))

    def _keep(self, what: str, name: str, make: Any) -> Any:
        if (what, name) not in self._kept:
            self._kept[what, name] = make()
        return self._kept[what, name]


def as_numbers(cells: np.ndarray) -> Float[np.ndarray, "*cells"]:
    """Numbers or dates as numbers that can be put in order."""
    return np.where(np.isnat(cells), np.nan, cells.view(np.int64).astype(float)) if is_date(cells) else cells


def alike(columns: Sequence[np.ndarray], groups: Groups) -> tuple[Groups, Int[np.ndarray, "groups"]]:
    """Number the rows that are alike in some columns and stand in the same group; a row of each."""
    number, first = groups.of, np.zeros(0, int)
    for column in columns:
        cells = column.view(np.int64) if is_date(column) else column
        _, code = np.unique(cells, return_inverse=True)
        both = number * (int(code.max(initial=0)) + 1) + code
        _, first, number = np.unique(both, return_index=True, return_inverse=True)
    return Groups(number, len(first)), first


class Rows(NamedTuple):
    """What a relation is: which of its rows there are in every set, and the table of each.

    Rows that are groups have keys and measures; rows that are sorted have an order, the first highest.
    """

    there: Bool[np.ndarray, "*sets rows"]
    tables: Groups
    group: Group | None = None
    keys: Sequence[np.ndarray] = ()
    measures: Sequence[np.ndarray] = ()
    order: Float[np.ndarray, "*sets rows"] | None = None


class Interpreter:
    """Evaluates expressions on a frame, with the rows that `Given` stands for; what was evaluated is kept."""

    def __init__(self, frame: Frame, given: Bool[np.ndarray, "*sets rows"] | None = None) -> None:
        self.frame, self.given = frame, given
        self._done: dict[int, tuple[Any, Any]] = {}  # by the nodes themselves: comparing trees takes long

    def rows(self, test: Test) -> Bool[np.ndarray, "*sets rows"]:
        """For which rows of the tables a test holds."""
        return self._of_rows(self._test(test, self.frame.all), self.frame.all)

    @staticmethod
    def _of_rows(holds: Any, at: Rows) -> Bool[np.ndarray, "*sets rows"]:
        """A truth for each row, also of a test that reads none of its cells."""
        rows = at.there.shape[-1]
        return holds if np.shape(holds)[-1:] == (rows,) else np.broadcast_to(holds, (*np.shape(holds)[:-1], rows))

    def number(self, value: Value) -> Float[np.ndarray, "*sets tables"]:
        """A number for each table."""
        known = self._done.get(id(value))
        if known is None:
            known = self._done[id(value)] = value, np.asarray(self._number(value))
        return known[1]

    def measures(self, group: Group) -> Sequence[Float[np.ndarray, "*sets tables"]]:
        """The measures of a group without keys, for each table."""
        return self._relation(group).measures

    def exists(self, test: Exists) -> Bool[np.ndarray, "*sets tables"]:
        """Whether a relation has a row, for each table."""
        found = self._relation(test.relation)
        return found.tables.some(found.there)

    def selected(self, relation: Relation) -> Bool[np.ndarray, "*sets rows"]:
        """The rows of the tables that a relation has."""
        return self._relation(relation).there

    def _number(self, value: Value) -> Any:
        if isinstance(value, Cell):
            return self._cell(value.relation)
        if isinstance(value, Constant):
            return np.full(self.frame.tables.count, value.value)
        if isinstance(value, Arithmetic):
            return ARITHMETIC[value.operator](self.number(value.left), self.number(value.right))
        assert isinstance(value, Applied), "a number is one for each table"
        return self._applied(value)

    def _cell(self, relation: Relation) -> Any:
        """The one cell of a relation, for each table."""
        found = self._relation(relation)
        if isinstance(relation, Group) and not relation.keys:
            return found.measures[0]
        [output] = outputs(relation)
        cells = found.measures[0] if isinstance(output, Measure) else self._value(output, found)
        return Held(cells, found.there & ~missing(cells), found.tables).largest()  # of the one row that is there

    def _value(self, value: Value, at: Rows) -> Any:
        """The cells of a value in the rows of a relation."""
        if at.group is not None and value in at.group.keys:
            return at.keys[at.group.keys.index(value)]
        return VALUES[type(value)](self, value, at)

    def _column(self, value: Column, at: Rows) -> Any:
        assert at.group is None, "a group has the cells of its keys alone"
        return self.frame.cells(value.name)

    def _spread(self, value: Cell | Applied, at: Rows) -> Any:
        return at.tables.spread(self.number(value))

    def _arithmetic(self, value: Arithmetic, at: Rows) -> Any:
        return ARITHMETIC[value.operator](self._value(value.left, at), self._value(value.right, at))

    def _missing(self, value: Value, at: Rows) -> Bool[np.ndarray, "*sets rows"]:
        if isinstance(value, Column) and at.group is None:
            return self.frame.missing(value.name)
        return missing(np.asarray(self._value(value, at)))

    def _test(self, test: Test, at: Rows) -> Any:
        """For which rows of a relation a test holds."""
        known = self._done.get(id(test)) if at.group is None else None
        if known is None:
            known = test, TESTS[type(test)](self, test, at)
            if at.group is None:
                self._done[id(test)] = known
        return known[1]

    def _given(self, test: Given, at: Rows) -> Any:
        assert self.given is not None, "the rows are given with the expression"
        return self.given

    def _everything(self, test: Everything, at: Rows) -> Any:
        return np.ones(at.there.shape[-1], bool)

    def _and(self, test: And, at: Rows) -> Any:
        return self._test(test.left, at) & self._test(test.right, at)

    def _or(self, test: Or, at: Rows) -> Any:
        return self._test(test.left, at) | self._test(test.right, at)

    def _not(self, test: Not, at: Rows) -> Any:
        return ~self._test(test.test, at)

    def _is_missing(self, test: Missing, at: Rows) -> Any:
        return self._missing(test.value, at)

    def _exists(self, test: Exists, at: Rows) -> Any:
        return at.tables.spread(self.exists(test))

    def _within(self, test: Within, at: Rows) -> Any:
        cells, low, high = (self._value(one, at) for one in (test.value, test.low, test.high))
        return within(cells, low, high, test.outside)

    def _compare(self, test: Compare, at: Rows) -> Any:
        holds = COMPARE[test.operator](self._value(test.left, at), self._value(test.right, at))
        if test.operator == "<>" or test.left.kind == "text":  # else what is missing compares as false by itself
            holds = holds & ~self._missing(test.left, at) & ~self._missing(test.right, at)
        return holds

    def _among(self, test: In, at: Rows) -> Any:
        """Whether a cell is among others: of a relation, by the groups of rows that are alike in it."""
        there = ~self._missing(test.value, at)
        if isinstance(test.among, tuple):
            cells, texts = np.asarray(self._value(test.value, at)), [constant.value for constant in test.among]
            if len(texts) == 1:
                found = cells == texts[0]
            else:
                found = np.isin(cells, texts) if texts else np.zeros(cells.shape, bool)
        else:
            some, [output] = self._relation(test.among), outputs(test.among)
            if some.group is None and isinstance(output, Column):
                some = self._grouped(some, Group(test.among, (output,), ()))
            assert some.group is not None, "the cells of rows, or of groups"
            if at.group is None and output == test.value and some.group.keys == (output,):
                found = some.there[..., self.frame.codes(output.name)[0].of]
            else:
                assert some.there.ndim == at.there.ndim == self.frame.tables.count == 1, "cells of one set of rows"
                found = np.isin(self._value(test.value, at), self._value(output, some)[some.there])
        return (~found if test.other else found) & there

    def _relation(self, relation: Relation) -> Rows:
        known = self._done.get(id(relation))
        if known is None:
            known = self._done[id(relation)] = relation, RELATIONS[type(relation)](self, relation)
        return known[1]

    def _scan(self, relation: Scan) -> Rows:
        return self.frame.all

    def _filter(self, relation: Filter) -> Rows:
        some = self._relation(relation.relation)
        holds = self._of_rows(self._test(relation.test, some), some)
        return Rows(holds, some.tables) if some is self.frame.all else some._replace(there=some.there & holds)

    def _group(self, relation: Group) -> Rows:
        return self._grouped(self._relation(relation.relation), relation)

    def _sort(self, relation: Sort) -> Rows:
        some = self._relation(relation.relation)
        order = as_numbers(self._value(relation.by, some)) * (1 if relation.descending else -1)
        return some._replace(order=np.where(np.isnan(order), -np.inf, order))

    def _limit(self, relation: Limit) -> Rows:
        some = self._relation(relation.relation)
        return some._replace(there=self._first(some, relation.count))

    def _select(self, relation: Select) -> Rows:
        return self._relation(relation.relation)

    def _grouped(self, some: Rows, group: Group) -> Rows:
        """The rows that are alike in the keys as one; without keys, all of a table."""
        keys: Sequence[np.ndarray] = ()
        if not group.keys:
            groups, (there, tables) = some.tables, self.frame.each
        else:
            [key, *others] = group.keys
            if not others and isinstance(key, Column) and some.group is None:
                groups, first = self.frame.codes(key.name)
            else:
                groups, first = alike([self._value(each, some) for each in group.keys], some.tables)
            there = groups.some(some.there)
            tables = Groups(some.tables.of[first], some.tables.count)
            keys = [self._value(each, some)[first] for each in group.keys]
        held: dict[int, Held] = {}  # the measures of a value share what is made of it
        for measure in group.measures:
            if id(measure.value) not in held:
                held[id(measure.value)] = self._held(measure.value, some, groups)
        measures = [AGGREGATES[measure.aggregate](held[id(measure.value)]) for measure in group.measures]
        return Rows(there, tables, group, keys, measures)

    def _held(self, value: Value | None, some: Rows, groups: Groups) -> Held:
        """The cells of a value that aggregates of groups are made of; of none, whole rows."""
        if value is None:
            return Held(groups.of, some.there, groups)
        if isinstance(value, Column) and some.group is None:
            return Held(self.frame.cells(value.name), some.there & self.frame.present(value.name), groups)
        cells = self._value(value, some)
        return Held(cells, some.there & ~missing(np.asarray(cells)), groups)

    @staticmethod
    def _first(some: Rows, count: int) -> Any:
        """The first rows of every set by what it is sorted by, with those that are as good as the last of them."""
        assert some.order is not None, "what is first is said by an order"
        left, best = some.there, np.zeros(1)
        for _ in range(count):  # the next best value, until enough rows are as good
            order = np.where(left, some.order, -np.inf)
            best = some.tables.spread(some.tables.largest(order, -np.inf))
            enough = some.tables.summed((some.there & (some.order >= best)).astype(np.float32)) >= count
            if enough.all() or not left.any():
                break
            left = left & ((order < best) | some.tables.spread(enough))
        return some.there & (some.order >= best)

    def _applied(self, node: Applied) -> Any:
        """What an operation of one's own gives of every set of rows of every table: of the same ones once."""
        entry, cells = node.operation, self.frame.cells(node.column.name)
        rows, known = self._test(node.rows, self.frame.all), self.frame.applied
        sets = rows.reshape(math.prod(rows.shape[:-1]), rows.shape[-1])
        results = []
        for part in self.frame.slices:
            packed, first, which = np.unique(
                np.packbits(sets[:, part], axis=1), axis=0, return_index=True, return_inverse=True
            )
            keys = [(entry, node.column.name, part.start, part.stop, node.argument, each.tobytes()) for each in packed]
            new = {key: place for key, place in zip(keys, first.tolist(), strict=True) if key not in known}
            if self.frame.calls is not None and len(known) + len(new) > self.frame.calls:
                raise TooManyCalls
            for key, place in new.items():
                known[key] = entry.own.apply(cells[part], sets[place, part], node.argument)
            results.append(np.stack([known[key] for key in keys])[which.ravel()])
        if entry.updates == "scalar":
            return np.stack(results, axis=1).reshape(*rows.shape[:-1], len(results))
        return np.concatenate(results, axis=1).reshape(rows.shape)


VALUES: dict[type, Callable[[Interpreter, Any, Rows], Any]] = {
    Column: Interpreter._column,
    Cell: Interpreter._spread,
    Applied: Interpreter._spread,
    Arithmetic: Interpreter._arithmetic,
    Constant: lambda interpreter, value, at: value.value,
    RowNumber: lambda interpreter, value, at: interpreter.frame.numbers(),
    Measured: lambda interpreter, value, at: at.measures[value.place],
}
TESTS: dict[type, Callable[[Interpreter, Any, Rows], Any]] = {
    Everything: Interpreter._everything,
    Given: Interpreter._given,
    And: Interpreter._and,
    Or: Interpreter._or,
    Not: Interpreter._not,
    Missing: Interpreter._is_missing,
    Exists: Interpreter._exists,
    Within: Interpreter._within,
    In: Interpreter._among,
    Compare: Interpreter._compare,
    Applied: lambda interpreter, test, at: interpreter._applied(test),
}
RELATIONS: dict[type, Callable[[Interpreter, Any], Rows]] = {
    Scan: Interpreter._scan,
    Filter: Interpreter._filter,
    Group: Interpreter._group,
    Sort: Interpreter._sort,
    Limit: Interpreter._limit,
    Select: Interpreter._select,
}

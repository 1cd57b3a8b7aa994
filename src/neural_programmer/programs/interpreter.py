"""The interpreter: it evaluates expressions with NumPy in float64, for one set of rows or for many sets at once.

Data, tests and databases are checked against it, and candidate programs are run by it. Where an expression has the leaf
`Given` with twelve thousand sets of rows, every node above that leaf is an array with one more axis of that length.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.programs import parts, windows
from neural_programmer.programs.aggregates import AGGREGATES, GroupedCells, Groups
from neural_programmer.programs.expressions import (
    And,
    Applied,
    Arithmetic,
    Band,
    Cell,
    Column,
    Compare,
    Constant,
    Derive,
    Everything,
    Exists,
    Filter,
    Given,
    Group,
    Holds,
    In,
    Like,
    Limit,
    Measure,
    Measured,
    Missing,
    Not,
    Or,
    Part,
    Relation,
    RowNumber,
    Scan,
    Select,
    Sort,
    Test,
    Value,
    Window,
    Within,
    outputs,
    step_of,
)
from neural_programmer.programs.frame import Frame, Rows, alike, as_numbers
from neural_programmer.tables.table import missing

COMPARE = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
ARITHMETIC = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: np.where(b == 0, np.nan, a / np.where(b == 0, 1.0, b)),
}


FEW_FIRST = 8  # rows that are first, which are found one after the other in many sets at once


def within(cells: Any, low: Any, high: Any, outside: bool) -> Any:
    """Return which cells lie from `low` to `high`, or, if `outside`, which do not."""
    return (cells < low) | (cells > high) if outside else (cells >= low) & (cells <= high)


class TooManyCalls(Exception):
    """Operations of one's own were called more often than is allowed."""


class Interpreter:
    """An evaluator of expressions on a frame. `given` are the sets of rows that `Given` stands for. What was evaluated
    is kept."""

    def __init__(self, frame: Frame, given: Bool[np.ndarray, "*sets rows"] | None = None) -> None:
        self.frame, self.given = frame, given
        self._of_each: dict[int, tuple[Any, Any]] = {}
        self._done: dict[int, tuple[Any, Any]] = {}  # by the nodes themselves: comparing trees takes long

    def rows(self, test: Test) -> Bool[np.ndarray, "*sets rows"]:
        """Return for which rows of the tables a test holds."""
        return self._of_rows(self._test(test, self.frame.all), self.frame.all)

    @staticmethod
    def _of_rows(holds: Any, at: Rows) -> Bool[np.ndarray, "*sets rows"]:
        """Return a truth for each row, also of a test that reads no cell."""
        rows = at.there.shape[-1]
        return holds if np.shape(holds)[-1:] == (rows,) else np.broadcast_to(holds, (*np.shape(holds)[:-1], rows))

    def number(self, value: Value) -> Float[np.ndarray, "*sets tables"]:
        """Return the number that a value is for each table."""
        known = self._done.get(id(value))
        if known is None:
            known = self._done[id(value)] = value, np.asarray(self._number(value))
        return known[1]

    def measures(self, group: Group) -> Sequence[Float[np.ndarray, "*sets tables"]]:
        """Return the measures of a group without keys, for each table."""
        return self._relation(group).measures

    def exists(self, test: Exists) -> Bool[np.ndarray, "*sets tables"]:
        """Return for each table whether a relation has a row."""
        found = self._relation(test.relation)
        return found.tables.some(found.there)

    def selected(self, relation: Relation) -> Bool[np.ndarray, "*sets rows"]:
        """Return which rows a relation has."""
        return self._relation(relation).there

    def truth(self, test: Test) -> bool | None:
        """Return whether a test about the only table holds. Return None where a number that it compares is missing."""
        if isinstance(test, Exists):
            return bool(self.exists(test)[0])
        if isinstance(test, Not):
            holds = self.truth(test.test)
            return None if holds is None else not holds
        assert isinstance(test, Compare), "a truth is whether there is a row, or how two numbers compare"
        one, other = (self.number(side)[..., 0] for side in (test.left, test.right))
        return None if missing(one) or missing(other) else bool(COMPARE[test.operator](one, other))

    def listed(self, relation: Relation) -> tuple[list[np.ndarray], Int[np.ndarray, "rows"]]:
        """Return the columns that a relation about the only table puts out, in its order, and for each row of them a
        row of the table."""
        at = self._relation(relation)
        rows = np.flatnonzero(at.there)
        if at.order:  # the first order counts most; rows that are alike stay in theirs
            rows = rows[np.lexsort([-order[rows] for order in reversed(at.order)])]
        columns = [np.asarray(self._of_rows(self._value(each, at), at))[rows] for each in self._put_out(relation, at)]
        if isinstance(relation, Select) and relation.distinct:
            codes = [np.unique(column, return_inverse=True)[1] for column in columns]
            _, once = np.unique(np.stack(codes, axis=1), axis=0, return_index=True)
            rows, columns = rows[once := np.sort(once)], [column[once] for column in columns]
        return columns, rows if at.group is None else np.zeros(len(rows), int) if at.first is None else at.first[rows]

    @staticmethod
    def _put_out(relation: Relation, at: Rows) -> Sequence[Value]:
        if isinstance(relation, Select):
            return relation.values
        assert at.group is not None, "rows are put out by a selection"
        return [*at.group.keys, *(Measured(place) for place in range(len(at.measures)))]

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
        """Return the one cell of a relation, for each table."""
        found = self._relation(relation)
        if isinstance(relation, Group) and not relation.keys:
            return found.measures[0]
        [output] = outputs(relation)
        cells = found.measures[0] if isinstance(output, Measure) else self._value(output, found)
        return GroupedCells(
            cells, found.there & ~missing(cells), found.tables
        ).largest()  # of the one row that is there

    def _value(self, value: Value, at: Rows) -> Any:
        """Return the cells of a value in the rows of a relation."""
        if at.group is not None and value in at.group.keys:
            return at.keys[at.group.keys.index(value)]
        return VALUES[type(value)](self, value, at)

    def _column(self, value: Column, at: Rows) -> Any:
        assert at.group is None, "a group has the cells of its keys alone"
        return self.frame.cells(value.name)

    def _spread(self, value: Cell | Applied, at: Rows) -> Any:
        return at.tables.spread(self.number(value))

    def _part(self, value: Part, at: Rows) -> Any:
        return parts.part(self._value(value.value, at), value.unit)

    def _band(self, value: Band, at: Rows) -> Any:
        return parts.band(self._value(value.value, at), value.width)

    def _holds(self, value: Holds, at: Rows) -> Any:
        return self._of_rows(self._test(value.test, at), at).astype(float)

    def _window(self, value: Window, at: Rows) -> Any:
        """Compute a window function in rows that have the same `within`. Totals are computed for all sets at once, the
        others set by set."""
        cells = self._of_rows(self._value(value.value, at), at)
        within = [self._value(each, at) for each in value.within]
        alike_rows = alike(within, at.tables)[0] if within else at.tables
        if value.order is None:
            return windows.total(cells, at.there, alike_rows, value.function)
        by = self._of_rows(self._value(value.order, at), at)
        order = as_numbers(by) * (1 if value.descending else -1)
        order = np.where(np.isnan(order), -np.inf, order)
        steps = parts.ordinal(by, value.order.unit if isinstance(value.order, Part) else "day")
        apart = step_of(value.order)
        steps = steps if apart == 1 else np.round(steps / apart)
        shape = np.broadcast_shapes(cells.shape, at.there.shape, order.shape)
        results = np.full(shape, np.nan)
        for place in np.ndindex(shape[:-1]):
            some, there, first, step = (np.broadcast_to(one, shape)[place] for one in (cells, at.there, order, steps))
            if value.function == "rank":
                results[place] = windows.rank(first, there, alike_rows.of)
            elif value.function == "previous":
                results[place] = windows.previous(some, step, there, alike_rows.of)
            else:
                results[place] = windows.running(some, first, there, alike_rows.of, value.function, value.rows)
        return results

    def _arithmetic(self, value: Arithmetic, at: Rows) -> Any:
        if at.group is not None:
            return self._computed(value, at)
        known = self._of_each.get(id(value))  # what several read of each row is computed once
        if known is None:
            known = self._of_each[id(value)] = value, self._computed(value, at)
        return known[1]

    def _computed(self, value: Arithmetic, at: Rows) -> Any:
        return ARITHMETIC[value.operator](self._value(value.left, at), self._value(value.right, at))

    def _missing(self, value: Value, at: Rows) -> Bool[np.ndarray, "*sets rows"]:
        if isinstance(value, Column) and at.group is None:
            return self.frame.missing(value.name)
        return missing(np.asarray(self._value(value, at)))

    def _test(self, test: Test, at: Rows) -> Any:
        """Return for which rows of a relation a test holds."""
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

    def _like(self, test: Like, at: Rows) -> Any:
        return parts.like(self._value(test.value, at), test.place, test.text) & ~self._missing(test.value, at)

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
        """Return whether a cell is among texts, or among the cells of a relation. Rows with the same cell share one
        answer."""
        there = ~self._missing(test.value, at)
        if isinstance(test.among, tuple):
            cells, texts = np.asarray(self._value(test.value, at)), [constant.value for constant in test.among]
            if len(texts) == 1:
                found = cells == texts[0]
            else:
                found = np.isin(cells, texts) if texts else np.zeros(cells.shape, bool)
        else:
            some, [output] = self._relation(test.among), outputs(test.among)
            if some.group is None:
                some = self._grouped(some, Group(test.among, (output,), ()))
            assert some.group is not None, "the cells of rows, or of groups"
            if at.group is None and output == test.value and some.group.keys == (output,):
                of_column = isinstance(output, Column)
                codes = self.frame.codes(output.name) if of_column else alike([self._value(output, at)], at.tables)
                found = some.there[..., codes[0].of]
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
        order = as_numbers(np.asarray(self._value(relation.by, some))) * (1 if relation.descending else -1)
        order = self._of_rows(np.where(np.isnan(order), -np.inf, order), some)
        return some._replace(order=(order, *some.order))

    def _limit(self, relation: Limit) -> Rows:
        some = self._relation(relation.relation)
        within = [self._value(each, some) for each in relation.within]
        groups = alike(within, some.tables)[0] if within else some.tables
        return some._replace(there=self._first(some, groups, relation.count))

    def _derive(self, relation: Derive) -> Rows:
        some = self._relation(relation.relation)
        made = self._of_rows(self._value(relation.value, some), some)
        return some._replace(measures=(*some.measures, made))

    def _select(self, relation: Select) -> Rows:
        return self._relation(relation.relation)

    def _grouped(self, some: Rows, group: Group) -> Rows:
        """Make one row of all rows with the same keys; without keys, of all rows of a table."""
        keys: Sequence[np.ndarray] = ()
        if not group.keys:
            groups, (there, tables), first = some.tables, self.frame.each, None
        else:
            [key, *others] = group.keys
            if not others and isinstance(key, Column) and some.group is None:
                groups, first = self.frame.codes(key.name)
            else:
                groups, first = alike([self._value(each, some) for each in group.keys], some.tables)
            there = groups.some(some.there)
            tables = Groups(some.tables.of[first], some.tables.count)
            keys = [self._value(each, some)[first] for each in group.keys]
        held: dict[tuple[int, ...], GroupedCells] = {}  # the measures of a value share what is made of it
        measures = []
        for measure in group.measures:
            of = id(measure.value), id(measure.where), id(measure.other)
            if of not in held:
                held[of] = self._held(measure, some, groups)
            measures.append(AGGREGATES[measure.aggregate](held[of]))
        rows = first if first is None or some.first is None else some.first[first]
        return Rows(there, tables, group, keys, measures, rows)

    def _held(self, measure: Measure, some: Rows, groups: Groups) -> GroupedCells:
        """Return the cells that a measure of groups is made of. A measure without a value counts rows."""
        value, there = measure.value, some.there
        if measure.where is not None:
            there = there & self._test(measure.where, some)
        if value is None:
            return GroupedCells(groups.of, there, groups)
        if isinstance(value, Column) and some.group is None and measure.other is None:
            return GroupedCells(self.frame.cells(value.name), there & self.frame.present(value.name), groups)
        cells = np.asarray(self._value(value, some))
        there = there & ~missing(cells)
        if measure.other is not None:
            other = np.asarray(self._value(measure.other, some))
            there, cells = there & ~missing(other), cells + 1j * np.where(missing(other), 0.0, other)
        return GroupedCells(cells, there, groups)

    @staticmethod
    def _first(some: Rows, groups: Groups, count: int) -> Any:
        """Return the first `count` rows of every group of every set, and those that tie with the last of them."""
        assert some.order, "what is first is said by an order"
        left, best, [by, *_] = some.there, np.zeros(1), some.order
        if left.ndim == 1 or count > FEW_FIRST:
            shape = np.broadcast_shapes(left.shape, by.shape)
            left, by, result = np.broadcast_to(left, shape), np.broadcast_to(by, shape), np.zeros(shape, bool)
            for place in np.ndindex(shape[:-1]):
                result[place] = windows.rank(by[place], left[place], groups.of) <= count
            return result
        for _ in range(count):  # the next best value, until enough rows are as good
            order = np.where(left, by, -np.inf)
            best = groups.spread(groups.largest(order, -np.inf))
            enough = groups.summed((some.there & (by >= best)).astype(np.float32)) >= count
            if enough.all() or not left.any():
                break
            left = left & ((order < best) | groups.spread(enough))
        return some.there & (by >= best)

    def _applied(self, node: Applied) -> Any:
        """Return what an operation of one's own gives for every set of rows of every table. It is called once for equal
        sets."""
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
    Part: Interpreter._part,
    Band: Interpreter._band,
    Holds: Interpreter._holds,
    Window: Interpreter._window,
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
    Like: Interpreter._like,
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
    Derive: Interpreter._derive,
    Sort: Interpreter._sort,
    Limit: Interpreter._limit,
    Select: Interpreter._select,
}

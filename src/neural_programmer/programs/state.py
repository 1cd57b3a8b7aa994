"""The state between the steps of a program: selected rows, numbers, and a table in the making."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from neural_programmer.programs.building import FIRST_OF_EACH, both, of_groups, rows_of_each
from neural_programmer.programs.expressions import (
    ORDERED,
    RELATION_NODES,
    And,
    Band,
    Cell,
    Column,
    Compare,
    Comparison,
    Constant,
    Everything,
    Filter,
    Group,
    In,
    Limit,
    Measure,
    Measured,
    Not,
    Part,
    Relation,
    Scan,
    Select,
    Sort,
    Test,
    Value,
    group_of,
    is_grouped,
    measures_of,
    nodes,
    nonsense,
)
from neural_programmer.programs.operation import Below, Operation
from neural_programmer.programs.pointers import Argument, BandOf, Computed, PartOf, Pointer, bounds
from neural_programmer.programs.table_builders import ENDS
from neural_programmer.tables.table import CellKind

ALL, NONE, ZERO = Everything(), Not(Everything()), Constant(0.0)


@dataclass(frozen=True)
class State:
    """What the steps so far left: the rows selected after the last steps, scalars, and a table in the making.

    row_select_0 = 1 (and so is row_select_{-1}), scalars before step 1 are 0. A step that gives an answer leaves no row
    selected: nothing adds to row_select (section 2.3); what is made of groups, or computed of each row, leaves them.
    """

    rows: tuple[Test, Test] = ALL, ALL  # of the step before the last, and of the last
    scalars: tuple[Value, ...] = (ZERO,) * 3
    numbers: tuple[Value, ...] = ()
    table: Relation | None = None
    where: Test | None = None
    cells: Value | None = None

    @property
    def measured(self) -> Relation | None:
        """Return the groups whose measures a step reads. Groups of groups read those that they are made of."""
        table = self.table
        fresh = isinstance(table, Group) and not table.measures and is_grouped(table.relation)
        return table.relation if isinstance(table, Group) and fresh else table

    def below(self, column: Value | None = None, argument: Argument = None) -> Below:
        """Return the input of an operation at the next step."""
        texts: tuple[Constant, ...] = ()
        low = high = None
        if isinstance(argument, tuple):
            texts = tuple(map(Constant, argument))
        else:
            least, most = bounds(argument)
            low = None if least is None else Constant(least)
            high = low if most is least else Constant(most)
        before, rows = self.rows
        return Below(
            column, low, high, texts, rows, before, self.scalars[-1], self.scalars[-3],
            self.table, self.where, self.cells, self.numbers,
        )  # fmt: skip

    def built(self, operation: Operation, below: Below) -> Any:
        """Return the expression of a step.

        A condition on a key or a measure of groups filters the groups, unless it finds rows by what the groups have.
        """
        if fault := self._drops(operation, below):
            raise nonsense(fault)
        node = operation.expression(below)
        if self.where is not None and isinstance(node, RELATION_NODES) and self.where not in nodes(node):
            raise nonsense("a condition on other columns than the keys restricts a measure, and none follows")
        if FIRST_OF_EACH in self.rows and any(each is FIRST_OF_EACH for each in nodes(node)):
            raise nonsense("the first of each are shown, grouped or measured, not joined with other rows")
        acts = self.table is not None and operation.updates == "rows" and of_groups(below)
        if self.table is not None and acts and not isinstance(node, RELATION_NODES) and not self._finds_rows(node):
            return Filter(self.table, node)
        numbers = operation.name not in ENDS or self.table is not None  # the first or last time of rows is an answer
        if operation.updates == "scalar" and not isinstance(node, RELATION_NODES) and node.kind != "number" and numbers:
            raise nonsense(f"the {operation.name} of times is no number")
        return node

    def _drops(self, operation: Operation, below: Below) -> str:
        """Return why a step would drop what the steps before it made, or nothing if it does not."""
        if self.table is None or operation.updates in ("cells", "nothing"):
            return ""
        if isinstance(self.table, Select):
            return "" if operation.name in ("show", "once", "among", "not among") else "what is shown comes last"
        if is_grouped(self.table):
            if operation.updates == "lookup" or operation.name == "reset":
                return f"{operation.name} drops the groups; show says what is put out of them"
            joins = operation.updates == "rows" and below.column is None
            return "conditions on a measure's rows are not joined" if joins and self.where is not None else ""
        in_order = any(isinstance(node, Sort) for node in nodes(self.table)) and not any(
            isinstance(node, Limit) for node in nodes(self.table)
        )
        drops = operation.updates in ("rows", "lookup") and in_order
        return "rows are put in order after they are selected" if drops else ""

    def _finds_rows(self, test: Any) -> bool:
        """Return whether a test selects rows by the keys of the groups."""
        groups = self.table.relation if isinstance(self.table, Select) else self.table
        among = (each.among for each in nodes(test) if isinstance(each, In))
        return any(isinstance(each, Select) and each.relation is groups for each in among)

    def after(self, operation: Operation, column: Value | None, node: Any) -> "State":
        """Return the state after a step."""
        scalars = (*self.scalars[-2:], ZERO)
        if operation.updates not in ("lookup", "truth", "nothing") and isinstance(node, RELATION_NODES):
            rows = self.rows
            if not is_grouped(node):
                rows = rows[0], rows_of(node) if rows_of_each(node) is None else FIRST_OF_EACH
            return replace(self, rows=rows, scalars=scalars, table=node, where=None)
        if operation.updates == "cells":
            return replace(self, scalars=scalars, cells=node)
        grouped = operation.updates == "rows" and self.table is not None and is_grouped(self.table)
        if grouped and column is not None and not self._finds_rows(node):
            return replace(self, scalars=scalars, where=node if self.where is None else And(self.where, node))
        numbers = self.numbers
        if operation.updates == "scalar":
            scalars, numbers = (*self.scalars[-2:], node), (*numbers, node)
        rows = self.rows[1], node if operation.updates == "rows" else NONE
        return State(rows, scalars, numbers)

    def value(self, pointer: Pointer, kind: CellKind) -> Value:
        """Return the value that a pointer stands for. `kind` is that of the column, if it is one."""
        if isinstance(pointer, str):
            return Column(pointer, kind)
        if isinstance(pointer, PartOf):
            return Part(Column(pointer.column, kind), pointer.unit)
        if isinstance(pointer, BandOf):
            return Band(Column(pointer.column, kind), pointer.width)
        if isinstance(pointer, Computed):
            if self.cells is None:
                raise nonsense("nothing was computed of each row")
            return self.cells
        table = self.measured
        measures = measures_of(table) if table is not None and is_grouped(table) else []
        if pointer.place >= len(measures):
            raise nonsense(f"there is no {pointer}")
        return Measured(pointer.place, measures[pointer.place].kind)


def below(
    column: Value | None = None,
    argument: Argument = None,
    rows: Test = ALL,
    rows_before: Test = ALL,
    scalar: Value = ZERO,
    scalar_before: Value = ZERO,
) -> Below:
    """Return the input of an operation. What is not given is as at the first step."""
    return State((rows_before, rows), (scalar_before, ZERO, scalar)).below(column, argument)


def rows_of(relation: Relation) -> Test:
    """Return the test that selects the rows of the table which a relation has. A limit becomes a comparison with its
    last row."""
    if isinstance(relation, Filter):
        return both(rows_of(relation.relation), relation.test)
    if isinstance(relation, Limit) and not relation.within:
        by, there = relation.relation.by, rows_of(relation.relation)
        operator: Comparison = ">=" if relation.relation.descending else "<="
        name = "minimum" if relation.relation.descending else "maximum"
        return both(there, Compare(operator, by, Cell(Group(relation, (), (Measure(name, by),)))))
    return ALL if isinstance(relation, Scan) else rows_of(relation.relation)


def arranged(relation: Relation) -> Relation:
    """Return a table in the order that people expect, where none was asked for.

    Groups by times or numbers are put in order by these. Other groups are put in order by their first measure, the
    greatest first, and those that tie by their keys.
    """
    if not is_grouped(relation):
        return relation
    group, ordered = group_of(relation), any(isinstance(node, Sort) for node in chain(relation))
    base: Relation = group
    for key in reversed(group.keys):
        base = Sort(base, key)
    in_order = bool(group.keys) and group.keys[0].kind in ORDERED
    arranged = _on(relation, group, base)
    measures = measures_of(relation)
    if ordered or in_order or not (group.keys and measures):
        return arranged
    by = Measured(0, measures[0].kind)
    if isinstance(arranged, Select):
        return replace(arranged, relation=Sort(arranged.relation, by, descending=True))
    return Sort(arranged, by, descending=True)


def chain(relation: Relation) -> Iterator[Relation]:
    """Yield a relation of groups and those that it is made of, down to the groups."""
    while not isinstance(relation, Group):
        yield relation
        relation = relation.relation  # type: ignore[union-attr]
    yield relation


def _on(relation: Relation, group: Group, base: Relation) -> Relation:
    """Return a relation of groups with `base` in the place of `group`."""
    if relation is group:
        return base
    return replace(relation, relation=_on(relation.relation, group, base))  # type: ignore[union-attr]

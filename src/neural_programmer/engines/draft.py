"""Queries in the making: the parts of a SELECT before it is known what it selects, and the pieces of SQL that it is put
together from."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlglot import exp

from neural_programmer.programs.expressions import Measured, Value

GROUPS = "groups"  # the name of groups as a table


@dataclass(frozen=True)
class Draft:
    """What a query is made of before it is said what is selected: of rows, or of groups with their keys and measures.

    Keys and measures are written as they stand in this query: `by` are the keys that its rows are grouped by here,
    where they are not columns of a table of groups already.
    """

    source: Any
    where: Any
    order: tuple[tuple[Value, bool], ...] = ()
    grouped: bool = False
    keys: tuple[tuple[Value, Any], ...] = ()
    by: tuple[Any, ...] = ()
    measures: tuple[Any, ...] = ()
    having: Any = field(default_factory=exp.true)

    @property
    def is_of_others(self) -> bool:
        """Whether a measure is made of those of other groups, so that what filters these must come after it."""
        return any(measure.find(exp.Window) for measure in self.measures)

    def known(self, value: Value) -> Any:
        """How a key or a measure is written, if the value is one."""
        if isinstance(value, Measured):
            return self.measures[value.place] if value.place < len(self.measures) else None
        return next((written for key, written in self.keys if key == value), None)

    def select(self, values: list[Any], orders: list[tuple[Any, bool]], dialect: str) -> exp.Select:
        """The query of some values, in an order."""
        where, having = self.where, self.having
        if not self.grouped:
            where, having = conjunction(where, having), exp.true()
        query = _select(values, self.source.copy(), where)
        if self.by:
            query = query.group_by(*(key.copy() for key in self.by), copy=False)
        having = simplified(having)
        if having != exp.true():
            query = query.having(having, copy=False)
        return query.order_by(*missing_last(orders, dialect), copy=False) if orders else query


def select_once(draft: Draft, values: list[Any], orders: list[tuple[Any, bool]], dialect: str) -> exp.Select:
    """The query of values that come once, in the order in which they come first."""
    if not orders:
        return draft.select(values, [], dialect).distinct()
    first = [(function("MAX" if descending else "MIN", by), descending) for by, descending in orders]
    if draft.by:
        inner = [exp.alias_(value, f"v{place}") for place, value in enumerate(values)]
        inner += [exp.alias_(by, f"o{place}") for place, (by, _) in enumerate(orders)]
        source = draft.select(inner, [], dialect).subquery(GROUPS)
        first = [
            (function("MAX" if descending else "MIN", exp.column(f"o{place}")), descending)
            for place, (_, descending) in enumerate(orders)
        ]
        draft, values = Draft(source, exp.true()), [exp.column(f"v{place}") for place in range(len(values))]
    return (
        draft.select(values, [], dialect)
        .group_by(*(value.copy() for value in values))
        .order_by(*missing_last(first, dialect))
    )


def missing_last(orders: list[tuple[Any, bool]], dialect: str) -> list[Any]:
    """An order in which what is missing comes last."""
    if dialect != "sqlite":
        return [exp.Ordered(this=by, desc=descending, nulls_first=False) for by, descending in orders]
    ordered = []  # what is missing in a condition of its own, as windows know no other way there
    for by, descending in orders:
        ordered.append(exp.Ordered(this=exp.paren(by.copy()).is_(exp.null()), desc=False, nulls_first=True))
        ordered.append(exp.Ordered(this=by, desc=descending, nulls_first=not descending))
    return ordered


def under_names(values: list[Any], names: Collection[str]) -> list[Any]:
    """Values under names; a column that has its name already stays as it is."""
    return [
        one if isinstance(one, exp.Column) and one.name == name else exp.alias_(one, name, quoted=True)
        for one, name in zip(values, names, strict=True)
    ]


def conjunction(one: Any, other: Any) -> Any:
    if one == exp.true():
        return other
    return one if other == exp.true() else bracketed(one).and_(bracketed(other))


def function(name: str, expression: Any) -> Any:
    """An aggregate, perhaps of what is DISTINCT; the sum of nothing is 0, of others nothing there is none."""
    name, _, distinct = name.partition(" ")
    cells = exp.Star() if expression is None else expression.copy()
    made = exp.func(name, exp.Distinct(expressions=[cells]) if distinct else cells)
    return exp.Coalesce(this=made, expressions=[exp.Literal.number(0)]) if name == "SUM" else made


def select(*expressions: Any, relation: str, where: Any) -> exp.Select:
    """SELECT expressions FROM relation WHERE the condition, if it is one."""
    return _select(expressions, exp.Table(this=exp.to_identifier(relation, quoted=True)), where)


def _select(expressions: Any, source: Any, where: Any) -> exp.Select:
    selected = exp.select(*expressions, copy=False).from_(source, copy=False)
    where = simplified(where)
    return selected if where == exp.true() else selected.where(where, copy=False)


def simplified(where: Any) -> Any:
    """A condition without the constants that steps such as `reset` leave in it, and without needless brackets."""
    where = where.copy()
    if any(map(_is_condition, where.find_all(exp.Boolean))):
        from sqlglot.optimizer.simplify import simplify

        return simplify(where)
    for closed in list(where.find_all(exp.Paren)):
        if isinstance(closed.parent, exp.Connector) and isinstance(closed.this, type(closed.parent) | exp.Not):
            closed.replace(closed.this)
    return where.unnest()


def _is_condition(truth: exp.Boolean) -> bool:
    """Whether a truth stands for rows, rather than for what a cell is compared with."""
    return not isinstance(truth.parent, exp.Predicate | exp.In) or truth.arg_key == "this"


def bracketed(value: Any) -> Any:
    """In brackets, where what is put together with it could otherwise take it apart."""
    return exp.paren(value) if isinstance(value, exp.Sub | exp.Not) else value


def literal(value: Any) -> Any:
    """A number, a moment or texts, as they stand in a query."""
    if isinstance(value, np.datetime64):
        day, time = str(value.astype("M8[us]")).split("T")
        whole = time == "00:00:00.000000"
        return exp.cast(exp.Literal.string(day if whole else f"{day} {time}"), "DATE" if whole else "TIMESTAMP")
    if isinstance(value, str):
        return exp.Literal.string(value)
    if isinstance(value, tuple):
        return [exp.Literal.string(text) for text in value] or [exp.null()]
    if value is None:
        return None
    number = float(value)
    return exp.Literal.number(repr(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number))

"""Drafts of queries: the parts of a SELECT before it is known what it selects, and helpers that write pieces of SQL."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlglot import exp

from neural_programmer.programs.expressions import Measured, Value

GROUPS = "groups"  # the name of groups as a table


@dataclass(frozen=True)
class Draft:
    """The parts of a query before it is known what it selects: of rows, or of groups with their keys and measures.

    Keys and measures are written as this query reads them. `by` are the keys that the query groups its rows by; it is
    empty where groups are a table already.
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
        """Return whether a measure is computed from other groups. What filters groups must then come after it."""
        return any(measure.find(exp.Window) for measure in self.measures)

    def known(self, value: Value) -> Any:
        """Return how a key or a measure is written in this query, or None if the value is neither."""
        if isinstance(value, Measured):
            return self.measures[value.place] if value.place < len(self.measures) else None
        return next((written for key, written in self.keys if key == value), None)

    def select(self, values: list[Any], orders: list[tuple[Any, bool]], dialect: str) -> exp.Select:
        """Return the query of some values, in an order."""
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
    """Return the query of distinct values, in the order in which each comes first."""
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
    """Return an order in which missing values come last."""
    if dialect != "sqlite":
        return [exp.Ordered(this=by, desc=descending, nulls_first=False) for by, descending in orders]
    ordered = []  # what is missing in a condition of its own, as windows know no other way there
    for by, descending in orders:
        ordered.append(exp.Ordered(this=exp.paren(by.copy()).is_(exp.null()), desc=False, nulls_first=True))
        ordered.append(exp.Ordered(this=by, desc=descending, nulls_first=not descending))
    return ordered


def under_names(values: list[Any], names: Collection[str]) -> list[Any]:
    """Return values under names. A column that has its name already stays as it is."""
    return [
        one if isinstance(one, exp.Column) and one.name == name else exp.alias_(one, name, quoted=True)
        for one, name in zip(values, names, strict=True)
    ]


def conjunction(one: Any, other: Any) -> Any:
    """Return the condition that two conditions hold."""
    if one == exp.true():
        return other
    return one if other == exp.true() else bracketed(one).and_(bracketed(other))


def function(name: str, expression: Any) -> Any:
    """Return an aggregate. The sum of no cells is 0; other aggregates of no cells are missing."""
    name, _, distinct = name.partition(" ")
    cells = exp.Star() if expression is None else expression.copy()
    made = exp.func(name, exp.Distinct(expressions=[cells]) if distinct else cells)
    return exp.Coalesce(this=made, expressions=[exp.Literal.number(0)]) if name == "SUM" else made


def select(*expressions: Any, relation: str, where: Any) -> exp.Select:
    """Return SELECT expressions FROM relation WHERE condition. A condition that always holds is left out."""
    return _select(expressions, exp.Table(this=exp.to_identifier(relation, quoted=True)), where)


def _select(expressions: Any, source: Any, where: Any) -> exp.Select:
    selected = exp.select(*expressions, copy=False).from_(source, copy=False)
    where = simplified(where)
    return selected if where == exp.true() else selected.where(where, copy=False)


def simplified(where: Any) -> Any:
    """Return a condition without the constants that steps such as `reset` leave, and without needless brackets."""
    where = where.copy()
    if any(map(_is_condition, where.find_all(exp.Boolean))):
        from sqlglot.optimizer.simplify import simplify

        return simplify(where)
    for closed in list(where.find_all(exp.Paren)):
        if isinstance(closed.parent, exp.Connector) and isinstance(closed.this, type(closed.parent) | exp.Not):
            closed.replace(closed.this)
    return where.unnest()


def _is_condition(truth: exp.Boolean) -> bool:
    """Return whether a truth selects rows, rather than being compared with a cell."""
    return not isinstance(truth.parent, exp.Predicate | exp.In) or truth.arg_key == "this"


def bracketed(value: Any) -> Any:
    """Return a difference or a negation in brackets, so that what surrounds it keeps it whole; others as they are."""
    return exp.paren(value) if isinstance(value, exp.Sub | exp.Not) else value


def literal(value: Any) -> Any:
    """Return a number, a moment or texts as a query writes them."""
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

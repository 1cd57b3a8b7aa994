"""An expression as one plain sentence: what was computed, made of the expression of the last step alone."""

from collections.abc import Sequence
from typing import Any

from neural_programmer.programs.expressions import (
    RELATION_NODES,
    Arithmetic,
    Cell,
    Compare,
    Constant,
    Everything,
    Exists,
    Filter,
    Group,
    Limit,
    Measured,
    Missing,
    Not,
    Relation,
    Scan,
    Select,
    Sort,
    Test,
    Value,
    group_of,
    is_grouped,
    is_value,
    measures_of,
    size,
)
from neural_programmer.programs.put_out import COMPARED, UNSAID, called, condition, names_of, values_of
from neural_programmer.programs.state import chain, rows_of

MOST_SAID = 300  # parts of an expression that is said, what is shared counted again
VERBS = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}


def sentence(node: Any, rows: int | None = None, out_of: int | None = None) -> str:
    """Return what an expression computes: a table of so many `rows`, `out_of` so many rows of the table.

    Nothing is said where a condition depends on the order of the rows, or on other rows, nor of very many parts.

    >>> from neural_programmer.programs.expressions import Column, Measure
    >>> rent, district = Column("rent", "number"), Column("district", "text")
    >>> group = Group(Scan(), (district,), (Measure("average", rent),))
    >>> sentence(Sort(group, Measured(0), descending=True), 12, 3400)
    'average of rent for each district, highest first; 12 groups from 3,400 rows'
    """
    if size(node) > MOST_SAID:
        return ""
    if isinstance(node, RELATION_NODES):
        said = _of_groups(node) if is_grouped(node) else _of_rows(node)
        said += _counted(node, rows, out_of)
    elif is_value(node):
        said = _of_value(node)
    else:
        said = _of_truth(node)
    return "" if UNSAID in said else said


def _counted(relation: Relation, rows: int | None, out_of: int | None) -> str:
    """Return how many rows or groups there are, of how many rows."""
    if rows is None or out_of is None:
        return ""
    if is_grouped(relation):
        return f"; {rows:,} group{'s' * (rows != 1)} from {out_of:,} row{'s' * (out_of != 1)}"
    return f"; {rows:,} of {out_of:,} row{'s' * (out_of != 1)}"


def _of_groups(relation: Relation) -> str:
    """Return what is computed of groups."""
    group = group_of(relation)
    names = dict(zip(map(_key, values_of(_unselected(relation))), names_of(_unselected(relation)), strict=True))
    measures = [names[_key(Measured(place, one.kind))] for place, one in enumerate(measures_of(relation))]
    keys = [names[_key(key)] for key in group.keys]
    what = joined(measures) or "each once"
    said = f"{what} for each {joined(keys)}" if keys and measures else joined(keys) if keys else what
    if isinstance(relation, Select):
        said = f"{joined(names_of(relation))} by {said}" if measures else said
    inner = group.relation
    if is_grouped(inner):
        return f"{said}, of the {_of_groups(inner)}{_ordered(relation)}"
    return f"{said}{_where(rows_of(inner))}{_ordered(relation)}"


def _key(value: Value) -> Any:
    return ("measure", value.place) if isinstance(value, Measured) else value


def _unselected(relation: Relation) -> Relation:
    """Return a relation before some of its columns are selected."""
    return relation.relation if isinstance(relation, Select) else relation


def _of_rows(relation: Relation) -> str:
    """Return what is shown of rows."""
    once = ", each once" if isinstance(relation, Select) and relation.distinct else ""
    return f"{joined(names_of(relation))}{_where(_base(relation))}{_ordered(relation)}{once}"


def _base(relation: Any) -> Test:
    """Return the conditions on the rows of a relation, but for being among the first."""
    if isinstance(relation, Filter):
        inner = _base(relation.relation)
        return relation.test if isinstance(inner, Everything) else rows_of(relation)
    return Everything() if isinstance(relation, Scan) else _base(relation.relation)


def _where(test: Test) -> str:
    """Return a condition on rows as " where ...". That a cell is not missing is left out."""
    if isinstance(test, Everything) or (isinstance(test, Not) and isinstance(test.test, Missing)):
        return ""
    said = condition(test)
    return f" where {said}" if said else ""


def _ordered(relation: Relation) -> str:
    """Return which groups or rows are left and their order, in the sequence of the steps."""
    nodes = [*chain(relation)] if is_grouped(relation) else [*_chain_of_rows(relation)]
    said, sorted_by = "", next((node for node in nodes if isinstance(node, Sort)), None)
    for node in reversed(nodes):
        if isinstance(node, Filter) and is_grouped(node):
            test = condition(node.test, node.relation)
            said += f", where {test}" if test else ""
        elif isinstance(node, Limit):
            sort, within = node.relation, joined([called(node, key) for key in node.within])
            best = f"the {node.count:,} " if node.count > 1 else "the one "
            least = "highest" if sort.descending else "lowest"
            said += f", {best}with the {least} {called(node, sort.by)}{f' of each {within}' if within else ''}"
            sorted_by = None if node is nodes[0] or node.relation is sorted_by else sorted_by
    if sorted_by is None or not _asked(sorted_by):
        return said
    measure = isinstance(sorted_by.by, Measured) and sorted_by.by.place == 0
    first = "highest first" if sorted_by.descending else "lowest first"
    return f"{said}, {first}" if measure else f"{said}, by {called(sorted_by, sorted_by.by)}, {first}"


def _asked(sort: Sort) -> bool:
    """Return whether an order was asked for: keys in their own order are not said."""
    return not (is_grouped(sort) and sort.by in group_of(sort).keys and not sort.descending)


def _chain_of_rows(relation: Any) -> Sequence[Any]:
    found = []
    while not isinstance(relation, Scan):
        found.append(relation)
        relation = relation.relation
    return found


def _of_value(value: Any) -> str:
    """Return what a number is."""
    if isinstance(value, Cell) and isinstance(value.relation, Group) and not value.relation.keys:
        group = value.relation
        if is_grouped(group.relation):
            return f"{names_of(group)[0]} of the {_of_groups(group.relation)}"
        return f"{names_of(group)[0]}{_where(rows_of(group.relation))}"
    if isinstance(value, Arithmetic):
        hundred = isinstance(value.left, Constant) and value.left.value == 100
        if value.operator == "*" and hundred and isinstance(value.right, Arithmetic):
            return f"{_of_value(value.right.left)} in percent of {_of_value(value.right.right)}"
        return f"{_of_value(value.left)} {VERBS[value.operator]} {_of_value(value.right)}"
    return called(Scan(), value)


def _of_truth(test: Any) -> str:
    """Return what a truth says."""
    if isinstance(test, Not) and isinstance(test.test, Exists):
        return f"whether there is no row{_where(rows_of(test.test.relation))}"
    if isinstance(test, Exists):
        if is_grouped(test.relation):
            return f"whether there is any group of the {_of_groups(test.relation)}"
        return f"whether there is a row{_where(rows_of(test.relation))}"
    if isinstance(test, Compare):
        return f"whether {_of_value(test.left)} {COMPARED[test.operator]} {_of_value(test.right)}"
    return UNSAID


def joined(names: Sequence[str]) -> str:
    """Return names one after the other.

    >>> joined(["city"]), joined(["city", "rent", "size"])
    ('city', 'city, rent and size')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))

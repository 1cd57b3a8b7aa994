"""Gold SQL over one table -> the program of it, to measure what the language of programs can say; never to learn from.

`translated(sql, Cells.of(table, raw))` gives the steps of a query, or raises `Unsaid` with the kind of what they lack.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlglot
from sqlglot import exp

from neural_programmer.programs.pointers import Argument, Computed, MeasureAt, PartOf, Pointer
from neural_programmer.programs.program import Step
from neural_programmer.tables.cleaning import MISSING_WORDS
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import Table, column_kind, missing, plain

AGGREGATES = {exp.Sum: "sum", exp.Avg: "average", exp.Max: "maximum", exp.Min: "minimum"}
COMPARED = {exp.EQ: "=", exp.NEQ: "<>", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}
CONTRARY = {"=": "<>", "<>": "=", ">": "<=", ">=": "<", "<": ">=", "<=": ">"}
TURNED = {"=": "=", "<>": "<>", ">": "<", ">=": "<=", "<": ">", "<=": ">="}
OF_NUMBERS = {"=": "equal", "<>": "not equal", ">": "greater", ">=": "at least", "<": "lesser", "<=": "at most"}
WITH_NUMBER = {"=": ["same as it"], ">": ["more than it"], "<": ["less than it"]}
COMPUTED = {exp.Add: "plus", exp.Sub: "less", exp.Mul: "times", exp.Div: "divided by"}
EXTREME = {"maximum": "greatest", "minimum": "least"}


class Unsaid(Exception):
    """What no program of these operations says."""


@dataclass(frozen=True)
class Cells:
    """The cells of a table as programs read them, and what they are of those that SQL reads."""

    table: Table
    read: dict[str, dict[Any, Any]]  # of each column, a cell of the database -> of the table

    @classmethod
    def of(cls, table: Table, raw: Sequence[Sequence[Any]]) -> "Cells":
        columns = list(zip(*raw, strict=True)) if raw else [()] * len(table.names)
        if raw and len(raw) != table.rows:
            return cls(table, {name: {} for name in table.names})
        pairs = zip(table.names, columns, table.columns, strict=True)
        return cls(table, {name: dict(zip(some, plain(column), strict=True)) for name, some, column in pairs})

    def name(self, said: str) -> str | None:
        return next((name for name in self.table.names if name.lower() == said.lower()), None)

    def kind(self, name: str) -> str:
        return column_kind(self.table.column(name))

    def lacks(self, name: str) -> bool:
        """Whether some cells of a column are missing."""
        return bool(missing(self.table.column(name)).any())

    def argument(self, column: str, value: Any) -> Argument:
        """What a value that SQL compares a column with is in a program; None for one that is read as missing."""
        read = self.read[column]
        same = [typed for raw, typed in read.items() if raw == value or str(raw) == str(value)]
        typed = same[0] if same else value
        kind = self.kind(column)
        if (same and (typed is None or typed == "")) or (not same and str(typed).strip().lower() in MISSING_WORDS):
            return None
        if kind == "text":
            return (str(typed),)
        if kind == "number":
            try:
                return float(typed)
            except (TypeError, ValueError):
                raise Unsaid("a number column compared with a text") from None
        day = re.fullmatch(r"(\d{4}-\d{2}-\d{2})T00:00:00(\.0+)?", str(typed))
        return period(day[1] if day else str(typed))


def period(text: str) -> Period:
    """The time that a text says, as questions are linked: a year, a month, a day or a moment."""
    units = {4: "Y", 7: "M", 10: "D"}
    try:
        if len(text) in units and re.fullmatch(r"\d{4}(-\d{2}){0,2}", text):
            first = np.datetime64(text, units[len(text)])
            last = (first + 1).astype("M8[us]") - np.timedelta64(1, "us")
            return Period(first.astype("M8[us]"), last, text)
        moment = np.datetime64(text.strip().replace(" ", "T"))
    except ValueError:
        raise Unsaid("a date column compared with a text") from None
    return Period(moment, moment, text)


@dataclass(frozen=True)
class Tree:
    """A condition: steps, or several conditions joined by `and` or `or`."""

    steps: tuple[Step, ...] = ()
    joined: str = ""
    parts: "tuple[Tree, ...]" = ()
    denied: bool = False

    @property
    def single(self) -> bool:
        """Whether it can follow any step: it leaves the rows of the step before it in their place."""
        numbers = ("take", "plus", "less", "times", "divided by")
        kept = [step for step in self.steps if step.operation not in numbers]
        return not self.joined and not self.denied and len(kept) == 1


def translated(sql: str, cells: Cells) -> list[Step]:
    """The steps of a query."""
    try:
        tree = sqlglot.parse_one(sql.rstrip().rstrip(";"), dialect="sqlite")
    except sqlglot.errors.SqlglotError:
        raise Unsaid("SQL that is not parsed") from None
    return Translator(cells).query(tree)


class Translator:
    """Translates queries about one table."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells

    # ----------------------------------------------------------------- queries

    def query(self, node: Any) -> list[Step]:
        node = _bare(node)
        if isinstance(node, exp.SetOperation):
            return self.of_sets(node)
        if not isinstance(node, exp.Select):
            raise Unsaid(f"a {node.key}")
        self.check_source(node)
        if node.args.get("group"):
            return self.best_of_each(node) or self.groups(node).steps_out()
        items = [_bare(item) for item in node.expressions]
        if any(item.find(exp.AggFunc) for item in items):
            return self.aggregates(node, items)
        return self.rows(node, items)

    def check_source(self, node: exp.Select) -> None:
        source = node.args.get("from_") or node.args.get("from")
        if node.args.get("joins"):
            raise Unsaid("a table joined with itself")
        if source is None:
            raise Unsaid("no table")

    def inner(self, node: exp.Select) -> Any:
        """The query that a query reads from, if it reads from one."""
        source = (node.args.get("from_") or node.args["from"]).this
        return _bare(source) if isinstance(source, exp.Subquery) else None

    def rows(self, node: exp.Select, items: Sequence[Any]) -> list[Step]:
        """A query for cells of rows."""
        if self.inner(node) is not None:
            raise Unsaid("a query of a query")
        steps = self.where(node)
        shown, keys = self.expanded(items), self.order(node)
        made = [each for each in (*shown, *(key for key, _ in keys)) if isinstance(each, tuple(COMPUTED))]
        if len({each.sql().lower() for each in made}) > 1:
            raise Unsaid("several computed columns")
        if made:
            steps += self.computed(made[0])
        steps += self.ordered(node, [(self.pointer(key), down) for key, down in keys])
        steps += [Step("show", self.pointer(each)) for each in shown]
        return steps + ([Step("once")] if node.args.get("distinct") else [])

    def expanded(self, items: Sequence[Any]) -> list[Any]:
        found: list[Any] = []
        for item in items:
            star = isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star))
            found += [exp.column(name, quoted=True) for name in self.cells.table.names] if star else [item]
        return found

    def pointer(self, item: Any) -> Pointer:
        item = _bare(item)
        if isinstance(item, tuple(COMPUTED)):
            return Computed()
        name = self.column(item)
        if name is None:
            raise Unsaid(f"a {item.key} that is put out or ordered by")
        return name

    def column(self, item: Any) -> str | None:
        item = _bare(item)
        return self.cells.name(item.name) if isinstance(item, exp.Column) else None

    def computed(self, item: Any) -> list[Step]:
        """A number of each row, of columns alone."""
        item = _bare(item)
        left, right = _bare(item.this), _bare(item.expression)
        one, other = self.column(left), self.column(right)
        if other is None:
            raise Unsaid("arithmetic with a constant")
        if one is None:
            if not isinstance(left, tuple(COMPUTED)):
                raise Unsaid("arithmetic with a constant")
            return [*self.computed(left), Step(COMPUTED[type(item)], other)]
        return [Step("take", one), Step(COMPUTED[type(item)], other)]

    def order(self, node: exp.Select) -> list[tuple[Any, bool]]:
        order = node.args.get("order")
        named = {item.alias.lower(): item.this for item in node.expressions if isinstance(item, exp.Alias)}
        if order is None:
            return []
        return [
            (named.get(each.this.sql().lower(), _bare(each.this)), bool(each.args.get("desc")))
            for each in order.expressions
        ]

    def ordered(self, node: exp.Select, keys: Sequence[tuple[Pointer, bool]]) -> list[Step]:
        """An order, and the first of it."""
        limit = node.args.get("limit")
        if limit is None:
            return [Step("descending" if down else "ascending", key) for key, down in reversed(keys)]
        if not keys:
            raise Unsaid("the first rows in no order")
        count = float(limit.expression.this)
        offset = node.args.get("offset")
        texts = [key for key, _ in keys if isinstance(key, str) and self.cells.kind(key) == "text"]
        if texts:
            raise Unsaid("the first by a text")
        if offset is not None:
            [(key, down)] = keys
            place = float(offset.expression.this) + 1
            if count != 1:
                raise Unsaid("several rows after the first")
            return [Step("place from the top" if down else "place from the bottom", key, place)]
        first = [Step("top" if down else "bottom", key, count) for key, down in keys]
        if count == 1:
            return first
        return [*(Step("descending" if d else "ascending", key) for key, d in reversed(keys[1:])), first[0]]

    # -------------------------------------------------------------- aggregates

    def aggregates(self, node: exp.Select, items: Sequence[Any]) -> list[Step]:
        """A query for numbers made of rows."""
        inner = self.inner(node)
        if inner is not None:
            return self.of_query(items, inner)
        steps = self.where(node)
        bare = [item for item in items if self.column(item) is not None]
        whole = [item for item in items if isinstance(item, exp.AggFunc)]
        if bare:
            extremes = [item for item in whole if isinstance(item, exp.Max | exp.Min)]
            others = [item for item in whole if item not in extremes]
            if len(extremes) != 1 or others or self.column(extremes[0].this) is None:
                raise Unsaid("an aggregate beside a column that is not grouped by")
            steps = self.extreme(node, steps, extremes[0])
            return [*steps, *(Step("show", self.column(_of(item) or item)) for item in items)]
        if len(whole) < len(items):
            if len(items) > 1:
                raise Unsaid("several numbers, of which one is computed")
            return [*steps, *self.of_aggregates(items[0])]
        if len(items) == 1:
            name, value, before = self.aggregate(items[0])
            if name in EXTREME and isinstance(value, str) and self.cells.kind(value) != "number":
                if self.cells.kind(value) == "text":
                    raise Unsaid("the first by a text")
                return [*steps, Step(EXTREME[name], value), Step("show", value), Step("once")]
            if before:  # a condition on rows
                steps = [*steps, *before, *([Step("and")] if steps else [])]
            made = self.computed(_bare(items[0].this)) if isinstance(value, Computed) else []
            return [*steps, *made, Step(name, value)]
        return [*steps, *self.measures_of(items)]

    def measures_of(self, items: Sequence[Any]) -> list[Step]:
        measures = [self.aggregate(item) for item in items]
        if any(isinstance(v, str) and n in EXTREME and self.cells.kind(v) != "number" for n, v, _ in measures):
            raise Unsaid("the greatest time beside other numbers")
        made = [item for item, (_, value, _) in zip(items, measures, strict=True) if isinstance(value, Computed)]
        if len(made) > 1:
            raise Unsaid("several computed columns")
        steps = self.computed(_bare(made[0].this)) if made else []
        steps.append(Step("overall"))
        for name, value, before in measures:
            steps += [*before, Step(name, value)]
        return steps

    def extreme(self, node: exp.Select, steps: list[Step], item: Any) -> list[Step]:
        return [*steps, Step("greatest" if isinstance(item, exp.Max) else "least", self.column(item.this))]

    def of_aggregates(self, item: Any) -> list[Step]:
        """A number computed of two others."""
        made = {exp.Add: "sum of both", exp.Sub: "minus", exp.Div: "ratio"}
        item = _bare(item)
        if type(item) not in made:
            raise Unsaid(f"a {item.key} of numbers")
        one, other = _bare(item.this), _bare(item.expression)
        if not (isinstance(one, exp.AggFunc) and isinstance(other, exp.AggFunc)):
            raise Unsaid("arithmetic with a constant")
        (name, value, _), (name2, value2, _) = self.aggregate(one), self.aggregate(other)
        if (name, name2, value) == ("maximum", "minimum", value2) and isinstance(item, exp.Sub):
            return [Step("range", value)]
        return [Step(name, value), Step("reset"), Step(name2, value2), Step(made[type(item)])]

    def aggregate(self, item: Any) -> tuple[str, Pointer | None, list[Step]]:
        """An aggregate: its operation, its column, and a condition on the cells that it counts."""
        item = _bare(item)
        if isinstance(item, exp.Count):
            of = _bare(item.this)
            if isinstance(of, exp.Distinct):
                if len(of.expressions) != 1 or (name := self.column(of.expressions[0])) is None:
                    raise Unsaid("how many different of several columns")
                return "distinct", name, []
            if isinstance(of, exp.Star | exp.Literal):
                return "count", None, []
            name = self.column(of)
            if name is None:
                raise Unsaid("a count of what is computed")
            return "count", None, [Step("present", name)] if self.cells.lacks(name) else []
        if type(item) not in AGGREGATES:
            raise Unsaid(f"a {item.key} of numbers")
        of = _bare(item.this)
        if isinstance(of, exp.Distinct):
            raise Unsaid("an aggregate of different cells")
        if isinstance(of, tuple(COMPUTED)):
            return AGGREGATES[type(item)], Computed(), []
        name = self.column(of)
        if name is None:
            raise Unsaid("an aggregate of what is computed")
        return AGGREGATES[type(item)], name, []

    def of_query(self, items: Sequence[Any], inner: Any) -> list[Step]:
        """Numbers made of the rows of a query: how many."""
        if len(items) != 1 or not isinstance(items[0], exp.Count) or isinstance(items[0].this, exp.Distinct):
            raise Unsaid("a query of a query")
        if isinstance(inner, exp.SetOperation):
            steps = self.of_sets(inner)
            shown = [step for step in steps if step.operation == "show"]
            return [*(step for step in steps if step not in shown and step != Step("once")), Step("distinct", shown[0].column)]
        if inner.args.get("group"):
            groups = self.groups(inner)
            if not groups.filtered:
                return [*groups.steps, Step("overall"), Step("count")]
            return [*groups.steps, Step("count")]
        if inner.args.get("distinct") and len(inner.expressions) == 1:
            return [*self.where(inner), Step("distinct", self.column(inner.expressions[0]))]
        raise Unsaid("a query of a query")

    # ------------------------------------------------------------------ groups

    def groups(self, node: exp.Select) -> "Groups":
        return Groups(self, node)

    def best_of_each(self, node: exp.Select) -> list[Step]:
        """The rows with the greatest or the least cell of each group, where columns stand beside it."""
        items = [_bare(item) for item in node.expressions]
        keys = [self.column(key) for key in node.args["group"].expressions]
        whole = [item for item in items if isinstance(item, exp.AggFunc)]
        bare = [item for item in items if self.column(item) is not None and self.column(item) not in keys]
        more = any(node.args.get(part) for part in ("having", "order", "limit"))
        if not bare or more or len(whole) != 1 or not isinstance(whole[0], exp.Max | exp.Min) or None in keys:
            return []
        name = self.column(whole[0].this)
        if name is None or self.cells.kind(name) == "text":
            return []
        how = "top of each" if isinstance(whole[0], exp.Max) else "bottom of each"
        steps = [*self.where(node), *(Step("for each", key) for key in keys), Step(how, name, 1.0)]
        return [*steps, *(Step("show", name if item is whole[0] else self.column(item)) for item in items)]

    # -------------------------------------------------------------- conditions

    def where(self, node: exp.Select) -> list[Step]:
        where = node.args.get("where")
        return [] if where is None else self.compiled(self.tree(where.this))

    def compiled(self, tree: Tree) -> list[Step]:
        """The steps of a condition, all rows of which the last one selects."""
        if not tree.joined:
            return [*tree.steps, *([Step("not")] if tree.denied else [])]
        parts = _flat(tree)
        denied = [part for part in parts if part.denied and not part.joined]
        if len(denied) > 1:  # none of them: not any of them
            other = "or" if tree.joined == "and" else "and"
            either = Tree(joined=other, parts=tuple(Tree(part.steps) for part in denied))
            rest = [part for part in parts if part not in denied]
            chain = [*self.compiled(either), Step("not")]
            parts = rest
        else:
            chain = []
        heads = [part for part in parts if not part.single]
        follow = [part for part in parts if part.single]
        if len(heads) + bool(chain) > 1:
            raise Unsaid("two conditions that are made of several")
        for part in (*heads, *follow):
            chain = [*chain, *self.compiled(part), *([Step(tree.joined)] if chain else [])]
        return chain

    def tree(self, node: Any, denied: bool = False) -> Tree:
        node = _bare(node)
        if isinstance(node, exp.Not):
            return self.tree(node.this, not denied)
        if isinstance(node, exp.And | exp.Or):
            joined = "and" if isinstance(node, exp.And) != denied else "or"
            best = self.best_of(node) if not denied and isinstance(node, exp.And) else None
            return best or Tree((), joined, (self.tree(node.this, denied), self.tree(node.expression, denied)))
        if isinstance(node, exp.Between):
            low = exp.GTE(this=node.this, expression=node.args["low"])
            high = exp.LTE(this=node.this, expression=node.args["high"])
            return self.tree(exp.And(this=low, expression=high), denied)
        if isinstance(node, exp.In):
            return self.among(node, denied)
        if isinstance(node, exp.Like):
            return self.like(node, denied)
        if isinstance(node, exp.Is):
            name = self.column(node.this)
            if name is None:
                raise Unsaid("what is missing of what is computed")
            return Tree((Step("present" if denied else "missing", name),))
        if type(node) in COMPARED:
            operator = COMPARED[type(node)]
            return self.comparison(CONTRARY[operator] if denied else operator, node.this, node.expression)
        raise Unsaid(f"a condition with {node.key}")

    def best_of(self, node: Any) -> Tree | None:
        """Conditions of which one says that a cell is the greatest where the others hold."""
        parts = [_bare(part) for part in node.flatten()]
        for part in parts:
            if not isinstance(part, exp.EQ):
                continue
            inner, name = _select_of(part.expression), self.column(part.this)
            if inner is None or name is None or len(inner.expressions) != 1 or not inner.args.get("where"):
                continue
            item = _bare(inner.expressions[0])
            others = [other for other in parts if other is not part]
            same = {_bare(each).sql().lower() for each in _bare(inner.args["where"].this).flatten()} == {
                each.sql().lower() for each in others
            } if isinstance(_bare(inner.args["where"].this), exp.And) else [
                each.sql().lower() for each in others
            ] == [_bare(inner.args["where"].this).sql().lower()]
            if same and isinstance(item, exp.Max | exp.Min) and self.column(item.this) == name:
                return Tree((*self.where(inner), *self.extreme(inner, [], item)), parts=())
        return None

    def comparison(self, operator: str, left: Any, right: Any) -> Tree:
        left, right = _bare(left), _bare(right)
        if self.column(left) is None and not isinstance(left, tuple(COMPUTED)) and self.column(right) is not None:
            left, right, operator = right, left, TURNED[operator]
        inner = _select_of(right)
        if inner is not None:
            return self.with_query(operator, left, inner)
        if isinstance(left, tuple(COMPUTED)):
            return Tree((*self.computed(left), self.numbered(operator, Computed(), right)))
        name, other = self.column(left), self.column(right)
        if name is None:
            raise Unsaid(f"a condition on a {left.key}")
        if other is not None:
            return self.of_columns(operator, name, other)
        value = self.literal(right)
        argument = self.cells.argument(name, value)
        if argument is None:
            return Tree((Step("missing" if operator == "=" else "present", name),))
        if isinstance(argument, tuple):
            if operator not in ("=", "<>"):
                raise Unsaid("texts that are put in order")
            return Tree((Step("text match" if operator == "=" else "text other", name, argument),))
        return Tree((Step(OF_NUMBERS[operator], name, argument),))

    def numbered(self, operator: str, pointer: Pointer, right: Any) -> Step:
        value = self.literal(right)
        return Step(OF_NUMBERS[operator], pointer, float(value))

    def of_columns(self, operator: str, name: str, other: str) -> Tree:
        if self.cells.kind(name) != "number" or self.cells.kind(other) != "number":
            raise Unsaid("columns of texts or times compared")
        one, two, how = {
            ">": (name, other, "exceeds"), "<": (other, name, "exceeds"), "=": (name, other, "equals"),
            "<=": (name, other, ""), ">=": (other, name, ""), "<>": (name, other, "unequal"),
        }[operator]  # fmt: skip
        if how:
            steps = (Step("take", one), Step("exceeds" if how == "exceeds" else "equals", two))
            return Tree(steps, denied=how == "unequal")
        return Tree((Step("take", one), Step("exceeds", two)), denied=True)

    def literal(self, node: Any) -> Any:
        node = _bare(node)
        if isinstance(node, exp.Neg):
            return -self.literal(node.this)
        if isinstance(node, exp.Literal):
            if node.is_string:
                return node.this
            return float(node.this) if "." in node.this else int(node.this)
        if isinstance(node, exp.Column):  # a text in double quotes
            return node.name
        if isinstance(node, exp.Boolean):
            return int(node.this)
        raise Unsaid(f"a comparison with a {node.key}")

    def like(self, node: Any, denied: bool) -> Tree:
        denied = denied != bool(node.args.get("negate"))
        name, pattern = self.column(node.this), str(self.literal(node.expression))
        if name is None:
            raise Unsaid("a pattern of what is computed")
        inner = pattern.strip("%")
        if not inner or "%" in inner:
            raise Unsaid("a pattern with several parts")
        kind = self.cells.kind(name)
        if kind == "date" and re.fullmatch(r"\d{4}(-\d{2})?(-\d{2})?-?", inner):
            argument = period(inner.rstrip("-"))
            return Tree((Step("not equal" if denied else "equal", name, argument),))
        if kind == "date" and (month := re.fullmatch(r"(\d{1,2})/%", pattern)):
            part = PartOf(name, "month of the year")
            return Tree((Step("not equal" if denied else "equal", part, float(month[1])),))
        if kind == "number" and inner == pattern:
            return self.comparison("<>" if denied else "=", node.this, node.expression)
        if kind != "text":
            raise Unsaid(f"a pattern of {kind}s")
        begins, ends = not pattern.startswith("%"), not pattern.endswith("%")
        if begins and ends:
            return self.comparison("<>" if denied else "=", node.this, node.expression)
        how = "begins with" if begins else "ends with" if ends else "contains"
        return Tree((Step(how, name, (inner,)),), denied=denied)

    def among(self, node: Any, denied: bool) -> Tree:
        inner = _select_of(node.args.get("query"))
        if node.args.get("query") is not None:
            if inner is None:
                raise Unsaid("a set of sets")
            name = self.column(node.this)
            if name is None:
                raise Unsaid(f"a condition on a {node.this.key}")
            return Tree((*self.found(inner, name, bool(inner.args.get("group"))),
                         Step("not among" if denied else "among", name)))
        each = [self.comparison("<>" if denied else "=", node.this, one) for one in node.expressions]
        return each[0] if len(each) == 1 else Tree((), "and" if denied else "or", tuple(each))

    def found(self, inner: exp.Select, name: str, grouped: bool) -> list[Step]:
        """The steps that select the rows, or the groups, of a query in a condition on a column."""
        item = _bare(inner.expressions[0])
        of = self.column(item)
        if of is None:
            return self.extremes(inner, item, name)
        if grouped:
            groups = self.groups(inner)
            if of != (name if name in groups.keys else groups.keys[0]) or self.cells.kind(of) != self.cells.kind(name):
                raise Unsaid("among another column of groups")
            return groups.steps
        if inner.args.get("limit") is None:
            steps = self.where(inner)
        else:
            steps = [*self.where(inner), *self.ordered(inner, [(self.pointer(k), d) for k, d in self.order(inner)])]
        return steps if of == name else [*steps, Step("for each", of)]

    def extremes(self, inner: exp.Select, item: Any, name: str) -> list[Step]:
        """The rows with the greatest or the least cell of each group."""
        keys = [self.column(key) for key in inner.args["group"].expressions] if inner.args.get("group") else []
        if not keys or None in keys or not isinstance(item, exp.Max | exp.Min) or self.column(item.this) != name:
            raise Unsaid("what is among aggregates")
        if inner.args.get("having") or inner.args.get("order"):
            raise Unsaid("what is among aggregates")
        how = "top of each" if isinstance(item, exp.Max) else "bottom of each"
        return [*self.where(inner), *(Step("for each", key) for key in keys), Step(how, name, 1.0)]

    def with_query(self, operator: str, left: Any, inner: exp.Select) -> Tree:
        """A comparison with what a query gives."""
        name = self.column(left)
        if name is None:
            raise Unsaid("a query compared with what is computed")
        item = _bare(inner.expressions[0])
        if not item.find(exp.AggFunc):
            grouped = bool(inner.args.get("group"))
            steps = self.found(inner, name, grouped)
            same = self.column(item) == name
            if operator in ("=", "<>"):
                return Tree((*steps, Step("among" if operator == "=" else "not among", name)))
            if not same:
                raise Unsaid("a comparison with another column's cell")
            last = [Step("more" if operator in (">", "<=") else "fewer", name)]
            return Tree((*steps, *last), denied=operator in (">=", "<="))
        if inner.args.get("group") or not isinstance(item, exp.AggFunc):
            raise Unsaid("a comparison with a measure of groups")
        how, value, before = self.aggregate(item)
        steps = self.where(inner)
        if before:
            steps = [*steps, *before, *([Step("and")] if steps else [])]
        if operator == "=" and how in EXTREME and value == name and not steps:
            return Tree((Step("reset"), Step(EXTREME[how], name)))
        if isinstance(value, str) and how in EXTREME and self.cells.kind(value) == "date":
            if value != name:
                raise Unsaid("a comparison with the greatest time of another column")
            words = {"=": "among", "<>": "not among", ">": "more", "<": "fewer", "<=": "more", ">=": "fewer"}
            found = (*steps, Step(EXTREME[how], name), Step(words[operator], name))
            return Tree(found, denied=operator in ("<=", ">="))
        denied = operator in ("<>", ">=", "<=")
        step = Step(WITH_NUMBER[CONTRARY[operator] if denied else operator][0], name)
        return Tree((*steps, Step(how, value), step), denied=denied)

    # -------------------------------------------------------------------- sets

    def of_sets(self, node: Any) -> list[Step]:
        """What two queries for one column both give, or one and not the other, or any."""
        one, other = _bare(node.this), _bare(node.expression)
        if not (isinstance(one, exp.Select) and isinstance(other, exp.Select)):
            raise Unsaid("sets of three queries")
        items = [self.column(item) for item in one.expressions]
        others = [self.column(item) for item in other.expressions]
        if isinstance(node, exp.Union):
            return self.union(node, one, other, items, others)
        if None in items or None in others:
            raise Unsaid("sets of numbers")
        if len(items) > 1:
            return self.of_rows(node, one, other, items, others)
        [name], [of] = items, others
        first, second = (one, other) if isinstance(node, exp.Except) else self.in_turn(one, other)
        if isinstance(node, exp.Except):
            first, second = other, one  # what is left out comes first
        if second.args.get("group") or second.args.get("limit"):
            raise Unsaid("sets of groups")
        left_out = self.found_in_set(first, name)
        word = "among" if isinstance(node, exp.Intersect) else "not among"
        tree = self.tree(second.args["where"].this) if second.args.get("where") else None
        steps = [*left_out, Step(word, name)]
        return [*self.joined(steps, tree), Step("show", name), Step("once")]

    def joined(self, steps: list[Step], tree: Tree | None) -> list[Step]:
        return steps if tree is None else self.compiled(Tree((), "and", (Tree(tuple(steps), denied=False), tree)))

    def in_turn(self, one: exp.Select, other: exp.Select) -> tuple[exp.Select, exp.Select]:
        """The query with more steps first."""
        def hard(query: exp.Select) -> bool:
            if query.args.get("group") or query.args.get("limit"):
                return True
            tree = self.tree(query.args["where"].this) if query.args.get("where") else None
            return tree is not None and not tree.single and not (tree.joined == "and" and all(p.single for p in _flat(tree)))
        return (other, one) if hard(other) and not hard(one) else (one, other)

    def found_in_set(self, query: exp.Select, name: str) -> list[Step]:
        if query.args.get("limit"):
            raise Unsaid("sets of the first rows")
        return self.found(query, name, bool(query.args.get("group")))

    def of_rows(self, node: Any, one: Any, other: Any, items: Sequence[Any], others: Sequence[Any]) -> list[Step]:
        """Rows of several columns: those for which both conditions hold, or one and not the other."""
        if items != others or any(query.args.get("group") for query in (one, other)):
            raise Unsaid("sets of several columns")
        tree = self.tree(other.args["where"].this, isinstance(node, exp.Except))
        first = self.tree(one.args["where"].this) if one.args.get("where") else None
        steps = self.compiled(tree if first is None else Tree((), "and", (first, tree)))
        return [*steps, *(Step("show", name) for name in items), Step("once")]

    def union(self, node: Any, one: Any, other: Any, items: Sequence[Any], others: Sequence[Any]) -> list[Step]:
        plain_ = all(not query.args.get("group") and not query.args.get("limit") for query in (one, other))
        if None in items or items != others or not plain_:
            raise Unsaid("one list of two queries")
        either = [self.tree(query.args["where"].this) for query in (one, other) if query.args.get("where")]
        if len(either) < 2:
            raise Unsaid("one list of two queries")
        steps = self.compiled(Tree((), "or", tuple(either)))
        once = [] if node.args.get("distinct") is False else [Step("once")]
        return [*steps, *(Step("show", name) for name in items), *once]


class Groups:
    """A query with GROUP BY: its steps as far as the groups, and what they put out."""

    def __init__(self, to: Translator, node: exp.Select) -> None:
        self.to, self.node = to, node
        if to.inner(node) is not None:
            raise Unsaid("a query of a query")
        self.items = [_bare(item) for item in node.expressions]
        named = {item.alias.lower(): item.this for item in node.expressions if isinstance(item, exp.Alias)}
        keys = [to.column(named.get(_bare(key).sql().lower(), key)) for key in node.args["group"].expressions]
        if None in keys:
            raise Unsaid("groups by what is computed")
        self.keys = list(dict.fromkeys(keys))
        having = node.args.get("having")
        order = to.order(node)
        wanted = [*self.items, *(key for key, _ in order)]
        if any(isinstance(item, exp.Star) for item in self.items):
            raise Unsaid("all columns of groups")
        for item in wanted:
            name = to.column(item)
            if name is not None and name not in self.keys:
                self.keys.append(name)  # which every group has one of
        self.measures: list[tuple[str, Pointer | None, tuple[Step, ...]]] = []
        self.before: list[Step] = []
        for item in [*wanted, *((having,) if having else ())]:
            for aggregate in item.find_all(exp.AggFunc):
                if aggregate.find_ancestor(exp.Select) is node:
                    self.place(aggregate)
        self.filtered = having is not None
        number, tests = self.having(having.this) if having else ([], [])
        self.steps = number
        where = to.where(node)
        if number and not where:
            self.steps = [*number, Step("reset")]
        if number and where:
            raise Unsaid("groups of some rows compared with a number of all")
        self.steps = [*self.steps, *where, *self.before, *(Step("for each", key) for key in self.keys)]
        for name, value, restricted in self.measures:
            self.steps += [*restricted, Step(name, value)]
        self.steps += tests
        self.steps += to.ordered(node, [(self.pointer(key), down) for key, down in order])
        self.filtered = self.filtered or bool(order)

    def place(self, item: Any) -> int:
        """The place of the measure that an aggregate is."""
        name, value, before = self.to.aggregate(item)
        if name in EXTREME and isinstance(value, str) and self.to.cells.kind(value) != "number":
            raise Unsaid(f"the greatest {self.to.cells.kind(value)} of each group")
        if isinstance(value, Computed):
            steps = self.to.computed(_bare(item.this))
            if self.before and self.before != steps:
                raise Unsaid("several computed columns")
            self.before = steps
        measure = name, value, tuple(before)
        if measure not in self.measures:
            self.measures.append(measure)
        return self.measures.index(measure)

    def pointer(self, item: Any) -> Pointer:
        item = _bare(item)
        if isinstance(item, exp.AggFunc):
            return MeasureAt(self.place(item))
        name = self.to.column(item)
        if name is None:
            raise Unsaid("what is computed of measures")
        return name

    def having(self, node: Any) -> tuple[list[Step], list[Step]]:
        """The steps of numbers to compare measures with, and of the comparisons."""
        node = _bare(node)
        if isinstance(node, exp.And):
            number, tests = self.having(node.this)
            number2, tests2 = self.having(node.expression)
            if number and number2:
                raise Unsaid("two numbers to compare measures with")
            return [*number, *number2], [*tests, *tests2]
        if isinstance(node, exp.Or):
            (number, tests), (number2, tests2) = self.having(node.this), self.having(node.expression)
            if number or number2 or len(tests) != 1 or len(tests2) != 1:
                raise Unsaid("a condition on groups with or")
            return [], [*tests, *tests2, Step("or")]
        if isinstance(node, exp.Between):
            low = exp.GTE(this=node.this, expression=node.args["low"])
            return self.having(exp.And(this=low, expression=exp.LTE(this=node.this, expression=node.args["high"])))
        if type(node) not in COMPARED:
            raise Unsaid(f"a condition on groups with {node.key}")
        operator, left, right = COMPARED[type(node)], _bare(node.this), _bare(node.expression)
        if not left.find(exp.AggFunc):
            left, right, operator = right, left, TURNED[operator]
        if not isinstance(left, exp.AggFunc):
            if self.to.column(node.this) in self.keys:
                return [], [*self.to.comparison(COMPARED[type(node)], node.this, node.expression).steps]
            raise Unsaid("a condition on what is computed of measures")
        at, inner = MeasureAt(self.place(left)), _select_of(right)
        if inner is None:
            return [], [Step(OF_NUMBERS[operator], at, float(self.to.literal(right)))]
        item = _bare(inner.expressions[0])
        if not isinstance(item, exp.AggFunc) or inner.args.get("group") or operator not in WITH_NUMBER:
            raise Unsaid("a measure compared with a query")
        how, value, _ = self.to.aggregate(item)
        return [*self.to.where(inner), Step(how, value)], [Step(WITH_NUMBER[operator][0], at)]

    def steps_out(self) -> list[Step]:
        """All steps, with what is shown where that is not all."""
        shown = [self.pointer(item) for item in self.items]
        every = [*self.keys, *map(MeasureAt, range(len(self.measures)))]
        steps = list(self.steps)
        if sorted(map(str, shown)) != sorted(map(str, every)):
            steps += [Step("show", pointer) for pointer in shown]
            if self.node.args.get("distinct"):
                steps.append(Step("once"))
        return steps


def _flat(tree: Tree) -> list[Tree]:
    """The parts of a condition that are joined alike."""
    found: list[Tree] = []
    for part in tree.parts:
        found += _flat(part) if part.joined == tree.joined else [part]
    return found


def _bare(node: Any) -> Any:
    """A node without parentheses and aliases."""
    while isinstance(node, exp.Paren | exp.Alias | exp.Subquery):
        node = node.this
    return node


def _of(item: Any) -> Any:
    return item.this if isinstance(item, exp.AggFunc) else None


def _select_of(node: Any) -> exp.Select | None:
    node = _bare(node)
    return node if isinstance(node, exp.Select) else None

"""Gold SQL over one table -> the program of it, to measure what the language of programs can say; never to learn from.

`translated(sql, Cells.of(table, raw))` gives the steps of a query, or raises `Unsaid` with the kind of what they lack.
"""

from collections.abc import Sequence
from typing import Any

import sqlglot
from gold_cells import Cells, Unsaid
from gold_conditions import (
    COMPARED,
    COMPUTED,
    EXTREME,
    OF_NUMBERS,
    TURNED,
    WITH_NUMBER,
    Conditions,
    Tree,
    flat,
    select_of,
    stripped,
)
from sqlglot import exp
from sqlglot.errors import SqlglotError

from neural_programmer.programs.pointers import Computed, MeasureAt, Pointer
from neural_programmer.programs.program import Step


def translated(sql: str, cells: Cells) -> list[Step]:
    """The steps of a query."""
    try:
        tree = sqlglot.parse_one(sql.rstrip().rstrip(";"), dialect="sqlite")
    except SqlglotError:
        raise Unsaid("SQL that is not parsed") from None
    return Translator(cells).query(tree)


class Translator(Conditions):
    """Translates queries about one table."""

    # ----------------------------------------------------------------- queries

    def query(self, node: Any) -> list[Step]:
        node = stripped(node)
        if isinstance(node, exp.SetOperation):
            return self.of_sets(node)
        if not isinstance(node, exp.Select):
            raise Unsaid(f"a {node.key}")
        self.check_source(node)
        if node.args.get("group"):
            return self.best_of_each(node) or self.groups(node).steps_out()
        items = [stripped(item) for item in node.expressions]
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
        return stripped(source) if isinstance(source, exp.Subquery) else None

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
        item = stripped(item)
        if isinstance(item, tuple(COMPUTED)):
            return Computed()
        name = self.column(item)
        if name is None:
            raise Unsaid(f"a {item.key} that is put out or ordered by")
        return name

    def order(self, node: exp.Select) -> list[tuple[Any, bool]]:
        order = node.args.get("order")
        named = {item.alias.lower(): item.this for item in node.expressions if isinstance(item, exp.Alias)}
        if order is None:
            return []
        return [
            (named.get(each.this.sql().lower(), stripped(each.this)), bool(each.args.get("desc")))
            for each in order.expressions
        ]

    def first(self, node: exp.Select) -> list[Step]:
        return [*self.where(node), *self.ordered(node, [(self.pointer(key), down) for key, down in self.order(node)])]

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
        if texts[:1] == [keys[0][0]]:
            raise Unsaid("the first by a text")
        if offset is not None:
            [(key, down)] = keys
            place = float(offset.expression.this) + 1
            if count != 1:
                raise Unsaid("several rows after the first")
            return [Step("place from the top" if down else "place from the bottom", key, place)]
        first = [Step("top" if down else "bottom", key, count) for key, down in keys]
        if count == 1 and not texts:
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
            shown = [self.column(item.this if isinstance(item, exp.AggFunc) else item) for item in items]
            return [*steps, self.extreme(extremes[0]), *(Step("show", name) for name in shown)]
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
            made = self.computed(stripped(items[0].this)) if isinstance(value, Computed) else []
            return [*steps, *made, Step(name, value)]
        return [*steps, *self.measures_of(items)]

    def measures_of(self, items: Sequence[Any]) -> list[Step]:
        measures = [self.aggregate(item) for item in items]
        if any(isinstance(v, str) and n in EXTREME and self.cells.kind(v) != "number" for n, v, _ in measures):
            raise Unsaid("the greatest time beside other numbers")
        made = [item for item, (_, value, _) in zip(items, measures, strict=True) if isinstance(value, Computed)]
        if len(made) > 1:
            raise Unsaid("several computed columns")
        steps = self.computed(stripped(made[0].this)) if made else []
        steps.append(Step("overall"))
        for name, value, before in measures:
            steps += [*before, Step(name, value)]
        return steps

    def of_aggregates(self, item: Any) -> list[Step]:
        """A number computed of two others."""
        made = {exp.Add: "sum of both", exp.Sub: "minus", exp.Div: "ratio"}
        item = stripped(item)
        if type(item) not in made:
            raise Unsaid(f"a {item.key} of numbers")
        one, other = stripped(item.this), stripped(item.expression)
        if not (isinstance(one, exp.AggFunc) and isinstance(other, exp.AggFunc)):
            raise Unsaid("arithmetic with a constant")
        (name, value, _), (name2, value2, _) = self.aggregate(one), self.aggregate(other)
        if (name, name2, value) == ("maximum", "minimum", value2) and isinstance(item, exp.Sub):
            return [Step("range", value)]
        return [Step(name, value), Step("reset"), Step(name2, value2), Step(made[type(item)])]

    def of_query(self, items: Sequence[Any], inner: Any) -> list[Step]:
        """Numbers made of the rows of a query: how many."""
        if len(items) != 1 or not isinstance(items[0], exp.Count) or isinstance(items[0].this, exp.Distinct):
            raise Unsaid("a query of a query")
        if isinstance(inner, exp.SetOperation):
            steps = self.of_sets(inner)
            shown = [step for step in steps if step.operation == "show"]
            return [
                *(step for step in steps if step not in shown and step != Step("once")),
                Step("distinct", shown[0].column),
            ]
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
        items = [stripped(item) for item in node.expressions]
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

    # -------------------------------------------------------------------- sets

    def of_sets(self, node: Any) -> list[Step]:
        """What two queries for one column both give, or one and not the other, or any."""
        one, other = stripped(node.this), stripped(node.expression)
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
        [name] = [item for item in items if item is not None]
        first, second = (other, one) if isinstance(node, exp.Except) else self.in_turn(one, other)
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
            chain = tree is not None and tree.joined == "and" and all(part.single for part in flat(tree))
            return tree is not None and not tree.single and not chain

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
        self.items = [stripped(item) for item in node.expressions]
        named = {item.alias.lower(): item.this for item in node.expressions if isinstance(item, exp.Alias)}
        keys = [to.column(named.get(stripped(key).sql().lower(), key)) for key in node.args["group"].expressions]
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
            steps = self.to.computed(stripped(item.this))
            if self.before and self.before != steps:
                raise Unsaid("several computed columns")
            self.before = steps
        measure = name, value, tuple(before)
        if measure not in self.measures:
            self.measures.append(measure)
        return self.measures.index(measure)

    def pointer(self, item: Any) -> Pointer:
        item = stripped(item)
        if isinstance(item, exp.AggFunc):
            return MeasureAt(self.place(item))
        name = self.to.column(item)
        if name is None:
            raise Unsaid("what is computed of measures")
        return name

    def having(self, node: Any) -> tuple[list[Step], list[Step]]:
        """The steps of numbers to compare measures with, and of the comparisons."""
        node = stripped(node)
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
        operator, left, right = COMPARED[type(node)], stripped(node.this), stripped(node.expression)
        if not left.find(exp.AggFunc):
            left, right, operator = right, left, TURNED[operator]
        if not isinstance(left, exp.AggFunc):
            if self.to.column(node.this) in self.keys:
                return [], [*self.to.comparison(COMPARED[type(node)], node.this, node.expression).steps]
            raise Unsaid("a condition on what is computed of measures")
        at, inner = MeasureAt(self.place(left)), select_of(right)
        if inner is None:
            return [], [Step(OF_NUMBERS[operator], at, float(self.to.literal(right)))]
        item = stripped(inner.expressions[0])
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

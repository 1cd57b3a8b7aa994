"""Conditions of gold SQL -> steps that select rows: see gold_programs.py."""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from gold_cells import Cells, Unsaid, period
from sqlglot import exp

from neural_programmer.programs.pointers import Computed, PartOf, Pointer
from neural_programmer.programs.program import Step

AGGREGATES = {exp.Sum: "sum", exp.Avg: "average", exp.Max: "maximum", exp.Min: "minimum"}
COMPARED = {exp.EQ: "=", exp.NEQ: "<>", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}
CONTRARY = {"=": "<>", "<>": "=", ">": "<=", ">=": "<", "<": ">=", "<=": ">"}
TURNED = {"=": "=", "<>": "<>", ">": "<", ">=": "<=", "<": ">", "<=": ">="}
OF_NUMBERS = {"=": "equal", "<>": "not equal", ">": "greater", ">=": "at least", "<": "lesser", "<=": "at most"}
WITH_NUMBER = {"=": ["same as it"], ">": ["more than it"], "<": ["less than it"]}
COMPUTED = {exp.Add: "plus", exp.Sub: "less", exp.Mul: "times", exp.Div: "divided by"}
EXTREME = {"maximum": "greatest", "minimum": "least"}


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


class Conditions(ABC):
    """Translates conditions; queries in them are translated by who translates queries."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells

    @abstractmethod
    def groups(self, node: exp.Select) -> Any:
        """The groups of a query."""

    @abstractmethod
    def first(self, node: exp.Select) -> list[Step]:
        """The steps to the first rows of a query."""

    def extreme(self, item: Any) -> Step:
        return Step("greatest" if isinstance(item, exp.Max) else "least", self.column(item.this))

    def column(self, item: Any) -> str | None:
        item = stripped(item)
        return self.cells.name(item.name) if isinstance(item, exp.Column) else None

    def computed(self, item: Any) -> list[Step]:
        """A number of each row, of columns alone."""
        item = stripped(item)
        left, right = stripped(item.this), stripped(item.expression)
        one, other = self.column(left), self.column(right)
        if other is None:
            raise Unsaid("arithmetic with a constant")
        if one is None:
            if not isinstance(left, tuple(COMPUTED)):
                raise Unsaid("arithmetic with a constant")
            return [*self.computed(left), Step(COMPUTED[type(item)], other)]
        return [Step("take", one), Step(COMPUTED[type(item)], other)]

    def aggregate(self, item: Any) -> tuple[str, Pointer | None, list[Step]]:
        """An aggregate: its operation, its column, and a condition on the cells that it counts."""
        item = stripped(item)
        if isinstance(item, exp.Count):
            of = stripped(item.this)
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
        of = stripped(item.this)
        if isinstance(of, exp.Distinct):
            raise Unsaid("an aggregate of different cells")
        if isinstance(of, tuple(COMPUTED)):
            return AGGREGATES[type(item)], Computed(), []
        name = self.column(of)
        if name is None:
            raise Unsaid("an aggregate of what is computed")
        return AGGREGATES[type(item)], name, []

    def where(self, node: exp.Select) -> list[Step]:
        where = node.args.get("where")
        return [] if where is None else self.compiled(self.tree(where.this))

    def compiled(self, tree: Tree) -> list[Step]:
        """The steps of a condition, all rows of which the last one selects."""
        if not tree.joined:
            return [*tree.steps, *([Step("not")] if tree.denied else [])]
        parts = flat(tree)
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
        node = stripped(node)
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
        parts = [stripped(part) for part in node.flatten()]
        for part in parts:
            if not isinstance(part, exp.EQ):
                continue
            inner, name = select_of(part.expression), self.column(part.this)
            if inner is None or name is None or len(inner.expressions) != 1 or not inner.args.get("where"):
                continue
            item = stripped(inner.expressions[0])
            others = [other for other in parts if other is not part]
            condition = stripped(inner.args["where"].this)
            there = list(condition.flatten()) if isinstance(condition, exp.And) else [condition]
            same = {stripped(each).sql().lower() for each in there} == {each.sql().lower() for each in others}
            if same and isinstance(item, exp.Max | exp.Min) and self.column(item.this) == name:
                return Tree((*self.where(inner), self.extreme(item)))
        return None

    def comparison(self, operator: str, left: Any, right: Any) -> Tree:
        left, right = stripped(left), stripped(right)
        if self.column(left) is None and not isinstance(left, tuple(COMPUTED)) and self.column(right) is not None:
            left, right, operator = right, left, TURNED[operator]
        inner = select_of(right)
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
        node = stripped(node)
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
        inner = select_of(node.args.get("query"))
        if node.args.get("query") is not None:
            if inner is None:
                raise Unsaid("a set of sets")
            name = self.column(node.this)
            if name is None:
                raise Unsaid(f"a condition on a {node.this.key}")
            return Tree(
                (
                    *self.found(inner, name, bool(inner.args.get("group"))),
                    Step("not among" if denied else "among", name),
                )
            )
        each = [self.comparison("<>" if denied else "=", node.this, one) for one in node.expressions]
        return each[0] if len(each) == 1 else Tree((), "and" if denied else "or", tuple(each))

    def found(self, inner: exp.Select, name: str, grouped: bool) -> list[Step]:
        """The steps that select the rows, or the groups, of a query in a condition on a column."""
        item = stripped(inner.expressions[0])
        of = self.column(item)
        if of is None:
            return self.extremes(inner, item, name)
        if grouped:
            groups = self.groups(inner)
            if of != (name if name in groups.keys else groups.keys[0]) or self.cells.kind(of) != self.cells.kind(name):
                raise Unsaid("among another column of groups")
            return groups.steps
        steps = self.where(inner) if inner.args.get("limit") is None else self.first(inner)
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
        item = stripped(inner.expressions[0])
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


def flat(tree: Tree) -> list[Tree]:
    """The parts of a condition that are joined alike."""
    found: list[Tree] = []
    for part in tree.parts:
        found += flat(part) if part.joined == tree.joined else [part]
    return found


def stripped(node: Any) -> Any:
    """A node without parentheses and aliases."""
    while isinstance(node, exp.Paren | exp.Alias | exp.Subquery):
        node = node.this
    return node


def select_of(node: Any) -> exp.Select | None:
    node = stripped(node)
    return node if isinstance(node, exp.Select) else None

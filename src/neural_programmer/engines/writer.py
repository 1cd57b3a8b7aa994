"""The writer of expressions as SQL: each node of programs/expressions.py becomes a tree of sqlglot, from which every
dialect can be written."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from sqlglot import exp

from neural_programmer.engines import dialects
from neural_programmer.engines.draft import (
    GROUPS,
    Draft,
    bracketed,
    conjunction,
    function,
    literal,
    missing_last,
    select_once,
    under_names,
)
from neural_programmer.programs.aggregates import AGGREGATES
from neural_programmer.programs.expressions import (
    And,
    Applied,
    Arithmetic,
    Band,
    Cell,
    Column,
    Compare,
    Comparison,
    Constant,
    Derive,
    Everything,
    Exists,
    Filter,
    Group,
    Holds,
    In,
    Like,
    Limit,
    Measure,
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
    is_grouped,
    measures_of,
    step_of,
)
from neural_programmer.programs.operation import Query
from neural_programmer.programs.parts import EXACT
from neural_programmer.programs.put_out import names_of, values_of
from neural_programmer.programs.state import rows_of

ANSWER = "answer"  # the name of a scalar's or a truth's column
PLACE = "place"  # the name of the column with the places of rows or groups in an order
TRUTH_OF = {"true": True, "false": False}  # as a program writes them
COMPARED: dict[Comparison, Callable[[Any, Any], Any]] = {
    "=": lambda a, b: a.eq(b),
    "<>": lambda a, b: a.neq(b),
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}
FUNCTIONS = {"sum": "SUM", "average": "AVG"}


class Writer:
    """A writer of expressions about one relation as SQL. Each node is written once: steps that share a node share its
    tree.

    `aggregate` makes a scalar of a function's name, an expression and a condition; `booleans` are the columns that hold
    truths rather than the texts true and false; `row` is the column of the relation with the numbers of its rows, if
    they are needed; `read` makes an expression of a column's name. Of groups, `draft` says what their keys and measures
    are.
    """

    def __init__(
        self,
        relation: str,
        aggregate: Callable[[str, Any, Any], Any],
        booleans: Collection[str],
        row: str,
        read: Callable[[str], Any] = lambda name: exp.column(name, quoted=True),
        dialect: str = "duckdb",
        draft: Draft | None = None,
    ) -> None:
        self.relation, self.aggregate, self.booleans, self.row, self.read = relation, aggregate, booleans, row, read
        self.dialect, self.draft = dialect, draft
        self._written: dict[int, tuple[Any, Any]] = {}  # with the nodes, which are known by their places in memory

    def rows(self, relation: Relation) -> Any:
        """Return the condition that selects the rows of a relation."""
        if isinstance(relation, Filter) and isinstance(relation.relation, Scan):
            return self.test(relation.test)
        return self.test(rows_of(relation))

    def value(self, node: Value) -> Any:
        """Return a value in SQL: a cell of each row, or a scalar."""
        return self._once(node, self._value)

    def test(self, node: Test) -> Any:
        """Return a test in SQL: a condition on each row."""
        return self._once(node, self._test)

    def _once(self, node: Any, write: Callable[[Any], Any]) -> Any:
        if id(node) not in self._written:
            self._written[id(node)] = node, write(node)
        return self._written[id(node)][1]

    def _value(self, node: Value) -> Any:
        if self.draft is not None and (known := self.draft.known(node)) is not None:
            return known
        if isinstance(node, Column):
            return self.read(node.name)
        if isinstance(node, RowNumber):
            return exp.column(self.row, quoted=True)
        if isinstance(node, Constant):
            return literal(node.value)
        if isinstance(node, Arithmetic):
            left, right = (bracketed(self.value(side)) for side in (node.left, node.right))
            if node.operator == "/":
                return exp.cast(left, "DOUBLE") / exp.func("NULLIF", right, exp.Literal.number(0))
            return ARITHMETIC[node.operator](left, right)
        if isinstance(node, Part):
            return dialects.part(self.value(node.value), node.unit, self.dialect)
        if isinstance(node, Band):
            width = literal(node.width)
            number = exp.cast(self.value(node.value), "DOUBLE") / width
            if float(node.width).is_integer():
                return exp.Floor(this=number) * width.copy()
            digits = exp.Literal.number(EXACT)
            return exp.func("ROUND", exp.Floor(this=exp.func("ROUND", number, digits)) * width.copy(), digits.copy())
        if isinstance(node, Holds):
            one, nothing = exp.Literal.number(1), exp.Literal.number(0)
            return exp.case().when(self.test(node.test), one).else_(nothing)
        if isinstance(node, Window):
            return self._window(node)
        if isinstance(node, Applied):
            return self._applied(node)
        assert isinstance(node, Cell), f"a value in SQL, not {type(node).__name__}"
        return self._cell(node.relation)

    def _cell(self, relation: Relation) -> Any:
        """Return an aggregate of rows of the table, or a subquery with the one cell of another relation."""
        if isinstance(relation, Group) and not relation.keys and isinstance(relation.relation, Scan | Filter):
            [measure] = relation.measures
            if measure.other is None and measure.where is None and not is_grouped(relation.relation):
                value = None if measure.value is None else self.value(measure.value)
                return self.aggregate(AGGREGATES[measure.aggregate].sql, value, self.rows(relation.relation))
        return self._whole().query(relation).subquery(copy=False)

    def _whole(self) -> "Writer":
        """Return a writer of expressions about the table, rather than about groups."""
        return self if self.draft is None else self._about(None)

    def _about(self, draft: Draft | None) -> "Writer":
        """Return a writer of expressions about the groups of a draft."""
        return Writer(self.relation, self.aggregate, self.booleans, self.row, self.read, self.dialect, draft)

    def _window(self, node: Window) -> Any:
        """Return a window function over all rows of a group, or over those up to each."""
        value, within = self.value(node.value), [self.value(each) for each in node.within]
        if node.order is None:
            return exp.Window(this=exp.func(FUNCTIONS[node.function], value), partition_by=within or None)
        order = self.value(node.order)
        spec = None
        if node.function in ("sum", "average"):
            start = "UNBOUNDED" if node.rows is None else exp.Literal.number(node.rows - 1)
            spec = exp.WindowSpec(kind="ROWS", start=start, start_side="PRECEDING", end="CURRENT ROW")

        def over(this: Any, spec: Any = None) -> Any:
            ordered = exp.Order(expressions=missing_last([(order.copy(), node.descending)], self.dialect))
            return exp.Window(
                this=this, partition_by=[each.copy() for each in within] or None, order=ordered, spec=spec
            )

        if node.function == "rank":
            return over(exp.func("RANK"))
        if node.function != "previous":
            return over(exp.func(FUNCTIONS[node.function], value), spec)
        unit = node.order.unit if isinstance(node.order, Part) else "day"
        of_times = node.order.kind == "date"
        before, last, apart = order.copy() - 1, over(exp.func("LAG", order.copy())), step_of(node.order)
        if apart != 1:
            last, now = (exp.func("ROUND", exp.paren(each) / literal(apart)) for each in (last, order.copy()))
            before = now - 1
        if of_times:
            before = exp.cast(dialects.one_before(order.copy(), unit, self.dialect), "DATE")
            last = exp.cast(last, "DATE")
        return exp.case().when(last.eq(before), over(exp.func("LAG", value)))

    def _test(self, node: Test) -> Any:
        if isinstance(node, Everything):
            return exp.true()
        if isinstance(node, And):
            return bracketed(self.test(node.left)).and_(bracketed(self.test(node.right)))
        if isinstance(node, Or):
            return bracketed(self.test(node.left)).or_(bracketed(self.test(node.right)))
        if isinstance(node, Not):
            return self._not(node.test)
        if isinstance(node, Missing):
            return self.value(node.value).is_(exp.null())
        if isinstance(node, Exists):
            return exp.Exists(this=self._any(node.relation))
        if isinstance(node, Within):
            return self._within(node)
        if isinstance(node, In):
            return self._among(node)
        if isinstance(node, Like):
            return dialects.like(self._text(node.value), node.place, node.text, self.dialect)
        if isinstance(node, Applied):
            return self._applied(node)
        assert isinstance(node, Compare), f"a condition in SQL, not {type(node).__name__}"
        return COMPARED[node.operator](self.value(node.left), self.value(node.right))

    def _not(self, test: Test) -> Any:
        """Return the negation of a test. In SQL a condition on a missing cell is neither true nor false, so `IS TRUE`
        is asked."""
        if isinstance(test, Everything):
            return exp.false()
        written = self.test(test)
        if isinstance(test, Missing | Exists):
            return written.not_()
        closed = exp.paren(written) if isinstance(written, exp.In) else bracketed(written)
        return closed.is_(True).not_()

    def _within(self, node: Within) -> Any:
        cell, low, high = map(self.value, (node.value, node.low, node.high))
        if node.outside:
            return cell.neq(low) if low == high else (cell < low).or_(cell > high)
        return cell.eq(low) if low == high else (cell >= low).and_(cell <= high)

    def _among(self, node: In) -> Any:
        cell = self.value(node.value)
        if not isinstance(node.among, tuple):
            return cell.isin(query=self.query(node.among))
        cell, texts = self._compared(node.value, tuple(text.value for text in node.among))
        if node.other and not node.among:
            return cell.is_(exp.null()).not_()
        if len(texts) == 1:
            return cell.neq(texts[0]) if node.other else cell.eq(texts[0])
        return cell.isin(*texts).not_() if node.other else cell.isin(*texts)

    def _compared(self, node: Value, texts: tuple[str, ...]) -> tuple[Any, list[Any]]:
        """Return a column and the texts that it is compared with. A column of truths is compared with truths."""
        if isinstance(node, Column) and node.name in self.booleans:
            return _truth(self.value(node), texts)
        return self.value(node), literal(texts)

    def _text(self, node: Value) -> Any:
        """Return the text of a cell. Truths become the words that programs write for them."""
        cell = self.value(node)
        if not (isinstance(node, Column) and node.name in self.booleans):
            return cell
        words = exp.case()
        for word, truth in TRUTH_OF.items():
            words = words.when(cell.copy().eq(exp.Boolean(this=truth)), exp.Literal.string(word))
        return words

    def _applied(self, node: Applied) -> Any:
        """Return an operation of one's own, by the SQL that it gives."""
        own = node.operation.own
        assert own.sql is not None, "a program with it was refused"
        if isinstance(node.argument, tuple):
            column, argument = self._compared(node.column, node.argument)
        else:
            column, argument = self.value(node.column), literal(node.argument)
        return own.sql(Query(column, argument, argument, bracketed(self.test(node.rows)), self.aggregate))

    def query(self, relation: Relation) -> exp.Select:
        """Return the query of the columns that a relation puts out."""
        if isinstance(relation, Select) and isinstance(relation.relation, Limit) and not relation.relation.within:
            sort = relation.relation.relation
            if isinstance(sort.relation, Group) and not relation.distinct and is_grouped(sort):
                return self._best(relation.relation, relation.values)
        inner = relation.relation if isinstance(relation, Select) else relation
        draft, once = self._draft(inner), isinstance(relation, Select) and relation.distinct
        if once and draft.is_of_others:
            draft = self._as_table(draft, inner)
        about = self._about(draft)
        values = [about.value(value).copy() for value in values_of(relation)]
        write = about._text if once else about.value  # the least of some truths is not what every database knows
        orders = [(write(by).copy(), descending) for by, descending in draft.order]
        if once:
            return select_once(draft, values, orders, self.dialect)
        if len(values) > 1 or is_grouped(relation):
            values = under_names(values, names_of(relation))
        return draft.select(values, orders, self.dialect)

    def _any(self, relation: Relation) -> exp.Select:
        """Return a query that has a row if a relation has one."""
        draft = self._draft(relation)
        return draft.select([exp.Literal.number(1)], [], self.dialect)

    def _draft(self, relation: Relation) -> Draft:
        """Return the draft of a query of a relation."""
        if not is_grouped(relation):
            return self._draft_of_rows(relation)
        if isinstance(relation, Group):
            return self._draft_of_groups(relation)
        if isinstance(relation, Select):
            return self._draft(relation.relation)
        draft = self._draft(relation.relation)  # type: ignore[union-attr]
        if isinstance(relation, Filter | Limit) and draft.is_of_others:
            draft = self._as_table(draft, relation.relation)
        if isinstance(relation, Filter):
            return replace(draft, having=conjunction(draft.having, self._about(draft).test(relation.test)))
        if isinstance(relation, Sort):
            return replace(draft, order=((relation.by, relation.descending), *draft.order))
        if isinstance(relation, Derive):
            draft = self._as_table(draft, relation.relation)
            return replace(draft, measures=(*draft.measures, self._about(draft).value(relation.value)))
        assert isinstance(relation, Limit), f"a relation in SQL, not {type(relation).__name__}"
        return self._limited(draft, relation)

    def _draft_of_rows(self, relation: Relation) -> Draft:
        """Return a draft of rows of the table, with their condition and order."""
        order: tuple[tuple[Value, bool], ...] = ()
        some = relation
        while not isinstance(some, Scan):
            if isinstance(some, Sort):
                order = (*order, (some.by, some.descending))
            if isinstance(some, Limit) and some.within:
                draft = self._draft_of_rows(some.relation)
                return replace(self._limited(draft, some), order=(*order, *draft.order))
            some = some.relation  # type: ignore[union-attr]
        source = exp.Table(this=exp.to_identifier(self.relation, quoted=True))
        return Draft(source, self.rows(relation), order=order)

    def _draft_of_groups(self, group: Group) -> Draft:
        """Return a draft of groups of rows, or of groups of groups."""
        if _is_threshold(group):
            return self._threshold(group)
        inner = self._draft(group.relation)
        if is_grouped(group.relation):
            inner = self._as_table(inner, group.relation)
        about = self._about(inner if is_grouped(group.relation) else None)
        about.relation = self.relation
        keys = tuple((key, about.value(key)) for key in group.keys)
        measures = tuple(about._measure(measure) for measure in group.measures)
        return replace(inner, order=(), grouped=True, keys=keys, by=tuple(key for _, key in keys), measures=measures)

    def _threshold(self, group: Group) -> Draft:
        """Return a draft of the last of the first cells of rows."""
        assert isinstance(group.relation, Limit), "its first rows"
        sort = group.relation.relation
        by = self.value(sort.by)
        rows, orders = self._draft_of_rows(sort.relation), [(by.copy(), sort.descending)]
        first = rows.select([exp.alias_(by.copy(), ANSWER)], orders, self.dialect).limit(group.relation.count)
        last = function(AGGREGATES[group.measures[0].aggregate].sql, exp.column(ANSWER))
        return Draft(first.subquery("first"), exp.true(), grouped=True, measures=(last,))

    def _measure(self, measure: Measure) -> Any:
        """Return an aggregate of the cells of a group, or only of those for which its condition holds."""
        name = AGGREGATES[measure.aggregate].sql
        cells = None if measure.value is None else self.value(measure.value)
        if measure.where is not None:
            cells = exp.case().when(self.test(measure.where), exp.Literal.number(1) if cells is None else cells.copy())
        if measure.other is not None:
            return dialects.correlation(exp.func(name, cells, self.value(measure.other).copy()), self.dialect)
        return function(name, cells)

    def _as_table(self, draft: Draft, relation: Relation) -> Draft:
        """Return a draft that reads groups as a table, whose columns are their keys and measures."""
        values, names = values_of(relation), names_of(relation)
        about = self._about(draft)
        written = under_names([about.value(value).copy() for value in values], names)
        return self._over(draft.select(written, [], self.dialect), relation, draft)

    def _over(self, query: exp.Select, relation: Relation, draft: Draft) -> Draft:
        """Return a draft over a query of the keys and measures of groups."""
        names = [exp.column(name, quoted=True) for name in names_of(relation)]
        count = len(names) - len(measures_of(relation))
        keys = tuple(zip(values_of(relation)[:count], names[:count], strict=True))
        return Draft(
            query.subquery(exp.TableAlias(this=exp.to_identifier(GROUPS, quoted=True))), exp.true(),
            grouped=False, keys=keys, measures=tuple(names[count:]), order=draft.order,
        )  # fmt: skip

    def _limited(self, draft: Draft, limit: Limit) -> Draft:
        """Return a draft of the first rows or groups, with those that tie. Each gets its rank in a table, which is then
        filtered."""
        about, sort = self._about(draft if is_grouped(limit) else None), limit.relation
        order = exp.Order(expressions=missing_last([(about.value(sort.by).copy(), sort.descending)], self.dialect))
        within = [about.value(each).copy() for each in limit.within]
        place = exp.Window(this=exp.func("RANK"), partition_by=within or None, order=order)
        if not is_grouped(limit):
            placed = draft.select([exp.Star(), exp.alias_(place, PLACE, quoted=True)], [], self.dialect)
            source = placed.subquery(exp.TableAlias(this=exp.to_identifier("placed", quoted=True)))
            return Draft(source, exp.column(PLACE, quoted=True) <= limit.count, order=draft.order)
        values, names = values_of(limit), names_of(limit)
        written = under_names([about.value(value).copy() for value in values], names)
        name = PLACE
        while name in names:
            name += "_"
        query = draft.select([*written, exp.alias_(place, name, quoted=True)], [], self.dialect)
        return replace(self._over(query, limit, draft), where=exp.column(name, quoted=True) <= limit.count)

    def _best(self, limit: Limit, values: tuple[Value, ...]) -> exp.Select:
        """Return the query of the first groups by a measure, with those that tie with the last of them."""
        sort = limit.relation
        group = sort.relation
        draft = self._draft(group)
        about = self._about(draft)
        written, measure = [about.value(value).copy() for value in values], about.value(sort.by)
        first = draft.select([measure.copy()], [(measure.copy(), sort.descending)], self.dialect).limit(limit.count)
        query = draft.select(written, [], self.dialect)
        if limit.count == 1:
            return query.having(measure.eq(first.subquery()))
        named = first.select(exp.alias_(measure.copy(), ANSWER), append=False).subquery("first")
        least = exp.select(function("MIN" if sort.descending else "MAX", exp.column(ANSWER))).from_(named).subquery()
        return query.having(measure >= least if sort.descending else measure <= least)


def _is_threshold(group: Group) -> bool:
    """Return whether a group is the least of the greatest cells of rows, or the greatest of the least.

    Rows that tie with the last of them do not change it.
    """
    limit = group.relation
    if group.keys or len(group.measures) != 1 or not isinstance(limit, Limit) or is_grouped(limit) or limit.within:
        return False
    [measure] = group.measures
    least = "minimum" if limit.relation.descending else "maximum"
    return measure.aggregate == least and measure.value == limit.relation.by and measure.where is None


def _truth(column: Any, texts: tuple[str, ...]) -> tuple[Any, list[Any]]:
    """Return a column of truths and the values to compare it with. A text that is no truth is compared with the column
    as text."""
    if all(text in TRUTH_OF for text in texts) and texts:
        return column, [exp.Boolean(this=TRUTH_OF[text]) for text in texts]
    return exp.cast(column, "VARCHAR"), literal(texts)

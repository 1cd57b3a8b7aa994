"""Nodes refuse nonsense when they are made; what they mean, also of nodes that no operation builds, in SQL as here."""

import duckdb
import numpy as np
import pytest
from sqlglot import exp

from neural_programmer.engines.sql import Writer, function, select
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.expressions import (
    And,
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
    Scan,
    Select,
    Sort,
    Within,
    aggregate,
)
from neural_programmer.programs.frame import Frame
from neural_programmer.programs.interpreter import Interpreter
from neural_programmer.tables.table import Table

PRICE, TOWN, DAY = Column("price", "number"), Column("town", "text"), Column("day", "date")
COUNT = aggregate("count", None, Everything())
TABLE = Table(
    ("price", "town"), (np.array([3.0, 1.0, np.nan, 3.0, 7.0]), np.array(["Oslo", "Rome", "Oslo", "", "Bern"]))
)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Column("price", "money"), "no column holds 'money'"),
        (lambda: Constant(None), "NoneType is no number"),
        (lambda: Constant([1]), "list is no number"),
        (lambda: Arithmetic("%", PRICE, PRICE), "no arithmetic '%'"),
        (lambda: Arithmetic("+", PRICE, TOWN), "text has no +"),
        (lambda: Compare("~", PRICE, PRICE), "no comparison '~'"),
        (lambda: Compare("=", PRICE, None), "NoneType is no value"),
        (lambda: Compare("=", PRICE, TOWN), "number is not comparable with text"),
        (lambda: Compare("<", TOWN, TOWN), "texts have no <"),
        (lambda: Within(TOWN, TOWN, TOWN), "text does not lie within text"),
        (lambda: In(PRICE, (Constant("a"),)), "number is not among text"),
        (lambda: In(PRICE, Scan()), "a cell is among those of one column"),
        (lambda: In(PRICE, Select(Scan(), (PRICE, TOWN))), "a cell is among those of one column"),
        (lambda: In(PRICE, Select(Scan(), (PRICE,)), other=True), "is said by Not"),
        (lambda: Missing(Everything()), "Everything is no value"),
        (lambda: And(Everything(), PRICE), "Column is no test"),
        (lambda: Or(Scan(), Everything()), "Scan is no test"),
        (lambda: Not(PRICE), "Column is no test"),
        (lambda: Exists(Everything()), "Everything is no relation"),
        (lambda: Filter(Scan(), PRICE), "Column is no test"),
        (lambda: Measure("sum", TOWN), "text has no sum"),
        (lambda: Measure("count", PRICE), "number has no count"),
        (lambda: Measure("mode", PRICE), "no aggregate 'mode'"),
        (lambda: Sort(Scan(), Scan()), "Scan is no value"),
        (lambda: Limit(Scan(), 1), "what is first is said by an order"),
        (lambda: Limit(Sort(Scan(), PRICE), 0), "no first 0"),
        (lambda: Select(Scan(), ()), "no column is selected"),
        (lambda: Cell(Select(Scan(), (PRICE, TOWN))), "only a relation with one column has one cell"),
    ],
)
def test_nonsense_is_refused_when_it_is_made(make, said):
    with pytest.raises(NeuralProgrammerError) as error:
        make()
    assert "a program that makes no sense" in str(error.value) or "one cell" in str(error.value)
    assert said in str(error.value)


def top(count, descending=True):
    """The towns that are there most often, with ties."""
    there = Filter(Scan(), Not(Missing(TOWN)))
    return Select(Limit(Sort(Group(there, (TOWN,), (Measure("count"),)), Measured(0), descending), count), (TOWN,))


@pytest.mark.parametrize(
    "test",
    [
        Compare(">", COUNT, Constant(2.0)),
        Compare("<", COUNT, Constant(2.0)),
        Not(Compare("<", COUNT, Constant(2.0))),
        And(Compare(">", COUNT, Constant(2.0)), Compare(">", PRICE, Constant(2.0))),
        Compare("=", Constant(1.0), Constant(1.0)),
        Compare("=", TOWN, Constant("Oslo")),
        Compare("<>", TOWN, Constant("Oslo")),
        Exists(Filter(Scan(), Compare(">", PRICE, Constant(100.0)))),
        Exists(Filter(Scan(), Compare(">", PRICE, Constant(5.0)))),
        In(TOWN, ()),
        In(TOWN, (), other=True),
        In(TOWN, top(1)),
        In(TOWN, top(2)),
        In(TOWN, top(1, descending=False)),
        In(TOWN, Select(Filter(Scan(), Compare(">", PRICE, Constant(2.0))), (TOWN,))),
        Within(PRICE, aggregate("minimum", PRICE, Everything()), Constant(3.0)),
        Compare(">", Arithmetic("+", PRICE, Constant(1.0)), aggregate("average", PRICE, Everything())),
    ],
    ids=str,
)
def test_what_no_operation_builds_means_the_same_here_and_in_sql(test):
    frame = Frame([TABLE])
    found = Interpreter(frame).rows(test)
    assert found.shape == (TABLE.rows,)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (row INT, price DOUBLE, town VARCHAR)")
        rows = zip(range(TABLE.rows), *TABLE.columns, strict=True)
        cells = [[int(row), None if price != price else float(price), str(town) or None] for row, price, town in rows]
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", cells)

        def scalar(name, expression, where):
            return select(function(name, expression), relation="t", where=where).subquery(copy=False)

        writer = Writer("t", scalar, (), "row", lambda name: exp.column(name, quoted=True))
        query = select(exp.column("row", quoted=True), relation="t", where=writer.test(test)).order_by("row")
        rows = [row for (row,) in connection.execute(query.sql("duckdb")).fetchall()]
    assert rows == np.flatnonzero(found).tolist()


def test_infinite_cells_stay_in_their_table_and_their_group():
    one, two = (Table(("price",), (np.array(cells),)) for cells in ([np.inf, 1.0], [3.0, 4.0]))
    frame = Frame([one, two])
    group = Group(Filter(Scan(), Everything()), (), (Measure("sum", PRICE), Measure("average", PRICE)))
    np.testing.assert_array_equal(Interpreter(frame).measures(group)[0], [np.inf, 7.0])
    sets = np.array([[1, 1, 1, 1], [0, 1, 1, 0]], bool)
    both = Group(Filter(Scan(), Given()), (), (Measure("sum", PRICE), Measure("average", PRICE)))
    sums, averages = Interpreter(frame, sets).measures(both)
    np.testing.assert_array_equal(sums, [[np.inf, 7.0], [1.0, 3.0]])
    np.testing.assert_array_equal(averages, [[np.inf, 3.5], [1.0, 3.0]])

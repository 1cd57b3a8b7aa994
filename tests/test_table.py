import numpy as np
import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.table import Table, is_text

NUMBERS = np.array([1.5, -2.0, 1e-300])
TEXTS = np.array(["word:1", "word:10", "word:1"])


def test_columns_keep_their_order_and_their_kind():
    table = Table(("name", "unit price"), (TEXTS, NUMBERS))
    assert table.rows == 3
    assert table.names == ("name", "unit price")
    np.testing.assert_array_equal(table.column("name"), TEXTS)
    np.testing.assert_array_equal(table.column("unit price"), NUMBERS)
    assert table.is_text("name")
    assert not table.is_text("unit price")


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (np.array(["a"]), True),
        (np.array(["a", "much longer"], object), True),
        (np.array([], dtype=str), True),
        (np.array([1.0]), False),
        (np.array([np.nan]), False),
        (np.array([], dtype=np.float64), False),
    ],
)
def test_is_text(column, expected):
    assert is_text(column) is expected


def test_records_are_rows_of_plain_python_values():
    records = Table(("T", "N"), (TEXTS, NUMBERS)).records()
    assert records == [["word:1", 1.5], ["word:10", -2.0], ["word:1", 1e-300]]
    assert [[type(value) for value in row] for row in records] == [[str, float]] * 3


def test_table_without_rows():
    table = Table(("T", "N"), (TEXTS[:0], NUMBERS[:0]))
    assert table.rows == 0
    assert table.records() == []


@pytest.mark.parametrize(
    ("names", "columns", "message"),
    [
        ((), (), "a table needs at least one column, and this one has none"),
        (("A", "B"), (NUMBERS,), "2 column names were given for 1 columns"),
        (("A",), (NUMBERS, NUMBERS), "1 column names were given for 2 columns"),
        (("A", "B", "A"), (NUMBERS,) * 3, "column name 'A' stands twice; give every column a name of its own"),
        (("A", "B"), (NUMBERS, NUMBERS[:2]), "columns must have the same number of rows, not [2, 3]"),
    ],
)
def test_tables_that_cannot_be(names, columns, message):
    with pytest.raises(NeuralProgrammerError) as error:
        Table(names, columns)
    assert str(error.value) == message


def test_unknown_column_names_the_known_ones():
    table = Table(("A", "B"), (TEXTS, NUMBERS))
    for ask in (table.column, table.is_text):
        with pytest.raises(NeuralProgrammerError) as error:
            ask("C")
        assert str(error.value) == "no column 'C'; the table has: A, B"

import numpy as np
import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables.table import Table, column_kind, is_date, is_text, missing, plain

NUMBERS = np.array([1.5, -2.0, 1e-300])
TEXTS = np.array(["word:1", "word:10", "word:1"])
DATES = np.array(["2024-02-29", "NaT", "1999-12-31"], "M8[D]")


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
        (DATES, False),
        (DATES[:0], False),
    ],
)
def test_is_text(column, expected):
    assert is_text(column) is expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (DATES, True),
        (DATES[1:2], True),
        (DATES[:0], True),
        (DATES.astype("M8[ns]"), True),
        (DATES.astype(str), False),
        (np.array([2024.0]), False),
        (np.array(["a"]), False),
    ],
)
def test_is_date(column, expected):
    assert is_date(column) is expected


def test_a_column_of_each_kind():
    table = Table(("T", "N", "D"), (TEXTS, NUMBERS, DATES))
    assert [(is_text(column), is_date(column)) for column in table.columns] == [
        (True, False),
        (False, False),
        (False, True),
    ]
    assert [table.is_text(name) for name in table.names] == [True, False, False]


@pytest.mark.parametrize("whole", [np.array([1, 2, 3]), np.array([1, 2, 3], np.uint8), np.array([1, 2, 3], np.float32)])
def test_numbers_are_made_double(whole):
    (column,) = Table(("N",), (whole,)).columns
    assert column.dtype == np.float64
    assert column.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("unit", "kept"),
    [("Y", "D"), ("M", "D"), ("W", "D"), ("D", "D"), ("h", "h"), ("m", "m"), ("s", "s"), ("ms", "ms"), ("us", "us"),
     ("ns", "ns")],
)  # fmt: skip
def test_dates_are_days_or_finer(unit, kept):
    """A year or a month is its first day; a time of day is kept."""
    dates = np.array(["2024-02-01", "NaT"], f"M8[{unit}]")
    (column,) = Table(("D",), (dates,)).columns
    assert column.dtype == np.dtype(f"M8[{kept}]")
    assert column[0] == dates[0]
    assert np.isnat(column[1])


@pytest.mark.filterwarnings("ignore:The 'generic' unit:DeprecationWarning")  # NumPy will have none of them
def test_dates_of_no_unit_are_days():
    """As NumPy has them where every cell is missing."""
    (column,) = Table(("D",), (np.array(["NaT", "NaT"], "M8"),)).columns
    assert column.dtype == np.dtype("M8[D]")


def test_missing_cells_stay_missing():
    table = Table(("T", "N", "D"), (np.array(["a", "", "b"]), np.array([np.nan, 1.0, np.nan]), DATES))
    assert (table.column("T") == "").tolist() == [False, True, False]
    assert np.isnan(table.column("N")).tolist() == [True, False, True]
    assert np.isnat(table.column("D")).tolist() == [False, True, False]
    assert table.rows == 3


def test_records_are_rows_of_plain_python_values():
    records = Table(("T", "N"), (TEXTS, NUMBERS)).records()
    assert records == [["word:1", 1.5], ["word:10", -2.0], ["word:1", 1e-300]]
    assert [[type(value) for value in row] for row in records] == [[str, float]] * 3


def test_dates_of_records_are_as_they_are_written():
    records = Table(("D", "M", "N"), (DATES, DATES.astype("M8[m]"), NUMBERS)).records()
    assert [row[0] for row in records] == plain(DATES) == ["2024-02-29", "NaT", "1999-12-31"]
    assert [row[1] for row in records] == ["2024-02-29T00:00", "NaT", "1999-12-31T00:00"]
    assert [[type(value) for value in row] for row in records] == [[str, str, float]] * 3


def test_table_without_rows():
    table = Table(("T", "N", "D"), (TEXTS[:0], NUMBERS[:0], DATES[:0]))
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


def test_the_first_rows():
    table = Table(("a", "b"), (np.array([1, 2, 3]), np.array(["x", "y", "z"])))
    assert table.head(2).records() == [[1.0, "x"], [2.0, "y"]]
    assert table.head(3) is table


@pytest.mark.parametrize(
    ("cells", "kind", "gone"),
    [
        (np.array([1.0, np.nan]), "number", [False, True]),
        (np.array([1, 2]), "number", [False, False]),
        (np.array(["a", ""]), "text", [False, True]),
        (np.array(["a", ""], object), "text", [False, True]),
        (np.array([True, False]), "text", [False, False]),
        (np.array(["2024-01-02", "NaT"], "M8[us]"), "date", [False, True]),
    ],
)
def test_one_function_tells_what_cells_are(cells, kind, gone):
    assert column_kind(cells) == kind
    assert (is_text(cells), is_date(cells)) == (kind == "text", kind == "date")
    assert missing(cells).tolist() == gone
    assert column_kind(Table(("a",), (cells,)).columns[0]) == kind

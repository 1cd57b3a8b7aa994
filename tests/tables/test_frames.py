"""Frames with types that DuckDB does not take as they come."""

import datetime

import polars
import pyarrow
import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables.source import open_source

MOMENT = datetime.datetime(2024, 3, 5, 10)


def opened(frame):
    with open_source(frame) as source:
        return [column.kind for column in source.columns], source.page(0, 10)


@pytest.mark.parametrize("kind", [polars.Int128, polars.UInt128, polars.Float16, polars.Null])
def test_types_of_polars_that_duckdb_does_not_read(kind):
    missing = kind == polars.Null
    frame = polars.DataFrame({"a": polars.Series([None if missing else 2, None], dtype=kind), "b": ["x", "y"]})
    assert opened(frame) == (
        ["text" if missing else "number", "text"],
        [(None if missing else 2, "x"), (None, "y")],
    )


def test_huge_whole_numbers_of_polars_keep_their_digits():
    frame = polars.DataFrame({"a": polars.Series([2**100, 1], dtype=polars.Int128)})
    assert opened(frame) == (["number"], [(2**100,), (1,)])


def test_moments_in_nanoseconds_with_a_zone():
    found = ["date"], [(MOMENT,), (None,)]
    assert opened(pyarrow.table({"a": pyarrow.array([MOMENT, None], pyarrow.timestamp("ns", "Asia/Tokyo"))})) == found
    assert opened(polars.DataFrame({"a": [MOMENT, None]}).cast(polars.Datetime("ns", "UTC"))) == found


def test_types_of_arrow_that_are_not_read():
    for kind in (pyarrow.float16(), pyarrow.decimal256(76, 0)):
        said = r"cannot read this Table: a column of it has a type of Arrow that is not read here \(\S+\); make it"
        with pytest.raises(NeuralProgrammerError, match=said):
            open_source(pyarrow.table({"a": pyarrow.nulls(1, kind)}))

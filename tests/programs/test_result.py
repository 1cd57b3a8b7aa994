"""Results: numbers, cells, tables, truths and none, each a small table."""

import csv
import datetime
import io
import json
import pickle

import polars
import pytest

from neural_programmer.cli import show
from neural_programmer.errors import NeuralProgrammerError, UsageError
from neural_programmer.page.downloads import as_csv
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.result import Result

RENTS = Result.table(("city", "rent"), [("Oslo", 900.0), ("Rome", None), ("Lima", 3.5)])
DAY = datetime.date(2024, 3, 5)


@pytest.mark.parametrize(
    ("result", "kind", "columns", "rows", "value", "values"),
    [
        (Result.number(3.0), "scalar", ("answer",), ((3.0,),), 3, ()),
        (Result.truth(False), "truth", ("answer",), ((False,),), False, (False,)),
        (Result.truth("more"), "truth", ("answer",), (("more",),), "more", ("more",)),
        (Result.cells(["a", None, DAY], "c"), "lookup", ("c",), (("a",), (None,), (DAY,)), ["a", None, "2024-03-05"],
         ("a", None, DAY)),
        (Result.cells([]), "lookup", ("answer",), (), [], ()),
        (RENTS, "table", ("city", "rent"), RENTS.rows, [["Oslo", 900], ["Rome", None], ["Lima", 3.5]], RENTS.rows),
        (Result.table(("a", "b"), []), "table", ("a", "b"), (), [], ()),
        (Result.none(), "none", (), (), None, ()),
    ],
)  # fmt: skip
def test_every_result_is_a_small_table(result, kind, columns, rows, value, values):
    assert (result.kind, result.columns, result.rows, result.length) == (kind, columns, rows, len(rows))
    assert (result.value, result.values) == (value, values)
    assert result.scalar == (3.0 if kind == "scalar" else None)
    assert pickle.loads(pickle.dumps(result)) == result
    hash(result)
    told = Answer(result, question="?", reason="" if rows else "so").to_dict()
    assert json.loads(json.dumps(told)) == told
    assert (told["answer"], told["columns"], told["kind"]) == (value, list(columns), kind)


def test_what_is_no_table_is_refused():
    with pytest.raises(UsageError, match="a name for each column"):
        Result("lookup", ("a", "b"), ((1,),))
    with pytest.raises(UsageError, match="columns of one length"):
        Result("table", ("a", "b"), ((1,), (1, 2)))
    with pytest.raises(UsageError, match="a cell for each of its 2 columns"):
        Result.table(("a", "b"), [(1,)])


def test_rows_that_are_too_many_to_hold_are_counted():
    some = Result.table(("a", "b"), [(1, 2)], more=9)
    assert (some.length, some.total, some.truncated) == (1, 10, True)
    assert Answer(some).to_dict()["truncated"]
    assert not RENTS.truncated
    with pytest.raises(NeuralProgrammerError, match="has 10 rows and holds the first 1 of them"):
        Answer(some).to_polars()


@pytest.mark.parametrize(
    ("result", "only"),
    [
        (Result.number(2.5), 2.5), (Result.cells((7.0,)), 7.0), (Result.table(("a",), [(4,)]), 4),
        (Result.cells((7.0,), more=1), None), (RENTS, None), (Result.none(), None), (Result.table(("a",), []), None),
    ],
)  # fmt: skip
def test_the_only_cell(result, only):
    assert result.only == only
    if only is not None:
        assert float(Answer(result)) == only
    else:
        with pytest.raises(UsageError, match="the answer is not one number"):
            float(Answer(result))


def test_a_table_is_a_frame():
    answer = Answer(RENTS)
    expected = {"city": ["Oslo", "Rome", "Lima"], "rent": [900.0, None, 3.5]}
    assert answer.to_polars().to_dict(as_series=False) == expected
    assert answer.to_arrow().to_pydict() == expected
    frame = answer.to_pandas()
    assert list(frame.columns) == ["city", "rent"]
    assert frame["city"].tolist() == expected["city"]
    assert frame["rent"].fillna(-1.0).tolist() == [900.0, -1.0, 3.5]


def test_each_column_of_a_frame_has_its_type():
    answer = Answer(Result.table(("day", "count", "is"), [(DAY, 1.0, True), (None, 2.0, False)]))
    assert answer.to_polars().schema == {"day": polars.Date, "count": polars.Int64, "is": polars.Boolean}
    assert [str(dtype)[:8] for dtype in answer.to_pandas().dtypes] == ["datetime", "int64", "bool"]
    empty = Answer(Result.table(("a", "b"), [])).to_pandas()
    assert (list(empty.columns), len(empty)) == (["a", "b"], 0)


def test_a_table_as_text(capsys):
    answer = Answer(RENTS, question="the rent of each city", unit="$")
    assert str(answer) == "[Oslo, 900; Rome, -; Lima, 3.5]"
    assert repr(answer) == "Answer('[Oslo, 900; Rome, -; Lima, 3.5]')"
    many = Answer(Result.table(("a", "b"), [(row, row) for row in range(10)]), question="?")
    assert str(many).endswith("7, 7; and 2 more]")
    show.answer(answer)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[:4]]
    assert lines == [["city", "rent"], ["Oslo", "900.0"], ["Rome", "-"], ["Lima", "3.5"]]
    assert list(csv.reader(io.StringIO(as_csv(answer)))) == [
        ["city", "rent"], ["Oslo", "900"], ["Rome", ""], ["Lima", "3.5"],
    ]  # fmt: skip


def test_a_look_up_as_a_file_has_the_name_of_its_column():
    assert as_csv(Answer(Result.cells(("Oslo",), "city"))) == "city\r\nOslo\r\n"

"""An answer as a number, as a frame, and never as a truth."""

import datetime
import importlib
import subprocess
import sys
from pathlib import Path

import pandas
import polars
import pyarrow
import pytest

import neural_programmer
from neural_programmer import front
from neural_programmer.errors import NeuralProgrammerError, UsageError
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.result import Result

FLATS = {
    "city": ["Oslo", "Rome", "Lima", "Rome"],
    "rent": [900.5, 700, None, 400],
    "rooms": [3, 2, None, 1],
    "since": ["2024-03-05", "2023-01-01", None, "2020-02-29"],
    "empty": ["yes", "no", None, "no"],
}
NONE = Answer(reason="there is no such column")
NO = Answer(Result.truth(False))


def column(name: str, *values) -> Answer:
    return Answer(Result.cells(values, name), total=len(values))


@pytest.fixture(scope="module")
def ask():
    model = front.shipped()
    return lambda question: model.ask(FLATS, question)


def test_a_look_up_is_a_column_named_as_in_the_table(ask):
    found = ask("which city has a rent of more than 500")
    assert found.to_pandas().to_dict("list") == {"city": ["Oslo", "Rome"]}
    assert found.to_polars().to_dict(as_series=False) == {"city": ["Oslo", "Rome"]}
    assert found.to_arrow().to_pydict() == {"city": ["Oslo", "Rome"]}


def test_a_number_is_one_row(ask):
    found = ask("what is the highest rent?")
    assert found.to_pandas().to_dict("list") == {"answer": [900.5]}
    assert found.to_polars().equals(polars.DataFrame({"answer": [900.5]}))
    assert found.to_arrow().equals(pyarrow.table({"answer": [900.5]}))
    assert ask("how many rows are there").to_polars().equals(polars.DataFrame({"answer": [4]}))


def test_a_truth_is_one_row():
    for frame in (NO.to_pandas().to_dict("list"), NO.to_polars().to_dict(as_series=False), NO.to_arrow().to_pydict()):
        assert frame == {"answer": [False]}


@pytest.mark.parametrize(
    ("values", "pandas_type", "polars_type", "arrow_type"),
    [
        ((1.0, 2.0), "int64", polars.Int64, pyarrow.int64()),
        ((1, 2.5), "float64", polars.Float64, pyarrow.float64()),
        ((1.0, None), "float64", polars.Int64, pyarrow.int64()),
        ((1, None), "float64", polars.Int64, pyarrow.int64()),
        ((float("inf"), 1.0), "float64", polars.Float64, pyarrow.float64()),
        (("a", None), "str", polars.String, pyarrow.string()),
        ((True, False), "bool", polars.Boolean, pyarrow.bool_()),
        ((datetime.date(2024, 3, 5), None), "datetime64", polars.Date, pyarrow.date32()),
        ((datetime.datetime(2024, 3, 5, 12), None), "datetime64", polars.Datetime, pyarrow.timestamp("us")),
    ],
)
def test_columns_have_the_types_of_their_values(values, pandas_type, polars_type, arrow_type):
    found = column("cell", *values)
    assert str(found.to_pandas()["cell"].dtype).startswith(pandas_type)
    assert found.to_polars().schema["cell"] == polars_type
    assert found.to_arrow().schema.field("cell").type == arrow_type
    assert found.to_polars()["cell"].to_list() == list(values)
    assert len(found.to_pandas()) == len(values)


def test_a_look_up_of_no_cell_is_an_empty_column():
    assert list(column("city").to_pandas().columns) == ["city"]
    assert len(column("city").to_polars()) == 0


@pytest.mark.parametrize("method", ["to_pandas", "to_polars", "to_arrow"])
def test_what_is_no_table_is_refused(method):
    with pytest.raises(NeuralProgrammerError, match=r"^there is no answer to make a table of \(there is no such col"):
        getattr(NONE, method)()
    many = Answer(Result.cells((1, 2), "a", more=998), total=1000)
    with pytest.raises(NeuralProgrammerError, match=r"has 1,000 values and holds the first 2 of them; run"):
        getattr(many, method)()


@pytest.mark.parametrize(
    ("method", "library"), [("to_pandas", "pandas"), ("to_polars", "polars"), ("to_arrow", "pyarrow")]
)
def test_a_library_that_is_not_there_is_named(monkeypatch, method, library):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(NeuralProgrammerError) as caught:
        getattr(column("a", 1), method)()
    assert str(caught.value) == f"{method}() needs {library}, which is not installed: pip install {library}"


def test_a_number_as_python_has_it(ask):
    assert float(ask("what is the highest rent?")) == 900.5
    assert int(ask("how many rows are there")) == 4
    assert float(column("rent", 700)) == 700.0
    for made, said in [
        (column("city", "Oslo"), "the answer is not one number, but ['Oslo']; answer.value has it"),
        (column("rent", 1, 2), "the answer is not one number, but 2 cells, [1, 2]; answer.value has it"),
        (column("empty", True), "the answer is not one number, but [True]; answer.value has it"),
        (NONE, "the answer is not one number, but none: there is no such column; answer.value has it"),
        (NO, "the answer is not one number, but no; answer.value has it"),
    ]:
        with pytest.raises(UsageError) as caught:
            float(made)
        assert str(caught.value) == said
    with pytest.raises(UsageError, match=r"^the answer 900.5 is not a whole number; take float\(answer\), or round it"):
        int(ask("what is the highest rent?"))


def test_an_answer_is_no_truth():
    """A no is an answer, and so is 0: nobody finds out by `if answer:` which of the two was meant."""
    for answer in (NO, NONE, Answer(Result.number(0.0)), column("a")):
        with pytest.raises(UsageError, match=r"^an answer is neither true nor false by itself: answer.answered says"):
            bool(answer)
        assert answer.answered is (answer is not NONE)


TYPED = """
import neural_programmer
answer = neural_programmer.ask("a.csv", "how many")
reveal_type(answer.to_pandas())
reveal_type(answer.to_polars())
reveal_type(answer.to_arrow())
reveal_type(float(answer))
reveal_type(answer.answered)
neural_programmer.ask([{"a": 1}], "how many", model="ask", engine="duckdb", seconds=3)
neural_programmer.think("a.csv", "how many").answer.confidence
answer.to_panda()
"""


def test_a_type_checker_sees_what_they_give(tmp_path):
    pyright = Path(sys.executable).parent / "pyright"
    if not pyright.exists():
        pytest.skip("pyright is not installed")
    (tmp_path / "asking.py").write_text(TYPED)
    root = Path(neural_programmer.__file__).parent.parent
    (tmp_path / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{root}"], "typeCheckingMode": "standard"}}')
    run = [str(pyright), "-p", str(tmp_path), "--pythonpath", sys.executable]
    said = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path).stdout
    for kind in ('answer.to_pandas()" is "DataFrame', 'to_polars()" is "DataFrame', 'answered" is "bool'):
        assert kind in said
    assert [int(line.split(":")[1]) for line in said.splitlines() if " - error: " in line] == [11]


def test_frames_are_what_their_libraries_say(ask):
    found = ask("which city has a rent of more than 500")
    assert isinstance(found.to_pandas(), pandas.DataFrame)
    assert isinstance(found.to_polars(), polars.DataFrame)
    assert isinstance(found.to_arrow(), pyarrow.Table)

"""Calls from Python: what is refused, and with which sentence; the public names; models that answer which questions."""

import inspect
import pydoc
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import neural_programmer
from neural_programmer import front
from neural_programmer.answering.model import Model
from neural_programmer.answering.thinking import Forced
from neural_programmer.base.calling import checked
from neural_programmer.errors import NeuralProgrammerError, UsageError
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Vocabulary
from neural_programmer.network.equations import initial
from neural_programmer.network.weights import Trained

RENTS = {"city": ["Oslo", "Rome", "Lima"], "rent": [900, 700, 400]}
HIGHEST = "what is the highest rent?"


@pytest.fixture(scope="module")
def model():
    return front.shipped()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda np: np.ask(RENTS, 3), "ask() takes a text as its question, and 3 is of type int"),
        (lambda np: np.ask(RENTS, b"x"), "ask() takes a text as its question, and b'x' is of type bytes"),
        (lambda np: np.ask(RENTS, None), "ask() takes a text as its question, and None came"),
        (lambda np: np.ask(HIGHEST, RENTS), "ask() takes a text as its question, and {'city'"),
        (lambda np: np.ask(RENTS, HIGHEST, enigne="spark"), "ask() has no option 'enigne'; did you mean 'engine'?"),
        (lambda np: np.ask(RENTS, HIGHEST, zzz=1), "ask() has no option 'zzz'; it has: table, question, model, engine"),
        (lambda np: np.ask(RENTS, HIGHEST, seconds="9"), "ask() takes a number as its seconds, and '9' is of type str"),
        (lambda np: np.ask(RENTS, HIGHEST, memory=60.5), "ask() takes a whole number or None as its memory, and 60.5"),
        (lambda np: np.ask(RENTS, HIGHEST, engine=3), "ask() takes one of duckdb, spark as its engine, and 3 is"),
        (lambda np: np.ask(RENTS, HIGHEST, dialect=3), "ask() takes a text or None as its dialect, and 3 is"),
        (lambda np: np.ask(RENTS, HIGHEST, model=3), "ask() takes Model or a text or a path or None as its model"),
        (
            lambda np: np.think(RENTS, HIGHEST, forced=Forced("sum")),
            "think() takes a list of Forced as its forced, and F",
        ),
        (
            lambda np: np.think(RENTS, HIGHEST, forced=["sum"]),
            "think() takes a list of Forced as its forced, and 'su",
        ),
        (lambda np: np.load(5), "load() takes a text or a path or None as its run, and 5 is of type int"),
        (lambda np: np.load(b"ask"), "load() takes a text or a path or None as its run, and b'ask' is of type bytes"),
        (
            lambda np: np.load("ask", operations="my.py"),
            "load() takes a list of a text or a path or a function as",
        ),
        (lambda np: np.evaluate(3), "evaluate() takes Model or LstmModel or a text or a path as its model, and 3 is"),
        (lambda np: np.judge("ask", 3), "examples are a file, or mappings of question, table and answer, not 3"),
        (lambda np: np.fit(3), "examples are a file, or mappings of question, table and answer, not 3"),
        (lambda np: np.fit([], steps=3), "fit() has no option 'steps'; it has: examples, out, validation"),
        (lambda np: np.train("x", training=3), "train() takes TrainingConfig or None as its training, and 3 is of"),
        (lambda np: np.traces("ask", question=3), "traces() takes a text or None as its question, and 3 is of type"),
    ],
)
def test_what_cannot_be_called_so_is_said_in_one_sentence(call, sentence):
    """As the TypeError that Python has for it, and as the error of everything else that people can mend."""
    with pytest.raises(UsageError) as caught:
        call(neural_programmer)
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, NeuralProgrammerError)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_methods_of_a_model_are_checked_too(model, tmp_path):
    with pytest.raises(UsageError, match=r"^ask\(\) has no option 'dialekt'; did you mean 'dialect'\?$"):
        model.ask(RENTS, HIGHEST, dialekt="spark")
    with pytest.raises(UsageError, match=r"^think\(\) has no option 'force'; did you mean 'forced'\?$"):
        model.think(RENTS, HIGHEST, force=[])
    with pytest.raises(UsageError, match=r"^save\(\) takes a text or a path as its path"):
        model.save(5)


def test_too_many_and_too_few_arguments_are_said_by_python():
    for given in ((RENTS,), (RENTS, HIGHEST, "spark")):
        with pytest.raises(TypeError) as caught:
            neural_programmer.ask(*given)
        assert not isinstance(caught.value, UsageError)


def test_numbers_of_numpy_are_numbers(model):
    assert model.ask(RENTS, HIGHEST, seconds=np.float32(60), memory=np.int64(500)).value == 900


@pytest.mark.parametrize("truth", [True, np.True_])
def test_a_truth_is_no_number(truth):
    @checked
    def wait(seconds: float) -> float:
        return seconds

    assert wait(3) == 3
    with pytest.raises(UsageError, match=r"wait\(\) takes a number as its seconds"):
        wait(truth)


TABLES = """
from neural_programmer import Table
for given in (("a", [[1]]), (("a",), 3), ((1,), [[1]])):
    try:
        Table(*given)
    except TypeError as error:
        print(error)
print(Table(["a"], [[1]]).names)
"""


def test_what_is_no_table_of_ours(tmp_path):
    """In a process of its own, where annotations are not checked."""
    said = subprocess.run([sys.executable, "-c", TABLES], capture_output=True, text=True)
    assert said.stdout.splitlines() == [
        "a table is made of names and columns, each a list or tuple, not 'a'",
        "a table is made of names and columns, each a list or tuple, not 3",
        "the name of a column is a text, not 1",
        "('a',)",
    ]


def test_a_function_that_is_checked_looks_as_it_was_written():
    for function in (neural_programmer.ask, neural_programmer.load, neural_programmer.fit, Model.ask, Model.think):
        assert not {kind for each in inspect.signature(function).parameters.values() if (kind := each.kind) == 4}
        assert "\n" in (function.__doc__ or "")


def test_a_question_is_asked_without_naming_a_model(tmp_path):
    """It is loaded once; other models by name, by path, or as they are."""
    front.shipped.cache_clear()
    (tmp_path / "rents.csv").write_text("city,rent\nOslo,900\nRome,700\n")
    assert neural_programmer.ask(tmp_path / "rents.csv", HIGHEST).value == 900
    assert neural_programmer.ask(RENTS, HIGHEST, model=None).value == 900
    assert neural_programmer.ask(RENTS, HIGHEST, model=neural_programmer.load()).value == 900
    assert neural_programmer.ask(RENTS, HIGHEST, model="ask").value == 900
    assert front.shipped.cache_info().misses == 1


def test_the_public_names_are_seen():
    assert {name for name in dir(neural_programmer) if not name.startswith("__")} == set(neural_programmer.__all__)
    for name in neural_programmer.__all__:
        assert (getattr(neural_programmer, name).__doc__ or "").strip(), name


def test_help_tells_the_functions_with_examples():
    said = pydoc.plain(pydoc.render_doc(neural_programmer))
    for name in ("ask", "think", "load", "fit"):
        assert f"    {name}(" in said
    assert ">>> answer = ask(rents" in said
    assert "**options" not in said


MISSPELT = """
import neural_programmer
model = neural_programmer.load()
model.ask("a.csv", "how many", dialect="spark")
neural_programmer.ask("a.csv", "how many", seconds=3)
reveal_type(model)
model.ask("a.csv", "how many", dialekt="spark")
neural_programmer.ask("a.csv", "how many", secondes=3)
neural_programmer.ask("a.csv", 3)
neural_programmer.load(5)
"""


def test_a_type_checker_sees_misspelt_options(tmp_path):
    pyright = Path(sys.executable).parent / "pyright"
    if not pyright.exists():
        pytest.skip("pyright is not installed")
    (tmp_path / "asking.py").write_text(MISSPELT)
    root = Path(neural_programmer.__file__).parent.parent
    (tmp_path / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{root}"], "typeCheckingMode": "standard"}}')
    run = [str(pyright), "-p", str(tmp_path), "--pythonpath", sys.executable]
    said = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path).stdout
    assert 'Type of "model" is "Model"' in said
    assert sorted(int(line.split(":")[1]) for line in said.splitlines() if " - error: " in line) == [7, 8, 9, 10]


def test_a_model_of_a_task_says_which_questions_it_reads(tmp_path):
    config, vocabulary = NetworkConfig(hidden=8), Vocabulary.of(["sum", "greater"])
    weights = initial(config, len(vocabulary), np.random.default_rng(0))
    Model(config, vocabulary, weights, Trained("single-column")).save(tmp_path / "model.safetensors")
    loaded = neural_programmer.load(tmp_path)
    for call in (loaded.ask, loaded.think):
        with pytest.raises(NeuralProgrammerError, match="answers questions of the task single-column in their words"):
            call(RENTS, "sum")
    with pytest.raises(NeuralProgrammerError, match="does not read people's questions; name one that was fitted"):
        neural_programmer.ask(RENTS, "sum", model=tmp_path)


def test_the_model_of_ask_is_judged_not_evaluated():
    with pytest.raises(NeuralProgrammerError, match="trained on questions as people write them; judge it by such data"):
        neural_programmer.evaluate("ask")


def test_an_empty_name_is_no_model():
    with pytest.raises(NeuralProgrammerError, match="a model has a name or a path, and this one is empty"):
        neural_programmer.load("")

"""Which model a name or a path means: the same wherever one is named."""

import shutil
from pathlib import Path

import pytest

from neural_programmer import api, front
from neural_programmer.answering.model import FILE, SHIPPED
from neural_programmer.cli import main
from neural_programmer.cli.models import chosen_model
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network import weights

DOORS = {"load": front.load, "ask": front._model, "judge": api._reader, "command": chosen_model}
OTHER = SHIPPED / "wikitablequestions.safetensors"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def chooses(model) -> str:
    """What tells the model ask from the other, whose file is given its name here."""
    return model.config.chooses


@pytest.mark.parametrize("door", DOORS)
def test_a_name_is_a_model_that_comes_along_unless_a_model_lies_there(door):
    named = DOORS[door]
    assert chooses(named("ask")) == "steps"
    Path("ask").mkdir()
    Path("ask", "notes.txt").write_text("a folder that is no run")
    assert chooses(named("ask")) == "steps"
    with pytest.raises(NeuralProgrammerError, match=r"no model at ask/model.safetensors: .* comes along: ask, wiki"):
        named("./ask")
    shutil.copy(OTHER, Path("ask", FILE))
    for path in ("ask", "./ask", f"ask/{FILE}"):
        assert chooses(named(path)) == "programs"
    shutil.rmtree("ask")
    shutil.copy(OTHER, "ask")
    assert chooses(named("ask")) == "programs"


@pytest.mark.parametrize("door", DOORS)
def test_what_is_neither_is_refused_with_the_names_that_there_are(door):
    for name in ("wikitablequestion", "runs/none"):
        with pytest.raises(NeuralProgrammerError, match=f"no model at {name}: .* ask, wikitablequestions"):
            DOORS[door](name)
    with pytest.raises(NeuralProgrammerError, match="a model has a name or a path, and this one is empty"):
        DOORS[door]("")
    with pytest.raises(NeuralProgrammerError, match=r"cannot open x+: File name too long"):
        DOORS[door]("x" * 5_000)


def test_a_fit_starts_from_no_empty_name(tmp_path):
    with pytest.raises(NeuralProgrammerError, match="this one is empty"):
        api.fit([("what is the total pay", {"pay": [1, 2]}, 3)], start="")


def test_evaluate_loads_a_model_once(monkeypatch, capsys):
    loaded, load = [], weights.load
    monkeypatch.setattr(weights, "load", lambda path: loaded.append(path) or load(path))
    Path("staff.csv").write_text("name,pay\nAnn,1\nBo,2\n")
    Path("asked.csv").write_text("question,table,answer\nwhat is the total pay,staff.csv,3\n")
    main(["evaluate", "ask", "asked.csv"])
    assert "100.00 %" in capsys.readouterr().out
    assert loaded == [SHIPPED / "ask.safetensors"]
    main(["evaluate", str(SHIPPED / "ask.safetensors"), "asked.csv"])
    assert len(loaded) == 2

"""The command that fits, and evaluate and trace on what it made: what they print and how they refuse."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from neural_programmer.api import load
from neural_programmer.cli import main
from neural_programmer.network import equations as network
from neural_programmer.programs.same import is_right_of_wikitables as is_right
from wikitable_files import FOLDER, some, there

OWN = Path(__file__).parent.parent.parent / "examples" / "own_questions"
SHIPPED = Path(__file__).parent.parent.parent / "src" / "neural_programmer" / "shipped" / "ask.safetensors"
STAFF = "name,team,pay\nAnn,red,11\nBo,blue,23\nCy,red,47\n"


@pytest.fixture
def data(tmp_path):
    (tmp_path / "staff.csv").write_text(STAFF)
    lines = [("how many people are in team red", 2), ("what is the total pay", 81), ("who is the tallest", None)]
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps({"question": q, "table": "staff.csv", "answer": a}) + "\n" for q, a in lines))
    return path


def refused(capsys, *arguments) -> str:
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    assert stopped.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    return " ".join(said.err.split())


def test_bad_data_is_refused_before_anything_is_written(capsys, data, tmp_path):
    data.write_text(data.read_text() + "{oops\n")
    said = refused(capsys, "fit", data, "--out", tmp_path / "run")
    assert "data.jsonl has 1 bad line of 4: line 4: it is not JSON: '{oops'; mend them or leave them out" in said
    assert not (tmp_path / "run").exists()
    assert "cannot read" in refused(capsys, "fit", tmp_path / "none.jsonl", "--out", tmp_path / "run")
    assert "1 bad line" in refused(capsys, "evaluate", SHIPPED, data)


def test_a_folder_that_is_taken_is_refused(capsys, data, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.txt").write_text("all of it")
    said = refused(capsys, "fit", data, "--out", tmp_path / "run")
    assert "is not empty" in said
    assert "objective" in refused(capsys, "fit", data, "--out", tmp_path / "other", "--objective", "magic")


@pytest.mark.parametrize(
    ("operations", "named"),
    [([], ""), (["own.py"], " --operations own.py"), (["a.py", "b c.py"], " --operations a.py --operations 'b c.py'")],
)
def test_what_to_do_next_names_the_operations_of_ones_own(capsys, monkeypatch, data, operations, named):
    """The model cannot be asked without them."""
    monkeypatch.setattr("neural_programmer.api.fit", lambda *_, **__: SimpleNamespace(report=None))
    monkeypatch.setattr("neural_programmer.cli.show.fit", lambda report: None)
    given = [word for path in operations for word in ("--operations", path)]
    main(["fit", str(data), "--out", "mine", *given])
    said = f"kept in mine, with report.html; next: neural-programmer ask TABLE --model mine{named}\n"
    assert capsys.readouterr().out == said


def test_evaluate_on_data_of_ones_own(capsys, data):
    main(["evaluate", str(SHIPPED), str(data)])
    assert capsys.readouterr().out.splitlines() == [
        "data.jsonl: 3 questions",
        "          accuracy  right  of",
        "all       100.00 %      3   3",
        "count     100.00 %      1   1",
        "declined  100.00 %      1   1",
        "sum       100.00 %      1   1",
    ]
    data.write_text(data.read_text() + "{oops\n")
    main(["evaluate", str(SHIPPED), str(data), "--skip-bad", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["overall"]["correct"] == 3
    assert found["skipped"] == ["line 4: it is not JSON: '{oops'"]


def test_what_is_wrong_is_shown_with_its_program(capsys, data):
    data.write_text(json.dumps({"question": "what is the total pay", "table": "staff.csv", "answer": 2}) + "\n")
    main(["evaluate", str(SHIPPED), str(data)])
    said = capsys.readouterr().out
    assert "  wrong: what is the total pay (line 1)\n         sum pay gives 81, right is 2\n" in said


@pytest.fixture
def official(tmp_path):
    (tmp_path / "csv").mkdir()
    (tmp_path / "csv" / "1.csv").write_text(STAFF.replace("Ann", '"Ann\nLee*"'))
    lines = ["id\tutterance\tcontext\ttargetValue", "nt-1\twhat is the total pay\tcsv/1.csv\t81.0",
             "nt-2\twho has the lowest pay\tcsv/1.csv\tann lee", "nt-3\twho is the tallest\tcsv/1.csv\tBo"]  # fmt: skip
    (tmp_path / "q").mkdir()
    (tmp_path / "q" / "few.tsv").write_text("\n".join(lines) + "\n")
    return tmp_path / "q" / "few.tsv"


def test_wikitablequestions_by_its_measure_with_predictions(capsys, official, tmp_path):
    """By the name of the model that comes with this program: where it would decline, its next best program counts."""
    folder, written = official.parent.parent, tmp_path / "said.tsv"
    main(["evaluate", "ask", str(official), "--tables", str(folder), "--predictions", str(written)])
    said = capsys.readouterr().out
    assert said.startswith("few.tsv: 3 questions, by the official measure of WikiTableQuestions\n")
    assert re.search(r"^all +66.66 % +2 +3$", said, re.MULTILINE)
    assert 'greatest pay; assign name gives ["Cy"], right is "Bo"' in said
    assert written.read_text() == "nt-1\t81\nnt-2\tAnn Lee*\nnt-3\tCy\n"
    main(["evaluate", "ask", str(official), "--tables", str(folder), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["official"] is True
    assert [one["key"] for one in found["wrong"]] == ["nt-3"]


def test_predictions_replace_nothing_that_is_read(capsys, official, tmp_path):
    """Neither the questions, under whatever name, nor a table, nor the model; and the folder must be there."""
    tables, model = official.parent.parent, tmp_path / "model.safetensors"
    model.write_bytes(Path(SHIPPED).read_bytes())
    for path in (official, official.parent / ".." / "q" / "few.tsv", tables / "csv" / "1.csv", model):
        before = path.read_bytes()
        said = refused(capsys, "evaluate", model, official, "--tables", tables, "--predictions", path)
        assert "it is read from, and would be lost" in said
        assert path.read_bytes() == before
    said = refused(capsys, "evaluate", model, official, "--tables", tables, "--predictions", tmp_path / "no" / "x.tsv")
    assert "there is no such folder" in said


def test_a_question_that_is_too_long_is_one_bad_line(capsys, official):
    lines = official.read_text().splitlines()
    official.write_text("\n".join([*lines, f"nt-4\t{'why ' * 5_000}\tcsv/1.csv\t1"]) + "\n")
    arguments = ["evaluate", "ask", str(official), "--tables", str(official.parent.parent)]
    assert "line 5" in refused(capsys, *arguments)
    main([*arguments, "--skip-bad"])
    assert "3 questions" in capsys.readouterr().out


def test_questions_that_are_all_too_long_to_learn_from(capsys, official, tmp_path):
    lines = official.read_text().splitlines()
    long = [line.replace("\tcsv", " if you please" * 15 + "\tcsv") for line in lines[1:]]
    official.write_text("\n".join([lines[0], *long]) + "\n")
    fit = ["fit", official, "--validation", official, "--tables", official.parent.parent, "--steps", "1"]
    assert "no question is short enough" in refused(capsys, *fit, "--out", tmp_path / "run")


@pytest.mark.slow
@there
def test_an_ensemble_is_kept_resumed_and_judged(capsys, tmp_path):
    """Two networks on real questions, for a moment: the model of the run is both, and what it says can be measured."""
    train, others = some(tmp_path / "train.tsv", 0, 20), some(tmp_path / "others.tsv", 100, 8)
    run, said = tmp_path / "run", tmp_path / "said.tsv"
    tables = ["--tables", str(FOLDER)]
    options = "--report-every 1 --batch 2 --restarts 2 --ensemble --steps".split()
    fit = ["fit", str(train), "--validation", str(others), "--out", str(run), *tables, *options]
    for steps in (["1"], ["2", "--resume"]):
        main([*fit, *steps])
        model = load(run)
        assert model.config.members == 2
        one, other = (network.member(model.parameters, place) for place in range(2))
        assert np.abs(one.words - other.words).max() > 0.01, "they began elsewhere"
    capsys.readouterr()
    alone = [each for each in fit if each != "--ensemble"]
    assert "ensemble" in refused(capsys, *alone, "3", "--resume")
    assert load(run).config.members == 2
    main(["evaluate", str(run), str(others), *tables, "--predictions", str(said), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["official"] is True
    wanted = [line.split("\t") for line in others.read_text().splitlines()[1:]]
    lines = [line.split("\t") for line in said.read_text().splitlines()]
    assert [key for key, *_ in lines] == [key for key, *_ in wanted]
    assert sum(bool(items) for _, *items in lines) > 4
    right = sum(is_right(items, target.split("|")) for (_, *items), (*_, target) in zip(lines, wanted, strict=True))
    assert found["overall"] == {"correct": right, "total": 8, "accuracy": right / 8}


def test_folders_of_tables_and_predictions_are_of_wikitablequestions(capsys, data, official, tmp_path):
    assert "cannot read the table" in refused(capsys, "evaluate", "ask", official)
    written = tmp_path / "said.tsv"
    said = refused(capsys, "evaluate", "ask", data, "--predictions", written)
    assert "a file of predictions goes with a file of WikiTableQuestions, and data.jsonl is none" in said
    assert not written.exists()
    none = "a folder of tables goes with a file of WikiTableQuestions, and data.jsonl is none"
    assert none in refused(capsys, "evaluate", "ask", data, "--tables", tmp_path)
    assert none in refused(capsys, "fit", data, "--tables", tmp_path, "--out", tmp_path / "run")
    said = refused(capsys, "evaluate", "ask", "--predictions", written)
    assert "--predictions has no use where no data is named; leave it out" in said


def test_options_that_would_be_ignored_are_refused(capsys, data):
    for option, value in (("--task", "single-column"), ("--seed", 1), ("--value-range", 50)):
        said = refused(capsys, "evaluate", SHIPPED, data, option, value)
        assert f"{option} has no use where data is named; leave it out" in said
    said = refused(capsys, "evaluate", SHIPPED, "--skip-bad")
    assert "--skip-bad has no use where no data is named; leave it out" in said
    said = refused(capsys, "trace", SHIPPED, "--table", data.parent / "staff.csv", "--question", "pay", "--count", 1)
    assert "--count has no use where a table is named; leave it out" in said


def test_trace_on_a_table_of_ones_own(capsys, data):
    main(["trace", str(SHIPPED), "--table", str(data.parent / "staff.csv"), "--question", "total pay of team red"])
    said = capsys.readouterr().out
    assert "program: text match team red; sum pay\nanswer: 58" in said
    assert "--question" in refused(capsys, "trace", SHIPPED, "--table", data.parent / "staff.csv")


def test_trace_sees_what_a_model_reads_in_cells(capsys, tmp_path):
    (tmp_path / "races.csv").write_text("runner,time\nAnn,2:01.5\nBo,2:03.1\nCy,1:59.9\n")
    asked = ["--table", str(tmp_path / "races.csv"), "--question", "who had the lowest time?"]
    main(["trace", "wikitablequestions", *asked])
    assert "time (time)" in capsys.readouterr().out

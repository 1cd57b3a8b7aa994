"""The command line: what it prints, what it writes, and how it refuses."""

import json
import re
import subprocess
import sys

import pytest

from neural_programmer import api
from neural_programmer.cli import app, main
from neural_programmer.learning.config import TrainingConfig
from neural_programmer.network.config import NetworkConfig

TASKS = {
    "single-column": 23,
    "three-columns": 307,
    "five-columns": 1231,
    "ten-columns": 8861,
    "words-one-column": 1368,
    "words-five-columns": 116_368,
    "text-two-columns": 1190,
    "text-five-columns": 12_093,
    "single-column-scalars": 16,
    "same-comparison": 307,
    "unseen-names": 3179,
}
TINY = TrainingConfig(steps=20, examples=100, batch=10, validation=20, report_every=10)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A tiny trained run, to evaluate and to trace."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    api.train("three-columns", config=NetworkConfig(hidden=8), training=TINY, out=folder)
    return folder


def say(capsys, *arguments: str) -> str:
    main([str(argument) for argument in arguments])
    return capsys.readouterr().out


def refuse(capsys, *arguments: str) -> str:
    """The one sentence with which a command is refused: exit code 2, nothing on the output, no traceback."""
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    assert stopped.value.code == 2
    assert shown.out == ""
    assert shown.err.startswith("neural-programmer: ")
    assert shown.err.count("\n") == 1
    return shown.err


def test_tasks(capsys):
    listed = json.loads(say(capsys, "tasks", "--json"))
    assert {row["task"]: row["templates"] for row in listed} == TASKS
    text = say(capsys, "tasks")
    for name, count in TASKS.items():
        assert any(line.startswith(name) and f" {count:,} " in line for line in text.splitlines())


def test_generate_writes_readable_triples(capsys, tmp_path):
    path = tmp_path / "triples.jsonl"
    for split, count, seed in (("train", 7, 3), ("test", 7, 3)):
        say(
            capsys,
            "generate",
            "--task",
            "text-five-columns",
            "--split",
            split,
            "--count",
            count,
            "--seed",
            seed,
            "--out",
            path,
        )
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        assert len(lines) == 7
        assert set(lines[0]) >= {"question", "table", "answer"}
        assert all(len(line["table"]["rows"]) == 120 for line in lines) == (split == "test")
    first = path.read_bytes()
    say(capsys, "generate", "--task", "text-five-columns", "--split", "test", "--count", 7, "--seed", 3, "--out", path)
    assert path.read_bytes() == first


def test_train_evaluate_trace(capsys, tmp_path):
    """The commands one after the other, as a person would give them."""
    folder = tmp_path / "run"
    settings = (
        "--hidden",
        8,
        "--steps",
        20,
        "--examples",
        100,
        "--validation",
        20,
        "--report-every",
        10,
        "--restarts",
        2,
    )
    text = say(
        capsys, "train", "--task", "single-column", "--objective", "soft", "--seed", 4, *settings, "--out", folder
    )
    assert "restart" in text
    assert f"kept in {folder}" in text
    text = say(capsys, "evaluate", folder, "--task", "single-column", "--seed", 1)
    assert text.startswith("single-column: 23 questions of seed 1, tables of 120 rows, numbers in [-200, 200]")
    text = say(capsys, "trace", folder, "--task", "single-column")
    assert sum(line.startswith(("answer: ", "no answer: ")) for line in text.splitlines()) == 3
    assert "pivot_g" in text
    metrics = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in metrics] == [10, 20]
    assert all(len(line["accuracy"]) == 2 for line in metrics)


def test_by_default_arguments_are_chosen_at_every_step(capsys, run):
    text = say(capsys, "trace", run, "--count", 1)
    assert "argument" in text
    assert "pivot_g" not in text
    settings = json.loads((run / "config.json").read_text())
    assert settings["objective"] == "marginal"
    assert settings["network"] | {"arguments": "step", "columns": "pointers"} == settings["network"]


def test_a_model_reads_tables_with_more_columns_and_other_names(capsys, run):
    """Trained on three columns, it reads questions about ten, and about names it never met."""
    for name in ("ten-columns", "unseen-names"):
        score = json.loads(say(capsys, "evaluate", run, "--task", name, "--count", 20, "--json"))
        assert score["overall"]["total"] == 20


@pytest.mark.slow
def test_reproduce(capsys, tmp_path):
    """One column learnt from answers alone, and all test questions right, as results with tables and plots.

    The training runs as people run it, in a process of its own: types checked at every call would make it slow.
    """
    folders = ("--results", tmp_path / "results", "--runs", tmp_path / "runs", "--page", tmp_path / "docs" / "page.md")
    asked = ("reproduce", "single-column", "--parts", "marginal", *folders, "--restarts")
    done = subprocess.run(
        [sys.executable, "-m", "neural_programmer.cli", *map(str, asked), "1"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    text = done.stdout
    assert text.splitlines()[0] == (
        "marginal-single-column: 1 of 1 restarts at 100 % of 1,012 test questions, best 100.00 %, worst 100.00 %"
    )
    result = json.loads((tmp_path / "results" / "marginal-single-column.json").read_text())
    assert [restart["accuracy"] for restart in result["restarts"]] == [1.0]
    tried = [result["exactly"], *(each["restarts"] for each in result["invariance"])]
    assert [[score["accuracy"] for score in each] for each in tried] == [[1.0]] * 4
    page = (tmp_path / "docs" / "page.md").read_text()
    assert (
        "| single-column | 100.00 | not tried | not tried | not tried | not tried | 1 of 1 | 100.00 | 100.00 | 100.00 |"
        in page
    )
    for picture in re.findall(r"\((plots/.*?)\)", page):
        assert (tmp_path / "docs" / picture).read_bytes().startswith(b"\x89PNG")
    assert say(capsys, *asked, 1) == text
    assert "is of other settings (restarts 1); move it away" in refuse(capsys, *asked, 3)
    (tmp_path / "results" / "marginal-single-column.json").write_text("{")
    assert "cannot read the result" in refuse(capsys, *asked, 1)


def test_train_an_lstm(capsys, tmp_path):
    folder = tmp_path / "run"
    settings = ("--hidden", 8, "--heads", 2, "--no-table-first", "--layers", 1, "--steps", 2, "--validation", 5)
    say(capsys, "train", "--task", "single-column-scalars", "--model", "lstm", *settings, "--batch", 5, "--out", folder)
    scores = [
        json.loads(say(capsys, "evaluate", folder, "--count", 20, *scale, "--json"))
        for scale in ((), ("--value-range", 50))
    ]
    assert [score["value_range"] for score in scores] == [10, 50]
    assert all(score["overall"]["total"] == 20 for score in scores)
    assert "nothing to trace" in refuse(capsys, "trace", folder)


def test_evaluate_json_adds_up(capsys, run):
    score = json.loads(say(capsys, "evaluate", run, "--seed", 2, "--count", 90, "--json"))
    assert score["task"] == "three-columns"
    assert score["overall"]["total"] == 90
    for part in ("correct", "total"):
        assert sum(group[part] for group in score["categories"].values()) == score["overall"][part]
        assert score["seen"][part] + score["unseen"][part] == score["overall"][part]
    assert score["overall"]["accuracy"] == score["overall"]["correct"] / 90
    assert score == api.evaluate(run, seed=2, count=90).to_dict() | {"rows": [120, 120]}


def test_trace_a_question_of_ones_own(capsys, run):
    text = say(capsys, "trace", run, "--question", "greater 50.32 C and lesser 20.21 B sum A")
    assert "greater 50.32 C and lesser 20.21 B sum A" in text
    assert [line.split()[0] for line in text.splitlines() if line[:1].isdigit()] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tasks", "--colour"], "--colour"),
        (
            ["generate", "--task", "nine-columns", "--out", "x"],
            "unknown task 'nine-columns'; choose one of: single-column,",
        ),
        (["generate", "--task", "single-column", "--count", "0", "--out", "x"], "at least one triple"),
        (["generate", "--task", "single-column", "--split", "test", "--count", "24", "--out", "x"], "has 23 questions"),
        (["generate", "--task", "ten-columns", "--count", "1000000000000", "--out", "x"], "cells; ask for at most"),
        (["generate", "--task", "single-column", "--count", "1", "--out", "/nowhere/x"], "No such file or directory"),
        (["generate", "--task", "single-column", "--count", "many", "--out", "x"], "many"),
        (["train", "--task", "single-column"], "--out"),
        (["train", "--task", "nine-columns", "--out", "x"], "unknown task"),
        (
            ["train", "--task", "single-column-scalars", "--model", "lstm", "--objective", "soft", "--out", "x"],
            "an LSTM learns in a way of its own; leave out --objective",
        ),
        (["train", "--task", "single-column", "--hidden", "0", "--out", "x"], "hidden must be 1 to 8,192, not 0"),
        (["train", "--task", "five-columns", "--hidden", "7", "--out", "x"], "hidden must be even"),
        (
            ["train", "--task", "single-column", "--steps", "-5", "--out", "x"],
            "steps must be 1 to 1,000,000,000, not -5",
        ),
        (["train", "--task", "single-column", "--objective", "magic", "--out", "x"], "magic"),
        (["train", "--task", "single-column", "--seed", "-1", "--out", "x"], "a seed is a whole number"),
        (["train", "--task", "english", "--written", "1.5", "--out", "x"], "--written takes a whole number, not 1.5"),
        (
            ["train", "--task", "single-column", "--layers", "2", "--out", "x"],
            "--layers is no setting of the neural-prog",
        ),
        (
            ["train", "--task", "single-column-scalars", "--model", "lstm", "--arguments", "mixed", "--out", "x"],
            "--arguments is no",
        ),
        (["train", "--task", "single-column", "--model", "lstm", "--out", "x"], "also asks for look-ups"),
        (["train", "--task", "single-column", "--clip", "0", "--out", "x"], "clip must be 1e-30 to 1e+30, not 0"),
        (
            ["train", "--task", "single-column", "--program-steps", "1000000000", "--out", "x"],
            "program steps must be 1 to 64",
        ),
        (
            ["train", "--task", "single-column", "--hidden", "1000", "--restarts", "9999", "--out", "x"],
            "weights together",
        ),
        (["train", "--task", "single-column", "--out", "x" * 300], "File name too long"),
        (["evaluate", "x" * 300], "File name too long"),
        (["train", "--task", "single-column", "--resume", "--out", "x"], "holds no run to resume"),
        (["reproduce", "nine-columns"], "unknown task 'nine-columns'"),
        (["reproduce", "--parts", "dancing"], "dancing"),
        (["reproduce", "same-comparison", "--parts", "noise"], "no experiment of noise is about same-comparison"),
        (["reproduce", "--restarts", "0"], "restarts must be 1 to 10,000, not 0"),
        (
            ["train", "--task", "text-two-columns", "--arguments", "mixed", "--out", "x"],
            "train with --arguments step, or with --objective soft",
        ),
        (["evaluate", "nowhere"], "no model at nowhere"),
        (["evaluate"], "run"),
        (["trace", "nowhere"], "no model at nowhere"),
        (["dance"], "dance"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(capsys, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert message in refuse(capsys, *arguments)
    assert list(tmp_path.iterdir()) == []


def test_bad_questions_and_tasks_for_a_model(capsys, run):
    assert "never met the word 'median'" in refuse(capsys, "trace", run, "--question", "median A")
    assert "needs at least one word" in refuse(capsys, "trace", run, "--question", "12 13")
    assert "cannot read the questions of words-one-column" in refuse(
        capsys, "evaluate", run, "--task", "words-one-column"
    )
    assert "at least 1 row" in refuse(capsys, "evaluate", run, "--rows", "0")
    assert "range of the numbers" in refuse(capsys, "evaluate", run, "--value-range", "0")
    assert "at least one question" in refuse(capsys, "trace", run, "--count", "0")


def test_a_model_that_is_not_one(capsys, run, tmp_path):
    (tmp_path / "model.safetensors").write_bytes((run / "model.safetensors").read_bytes()[:1000])
    assert "is not a whole safetensors file" in refuse(capsys, "evaluate", tmp_path)


COMMANDS = {  # and some of the settings of each
    "ask": {"--seconds", "--memory", "--batch"}, "run": {"--chart", "--operations"},
    "fit": {"--start", "--patience", "--resume"}, "train": {"--task"},
    "serve": {"--token"}, "tasks": {"--json"}, "generate": {"--split"}, "evaluate": {"--sets"}, "trace": {"--question"},
    "reproduce": {"--parts"}, "completion": set(),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name):
    """Each flag of each command has a help text, and each command an example."""
    assert {each for each in app if not each.startswith("-")} == COMMANDS.keys()
    assert f"Example: neural-programmer {name}" in (app[name].help or app[name].default_command.__doc__)
    shown = [argument for argument in app[name].assemble_argument_collection(parse_docstring=True) if argument.show]
    assert {argument.name for argument in shown} >= COMMANDS[name]
    assert [argument.name for argument in shown if not argument.parameter.help] == []


def test_asking_needs_no_deep_learning_framework(run):
    """evaluate and trace run where JAX cannot be imported; train says what to install."""
    script = "import sys; sys.modules['jax'] = None; from neural_programmer.cli import main; main(sys.argv[1:])"
    for command in (["tasks"], ["evaluate", str(run), "--count", "5"], ["trace", str(run), "--count", "1"]):
        done = subprocess.run([sys.executable, "-c", script, *command], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    train = ["train", "--task", "single-column", "--out", "unused"]
    done = subprocess.run([sys.executable, "-c", script, *train], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'neural-programmer[train]'" in done.stderr


@pytest.mark.parametrize(("given", "frozen"), [(None, 1), (["--version"], 0)])
def test_what_was_imported_is_no_garbage_of_a_command(monkeypatch, given, frozen):
    """The process of a command looks at it no more; a program that calls main keeps its own ways."""
    called = []
    monkeypatch.setattr("gc.freeze", lambda: called.append(None))
    monkeypatch.setattr(sys, "argv", ["neural-programmer", "--version"])
    main(given)
    assert len(called) == frozen

"""What is shown while people wait, and a truth."""

import contextlib
from types import SimpleNamespace

import pytest
from rich.console import Console

from neural_programmer.cli import main, show
from neural_programmer.programs.answer import Answer, AnswerStep
from neural_programmer.programs.result import Result


def test_an_interrupt_that_a_library_swallowed_is_raised_again(monkeypatch):
    monkeypatch.setattr(show, "_interrupted", False)
    with show.bar("training", 10) as advance:
        advance(1)
        with contextlib.suppress(KeyboardInterrupt):  # as JAX's callback of the garbage collector does
            show.interrupt()
        with pytest.raises(KeyboardInterrupt):
            advance(2)


def test_a_truth_is_said_in_a_word_above_its_steps(capsys):
    steps = (AnswerStep("greater", "price", 5.0, 2, "price is more than 5"), AnswerStep("whether", rows=2))
    show.answer(Answer(Result.truth(True), question="any?", steps=steps, total=2, confidence=0.9))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "yes"
    assert [line.split() for line in lines if "whether" in line] == [["2", "whether", "2"]]
    assert lines[-1] == "confidence 90%"


def test_what_was_taken_is_said_below_the_answer(capsys):
    steps, notes = (AnswerStep("count", rows=2),), ("July is July 2024.\x1b",)
    show.answer(Answer(Result.number(2.0), question="q", steps=steps, confidence=0.9, notes=notes))
    assert capsys.readouterr().out.splitlines()[:2] == ["2", "July is July 2024.\\x1b"]


def test_a_training_shows_how_the_kept_restart_rose(capsys):
    reports = [
        SimpleNamespace(step=20 * place, loss=(0.5, 0.7), accuracy=(0.1, share), best_accuracy=(0.1, share))
        for place, share in enumerate((0.25, 0.5, 1.0, 0.9, 1.0), 1)
    ]
    show.restarts(SimpleNamespace(reports=reports, best_restart=1))
    said = capsys.readouterr().out.splitlines()[-1]
    assert said == ("validation of the one that is kept: 25.00 % at step 20, 50.00 % at step 40, 100.00 % at step 60")


def test_nothing_of_a_table_or_a_command_steers_the_terminal(capsys, monkeypatch, tmp_path):
    """A query for another program stays as it is."""
    (tmp_path / "a.csv").write_text("\x1b[31mred,rent\nx,5\n")
    table = str(tmp_path / "a.csv")
    for arguments in (
        ["ask", f"{table}::\x1b[31m", "how many"],
        ["ask", table, "total blue", "--sql", "duckdb"],
        ["ask", table, "how many", "--digits", "\x1b[31m"],
        ["\x1b[31m"],
    ):
        with pytest.raises(SystemExit):
            main(arguments)
        said = capsys.readouterr().err
        assert "\\x1b[31m" in said
        assert "\x1b" not in said
    for is_terminal in (False, True):
        monkeypatch.setattr(show, "console", Console(force_terminal=is_terminal, color_system=None, markup=False))
        main(["ask", table, "which red has rent 5", "--sql", "duckdb"])
        assert ("\x1b[31mred" in capsys.readouterr().out) is not is_terminal

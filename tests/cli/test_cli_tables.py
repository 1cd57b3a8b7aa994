"""Answers that are tables in a terminal, and their pictures as files."""

import csv
import io
import json
import re

import pytest
from rich.console import Console

from neural_programmer.cli import ask as command
from neural_programmer.cli import main, show
from neural_programmer.programs.answer import Answer, AnswerStep
from neural_programmer.programs.charts import png
from neural_programmer.programs.result import Result

RENTS = Result.table(("city", "rent"), [("Oslo", 900.25), ("Rome", None), ("Lima", 350.0)])
STEPS = (AnswerStep("average", "rent", in_words="the average rent for each city"),)


@pytest.fixture
def printed(capsys, monkeypatch):
    """Print an answer as a terminal shows it, or another program reads it; its lines up to the steps."""

    def show_it(result: Result, width: int = 80, height: int = 30, terminal: bool = True, **settings) -> list[str]:
        made = {"highlight": False, "soft_wrap": True, "markup": False, "emoji": False, "color_system": None}
        out = Console(force_terminal=terminal, width=width, height=height, **made)
        monkeypatch.setattr(show, "console", out)
        show.answer(Answer(result, question="?"), **settings)
        lines = [line.rstrip() for line in capsys.readouterr().out.split("\n\n  step")[0].splitlines()]
        assert all(len(line) <= width or not terminal for line in lines)
        return lines

    return show_it


def test_a_table_has_bars_on_a_terminal_alone(printed):
    plain = ["city    rent", "Oslo  900.25", "Rome       -", "Lima  350.00"]
    assert printed(RENTS, terminal=False) == plain
    assert printed(RENTS) == [
        plain[0], f"{plain[1]}  {'█' * 30}", plain[2], f"{plain[3]}  {'█' * 11}▋",
    ]  # fmt: skip
    assert printed(RENTS, digits=1)[1].startswith("Oslo  900.2 ")
    assert printed(RENTS, width=18) == plain  # no room for bars


def test_what_is_below_zero_goes_to_the_left(printed):
    lines = printed(Result.table(("shop", "growth"), [("A", 10), ("B", -10), ("C", 0), ("D", 0.01)]))
    bars = [line[len("shop  growth  ") :] for line in lines[1:]]
    assert bars == [" " * 15 + "█" * 15, "█" * 15, "", " " * 15 + "█"]


def test_at_most_a_screen_and_the_rest_counted(printed):
    many = Result.table(("name", "n"), [(f"row {place}", place) for place in range(1_000)], more=9_000)
    lines = printed(many)
    assert (len(lines), lines[-2:]) == (
        23,
        ["and 9,980 more rows, with --json", "the answer holds the first 1,000 rows"],
    )
    assert len(printed(many, height=10)) == 1 + 6 + 2
    wide = Result.table([f"c{place}" for place in range(200)], [range(200)] * 3)
    lines = printed(wide)
    assert len(lines) == 5
    assert re.fullmatch(r"and 1\d\d more columns, with --json", lines[-1])
    assert printed(Result.table(("a", "b"), [])) == ["a  b", "no row"]
    assert printed(Result.table(("a",), [(1,)])) == ["a", "1"]


def test_long_and_wide_and_hostile_cells_stay_in_line(printed):
    rows = [("x" * 500, 1), ("名" * 300, 22), ("\x1b[31mred\nline", 333), ("", 4)]
    lines = printed(Result.table(("\x1b", "n"), rows), terminal=False)
    assert "\x1b" not in "".join(lines)
    assert lines[1].startswith("x" * 39 + "…")
    assert lines[2].startswith("名" * 19 + "…")
    assert lines[3].startswith("\\x1b[31mred\\x0aline")
    assert lines[-1] == "cells that are too long are cut, and whole with --json"
    assert printed(Result.table(("\x1b", "n"), rows))[1].startswith("x" * 39 + "…")


def test_odd_numbers_have_bars_or_none(printed):
    rows = [("a", 1e300), ("b", 5e-324), ("c", float("inf")), ("d", float("nan")), ("e", -1e300)]
    lines = printed(Result.table(("k", "n"), rows))
    assert ["█" in line for line in lines[1:]] == [True, True, False, False, True]
    assert printed(Result.table(("k", "n"), [("a", 0), ("b", 0)]))[1:] == ["a  0", "b  0"]


def test_many_numbers_are_a_histogram_on_a_terminal(printed):
    dice = Result.cells([1.0, 2.0, 3.0] * 20, "eyes")
    assert printed(dice, terminal=False) == ["1 (20 times)", "2 (20 times)", "3 (20 times)"]
    assert printed(dice)[4:] == [f"{eyes}  20  {'█' * 30}" for eyes in (1, 2, 3)]


def test_bands_have_bars_and_numbers_alone_have_none(printed):
    bands = Result.table(("age in bands of 10", "count"), [(10.0, 4), (20.0, 2), (40.0, 1)])
    assert [line.count("█") for line in printed(bands)] == [0, 30, 15, 7]
    alone = Result.table(("how many",), [(place,) for place in range(40)])
    assert not [line for line in printed(alone) if "█" in line]


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Ask the command with an answer made by hand."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flats.csv").write_text("city,rent\nOslo,900\nRome,700\n")
    given = {"answer": Answer(RENTS, question="average rent for each city", steps=STEPS, confidence=0.9)}
    monkeypatch.setattr(command, "_ask", lambda *_, **__: given["answer"])

    def say(*options: str, question: str = "average rent for each city", **other) -> None:
        given.update(other)
        main(["ask", "flats.csv", *filter(None, [question]), *options])

    return say


@pytest.mark.parametrize(("ending", "begins"), [("html", "<!doctype html>"), ("svg", "<svg "), ("json", "{\n")])
def test_a_picture_is_written_beside_the_answer(asked, tmp_path, capsys, ending, begins):
    asked("--chart", f"out.{ending}")
    told = capsys.readouterr()
    assert told.out.splitlines()[0] == "city    rent"
    assert told.err == f"wrote out.{ending}\n"
    written = (tmp_path / f"out.{ending}").read_text()
    assert written.startswith(begins)
    assert "Bars: rent for each city; 2 groups; highest Oslo with 900.25, lowest Lima with 350." in written
    assert "<script" not in written
    names = "http://www.w3.org/2000/svg", "https://vega.github.io/schema"
    assert not [address for address in re.findall(r"\w+://[^\"\s<]+", written) if not address.startswith(names)]
    asked("--chart", f"out.{ending}", "--json")  # and again, in the place of the other
    said = json.loads(capsys.readouterr().out)
    assert (said["kind"], said["columns"]) == ("table", ["city", "rent"])
    assert said["answer"] == [["Oslo", 900.25], ["Rome", None], ["Lima", 350]]
    assert said["chart"]["data"]["values"][0] == {"along": "Oslo", "value": 900.25}


def test_a_picture_is_written_as_png(asked, tmp_path, capsys):
    pytest.importorskip("resvg_py")
    asked("--chart", "out.PNG")
    assert (tmp_path / "out.PNG").read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().err == "wrote out.PNG\n"


@pytest.mark.parametrize(
    ("options", "question", "said"),
    [
        (["--chart", "out.pdf"], "q", "unknown ending of a picture '.pdf'; choose one of: .html, .svg, .png, .json"),
        (["--chart", "out"], "q", "unknown ending of a picture 'out'; choose one of: .html, .svg, .png, .json"),
        (["--chart", "no/folder/out.svg"], "q", "cannot write no/folder/out.svg: No such file or directory"),
        (["--chart", "a\x00.svg"], "q", "cannot write a\\x00.svg"),
        (["--chart", "out.svg"], "", "--chart is for the picture of one answer; name one question, or leave out"),
        (["--chart", "out.svg", "--sql", "duckdb"], "q", "--chart is for the picture of one answer; leave out --sql"),
        (["--chart", "out.svg", "--batch", "q.jsonl"], "", "--chart is for the picture of one answer; name one"),
    ],
)
def test_a_picture_that_cannot_be_written_is_one_sentence(asked, capsys, options, question, said, tmp_path):
    with pytest.raises(SystemExit) as ended:
        asked(*options, question=question)
    assert ended.value.code == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]
    assert [path.name for path in tmp_path.iterdir()] == ["flats.csv"]


def test_an_answer_without_a_picture_is_told_and_then_that(asked, capsys, tmp_path):
    with pytest.raises(SystemExit) as ended:
        asked("--chart", "out.svg", answer=Answer(Result.number(3.0), question="?"))
    told = capsys.readouterr()
    assert ended.value.code == 2
    assert told.out.splitlines()[0] == "3"
    assert told.err == "neural-programmer: there is no picture of this answer: it is one number\n"
    with pytest.raises(SystemExit) as ended:
        asked("--chart", "out.svg", answer=Answer(reason="no such column", question="?"))
    assert ended.value.code == 1
    assert not (tmp_path / "out.svg").exists()


def test_a_png_without_its_package_is_refused_before_the_question(asked, capsys, monkeypatch):
    def lacking(_):
        raise ImportError

    monkeypatch.setattr(png.importlib, "import_module", lacking)
    with pytest.raises(SystemExit):
        asked("--chart", "out.png")
    told = capsys.readouterr()
    assert told.out == ""
    assert "a PNG needs resvg_py, which is not installed: pip install 'neural-programmer[charts]'" in told.err


def test_the_table_is_never_written_to(asked, capsys, tmp_path):
    (tmp_path / "flats.json").write_text('[{"city": "Oslo", "rent": 900}]')
    with pytest.raises(SystemExit):
        main(["ask", "flats.json", "average rent", "--chart", "./flats.json"])
    assert "is the table itself, which is never written to; name another file" in capsys.readouterr().err
    assert (tmp_path / "flats.json").read_text().startswith("[{")


def test_an_answer_is_printed_as_csv(asked, capsys, monkeypatch):
    asked("--csv")
    assert capsys.readouterr().out == "city,rent\nOslo,900.25\nRome,\nLima,350\n"
    odd = Result.table(("a,b", "=c"), [("x\ny", '"q"'), ("=1+1", None)], more=5)
    asked("--csv", answer=Answer(odd))
    told = capsys.readouterr()
    assert list(csv.reader(io.StringIO(told.out))) == [["a,b", "'=c"], ["x\ny", '"q"'], ["'=1+1", ""]]
    assert told.err == "the answer holds the first 2 of 7 rows\n"
    monkeypatch.setattr(show, "console", Console(force_terminal=True))
    asked("--csv", answer=Answer(Result.cells(["\x1b[31mred"], "c")))
    assert capsys.readouterr().out == "c\n\\x1b[31mred\n"
    asked("--csv", answer=Answer(Result.number(3.5)))
    assert capsys.readouterr().out == "answer\n3.5\n"
    with pytest.raises(SystemExit) as ended:
        asked("--csv", answer=Answer(reason="no such column"))
    assert ended.value.code == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("other", [["--json"], ["--sql", "duckdb"]])
def test_an_answer_has_one_form(asked, capsys, other):
    with pytest.raises(SystemExit) as ended:
        asked("--csv", *other)
    assert ended.value.code == 2
    assert f"--csv and {other[0]} are two forms of one answer" in capsys.readouterr().err

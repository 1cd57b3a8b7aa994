"""Workbooks are read in a process of its own: whatever they do to it is said in one sentence, and costs only that."""

import json
import subprocess
import sys

import openpyxl
import openpyxl.chart
import pytest

from hostile_files import FIRST, WORKBOOKS, text, workbook
from neural_programmer.base.limits import Limits
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables import books, containers
from neural_programmer.tables.reading import parts
from neural_programmer.tables.source import open_source


@pytest.mark.parametrize("name", WORKBOOKS)
def test_hostile_workbooks_are_refused_in_one_sentence(name, tmp_path, monkeypatch):
    write, expected = WORKBOOKS[name]
    write(tmp_path / name)
    monkeypatch.setattr(books, "WORKBOOK", Limits(megabytes=300, seconds=60))
    with pytest.raises(NeuralProgrammerError, match=expected) as refused:
        open_source(tmp_path / name)
    assert "\n" not in str(refused.value)


def test_what_reads_a_workbook_is_limited_whoever_asks(tmp_path, monkeypatch):
    """Without limits of the caller too."""
    asked = []
    start = subprocess.Popen

    def started(command, **options):
        asked.append(json.loads(command[-1]))
        return start(command, **options)

    monkeypatch.setattr(subprocess, "Popen", started)
    workbook(tmp_path / "a.xlsx", FIRST)
    for limits, megabytes in ((Limits(), books.WORKBOOK.megabytes), (Limits(megabytes=50), 50)):
        with open_source(tmp_path / "a.xlsx", limits=limits) as source:
            assert source.page(0, 2) == [(5.0,)]
        assert (asked[-1]["megabytes"], asked[-1]["seconds"]) == (megabytes, books.WORKBOOK.seconds)


def test_a_workbook_that_takes_too_long(tmp_path, monkeypatch):
    workbook(tmp_path / "a.xlsx", FIRST)
    monkeypatch.setattr(books, "WORKBOOK", Limits(megabytes=300, seconds=0.001))
    with pytest.raises(NeuralProgrammerError, match=r"it takes longer than 0\.001 seconds to read"):
        open_source(tmp_path / "a.xlsx")


def test_where_less_memory_is_allowed_than_would_be_taken(tmp_path):
    """As by `ulimit -v`: such a limit can only be lowered."""
    workbook(tmp_path / "a.xlsx", FIRST)
    asked = json.dumps({"path": str(tmp_path / "a.xlsx"), "part": "", "megabytes": 2_000, "seconds": 300})

    command = ["bash", "-c", 'ulimit -v 1000000 && exec "$@"', "bash", sys.executable, "-m", containers.MODULE, asked]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        told = [json.loads(line) for line in process.stdout or ()]
    assert told == [["Sheet1"], "Sheet1", [["price", ""]], [[5.0]]]


def test_a_process_that_does_not_start(tmp_path, monkeypatch):
    workbook(tmp_path / "a.xlsx", FIRST)
    monkeypatch.setattr(books, "MODULE", "neural_programmer.nothing")
    with pytest.raises(NeuralProgrammerError, match=r"no process could be started to read it .*No module named"):
        open_source(tmp_path / "a.xlsx")


def test_the_first_sheet_that_holds_something_is_read(tmp_path):
    blank = f'<row r="1">{text("B2", "")}</row>'
    workbook(tmp_path / "a.xlsx", "", blank, FIRST, FIRST)
    with open_source(tmp_path / "a.xlsx") as source:
        assert source.part == "Sheet3"
        assert source.others == ("Sheet1", "Sheet2", "Sheet4")
        assert source.page(0, 2) == [(5.0,)]
    assert parts(tmp_path / "a.xlsx", tmp_path) == ["Sheet3", "Sheet4"]
    with pytest.raises(NeuralProgrammerError, match="the sheet is empty; it needs a first row"):
        open_source(f"{tmp_path}/a.xlsx::Sheet1")
    workbook(tmp_path / "b.xlsx", "", blank)
    with pytest.raises(NeuralProgrammerError, match="all its sheets are empty; one needs a first row"):
        open_source(tmp_path / "b.xlsx")
    assert parts(tmp_path / "b.xlsx", tmp_path) == []


def test_a_sheet_that_cannot_be_read_is_no_fault_of_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr(books, "WORKBOOK", Limits(megabytes=100, seconds=60))
    far = f'{FIRST}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    workbook(tmp_path / "a.xlsx", FIRST, "", far, "")
    assert parts(tmp_path / "a.xlsx", tmp_path) == ["Sheet1", "Sheet3", "Sheet4"]
    with open_source(tmp_path / "a.xlsx") as source:
        assert source.part == "Sheet1"
    with pytest.raises(NeuralProgrammerError, match="are allowed; delete what stands far"):
        open_source(f"{tmp_path}/a.xlsx::Sheet3")


def test_a_first_sheet_that_is_a_chart(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["price"])
    book.active.append([5])
    book.create_chartsheet("picture", 0).add_chart(openpyxl.chart.BarChart())
    book.save(tmp_path / "a.xlsx")
    with open_source(tmp_path / "a.xlsx") as source:
        assert source.part == "Sheet"


def test_a_table_that_begins_in_the_middle_of_a_sheet(tmp_path):
    workbook(tmp_path / "a.xlsx", f'<row r="5">{text("C5", "price")}</row><row r="7"><c r="C7"><v>7</v></c></row>')
    with open_source(tmp_path / "a.xlsx") as source:
        assert source.page(0, 3) == [(None,), (7.0,)]

"""WikiTableQuestions: its files and tables are read as they are written, and its measure is the official one."""

import math
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from neural_programmer.data import wikitables
from neural_programmer.data.wikitables import lines, read_table
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.answer import items_of as items
from neural_programmer.programs.items import key, normalised, number, written
from neural_programmer.programs.result import Result
from neural_programmer.programs.same import is_right_of_wikitables as is_right
from wikitable_files import FOLDER, there

HEAD = "id\tutterance\tcontext\ttargetValue\n"


def table(tmp_path, text: str):
    path = tmp_path / "table.csv"
    path.write_bytes(text.encode())
    return read_table(path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("  New   York\n City ", "new york city"),
        ("Café São Ñandú", "cafe sao nandu"),
        ("ﬁve ½", "five 1⁄2"),  # noqa: RUF001  compatible letters, too
        ("O’Brien‘s `x`", "o'brien's 'x'"),  # noqa: RUF001
        ("“A” and “B”", '"a" and "b"'),
        ("2000–01 — 2−1", "2000-01 - 2-1"),  # noqa: RUF001
        ("Ann[1]", "ann"),
        ("Ann[note 3][b]", "ann"),
        ("[12]", ""),
        ("[b]", "[b]"),  # all that there is, and no number
        ("[a] Ann", "[a] ann"),
        ("Ann†‡", "ann"),
        ("Ann *", "ann"),
        ("C#+", "c"),
        ("Ann^", "ann^"),  # no mark that the official evaluator knows
        ("Ann (USA)", "ann"),
        ("Ann (USA) (2nd)", "ann"),
        ("Ann (USA)[2] *", "ann"),
        ("Ann(USA)", "ann(usa)"),  # there is no space before it
        ("(USA)", "(usa)"),
        ("(USA) Ann", "(usa) ann"),
        ('"Ann"', "ann"),
        ('"Ann" (song)[1]', "ann"),
        ('"Ann" or "Bo"', '"ann" or "bo"'),
        ("“Ann”", "ann"),
        ("Ann Jr.", "ann jr"),
        ("wait..", "wait."),
        ("Ann. (x)", "ann"),
        ("*", ""),
    ],
)
def test_normalised_texts(text, expected):
    assert normalised(text) == expected


@pytest.mark.parametrize(
    ("predicted", "wanted", "right"),
    [
        (["Spain"], ["Spain"], True),
        (["spain*"], ["Spain (host)"], True),
        (["Spain"], ["France"], False),
        (["Spain", "France"], ["France", "Spain"], True),
        (["Spain", "Spain"], ["Spain"], True),  # different items count
        (["Spain"], ["Spain", "Spain"], True),
        (["Spain", "France"], ["Spain"], False),
        (["Spain"], ["Spain", "France"], False),
        (["Spain", "Italy"], ["Spain", "France"], False),
        ([], ["Spain"], False),
        ([""], ["Spain"], False),
        (["3"], ["3.0"], True),
        (["3.0000004"], ["3"], True),
        (["3.00001"], ["3"], False),
        (["-2"], ["−2"], True),  # noqa: RUF001  a text, of which the normalised form is the same
        (["+5"], ["5"], True),
        (["1e3"], ["1000"], True),
        (["0.333333"], ["0.3333333"], True),
        (["3", "3.0"], ["3"], True),
        (["1,234"], ["1,234"], True),
        (["1234"], ["1,234"], True),  # thousands separators of what is wanted,
        (["1,234"], ["1234"], False),  # and none of what is said
        (["1_000"], ["1000"], False),
        (["5 km"], ["5"], False),
        (["5 (km)"], ["5"], True),
        (["nan"], ["NaN"], True),
        (["inf"], ["nan"], False),
        (["1959-10-03"], ["1959-10-03"], True),
        (["1959-10-3"], ["1959-10-03"], True),
        (["xx-10-03"], ["xxxx-10-03"], True),
        (["xx-10-03"], ["1959-10-03"], False),
        (["1959-13-03"], ["1959-13-3"], False),  # there is no such month
        (["1959-xx-xx"], ["1959"], True),  # a year is a number
        (["October 3, 1959"], ["1959-10-03"], False),
        (["yes"], ["Yes"], True),
    ],
)
def test_the_official_measure(predicted, wanted, right):
    assert is_right(predicted, wanted) is right


def test_what_matches_has_one_key():
    same = [
        ("12", "12.0", 12, 12.0, "12 (a)", np.float64(12)),
        ("Café*", "cafe", "“Cafe”"),
        ("1,234", "1234", 1234.0),
        ("1959-10-03", "1959-10-3"),
        ("xx-10-03", "XXXX-10-3"),
        ("0.333333", 1 / 3, "0.3333333"),
        (12345678901.0, "12345678901"),
        ("yes", True),
        ("", None, math.nan),
    ]
    keys = [{key(value) for value in group} for group in same]
    assert [len(some) for some in keys] == [1] * len(same)
    assert len(set().union(*keys)) == len(same)
    assert key("12.5") == "12.5"


def test_answers_as_items():
    assert items(Answer(reason="why")) == []
    assert items(Answer(Result.number(12.0))) == ["12"]
    assert items(Answer(Result.number(-0.0))) == ["0"]
    assert items(Answer(Result.number(10 / 3))) == ["3.333333"]
    assert items(Answer(Result.number(1_200_000.0))) == ["1200000"]
    assert items(Answer(Result.cells(("Ann*", "Bo", "Ann*", 3.0, math.nan)))) == ["Ann*", "Bo", "3", ""]
    assert items(Answer(Result.cells(()))) == []
    assert items(Answer(Result.truth(True))) == ["yes"]
    assert items(Answer(Result.table(("city", "rent"), [("Oslo", 900), ("Rome", 900)]))) == ["Oslo", "900", "Rome"]
    assert written(False) == "no"


def test_a_table_is_read_as_it_is_written(tmp_path):
    found = table(
        tmp_path,
        '"Name","","Score","Score","Chart\nUK","column 2","All"\n'
        '" Ann ","1","1,234","a \\"b\\" c","7","","2"\n'
        '"Bo\nDi","-2.50","","\\\\","1,23","5",""\n'
        '"Cy"\n'
        '"Di","+3","10","","","6","3","too much"\n',
    )
    assert found.names == ("Name", "column 2", "Score", "Score 2", "Chart UK", "column 2 2", "All")
    name, second, score, other, chart, sixth, last = found.columns
    assert name.tolist() == ["Ann", "Bo\nDi", "Cy", "Di"]
    np.testing.assert_equal(second, [1, -2.5, np.nan, 3])
    np.testing.assert_equal(score, [1234, np.nan, np.nan, 10])
    assert other.tolist() == ['a "b" c', "\\", "", ""]
    assert chart.tolist() == ["7", "1,23", "", ""]  # no groups of three
    np.testing.assert_equal(sixth, [np.nan, 5, np.nan, 6])
    np.testing.assert_equal(last, [2, np.nan, np.nan, 3])


@pytest.mark.parametrize(
    ("cells", "is_number"),
    [(["1", "2"], True), (["", ""], False), (["1", "-"], False), (["1.", "2"], False), ([".5"], False),
     (["$5"], False), (["5 %"], False), (["12,345,678.9"], True), (["1234,567"], False), (["1e5"], False),
     (["٣"], False), (["9" * 400], False), (["007"], True), (["+1", "-1"], True)],
)  # fmt: skip
def test_a_column_of_plain_numbers(tmp_path, cells, is_number):
    column = table(tmp_path, "a,b\n" + "".join(f'"{cell}",x\n' for cell in cells)).columns[0]
    assert (column.dtype.kind == "f") is is_number
    assert is_number or column.tolist() == cells


def test_names_of_columns_are_their_own(tmp_path):
    assert table(tmp_path, "a,a,a 2,a\n1,2,3,4\n").names == ("a", "a 3", "a 2", "a 4")
    assert table(tmp_path, "a,,\n").names == ("a", "column 2", "column 3")
    assert table(tmp_path, "a,b\n").rows == 0


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "has no columns"), (b'a,b\n1,"x\n', "as CSV: unexpected end of data"), (b"a\n\xff\n", "as CSV: 'utf-8'"),
     (None, "No such file")],
)  # fmt: skip
def test_a_table_that_cannot_be_read(tmp_path, content, reason):
    if content is not None:
        (tmp_path / "table.csv").write_bytes(content)
    with pytest.raises(NeuralProgrammerError, match=reason):
        read_table(tmp_path / "table.csv")


def test_what_is_no_file_or_takes_too_much_memory_is_no_table(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(NeuralProgrammerError, match="is no file"):
            read_table(path)
    (tmp_path / "long.csv").write_text(f"a\n{'x' * 130_000}\n" + "y\n" * 5_000)
    with pytest.raises(NeuralProgrammerError, match="bytes of memory"):
        read_table(tmp_path / "long.csv")


def test_very_long_texts_are_left_as_they_are():
    assert normalised("a" + "[1]" * 3) == "a"
    for long in ("a" + "[1]" * 10_000, "a" + "*" * 30_000, '"' * 30_000, "9" * 5_000 + "-xx-xx"):
        assert key(long) == long


def test_lines_are_unescaped(tmp_path):
    text = HEAD + "nt-1\twho\\nwon\tcsv/1.csv\tAnn \\\\ Bo|a\\pb|c\\nd\r\n\nnt-2\twho\tcsv/1.csv\t3"
    found = list(lines(text))
    assert found == [
        ("line 2", ("nt-1", "who\nwon", "csv/1.csv", ("Ann \\ Bo", "a|b", "c\nd"))),
        ("line 4", ("nt-2", "who", "csv/1.csv", ("3",))),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [("nt-1\twho\tx.csv", "it has 3 fields between tabs, and should have 4"),
     ("nt-1\twho\tx.csv\ta\tb", "it has 5 fields"), ("nt-1\twho\tx.csv\ta\\tb", "\\t stands for nothing"),
     ("nt-1\twho\tx.csv\ta\\", "\\ stands for nothing"), ("nt-1\twho\tx.csv\t", "its targetValue is empty"),
     ("nt-1\twho \udcff\tx.csv\ta", "it is not UTF-8")],
)  # fmt: skip
def test_a_wrong_line_says_why(line, reason):
    [(place, error)] = lines(HEAD + line)
    assert place == "line 2"
    assert reason in str(error)


def test_another_header_is_refused():
    with pytest.raises(NeuralProgrammerError, match="the first line should be id, utterance, context, targetValue"):
        list(lines("id\tutterance\tcontext\nnt-1\ta\tb\n"))


def test_learning_from_it_needs_no_database():
    """Reading it, and all that learns from it, is imported without DuckDB and sqlglot."""
    code = (
        "import sys, neural_programmer.data.triples, neural_programmer.data.wikitables\n"
        "here = [name for name in ('duckdb', 'sqlglot', 'jax') if name in sys.modules]\n"
        "import neural_programmer.api, neural_programmer.learning.fitting, neural_programmer.learning.fit_report\n"
        "print(here + [name for name in ('duckdb', 'sqlglot') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


@there
def test_all_of_its_tables_are_read_in_seconds():
    paths = sorted(FOLDER.glob("csv/*/*.csv"))
    start = time.process_time()
    tables = [read_table(path) for path in paths]
    assert time.process_time() - start < 5
    assert len(tables) == 1_679
    assert all(column.dtype.kind in "fU" for found in tables for column in found.columns)


@there
def test_every_answer_is_right_as_it_is_written():
    asked = [line for _, line in lines((FOLDER / "training.tsv").read_text(encoding="utf-8"))]
    assert len(asked) == 14_152
    for line in asked:
        assert isinstance(line, wikitables.Line)
        assert is_right(line.items[::-1], line.items)
        again = [written(number(item) or item) for item in line.items]
        assert is_right(again, line.items)

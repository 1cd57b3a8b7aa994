"""Files of questions, tables and answers: every form is read, and what is wrong is named by its line."""

import json
import os
import re
from pathlib import Path

import pandas as pd
import pytest

from neural_programmer.data import triples
from neural_programmer.data.paper.draws import draw_train
from neural_programmer.data.paper.export import write
from neural_programmer.data.paper.settings import TASKS
from neural_programmer.data.triples import Data, read, split
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.result import Result

STAFF = "name,team,pay\nAnn,red,$10\nBo,blue,$20\nCy,red,$30\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "staff.csv").write_text(STAFF)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "zoo.csv").write_text("animal,age\nape,3\nbee,1\n")
    return tmp_path


def written(folder: Path, *lines, name="data.jsonl") -> Path:
    path = folder / name
    content = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    path.write_bytes(content.encode(errors="surrogateescape"))
    return path


def line(question="how many", table="staff.csv", answer=3, **more):
    return {"question": question, "table": table, "answer": answer, **more}


def test_a_table_may_be_a_pattern_or_a_folder(folder):
    (folder / "sub" / "more.csv").write_text("age,animal\n5,cat\n")
    path = written(folder, line("total age", "sub/*.csv", 9), line("total age", "sub", 9), line("total pay", answer=60))
    assert [triple.table.rows for triple in read(path).checked(False).triples] == [3, 3, 3]


def test_a_number_that_is_too_large_is_a_bad_line():
    line = {"question": "total a", "table": [["a"], [10**400]], "answer": 1}
    assert "a number of the table is too large" in read([line]).bad[0]


def test_json_lines_with_paths_and_rows(folder):
    path = written(
        folder,
        line(),
        "",
        line("age of the ape", "sub/zoo.csv", 3),
        line("who has 5", [{"name": "Di", "age": 5}, {"name": "Ed", "age": 4}], "Di"),
        line("who has 4", [["name", "age"], ["Di", 5], ["Ed", 4]], ["Ed"]),
        line("how many are there", "./staff.csv", None, id=7),
    )
    data = read(path).checked(False)
    assert [triple.place for triple in data.triples] == ["line 1", "line 3", "line 4", "line 5", "line 6"]
    assert data.triples[0].table is data.triples[4].table  # opened once
    assert data.triples[0].table.column("pay").tolist() == [10, 20, 30]  # typed as `ask` does it
    assert data.triples[2].table.column("age").tolist() == [5, 4]
    assert [triple.answer for triple in data.triples] == [3, 3, "Di", ["Ed"], None]


def test_csv_with_answers_as_json_and_as_text(folder):
    path = folder / "data.csv"
    path.write_text(
        "Question,note,Table,Answer\n"
        "how many,,staff.csv,3\n"
        '"who is red, all of them",,staff.csv,Ann|Cy\n'
        'who is red,,staff.csv,"[""Ann"", ""Cy""]"\n'
        "what do Ann and Cy get,,staff.csv,10 | 30\n"
        "who is blue,,staff.csv,Bo\n"
        "what is the weather,,staff.csv,null\n"
    )
    data = read(path).checked(False)
    assert [triple.answer for triple in data.triples] == [3, ["Ann", "Cy"], ["Ann", "Cy"], [10, 30], "Bo", None]


def test_what_generate_writes_is_read_with_its_types(tmp_path):
    write(draw_train(TASKS["text-two-columns"], 6, 0), tmp_path / "data.jsonl")
    drawn = list(draw_train(TASKS["text-two-columns"], 6, 0))
    data = read(tmp_path / "data.jsonl").checked(False)
    assert [triple.question for triple in data.triples] == [triple.question for triple in drawn]
    for triple, other in zip(data.triples, drawn, strict=True):
        assert triple.table.names == other.table.names
        assert triple.table.records() == other.table.records()
        value = other.answer.value
        assert value in [reading.value for reading in triple.readings]


def test_python_objects_with_frames():
    frame = pd.DataFrame({"a": [1, 2]})
    data = read([("sum of a", frame, 3), {"question": "how many", "table": frame, "answer": 2}]).checked(False)
    assert data.triples[0].table is data.triples[1].table
    other = pd.DataFrame({"a": [1, 2]})
    again = read([("sum of a", other, 3), ("how many", other, 2)])
    assert again.digest == data.digest
    assert read([("sum of a", other, 3), ("how many", other, 1)]).digest != data.digest
    changed = pd.DataFrame({"a": [1, 4]})
    assert read([("sum of a", changed, 3), ("how many", changed, 2)]).digest != data.digest


BAD = [
    ("{oops", "it is not JSON: '{oops'"),
    ('"it is well"', 'it is no object with question, table, answer, but "it is well"'),
    ("\udce9", "it is not UTF-8"),
    ("[1, 2]", "it is no object with question, table, answer, but [1, 2]"),
    ('{"question": "how many", "table": "staff.csv", "answer": NaN}', "it is not JSON"),
    ({"question": "how many", "answer": 3}, "it has no table"),
    (line(question="  ?"), "the question should be a text with words, not"),
    (line(question=5), "the question should be a text with words, not 5"),
    (line(table="none.csv"), "none.csv' does not exist"),
    (line(table="-"), "the standard input cannot be the table of a single line; name a file"),
    (line(table="https://example.com/a.csv"), "nothing is fetched; copy it here first"),
    (line(table="none/*.csv"), "none/*.csv' stands for no file"),
    (line(table=""), "it names no table"),
    (line(table=[]), "the table should be a path or its rows, not []"),
    (line(table=7), "the table should be a path or its rows, not 7"),
    (line(table=[1, 2]), "the rows of a table should be objects, or lists with the names of the columns first"),
    (line(table=[["a", "b"], [1]]), "row 1 of the table has 1 cells for 2 columns"),
    (line(table=[["a", "a"], [1, 2]]), "two columns of the table have one name"),
    (line(table=[[1, 2], [1, 2]]), "the first row of a table should name its columns, not [1, 2]"),
    (line(answer={"a": 1}), "the answer should be a number, a text, a truth, a list of them, a list of rows"),
    (line(answer=[[1], 2]), "the answer should be a number, a text, a truth, a list of them, a list of rows of one"),
    (line(answer=[[1, 2], [3]]), "the answer should be a number, a text, a truth, a list of them, a list of rows"),
    (line(answer=[[[1]]]), "the answer should be a number, a text, a truth, a list of them, a list of rows of one"),
    (line(answer=""), "the answer should be a number, a text, a truth, a list of them, a list of rows"),
    (line(answer="Zoe"), 'the answer "Zoe" is no number, and no cell of the table holds it'),
]


@pytest.mark.parametrize(("bad", "reason"), BAD)
def test_a_bad_line_is_named_and_counted(folder, bad, reason):
    path = written(folder, line(), bad)
    data = read(path)
    with pytest.raises(NeuralProgrammerError, match=re.escape(reason)) as refused:
        data.checked(False)
    assert str(refused.value).startswith("data.jsonl has 1 bad line of 2: line 2: ")
    assert "leave them out with --skip-bad" in str(refused.value)
    assert len(data.checked(True).triples) == 1


def test_one_bad_line_in_ten_thousand(folder):
    path = written(folder, *(line(f"how many of {number}") for number in range(9_999)), "{oops")
    with pytest.raises(NeuralProgrammerError, match="has 1 bad line of 10,000: line 10000: it is not JSON"):
        read(path).checked(False)


def test_of_many_bad_lines_the_first_are_named(folder):
    with pytest.raises(NeuralProgrammerError, match=r"8 bad lines of 8: line 1: .*; line 5: .*; and 3 more; mend"):
        read(written(folder, *["{"] * 8)).checked(False)
    with pytest.raises(NeuralProgrammerError, match="nothing to learn from: all of its 8 lines are bad, the first: l"):
        read(written(folder, *["{"] * 8)).checked(True)


def test_a_broken_table_is_named_at_each_of_its_lines(folder):
    (folder / "torn.csv").write_text('a,b\n1,"x\n')
    data = read(written(folder, line(), line(table="torn.csv"), line("sum of a", "torn.csv", 1)))
    assert [bad.partition(":")[0] for bad in data.bad] == ["line 2", "line 3"]
    assert all("cannot read" in bad for bad in data.bad)


def test_contradictory_answers_are_all_named_and_repeated_lines_are_read_once(folder):
    data = read(written(folder, line(), line("How  many", answer=4), line("who is blue", answer="Bo"),
                        line("Who is blue", answer=["bo"])))  # fmt: skip
    assert data.bad == (
        "line 1: the same question about the same table has the answer 3 here and 4 at line 2",
        "line 2: the same question about the same table has the answer 4 here and 3 at line 1",
    )
    assert [triple.place for triple in data.triples] == ["line 3"]
    assert data.repeated == 1


def test_files_that_are_none(tmp_path):
    os.mkfifo(tmp_path / "pipe")  # was waited for
    with pytest.raises(NeuralProgrammerError, match=r"cannot read .*pipe: it is not a file; write what it holds into"):
        triples.is_official(tmp_path / "pipe")
    with pytest.raises(NeuralProgrammerError, match=r"cannot read .*none.jsonl: No such file"):
        read(tmp_path / "none.jsonl")
    with pytest.raises(NeuralProgrammerError, match="has nothing to learn from: it has no lines"):
        read(written(tmp_path)).checked(False)
    with pytest.raises(
        NeuralProgrammerError, match=r"data.csv has no column table and no column answer; its first row"
    ):
        read(written(tmp_path, "question,tabel", name="data.csv"))
    (tmp_path / "staff.csv").write_text(STAFF)
    short = read(written(tmp_path, "question,table,answer", "how many,staff.csv", name="data.csv"))
    assert short.bad == ("line 2: it has 2 cells, and the first row has 3",)
    with pytest.raises(NeuralProgrammerError, match=r"cannot read data.csv as CSV: line 2: "):
        read(written(tmp_path, "question,table,answer", 'how "many,"st"aff.csv', name="data.csv"))
    (tmp_path / "data.jsonl").write_bytes(b'{"question": "how \xff many", "table": "staff.csv", "answer": 3}\n')
    assert read(tmp_path / "data.jsonl").bad[0].startswith("line 1: ")


@pytest.mark.parametrize("tables", [2, 3, 10, 40])
def test_the_split_is_by_table(folder, tables):
    for number in range(tables):
        (folder / f"t{number}.csv").write_text(STAFF)
    lines = [line(f"how many {n}", f"t{t}.csv") for t in range(tables) for n in range(4)]
    data = read(written(folder, *lines))
    train, validation, by_table = split(data.triples, 0)
    assert by_table
    assert not {t.about for t in train} & {t.about for t in validation}
    assert sorted(t.place for t in (*train, *validation)) == sorted(t.place for t in data.triples)
    assert len(validation) == 4 * max(1, tables // 5)
    again = split(read(written(folder, *lines[::-1])).triples, 0)
    assert {t.about for t in again[1]} == {t.about for t in validation}
    others = {frozenset(t.about for t in split(data.triples, seed)[1]) for seed in range(20)}
    assert len(others) > 1


def test_one_table_is_split_by_question(folder):
    data = read(written(folder, *(line(f"how many {n}") for n in range(10))))
    train, validation, by_table = split(data.triples, 0)
    assert (len(train), len(validation), by_table) == (8, 2, False)


def test_one_question_cannot_be_split(folder):
    with pytest.raises(NeuralProgrammerError, match=r"1 question cannot be split .* --validation"):
        split(read(written(folder, line())).triples, 0)


def test_many_tables_are_opened_by_several_processes(folder, monkeypatch):
    monkeypatch.setattr(triples, "CHUNK", 2)
    for number in range(3):
        (folder / f"t{number}.csv").write_text(STAFF.replace("30", str(number)))
    told = []
    data = read(written(folder, *(line(f"how many {n}", f"t{n}.csv") for n in range(3))), lambda *d: told.append(d))
    assert [triple.table.column("pay")[2] for triple in data.triples] == [0, 1, 2]
    assert told == [(2, 3), (3, 3)]
    assert isinstance(data, Data)


def official(folder: Path, *lines: str, name="data.tsv") -> Path:
    (folder / "csv").mkdir(exist_ok=True)
    (folder / "csv" / "1.csv").write_text('"name","pay"\n"Ann*","10"\n"Bo \\"B\\"","20"\n')
    return written(folder, "id\tutterance\tcontext\ttargetValue", *lines, name=name)


def test_wikitablequestions_is_one_more_form(folder):
    lines = (
        "nt-1\twho is first\tcsv/1.csv\tAnn",
        'nt-2\twho are they\tcsv/1.csv\tBo "B"|ann',
        "nt-3\twhat is the total pay\tcsv/1.csv\t30.0",
        "nt-4\twho is first\tcsv/1.csv\tno cell holds this",  # the same question, another answer
        "nt-5\twho is first\tcsv/1.csv\tAnn",
        "nt-6\twhat do they get\t./csv/1.csv\t10|20",
    )
    told = []
    data = read(official(folder, *lines), lambda *done: told.append(done)).checked(False)
    assert [triple.key for triple in data.triples] == ["nt-1", "nt-2", "nt-3", "nt-4", "nt-5", "nt-6"]
    assert (data.official, data.repeated) == (True, 0)
    assert told == [(1, 2), (2, 2)]
    assert len({triple.about for triple in data.triples}) == 1
    first, both, total, _, _, pay = data.triples
    assert first.place == "line 2"
    assert first.table.column("name").tolist() == ["Ann*", 'Bo "B"']
    assert (first.answer, both.answer, total.answer) == ("Ann", ['Bo "B"', "ann"], 30)
    assert pay.readings == (Answer(Result.cells((10.0, 20.0))),)
    assert first.judge(Answer(Result.cells(("Ann*",))))
    assert both.judge(Answer(Result.cells(('Bo "B"', "Ann*", "Ann*"))))
    assert not both.judge(Answer(Result.cells(("Ann*",))))
    assert total.judge(Answer(Result.number(30.0)))
    assert not total.judge(Answer())


def test_the_tables_of_wikitablequestions_may_be_elsewhere(folder):
    (folder / "data").mkdir()
    path = official(folder, "nt-1\twho\tcsv/1.csv\tAnn", name="data/questions.tsv")
    assert "cannot read the table" in read(path).bad[0]
    assert len(read(path, tables=folder).checked(False).triples) == 1
    with pytest.raises(NeuralProgrammerError, match=r"goes with a file of WikiTableQuestions, and data.jsonl is none"):
        read(written(folder, line()), tables=folder)


def test_what_is_wrong_with_wikitablequestions_is_named_by_its_line(folder):
    path = official(
        folder,
        "nt-1\twho\tcsv/1.csv\tAnn",
        "nt-2\twho\tcsv/2.csv\tAnn",
        "nt-3\twho\tcsv/1.csv",
        "nt-4\twho\tcsv/1.csv\ta\\qb",
        "nt-5\t?\tcsv/1.csv\tAnn",
    )
    data = read(path)
    assert [bad.partition(": ")[0] for bad in data.bad] == ["line 3", "line 4", "line 5", "line 6"]
    for bad, reason in zip(data.bad, ("csv/2.csv: No such file", "3 fields", "\\q stands", "with words"), strict=True):
        assert reason in bad
    assert [triple.key for triple in data.checked(True).triples] == ["nt-1"]
    with pytest.raises(NeuralProgrammerError, match=r"data.tsv has 4 bad lines of 5: line 3: .* --skip-bad"):
        data.checked(False)
    wrong = written(folder, "id\tutterance\tcontext\tanswer", name="other.tsv")
    with pytest.raises(NeuralProgrammerError, match=r"other.tsv: the first line should be id, utterance, context, tar"):
        read(wrong)


def test_other_files_between_tabs_are_read_as_before(folder):
    path = written(folder, "id\tquestion\ttable\tanswer", "7\thow many\tstaff.csv\t3", name="data.tsv")
    [triple] = read(path).checked(False).triples
    assert (triple.answer, triple.key, triple.official) == (3, "", False)
    assert triple.judge(Answer(Result.number(3.0)))
    assert not triple.judge(Answer(Result.number(4.0)))

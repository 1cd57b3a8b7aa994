"""The run command: a program that a person wrote, on a table, without a model."""

import json

import pytest

import neural_programmer
from neural_programmer.cli import main

CSV = "shop,day,sold\nAnn,2024-01-03,5\nBo,2024-01-09,7\nAnn,2024-02-01,9\nCy,2024-04-01,\n"
GROUPS = 'for each "shop"; sum "sold"'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "shops.csv").write_text(CSV)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_table_its_program_and_its_query(capsys, folder):
    main(["run", "shops.csv", GROUPS])
    said = capsys.readouterr().out
    assert said.splitlines()[1].split() == ["Ann", "14"]
    assert "sum of sold for each shop, highest first; 3 groups from 4 rows" in said
    assert "GROUP BY" in said
    assert "confidence" not in said


def test_the_same_in_json_and_csv_and_from_python(capsys, folder):
    main(["run", "shops.csv", GROUPS, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["kind"], found["columns"], found["answer"]) == (
        "table", ["shop", "sum of sold"], [["Ann", 14], ["Bo", 7], ["Cy", 0]]
    )  # fmt: skip
    assert found["chart"]["mark"] is not None
    main(["run", "shops.csv", GROUPS, "--csv"])
    assert capsys.readouterr().out.split() == ["shop,sum", "of", "sold", "Ann,14", "Bo,7", "Cy,0"]
    answer = neural_programmer.run("shops.csv", GROUPS)
    assert (answer.value, answer.confidence) == (found["answer"], None)


def test_a_query_of_a_dialect_and_a_picture(capsys, folder):
    main(["run", "shops.csv", 'for each month of "day"; count', "--sql", "sqlite"])
    assert "start of month" in capsys.readouterr().out
    main(["run", "shops.csv", 'for each month of "day"; count', "--chart", "months.svg"])
    assert (folder / "months.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (['sum "gone"'], 2, "no column 'gone'; the table has: shop, day, sold"),
        (['for each "shop'], 2, "step 1"),
        ([""], 2, "step"),
        (['median "sold"', "--sql", "sqlite"], 1, "sqlite has no median: ask for the SQL of another dialect"),
        (['ascending "sold"'], 1, "puts rows in order and gives no answer"),
        ([GROUPS, "--json", "--csv"], 2, "two forms of one answer"),
        ([GROUPS, "--digits", "99"], 2, "--digits"),
        ([GROUPS, "--master", "local"], 2, "--master is a setting of Spark; add --engine spark"),
        ([GROUPS, "--sql", "klingon"], 2, "unknown dialect of SQL 'klingon'"),
        ([GROUPS, "--chart", "shops.csv"], 2, "unknown ending of a picture '.csv'"),
        (['top "sold" 0; show "shop"'], 1, "there are no first 0"),
    ],
)
def test_what_is_refused(capsys, folder, arguments, code, said):
    with pytest.raises(SystemExit) as ended:
        main(["run", "shops.csv", *arguments])
    assert ended.value.code == code
    error = capsys.readouterr().err
    assert said in " ".join(error.split())
    assert "Traceback" not in error
    assert (folder / "shops.csv").read_text() == CSV

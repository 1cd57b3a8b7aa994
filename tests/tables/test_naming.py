"""What a name stands for: a file as it is called, the files of a folder or pattern, nothing on the web, and no more."""

import os
from pathlib import Path

import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables import naming, searching
from neural_programmer.tables.naming import find


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make(*paths, text="a\n1\n"):
    for path in map(Path, paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def files(what):
    return [os.path.relpath(file) for file in find(what).files]


def refused(what):
    with pytest.raises(NeuralProgrammerError) as error:
        find(what)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.csv", ["a.csv", "b.csv"]),
        ("./[ab].csv", ["a.csv", "b.csv"]),
        ("[!a].csv", ["b.csv"]),
        ("?/*.csv", ["x/c.csv"]),
        ("**/*.csv", ["a.csv", "b.csv", "x/c.csv", "x/y/d.csv"]),
        ("x/**", ["x/c.csv", "x/y/d.csv"]),
        ("**/y/*.csv", ["x/y/d.csv"]),
        ("x/../*.csv", ["a.csv", "b.csv"]),
        (".*.csv", [".hidden.csv"]),
        ("x", ["x/c.csv", "x/y/d.csv"]),
    ],
)
def test_a_pattern_and_a_folder_find_files_in_order(folder, pattern, expected):
    make("b.csv", "a.csv", "x/y/d.csv", "x/c.csv", ".hidden.csv", "x/.git/e.csv", "x/_temporary/f.csv")
    assert files(pattern) == expected
    assert files(str(folder / pattern)) == expected


def test_what_is_called_like_a_pattern_is_opened_as_that(folder):
    make("a[1].csv", "a1.csv", "x*/b.csv", "xy/b.csv")
    assert files("a[1].csv") == ["a[1].csv"]
    assert files("x*/*.csv") == ["x*/b.csv"]
    assert files("a?.csv") == ["a1.csv"]


def test_a_part_and_the_home_folder(folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder))
    make("shop.db", "sales_1.csv", "sales_2.csv")
    assert (find("s*.db::orders").path, find("s*.db::orders").part) == (folder / "shop.db", "orders")
    assert files("~/sales_*.csv") == ["sales_1.csv", "sales_2.csv"]


@pytest.mark.parametrize(
    ("what", "called"),
    [("sales_*.csv", "sales"), ("2024/*.csv", "2024"), ("2024/1*.csv", "2024"), ("2024", "2024"), ("by/k=*/*", "by")],
)
def test_what_the_table_is_called(folder, what, called):
    make("sales_1.csv", "sales_2.csv", "2024/10.csv", "2024/11.csv", "by/k=1/a.csv", "by/k=2/a.csv")
    assert find(what).called == called


def test_folders_give_columns(folder):
    make("sales/year=2023/month=1/a.csv", "sales/year=2024/month=2/a.csv")
    for what in ("sales", "sales/**/*.csv", "sales/year=2024", "sales/year=2024/month=2/*"):
        named = find(what)
        assert (named.root, named.keys) == (folder / "sales", ("month", "year"))
    assert find("sales/year=2024/month=2/a.csv").keys == ()
    make("sales/year=2025/b.csv")
    assert "lie in folders of the same columns, and year=2023/month=1/a.csv in year=.../month=..." in refused("sales")


def test_links_are_followed_no_further_than_was_named(folder):
    make("in/a.csv", "other/b.csv")
    Path("in/again.csv").symlink_to("a.csv")
    Path("in/up").symlink_to("..")
    Path("in/self").symlink_to(".")
    assert "'up' is a link to a place outside" in refused("in").replace(f"{folder}/in/", "")
    Path("in/up").unlink()
    assert files("in") == files("in/**/*.csv") == files("in/*.csv") == ["in/a.csv"]
    Path("in/out.csv").symlink_to("../other/b.csv")
    assert "out.csv' is a link to a place outside" in refused("in")
    assert "out.csv' is a link to a place outside" in refused("in/**/*.csv")
    assert files("in/*.csv") == ["in/a.csv", "in/out.csv"]  # as in a shell
    Path("in/out.csv").unlink()
    Path("in/none.csv").symlink_to("nowhere")
    assert "none.csv' is a link that leads nowhere" in refused("in")
    assert "none.csv' is a link that leads nowhere" in refused("in/*.csv")
    Path("in/none.csv").rename("in/none.md")  # which is no table
    assert files("in") == ["in/a.csv"]


def test_folders_in_a_circle_and_deep_ones(folder):
    place = Path("deep")
    for _ in range(300):
        place /= "d"
    make(place / "a.csv")
    Path("deep/d/circle").symlink_to("../..")
    Path("deep/d/circle").unlink()
    for number in range(3):
        (place / f"circle{number}").symlink_to(folder / "deep")
    assert files("deep") == files("deep/**/*.csv") == [str(place / "a.csv")]


def test_files_of_several_kinds(folder):
    make("mixed/a.csv", "mixed/b.csv", "mixed/c.json", "mixed/notes.md", "books/a.xlsx", "books/b.xlsx", "noted/a.csv")
    make("noted/README.md", "noted/_SUCCESS", "notes/a.md", "packed/a.csv", "packed/b.csv.gz", "packed/c.tsv.zst")
    assert "files of several kinds, 2 .csv, 1 .json, and a table is of one; name them by a pattern, such as" in refused(
        "mixed"
    )
    assert "2 .csv, 1 .json, 1 .md, and" in refused("mixed/*")
    assert refused("mixed").endswith("such as 'mixed/*.csv'")
    assert "holds 2 files that have tables of their own; name one" in refused("books")
    assert files("noted") == ["noted/a.csv"]
    assert "holds no table, but 1 .md" in refused("notes")
    assert len(files("packed")) == 3
    Path("empty").mkdir()
    assert "holds no files" in refused("empty")
    assert "'empty/*' stands for no file" in refused("empty/*")
    assert "'*.parquet' stands for no file" in refused("*.parquet")


def test_a_pattern_that_matches_a_folder(folder):
    make("x.csv/a.csv")
    assert "stands for no file" in refused("*.csv")
    make("y.csv")
    assert files("*.csv") == ["y.csv"]


def test_a_table_that_notes_elsewhere_which_files_count(folder):
    make("lake/a.parquet", "lake/_delta_log/0.json", "top/deeper/.hoodie/x", "top/deeper/a.parquet")
    assert "is a table of Delta, whose files alone do not say which rows there are" in refused("lake")
    assert "is a table of Hudi" in refused("top")


def test_searches_come_to_an_end(folder, monkeypatch):
    make(*(f"many/{number}.csv" for number in range(20)))
    monkeypatch.setattr(naming, "MOST_FILES", 19)
    assert "'many' stands for 20 files, and a table may have 19" in refused("many")
    monkeypatch.setattr(searching, "LOOKED_AT", 10)
    assert "more than 10 would have to be looked at; name fewer folders" in refused("many")
    assert "more than 10 would have to be looked at" in refused("*/*")
    assert "a pattern may have 20 parts with" in refused("*/" * 21)


def test_a_folder_that_may_not_be_read(folder, monkeypatch):
    def scandir(path):
        raise PermissionError(13, "Permission denied")

    make("no/a.csv")
    monkeypatch.setattr(os, "scandir", scandir)
    for what in ("no", "no/*.csv"):
        assert "cannot look into the folder" in refused(what)
        assert "Permission denied; name what you may read" in refused(what)


@pytest.mark.parametrize(
    "what", ["a" * 5000, "a*" * 3000, "[" * 4000, "x/" * 3000 + "*", "[a", "a\0*", "*\0", "**" * 9]
)
def test_odd_names(folder, what):
    assert len(refused(what)) < 700


ADDRESSES = {
    "https://example.com/data/sales.csv?year=1": "curl -Lo sales.csv 'https://example.com/data/sales.csv?year=1'; then",
    "HTTP://example.com": "curl -Lo table.csv HTTP://example.com; then",
    Path("https://example.com/a b.csv"): "curl -Lo 'a b.csv' 'https://example.com/a b.csv'; then ask about 'a b.csv'",
    "s3://bucket/sales/*.parquet": "aws s3 cp 's3://bucket/sales/*.parquet' .",
    "gs://bucket/sales.parquet": "gcloud storage cp gs://bucket/sales.parquet .",
    "hf://datasets/sales": "nothing is fetched; copy it here first; then ask about sales",
    "sqlite://sales.db": "nothing is fetched",
    "file:///etc/hostname": "name the file by its path alone, without file://",
    "https://example.com/" + "x" * 5000: "nothing is fetched",
}


@pytest.mark.parametrize("what", ADDRESSES, ids=lambda what: str(what)[:30])
def test_nothing_is_fetched(folder, what):
    assert ADDRESSES[what] in refused(what)
    assert len(refused(what)) < 700


def test_a_table_beside_the_file_that_names_it(folder):
    make("data[1]/sales/a.csv", "data[1]/sales/b.csv", "here.csv")
    beside = folder / "data[1]"
    for name in ("sales/*.csv", "sales", "sales/a.csv"):
        assert naming.placed(name, beside) == str(beside / name)
    assert len(find(naming.placed("sales/*.csv", beside)).files) == 2
    for name in ("here.csv", "nowhere*.csv", "-", "https://example.com/a.csv", "~/a.csv", "/a.csv"):
        assert naming.placed(name, beside) == name

"""Several files as one table: united by the names of their columns, each error with the file that it is of."""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import tracemalloc

import duckdb
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

from neural_programmer.answering.asking import Desk, ask
from neural_programmer.base.limits import Limits
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.program import Step
from neural_programmer.tables import books, texts
from neural_programmer.tables.source import open_source
from queries import Fake


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory, monkeypatch):
    """What is put aside while reading is gone in the end."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def zstd(text):
    return pyarrow.Codec("zstd").compress(text.encode(), asbytes=True)


def as_csv(columns, delimiter=","):
    rows = zip(*columns.values(), strict=True)
    return "\n".join(delimiter.join("" if cell is None else str(cell) for cell in row) for row in (columns, *rows))


def as_lines(columns):
    rows = zip(*columns.values(), strict=True)
    return "\n".join(json.dumps(dict(zip(columns, row, strict=True))) for row in rows)


WRITE = {
    ".csv": lambda path, columns: path.write_text(as_csv(columns)),
    ".tsv": lambda path, columns: path.write_text(as_csv(columns, "\t")),
    ".csv.gz": lambda path, columns: path.write_bytes(gzip.compress(as_csv(columns).encode())),
    ".csv.zst": lambda path, columns: path.write_bytes(zstd(as_csv(columns))),
    ".jsonl": lambda path, columns: path.write_text(as_lines(columns)),
    ".json": lambda path, columns: path.write_text(f"[{as_lines(columns).replace(chr(10), ',')}]"),
    ".json.gz": lambda path, columns: path.write_bytes(gzip.compress(as_lines(columns).encode())),
    ".parquet": lambda path, columns: pyarrow.parquet.write_table(pyarrow.table(columns), path),
    ".feather": lambda path, columns: pyarrow.feather.write_feather(pyarrow.table(columns), str(path)),
}
MAY = {"day": ["2024-05-01", "2024-05-02"], "city": ["Oslo", "Bergen"], "price": [3, 5]}
JUNE = {"Price": [2.5], "city": ["Oslo"], "day": ["2024-06-01"], "note": ["late"]}
ROWS = [
    ("2024-05-01", "Oslo", 3, None), ("2024-05-02", "Bergen", 5, None), ("2024-06-01", "Oslo", 2.5, "late"),
]  # fmt: skip
KINDS = [(".csv", ".csv"), (".csv", ".tsv"), (".csv.gz", ".csv"), (".csv.zst", ".csv.gz"), (".parquet", ".parquet")]


def write(folder, files):
    for name, columns in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        WRITE[name[name.index(".") :]](path, columns)


def refused(what, **options):
    with pytest.raises(NeuralProgrammerError) as error:
        open_source(what, **options)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("limit", [books.STORED_LIMIT, 0], ids=["stored", "view"])
@pytest.mark.parametrize("ends", [*KINDS, (".jsonl", ".json"), (".json.gz", ".jsonl"), (".feather", ".feather")])
def test_columns_are_united_by_name(folder, ends, limit, monkeypatch):
    monkeypatch.setattr(books, "STORED_LIMIT", limit)
    lines = ends[0].startswith(".json")
    june = {name.lower(): cells for name, cells in JUNE.items()} if lines else JUNE  # in JSON, case tells names apart
    write(folder, {f"sales/a_may{ends[0]}": MAY, f"sales/b_june{ends[1]}": june})
    with open_source("sales") as source:
        assert [column.name for column in source.columns] == ["day", "city", "price", "note"]
        assert [column.kind for column in source.columns] == ["date", "text", "number", "text"]
        assert [(str(row[0]), *row[1:]) for row in source.page(0, 9)] == ROWS
        lacking = f"note: 1 of 2 files lack it, such as a_may{ends[0]}: its cells are missing there"
        assert [column.note for column in source.columns] == ["", "", "", lacking]
        assert source.table().rows == source.rows == 3
        assert source.written().rows == 3


def test_many_files_of_one_shape_and_of_several(folder, monkeypatch):
    write(folder, {f"a/{number:03}.csv": {"x": [number], "y": ["z"]} for number in range(150)})
    with open_source("a/*.csv") as source:
        assert [row[0] for row in source.page(0, 150)] == list(range(150))
    monkeypatch.setattr(texts, "SHAPES", 2)
    write(folder, {"a/001.csv": {"y": ["z"], "x": [1]}})
    assert "its files change their columns or their delimiter 2 times, and 1 times are allowed" in refused("a")


def test_files_with_little_in_common_are_refused(folder):
    write(folder, {"a/orders.csv": {"id": [1], "amount": [2], "day": [3]}, "a/people.csv": {"id": [1], "name": ["x"]}})
    assert "orders.csv has amount, day alone, and people.csv name; half of all columns" in refused("a")
    write(folder, {"b/orders.parquet": {"id": [1], "amount": [2]}, "b/people.parquet": {"id": [1], "name": ["x"]}})
    assert "orders.parquet has amount alone, and people.parquet name;" in refused("b")
    write(folder, {"c/orders.json": {"id": [1], "amount": [2]}, "c/people.jsonl": {"id": [1], "name": ["x"]}})
    assert "orders.json has amount alone, and people.jsonl name;" in refused("c")
    write(folder, {"d/a.feather": {"id": [1], "amount": [2]}, "d/b.feather": {"id": [1], "name": ["x"]}})
    assert "a.feather has amount alone, and b.feather name;" in refused("d")


@pytest.mark.parametrize("limit", [books.STORED_LIMIT, 0], ids=["stored", "view"])
@pytest.mark.parametrize("end", [".csv", ".jsonl", ".parquet", ".feather"])
@pytest.mark.parametrize("above", ["", "run=7[1]"])
def test_folders_give_columns(folder, end, limit, above, monkeypatch):
    """Not those above the folder that was named, whatever they are called."""
    monkeypatch.setattr(books, "STORED_LIMIT", limit)
    (folder / above / "here").mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(folder / above / "here")
    files = {"year=2023/city=New%20York": [1, 2], "year=2024/city=Oslo": [3], "year=2024/city=a*[b]": [4]}
    write(folder / above / "here", {f"sales/{name}/part{end}": {"price": cells} for name, cells in files.items()})
    with open_source("sales") as source:
        assert [column.name for column in source.columns] == ["price", "city", "year"]
        assert [column.kind for column in source.columns] == ["number", "text", "number"]
        assert source.page(0, 9) == [
            (1, "New York", 2023), (2, "New York", 2023), (3, "Oslo", 2024), (4, "a*[b]", 2024)
        ]  # fmt: skip


def test_a_folder_tells_more_than_a_column_of_its_name(folder):
    for end in (".csv", ".parquet", ".jsonl", ".feather"):
        place = f"of_{end[1:]}"
        write(folder, {f"{place}/year=2023/a{end}": {"Year": [1], "x": [2]}, f"{place}/year=2024/a{end}": {"x": [3]}})
        with open_source(place) as source:
            assert [column.name for column in source.columns] == ["x", "year"]
            assert source.page(0, 9) == [(2, 2023), (3, 2024)]


def test_errors_name_the_file(folder):
    write(folder, {"sales/a.csv": {"x": [1], "y": [2]}, "sales/sub/b.csv": {"x": [1], "y": [2]}})
    bad = folder / "sales" / "sub" / "b.csv"
    for content, expected in (
        (b"x,y\n1\n", "cannot read sales: sub/b.csv: line 2 has 1 cells and the first row has 2"),
        (b"x,y\n\x81,\x8d\n", "sub/b.csv: it is text neither in UTF-8 nor in Windows-1252"),
        (b"", "sub/b.csv: it is empty"),
        (b" \n", "sub/b.csv: it is blank"),
        (b"x,X\n", "sub/b.csv: column name 'X' or 'x' stands twice"),
        (b"x,y\n" + bytes(9), "sub/b.csv: it is neither text nor of a kind"),
        (b"PAR1", "a.csv is text and sub/b.csv is parquet, and a table is of one kind"),
        (b"SQLite format 3\0", "a.csv is text and sub/b.csv is sqlite"),
        (b'[{"x": 1}]', "of one kind|different columns"),
    ):
        bad.write_bytes(content)
        said = refused("sales")
        assert any(part in said for part in expected.split("|")), said
    bad.unlink()
    (bad.parent / "b.csv.gz").write_bytes(gzip.compress(b"x,y\n1,2\n" * 9999)[:-9])
    assert "sub/b.csv.gz: " in refused("sales")
    write(folder, {"p/a.parquet": {"x": [1]}, "p/b.parquet": {"x": [1]}})
    (folder / "p/b.parquet").write_bytes((folder / "p/b.parquet").read_bytes()[:-9])
    assert "cannot read p: b.parquet: " in refused("p")
    write(folder, {"f/a.feather": {"x": [1]}, "f/b.feather": {"x": ["y"]}})
    assert "its files have columns of different kinds" in refused("f")
    (folder / "f/b.feather").write_bytes(b"ARROW1\0\0" + bytes(99))
    assert "cannot read f: b.feather: it is no Arrow file" in refused("f")
    assert "it holds one table only; leave out ::x" in refused("p/*::x")


def test_odd_names(folder):
    for name in (b"b\n\x1b[31m.csv", b"c'; --.csv", b'd".csv', "é.csv".encode()):
        (folder / os.fsdecode(name)).write_text("x\n1\n")
    with open_source(".") as source:
        assert source.rows == 4
    (folder / "b\n\x1b[31m.csv").write_text("x\n1,2\n")
    assert refused("*").startswith("cannot read *: b\\x0a\\x1b[31m.csv: line 2 has 2 cells")
    (folder / os.fsdecode(b"a\xff.csv")).write_text("x\n1\n")
    assert refused("*") == "cannot read *: the path of a\\xdcff.csv is not UTF-8; rename it"


def test_other_encodings_and_links(folder):
    write(folder, {"a/1.csv": {"x": ["b"]}, "a/3[x].csv": {"x": ["d"]}, "away/4.csv": {"x": ["e"]}})
    write(folder, {"away/5.csv": {"x": ["f"]}})
    (folder / "a/2.csv").write_bytes("x\ncafé\n".encode("cp1252"))
    (folder / "a/4.csv").symlink_to(folder / "away/4.csv")
    with open_source("a/*.csv") as source:
        assert source.page(0, 9) == [("b",), ("café",), ("d",), ("e",)]
        with pytest.raises(duckdb.Error):
            source.connection.execute(f"SELECT * FROM '{folder}/away/5.csv'")
    assert "4.csv' is a link to a place outside of the folder" in refused("a")


def test_a_file_that_comes_or_goes_or_changes_is_seen(folder):
    model, desk = Fake({"q": (Step("sum", "x"),)}), Desk()

    def said():
        return ask(model, "a/*.csv", "q", desk=desk).value

    write(folder, {"a/1.csv": {"x": [1]}, "a/2.csv": {"x": [2]}})
    assert said() == said() == 3
    write(folder, {"a/3.csv": {"x": [30]}})
    assert said() == 33
    write(folder, {"a/2.csv": {"x": [200]}})
    assert said() == 231
    (folder / "a/1.csv").unlink()
    assert said() == 230


def test_limits_hold_for_all_files_together(folder):
    write(folder, {f"a/{number}.csv": {"x": range(60)} for number in range(3)})
    assert "it has 180 rows, and 100 are allowed here" in refused("a", limits=Limits(rows=100))
    write(folder, {f"b/{number}.feather": {"x": range(60)} for number in range(3)})
    assert "rows, and 100 are allowed here" in refused("b", limits=Limits(rows=100))
    write(folder, {"c/1.csv.gz": {"x": range(9)}, "c/2.csv.gz": {"x": range(9999)}})
    assert "2.csv.gz: it unpacks to more than 1,000 bytes" in refused("c", limits=Limits(unpacked=1_000))


def test_as_many_files_as_a_process_may_not_open_at_once(folder):
    write(folder, {f"{end}/{number:03}.{end}": {"x": [number]} for end in ("csv", "parquet") for number in range(300)})
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))\n"
        "from neural_programmer.tables.source import open_source\n"
        "for end in ('csv', 'parquet'):\n"
        "    with open_source(end) as source: print(source.rows)"
    )
    where = {**os.environ, "PYTHONPATH": os.path.join(os.path.dirname(__file__), "..", "src")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=where)
    assert (done.stdout, done.stderr) == ("300\n300\n", "")


def test_large_files_take_no_memory_one_by_one(folder, monkeypatch):
    """What was looked at of each, to know its columns, is not kept of all of them."""
    monkeypatch.setattr(books, "STORED_LIMIT", 0)
    (folder / "a").mkdir()
    for number in range(40):
        (folder / "a" / f"{number}.csv").write_text("x\n" + f"{'1' * 99}\n" * 10_000)
    tracemalloc.start()
    try:
        open_source("a").close()
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()

"""Arrow and Feather files: read by a process with limits, refused in one sentence where they are damaged."""

import datetime
import random
import sys
import tempfile
from decimal import Decimal

import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pytest

from neural_programmer.base.limits import Limits
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables.source import open_source


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory, monkeypatch):
    """What is put aside while reading is gone in the end."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def refused(path, limits=Limits()):  # noqa: B008  frozen
    with pytest.raises(NeuralProgrammerError) as error:
        open_source(path, "a.arrow", limits)
    assert "\n" not in str(error.value)
    assert str(path.parent) not in str(error.value)
    return str(error.value)


def test_columns_of_many_types(tmp_path):
    day, moment = datetime.date(2024, 3, 5), datetime.datetime(2024, 3, 5, 12, 30)
    table = pyarrow.table(
        {
            "whole": pyarrow.array([2**53 + 1, None], pyarrow.int64()),
            "small": pyarrow.array([1, 2], pyarrow.uint8()),
            "half": pyarrow.array([1.5, float("nan")], pyarrow.float32()),
            "word": pyarrow.array(["a", None]).dictionary_encode(),
            "large": pyarrow.array(["b", ""], pyarrow.large_string()),
            "view": pyarrow.array(["NA", "c"], pyarrow.string_view()),
            "day": pyarrow.array([day, None]),
            "at": pyarrow.array([moment, None], pyarrow.timestamp("ns", "Europe/Berlin")),
            "open": pyarrow.array([True, None]),
            "money": ["$5", "$6"],
            "decimal": pyarrow.array([Decimal("1.25"), None], pyarrow.decimal128(5, 2)),
            "list": [[1, 2], None],
            "struct": [{"x": 1}, None],
            "none": pyarrow.nulls(2),
        }
    )
    pyarrow.feather.write_feather(table, str(tmp_path / "a.feather"), compression="lz4")
    with open_source(tmp_path / "a.feather") as source:
        kinds = {column.name: column.kind for column in source.columns}
        first, second = (dict(zip(kinds, row, strict=True)) for row in source.page(0, 2))
    assert {name for name, kind in kinds.items() if kind == "text"} == {
        "word", "large", "view", "list", "struct", "none"
    }  # fmt: skip
    assert (first["whole"], first["small"], first["word"], first["money"]) == (2**53 + 1, 1, "a", 5)
    assert (first["day"], first["open"], first["decimal"], first["list"]) == (day, True, 1.25, "[1, 2]")
    assert (second["half"], second["large"], second["view"]) == (None, None, "c")


def test_a_stream_and_a_file_without_rows(tmp_path):
    schema = pyarrow.schema({"a": pyarrow.int64(), "b": pyarrow.string()})
    for new in (pyarrow.ipc.new_stream, pyarrow.ipc.new_file):
        with new(str(tmp_path / "a.arrow"), schema):
            pass
        with open_source(tmp_path / "a.arrow") as source:
            assert ([column.name for column in source.columns], source.rows) == (["a", "b"], 0)


def test_what_cannot_be_a_table(tmp_path):
    path = tmp_path / "a.arrow"
    for names, said in ((["a", "A"], "stands twice"), ([], "at least one column"), (["a", ""], "has no name")):
        table = pyarrow.table([[1]] * len(names), names=names)
        pyarrow.feather.write_feather(table, str(path))
        assert said in refused(path)
    pyarrow.feather.write_feather(pyarrow.table({f"c{number}": [1] for number in range(1001)}), str(path))
    assert "a table has 1000 columns at most" in refused(path)


def test_a_damaged_one_is_refused_in_one_sentence(tmp_path):
    table = pyarrow.table({"a": list(range(50)), "b": ["x", None] * 25})
    pyarrow.feather.write_feather(table, str(tmp_path / "whole"), compression="lz4")
    whole, path, generator = (tmp_path / "whole").read_bytes(), tmp_path / "a.arrow", random.Random(0)
    for number in range(6):
        damaged = bytearray(whole[: -generator.randrange(1, 300)] if number % 2 else whole)
        for _ in range(20 * (1 - number % 2)):
            damaged[generator.randrange(8, len(damaged))] ^= 0xFF
        path.write_bytes(damaged)
        assert "it is no Arrow file, or a damaged one (" in refused(path)


def test_one_that_unpacks_to_much_takes_no_more_memory_than_is_allowed(tmp_path):
    path, options = tmp_path / "a.arrow", pyarrow.ipc.IpcWriteOptions(compression="zstd")
    with pyarrow.ipc.new_file(str(path), pyarrow.schema({"a": pyarrow.int64()}), options=options) as written:
        written.write_batch(pyarrow.record_batch({"a": pyarrow.repeat(0, 100_000_000)}))  # 800 MB
    assert path.stat().st_size < 100_000
    assert "it takes more memory than is allowed here" in refused(path, Limits(megabytes=200, folder=tmp_path))


def test_without_pyarrow_it_is_said_what_to_install(tmp_path, monkeypatch):
    pyarrow.feather.write_feather(pyarrow.table({"a": [1]}), str(tmp_path / "a.arrow"))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "need pyarrow, which is not installed: pip install 'neural-programmer[arrow]'" in refused(
        tmp_path / "a.arrow"
    )

"""Packed files: what is cut off is told, what unpacks to much is bounded, nothing else is needed to read them."""

import gzip
import resource
import subprocess

import duckdb
import pyarrow
import pytest

from neural_programmer.base.limits import Limits
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables import books
from neural_programmer.tables.packing import BLOCK, size_unpacked, unpacked
from neural_programmer.tables.source import open_source

ROWS = "a,b\n" + "".join(f"{number},{number * 7919 % 1_000_003}\n" for number in range(60_000))


def zstd(content: bytes) -> bytes:
    return pyarrow.Codec("zstd").compress(content, asbytes=True)


def streamed(content: bytes) -> bytes:
    """As one of Zstandard that does not say how large it is."""
    sink = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("pack", [zstd, streamed], ids=["at once", "streamed"])
def test_what_is_packed_by_zstandard_comes_back(tmp_path, pack):
    path = tmp_path / "a"
    left_out = b"\x50\x2a\x4d\x18\x03\0\0\0abc"  # a frame of something else
    for content in (b"a\n1\n", ROWS.encode(), b"a\n" + b"0" * 1_000_000 + b"\n", "é\n".encode() * 300_000):
        path.write_bytes(pack(content) + left_out + pack(b"2\n"))
        with unpacked(path, "zstd", duckdb.connect()) as file:
            assert file.read() == content + b"2\n"
        assert len(content) <= size_unpacked(path, "zstd") <= len(content) + 2 * BLOCK


@pytest.mark.parametrize("pack", [zstd, streamed], ids=["at once", "streamed"])
def test_what_is_cut_off_is_told_wherever_it_is(tmp_path, pack):
    """DuckDB takes what there is."""
    path, whole = tmp_path / "a.csv.zst", pack(ROWS.encode())
    path.write_bytes(whole)
    with open_source(path) as source:
        assert source.rows == 60_000
    for length in (5, 7, 20, len(whole) // 3, len(whole) // 2, len(whole) - 3, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(NeuralProgrammerError, match="it ends too soon, so the file may be cut off"):
            open_source(path)


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_what_unpacks_to_much_is_neither_kept_in_memory_nor_on_the_disk(tmp_path, pack, monkeypatch):
    path, members = tmp_path / f"a.csv.{'gz' if pack is gzip.compress else 'zst'}", 10
    path.write_bytes(pack(b"a,b\n") + members * pack(b"1,2\n" * 500_000))  # 20 MB
    monkeypatch.setattr(books, "STORED_LIMIT", 5_000_000)
    assert path.stat().st_size * 10 < books.STORED_LIMIT
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open_source(path, limits=Limits(folder=tmp_path)) as source:
        assert (source.rows, source.seekable) == (members * 500_000, False)
        assert sum(file.stat().st_size for file in source.folder.iterdir()) == 0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000  # kilobytes
    with pytest.raises(NeuralProgrammerError, match="it unpacks to more than 15,000,000 bytes"):
        open_source(path, limits=Limits(unpacked=15_000_000))
    with pytest.raises(NeuralProgrammerError, match=r"takes longer than 0\.01 seconds to read"):
        open_source(path, limits=Limits(seconds=0.01))


@pytest.mark.parametrize("pack", [gzip.compress, zstd, bytes], ids=["gzip", "zstd", "as it is"])
@pytest.mark.parametrize("text", ['[{"a": 1}, {"a": 2}]', '{"a": 1}\n{"a": 2}\n'], ids=["array", "lines"])
def test_json_may_begin_with_a_byte_order_mark(tmp_path, pack, text):
    path = tmp_path / f"a.json{ {gzip.compress: '.gz', zstd: '.zst'}.get(pack, '') }"
    path.write_bytes(pack(b"\xef\xbb\xbf" + text.encode()))
    with open_source(path) as source:
        assert source.page(0, 3) == [(1.0,), (2.0,)]


def test_what_the_program_zstd_packs(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(ROWS)
    try:
        subprocess.run(["zstd", "-q", "--long", "-19", str(path)], check=True)
    except FileNotFoundError:
        pytest.skip("no program zstd here")
    with open_source(f"{path}.zst") as source:
        assert source.rows == 60_000

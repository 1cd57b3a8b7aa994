"""Files are written whole or not at all, and nothing but a file is ever replaced."""

import os
import stat

import pytest

from neural_programmer import files
from neural_programmer.errors import NeuralProgrammerError


def test_a_reader_sees_the_old_or_the_new(tmp_path):
    path = tmp_path / "file"
    files.write(path, b"old")
    with files.whole(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["file"]


def test_an_error_half_way_leaves_the_old(tmp_path):
    path = tmp_path / "file"
    files.write(path, b"old")
    with pytest.raises(ZeroDivisionError), files.whole(path) as file:
        file.write(b"half" * (1 // 0))
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_link_is_followed(tmp_path):
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("target")
    files.write(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_what_is_no_file_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "loop", "folder"):
        with pytest.raises(NeuralProgrammerError, match=f"cannot write .*{name}"):
            files.write(tmp_path / name, b"new")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert (tmp_path / "loop").is_symlink()


def test_a_long_name_has_room(tmp_path):
    files.write(tmp_path / ("x" * 255), b"new")
    assert os.listdir(tmp_path) == ["x" * 255]

"""Files are written whole or not at all, and nothing but a file is ever replaced."""

import contextlib
import os
import signal
import stat
import subprocess
import sys

import pytest

from neural_programmer.base import files
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
    """Names are as long as their bytes: a letter may have three."""
    for name in ("x" * 255, "\u96ea" * 85):
        files.write(tmp_path / name, b"new")
    assert sorted(os.listdir(tmp_path)) == ["x" * 255, "\u96ea" * 85]


def test_writers_of_one_process_do_not_take_each_others_part(tmp_path):
    path = tmp_path / "file"
    with files.whole(path) as first:
        first.write(b"first")
        with files.whole(path) as second:
            second.write(b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("meddle", ["remove", "hold"])
def test_a_part_that_another_writer_takes_for_one_that_was_left_is_begun_again(tmp_path, monkeypatch, meddle):
    lock, path = files._lock, tmp_path / "file"
    with contextlib.ExitStack() as other:

        def late(file):
            monkeypatch.setattr(files, "_lock", lock)
            if meddle == "remove":
                files._remove_left(path)
            else:
                (part,) = tmp_path.iterdir()
                lock(other.enter_context(part.open("rb")))
            lock(file)

        monkeypatch.setattr(files, "_lock", late)
        files.write(path, b"new")
        assert path.read_bytes() == b"new"
    files.write(path, b"newer")
    assert os.listdir(tmp_path) == ["file"]


def test_a_part_that_is_about_to_take_its_place_is_not_removed(tmp_path, monkeypatch):
    replace, path = os.replace, tmp_path / "file"

    def late(source, target):
        files._remove_left(path)
        replace(source, target)

    monkeypatch.setattr(os, "replace", late)
    files.write(path, b"new")
    assert path.read_bytes() == b"new"


def test_parts_of_who_was_killed_are_removed_and_no_others(tmp_path):
    writing = "import sys, time; from pathlib import Path; from neural_programmer.base import files\n"
    writing += "with files.whole(Path(sys.argv[1])) as file:\n    print(flush=True); time.sleep(100)"
    with subprocess.Popen([sys.executable, "-c", writing, str(tmp_path / "file")], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        (part,) = os.listdir(tmp_path)
        files.write(tmp_path / "file", b"new")
        assert sorted(os.listdir(tmp_path)) == sorted([part, "file"])  # it is still written
        process.send_signal(signal.SIGKILL)
    assert part in os.listdir(tmp_path)
    (tmp_path / ".file.part").write_bytes(b"of somebody else")
    files.write(tmp_path / "file", b"newer")
    assert sorted(os.listdir(tmp_path)) == [".file.part", "file"]
    assert (tmp_path / "file").read_bytes() == b"newer"

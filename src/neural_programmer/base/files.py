"""Files that are written whole or not at all, and folders that go with the process that made them."""

import contextlib
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from neural_programmer.errors import NeuralProgrammerError

BEGINNING = 100  # bytes of a file's name that the name of its part has

try:
    import fcntl
except ImportError:  # on Windows, where a file that is open cannot be removed anyway
    fcntl = None


@contextlib.contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to write to. A reader sees the old content or, once all is on the disk, the new; never a part.

    A link is followed to the file it stands for; devices and pipes are refused, for a file would take their place.
    """
    try:
        target = path.resolve(strict=False)
        if not target.name or (target.exists() and not target.is_file()):
            raise NeuralProgrammerError(f"cannot write {path}: that is not a file")
        _remove_left(target)
        file, beside = _part(target)
        try:
            with file:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if fcntl is None:
                    file.close()
                os.replace(beside, target)  # while it is locked, and not taken for one that was left
        finally:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)
    except RuntimeError:  # of links that lead to each other
        raise NeuralProgrammerError(f"cannot write {path}: its links lead in a circle") from None
    except OSError as error:
        raise NeuralProgrammerError(f"cannot write {path}: {error.strerror}; what was there before is kept") from None


def write(path: Path, content: bytes) -> None:
    """Write a whole file at once."""
    with whole(path) as file:
        file.write(content)


def remove_own(folder: Path, process: int) -> None:
    """Remove a folder, unless this is a process that was forked from the one that made it."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def _part(target: Path) -> tuple[IO[bytes], Path]:
    """Return a temporary file that is locked. If others took it for a left one before the lock, make another."""
    while True:
        beside = target.with_name(f".{_beginning(target.name)}.{secrets.token_hex(4)}.part")
        file = open(beside, "xb")  # noqa: SIM115  whoever asked for it closes it
        try:
            _lock(file)
            if os.fstat(file.fileno()).st_nlink:
                return file, beside
            file.close()
        except BlockingIOError:
            file.close()
        except BaseException:
            file.close()
            beside.unlink(missing_ok=True)
            raise


def _beginning(name: str) -> str:
    """So much of a name that a longer one may begin with it: names have at most 255 bytes.

    >>> len(_beginning("a" * 255)), len(_beginning("\u96ea" * 85))
    (100, 33)
    """
    return os.fsencode(name)[:BEGINNING].decode(errors="ignore")


def _remove_left(target: Path) -> None:
    """Remove the parts of a file that were left by processes which were ended while they wrote it."""
    name = re.compile(rf"\.{re.escape(_beginning(target.name))}\.[0-9a-f]+\.part")
    with contextlib.suppress(FileNotFoundError):
        for entry in filter(name.fullmatch, os.listdir(target.parent)):
            left = target.with_name(entry)
            with contextlib.suppress(OSError), open(left, "rb") as file:
                _lock(file)
                left.unlink()


def _lock(file: IO[bytes]) -> None:
    """Keep a part from being removed by others while it is open; refused where another process has it."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

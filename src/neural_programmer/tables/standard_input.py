"""The standard input as a file: copied once into a private folder, which goes with this process."""

import os
import sys
import tempfile
import threading
import weakref
from pathlib import Path
from typing import Any

from neural_programmer.base.files import remove_own
from neural_programmer.errors import NeuralProgrammerError, NoRoomError, is_of_full_disk
from neural_programmer.tables.heads import HEAD, kind_of

NAMES = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
TITLE, CALLED = "the standard input", "stdin"
MOST_BYTES = 4_000_000_000  # bytes that are copied


class _Copy:
    """A copy of what a stream gave, in a folder that is removed when nobody has it any more."""

    def __init__(self, stream: Any) -> None:
        self.stream, self.folder = stream, Path(tempfile.mkdtemp(prefix="neural-programmer-"))
        self.path = self.folder / NAMES[0]
        self.remove = weakref.finalize(self, remove_own, self.folder, os.getpid())


_lock = threading.Lock()
_kept: _Copy | None = None
_adopted: Path | None = None


def copied() -> Path:
    """Return the copy of the standard input, made by whoever wants it first: it can be read once only."""
    global _kept
    with _lock:
        if _adopted is not None:
            return _adopted
        if _kept is None or _kept.stream is not sys.stdin:
            source, made = _bytes(sys.stdin), _Copy(sys.stdin)
            try:
                _copy(source, made.path)
            except BaseException:
                made.remove()
                raise
            _kept = made
        return _kept.path


def adopt(path: Path) -> None:
    """Take the copy that another process made for the standard input."""
    global _adopted
    _adopted = path


def forget() -> None:
    """Remove the copy."""
    global _kept, _adopted
    with _lock:
        if _kept is not None:
            _kept.remove()
        _kept = _adopted = None


def _bytes(stream: Any) -> Any:
    """Return the stream of bytes below a stream of text, unless a person would have to type them."""
    if getattr(stream, "buffer", None) is None or stream.closed:
        raise NeuralProgrammerError(f"there is nothing to read: {TITLE} is closed; name a file")
    if stream.isatty():
        raise NeuralProgrammerError(
            f"{TITLE} is a terminal, and a table was expected; pipe one into it, as in:"
            " cat sales.csv | neural-programmer ask - 'how many rows'"
        )
    return stream.buffer


def _copy(source: Any, path: Path) -> None:
    """Copy all that a stream gives; of what is no table, only the beginning, for whoever reads it to refuse."""
    size = 0
    try:
        with open(path, "xb") as written:
            while chunk := source.read(HEAD):
                size += written.write(chunk)
                if size > MOST_BYTES:
                    raise NeuralProgrammerError(
                        f"{TITLE} has more than {MOST_BYTES:,} bytes; save it as a file, and name that"
                    )
                if size == len(chunk) and kind_of(chunk) == "unknown":
                    return
    except OSError as error:
        if is_of_full_disk(error):
            raise NoRoomError(
                f"the disk has no room for a copy of {TITLE}; save it as a file elsewhere, and name that"
            ) from None
        raise NeuralProgrammerError(f"cannot read {TITLE}: {error.strerror or error}; name a file") from None

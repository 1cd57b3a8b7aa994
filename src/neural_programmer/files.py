"""Files that are written whole or not at all."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from neural_programmer.errors import NeuralProgrammerError


@contextlib.contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to. A reader sees the old content or, once all is on the disk, the new; never a part."""
    if not path.name:
        raise NeuralProgrammerError(f"cannot write {str(path)!r}: that is not the name of a file")
    beside = path.with_name(f".{path.name}.part")
    try:
        with open(beside, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        raise NeuralProgrammerError(f"cannot write {path}: {error.strerror}; what was there before is kept") from None
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def write(path: Path, content: bytes) -> None:
    """Write a whole file at once."""
    with whole(path) as file:
        file.write(content)

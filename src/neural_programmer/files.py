"""Files that are written whole or not at all."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from neural_programmer.errors import NeuralProgrammerError


@contextlib.contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to. A reader sees the old content or, once all is on the disk, the new; never a part.

    A link is followed to the file it stands for; devices and pipes are refused, for a file would take their place.
    """
    try:
        target = path.resolve(strict=False)
        if not target.name or (target.exists() and not target.is_file()):
            raise NeuralProgrammerError(f"cannot write {path}: that is not a file")
        beside = target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
        try:
            with open(beside, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, target)
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

"""What a table and its queries may take: time, memory, rows."""

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb

AGAIN = 0.05  # seconds from one interrupt to the next


@dataclass(frozen=True)
class Limits:
    """What opening a table may take, where it is not its owner who opens it; in `folder` it may keep files."""

    megabytes: int | None = None  # of memory; more is kept on the disk, four times as much at most
    rows: int | None = None
    seconds: float | None = None
    unpacked: int | None = None  # bytes of a packed file
    folder: Path | None = None


NONE = Limits()


@contextlib.contextmanager
def within(seconds: float | None, connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Interrupt what the connection does, once time is up, and whatever it does after that, until this is left.

    DuckDB raises an InterruptException.
    """
    if seconds is None:
        yield
        return
    done = threading.Event()

    def interrupt() -> None:
        wait = seconds
        while not done.wait(wait):
            with contextlib.suppress(duckdb.ConnectionException):  # closed in the meantime
                connection.interrupt()
            wait = AGAIN

    watch = threading.Thread(target=interrupt, daemon=True)
    watch.start()
    try:
        yield
    finally:
        done.set()
        watch.join()

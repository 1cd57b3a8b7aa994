"""What a table and its queries may take: time, memory, rows."""

import atexit
import contextlib
import math
import os
import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from neural_programmer.errors import NeuralProgrammerError

AGAIN = 0.05  # seconds from one interrupt to the next
NO_MEMORY = "the question takes more memory than there is; ask a smaller table"
_END: ContextVar[float] = ContextVar("end", default=math.inf)  # of the time that what is done now may take


@dataclass(frozen=True)
class Limits:
    """What opening an untrusted table may take; `folder` is where it may keep files.

    A `foreign` file came from somebody else, who may have made it to do harm: no view of it runs where questions are
    answered.
    """

    megabytes: int | None = None  # of memory; more is kept on the disk, four times as much at most
    rows: int | None = None
    seconds: float | None = None
    unpacked: int | None = None  # bytes of a packed file
    folder: Path | None = None
    foreign: bool = False


NONE = Limits()
WORKBOOK = Limits(megabytes=2_000, seconds=300)  # for a workbook or a SQLite file, where no others are given


@runtime_checkable
class Interrupts(Protocol):
    """A DuckDB connection, or whatever can be interrupted like one: more than once, and when it is done."""

    def interrupt(self) -> None: ...


class _Watch:
    """One thread that interrupts whatever has no time left; starting a thread for each takes as long as a short
    query."""

    def __init__(self) -> None:
        self.begin()
        atexit.register(self._end)

    def begin(self) -> None:
        """Watch nothing. A forked process calls it too, because the thread is not there."""
        self._changed = threading.Condition()
        self._ends: dict[object, tuple[float, Interrupts]] = {}
        self._looks = math.inf  # when the thread looks again
        self._thread: threading.Thread | None = None
        self._ended = False

    def add(self, seconds: float, connection: Interrupts) -> object:
        """Interrupt a connection after so many seconds, and again and again, until what is given back is removed."""
        key, end = object(), time.monotonic() + seconds
        with self._changed:
            self._ends[key] = end, connection
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._look, daemon=True)
                self._thread.start()
            elif end < self._looks:
                self._changed.notify()
        return key

    def remove(self, key: object) -> None:
        with self._changed:
            self._ends.pop(key, None)

    def hurry(self) -> None:
        """Interrupt everything now, and again and again, until it is removed."""
        with self._changed:
            self._ends = {key: (0.0, connection) for key, (_, connection) in self._ends.items()}
            self._changed.notify()

    def _look(self) -> None:
        with self._changed:
            while not self._ended:
                self._interrupt()
                self._looks = min((end for end, _ in self._ends.values()), default=math.inf)
                self._changed.wait(None if self._looks == math.inf else max(self._looks - time.monotonic(), 0))

    def _end(self) -> None:
        """End the thread before the libraries that it uses are taken away."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _interrupt(self) -> None:
        import duckdb

        now = time.monotonic()
        for key, (end, connection) in self._ends.items():
            if end <= now:
                with contextlib.suppress(duckdb.Error):  # closed in the meantime
                    connection.interrupt()
                self._ends[key] = now + AGAIN, connection


_WATCH = _Watch()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_WATCH.begin)


@contextlib.contextmanager
def within(seconds: float | None, connection: Interrupts) -> Iterator[None]:
    """Interrupt what the connection does, once time is up, and whatever it does after that, until this is left.

    DuckDB raises an InterruptException, and so does `check_time`, for what is done without the connection.
    """
    if seconds is None:
        yield
        return
    key, before = _WATCH.add(seconds, connection), _END.get()
    _END.set(min(before, time.monotonic() + seconds))
    try:
        yield
    finally:
        _END.set(before)
        _WATCH.remove(key)


def check_time() -> None:
    """Interrupt what is done here as a connection would be, if no time is left for it (see `within`)."""
    if time.monotonic() >= _END.get():
        import duckdb  # not before: learning needs no database

        raise duckdb.InterruptException("no time is left")


def hurry() -> None:
    """Interrupt whatever has a limit of time, for this process is to end."""
    _WATCH.hurry()


def too_long(seconds: float) -> NeuralProgrammerError:
    """Return the error for a question whose time is up."""
    return NeuralProgrammerError(
        f"the question took longer than {seconds:g} seconds; ask something simpler, or a smaller table"
    )

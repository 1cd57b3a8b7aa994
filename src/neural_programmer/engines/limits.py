"""Queries that are not let to take long."""

import contextlib
import threading
from collections.abc import Iterator

import duckdb

AGAIN = 0.05  # seconds from one interrupt to the next


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
            connection.interrupt()
            wait = AGAIN

    watch = threading.Thread(target=interrupt, daemon=True)
    watch.start()
    try:
        yield
    finally:
        done.set()
        watch.join()

"""Queries that are not let to take long."""

import contextlib
import threading
from collections.abc import Iterator

import duckdb


@contextlib.contextmanager
def within(seconds: float | None, connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Interrupt what the connection does, once time is up: DuckDB raises an InterruptException."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()

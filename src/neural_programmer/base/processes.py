"""Start worker processes with one thread of linear algebra each: more threads would wait for each other."""

import contextlib
import os
from collections.abc import Iterator

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


@contextlib.contextmanager
def single_threaded() -> Iterator[None]:
    """Give processes that are started here one thread each, whatever they compute with."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def cores() -> int:
    """Return how many processes may work at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

"""Several processes at work, each with one thread of linear algebra: more would wait for each other."""

import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


@contextlib.contextmanager
def single_threaded() -> Iterator[None]:
    """Processes that are started here have one thread each, whatever they compute with."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def cores() -> int:
    """How many processes may work at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def each(
    work: Callable[[Part], list[Result]], parts: Sequence[Part], progress: Callable[[int], None] = lambda done: None
) -> Iterator[Result]:
    """The results of all parts in their order, worked on by all cores; one part is not worth another process."""
    done = 0
    if len(parts) < 2:
        for part in parts:
            results = work(part)
            done += len(results)
            progress(done)
            yield from results
        return
    with single_threaded(), multiprocessing.get_context("spawn").Pool(min(len(parts), cores())) as pool:
        for results in pool.imap(work, parts):
            done += len(results)
            progress(done)
            yield from results

"""Several processes at work, each with one thread of linear algebra: more would wait for each other."""

import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from neural_programmer.programs import own

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
    """The results of all parts in their order, worked on by all cores.

    One part is not worth another process, and one's own operations that came without a file are known here alone.
    """
    done, files = 0, own.files()
    with contextlib.ExitStack() as stack:
        every = map(work, parts)
        if len(parts) > 1 and files is not None:
            stack.enter_context(single_threaded())
            pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(min(len(parts), cores())))
            every = pool.imap(partial(_knowing, files, work), parts)
        for results in every:
            done += len(results)
            progress(done)
            yield from results


def _knowing(files: Sequence[str], work: Callable[[Part], list[Result]], part: Part) -> list[Result]:
    """Work of a process that knows the operations of these files."""
    own.given(file for file in files if file not in (own.files() or ()))
    return work(part)

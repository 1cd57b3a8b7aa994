"""Work in parts, by as many processes as there are cores, which know one's own operations."""

import contextlib
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from neural_programmer.base.processes import cores, single_threaded
from neural_programmer.programs import own

Part = TypeVar("Part")
Result = TypeVar("Result")


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

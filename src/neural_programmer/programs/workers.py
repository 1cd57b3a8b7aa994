"""Work in parts, by as many processes as there are cores."""

import contextlib
import multiprocessing
import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from neural_programmer.base.processes import cores, single_threaded

Part = TypeVar("Part")
Result = TypeVar("Result")


def each(
    work: Callable[[Part], list[Result]], parts: Sequence[Part], progress: Callable[[int], None] = lambda done: None
) -> Iterator[Result]:
    """The results of all parts in their order, worked on by all cores.

    One part is not worth another process, and one's own operations that came without a file are known here alone.
    """
    done = 0
    with contextlib.ExitStack() as stack:
        every = map(work, parts)
        if len(parts) > 1 and _travels(work):
            stack.enter_context(single_threaded())
            pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(min(len(parts), cores())))
            every = pool.imap(work, parts)
        for results in every:
            done += len(results)
            progress(done)
            yield from results


def _travels(work: Callable[..., object]) -> bool:
    """Whether another process can be told of this work."""
    try:
        pickle.dumps(work)
    except pickle.PicklingError:
        return False
    return True

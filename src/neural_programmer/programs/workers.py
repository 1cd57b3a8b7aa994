"""Work in parts, by as many processes as there are cores."""

import contextlib
import multiprocessing
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache, partial
from typing import Any, TypeVar

from neural_programmer.base.processes import cores, single_threaded
from neural_programmer.errors import NeuralProgrammerError

Part = TypeVar("Part")
Result = TypeVar("Result")


def each(
    work: Callable[[Part], list[Result]], parts: Sequence[Part], progress: Callable[[int], None] = lambda done: None
) -> Iterator[Result]:
    """Yield the results of all parts in their order, worked on by all cores.

    One part is worked on in this process. So is work that cannot be packed, as with operations of one's own that are in
    no file.
    """
    done = 0
    with contextlib.ExitStack() as stack:
        every, packed = map(work, parts), _packed(work) if len(parts) > 1 else None
        if packed is not None:
            stack.enter_context(single_threaded())
            spawn = multiprocessing.get_context("spawn")
            pool = stack.enter_context(ProcessPoolExecutor(min(len(parts), cores()), mp_context=spawn))
            every = pool.map(partial(_done, packed), parts)
        try:
            for results in every:
                done += len(results)
                progress(done)
                yield from results
        except BrokenProcessPool:
            raise NeuralProgrammerError(
                "a process ended before its part of the work was done, perhaps for want of memory: close other "
                "programs, or give it less at a time"
            ) from None


def _packed(work: Callable[..., object]) -> bytes | None:
    """Pack work for another process, or return None if it cannot be packed."""
    try:
        return pickle.dumps(work)
    except pickle.PicklingError:
        return None


def _done(packed: bytes, part: Any) -> Any:
    """Unpack work and do a part. An error in either is raised where the results are waited for."""
    return _unpacked(packed)(part)


@lru_cache(4)
def _unpacked(packed: bytes) -> Callable[..., Any]:
    return pickle.loads(packed)  # of our own process, which packed it

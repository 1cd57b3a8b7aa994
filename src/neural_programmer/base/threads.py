"""One thread of linear algebra while a question is answered: its products are small, and several threads wait for each
other on a machine that has other work."""

import contextlib
import ctypes
import importlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

NAMES = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads")


def _functions() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """Return the functions that read and set the number of threads of NumPy's OpenBLAS; none for another library."""
    beside = sorted((Path(np.__file__).parent.parent / "numpy.libs").glob("*openblas*"))
    uses_it = importlib.import_module("numpy._core._multiarray_umath").__file__
    for path in (uses_it, *map(str, beside)):
        with contextlib.suppress(OSError):
            library = ctypes.CDLL(path)  # which is loaded already
            for name in NAMES:
                if hasattr(library, name.format("set")):
                    return getattr(library, name.format("get")), getattr(library, name.format("set"))
    return None


class _Threads:
    """The number of threads before the first context that wants one; the last context to end restores it."""

    def __init__(self) -> None:
        self.functions = _functions()
        self.lock = threading.Lock()
        self.users, self.before = 0, 1

    def take(self) -> None:
        if self.functions is None:
            return
        get, set_ = self.functions
        with self.lock:
            if not self.users:
                self.before = get()
                set_(1)
            self.users += 1

    def give_back(self) -> None:
        if self.functions is None:
            return
        get, set_ = self.functions
        with self.lock:
            self.users = max(self.users - 1, 0)  # there is none where it was forgotten
            if not self.users and get() == 1:  # else the program around us has said in the meantime what it wants
                set_(self.before)

    def forget(self) -> None:
        """Forget in a forked process which threads had taken one: they are not there."""
        self.lock = threading.Lock()
        if self.functions is not None and self.users:
            self.functions[1](self.before)
        self.users = 0


_THREADS = _Threads()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_THREADS.forget)


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Use one thread of NumPy's linear algebra inside; restore the number when the last context ends."""
    _THREADS.take()
    try:
        yield
    finally:
        _THREADS.give_back()

"""A file that may do anything to what reads it is read by a process of its own, which has limits and can be ended."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import duckdb

from neural_programmer.base.limits import Limits, within
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables.containers import TOO_LARGE

FAILED = re.compile(rb"memory allocation of (\d+) bytes failed")  # what calamine says at its end


@contextlib.contextmanager
def told_by(module: str, limits: Limits, **asked: Any) -> Iterator[Iterator[Any]]:
    """Run a module as a process and yield what it tells in JSON lines, within its time; it is given `asked` as JSON.

    The module limits itself to the memory, for that cannot be done from here everywhere; it imports what this process
    could.
    """

    def fault() -> str:
        if deadline.passed:
            return f"it takes longer than {limits.seconds:g} seconds to read; leave some of it out"
        errors.seek(0)
        return _fault(process.returncode, errors.read(), limits.megabytes)

    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            [sys.executable, "-P", "-m", module, json.dumps(asked)],
            stdin=subprocess.PIPE,  # whose end tells it that nobody listens
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "RUST_BACKTRACE": "0"},
        ) as process,
    ):
        deadline = _Deadline(process)
        try:
            with within(limits.seconds, deadline):
                yield _told(process, fault)
        finally:
            process.kill()


class _Deadline:
    """Ends a process when it has no time left."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process, self.passed = process, False

    def interrupt(self) -> None:
        self.passed = True
        self.process.kill()


def _told(process: subprocess.Popen[bytes], fault: Callable[[], str]) -> Iterator[Any]:
    """Return what a process tells, until it is done."""
    for line in process.stdout or ():
        if not line.endswith(b"\n"):  # it ended in the middle
            break
        told = json.loads(line)
        if isinstance(told, dict):
            raise duckdb.Error(told["duckdb"]) if "duckdb" in told else NeuralProgrammerError(told["error"])
        yield told
    if process.wait():
        raise NeuralProgrammerError(fault())


def _fault(code: int, errors: bytes, megabytes: int | None) -> str:
    """Return what ended a process that read a file, by its exit code and its last output."""
    failed = [int(size) // 1_000_000 for size in FAILED.findall(errors)]
    if failed and megabytes and failed[-1] > megabytes:
        return (
            f"its cells and the empty ones between them take {failed[-1]:,} megabytes, and {megabytes:,} are allowed;"
            " delete what stands far from the table, or save it as CSV"
        )
    if failed or code == -signal.SIGKILL:
        return TOO_LARGE
    if code < 0:
        return "it is damaged, or takes more memory than is allowed here; save it again, or leave some of it out"
    last = errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return f"no process could be started to read it ({last[:200]})"

"""Questions of a file of lines, each answered or refused by itself.

A clerk answers lines; an office is a process with a clerk. Whatever a table does to what reads it costs one line:
another process takes the place of one that ended, and the folder where they keep what they need is removed at the end.
"""

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

from neural_programmer.answering.asking import Desk
from neural_programmer.answering.asking import ask as _ask
from neural_programmer.base.limits import NO_MEMORY
from neural_programmer.base.processes import cores, single_threaded
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import Answer
from neural_programmer.tables import naming, standard_input

TABLES = 64  # of a batch that stay open
MANY, CHUNK = 500, 50  # lines of a batch that are worth several processes, and that each takes at a time
AHEAD = 2  # times as many of these as there are processes are read before they are answered
GRACE = 10.0  # seconds beyond those that a table and a question may take, after which their process is ended
STOPPED = "the batch was stopped"
Given = TypeVar("Given")
Found = TypeVar("Found")


class Clerk:
    """Answers the lines of a batch; `copy` is the copy of the standard input, if that is the table."""

    def __init__(
        self,
        path: str,
        table: str | None,
        model: str | None,
        operations: list[Path] | None,
        options: dict[str, Any],
        copy: Path | None = None,
    ) -> None:
        from neural_programmer.cli.models import chosen_model

        if copy is not None:
            standard_input.adopt(copy)

        self.model, self.table, self.options, self.desk = chosen_model(model, operations), table, options, Desk(TABLES)
        self.beside = None if path == "-" else Path(path).parent

    def answer(self, number: int, line: str) -> dict[str, Any]:
        """Return an object for a line; where it cannot be answered, it says why."""
        try:
            given = _read(line, number)
            about, asked = given.get("table", self.table), given.get("question")
            if not isinstance(about, str) or not isinstance(asked, str):
                missing = "table to ask about" if isinstance(asked, str) else "question"
                raise NeuralProgrammerError(f"line {number} names no {missing}: {line.strip()[:60]!r}")
            if about != self.table:
                naming.check_here(about)
            about = about if self.beside is None else naming.placed(about, self.beside)
            result = _ask(self.model, about, asked, desk=self.desk, **self.options).to_dict()
            json.dumps(result, allow_nan=False)
        except NeuralProgrammerError as error:
            return refused(number, line, str(error))
        except MemoryError:
            return refused(number, line, NO_MEMORY)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # libraries that panic raise no Exception
            fault = f"{type(error).__name__}: {str(error)[:200]}"
            return refused(number, line, f"line {number} cannot be answered ({fault}); leave it out")
        return {"id": given.get("id"), "error": None, **result}


def refused(number: int, line: str, fault: str) -> dict[str, Any]:
    """Return the object for a line that is not answered."""
    try:
        given = _read(line, number)
    except NeuralProgrammerError:
        given = {}
    said, fault = given.get("question"), " ".join(fault.split())
    result = Answer(reason=fault, question=said if isinstance(said, str) else "").to_dict()
    return {"id": given.get("id"), "error": fault, **result}


def batch(
    path: str, table: str | None, model: str | None, operations: list[Path] | None, options: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield an object for every line of a file, in order; many lines are answered by as many processes as there are
    cores."""
    lines = ((number, line) for number, line in enumerate(_lines(path), 1) if line.strip())
    few = list(islice(lines, MANY)) if path != "-" else []
    copy = standard_input.copied() if table is not None and naming.is_standard_input(table) else None
    start = (path, table, model, operations, options, copy)
    if options["engine"] != "duckdb":  # Spark has processes of its own
        clerk = Clerk(*start)
        yield from (clerk.answer(*each) for each in chain(few, lines))
        return
    seconds = options.get("seconds")
    with _folder() as folder, contextlib.ExitStack() as stack:

        def office() -> Office:
            return stack.enter_context(contextlib.closing(Office(folder, start, seconds and 2 * seconds + GRACE)))

        if len(few) < MANY:
            one = office()
            yield from (one.answer(*each) for each in chain(few, lines))
            return
        stack.enter_context(single_threaded())
        offices = [office() for _ in range(cores())]
        pool = stack.enter_context(ThreadPoolExecutor(len(offices)))  # which waits for its threads
        free: SimpleQueue[Office] = SimpleQueue()
        for each in offices:
            stack.callback(each.stop)
            free.put(each)

        def answers(some: Sequence[tuple[int, str]]) -> list[dict[str, Any]]:
            taken = free.get()
            try:
                return [taken.answer(*each) for each in some]
            finally:
                free.put(taken)

        every = chain(few, lines)
        for found in _in_order(pool, answers, iter(lambda: list(islice(every, CHUNK)), []), AHEAD * len(offices)):
            yield from found


class Office:
    """A process that answers lines, replaced when it ends."""

    def __init__(self, folder: str, start: Sequence[Any], seconds: float | None = None) -> None:
        self.folder, self.start, self.seconds, self.stopped = folder, start, seconds, False
        self.lock = threading.Lock()  # of the process that there is, while another thread may stop it
        self._open()

    def _open(self) -> None:
        """Start a process and wait until it is ready."""
        with self.lock:
            if self.stopped:
                raise NeuralProgrammerError(STOPPED)
            try:
                self.pipe, self.process = self._started()
            except OSError as error:
                raise NeuralProgrammerError(
                    f"no process could be started to answer ({error.strerror or error})"
                ) from None
        try:
            said = json.loads(self.pipe.recv_bytes())
        except (EOFError, OSError):
            self._end()
            said = f"no process could be started to answer ({_name(self.process.exitcode)})"
        if said is not None:
            self._end()
            raise NeuralProgrammerError(said)

    def _started(self) -> tuple[Connection, SpawnProcess]:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        with theirs:
            process = context.Process(target=_work, args=(theirs, self.folder, self.start), daemon=True)
            process.start()
        return ours, process

    def _reopen(self) -> None:
        """Start another process in the place of one that ended; try once more where that fails."""
        self._end()
        try:
            self._open()
        except NeuralProgrammerError:
            self._open()

    def answer(self, number: int, line: str) -> dict[str, Any]:
        """Return an object for a line, also where what should answer it ends or does not come to an end."""
        if not self.process.is_alive():
            try:
                self._reopen()
            except NeuralProgrammerError as error:
                if self.stopped:
                    raise
                return refused(number, line, str(error))
        late = False
        with contextlib.suppress(OSError, EOFError):
            self.pipe.send_bytes(json.dumps([number, line]).encode())
            late = not self.pipe.poll(self.seconds)
            if not late:
                return json.loads(self.pipe.recv_bytes())
        self._end()
        if self.stopped:
            raise NeuralProgrammerError(STOPPED)
        fault = f"took longer than {self.seconds:g} seconds" if late else f"ended ({_name(self.process.exitcode)})"
        return refused(
            number, line, f"what should answer line {number} {fault}: its table may be damaged; leave it out"
        )

    def stop(self) -> None:
        """Answer no more: the process ends, also while another thread waits for it, and no other one is started."""
        with self.lock:
            self.stopped = True
            self.process.kill()

    def close(self) -> None:
        self.stop()
        self._end()

    def _end(self) -> None:
        with self.lock:
            self.process.kill()
            self.process.join()
            self.pipe.close()


def _in_order(
    pool: ThreadPoolExecutor, function: Callable[[Given], Found], every: Iterable[Given], ahead: int
) -> Iterator[Found]:
    """Yield what a function gives for each, in their order; take at most so many `ahead` of what is given."""
    waiting: deque[Future[Found]] = deque()
    for each in every:
        waiting.append(pool.submit(function, each))
        if len(waiting) == ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _work(pipe: Connection, folder: str, start: Sequence[Any]) -> None:
    """Answer lines in the process of an office until no more come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it hears of it
    tempfile.tempdir = folder
    try:
        clerk = Clerk(*start)
    except NeuralProgrammerError as error:
        pipe.send_bytes(json.dumps(str(error)).encode())
        return
    pipe.send_bytes(b"null")
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(json.dumps(clerk.answer(*json.loads(pipe.recv_bytes()))).encode())
    clerk.desk.clear()
    with contextlib.suppress(OSError):  # where whoever made it is gone too
        os.rmdir(folder)


@contextlib.contextmanager
def _folder() -> Iterator[str]:
    """Return a folder for what all processes keep."""
    folder = tempfile.mkdtemp(prefix="neural-programmer-batch-")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _name(code: int | None) -> str:
    """Return what an exit code means."""
    return signal.Signals(-code).name if code and -code in set(signal.Signals) else f"exit code {code}"


def _lines(path: str) -> Iterable[str]:
    if path == "-":
        yield from (line.decode("utf-8", "replace") for line in sys.stdin.buffer)
        return
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            yield from file
    except OSError as error:
        raise NeuralProgrammerError(f"cannot read {path[:200]}: {error.strerror}") from None
    except ValueError as error:
        raise NeuralProgrammerError(f"cannot read {path[:200]!r}: {error}") from None


def _read(line: str, number: int) -> dict[str, Any]:
    """Read a line of a batch."""
    try:
        given = json.loads(line, parse_constant=float.fromhex)  # which reads no NaN and no Infinity
        json.dumps(given, ensure_ascii=False, allow_nan=False).encode()  # what can be written again
    except (ValueError, RecursionError):
        raise NeuralProgrammerError(f"line {number} is not JSON: {line.strip()[:60]!r}") from None
    if not isinstance(given, dict):
        raise NeuralProgrammerError(f"line {number} is no JSON object: {line.strip()[:60]!r}")
    return given

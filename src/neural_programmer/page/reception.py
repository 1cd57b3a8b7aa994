"""Do what people ask for in threads beside the server, within the limits of each person."""

import contextlib
import itertools
import logging
import secrets
import shutil
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, BinaryIO, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

import anyio
import anyio.to_thread

from neural_programmer.answering import asking
from neural_programmer.answering.decision import Decision
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.page import examples
from neural_programmer.page.config import PageConfig
from neural_programmer.page.refusals import Refused
from neural_programmer.page.sessions import OPEN_TABLES, Asked, Session, Sessions, Stored
from neural_programmer.page.understood import Taken, understood
from neural_programmer.programs.answer import NAMED_CELLS, Answer
from neural_programmer.programs.program import Program
from neural_programmer.tables import reading
from neural_programmer.tables.naming import SUFFIXES, suffix_of

log = logging.getLogger("neural_programmer.page")
THREADS = 16  # that work at the same time,
LONG = 4  # and beside them at what may take long,
LONG_OF_VISITOR, LONG_OF_PERSON = 2, 1  # of them for one address and for one person: who has more to do waits
AT_ONCE = 4  # of them for one person
ANSWERS = 300  # to questions about all tables, that are kept for who asks the same
PARTS_OF_A_FILE = 20  # sheets or tables that are taken
SOON = 3.0  # seconds to look for questions that are close to one that is declined
NAME = 80  # characters of a file's name that are kept
Result = TypeVar("Result")


class Reception:
    """The model, the people, and the threads that work for them."""

    def __init__(self, model: Any, config: PageConfig, offered: tuple[str, ...] = ()) -> None:
        self.model, self.config, self.sessions = model, config, Sessions(config, offered)
        self._threads: tuple[anyio.CapacityLimiter, anyio.CapacityLimiter] | None = None
        self._turns: WeakValueDictionary[str, anyio.Semaphore] = WeakValueDictionary()
        self._lock = threading.Lock()
        self._answers: OrderedDict[tuple[str, str], tuple[Decision, Answer]] = OrderedDict()
        self._suggested: WeakKeyDictionary[asking.Opened, tuple[str, ...]] = WeakKeyDictionary()

    async def work(
        self, session: Session, function: Callable[..., Result], *arguments: Any, long: bool = False
    ) -> Result:
        """Run a function in a thread and return what it gives: the server goes on meanwhile.

        What may take `long` has few threads, so that there are always some for the rest; nobody has all of them.
        """
        if session.busy >= AT_ONCE:
            raise Refused(f"{AT_ONCE} things are being done for you already; wait until one of them is done", 429)
        self._threads = self._threads or (anyio.CapacityLimiter(THREADS), anyio.CapacityLimiter(LONG))
        session.busy += 1
        try:
            async with self._turn(session) if long else contextlib.nullcontext():
                return await anyio.to_thread.run_sync(function, *arguments, limiter=self._threads[long])
        finally:
            session.busy -= 1

    @contextlib.asynccontextmanager
    async def _turn(self, session: Session) -> AsyncIterator[None]:
        """Wait until a person, and all who come from the same address, may do one more thing that takes long."""
        shares = (f"person {session.key}", LONG_OF_PERSON), (f"visitor {session.visitor}", LONG_OF_VISITOR)
        async with contextlib.AsyncExitStack() as stack:
            for name, share in shares:
                turn = self._turns.get(name) or anyio.Semaphore(share)
                self._turns[name] = turn  # as long as somebody waits for it or has it
                await stack.enter_async_context(turn)
            yield

    async def about(self, session: Session, table: str, function: Callable[..., Result], *arguments: Any) -> Result:
        """Run a function about a table in a thread; open the table first, which may take long."""
        if not self.sessions.is_open(table):
            await self.work(session, lambda: self.sessions.open(self.sessions.table(session, table)), long=True)
        return await self.work(session, function, *arguments)

    @contextlib.contextmanager
    def opened(self, session: Session, table: str) -> Iterator[asking.Opened]:
        """Open a person's table for as long as one question may take."""
        with self.sessions.open(self.sessions.table(session, table)).aside(self.config.seconds, self.model) as opened:
            yield opened

    def ask(self, session: Session, table: str, question: str) -> Answer:
        """Answer a question about a person's table, and remember what was decided."""
        key = self.sessions.table(session, table).key, question
        with self._lock:
            if known := self._answers.get(key):
                self._answers.move_to_end(key)
        decision, answer = known or self._asked(session, table, question)
        session.remember(Asked(table, question, decision, str(answer)[:NAME], bool(answer.sql)))
        return answer

    def _asked(self, session: Session, table: str, question: str) -> tuple[Decision, Answer]:
        """Return an answer, kept for all who ask the same: tables stay as they are."""
        with self.opened(session, table) as opened:
            known = session.recall(table, question)
            decision = known.decision if known else asking.decided(self.model, opened, question)
            answer = asking.answered(opened, question, decision)
        if len(answer.values) <= NAMED_CELLS:
            with self._lock:
                self._answers[table, question] = decision, answer
                while len(self._answers) > ANSWERS:
                    self._answers.popitem(last=False)
        return decision, answer

    def program(self, session: Session, table: str, question: str) -> Program | None:
        """Return the program that a question led to; None if it cannot be run."""
        if session.recall(table, question) is None:
            self.ask(session, table, question)
        asked = session.recall(table, question)
        return asked.decision.program if asked and asked.runs else None

    def suggested(self, stored: Stored) -> tuple[str, ...]:
        """Return questions that could be asked about a table, found once."""
        opened = self.sessions.open(stored)
        if opened not in self._suggested:
            self._suggested[opened] = examples.questions(self.model, opened, self.config.seconds)
        return self._suggested[opened]

    def close_to(self, session: Session, table: str, question: str) -> tuple[str, ...]:
        """Return answerable questions close to one that was declined, as far as they are found soon."""
        opened = self.sessions.open(self.sessions.table(session, table))
        with contextlib.suppress(NeuralProgrammerError):
            return examples.close(self.model, opened, question, min(SOON, self.config.seconds))
        return ()

    def understood(self, session: Session, table: str, question: str) -> tuple[Taken, ...]:
        """Return what some words of a question were taken for."""
        with contextlib.suppress(NeuralProgrammerError), self.opened(session, table) as opened:
            return understood(self.model, opened, question)
        return ()

    def keep(self, session: Session, file: BinaryIO, name: str) -> tuple[list[Stored], int]:
        """Copy an upload into the person's folder under a name of ours; return its tables and how many found no
        room."""
        name = _label(name)
        self.sessions.check_tables(session)
        session.folder.mkdir(mode=0o700, exist_ok=True)
        path = session.folder / f"{secrets.token_hex(8)}{_suffix(name)}"
        try:
            with open(path, "xb") as written:
                shutil.copyfileobj(file, written)
            with reading.refusing(name):
                parts = reading.parts(path, session.folder, self.sessions.limits) or [""]
            size = path.stat().st_size
            found = [Stored(secrets.token_hex(8), name, path, part, size) for part in parts[:PARTS_OF_A_FILE]]
            self.sessions.open(found[0])
            kept = self.sessions.add(session, found)
            if not kept:  # another upload was faster
                raise self.sessions.full()
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return kept, len(parts) - len(kept)

    def prepare(self) -> None:
        """Open the tables that are offered, so that whoever asks first need not wait; what is wrong is logged."""
        for stored in itertools.islice(self.sessions.examples.values(), OPEN_TABLES):
            try:
                self.suggested(stored)
            except (NeuralProgrammerError, OSError) as error:
                if self.sessions.closed:  # the server is being stopped, and what it was at is cut off
                    return
                log.warning("%s", " ".join(str(error).split()))

    def close(self) -> None:
        """Forget everybody."""
        self.sessions.close()


def _label(name: str) -> str:
    """Return what people call an uploaded file, from the name that came with it: never a path."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in last if letter.isprintable())[-NAME:].strip(". ") or "table"


def _suffix(name: str) -> str:
    """Return the end of our own name for a file: one of a few, which say how to read text."""
    suffix = suffix_of(name)
    return suffix if suffix in SUFFIXES else ""

"""Sessions of people: known by a cookie, with their tables and questions, kept for a while, and bounded."""

import contextlib
import os
import secrets
import shutil
import tempfile
import threading
import time
import weakref
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from neural_programmer.answering.asking import Opened
from neural_programmer.answering.decision import Decision
from neural_programmer.base.files import remove_own
from neural_programmer.base.limits import Limits
from neural_programmer.page.config import PageConfig
from neural_programmer.page.refusals import Refused
from neural_programmer.tables import naming, reading
from neural_programmer.tables.naming import Named
from neural_programmer.tables.source import open_source

PEOPLE = 1_000  # that are known at a time: beyond, who has no tables and was longest away is forgotten first
REMEMBERED_QUESTIONS = 20  # questions of each
OPEN_TABLES = 16  # at a time, of all people
OPENING = 20.0  # seconds that it may take to read a file
EXAMPLES = Path(__file__).parent / "demo"  # tables that everybody may try
EXAMPLE_TABLES = tuple(sorted(EXAMPLES.glob("*.csv")))


@dataclass(frozen=True)
class Stored:
    """A table of a file on our disk; `name` is what people call it and never a path."""

    key: str
    name: str
    path: Path
    part: str = ""
    size: int = 0
    named: Named | None = None  # the files of one that is offered to all

    @property
    def example(self) -> bool:
        """Whether it is offered to all."""
        return self.named is not None

    opening: threading.Lock = field(default_factory=threading.Lock, compare=False, repr=False)


@dataclass(frozen=True)
class Asked:
    """A question that was answered: the program that it led to, and the answer in short."""

    table: str
    question: str
    decision: Decision
    short: str
    runs: bool  # whether its program can be run: one that declines cannot


@dataclass
class Session:
    """A person, known by a cookie, with their tables and questions."""

    key: str
    folder: Path
    used: float
    tables: dict[str, Stored] = field(default_factory=dict)
    asked: tuple[Asked, ...] = ()
    busy: int = 0  # how many things are being done for them
    visitor: str = ""  # where they were last (see shares.visitor_of)

    def remember(self, asked: Asked) -> None:
        """Keep the last questions, each once, the latest first."""
        others = [old for old in self.asked if (old.table, old.question) != (asked.table, asked.question)]
        self.asked = (asked, *others)[:REMEMBERED_QUESTIONS]

    def recall(self, table: str, question: str) -> Asked | None:
        return next((old for old in self.asked if (old.table, old.question) == (table, question)), None)


class Sessions:
    """All people, and the private folder of their files, which is removed when this process ends."""

    def __init__(
        self, config: PageConfig, offered: tuple[str, ...] = (), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.config, self.clock = config, clock
        self.folder = Path(tempfile.mkdtemp(prefix="neural-programmer-page-"))
        self._remove = weakref.finalize(self, remove_own, self.folder, os.getpid())
        self._people: OrderedDict[str, Session] = OrderedDict()
        self._open: OrderedDict[str, Opened] = OrderedDict()
        self._sizes: dict[Path, int] = {}  # of the files that are kept
        self._arriving = 0  # bytes of what is being uploaded
        self._leaving: list[Path] = []  # folders of who was forgotten
        self._lock, self.closed = threading.RLock(), False
        given = [each for name in offered for each in self._parts(name)]
        alike = Counter(called for called, _ in {(named.called, named.path) for named in given})
        some = enumerate([*given, *(naming.find(path) for path in EXAMPLE_TABLES)], 1)
        stored = [
            Stored(f"example-{number}", _called(named, alike), named.path, named.part, named.size, named)
            for number, named in some
        ]
        self.examples = {each.key: each for each in stored}  # all that everybody may ask,
        self.offered = tuple(stored[: len(given)])  # and of them those that this server is for

    def _parts(self, name: str) -> list[Named]:
        """Return the table that is named, or all tables of a file that can hold several."""
        named = naming.find(name)
        if named.part or len(named.files) > 1:
            return [named]
        with reading.refusing(named.called):
            reading.check_kind(named.path, named.called, named.part)
            parts = reading.parts(named.path, self.folder, replace(self.limits, foreign=False))
        return [replace(named, part=part) for part in parts or [""]]

    def find(self, key: str | None, visitor: str = "") -> Session | None:
        """Return the person with this cookie, if they are still here."""
        with self._lock:
            session = self._people.get(key or "")
            if session is None or self._is_away(session):
                return None
            session.used, session.visitor = self.clock(), visitor
            self._people.move_to_end(session.key)
            return session

    def new(self, visitor: str = "") -> Session:
        """Return a new person."""
        key = secrets.token_urlsafe(32)
        with self._lock:
            session = Session(key, self.folder / secrets.token_hex(8), self.clock(), visitor=visitor)
            self._people[key] = session
            if len(self._people) > PEOPLE:
                idle = [other for other in self._people.values() if not other.busy and other is not session]
                if idle:  # the longest away stand first
                    self._forget(min(idle, key=lambda other: bool(other.tables)).key)
        return session

    def expire(self) -> None:
        """Forget who was away for too long, and remove the files of all who were forgotten: that may take a while."""
        with self._lock:
            for session in list(filter(self._is_away, self._people.values())):
                self._forget(session.key)
            leaving, self._leaving = self._leaving, []
        for folder in leaving:
            shutil.rmtree(folder, ignore_errors=True)
            with self._lock:
                self._sizes = {path: size for path, size in self._sizes.items() if path.parent != folder}

    def _is_away(self, session: Session) -> bool:
        return session.used < self.clock() - 60 * self.config.minutes and not session.busy

    def table(self, session: Session, key: str) -> Stored:
        """Return a table of this person, or one that is offered to all."""
        stored = session.tables.get(key) or self.examples.get(key)
        if stored is None:
            kept = f"tables are kept for {self.config.minutes:g} minutes after the last visit"
            raise Refused(f"there is no such table, or it is not here any more: {kept}; upload it again", 404)
        return stored

    def is_open(self, key: str) -> bool:
        """Return whether a table is open: to open one may take long."""
        with self._lock:
            return key in self._open

    def open(self, stored: Stored) -> Opened:
        """Open a table to ask. Whoever wants it first opens it; the tables asked last stay open."""
        with stored.opening:
            with self._lock:
                if stored.key in self._open:
                    self._open.move_to_end(stored.key)
                    return self._open[stored.key]
                if self.closed:
                    raise Refused("the server is being stopped; try again when it is back", 503)
            what = stored.named or (f"{stored.path}::{stored.part}" if stored.part else stored.path)
            limits = replace(self.limits, foreign=not stored.example)
            opened = Opened(open_source(what, stored.name, limits))
            with self._lock:
                self._open[stored.key] = opened
                while len(self._open) > OPEN_TABLES:
                    self._open.popitem(last=False)  # closed by itself when nobody uses it any more
            return opened

    def add(self, session: Session, tables: list[Stored]) -> list[Stored]:
        """Let a person have these tables, or as many of them as are allowed: those."""
        with self._lock:
            room = max(0, self.config.tables - len(session.tables))
            session.tables.update({stored.key: stored for stored in tables[:room]})
            self._sizes.update({stored.path: stored.size for stored in tables[:room]})
            for stored in tables[room:]:
                self._open.pop(stored.key, None)
            return tables[:room]

    def check_tables(self, session: Session) -> None:
        """Refuse one table more than a person may have."""
        if len(session.tables) >= self.config.tables:
            raise self.full()

    def full(self) -> Refused:
        """Return the error for somebody who has all the tables that are allowed."""
        return Refused(f"{self.config.tables} tables are allowed, and you have them; remove one first", 409)

    def check_room(self, size: int) -> None:
        """Refuse so many bytes more where they have no room beside what is kept and what is being uploaded."""
        with self._lock:
            if sum(self._sizes.values()) + self._arriving + size > self.config.disk * 1_000_000:
                raise Refused("there is no room for more tables now; try again later", 507)

    @contextlib.contextmanager
    def arriving(self) -> Iterator[Callable[[int], None]]:
        """Count what comes with a request as it comes, until the request is done."""
        came = 0

        def count(size: int) -> None:
            nonlocal came
            with self._lock:
                self.check_room(size)
                self._arriving += size
                came += size

        try:
            yield count
        finally:
            with self._lock:
                self._arriving -= came

    @property
    def limits(self) -> Limits:
        """What a table of somebody else may take."""
        config = self.config
        return Limits(config.memory, config.rows, OPENING, 2_000_000 * config.megabytes, self.folder, foreign=True)

    def remove(self, session: Session, key: str) -> None:
        """Forget a table, and its file if it was the last one of it."""
        with self._lock:
            stored = session.tables.pop(key, None)
            if stored is None:
                return
            self._open.pop(key, None)
            session.asked = tuple(old for old in session.asked if old.table != key)
            if all(other.path != stored.path for other in session.tables.values()):
                stored.path.unlink(missing_ok=True)
                self._sizes.pop(stored.path, None)

    def close(self) -> None:
        """Forget everybody, and remove the folder."""
        with self._lock:
            self.closed = True
            self._people.clear()
            self._open.clear()
            self._remove()

    def _forget(self, key: str) -> None:
        """Forget a person at once; `expire` removes their files."""
        session = self._people.pop(key)
        for table in session.tables:
            self._open.pop(table, None)
        self._leaving.append(session.folder)


def _called(named: Named, alike: Counter[str]) -> str:
    """Return what people call an offered file: with its folder, where several files have its name."""
    return f"{named.path.parent.name}/{named.called}" if alike[named.called] > 1 else named.called

"""People and their tables: kept for a while, apart from each other, in a folder that goes at the end."""

import contextlib
import sqlite3
import stat

import pytest

from neural_programmer.answering.decision import Decision
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.page import sessions
from neural_programmer.page.config import PageConfig
from neural_programmer.page.refusals import Refused
from neural_programmer.page.sessions import Asked, Sessions, Stored
from neural_programmer.programs.program import Program, Step
from page.conftest import SALES


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def people(clock):
    found = Sessions(PageConfig(minutes=10, tables=2, disk=100, megabytes=10), clock=clock)
    yield found
    found.close()


def kept(people, session, key="k", size=1) -> Stored:
    session.folder.mkdir(exist_ok=True)
    path = session.folder / f"{key}.csv"
    path.write_text(SALES)
    stored = Stored(key, "sales.csv", path, size=size)
    people.add(session, [stored])
    return stored


def test_who_was_away_for_too_long_is_forgotten_with_all_files(people, clock):
    session, stays = people.new(), people.new()
    stored = kept(people, session)
    opened = people.open(stored)
    clock.now = 599
    assert people.find(session.key) is session
    clock.now = 1100
    assert people.find(stays.key) is None
    assert people.find(session.key) is session
    clock.now = 1800
    assert people.find(session.key) is None
    assert stored.path.exists()  # to find somebody removes nothing: the server waits for it
    people.expire()
    assert not stored.path.exists()
    assert opened.source.rows == 3  # for whoever still looks at it


def test_nobody_is_forgotten_while_something_is_done_for_them(people, clock):
    session = people.new()
    session.busy = 1
    clock.now = 10_000
    people.expire()
    assert people.find(session.key) is session


def test_the_longest_away_makes_room(people, monkeypatch):
    monkeypatch.setattr(sessions, "PEOPLE", 3)
    first, *others = [people.new() for _ in range(3)]
    people.find(first.key)
    people.new()
    assert people.find(others[0].key) is None
    assert people.find(first.key) is first


def test_who_has_tables_stays_longer(people, monkeypatch):
    monkeypatch.setattr(sessions, "PEOPLE", 2)
    owner, visitor = people.new(), people.new()
    kept(people, owner)
    people.new()
    assert people.find(owner.key) is owner
    assert people.find(visitor.key) is None


def test_a_wrong_cookie_is_nobody(people):
    assert people.find(None) is None
    assert people.find("guess") is None
    assert len({people.new().key for _ in range(50)}) == 50


def test_files_are_private_and_go_at_the_end(people):
    stored = kept(people, people.new())
    assert stat.S_IMODE(people.folder.stat().st_mode) == 0o700
    people.open(stored)
    people.close()
    assert not people.folder.exists()


def test_a_table_is_opened_once_and_closed_when_others_are_asked(people, monkeypatch):
    monkeypatch.setattr(sessions, "OPEN_TABLES", 1)
    session = people.new()
    one, two = kept(people, session, "one"), kept(people, session, "two")
    opened = people.open(one)
    assert people.open(one) is opened
    people.open(two)
    assert people.open(one) is not opened


def test_rooms_are_bounded(people):
    session = people.new()
    kept(people, session, "one"), kept(people, session, "two"), kept(people, session, "three")
    assert list(session.tables) == ["one", "two"]
    with pytest.raises(Refused, match="2 tables are allowed, and you have them; remove one first"):
        people.check_tables(session)
    people.remove(session, "one")
    people.check_tables(session)


def test_what_is_kept_and_what_comes_has_room_together(people, clock):
    session = people.new()
    kept(people, session, "large", size=60_000_000)
    no_room = pytest.raises(Refused, match="there is no room for more tables now; try again later")
    with people.arriving() as one, people.arriving() as two:
        one(30_000_000)
        with no_room as refused:
            two(10_000_001)
        assert refused.value.status == 507
        two(10_000_000)
        with no_room:
            people.check_room(1)
    people.check_room(40_000_000)
    with no_room:
        people.check_room(40_000_001)
    people.remove(session, "large")
    people.check_room(100_000_000)
    kept(people, session, "large", size=60_000_000)
    clock.now = 1e6
    people.expire()
    people.check_room(100_000_000)


def test_a_table_is_found_by_its_owner_alone(people):
    session = people.new()
    stored = kept(people, session)
    assert people.table(session, stored.key) is stored
    with pytest.raises(Refused, match="tables are kept for 10 minutes after the last visit; upload it again"):
        people.table(people.new(), stored.key)
    assert people.table(session, "example-1").example


def test_the_last_questions_are_remembered_each_once(people):
    session = people.new()
    decision = Decision(Program((Step("count"),)), 0.9)
    for number in range(30):
        session.remember(Asked("k", f"question {number}", decision, "1", True))
    session.remember(Asked("k", "question 20", decision, "2", True))
    assert len(session.asked) == sessions.REMEMBERED_QUESTIONS
    assert [asked.question for asked in session.asked[:3]] == ["question 20", "question 29", "question 28"]
    assert session.recall("k", "question 20").short == "2"
    assert session.recall("other", "question 20") is None


def offered(*paths) -> list[tuple[str, str]]:
    found = Sessions(PageConfig(), tuple(map(str, paths)))
    names = [(stored.name, stored.part) for stored in found.offered]
    assert list(found.examples.values())[: len(names)] == list(found.offered)
    assert len(found.examples) == len(names) + len(sessions.EXAMPLE_TABLES)
    found.close()
    return names


def test_all_tables_of_a_file_are_offered(tmp_path):
    """A table that is named is offered alone."""
    with contextlib.closing(sqlite3.connect(tmp_path / "shop.db")) as shop:
        shop.execute("CREATE TABLE orders (a)")
        shop.execute("CREATE TABLE people (a)")
        shop.commit()
    (tmp_path / "sales.csv").write_text(SALES)
    every = [("shop.db", "orders"), ("shop.db", "people")]
    assert offered(tmp_path / "sales.csv", tmp_path / "shop.db") == [("sales.csv", ""), *every]
    assert offered(f"{tmp_path / 'shop.db'}::people") == every[1:]
    assert offered() == []


def test_files_of_the_same_name_are_told_apart_by_their_folders(tmp_path):
    names = ["north/sales.csv", "south/sales.csv", "south/other.csv"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(SALES)
    called = [name for name, _ in offered(*(tmp_path / name for name in names))]
    assert called == ["north/sales.csv", "south/sales.csv", "other.csv"]


def test_a_folder_or_a_pattern_may_be_offered(tmp_path):
    (tmp_path / "sales").mkdir()
    for name in ("a.csv", "b.csv"):
        (tmp_path / "sales" / name).write_text(SALES)
    for offered in ("sales", "sales/*.csv"):
        people = Sessions(PageConfig(), (str(tmp_path / offered),))
        stored = people.examples["example-1"]
        assert (stored.name, stored.size, stored.example) == ("sales", 2 * len(SALES), True)
        assert people.open(stored).source.rows == 6
        people.close()
    people = Sessions(PageConfig(), (str(tmp_path / "sales"),))
    (tmp_path / "sales" / "b.csv").unlink()
    with pytest.raises(NeuralProgrammerError) as refused:
        people.open(people.examples["example-1"])
    assert str(refused.value).startswith("cannot read sales: b.csv: No such file")
    assert str(tmp_path) not in str(refused.value)
    people.close()


def test_tables_that_are_offered_must_be_there(tmp_path):
    with pytest.raises(NeuralProgrammerError, match="does not exist; name a CSV"):
        Sessions(PageConfig(), (str(tmp_path / "missing.csv"),))

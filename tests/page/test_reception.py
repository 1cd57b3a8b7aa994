"""Work for people: beside each other, within what each may take; slow questions end and hold up nobody."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import anyio
import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.page import reception as module
from neural_programmer.page.config import PageConfig
from neural_programmer.page.reception import Reception
from neural_programmer.page.refusals import Refused
from neural_programmer.page.sessions import Stored
from neural_programmer.programs.program import Step
from queries import Fake


@pytest.fixture
def reception():
    found = Reception(Fake({"how many": (Step("count"),)}), PageConfig(seconds=2))
    yield found
    found.close()


def apart(function):
    """Run a coroutine in a thread of its own, for a browser of other tests may have a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, function).result()


def test_one_slow_question_does_not_hold_up_others_and_ends(reception):
    slow, quick = reception.sessions.new(), reception.sessions.new()
    opened = reception.sessions.open(reception.sessions.table(slow, "example-1"))

    def endless():
        with opened.aside(reception.config.seconds) as own:
            own.source.fetched("SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b")

    async def both():
        taken = []
        async with anyio.create_task_group() as tasks:

            async def wait():
                with pytest.raises(NeuralProgrammerError, match="longer than 2 seconds"):
                    await reception.work(slow, endless)
                taken.append("slow")

            tasks.start_soon(wait)
            await anyio.sleep(0.02)
            answer = await reception.work(quick, reception.ask, quick, "example-1", "how many")
            taken.append("quick")
        return taken, answer

    taken, answer = apart(both)
    assert taken == ["quick", "slow"]
    assert answer.value == 17


def test_one_person_has_a_few_things_done_at_a_time(reception):
    session, end = reception.sessions.new(), threading.Event()

    async def many():
        async with anyio.create_task_group() as tasks:
            for _ in range(module.AT_ONCE):
                tasks.start_soon(reception.work, session, end.wait, 10)
            await anyio.sleep(0.05)
            with pytest.raises(Refused, match="4 things are being done for you already") as refused:
                await reception.work(session, time.time)
            assert refused.value.status == 429
            assert await reception.work(reception.sessions.new(), time.time)
            end.set()
        assert await reception.work(session, time.time)

    apart(many)
    assert session.busy == 0


def test_what_takes_long_leaves_threads_to_others(reception):
    end = threading.Event()

    async def many():
        async with anyio.create_task_group() as tasks:
            for _ in range(module.THREADS):
                tasks.start_soon(partial(reception.work, reception.sessions.new(), end.wait, 60, long=True))
            await anyio.sleep(0.05)
            assert await reception.work(reception.sessions.new(), time.time)
            end.set()

    apart(many)


def test_nobody_keeps_others_from_what_takes_long(reception):
    """Four slow uploads of one person held all threads that read files; other people waited for a minute."""
    end, done = threading.Event(), []

    def slow(name):
        end.wait(60)
        done.append(name)

    async def many():
        one, other_of_one, other = (
            reception.sessions.new("10.0.0.1"),
            reception.sessions.new("10.0.0.1"),
            reception.sessions.new("10.0.0.2"),
        )
        async with anyio.create_task_group() as tasks:
            for _ in range(module.AT_ONCE):
                for session in (one, other_of_one):
                    tasks.start_soon(partial(reception.work, session, slow, session.key, long=True))
            await anyio.sleep(0.05)
            with anyio.fail_after(30):
                assert await reception.work(other, time.time, long=True)
            assert done == []
            end.set()
        assert sorted(done) == sorted([one.key, other_of_one.key] * module.AT_ONCE)

    apart(many)
    assert not reception._turns


def test_one_person_of_an_address_leaves_a_turn_to_the_others(reception):
    """At this machine, or behind a proxy that is not named, all people have one address."""
    end = threading.Event()

    async def many():
        one, other = reception.sessions.new("loopback"), reception.sessions.new("loopback")
        async with anyio.create_task_group() as tasks:
            for _ in range(module.AT_ONCE):
                tasks.start_soon(partial(reception.work, one, end.wait, 60, long=True))
            await anyio.sleep(0.05)
            with anyio.fail_after(30):
                assert await reception.work(other, time.time, long=True)
            end.set()

    apart(many)


def test_what_was_decided_is_decided_once(reception):
    session = reception.sessions.new()
    first = reception.ask(session, "example-1", "how many")
    assert reception.ask(session, "example-1", "how many") == first
    assert len(reception.model.seen) == 1
    assert str(reception.program(session, "example-1", "how many")) == "count"
    assert reception.program(session, "example-1", "something else") is None
    assert [asked.short for asked in session.asked] == [
        "no answer: the table does not hold what the question asks for",
        "17",
    ]


def test_what_was_answered_is_answered_once_for_all_who_may_ask(reception, monkeypatch):
    one, other = reception.sessions.new(), reception.sessions.new()
    path = reception.sessions.folder / "a.csv"
    path.write_text("a\n1\n")
    reception.sessions.add(one, [Stored("k", "a.csv", path)])
    first = reception.ask(one, "k", "how many")
    assert reception.ask(one, "k", "how many") is first
    with pytest.raises(Refused, match="there is no such table"):
        reception.ask(other, "k", "how many")
    everywhere = [reception.ask(person, "example-1", "how many") for person in (one, other)]
    assert everywhere[0] is everywhere[1]
    assert everywhere[0] != first
    assert len(reception.model.seen) == 2
    assert [asked.table for asked in other.asked] == ["example-1"]
    monkeypatch.setattr(module, "ANSWERS", 1)
    reception.ask(one, "k", "something else")
    assert reception.ask(other, "example-1", "how many") is not everywhere[0]


def test_what_is_offered_is_prepared(reception):
    reception.prepare()
    assert reception.suggested(reception.sessions.examples["example-1"]) == ()  # the fake answers none of them


def test_an_end_while_tables_are_prepared_is_no_fault(reception, caplog):
    reception.close()
    reception.prepare()
    assert caplog.messages == []


def test_what_is_wrong_with_an_offered_table_is_logged(tmp_path, caplog):
    (tmp_path / "bad.csv").write_text("a,b\n1,2,3\n")
    (tmp_path / "good.csv").write_text("a,b\n1,2\n")
    found = Reception(Fake({}), PageConfig(), (str(tmp_path / "bad.csv"), str(tmp_path / "good.csv")))
    found.prepare()
    assert [message.partition(";")[0] for message in caplog.messages] == [
        "cannot read bad.csv: line 2 has 3 cells and the first row has 2"
    ]
    assert found.sessions.is_open("example-2")
    found.close()


def test_a_table_that_is_not_open_is_opened_among_what_takes_long(reception, monkeypatch):
    """So that many of them leave threads to those who ask what is open."""
    session, work, done = reception.sessions.new(), reception.work, []

    async def watched(session, function, *arguments, long=False):
        done.append(long)
        return await work(session, function, *arguments, long=long)

    monkeypatch.setattr(reception, "work", watched)
    asked = (session, "example-1", reception.ask, session, "example-1", "how many")
    for _ in range(2):
        assert apart(partial(reception.about, *asked)).scalar is not None
    assert done == [True, False, False]

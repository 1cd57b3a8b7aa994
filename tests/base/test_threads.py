"""A question takes one thread of linear algebra, and leaves the program around it as many as it had."""

import threading

import numpy as np
import pytest

from neural_programmer.answering import model
from neural_programmer.base import threads
from neural_programmer.base.threads import one_thread

TABLE = {"city": ["Rome", "Oslo", "Bern"], "rent": [900, 1200, 1500]}
functions = threads._THREADS.functions
pytestmark = pytest.mark.skipif(functions is None, reason="this NumPy has no OpenBLAS")


@pytest.fixture
def counted(monkeypatch):
    """How many threads there are, of three that the program around us wants."""
    now, set_now = functions  # pyright: ignore[reportGeneralTypeIssues]
    before = now()
    set_now(3)
    yield now
    set_now(before)


@pytest.mark.parametrize("name", ["ask", "wikitablequestions"])
@pytest.mark.parametrize("door", ["ask", "think"])
def test_a_question_takes_one_thread_and_gives_the_others_back(counted, monkeypatch, door, name):
    seen = []
    read = model.Model.read
    monkeypatch.setattr(model.Model, "read", lambda *given: seen.append(counted()) or read(*given))
    getattr(model.load_shipped(name), door)(TABLE, "average rent")
    assert seen == [1]
    assert counted() == 3


def test_what_fails_gives_them_back(counted):
    with pytest.raises(ValueError, match="odd"), one_thread():
        raise ValueError("odd")
    assert counted() == 3


def test_the_last_of_several_gives_them_back(counted):
    inside, leave = threading.Event(), threading.Event()

    def other():
        with one_thread():
            inside.set()
            leave.wait(10)

    beside = threading.Thread(target=other)
    with one_thread():
        beside.start()
        assert inside.wait(10)
    assert counted() == 1
    leave.set()
    beside.join(10)
    assert counted() == 3


def test_what_the_program_around_says_in_the_meantime_stays(counted):
    with one_thread():
        functions[1](2)
    assert counted() == 2


def test_a_child_of_the_process_has_all_of_them(counted):
    with one_thread():
        threads._THREADS.lock.acquire()  # as another thread might hold it in the moment of the fork
        threads._THREADS.forget()
        assert counted() == 3
    assert counted() == 3
    with one_thread():
        assert counted() == 1
    assert counted() == 3


def test_products_are_the_same(counted):
    one, other = np.random.default_rng(0).random((2, 300, 300))
    with one_thread():
        alone = one @ other
    np.testing.assert_allclose(alone, one @ other)

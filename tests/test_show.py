"""What is shown while people wait."""

import contextlib

import pytest

from neural_programmer import show


def test_an_interrupt_that_a_library_swallowed_is_raised_again(monkeypatch):
    monkeypatch.setattr(show, "_interrupted", False)
    with show.bar("training", 10) as advance:
        advance(1)
        with contextlib.suppress(KeyboardInterrupt):  # as JAX's callback of the garbage collector does
            show.interrupt()
        with pytest.raises(KeyboardInterrupt):
            advance(2)

"""Axes named in annotations are checked at every call; compiled programs are kept between test runs."""

import os
from pathlib import Path

import pytest
from jaxtyping import install_import_hook

CACHE = Path(__file__).parent.parent / ".cache" / "jax"
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(CACHE))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.5")

install_import_hook("neural_programmer", "typechecker.check")


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """The rows of every step are counted however busy the machine is."""
    monkeypatch.setattr("neural_programmer.engines.duck.COUNTING", 60.0)

"""Axes are checked where arrays are computed with; compiled programs are kept between test runs."""

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from jaxtyping import install_import_hook

CACHE = Path(__file__).parent.parent / ".cache" / "jax"
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(CACHE))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.5")

CHECKED = (  # the modules that compute with arrays; CHECK=all has every call of the package checked, in twice the time
    "base.arrays",
    "learning",
    "network",
    "programs.operations",
)
EVERYTHING = os.environ.get("CHECK") == "all"
install_import_hook(
    "neural_programmer" if EVERYTHING else [f"neural_programmer.{name}" for name in CHECKED], "typechecker.check"
)

settings.register_profile("same", derandomize=True)  # the same examples in every run; those of scripts are others
settings.load_profile("same")


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """The rows of every step are counted however busy the machine is."""
    monkeypatch.setattr("neural_programmer.engines.duck.COUNTING", 60.0)


@pytest.fixture(scope="module", autouse=True)
def forgetful():
    """What JAX compiled for the tests of a module is let go: some gigabytes by the end of all of them."""
    yield
    if "jax" in sys.modules:
        sys.modules["jax"].clear_caches()
        gc.collect()

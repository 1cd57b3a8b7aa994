"""Axes named in annotations are checked at every call; compiled programs are kept between test runs."""

import os
from pathlib import Path

from jaxtyping import install_import_hook

CACHE = Path(__file__).parent.parent / ".cache" / "jax"
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(CACHE))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.5")

install_import_hook("neural_programmer", "typechecker.check")

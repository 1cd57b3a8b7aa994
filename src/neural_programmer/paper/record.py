"""Record what repeats a result: command, machine, versions."""

import json
import os
import platform
import resource
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import jax

from neural_programmer.base import files

PACKAGES = ("numpy", "jax", "jaxlib", "optax")


def circumstances(command: str) -> dict[str, Any]:
    """Return where, when and with what a result came about."""

    def installed(package: str) -> str | None:
        try:
            return version(package)
        except PackageNotFoundError:
            return None

    return {
        "command": command,
        "commit": _commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "devices": [device.device_kind for device in jax.local_devices()],
        "cpu_cores": os.cpu_count(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "versions": {package: installed(package) for package in PACKAGES},
    }


def fitting(step: int, every: int, passed: float, last: float, seconds: float) -> int:
    """How many steps in all fit into the time: `step` were taken, the last `every` of them in `last` seconds."""
    if seconds == float("inf"):
        return 10**9
    return step + every * max(1, int((seconds - passed) / max(last, 1e-9)))


def used() -> dict[str, Any]:
    """Return what this process and those that it started took so far: processor time of all, and the most memory at
    once of it and of the largest of them."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "cpu_seconds": round(own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime, 1),
        "megabytes": own.ru_maxrss // 1024,
        "helper_megabytes": others.ru_maxrss // 1024,
    }


def _commit() -> str | None:
    """Return the commit of the code, if it is in a git checkout, and whether anything was changed since."""
    asked = ["git", "describe", "--always", "--abbrev=12", "--dirty"]
    try:
        said = subprocess.run(asked, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return said.stdout.strip()


def save(path: Path, result: dict[str, Any]) -> None:
    files.write(path, (json.dumps(result, indent=1) + "\n").encode())

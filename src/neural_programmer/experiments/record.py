"""What a result needs beside it to be repeated and believed: command, machine, versions."""

import json
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import jax

from neural_programmer import files

PACKAGES = ("numpy", "jax", "jaxlib", "optax")


def circumstances(command: str) -> dict[str, Any]:
    """Where, when and with what a result came about."""

    def installed(package: str) -> str | None:
        try:
            return version(package)
        except PackageNotFoundError:
            return None

    return {
        "command": command,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "devices": [device.device_kind for device in jax.local_devices()],
        "cpu_cores": os.cpu_count(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "versions": {package: installed(package) for package in PACKAGES},
    }


def save(path: Path, result: dict[str, Any]) -> None:
    files.write(path, (json.dumps(result, indent=1) + "\n").encode())

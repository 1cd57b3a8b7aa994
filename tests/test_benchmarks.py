"""The benchmarks can be run: what they import is there, and those that are soon done give the right answers."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOON = "test_cold or test_in_a_running_process or test_answers"


def test_benchmarks_run():
    """Each once, without measuring."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "benchmarks",
        "--benchmark-disable",
        "-p",
        "no:cacheprovider",
        "-k",
        SOON,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr

"""The documented way to add a built-in operation: the file applies, and what it adds works everywhere."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ASKED = """
import duckdb
import numpy as np
from neural_programmer.engines import duck, sql
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.candidates.masks import Tables
from neural_programmer.programs.operations import BUILT_IN
from neural_programmer.programs.program import Program, Step, run
from neural_programmer.programs.wording import in_words
from neural_programmer.tables.source import open_source

steps = (Step("greater", "price", 1.0), Step("variance", "price"))
program = Program(steps)
with open_source({"price": [1.0, 2.0, 9.0, 4.0]}) as source:
    numbers = run(program, source.table()).answer.scalar, duck.answer(program, source)[0].scalar
    print(*(round(number, 9) for number in numbers), in_words(steps[1]))
    sets = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 0]], bool)
    print(Tables([source.table()]).given(BUILT_IN["variance"], sets, 0).ravel().round(9).tolist())
try:
    sql.text(program, "t", "sqlite")
except NeuralProgrammerError as error:
    print(error)
"""


def test_the_variance_is_added_by_eight_lines_in_four_files(tmp_path):
    """The interpreter for one program and for many sets of rows, SQL, words, the tests of operations, documentation."""
    for part in ("src", "tests", "docs", "scripts"):
        ignored = shutil.ignore_patterns("__pycache__", "*.safetensors", "questions", "pictures", "*.png")
        shutil.copytree(
            ROOT / part, tmp_path / part, ignore=ignored if part != "src" else shutil.ignore_patterns("__py*")
        )
    diff = (ROOT / "docs" / "variance.diff").read_text()
    assert len([line for line in diff.splitlines() if line.startswith("+") and not line.startswith("+++")]) == 8
    assert diff.count("diff --git") == 4
    subprocess.run(["git", "apply", "-"], input=diff, text=True, cwd=tmp_path, check=True)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
    told = subprocess.run(
        [sys.executable, "-c", ASKED], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert told.splitlines() == [
        "13.0 13.0 the variance of price",
        "[0.5, 19.0, nan]",
        "sqlite has no variance: ask for the SQL of another dialect",
    ]
    subprocess.run([sys.executable, "scripts/operations.py"], cwd=tmp_path, env=environment, check=True)
    assert "| variance | the variance of a column" in (tmp_path / "docs" / "operations.md").read_text(encoding="utf-8")
    tests = [
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/programs/test_operations.py",
        "tests/programs/test_table_programs.py",
        "-k",
        "variance or documented or consistent",
    ]
    subprocess.run([sys.executable, "-m", "pytest", *tests], cwd=tmp_path, env=environment, check=True)

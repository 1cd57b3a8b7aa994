"""What answers may mean in a table, and when two are the same."""

import numpy as np
import pytest

from neural_programmer.data.readings import readings
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables.table import Table

TABLE = Table(
    ("name", "code", "born", "since", "active"),
    (
        np.array(["Ann Lee", "Bo", "", "1990"]),
        np.array(["1990", "x", "y", "z"]),
        np.array([1990, 1985, np.nan, 2]),
        np.array(["2024-03-01", "2023-01-01", "NaT", "2020-05-05"], "M8[D]"),
        np.array(["true", "false", "true", ""]),
    ),
)


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        ("Bo", [("lookup", ["Bo"])]),
        ("  ann  LEE ", [("lookup", ["Ann Lee"])]),
        (["bo", "Ann Lee", "Bo"], [("lookup", ["Bo", "Ann Lee", "Bo"])]),
        (1985, [("lookup", [1985]), ("scalar", 1985)]),
        ("1,985", [("lookup", [1985]), ("scalar", 1985)]),
        (1990, [("lookup", ["1990"]), ("lookup", [1990]), ("scalar", 1990)]),
        (7.5, [("scalar", 7.5)]),
        ([7.5], [("scalar", 7.5)]),
        ("2024-03-01", [("lookup", ["2024-03-01"])]),
        ("2024-03-01 00:00:00", [("lookup", ["2024-03-01"])]),
        (True, [("lookup", ["true"]), ("truth", True)]),
        ("no", [("lookup", ["false"])]),
        ([], [("lookup", [])]),
        ([1985, 7.5], [("lookup", [1985, 7.5])]),  # which no program gives
        (None, [("none", None)]),
    ],
)
def test_what_an_answer_may_mean(answer, meant):
    assert [(reading.kind, reading.value) for reading in readings(answer, TABLE)] == meant


@pytest.mark.parametrize("answer", ["Zoe", ["Bo", "Zoe"], "2021-01-01"])
def test_an_answer_that_is_not_in_the_table_is_refused(answer):
    with pytest.raises(NeuralProgrammerError, match="is no number, and no cell of the table holds it"):
        readings(answer, TABLE)

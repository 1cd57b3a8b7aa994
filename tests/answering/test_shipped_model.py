"""What the model of ask makes of questions that differ in one thing alone."""

import pytest

from neural_programmer.answering.asking import Desk, ask
from neural_programmer.answering.model import load_shipped

MODEL, DESK = load_shipped(), Desk()


def said(table, question):
    return "; ".join(map(str, ask(MODEL, table, question, desk=DESK).steps))


WIDTHS = [10, 20, 30, 44], [15, 25, 35, 47]


@pytest.mark.parametrize("unit", ["", "_mm", "_pct", "_usd", "_min", "_km", "_date", "_id", " (mm)", " mm"])
def test_the_unit_at_the_end_of_a_name_changes_nothing(unit):
    names = "front_width" + unit, "rear_width" + unit
    table = {"model": ["Alto", "Brava", "Corsa", "Delta"], **dict(zip(names, WIDTHS, strict=True))}
    for side, name in zip(("front", "rear"), names, strict=True):
        assert said(table, f"average {side} width").startswith(f"average {name}")
        assert said(table, f"which model has the lowest {side} width").startswith(f"least {name}")
        assert f"assign {name}" in said(table, f"{side} width of Corsa")

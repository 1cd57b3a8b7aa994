"""Aggregates: groups of rows are counted alike whether it is kept which rows are in which groups or not."""

import numpy as np
import pytest

from neural_programmer.programs import aggregates
from neural_programmer.programs.aggregates import Groups


@pytest.mark.parametrize("most", [0, 10_000])
@pytest.mark.parametrize("sets", [(), (1,), (9,)])
def test_groups_are_counted(monkeypatch, most, sets):
    """Of one set of rows or several, also groups without rows."""
    monkeypatch.setattr(aggregates, "MEMBERS", most)
    generator = np.random.default_rng(3)
    of, there = generator.integers(0, 5, 40), generator.random((*sets, 40)) < 0.3
    groups = Groups(of, 6)
    expected = np.stack([(there & (of == group)).sum(axis=-1) for group in range(6)], axis=-1)
    np.testing.assert_array_equal(groups.counted(there), expected)
    np.testing.assert_array_equal(groups.some(there), expected > 0)


def test_little_is_kept_of_which_rows_are_in_which_groups():
    groups = Groups(np.arange(1_000), 1_000)
    assert groups.some(np.ones((2, 1_000), bool)).all()
    assert groups._members is None

"""The random programs of all engines have operations of one's own too."""

import pytest

from own_operations import MY_OPS, known


@pytest.fixture(scope="package", autouse=True)
def own():
    with known(MY_OPS) as names:
        yield names

"""The random programs of all engines have operations of one's own too; other tests must not meet them."""

import pytest

from own_operations import MY_OPS, known


@pytest.fixture(scope="module", autouse=True)
def own():
    with known(MY_OPS) as names:
        yield names

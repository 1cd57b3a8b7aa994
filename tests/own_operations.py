"""Operations of one's own that are known for a while, and the example's file of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from neural_programmer.programs import own
from neural_programmer.programs.operations import EVERY, OPERATIONS, named

EXAMPLE = Path(__file__).parent.parent / "examples" / "own_operation"
MY_OPS = EXAMPLE / "my_ops.py"


@contextmanager
def known(*operations: own.Given) -> Iterator[tuple[str, ...]]:
    """Operations that are forgotten again."""
    try:
        yield own.given(operations)
    finally:
        for name in set(OPERATIONS) - set(EVERY):
            del OPERATIONS[name]
        own._origins.clear()
        own._files.clear()
        named.cache_clear()

"""The example's file of one's own operations, and these."""

from pathlib import Path

from neural_programmer.programs import own

EXAMPLE = Path(__file__).parent.parent / "examples" / "own_operation"
MY_OPS = EXAMPLE / "my_ops.py"
MINE = own.load(MY_OPS)
MEDIAN, DIFFERENT, ABOVE_AVERAGE = MINE

"""The settings of the paper's evaluation."""

from typing import Literal

Part = Literal["marginal", "soft", "ways", "grid", "noise", "lstm"]  # of the evaluation
RESTARTS = 27  # of each task in the evaluation
RESULTS = "results"  # the folder of the evaluation
LARGER = 50  # the range of the numbers at the larger scale of the LSTM comparison
TEST_SEED = 30_000  # of the test sets: never used while anything was chosen (20,000 was, see docs/log.md)

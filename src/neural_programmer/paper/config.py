"""The settings of the paper's evaluation."""

from typing import Literal

Part = Literal["marginal", "soft", "grid", "noise", "lstm"]  # of the evaluation
RESTARTS = 27  # of each task in the evaluation
RESULTS = "results"  # the folder of the evaluation

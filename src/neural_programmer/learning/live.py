"""A training to look at: a process of its own that writes JSON lines, what it has learnt so far, to standard output.

    python -m neural_programmer.learning.live single-column marginal --restarts 4

It ends when its standard input is closed: with whoever started it, however that one ends. It takes one core and a
low priority, so that a server beside it keeps answering.
"""

import argparse
import json
import os
from dataclasses import replace
from typing import Any, Literal

from neural_programmer.base.ending import end_with_input
from neural_programmer.base.processes import THREADS
from neural_programmer.data.paper.draws import Triple, draw_test
from neural_programmer.data.paper.settings import task as find
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.config import TrainingConfig

Live = Literal["marginal", "soft"]
MODULE = "neural_programmer.learning.live"
SMALL_TASKS = ("single-column", "three-columns", "words-one-column", "text-two-columns")  # learnt in a minute
MOST_RESTARTS = 8
SHOWN_QUESTIONS = 6  # with the programs that were found for them
TRAININGS: dict[Live, TrainingConfig] = {
    "marginal": TrainingConfig(restarts=4, steps=600, examples=2_000, validation=100, report_every=10, patience=10),
    "soft": TrainingConfig(restarts=4, steps=3_000, examples=2_000, validation=100, report_every=100, patience=10),
}
NICE = 10  # how far behind others it stands
ENVIRONMENT = {  # one core; compiled in a third of the time, to take the same time a step
    **dict.fromkeys(("NPROC", *THREADS), "1"),
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_backend_optimization_level=1",
}


class Teller:
    """What prints how training goes, in the place of checkpoints.Keeper; nothing is kept."""

    def __init__(self, examples: list[Triple]) -> None:
        self.examples = examples

    def __enter__(self) -> "Teller":
        return self

    def __exit__(self, *error: object) -> None: ...

    def restore(self, state: Any) -> tuple[int, Any, list[Any]]:
        """Return the given start: nothing was kept."""
        return 0, state, []

    def save(self, step: int, state: Any, reports: list[Any], model: Any, last: bool) -> None:
        """Print the last report, and the programs that the best restart finds for some questions."""
        programs = []
        for triple in self.examples:
            trace = model.trace(triple.question, triple.table)
            right = trace.answer.equals(triple.answer)
            programs.append({"question": triple.question, "program": str(trace.program), "right": right})
        tell({**vars(reports[-1]), "programs": programs})


def tell(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


def main(arguments: list[str] | None = None) -> None:
    """Train on a task, and tell."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {MODULE}", description="Train a small task, and tell how it goes."
    )
    parser.add_argument("task", choices=SMALL_TASKS)
    parser.add_argument("objective", choices=TRAININGS)
    parser.add_argument("--restarts", type=int, choices=range(1, MOST_RESTARTS + 1))
    parser.add_argument("--steps", type=int)
    asked = parser.parse_args(arguments)
    os.nice(NICE)
    end_with_input()
    from neural_programmer.learning.learners import learner_of
    from neural_programmer.learning.training import train

    given = {name: value for name in ("restarts", "steps") if (value := getattr(asked, name)) is not None}
    training = replace(TRAININGS[asked.objective], **given)
    task = find(asked.task)
    examples = list(draw_test(task, training.seed, SHOWN_QUESTIONS))
    network = task.paper if asked.objective == "soft" else task.network
    learner = learner_of(task, network, training, asked.objective)
    try:
        train(learner, task, training, keeper=Teller(examples))
    except NeuralProgrammerError as error:
        tell({"error": str(error)})


if __name__ == "__main__":
    main()

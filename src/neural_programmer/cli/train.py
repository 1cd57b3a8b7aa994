"""The command that trains on a task."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from neural_programmer import api
from neural_programmer.cli import show
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.config import LstmConfig, Objective, TrainingConfig
from neural_programmer.network.config import Arguments, Columns, QuestionReader


def train(
    *,
    task: str,
    out: Path,
    objective: Objective | None = None,
    model: Literal["neural-programmer", "lstm"] = "neural-programmer",
    resume: Annotated[bool, Parameter(negative="")] = False,
    start_from: Path | None = None,
    operations: Annotated[list[Path] | None, Parameter(negative="")] = None,
    training: Annotated[TrainingConfig, Parameter(name="*")] = TrainingConfig(),  # noqa: B008  frozen
    hidden: int | None = None,
    program_steps: int | None = None,
    reader: QuestionReader | None = None,
    attention: bool | None = None,
    arguments: Arguments | None = None,
    columns: Columns | None = None,
    layers: int | None = None,
    heads: int | None = None,
    table_first: bool | None = None,
) -> None:
    """Train a model on a task (what the help says first stands in __init__.py, which does not read this file).

    Parameters
    ----------
    task
        Which task, see `neural-programmer tasks`; or english, questions as people write them.
    out
        The folder of the run: configuration, metrics, checkpoints and the best model.
    objective
        How to learn: marginal searches programs and makes those that give the answer more probable; soft is the paper's
        way, with the paper's network.
    model
        The Neural Programmer, or the LSTM that the paper compares it with.
    resume
        Go on with the run in this folder, after it was stopped, or to train it longer with more --steps (and --patience
        0, if it stopped because all validation questions stayed right).
    start_from
        A run or model.safetensors whose weights to begin with, instead of drawn ones.
    operations
        A Python file that defines operations of your own; it is run.
    hidden
        The width of the network [default: 128; the paper's for the soft objective].
    program_steps
        T, the number of operations in a program [default: 4].
    reader
        How the question is read [default: bidirectional; the paper's for the soft objective].
    attention
        Attend to the question at every step [default: yes; the paper's for the soft objective].
    arguments
        The number to compare with and the word to match: chosen at every step, or as in the paper once for the whole
        question, blended into one number or with the comparisons mixed [default: step; blended for soft].
    columns
        Columns known by pointers to where the question mentions them, or as in the paper by their names
        [default: pointers; names for soft].
    layers
        How many layers the LSTM has.
    heads
        Attention heads of the LSTM; the paper has 1, 5 and 10 [default: no attention].
    table_first
        Whether the LSTM reads the table before the question, or after it.
    """
    flags = {
        "hidden": hidden,
        "program_steps": program_steps,
        "reader": reader,
        "attention": attention,
        "arguments": arguments,
        "columns": columns,
        "layers": layers,
        "heads": heads,
        "table_first": table_first,
    }
    given = {name: value for name, value in flags.items() if value is not None}
    config = LstmConfig() if model == "lstm" else _network(task, objective)
    for name in given:
        if not hasattr(config, name):
            raise NeuralProgrammerError(f"--{name.replace('_', '-')} is no setting of the {model}; leave it out")
    config = replace(config, **given)
    with show.bar("training", training.steps, before="drawing data, compiling") as advance:
        streak = 0

        def report(now: Any) -> None:
            nonlocal streak
            streak = streak + 1 if min(now.accuracy) == 1 else 0
            advance(now.step, news=show.news(now, streak, training.patience))

        trained = api.train(
            task,
            config=config,
            training=training,
            objective=objective,
            out=out,
            resume=resume,
            start_from=start_from,
            operations=operations or (),
            report=report,
            drawing=lambda done, total: advance(0, news=f"{done:,} of {total:,} questions drawn"),
        )
    show.restarts(trained)
    last = trained.reports[-1]
    if last.step < training.steps:
        show.console.print(f"stopped after {last.step:,} steps: all validation questions stayed right (--patience)")
    words = ("ask", "TABLE", "--model", out) if trained.model.trained.task == "english" else ("evaluate", out)
    following = show.command(*words, operations=operations or ())
    show.console.print(f"best model (restart {trained.best_restart}) kept in {out}; next: {following}")


def _network(task: str, objective: Objective | None) -> Any:
    """Return the network for a task, if nothing is said."""
    from neural_programmer.data import language
    from neural_programmer.data.paper.settings import task as find

    if task == language.NAME:
        return language.NETWORK
    return find(task).paper if objective == "soft" else find(task).network

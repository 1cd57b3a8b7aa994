"""The command line: parse, call, show."""

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter
from cyclopts.exceptions import CycloptsError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from neural_programmer import __version__
from neural_programmer.config import (
    RESTARTS,
    Arguments,
    Columns,
    LstmConfig,
    Objective,
    Part,
    QuestionReader,
    TrainingConfig,
)
from neural_programmer.errors import NeuralProgrammerError

app = App(
    name="neural-programmer",
    version=__version__,
    help="Learns programs over tables from questions and answers alone, and shows the programs it runs.",
    suppress_keyboard_interrupt=False,
)
console = Console(highlight=False, soft_wrap=True, markup=False, emoji=False)
err = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)


Json = Annotated[bool, Parameter("--json", negative="", help="Print JSON instead of a table.")]
SHOWN_ERRORS = 10
QUIET = 10.0  # seconds between two lines of progress where there is no terminal to draw a bar on


@contextmanager
def _bar(what: str, total: int, before: str = "") -> Iterator[Any]:
    """Progress on the error stream, a bar or now and then a line: call it with what is done, of how much, and news.

    `before` stands in front of the bar until the first call.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = time.monotonic()
    with Progress(
        *columns, TextColumn("{task.fields[news]}"), console=err, transient=True, disable=not err.is_terminal
    ) as progress:
        bar = progress.add_task(before or what, total=total, news="")

        def advance(done: int, total: int | None = None, news: str = "") -> None:
            nonlocal shown
            progress.update(bar, completed=done, total=total, news=news, description=what)
            if progress.disable and time.monotonic() - shown > QUIET:
                shown = time.monotonic()
                err.print(
                    f"{what}: {done:,} of {progress.tasks[0].total:,.0f}{', ' if news else ''}{news}", markup=False
                )

        yield advance


@app.command
def tasks(*, json_: Json = False) -> None:
    """List the tasks: the paper's eight settings, the simpler set of its LSTM comparison, and two beyond the paper.

    Example: neural-programmer tasks
    """
    from neural_programmer.tasks.data import test_size
    from neural_programmer.tasks.settings import TASKS

    rows = [
        {
            "task": task.name,
            "templates": task.grammar.count,
            "test_questions": test_size(task),
            "published_accuracy": task.published,
            "about": task.about,
        }
        for task in TASKS.values()
    ]
    if json_:
        _print_json(rows)
        return
    grid = Grid("task", "templates", "test questions", "published %", "about", box=None, pad_edge=False)
    for name in ("templates", "test questions", "published %"):
        next(column for column in grid.columns if column.header == name).justify = "right"
    for row in rows:
        published = row["published_accuracy"]
        shown = "-" if published is None else f"{published:.2f}"
        grid.add_row(row["task"], f"{row['templates']:,}", f"{row['test_questions']:,}", shown, row["about"])
    Console(highlight=False, width=120).print(grid)


@app.command
def generate(
    *,
    task: str,
    split: Literal["train", "test"] = "train",
    count: int | None = None,
    seed: int = 0,
    out: Path,
) -> None:
    """Write question, table and answer triples as JSON lines.

    Example: neural-programmer generate --task five-columns --split test --count 100 --seed 1 --out five.jsonl

    Parameters
    ----------
    task
        Which task, see `neural-programmer tasks`.
    split
        Test tables are longer and hold larger numbers than training tables; every test question has its own template.
    count
        How many triples [default: as many as a training set has, or the full test set].
    seed
        Same seed, same triples.
    out
        The file to write.
    """
    from neural_programmer.tasks.data import draw_test, draw_train
    from neural_programmer.tasks.export import write
    from neural_programmer.tasks.settings import task as find

    chosen = find(task)
    if split == "test":
        dataset = draw_test(chosen, seed, count)
    else:
        dataset = draw_train(chosen, TrainingConfig.examples if count is None else count, seed)
    with _bar("writing", len(dataset)) as advance:
        write(dataset, out, advance)
    err.print(f"{len(dataset):,} triples of {task}, seed {seed}, written to {out}")


@app.command
def train(
    *,
    task: str,
    out: Path,
    objective: Objective = "marginal",
    model: Literal["neural-programmer", "lstm"] = "neural-programmer",
    resume: Annotated[bool, Parameter(negative="")] = False,
    start_from: Path | None = None,
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
    """Train a model on a task, several restarts side by side, and keep the best.

    Training stops when every restart has answered all validation questions for a while.

    Example: neural-programmer train --task single-column --out runs/single

    Parameters
    ----------
    task
        Which task, see `neural-programmer tasks`.
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
    from neural_programmer import api

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
    chosen = _task(task)
    config = LstmConfig() if model == "lstm" else chosen.paper if objective == "soft" else chosen.network
    for name in given:
        if not hasattr(config, name):
            raise NeuralProgrammerError(f"--{name.replace('_', '-')} is no setting of the {model}; leave it out")
    config = replace(config, **given)
    with _bar("training", training.steps, before="drawing data, compiling") as advance:
        streak = 0

        def show(report: Any) -> None:
            nonlocal streak
            streak = streak + 1 if min(report.accuracy) == 1 else 0
            best = max(report.best_accuracy)
            losses = [loss for loss in report.loss if loss is not None] or [float("nan")]
            news = f"mean loss {sum(losses) / len(losses):.4g}, best validation {best:.1%}"
            advance(report.step, news=news + _patient(streak, training.patience))

        trained = api.train(
            task,
            config=config,
            training=training,
            objective=objective,
            out=out,
            resume=resume,
            start_from=start_from,
            report=show,
        )
    last = trained.reports[-1]
    grid = Grid("restart", "loss", "validation", "best", "", box=None, pad_edge=False)
    for column in grid.columns[:4]:
        column.justify = "right"
    order = sorted(range(len(last.best_accuracy)), key=lambda r: -last.best_accuracy[r])[:20]
    for restart in order:
        loss = last.loss[restart]
        grid.add_row(
            str(restart),
            "no number" if loss is None else f"{loss:.4g}",
            f"{last.accuracy[restart]:.1%}",
            f"{last.best_accuracy[restart]:.1%}",
            "kept" if restart == trained.best_restart else "",
        )
    console.print(grid)
    if len(order) < len(last.loss):
        console.print(f"and {len(last.loss) - len(order)} more in {out / 'metrics.jsonl'}")
    if last.step < training.steps:
        console.print(f"stopped after {last.step:,} steps: all validation questions stayed right (--patience)")
    console.print(f"best model (restart {trained.best_restart}) kept in {out}; next: neural-programmer evaluate {out}")


def _patient(streak: int, patience: int) -> str:
    """How long validation has stayed at 100 %, of how long it must."""
    return f", {streak} of {patience} reports at 100 %" if streak and patience else ""


@app.command
def evaluate(
    run: Path,
    *,
    task: str | None = None,
    seed: int = 0,
    sets: int = 1,
    count: int | None = None,
    rows: int | None = None,
    value_range: int | None = None,
    json_: Json = False,
) -> None:
    """Measure a trained model on a task's test set.

    Example: neural-programmer evaluate runs/single --task single-column --seed 1

    Parameters
    ----------
    run
        A run's folder, or a model.safetensors.
    task
        Which test set [default: that of the task it was trained on].
    seed
        Same seed, same test set.
    sets
        How many test sets to answer: of this seed and of those that follow.
    count
        Take a random part of the test set.
    rows
        Give every table this many rows.
    value_range
        Draw the numbers from [-R, R].
    """
    from neural_programmer import api

    model = api.load(run)
    with _bar("answering", 1) as advance:
        result = api.evaluate(
            model, task, seed=seed, sets=sets, count=count, rows=rows, value_range=value_range, progress=advance
        )
    if json_:
        _print_json(result.to_dict())
        return
    seeds = f"seed {seed}" if sets == 1 else f"seeds {seed} to {seed + sets - 1}"
    least, most = result.rows
    rows_shown = f"{least:,}" if least == most else f"{least} to {most}"
    numbers = f"[-{result.value_range:,}, {result.value_range:,}]"
    console.print(
        f"{result.task}: {result.overall.total:,} questions of {seeds}, "
        f"tables of {rows_shown} rows, numbers in {numbers}"
    )
    grid = Grid("", "accuracy", "right", "of", box=None, pad_edge=False)
    for column in grid.columns[1:]:
        column.justify = "right"
    for name, score in [
        ("all", result.overall),
        *result.categories.items(),
        ("templates seen in training", result.seen),
        ("new templates", result.unseen),
    ]:
        share = "-" if score.accuracy is None else f"{100 * score.accuracy:.2f} %"
        grid.add_row(name, share, f"{score.correct:,}", f"{score.total:,}")
    console.print(grid)
    for error in result.errors[:SHOWN_ERRORS]:
        console.print(
            f"  wrong: {error['question']}\n         said {error['said']}, right is {error['right']}", markup=False
        )
    if len(result.errors) > SHOWN_ERRORS:
        console.print(f"  and {len(result.errors) - SHOWN_ERRORS:,} more wrong answers; all of them with --json")


@app.command
def trace(
    run: Path,
    *,
    task: str | None = None,
    question: str | None = None,
    seed: int = 0,
    count: int = 3,
) -> None:
    """Show how a model answers: the operation, column, argument and selected rows of every step.

    Example: neural-programmer trace runs/ten --task ten-columns --question "greater 50.32 C and lesser 20.21 E sum H"

    Parameters
    ----------
    run
        A run's folder, or a model.safetensors.
    task
        Whose test tables to ask about [default: the task it was trained on].
    question
        A question in the task's words; without it, questions of the test set are shown.
    seed
        Same seed, same tables.
    count
        How many questions of the test set to show.
    """
    from neural_programmer import api

    for traced, right in api.traces(run, task, question=question, seed=seed, count=count):
        _print_trace(traced, right)


@app.command
def reproduce(
    *tasks: str,
    parts: Annotated[list[Part] | None, Parameter(consume_multiple=True, negative="")] = None,
    restarts: int = RESTARTS,
    seed: int = 0,
    results: Path = Path("results"),
    runs: Path = Path("runs/reproduce"),
    page: Path = Path("docs/results.md"),
) -> None:
    """Run the paper's evaluation: many restarts of every task; write results, tables and plots.

    What has a result is not run again; what was stopped goes on. Without a GPU, name a few tasks and few restarts.

    Example: neural-programmer reproduce three-columns --parts marginal --restarts 4 --results try --page try/page.md

    Parameters
    ----------
    tasks
        Which tasks [default: all].
    parts
        Of the evaluation: marginal and soft restarts, the paper's grid, gradient noise, the LSTM comparison
        [default: all].
    restarts
        How many trainings of each task, side by side.
    seed
        Same seed, same results.
    results
        The folder for results, one JSON file each.
    runs
        The folder to train in; it can be deleted afterwards.
    page
        The page of results to write; its plots go into a folder beside it.
    """
    from neural_programmer import api

    with contextlib.ExitStack() as shown:

        def begin(name: str, steps: int, done: bool) -> Any:
            shown.close()
            if done:
                err.print(f"{name}: done before")
                return lambda report: None
            advance = shown.enter_context(_bar(name, steps, before=f"{name}: drawing data, compiling"))

            def show(report: Any) -> None:
                at_100 = sum(accuracy == 1 for accuracy in report.accuracy)
                news = f"{at_100} of {len(report.accuracy)} at 100 % of validation, worst {min(report.accuracy):.1%}"
                advance(report.step, news=news)

            return show

        found = api.reproduce(
            tasks, parts=parts, restarts=restarts, seed=seed, results=results, runs=runs, page=page, begin=begin
        )
    from neural_programmer.experiments.report import percent  # only now: api.reproduce says what is not installed

    for result in found:
        accuracies = [restart["accuracy"] for restart in result["restarts"]]
        console.print(
            f"{result['experiment']}: {result['at_100']} of {len(accuracies)} restarts at 100 % of "
            f"{result['test_questions']:,} test questions, best {percent(max(accuracies))} %, "
            f"worst {percent(min(accuracies))} %"
        )
    console.print(f"written to {page}")


def _print_trace(traced: Any, right: Any) -> None:
    """The steps as the paper's table of example outputs shows them."""
    console.print(f"\n{traced.question}", style="bold")
    console.print(f"table: {traced.table.rows:,} rows, columns {', '.join(traced.table.names)}")
    pivots = traced.pivots
    heads = ("argument",) if pivots is None else ("pivot_g", "pivot_l")
    grid = Grid("t", "operation", "column", *heads, "rows selected", "gives", box=None, pad_edge=False)
    for number, (step, result) in enumerate(zip(traced.program.steps, traced.run.steps, strict=False), 1):
        argument = step.argument
        shown = "" if argument is None else f"{argument:g}" if isinstance(argument, float) else " or ".join(argument)
        column = step.column or "-"
        if pivots is None:
            arguments = (shown,)
        else:
            arguments = (f"{pivots['greater']:g}", f"{pivots['lesser']:g}") if number == 1 else ("", "")
            column += f" ({shown or 'nothing'})" if isinstance(argument, tuple) else ""
        gives = {"none": "", "lookup": f"{len(result.answer.cells)} cells"}.get(result.answer.kind, str(result.answer))
        rows = f"{int(result.row_select.sum())} of {len(result.row_select)}"
        grid.add_row(str(number), step.operation, column, *arguments, rows, gives)
    console.print(grid)
    said = str(traced.answer) if traced.answer.kind == "none" else f"answer: {traced.answer}"
    verdict = "" if right is None else " (right)" if traced.answer.equals(right) else f" (wrong, right is {right})"
    console.print(f"program: {traced.program}")
    console.print(said + verdict)


def _task(name: str) -> Any:
    from neural_programmer.tasks.settings import task

    return task(name)


def _print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, indent=1) + "\n")


def main(arguments: list[str] | None = None) -> None:
    """Run a command; what a person can mend is said in one sentence, with exit code 2."""
    try:
        app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except NeuralProgrammerError as error:
        err.print(f"neural-programmer: {' '.join(str(error).split())}")
        sys.exit(2)
    except CycloptsError as error:
        err.print(f"neural-programmer: {error} (see neural-programmer --help)")
        sys.exit(2)
    except MemoryError:
        from neural_programmer.api import TOO_LARGE

        err.print(f"neural-programmer: {TOO_LARGE}")
        sys.exit(2)
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        err.print(f"neural-programmer: cannot write the output: {error.strerror}")
        sys.exit(2)
    except KeyboardInterrupt:
        err.print(
            "neural-programmer: stopped; what was saved is kept (train goes on with --resume, reproduce by itself)"
        )
        os._exit(130)  # at once: leaving the usual way while a compiled program still runs can crash


if __name__ == "__main__":
    main()

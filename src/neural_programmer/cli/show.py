"""Print what a person sees: progress, tables, traces."""

import json
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table as Grid

from neural_programmer.cli import tables
from neural_programmer.cli.texts import printable
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.values import shown_value

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from neural_programmer.answering.traces import Trace
    from neural_programmer.learning.evaluation import Evaluation, Score
    from neural_programmer.learning.fit_report import FitReport
    from neural_programmer.learning.judgement import Judgement, Verdict
    from neural_programmer.learning.training import Report, TrainingResult
    from neural_programmer.tables.source import Source

console = Console(highlight=False, soft_wrap=True, markup=False, emoji=False)
err = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)

SHOWN_ERRORS = 10
SHOWN_RESTARTS = 20
SHOWN_VALUES = 20
SHOWN_COLUMNS = 30
SHOWN_REPORTS = 6  # of a training, after the first
QUIET = 10.0  # seconds between two lines of progress where there is no terminal to draw a bar on


_interrupted = False


def command(*words: object, operations: "Sequence[Path]" = ()) -> str:
    """Return a command to go on with as a shell reads it, with the operations of one's own that it needs."""
    own = [word for path in operations for word in ("--operations", path)]
    return shlex.join(map(str, ("neural-programmer", *words, *own)))


def interrupt(*_: object) -> None:
    """Raise KeyboardInterrupt on Ctrl-C, and once more later: libraries may swallow it (JAX does, where Python collects
    garbage)."""
    global _interrupted
    _interrupted = True
    raise KeyboardInterrupt


@contextmanager
def bar(what: str, total: int, before: str = "") -> Iterator[Callable[..., None]]:
    """Show progress on the error stream, as a bar or now and then a line: call it with what is done, of how much, and
    news.

    `before` stands in front of the bar until the first call.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = time.monotonic()
    with Progress(
        *columns, TextColumn("{task.fields[news]}"), console=err, transient=True, disable=not err.is_terminal
    ) as progress:
        bar = progress.add_task(before or what, total=total, news="")

        def advance(done: int, total: int | None = None, news: str = "") -> None:
            nonlocal shown
            if _interrupted:
                raise KeyboardInterrupt
            progress.update(bar, completed=done, total=total, news=news, description=what)
            if progress.disable and time.monotonic() - shown > QUIET:
                shown = time.monotonic()
                err.print(f"{what}: {done:,} of {progress.tasks[0].total:,.0f}{', ' if news else ''}{news}")

        yield advance


def as_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, indent=1) + "\n")


def tasks(rows: list[dict[str, Any]]) -> None:
    """Print a line for each task."""
    grid = _grid("task", "templates", "test questions", "published %", "about", right=(1, 2, 3))
    for row in rows:
        published = row["published_accuracy"]
        shown = "-" if published is None else f"{published:.2f}"
        grid.add_row(row["task"], f"{row['templates']:,}", f"{row['test_questions']:,}", shown, row["about"])
    Console(highlight=False, width=120).print(grid)


def news(report: "Report", streak: int, patience: int) -> str:
    """Return what stands beside the bar: the loss, the best restart, and how long all of validation has been right."""
    from neural_programmer.learning.evaluation import percent

    losses = [loss for loss in report.loss if loss is not None] or [float("nan")]
    waits = f", {streak} of {patience} reports at 100 %" if streak and patience else ""
    return f"mean loss {sum(losses) / len(losses):.4g}, best validation {percent(max(report.best_accuracy))} %{waits}"


def restarts(trained: "TrainingResult") -> None:
    """Print the restarts of a training, the best first, and how validation rose."""
    from neural_programmer.learning.evaluation import percent

    last = trained.reports[-1]
    grid = _grid("restart", "loss", "validation", "best", "", right=(0, 1, 2, 3))
    order = sorted(range(len(last.best_accuracy)), key=lambda r: -last.best_accuracy[r])
    for restart in order[:SHOWN_RESTARTS]:
        loss = last.loss[restart]
        grid.add_row(
            str(restart),
            "no number" if loss is None else f"{loss:.4g}",
            f"{percent(last.accuracy[restart])} %",
            f"{percent(last.best_accuracy[restart])} %",
            "kept" if restart == trained.best_restart else "",
        )
    console.print(grid)
    if len(order) > SHOWN_RESTARTS:
        console.print(f"and {len(order) - SHOWN_RESTARTS} more in metrics.jsonl")
    console.print(_rise(trained))


def _rise(trained: "TrainingResult") -> str:
    """Return the validation accuracy of the kept restart at some steps, up to the first at which it was best."""
    from neural_programmer.learning.evaluation import percent

    reports = [(report.step, report.accuracy[trained.best_restart]) for report in trained.reports]
    best = max(accuracy for _, accuracy in reports)
    until = next(place for place, (_, accuracy) in enumerate(reports) if accuracy == best)
    shown = sorted({round(until * part / SHOWN_REPORTS) for part in range(SHOWN_REPORTS + 1)})
    said = ", ".join(f"{percent(reports[place][1])} % at step {reports[place][0]:,}" for place in shown)
    return f"validation of the one that is kept: {said}"


def evaluation(result: "Evaluation") -> None:
    """Print accuracy by category, and some of the wrong answers."""
    from neural_programmer.learning.evaluation import percent

    seeds = f"seed {result.seed}" if result.sets == 1 else f"seeds {result.seed} to {result.seed + result.sets - 1}"
    least, most = result.rows
    rows = f"{least:,}" if least == most else f"{least} to {most}"
    numbers = f"[-{result.value_range:,}, {result.value_range:,}]"
    console.print(
        f"{result.task}: {result.overall.total:,} questions of {seeds}, tables of {rows} rows, numbers in {numbers}"
    )
    grid = _grid("", "accuracy", "right", "of", right=(1, 2, 3))
    for name, score in [
        ("all", result.overall),
        *result.categories.items(),
        ("templates seen in training", result.seen),
        ("new templates", result.unseen),
    ]:
        share = "-" if score.accuracy is None else f"{percent(score.accuracy)} %"
        grid.add_row(name, share, f"{score.correct:,}", f"{score.total:,}")
    console.print(grid)
    for error in result.errors[:SHOWN_ERRORS]:
        console.print(f"  wrong: {error['question']}\n         said {error['said']}, right is {error['right']}")
    if len(result.errors) > SHOWN_ERRORS:
        console.print(f"  and {len(result.errors) - SHOWN_ERRORS:,} more wrong answers; all of them with --json")


def fit(report: "FitReport") -> None:
    """Print accuracy by kind, and some of what is wrong, lucky or without a program; the report's files have all."""
    console.print(f"{report.about['data']}, split {report.about['split']}")
    skipped = report.about["skipped"]
    if skipped:
        console.print(f"{len(skipped):,} bad lines left out, the first: {printable(skipped[0])}")
    grid = _grid("", "validation", "right", "of", "learnt from", "right", "of", right=(1, 2, 3, 4, 5, 6))
    for name, parts in [("all", report.accuracy), *report.kinds.items()]:
        cells = [cell for part in ("validation", "train") for cell in _score(parts[part])]
        grid.add_row(name, *cells)
    console.print(grid)
    _wrong([verdict for verdict in (*report.validation, *report.train) if not verdict.right])
    for one in report.lucky[:SHOWN_ERRORS]:
        console.print(
            printable(f"  looks lucky: {one.question} ({one.place}): all right programs leave out {one.left_out}")
        )
    _more(len(report.lucky), "that look lucky")
    for group in report.uncovered[:SHOWN_ERRORS]:
        share = f"share {group.shared!r} and want" if group.shared else "want"
        asked = "; ".join(group.questions[:3])
        console.print(printable(f"  no program: {len(group.questions)} {share} {group.answer}: {asked}"))
    _more(len(report.uncovered), "groups without a program")


def judgement(found: "Judgement") -> None:
    """Print accuracy by kind, and some of the wrong answers."""
    measure = ", by the official measure of WikiTableQuestions" if found.official else ""
    console.print(f"{found.data}: {found.overall.total:,} questions{measure}")
    if found.skipped:
        console.print(f"{len(found.skipped):,} bad lines left out, the first: {printable(found.skipped[0])}")
    grid = _grid("", "accuracy", "right", "of", right=(1, 2, 3))
    for name, one in [("all", found.overall), *found.kinds.items()]:
        grid.add_row(name, *_score(one))
    console.print(grid)
    _wrong([verdict for verdict in found.verdicts if not verdict.right])


def _score(score: "Score") -> tuple[str, str, str]:
    from neural_programmer.learning.evaluation import percent

    share = "-" if score.accuracy is None else f"{percent(score.accuracy)} %"
    return share, f"{score.correct:,}", f"{score.total:,}"


def _wrong(wrong: "Sequence[Verdict]") -> None:
    for one in wrong[:SHOWN_ERRORS]:
        console.print(printable(f"  wrong: {one.question} ({one.place})"))
        console.print(printable(f"         {one.program} gives {_short(one.said)}, right is {_short(one.wanted)}"))
    _more(len(wrong), "wrong answers")


def _more(count: int, what: str) -> None:
    if count > SHOWN_ERRORS:
        console.print(f"  and {count - SHOWN_ERRORS:,} more {what}; all of them with --json")


def _short(value: Any) -> str:
    text = "no answer" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def trace(traced: "Trace", right: Answer | None) -> None:
    """Print the steps as the paper's table of example outputs shows them."""
    console.print(f"\n{traced.question}", style="bold")
    console.print(f"table: {traced.table.rows:,} rows, columns {', '.join(traced.table.names)}")
    pivots = traced.pivots
    heads = ("argument",) if pivots is None else ("pivot_g", "pivot_l")
    grid = _grid("t", "operation", "column", *heads, "rows selected", "gives")
    for number, (step, result) in enumerate(zip(traced.program.steps, traced.run.steps, strict=False), 1):
        argument = step.argument
        shown = "" if argument is None else " or ".join(argument) if isinstance(argument, tuple) else str(argument)
        shown = f"{argument:g}" if isinstance(argument, float) else shown
        column = "-" if step.column is None else str(step.column)
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


def table(source: "Source") -> None:
    """Print what can be asked about."""
    names = [printable(column.name) for column in source.columns[:SHOWN_COLUMNS]]
    more = len(source.columns) - len(names)
    files = f"{len(source.named.files):,} files, " if source.named and source.named.root else ""
    err.print(
        f"{printable(source.name)}: {files}{source.rows:,} rows; columns {', '.join(names)}"
        f"{f' and {more:,} more' if more > 0 else ''}. Ask a question, help or quit."
    )


def sheets(source: "Source") -> None:
    """Print which sheet of a workbook was read, where none was named."""
    others = ", ".join(map(printable, source.others[:SHOWN_COLUMNS]))
    called = f"{printable(source.name)}::{printable(source.others[0])}"
    err.print(
        f"{printable(source.name)}: read the sheet {printable(source.part)}, not {others}; name another as {called}"
    )


def help(source: "Source") -> None:
    """Print what can be asked, with columns of the table."""
    named = {kind: [printable(c.name) for c in source.columns if c.kind == kind] for kind in ("number", "text", "date")}
    err.print("Ask in English, one question at a time, such as:\n  how many rows are there")
    if numbers := named["number"]:
        err.print(f"  what is the average {numbers[0]}\n  how many have a {numbers[-1]} of more than 100")
    if numbers and named["text"]:
        err.print(f"  which {named['text'][0]} has the highest {numbers[0]}")
    if named["date"]:
        err.print(f"  how many have a {named['date'][0]} after March 2024")
    err.print("The columns and their kinds:")
    for column in source.columns[:SHOWN_COLUMNS]:
        err.print(f"  {printable(column.name)}: {column.kind}{f' in {column.unit}' if column.unit else ''}")
    err.print("quit ends.")


def answer(given: Answer, digits: int | None = None) -> None:
    """Print the answer, the steps that led to it, the query that gives the same, and how sure the model is.

    Where there is none, the error stream tells why not. A number has so many decimals, if it is said how many.
    """
    out = err if given.kind == "none" else console
    if given.kind == "lookup":
        times = Counter(shown_value(value, given.unit) for value in given.values)
        for text, count in list(times.items())[:SHOWN_VALUES]:
            out.print(printable(text) + (f" ({count:,} times)" if count > 1 else ""), style="bold")
        more = given.result.total - sum(list(times.values())[:SHOWN_VALUES])
        if more > 0 or not given.values:
            out.print(f"and {more:,} more, with --json" if more > 0 else "no cell: no row is selected")
        tables.histogram(out, given)
    elif given.kind == "table":
        tables.table(out, given, digits)
        if given.said:
            out.print(printable(given.said))
    else:
        out.print(printable(given.text(digits)), style="bold" if given.kind != "none" else "")
    for note in given.notes:
        out.print(printable(note))
    if given.kind != "none" or any(step.rows is not None for step in given.steps):
        grid = _grid("", "step", "operation", "rows", right=(0, 3))
        for place, step in enumerate(given.steps, 1):
            grid.add_row(str(place), printable(step.in_words), step.operation, step.rows_text)
        out.print()
        out.print(grid)
    if given.sql:
        out.print(f"\n{printable(given.sql, keep=chr(10))}", style="dim")
    declined = given.kind == "none" and not given.sql
    if given.confidence is not None:
        out.print(f"\nconfidence {given.confidence:.0%}{' that there is none' if declined else ''}")


def wrote(path: "Path") -> None:
    """Print where a file was written, on the error stream."""
    err.print(f"wrote {printable(str(path))}")


def fault(said: object) -> None:
    """Print what is wrong, in one line of the error stream."""
    err.print(f"neural-programmer: {_line(said)}")


def no_query(reason: str) -> None:
    """Print why there is no query."""
    err.print(f"no query: {_line(reason)}")


def query(sql: str) -> None:
    """Print a query for another program to run, without what would steer a terminal."""
    console.print(printable(sql, keep="\n\u00a0") if console.is_terminal else sql)


def _line(said: object) -> str:
    return printable(" ".join(str(said).split()))


def _grid(*heads: str, right: tuple[int, ...] = ()) -> Grid:
    grid = Grid(*heads, box=None, pad_edge=False)
    for place in right:
        grid.columns[place].justify = "right"
    return grid

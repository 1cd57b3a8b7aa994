"""The command that learns from questions, tables and answers of one's own."""

import contextlib
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from neural_programmer import api
from neural_programmer.cli import show
from neural_programmer.learning.config import FitConfig, Objective


def fit(
    data: Path,
    *,
    out: Path,
    validation: Path | None = None,
    start: str | None = None,
    teacher: str | None = None,
    objective: Objective | None = None,
    skip_bad: Annotated[bool, Parameter(negative="")] = False,
    tables: Path | None = None,
    resume: Annotated[bool, Parameter(negative="")] = False,
    operations: Annotated[list[Path] | None, Parameter(negative="")] = None,
    config: Annotated[FitConfig, Parameter(name="*")] = FitConfig(),  # noqa: B008  frozen
    json_: Annotated[bool, Parameter("--json", negative="")] = False,
) -> None:
    """Fit a model to data of one's own (what the help says first stands in __init__.py, which does not read this file).

    Parameters
    ----------
    data
        The file of questions, tables and answers.
    out
        The folder of the run: configuration, metrics, checkpoints, the best model and the report.
    validation
        Another such file to validate by [default: a fifth of the data, by table].
    start
        What to begin with: the model ask; nothing; or a run's folder or model [default: ask; for WikiTableQuestions
        nothing].
    teacher
        Of the enumerated objective: a run or model to learn from besides the answers. It says how probable each program
        is. Taught by an ensemble, one network learns much of what several know.
    objective
        How to learn. marginal and soft are as in train. enumerated runs all programs that a question may mean and
        learns which one is meant by what each gives; it needs --start nothing, or a model that learnt so [default:
        that of the model to start from; from nothing marginal, for WikiTableQuestions enumerated].
    skip_bad
        Leave out lines that cannot be learnt from, instead of refusing the file.
    tables
        The folder that the tables of a file of WikiTableQuestions are in [default: that of the file].
    resume
        Go on with the run in this folder, after it was stopped or to train it longer.
    operations
        A Python file that defines operations of your own; it is run.
    json_
        Print the report as JSON.
    """
    with contextlib.ExitStack() as shown:
        doing: dict[str, Any] = {}
        news = ""

        def progress(what: str, done: int, total: int) -> None:
            if what not in doing:
                shown.close()
                doing[what] = shown.enter_context(show.bar(what, total))
            doing[what](done, total, news=news)

        def report(now: Any) -> None:
            nonlocal news
            news = show.news(now, 0, 0)

        fitted = api.fit(
            data,
            out=out,
            validation=validation,
            start=start,
            teacher=teacher,
            objective=objective,
            config=config,
            operations=operations or (),
            skip_bad=skip_bad,
            tables=tables,
            resume=resume,
            report=report,
            progress=progress,
        )
    if json_:
        show.as_json(fitted.report.to_dict())
    else:
        show.fit(fitted.report)
        following = show.command("ask", "TABLE", "--model", out, operations=operations or ())
        show.console.print(f"kept in {out}, with report.html; next: {following}")

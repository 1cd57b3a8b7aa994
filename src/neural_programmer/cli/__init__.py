"""The command line: parse, call; what is shown is in show.py."""

import contextlib
import gc
import inspect
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from cyclopts import App, Parameter
from cyclopts.config import Env
from cyclopts.exceptions import CycloptsError, MissingArgumentError, UnknownCommandError

from neural_programmer import __version__
from neural_programmer.cli import show
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.config import TrainingConfig
from neural_programmer.paper.config import RESTARTS, RESULTS, Part
from neural_programmer.tables import standard_input

MISTYPED = 2  # letters of a command that may be wrong


def whole_numbers(app: App, commands: Any, arguments: Any) -> None:
    """Refuse 1.5 for a whole number, which cyclopts would round."""
    for argument in arguments:
        kinds = get_args(argument.hint) or (argument.hint,)
        for token in argument.tokens:
            if int in kinds and float not in kinds and "." in token.value:
                raise NeuralProgrammerError(f"{argument.name} takes a whole number, not {token.value[:60]}")


app = App(
    name="neural-programmer",
    version=__version__,
    help="Learns programs over tables from questions and answers alone, and shows the programs it runs.",
    suppress_keyboard_interrupt=False,
    config=whole_numbers,
)
ASK = """Answer a question about a table, with the program that gave the answer and the SQL that gives the same.

The SQL runs on the file as it is, in DuckDB or SQLite; where it cannot read a text, a remark says so. Every question
stands alone; it cannot refer to the one before. Without a question, questions are read one after the other, until there
are no more or one is `quit`; `help` tells what can be asked.

Example: neural-programmer ask sales.csv "total revenue where region is Europe and year is greater than 2019"

Example: neural-programmer ask shop.db::orders "how many orders are there" --sql bigquery

Example: neural-programmer ask 'sales/*.csv' "average price"

Example: zcat sales.csv.gz | neural-programmer ask - "average price"

Example: neural-programmer ask --batch questions.jsonl

The exit code is 0 with an answer, 1 without one, with the reason on the error stream; 2 where something could not be
asked; 130 after Ctrl-C.
"""
FIT = """Fit a model to questions, tables and answers of your own, and report what it does well and what not.

The data is JSON lines of question, table and answer, or a CSV file of the same. A table is a path, seen from the
file, or its rows. An answer is a number, a text, a truth, a list of them, rows (a list of lists), or null where the
question should be declined; in a CSV file, several are separated by |. A TSV file of WikiTableQuestions is read as it
is. The report is printed and kept as report.json and report.html.

Example: neural-programmer fit questions.jsonl --out runs/mine
"""
TRAIN = """Train a model on a task, several restarts side by side, and keep the best.

Training stops when every restart has answered all validation questions for a while. The written questions (--written)
are in the project's repository, not in an installed package: NEURAL_PROGRAMMER_QUESTIONS names their folder.

Example: neural-programmer train --task single-column --out runs/single
"""
RUN = """Run a program that you wrote, or changed, on a table; no model takes part.

A program is what ask shows as its steps: operations of docs/operations.md, with a column in double quotes and an
argument. The exit code is as that of ask.

Example: neural-programmer run sales.csv 'for each "region"; sum "revenue"'

Example: neural-programmer run sales.csv 'top "revenue" 5; show "region"; show "revenue"' --chart top.svg
"""
app.command("neural_programmer.cli.ask:ask", name="ask", help=ASK)
app.command("neural_programmer.cli.run:run", name="run", help=RUN)
app.command("neural_programmer.cli.fit:fit", name="fit", help=FIT)
app.command("neural_programmer.cli.train:train", name="train", help=TRAIN)
COMPLETION = """Print what makes a shell complete commands and options.

Example: neural-programmer completion bash > ~/.local/share/bash-completion/completions/neural-programmer

Example: source <(neural-programmer completion zsh)

Example: neural-programmer completion fish > ~/.config/fish/completions/neural-programmer.fish
"""
SERVE = """Serve a page to upload tables, ask them, and see the program think; the same over HTTP under /api.

It listens on this machine alone, unless a --host and a --token are given (or the token in the environment, as
NEURAL_PROGRAMMER_TOKEN, where other people of this machine do not see it).

Example: neural-programmer serve

Example: neural-programmer serve sales.csv shop.db --port 8080
"""
app.command(
    "neural_programmer.cli.serve:serve",
    name="serve",
    help=SERVE,
    config=Env("NEURAL_PROGRAMMER_", command=False, show=False),
)
Own = Annotated[
    list[Path] | None, Parameter(negative="", help="A Python file that defines operations of your own; it is run.")
]
Json = Annotated[bool, Parameter("--json", negative="", help="Print JSON instead of a table.")]


OF_DATA = ("skip_bad", "tables", "predictions")  # options of evaluate for questions of one's own,
OF_TEST_SETS = ("task", "seed", "sets", "count", "rows", "value_range")  # and for test sets of a task


def _check_used(command: Callable[..., Any], given: dict[str, Any], names: Iterable[str], where: str) -> None:
    """Refuse options that a command would ignore."""
    usual = inspect.signature(command).parameters
    for name in names:
        if given[name] != usual[name].default:
            raise NeuralProgrammerError(f"--{name.replace('_', '-')} has no use {where}; leave it out")


@app.command
def tasks(*, json_: Json = False) -> None:
    """List the tasks: the paper's eight settings, the simpler set of its LSTM comparison, and two beyond the paper.

    Example: neural-programmer tasks
    """
    from neural_programmer.data.paper.draws import test_size
    from neural_programmer.data.paper.settings import TASKS

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
    (show.as_json if json_ else show.tasks)(rows)


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
    from neural_programmer.data.paper.draws import draw_test, draw_train
    from neural_programmer.data.paper.export import write
    from neural_programmer.data.paper.settings import task as find

    chosen = find(task)
    if split == "test":
        dataset = draw_test(chosen, seed, count)
    else:
        dataset = draw_train(chosen, TrainingConfig.examples if count is None else count, seed)
    with show.bar("writing", len(dataset)) as advance:
        write(dataset, out, advance)
    show.err.print(f"{len(dataset):,} triples of {task}, seed {seed}, written to {out}")


@app.command
def evaluate(
    run: str,
    data: Path | None = None,
    *,
    skip_bad: Annotated[bool, Parameter(negative="")] = False,
    tables: Path | None = None,
    predictions: Path | None = None,
    task: str | None = None,
    seed: int = 0,
    sets: int = 1,
    count: int | None = None,
    rows: int | None = None,
    value_range: int | None = None,
    operations: Own = None,
    json_: Json = False,
) -> None:
    """Measure a trained model on questions of your own, or on a task's test set.

    Example: neural-programmer evaluate runs/mine questions.jsonl

    Example: neural-programmer evaluate ask WikiTableQuestions/data/training.tsv --tables WikiTableQuestions

    Example: neural-programmer evaluate runs/single --task single-column --seed 1

    Parameters
    ----------
    run
        A run's folder, a model.safetensors, or the name of a model that comes with this program.
    data
        A file of questions, tables and answers (see fit) [default: a test set].
    skip_bad
        Leave out bad lines of the data, instead of refusing it.
    tables
        The folder that the tables of a file of WikiTableQuestions are in [default: that of the file].
    predictions
        A file to write what is said to each of its questions: the id and the items of the answer, between tabs.
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

    given = locals()
    if data is not None:
        _check_used(evaluate, given, OF_TEST_SETS, "where data is named")
    else:
        _check_used(evaluate, given, OF_DATA, "where no data is named")
    if data is not None:
        with show.bar("answering", 1) as advance:
            judgement = api.judge(
                run,
                data,
                skip_bad=skip_bad,
                tables=tables,
                predictions=predictions,
                operations=operations or (),
                progress=advance,
            )
        (show.as_json(judgement.to_dict()) if json_ else show.judgement(judgement))
        return
    model = api.saved(run, operations or ())
    with show.bar("answering", 1) as advance:
        result = api.evaluate(
            model, task, seed=seed, sets=sets, count=count, rows=rows, value_range=value_range, progress=advance
        )
    if json_:
        show.as_json(result.to_dict())
    else:
        show.evaluation(result)


@app.command
def trace(
    run: str,
    *,
    table: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    task: str | None = None,
    question: str | None = None,
    seed: int = 0,
    count: int = 3,
    operations: Own = None,
) -> None:
    """Show how a model answers: the operation, column, argument and selected rows of every step.

    Example: neural-programmer trace runs/ten --task ten-columns --question "greater 50.32 C and lesser 20.21 E sum H"

    Parameters
    ----------
    run
        A run's folder, a model.safetensors, or the name of a model that comes with this program.
    table
        A file to ask about (see ask), with a model that reads people's questions.
    task
        Whose test tables to ask about [default: the task it was trained on].
    question
        A question about the table, or in the task's words; without it, questions of the test set are shown.
    seed
        Same seed, same tables.
    count
        How many questions of the test set to show.
    """
    from neural_programmer import api

    if table is not None:
        _check_used(trace, locals(), ("task", "seed", "count"), "where a table is named")
    model = api.saved(run, operations or ())
    for traced, right in api.traces(model, task, question=question, seed=seed, count=count, table=table):
        show.trace(traced, right)


@app.command
def reproduce(
    *tasks: str,
    parts: Annotated[list[Part] | None, Parameter(consume_multiple=True, negative="")] = None,
    restarts: int = RESTARTS,
    seed: int = 0,
    results: Path = Path(RESULTS),
    runs: Path = Path("runs/reproduce"),
    page: Path | None = None,
) -> None:
    """Run the paper's evaluation: many restarts of every task; write results, tables and plots.

    What has a result is not run again; what was stopped goes on. Without a GPU, name a few tasks and few restarts.

    Example: neural-programmer reproduce three-columns --parts marginal --restarts 4 --results try --page try/page.md

    Parameters
    ----------
    tasks
        Which tasks [default: all].
    parts
        Of the evaluation: marginal and soft restarts, soft ones in many ways, the paper's grid, gradient noise, the
        LSTM comparison
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
        The page of results to write; its plots go into a folder beside it [default: docs/results.md, or results.md in
        another folder of results].
    """
    from neural_programmer import api
    from neural_programmer.learning.evaluation import percent

    with contextlib.ExitStack() as shown:

        def begin(name: str, steps: int, done: bool) -> Any:
            shown.close()
            if done:
                show.err.print(f"{name}: done before")
                return lambda report: None
            advance = shown.enter_context(show.bar(name, steps, before=f"{name}: drawing data, compiling"))

            def report(now: Any) -> None:
                at_100 = sum(accuracy == 1 for accuracy in now.accuracy)
                news = f"{at_100} of {len(now.accuracy)} at 100 % of validation, worst {percent(min(now.accuracy))} %"
                advance(now.step, news=news)

            return report

        found = api.reproduce(
            tasks, parts=parts, restarts=restarts, seed=seed, results=results, runs=runs, page=page, begin=begin
        )
    for result in found:
        accuracies = [restart["accuracy"] for restart in result.get("restarts", ())]
        if not accuracies:  # of those that were stopped by the clock before their test
            show.console.print(f"{result['experiment']}: not tested, best validation {percent(max(result['best']))} %")
            continue
        show.console.print(
            f"{result['experiment']}: {result['at_100']} of {len(accuracies)} restarts at 100 % of "
            f"{result['test_questions']:,} test questions, best {percent(max(accuracies))} %, "
            f"worst {percent(min(accuracies))} %"
        )
    show.console.print(f"written to {page or api.page_of(results)}")


@app.command(help=COMPLETION)
def completion(shell: Literal["bash", "zsh", "fish"]) -> None:
    """Print what makes a shell complete commands and options.

    Parameters
    ----------
    shell
        The shell that is to complete them.
    """
    sys.stdout.write(app.generate_completion(shell=shell))


KEPT = {  # what a command that is stopped has saved
    "train": "; what was saved is kept: go on with --resume",
    "fit": "; what was saved is kept: go on with --resume",
    "reproduce": "; what is done is kept: the same command goes on",
}


def main(arguments: list[str] | None = None) -> None:
    """Run a command; what a person can mend is said in one sentence, with exit code 2."""
    if arguments is None:
        arguments = sys.argv[1:]
        gc.freeze()  # what was imported stays: it is not looked through for garbage, last of all at the end
    if arguments[:1] == ["serve"]:  # whose tables are many, so that - would be taken for an option
        arguments = [standard_input.NAMES[1] if argument == "-" else argument for argument in arguments]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # unless it is ignored, or another program's
        with contextlib.suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGINT, show.interrupt)
    try:
        app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except NeuralProgrammerError as error:
        show.fault(error)
        sys.exit(2)
    except UnknownCommandError:
        show.fault(_unknown(arguments))
        sys.exit(2)
    except CycloptsError as error:
        show.fault(_without_value(error) or f"{error} (see neural-programmer --help)")
        sys.exit(2)
    except MemoryError:
        from neural_programmer.api import TOO_LARGE

        show.err.print(f"neural-programmer: {TOO_LARGE}")
        sys.exit(2)
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        show.err.print(f"neural-programmer: cannot write the output: {error.strerror}")
        sys.exit(2)
    except KeyboardInterrupt:
        kept = KEPT.get(next(iter(arguments), ""))
        show.err.print(f"neural-programmer: stopped{kept or ''}")
        if kept is None:
            sys.exit(130)
        os._exit(130)  # at once: leaving the usual way while a compiled program still runs can crash
    finally:
        standard_input.forget()


def _without_value(error: CycloptsError) -> str:
    """Which dialects there are, where --sql names none; of other options nothing."""
    if not isinstance(error, MissingArgumentError) or error.argument is None or error.argument.name != "--sql":
        return ""
    from neural_programmer.engines.sql import check_dialect

    try:
        check_dialect("")
    except NeuralProgrammerError as known:
        return f"--sql needs a dialect; {str(known).partition('; ')[2]}"
    return ""


def _unknown(arguments: list[str]) -> str:
    """Return the error for a command that does not exist, with what was probably meant."""
    from rapidfuzz.distance import OSA

    said = next((word for word in arguments if not word.startswith("-")), arguments[0])
    if os.path.exists(said) or any(mark in said for mark in (".", " ", "::", os.sep)):
        asked = ["ask", *arguments]
        return f"{said[:60]!r} is no command; did you mean: neural-programmer {shlex.join(asked)[:200]}"
    known = [name for name in app if not name.startswith("-")]
    far, near = min((OSA.distance(said, name), name) for name in known)
    meant = f"did you mean {near}? " if far <= MISTYPED else ""
    return f"there is no command {said[:60]!r}; {meant}the commands are {', '.join(known)}"

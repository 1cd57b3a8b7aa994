"""The commands that learn and measure as Python functions with typed results; those that ask are in front.py."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neural_programmer.answering.config import DEFAULT
from neural_programmer.answering.model import FILE, Model
from neural_programmer.answering.traces import Trace
from neural_programmer.base import files
from neural_programmer.base.calling import checked
from neural_programmer.data import language
from neural_programmer.data.paper.draws import WEIGHTS, draw_test, generator_of
from neural_programmer.data.paper.settings import Task
from neural_programmer.data.paper.settings import task as find
from neural_programmer.data.triples import NAME as OWN
from neural_programmer.data.triples import is_official, official_only, read, split
from neural_programmer.data.written import question_folders
from neural_programmer.errors import NeuralProgrammerError, not_installed
from neural_programmer.front import load, loaded, saved
from neural_programmer.learning.config import FitConfig, LstmConfig, Objective, TrainingConfig
from neural_programmer.learning.evaluation import Evaluation
from neural_programmer.learning.evaluation import evaluate as _evaluate
from neural_programmer.learning.lstm import LstmModel
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Vocabulary
from neural_programmer.network.growing import can_grow, grown
from neural_programmer.paper.config import RESTARTS, RESULTS, Part
from neural_programmer.programs import own
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.operations import Operation
from neural_programmer.programs.program import run
from neural_programmer.questions.index import seen
from neural_programmer.tables.table import Rows

if TYPE_CHECKING:
    from neural_programmer.learning.fit_report import FitReport
    from neural_programmer.learning.judgement import Judgement
    from neural_programmer.learning.training import Report, TrainingResult

__all__ = ["evaluate", "fit", "judge", "load", "reproduce", "traces", "train"]

NOTHING = "nothing"  # to start a fit from
TOO_LARGE = "this does not fit into the memory of this machine; ask for less or smaller"


@checked
def train(
    task: str | Task,
    *,
    config: NetworkConfig | LstmConfig | None = None,
    training: TrainingConfig | None = None,
    objective: Objective | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    start_from: str | Path | None = None,
    operations: Sequence[own.Given] = (),
    report: Callable[["Report"], None] = lambda report: None,
    drawing: Callable[[int, int], None] = lambda done, total: None,
) -> "TrainingResult":
    """Train a model on a task; with `out`, keep the run in that folder so that it can be resumed.

    `config` is the default network, or for the soft objective the paper's, if nothing else is given. The objective is
    marginal if none is given. `start_from` is a run or model whose weights to begin with. `operations` are those of
    one's own, beside those of the network (see `load`). `drawing` is told how many of the questions of the task english
    are drawn.

    >>> trained = train("single-column", training=TrainingConfig(restarts=4))  # doctest: +SKIP
    >>> trained.model.answer("greater 50 sum", table)  # doctest: +SKIP
    """
    try:
        from neural_programmer.learning import training as learning
        from neural_programmer.learning.checkpoints import Keeper
        from neural_programmer.learning.checks import check_task
        from neural_programmer.learning.learners import asked, english, learner_of
    except ImportError as error:
        raise _not_installed(error) from None
    training = training or TrainingConfig()
    known = own.given(operations)
    check_task(task, config, objective, known)
    if task == language.NAME:
        if training.written:
            question_folders()  # which says now if they are missing, not after minutes
        network = config if isinstance(config, NetworkConfig) else language.NETWORK
        objective, config = "marginal", network.plus(own=known)
        learner, chosen = english(config, training, drawing)
    else:
        objective = objective or "marginal"
        chosen = find(task) if isinstance(task, str) else task
        config = config or (chosen.paper if objective == "soft" else chosen.network)
        config = config.plus(own=known) if isinstance(config, NetworkConfig) else config
        learner = learner_of(chosen, config, training, objective)
    start = None if start_from is None else _start(start_from, known, config, learner.vocabulary, training.seed)
    settings = asked(chosen, config, training, objective)
    settings["start_from"] = None if start_from is None else str(start_from)
    keeper = None if out is None else Keeper(Path(out), settings, resume)
    with _memory_said():
        return learning.train(learner, chosen, training, report, keeper, start=start)


@dataclass(frozen=True)
class Fitted:
    """The result of a fit: the model, what it does well and what not, and how training went."""

    model: Model
    report: "FitReport"
    training: "TrainingResult"


@checked
def fit(
    examples: Any,
    *,
    out: str | Path | None = None,
    validation: Any = None,
    start: str | Path | Model | None = None,
    teacher: str | Path | Model | None = None,
    objective: Objective | None = None,
    config: FitConfig | None = None,
    operations: Sequence[own.Given] = (),
    skip_bad: bool = False,
    tables: str | Path | None = None,
    resume: bool = False,
    report: Callable[["Report"], None] = lambda report: None,
    progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> Fitted:
    """Fit a model to questions, tables and answers of one's own; with `out`, keep the run and its report there.

    `examples`, and `validation` if it is given, are a file of JSON lines or CSV, or mappings (or tuples) of question,
    table and answer, where a table may be a frame (see triples.read); or a file of WikiTableQuestions, whose tables are
    seen from the folder `tables`, or else from the file's. `start` is the name of a model that comes with
    this program, a run or model to go on from, or "nothing"; if nothing is said, the model that answers where none is
    named, for WikiTableQuestions nothing. A `teacher`, such as several networks that were fitted to the same data as an
    ensemble, says besides the answers how probable each program is. `operations` are those of one's own (see `load`).
    `progress` is told what is being done, and how far it is.

    >>> fitted = fit("questions.jsonl", out="runs/mine")  # doctest: +SKIP
    >>> fitted.model.ask("sales.csv", "takings up north")  # doctest: +SKIP
    """
    try:
        from neural_programmer.learning.checks import check_fit, check_objective
        from neural_programmer.learning.fit_report import reported
        from neural_programmer.learning.fitting import Fit, objective_of
    except ImportError as error:
        raise _not_installed(error) from None
    config = config or FitConfig()
    known = own.given(operations)
    official = is_official(examples)
    start = (NOTHING if official else DEFAULT) if start is None else start
    model = None if start == NOTHING else start if isinstance(start, Model) else _reader(start, known)
    teaching = teacher if teacher is None or isinstance(teacher, Model) else _reader(teacher, known)
    objective = check_objective(objective or objective_of(model, official))
    check_fit(config, objective, model is None)
    if objective == "enumerated" and config.rehearsed:
        question_folders()
    data = read(examples, lambda *done: progress("opening tables", *done), tables).checked(skip_bad)
    if validation is None:
        train, held, by_table = split(data.triples, config.seed)
        how = "by table" if by_table else "by question, for there is one table only"
        others, bad = data, data.bad
    else:
        others = read(validation, lambda *done: progress("opening tables", *done), tables).checked(skip_bad)
        train, held, how = data.triples, others.triples, f"validation is {others.name}"
        bad = (*data.bad, *(f"{others.name}, {line}" for line in others.bad))
    folder = None if out is None else Path(out)
    fitting = Fit(model, objective, config, tuple(train), tuple(held), known, folder, resume, teaching)
    started = "a model" if isinstance(start, Model) else str(start)
    given: dict[str, Any] = {"start": started, "data": data.digest, "validation_data": others.digest}
    given["teacher"] = None if teaching is None else teaching.digest

    def told(now: "Report") -> None:
        report(now)
        progress("training", now.step, fitting.settings.steps)

    with _memory_said():
        result, lesson = fitting.run(given, told, lambda *done: progress("trying programs", *done))
    about = {
        "data": data.name,
        "split": f"{how}: {len(train):,} to learn from, {len(held):,} to validate by",
        "start": started,
        **({} if teacher is None else {"teacher": "a model" if isinstance(teacher, Model) else str(teacher)}),
        "objective": objective,
        "repeated": data.repeated,
        "skipped": list(bad),
    }
    made = reported(result.model, lesson, result.reports, about, lambda *done: progress("asking again", *done))
    if out is not None:
        made.write(Path(out))
    return Fitted(result.model, made, result)


@checked
def judge(
    model: Model | LstmModel | str | Path,
    data: Any,
    *,
    skip_bad: bool = False,
    tables: str | Path | None = None,
    predictions: str | Path | None = None,
    operations: Sequence[own.Given] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> "Judgement":
    """Return how well a model, or that of a path or name, answers questions of one's own (see fit for what they are).

    To questions of WikiTableQuestions, what it says can be written to a file of `predictions`. `operations` are those
    of one's own (see `load`).
    """
    from neural_programmer.learning.judgement import Judgement, judged

    reader = _reader(model, operations)
    found = read(data, tables=tables).checked(skip_bad)
    if predictions is not None and not found.official:
        raise official_only("a file of predictions", found.name)
    if predictions is not None:
        folder = Path(data).parent if tables is None else Path(tables)
        read_from = [data, model, *{folder / triple.about for triple in found.triples}]
        _check_written(Path(predictions), [Path(path) for path in read_from if isinstance(path, str | os.PathLike)])
    verdicts = judged(reader, found.triples, progress)
    judgement = Judgement(found.name, tuple(verdicts), found.bad, found.official)
    if predictions is not None:
        files.write(Path(predictions), judgement.predictions().encode())
    return judgement


def _check_written(path: Path, inputs: Sequence[Path]) -> None:
    """Refuse a file to write that cannot be one, or that is read from."""
    if not path.absolute().parent.is_dir():
        raise NeuralProgrammerError(f"cannot write {path}: there is no such folder; make it first")
    if path.resolve() in {each.resolve() for given in inputs for each in (given, given / FILE)}:
        raise NeuralProgrammerError(f"cannot write {path}: it is read from, and would be lost; name another file")


def _reader(model: Model | LstmModel | str | Path, operations: Sequence[own.Given | Operation] = ()) -> Model:
    """Return a model, or that of a path or name, if it reads questions as people write them."""
    if isinstance(model, LstmModel):
        raise NeuralProgrammerError("an LSTM does not read people's questions; evaluate it instead")
    return (loaded(model, operations) if isinstance(model, str | Path) else model).reader()


def _start(path: str | Path, known: Sequence[Operation], config: Any, vocabulary: Vocabulary, seed: int) -> Any:
    """Return the weights of another model, if it is built like the one to train; it may have fewer operations."""
    other = saved(path, known)
    if other.vocabulary == vocabulary and other.config == config:
        return other.parameters
    if other.vocabulary == vocabulary and isinstance(other, Model) and isinstance(config, NetworkConfig):  # noqa: SIM102
        if can_grow(other.config, config):
            return grown(other.parameters, other.config, config, generator_of(seed, WEIGHTS))
    raise NeuralProgrammerError(
        f"training cannot start from {path}: it has other settings or words ({other.config}) than {config}"
    )


@checked
def evaluate(
    model: Model | LstmModel | str | Path,
    task: str | Task | None = None,
    *,
    seed: int = 0,
    sets: int = 1,
    count: int | None = None,
    rows: int | None = None,
    value_range: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Evaluation:
    """Measure a model, or that of a run's folder, on a task's test set; see learning.evaluation.evaluate."""
    model = _model(model)
    return _evaluate(model, _task_of(model, task), seed, sets, count, rows, value_range, progress)


@checked
def traces(
    model: Model | LstmModel | str | Path,
    task: str | Task | None = None,
    question: str | None = None,
    seed: int = 0,
    count: int = 3,
    table: Any = None,
) -> list[tuple[Trace, Answer | None]]:
    """Return how a model answers a question about a table, a test table if none is named; or questions of the test set,
    with the right answers."""
    model = _model(model)
    if not isinstance(model, Model):
        raise NeuralProgrammerError("an LSTM selects no programs, so there is nothing to trace; evaluate it instead")
    if table is not None:
        if not question:
            raise NeuralProgrammerError("name a question about the table with --question")
        from neural_programmer.tables.source import open_source

        with open_source(table) as source:
            found, index = seen(source.table(), model.config.cells)
        program = model.reader().decide(question, index, Rows.of(found)).program
        return [(Trace(question, found, program, None, run(program, found)), None)]
    chosen = _task_of(model, task)
    if question is not None:
        return [(model.trace(question, draw_test(chosen, seed, 1).table(0)), None)]
    if count < 1:
        raise NeuralProgrammerError(f"at least one question must be shown, not {count}")
    dataset = draw_test(chosen, seed, count)
    return [(model.trace(triple.question, triple.table), triple.answer) for triple in dataset]


@checked
def reproduce(
    tasks: Sequence[str] = (),
    *,
    parts: Sequence[Part] | None = None,
    restarts: int = RESTARTS,
    seed: int = 0,
    results: str | Path = RESULTS,
    runs: str | Path = "runs/reproduce",
    page: str | Path | None = None,
    begin: Callable[[str, int, bool], Callable[["Report"], None]] = lambda name, steps, done: lambda report: None,
) -> list[dict[str, Any]]:
    """Run the paper's evaluation, or the named tasks and parts of it, and write results, page and plots.

    The page is docs/results.md, or results.md in another folder of results. `begin` is told of every experiment: its
    name, its steps, and whether it was done before.
    """
    try:
        from neural_programmer.paper import reproduce as experiments
        from neural_programmer.paper.report import check_page, write_report
        from neural_programmer.paper.report import load as load_results
    except ImportError as error:
        raise _not_installed(error) from None
    chosen = experiments.experiments(experiments.PARTS if parts is None else parts, tasks, restarts, seed)
    page = page_of(results) if page is None else Path(page)
    check_page(page)
    load_results(Path(results))  # what is broken is said now, not after hours
    with _memory_said():
        found = experiments.run(chosen, Path(results), Path(runs), begin)
    write_report(Path(results), page)
    return found


def page_of(results: str | Path) -> Path:
    """Return where the page of a folder of results is, if nothing is said."""
    return Path("docs/results.md") if Path(results) == Path(RESULTS) else Path(results) / "results.md"


@contextmanager
def _memory_said() -> Iterator[None]:
    """Say in one sentence that memory ran out, where JAX raises an error for it."""
    from jax.errors import JaxRuntimeError

    try:
        yield
    except JaxRuntimeError as error:
        if not any(words in str(error) for words in ("RESOURCE_EXHAUSTED", "Out of memory")):
            raise
        raise NeuralProgrammerError(TOO_LARGE) from None


def _not_installed(error: ImportError) -> NeuralProgrammerError:
    return not_installed("training needs", str(error.name), "train")


def _model(model: Model | LstmModel | str | Path) -> Model | LstmModel:
    return saved(model) if isinstance(model, str | Path) else model


def _task_of(model: Model | LstmModel, task: str | Task | None) -> Task:
    name = model.trained.task if task is None else task
    if name == language.NAME and task is None:
        raise NeuralProgrammerError("the model was trained on questions as people write them; judge it by such data")
    if name == OWN:
        raise NeuralProgrammerError("the model was fitted to questions of one's own; name such data, or a table")
    if not name:
        raise NeuralProgrammerError("the model does not say what it was trained on; name a task with --task")
    return find(name) if isinstance(name, str) else name

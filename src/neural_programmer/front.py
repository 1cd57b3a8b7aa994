"""What people call to ask: load a model, ask a table, see how a question is thought about."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neural_programmer.answering.config import DEFAULT, ENGINE, AskConfig, Engine
from neural_programmer.answering.decision import Forced
from neural_programmer.answering.model import FILE, Model, load_shipped, shipped_names
from neural_programmer.base.calling import checked
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network import weights
from neural_programmer.programs import own
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.operations import Operation
from neural_programmer.programs.program import Program
from neural_programmer.programs.text import parse

if TYPE_CHECKING:
    from neural_programmer.answering.thinking import Thought
    from neural_programmer.learning.lstm import LstmModel


@checked
def ask(
    table: Any,
    question: str,
    *,
    model: Model | str | Path | None = None,
    engine: Engine = ENGINE,
    master: str | None = None,
    dialect: str | None = None,
    seconds: float = AskConfig.seconds,
    memory: int | None = AskConfig.memory,
) -> Answer:
    """Answer a question about a table, with the program that gives the answer.

    A table is the path of a CSV, JSON, Parquet, Arrow, Excel, SQLite or DuckDB file (a sheet or table of it after two
    colons: shop.db::orders), a folder or a pattern of files ("sales/*.csv"), "-" for the standard input; a frame of
    pandas, polars (a LazyFrame too) or pyarrow (a batch, a reader or a data set too); a relation of DuckDB, or a
    connection with one table; a dict of lists, a list of dicts, a Table or a Source.

    `model` is a Model, a path, or the name of one that comes with this program (see load); the model ask, if none is
    named. It is loaded once; of one at a path, load it yourself where you ask often. `engine` runs the program: duckdb,
    on this machine, or spark, with its `master`. `dialect` is that of the SQL that the answer shows. `seconds` is how
    long the table may take to be opened, and then the question; `memory` how many megabytes both may take.

    >>> rents = {"city": ["Oslo", "Rome", "Lima"], "rent": [900, 700, 400]}
    >>> answer = ask(rents, "what is the average rent where the rent is less than 800?")
    >>> print(answer)
    550
    >>> [str(step) for step in answer.steps]
    ['lesser rent 800', 'average rent']
    """
    asked = _model(model)
    return asked.ask(table, question, engine=engine, master=master, dialect=dialect, seconds=seconds, memory=memory)


@checked
def run(
    table: Any,
    program: str | Program,
    *,
    operations: Sequence[Any] = (),
    engine: Engine = ENGINE,
    master: str | None = None,
    dialect: str | None = None,
    seconds: float = AskConfig.seconds,
    memory: int | None = AskConfig.memory,
) -> Answer:
    """Run a program that you wrote, or changed, on a table: no model takes part.

    A program is a text of steps, on lines or between semicolons: an operation, a column in double quotes or what stands
    for one (year of "built", "age" in bands of 10, measure 1), an argument (a number, a time, texts in single quotes).
    docs/operations.md has all of them. Tables and limits are as `ask` takes them; `operations` are those of one's own.

    >>> rents = {"city": ["Oslo", "Rome", "Oslo"], "rent": [900, 700, 400]}
    >>> answer = run(rents, 'for each "city"; average "rent"')
    >>> answer.value, answer.said
    ([['Rome', 700], ['Oslo', 650]], 'average of rent for each city, highest first; 2 groups from 3 rows')
    """
    from neural_programmer.answering.asking import ran

    chosen = parse(program, own.given(operations)) if isinstance(program, str) else program
    return ran(table, chosen, engine=engine, master=master, dialect=dialect, seconds=seconds, memory=memory)


@checked
def think(
    table: Any,
    question: str,
    *,
    model: Model | str | Path | None = None,
    forced: Sequence[Forced] = (),
    seconds: float = AskConfig.seconds,
    memory: int | None = AskConfig.memory,
) -> "Thought":
    """Answer as `ask` does, and tell what was considered at every step; the first steps may be forced.

    >>> rents = {"city": ["Oslo", "Rome", "Lima"], "rent": [900, 700, 400]}
    >>> thought = think(rents, "what is the highest rent?")
    >>> print(thought.answer, thought.steps[0].operation, thought.steps[0].column)
    900 maximum rent
    >>> print(think(rents, "what is the highest rent?", forced=[Forced("minimum")]).answer)
    400
    """
    return _model(model).think(table, question, forced=forced, seconds=seconds, memory=memory)


@checked
def load(run: str | Path | None = None, operations: Sequence[own.Given] = ()) -> Model:
    """Load a model: of a run's folder, of a .safetensors file, or one that comes with this program, by its name.

    Without a name it is the one that `ask` answers with. What lies at the path comes before a name (see
    resolved). `operations` are files
    that define operations of one's own, or functions that @operation stands before: a model that was trained with such
    ones needs them.

    >>> model = load()
    >>> print(model.ask({"city": ["Oslo", "Rome"], "rent": [900, 700]}, "which city has the lowest rent?"))
    [Rome]
    """
    return loaded(run, operations)


def loaded(run: str | Path | None, operations: Sequence[own.Given | Operation]) -> Model:
    """Load a model, with operations that may be known already."""
    found = saved(run, operations)
    if not isinstance(found, Model):
        raise NeuralProgrammerError(
            f"{run} holds an LSTM, which shows no programs and cannot be asked; evaluate() measures it"
        )
    return found


def saved(run: str | Path | None = None, operations: Sequence[own.Given | Operation] = ()) -> "Model | LstmModel":
    """Load a model as `load` does, or an LSTM, which the paper compares with."""
    known = own.given(operations)
    path = resolved(run)
    if isinstance(path, str):
        return load_shipped(path)
    kind, description, arrays = weights.load(path)
    saved_as = _kind(path, kind)
    try:
        return saved_as.restore(description, arrays, known)
    except (KeyError, TypeError) as error:
        raise NeuralProgrammerError(f"the description inside {path} lacks or misstates {error}") from None
    except NeuralProgrammerError as error:
        raise NeuralProgrammerError(f"{path}: {error}") from None


def resolved(model: str | Path | None) -> str | Path:
    """Tell which model is meant: the file that it is in, or the name of one that comes with this program.

    A file comes first, and the model of a run's folder: `ask` is a run in the folder ask where there is one. Any other
    folder of that name is passed over, and what has a folder before it (./ask) is never a name.

    >>> resolved(None), resolved("wikitablequestions")
    ('ask', 'wikitablequestions')
    """
    if model is None:
        return DEFAULT
    said = str(model)
    if not said:
        raise NeuralProgrammerError("a model has a name or a path, and this one is empty")
    path = Path(model)
    try:
        path = path / FILE if path.is_dir() else path
        if path.exists():
            return path
    except OSError as error:
        raise NeuralProgrammerError(f"cannot open {str(path)[:200]}: {error.strerror}") from None
    if said in shipped_names():
        return said
    raise NeuralProgrammerError(
        f"no model at {str(path)[:200]}: name a run's folder, its {FILE}, or a model that comes along: "
        f"{', '.join(shipped_names())}"
    )


def _kind(path: Path, kind: str) -> "type[Model] | type[LstmModel]":
    if kind == Model.KIND:
        return Model
    from neural_programmer.learning.lstm import LstmModel

    if kind == LstmModel.KIND:
        return LstmModel
    known = f"{Model.KIND}, {LstmModel.KIND}"
    raise NeuralProgrammerError(f"{path} holds a {kind!r} model; this program knows {known}")


shipped = cache(load_shipped)


def _model(model: Model | str | Path | None) -> Model:
    """Return the model to ask; one that comes with this program is loaded once."""
    if isinstance(model, Model):
        return model
    found = resolved(model)
    return shipped(found) if isinstance(found, str) else load(found)

"""Everything that can be set, each default written once. The configuration travels inside the checkpoint."""

import ipaddress
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, TypeVar, get_args

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.operations import OPERATIONS, PAPER, TEXT, named

QuestionReader = Literal["rnn", "bidirectional", "gated"]
Arguments = Literal["blended", "mixed", "step"]
Columns = Literal["names", "pointers", "linked"]
Chooses = Literal["steps", "programs"]
Cells = Literal["typed", "written"]
Objective = Literal["soft", "marginal", "enumerated"]
Part = Literal["marginal", "soft", "grid", "noise", "lstm"]  # of the evaluation
Engine = Literal["duckdb", "spark"]
ENGINE: Engine = "duckdb"  # what runs a program, if nothing is said
DEFAULT = "ask"  # the model that answers where none is named
RESTARTS = 27  # of each task in the evaluation
RESULTS = "results"  # the folder of the evaluation
Config = TypeVar("Config")
WORDS = tuple[str, ...]  # a list in a file
TOKEN = 16  # characters of a token at least: more than can be guessed
WRITTEN_EPOCHS = 6  # times that all triples about written cells are learnt from
REHEARSED = 200  # questions that are mixed in where a model is gone on from
ALL_RIGHT = 3  # reports in a row after which a fit stops
SMALLEST, LARGEST = 1e-30, 1e30  # of settings that may be any positive number


@dataclass(frozen=True)
class NetworkConfig:
    """The network of section 2, with what goes beyond it; the paper's own settings are in tasks/settings.py."""

    hidden: int = 128
    """d, the width of every vector."""
    program_steps: int = 4
    """T, the number of operations a program has."""
    reader: QuestionReader = "bidirectional"
    """How the question is read: one RNN, or two from both ends with half the width each, perhaps gated ones."""
    attention: bool = True
    """Attend to the question at every step with the history vector."""
    arguments: Arguments = "step"
    """The number of a comparison and the word of a text match: chosen at each step, for the operation and its column,
    the column being chosen for the operation among those of the kind it needs, and the history remembering what was
    used; or, as in the paper, once for the whole question, blended into one number or with the comparisons mixed."""
    columns: Columns = "pointers"
    """A column's vector: from where the question mentions it, whatever its name; or, as in the paper, from its name;
    or, linked, from both and from what the column holds, in questions that link.py has read."""
    operations: tuple[str, ...] = PAPER
    """The operations that it can select, by name."""
    vectors: int = 0
    """The dimensions of the static word vectors that it also reads words by (see vectors.py); 0 for none."""

    chooses: Chooses = "steps"
    """Step after step, as in the paper; or whole programs, among all candidates and what they give (see ranking.py)."""
    cells: Cells = "typed"
    """What columns hold: numbers, dates or texts; or texts as people write them, with views of the numbers, times,
    dates and months in them (see views.py)."""
    members: int = 1
    """How many networks choose whole programs together."""

    def __post_init__(self) -> None:
        between(self, 1, 8192, "hidden")
        between(self, 1, 64, "program_steps")
        between(self, 0, 4096, "vectors")
        between(self, 1, 64, "members")
        among(self, "reader", QuestionReader)
        among(self, "arguments", Arguments)
        among(self, "columns", Columns)
        among(self, "chooses", Chooses)
        among(self, "cells", Cells)
        if self.chooses == "programs" and self.columns != "linked":
            raise NeuralProgrammerError(f"columns must be linked where programs are chosen whole, not {self.columns}")
        if self.chooses == "steps" and (self.cells == "written" or self.members > 1):
            raise NeuralProgrammerError("written cells and several members want a network that chooses whole programs")
        for name in self.operations:
            if name not in OPERATIONS:
                raise NeuralProgrammerError(
                    f"this model uses the operation {name[:60]!r}, which is not one of this program: give the file "
                    "that defines it with --operations"
                )
        if len(set(self.operations)) < len(self.operations):
            raise NeuralProgrammerError(f"an operation stands twice among {', '.join(self.operations)[:200]}")
        if self.arguments != "step" and self.operations not in (PAPER, TEXT):
            raise NeuralProgrammerError(f"arguments must be step beyond the paper's operations, not {self.arguments}")
        if self.reader != "rnn" and self.hidden % 2:
            raise NeuralProgrammerError(f"hidden must be even for a {self.reader} reader, not {self.hidden}")

    def plus(self, names: Sequence[str]) -> "NetworkConfig":
        """The same network with more operations."""
        new = tuple(name for name in names if name not in self.operations)
        return replace(self, operations=(*self.operations, *new)) if new else self

    @property
    def matches_text(self) -> bool:
        """Whether any of its operations takes a text from the question."""
        return any(entry.argument == "text" for entry in named(self.operations))


@dataclass(frozen=True)
class LstmConfig:
    """The sequence-to-sequence LSTM that the paper compares with (section 3.2.2)."""

    hidden: int = 128
    """The width of every layer."""
    layers: int = 3
    """How many layers encoder and decoder have."""
    heads: int = 0
    """How many attention heads the decoder has; the paper tries 1, 5 and 10. None is the plain LSTM."""
    table_first: bool = True
    """Whether the table stands before the question or after it."""

    def __post_init__(self) -> None:
        between(self, 1, 8192, "hidden")
        between(self, 1, 16, "layers")
        between(self, 0, 64, "heads")


@dataclass(frozen=True)
class AskConfig:
    """What a question may take of the machine."""

    seconds: float = 600
    """How long a table may take to be opened, and then each question about it."""
    memory: int | None = None
    """Megabytes of memory that one table and its queries may take [default: 60 % of what the machine has]."""

    def __post_init__(self) -> None:
        between(self, 0.01, 100_000, "seconds")
        if self.memory is not None:
            between(self, 50, 10**6, "memory")


@dataclass(frozen=True)
class PageConfig:
    """How the page is served, and what one person may take of the machine."""

    host: str = "127.0.0.1"
    """The address to listen at; another than this machine's own demands a token."""
    port: int = 8000
    """The port to listen at; 0 takes one that is free."""
    token: str | None = field(default=None, repr=False)
    """What people must know to be let in, at least 16 characters."""
    names: tuple[str, ...] = ()
    """Other names under which people reach this machine, besides its own and its addresses."""
    proxy: tuple[str, ...] = ()
    """The addresses of proxies before this server, or their networks: who visits, and whether by HTTPS, is what they
    say (X-Forwarded-For, X-Forwarded-Proto), and what nobody else says."""
    megabytes: int = 100
    """The size of an upload."""
    tables: int = 10
    """How many tables one person may have."""
    rows: int = 2_000_000
    """How many rows a table may have."""
    minutes: float = 60
    """How long a person's tables are kept after the last visit."""
    seconds: float = 10
    """How long a question may take."""
    memory: int = 500
    """Megabytes of memory that one table and its queries may take."""
    disk: int = 5_000
    """Megabytes on the disk that all uploads together may take."""

    def __post_init__(self) -> None:
        between(self, 0, 65_535, "port")
        between(self, 1, 10_000, "megabytes")
        between(self, 1, 1_000, "tables")
        between(self, 1, 10**9, "rows")
        between(self, 0.01, 100_000, "minutes", "seconds")
        between(self, 50, 10**6, "memory", "disk")
        if self.disk < self.megabytes:
            raise NeuralProgrammerError(f"disk must hold one upload, {self.megabytes} megabytes, not {self.disk}")
        _ = self.proxies
        if self.token is None and not is_loopback(self.host):
            raise NeuralProgrammerError(
                f"at {self.host} others can reach the page; give a --token that they must know, or leave out --host"
            )
        if self.token is not None and len(self.token) < TOKEN:
            raise NeuralProgrammerError(f"a token has at least {TOKEN} characters, and this one {len(self.token)}")

    @property
    def proxies(self) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
        """The networks of the proxies."""
        try:
            return tuple(ipaddress.ip_network(each, strict=False) for each in self.proxy)
        except ValueError:
            known = ", ".join(self.proxy)
            raise NeuralProgrammerError(
                f"a proxy is an address, as 127.0.0.1, or a network, as 10.0.0.0/8, not {known[:60]!r}"
            ) from None


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own, which no other machine can reach."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def between(config: Any, least: float, most: float, *names: str) -> None:
    """Refuse a setting outside of what makes sense."""
    for name in names:
        value = getattr(config, name)
        if not least <= value <= most:
            raise NeuralProgrammerError(f"{name.replace('_', ' ')} must be {least:g} to {most:,.10g}, not {value}")


def check_seed(seed: int) -> None:
    """Refuse what cannot seed a generator."""
    if not 0 <= seed < 2**32:
        raise NeuralProgrammerError(f"a seed is a whole number from 0 to 2^32 - 1, not {seed}")


def among(config: Any, name: str, choices: Any) -> None:
    """Refuse a setting that is not one of the choices."""
    value = getattr(config, name)
    if value not in get_args(choices):
        raise NeuralProgrammerError(f"{name} must be one of {', '.join(get_args(choices))}, not {value!r}")


LATER = ("vectors", "chooses", "cells", "members")  # settings that models had not at first


def from_dict(kind: type[Config], values: Any) -> Config:
    """The configuration stored under these names; unknown or missing names and other types are refused.

    Settings that came later are at their defaults where they are missing.
    """
    known = {field.name: field.type for field in fields(kind)}  # type: ignore[arg-type]
    if isinstance(values, dict):
        values = {**{name: getattr(kind, name) for name in LATER if name in known}, **values}
    if not isinstance(values, dict) or set(values) != set(known):
        came = sorted(values) if isinstance(values, dict) else values
        raise NeuralProgrammerError(f"expected a configuration with {sorted(known)}, and {str(came)[:200]} came")
    for name, value in values.items():
        if not _is_of(value, known[name]):
            raise NeuralProgrammerError(f"{name} is misstated in the configuration: {str(value)[:60]!r}")
    return kind(**{name: tuple(value) if known[name] == WORDS else value for name, value in values.items()})


def _is_of(value: Any, kind: Any) -> bool:
    """Whether a value from a file is of this type; what is one of several words, the configuration itself checks."""
    if kind == WORDS:
        return isinstance(value, list) and all(isinstance(word, str) for word in value)
    return kind not in (int, bool, str, int | None) or type(value) in (kind, *get_args(kind))


def to_dict(config: Any) -> dict[str, Any]:
    """The configuration as plain values, the same that come back from a file."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(config).items()}


@dataclass(frozen=True)
class TrainingConfig:
    """How to train. The paper's values (section 3.2.1) where it has some; its noise is off: it did not help here."""

    steps: int = 5_000
    """How many mini-batches to train on."""
    restarts: int = 1
    """How many networks to train side by side from different initial weights; the best is kept."""
    grid: bool = False
    """Train the restarts with each of the paper's 72 settings of clip, epsilon, delta and lookup weight."""
    seed: int = 0
    """Same seed, same result."""
    examples: int = 50_000
    """How many triples the training set has."""
    batch: int = 50
    """How many triples a mini-batch has."""
    learning_rate: float = 1e-3
    """Adam's step size."""
    epsilon: float = 1e-8
    """Adam's epsilon."""
    falling: bool = False
    """Whether the learning rate falls to nothing over all steps, along a cosine; a run that falls cannot be made longer
    by resuming it."""
    clip: float = 50.0
    """The gradient is scaled down to this norm when it is longer."""
    delta: float = 10.0
    """The Huber loss is linear beyond this error."""
    lookup_weight: float = 50.0
    """Lambda, the weight of the look-up loss against the scalar loss."""
    noise: float = 0.0
    """Gaussian noise added to the gradient, of variance noise / step^0.55; the paper has 1."""
    relative: float = 0.0
    """If c > 0, a scalar's loss is divided by delta (c + |y|), so that large answers do not drown small ones."""
    entropy: float = 0.0
    """A reward for undecided selections, beyond the paper: it keeps them from settling too early."""
    selection_noise: float = 0.0
    """Gumbel noise of this size on the scores of every selection, beyond the paper: it tries other programs."""
    entropy_steps: int = 10_000
    """The reward for undecided selections and the noise on them fall to nothing over this many steps."""
    samples: int = 32
    """Of the marginal objective: how many beginnings of programs are kept for a question at each step of the search;
    eight times as many at the last but one."""
    exploration: float = 0.3
    """Of the marginal objective: how often a decision is drawn from all choices alike."""
    merit_steps: int = 300
    """Of the marginal objective: programs that give the answer count alike at first, so that many are found, and by
    their probability after this many steps."""
    uninformative: float = 0.1
    """Of the marginal objective: the weight of questions whose answer is zero or empty, which many programs give."""
    written: int = 0
    """Of the task english: how many times each of the written questions is asked, besides those that
    are drawn; each time about other columns."""
    forgotten: float = 0.1
    """Of the task english: how often a common word is read as one that was never met,"""
    forgotten_rare: float = 0.5
    """and how often another one: those say what a table is about, and other tables are about other things."""
    dropped: float = 0.0
    """Of the task english: share of what was read of a question that is lost, so that the rest must do."""
    average: float = 0.99
    """Of the marginal objective: the weights that are kept are means over the last steps: how much
    of the mean stays at each step."""
    patience: int = 10
    """A restart stops when it answered all validation questions at so many reports in a row; 0 is never."""
    stalled: int = 0
    """Training stops when no restart did better than before at so many reports in a row; 0 is never."""
    validation: int = 500
    """How many triples, drawn like the training data, choose the best restart."""
    report_every: int = 100
    """Steps between two looks at the validation accuracy, and between two checkpoints."""

    def __post_init__(self) -> None:
        between(self, 1, 10**9, "steps", "report_every", "entropy_steps", "merit_steps")
        between(self, 1, 10_000, "restarts", "samples")
        between(self, 0, 1, "exploration", "uninformative", "forgotten", "forgotten_rare")
        between(self, 1, 10**7, "examples", "batch", "validation")
        between(self, 0, 0.999999, "average", "dropped")
        between(self, 0, 10_000, "patience", "stalled", "written")
        between(self, SMALLEST, LARGEST, "learning_rate", "clip", "delta")
        between(self, 0, LARGEST, "epsilon", "lookup_weight", "noise", "relative", "entropy", "selection_noise")
        check_seed(self.seed)


@dataclass(frozen=True)
class FitConfig:
    """How to fit a model to questions and answers of one's own: the settings that matter, with defaults for it."""

    steps: int | None = None
    """How many mini-batches to train on, at most [default: 40 times all triples, 400 to 10,000; of WikiTableQuestions 5
    times all]."""
    patience: int = 8
    """Training stops when the validation questions were answered no better at so many reports in a row; 0 is never. It
    also stops when all of them were answered rightly at three."""
    report_every: int | None = None
    """Steps between two looks at the validation questions and between two checkpoints [default: as many as show all
    triples once, 20 to 250]."""
    restarts: int = 1
    """How many networks to train side by side; the best is kept."""
    ensemble: bool = False
    """Of the enumerated objective: keep all of them, as one model that decides by what they say together."""
    seed: int = 0
    """Same seed, same result; it also decides which tables are for validation."""
    batch: int = 32
    """How many triples a mini-batch has."""
    learning_rate: float | None = None
    """Adam's step size [default: 0.0001, so that what the start knows stays; 0.001 from nothing; of WikiTableQuestions
    twice as much]."""
    clip: float = 1.0
    """The gradient is scaled down to this norm when it is longer."""
    forgotten: float = 0.1
    """How often a common word is read as one that was never met,"""
    forgotten_rare: float = 0.5
    """and how often another one: those say what a table is about, and other tables are about other things."""
    dropped: float | None = None
    """Share of what was read of a question that is lost, so that the rest must do [default: nothing; of
    WikiTableQuestions 0.5]."""
    average: float | None = None
    """The weights that are kept are means over the last steps: how much of the mean stays at each step [default: 0.9;
    of WikiTableQuestions 0.999]."""
    rehearsed: int | None = None
    """How many questions of varied English are mixed in: so that the model that it starts from does not forget them
    [default: 200], or from nothing, so that it learns from them too [default: none]."""

    def __post_init__(self) -> None:
        if self.rehearsed is not None:
            between(self, 0, 10**6, "rehearsed")
        between(self, 0, 10_000, "patience")
        self.training(1, 1, "marginal")  # which checks the others

    def check(self, objective: Objective, from_nothing: bool) -> None:
        """Refuse settings that would be ignored; what is set to nothing may be."""
        ignored = [*ONLY[LINKED,], "average"] if objective == "soft" else []
        ignored += ["rehearsed"] if objective == "soft" or from_nothing != (objective == "enumerated") else []
        ignored += ["ensemble"] if objective != "enumerated" else []
        if self.ensemble and self.restarts < 2:
            raise NeuralProgrammerError("an ensemble wants several networks; say how many with --restarts")
        for each in fields(self):
            if each.name in ignored and getattr(self, each.name) not in (0, each.default):
                way = f"the {objective} objective{' from nothing' if from_nothing else ''}"
                raise NeuralProgrammerError(f"{way} has no use for --{each.name.replace('_', '-')}; leave it out")

    def rehearsals(self, objective: Objective, from_nothing: bool) -> int:
        """How many questions of varied English are mixed in."""
        if self.rehearsed is not None:
            return self.rehearsed
        return REHEARSED if objective == "marginal" and not from_nothing else 0

    def training(
        self,
        examples: int,
        validation: int,
        objective: Objective,
        from_nothing: bool = False,
        cells: Cells = "typed",
    ) -> TrainingConfig:
        """The same as settings of a training, with those of the soft objective that did best on the paper's tasks, and
        for written cells those that did best on WikiTableQuestions."""
        settings = asdict(self)
        del settings["rehearsed"], settings["ensemble"]
        written = cells == "written"
        once = max(1, examples // self.batch) if self.batch > 0 else 1
        steps = min(max(400, 40 * once), 10_000) if not written else max(400, WRITTEN_EPOCHS * once)
        settings["steps"] = steps if self.steps is None else self.steps
        settings["report_every"] = min(max(20, once), 250) if self.report_every is None else self.report_every
        settings["dropped"] = (0.5 if written else 0.0) if self.dropped is None else self.dropped
        settings["average"] = (0.999 if written else 0.9) if self.average is None else self.average
        settings["falling"] = written
        usual = TrainingConfig.learning_rate * (2 if written else 1) / (1 if from_nothing else 10)
        settings["learning_rate"] = usual if self.learning_rate is None else self.learning_rate
        settings["stalled"], settings["patience"] = self.patience, ALL_RIGHT if self.patience else 0
        if objective == "soft":
            settings = {name: value for name, value in settings.items() if name not in (*ONLY[LINKED,], "average")}
            settings.update(relative=20.0, delta=10.0, lookup_weight=1.0)
        return TrainingConfig(**settings, examples=examples, validation=validation)


# Settings that not every way to train has.
SOFT, MARGINAL, LINKED = "the soft objective", "the marginal objective on the paper's tasks", "the task english"
ONLY: dict[tuple[str, ...], tuple[str, ...]] = {
    (SOFT,): ("grid", "delta", "lookup_weight", "relative", "entropy", "selection_noise", "entropy_steps"),
    (MARGINAL,): ("samples", "exploration", "merit_steps", "uninformative"),
    (LINKED,): ("written", "forgotten", "forgotten_rare", "dropped"),
    (MARGINAL, LINKED): ("average",),
}


def check_settings(way: str, training: TrainingConfig) -> None:
    """Refuse settings that would be ignored."""
    for having, names in ONLY.items():
        for name in names if way not in having else ():
            if getattr(training, name) != getattr(TrainingConfig, name):
                raise NeuralProgrammerError(
                    f"--{name.replace('_', '-')} is a setting of {' or '.join(having)}; leave it out"
                )


def completed(asked: dict[str, Any]) -> dict[str, Any]:
    """What was asked for some time ago (see learners.asked), with settings that came later at their defaults."""
    network = LstmConfig() if asked["model"] == LstmConfig.__name__ else NetworkConfig()
    later = {"network": to_dict(network), "training": to_dict(TrainingConfig())}
    return {**asked, **{part: {**values, **asked[part]} for part, values in later.items()}}

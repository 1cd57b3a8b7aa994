"""The settings of training and of fitting, each default written once, and those of the LSTMs."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from neural_programmer.base.settings import LARGEST, SMALLEST, between, check_seed, to_dict
from neural_programmer.network import older
from neural_programmer.network.config import NetworkConfig
from neural_programmer.tables.table import CellForm

Objective = Literal["soft", "marginal", "enumerated"]
WRITTEN_EPOCHS = 6  # times that all triples about written cells are learnt from
REHEARSED = 200  # questions that are mixed in where a model is gone on from
ALL_RIGHT = 3  # reports in a row after which a fit stops


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

    def rehearsals(self, objective: Objective, from_nothing: bool) -> int:
        """Return how many questions of varied English are mixed in."""
        if self.rehearsed is not None:
            return self.rehearsed
        return REHEARSED if objective == "marginal" and not from_nothing else 0

    def training(
        self,
        examples: int,
        validation: int,
        objective: Objective,
        from_nothing: bool = False,
        cells: CellForm = "typed",
    ) -> TrainingConfig:
        """Return these settings as those of a training. The settings of the soft objective did best on the paper's
        tasks, those for written cells on WikiTableQuestions."""
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
            settings = {name: value for name, value in settings.items() if name not in (*ONLY[OF_ENGLISH,], "average")}
            settings.update(relative=20.0, delta=10.0, lookup_weight=1.0)
        return TrainingConfig(**settings, examples=examples, validation=validation)


# Settings that not every way to train has; checks.py refuses them elsewhere.
BY_SOFT, BY_MARGINAL, OF_ENGLISH = (
    "the soft objective",
    "the marginal objective on the paper's tasks",
    "the task english",
)
ONLY: dict[tuple[str, ...], tuple[str, ...]] = {
    (BY_SOFT,): ("grid", "delta", "lookup_weight", "relative", "entropy", "selection_noise", "entropy_steps"),
    (BY_MARGINAL,): ("samples", "exploration", "merit_steps", "uninformative"),
    (OF_ENGLISH,): ("written", "forgotten", "forgotten_rare", "dropped"),
    (BY_MARGINAL, OF_ENGLISH): ("average",),
}


def completed(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what was asked for some time ago (see learners.asked), with settings that came later as they were then."""
    if asked["model"] == LstmConfig.__name__:
        network = {**to_dict(LstmConfig()), **asked["network"]}
    else:
        network = {**to_dict(NetworkConfig()), **older.completed(asked["network"])}
    return {**asked, "network": network, "training": {**to_dict(TrainingConfig()), **asked["training"]}}

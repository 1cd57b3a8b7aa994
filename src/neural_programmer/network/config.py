"""The settings of a network; they travel inside the file of its weights."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from neural_programmer.base.once import once
from neural_programmer.base.settings import NOT_STORED, among, between
from neural_programmer.candidates.config import CANDIDATES, CandidateConfig
from neural_programmer.candidates.results import RESULT_FEATURES
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network.features import (
    COLUMN_FEATURES,
    LINK_FEATURES,
    READ_COLUMN_FEATURES,
    READ_LINK_FEATURES,
    check_features,
)
from neural_programmer.programs.operations import BUILT_IN, PAPER, TEXT, Operation, named
from neural_programmer.questions.config import NEAR, NearConfig
from neural_programmer.tables.table import CellForm

QuestionReader = Literal["rnn", "bidirectional", "gated"]
Arguments = Literal["blended", "mixed", "step"]
Columns = Literal["names", "pointers", "linked"]
Chooses = Literal["steps", "programs"]


@dataclass(frozen=True)
class NetworkConfig:
    """The network of section 2, with what goes beyond it; the paper's own settings are in data/paper/settings.py."""

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
    cells: CellForm = "typed"
    """What columns hold: numbers, dates or texts; or texts as people write them, with views of the numbers, times,
    dates and months in them (see views.py)."""
    members: int = 1
    """How many networks choose whole programs together."""
    features: tuple[str, ...] = RESULT_FEATURES
    """What it reads of a whole program and of what that gives (see candidates/results.py), by name."""
    column_features: tuple[str, ...] = ()
    """What it reads of a linked column (see features.py), by name; if none is named, those for its form of cells."""
    link_features: tuple[str, ...] = ()
    """What it reads of a text that a linked question mentions, by name; if none is named, those for its cells."""
    contents: int = 10
    """How many texts of a column of written cells say what it holds."""
    near: NearConfig = NEAR
    """Which words it is offered as cells or columns that they may mean without saying them."""
    candidates: CandidateConfig = CANDIDATES
    """How many candidates it chooses among, where it chooses whole programs."""
    width: int = 4
    """How many beginnings of a program are followed, and how many programs are given."""
    gap: float = 4.0
    """Those that are more than exp(gap) times less probable than the best are given up."""
    share: float = 0.5
    """Where it weighs the programs that another network finds: how much the log of its probability counts."""
    alike: float = 0.45
    """The cosine of a word and of a column's name at which one half mentions the other."""
    sharpness: float = 12.0
    """How fast this goes from not at all to wholly with the cosine."""
    unsure: float = 0.5
    """The most confidence where not all cells were looked through. With more than this a question is answered, the
    words of which were found in all cells alone."""
    own: tuple[Operation, ...] = field(default=(), metadata=NOT_STORED)
    """Those of the operations that are not built in; a file has their names alone."""

    def __post_init__(self) -> None:
        between(self, 1, 8192, "hidden")
        between(self, 1, 1000, "width")
        between(self, 1e-3, 1000, "gap")
        between(self, 0, 1000, "sharpness")
        between(self, 0, 100, "share")
        between(self, -1, 1, "alike")
        between(self, 0, 1, "unsure")
        between(self, 1, 1000, "contents")
        between(self, 1, 64, "program_steps")
        between(self, 0, 4096, "vectors")
        between(self, 1, 64, "members")
        among(self, "reader", QuestionReader)
        among(self, "arguments", Arguments)
        among(self, "columns", Columns)
        among(self, "chooses", Chooses)
        among(self, "cells", CellForm)
        self._name_features()
        if self.chooses == "programs" and self.columns != "linked":
            raise NeuralProgrammerError(f"columns must be linked where programs are chosen whole, not {self.columns}")
        if self.chooses == "steps" and (self.cells == "written" or self.members > 1):
            raise NeuralProgrammerError("written cells and several members want a network that chooses whole programs")
        known = {*BUILT_IN, *(entry.name for entry in self.own)}
        for name in self.operations:
            if name not in known:
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

    def _name_features(self) -> None:
        """Name the features of columns and texts that are read if none is named; refuse unknown ones."""
        linked = self.columns == "linked"
        for name, usual in (("column_features", READ_COLUMN_FEATURES), ("link_features", READ_LINK_FEATURES)):
            names = (getattr(self, name) or usual[self.cells]) if linked else ()
            object.__setattr__(self, name, names)  # which is frozen
        if not self.features:
            raise NeuralProgrammerError("a network reads some features of programs")
        check_features(self.features, RESULT_FEATURES, "program")
        check_features(self.column_features, COLUMN_FEATURES, "column")
        check_features(self.link_features, LINK_FEATURES, "mention")

    def plus(self, names: Sequence[str] = (), own: Sequence[Operation] = ()) -> "NetworkConfig":
        """The same network with more operations: built-in ones of these names, and some of one's own."""
        new = [name for name in (*names, *(entry.name for entry in own)) if name not in self.operations]
        others = [entry for entry in self.own if entry.name not in {one.name for one in own}]
        return replace(self, operations=(*self.operations, *new), own=(*others, *own)) if new or own else self

    @once
    def entries(self) -> tuple[Operation, ...]:
        """Its operations."""
        return named(self.operations, self.own)

    @once
    def matches_text(self) -> bool:
        """Whether any of its operations takes a text from the question."""
        return any(entry.argument == "text" for entry in self.entries)

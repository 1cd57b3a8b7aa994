"""Show how a question was answered: what the network considered at every step, and what another choice leads to.

The four modules of the paper can be seen at work: the question RNN in the words that are looked at, the selector in the
probabilities of operations, columns and arguments, the operations in the rows and answers, and the history RNN in what
changes at a step when one before it is forced.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Bool, Float

from neural_programmer.answering.asking import DESK, Desk, Opened, answered, check_question
from neural_programmer.answering.config import AskConfig
from neural_programmer.answering.decision import Decision, Forced
from neural_programmer.base.notebook import grid, line, shortened
from neural_programmer.base.threads import one_thread
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network.choosing import Proposal
from neural_programmer.network.decide import ANY, Consideration, fitting
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.values import plain, rounded
from neural_programmer.questions import indexing
from neural_programmer.questions.index import Index
from neural_programmer.questions.question import Question

if TYPE_CHECKING:
    from neural_programmer.answering.model import Model

MOST_OTHERS, LEAST_SHOWN = 3, 0.005  # other operations of a step that a notebook shows: how many, how probable


@dataclass(frozen=True)
class Mention:
    """A number, time or text of the question that a step may take: its words, what they mean, which word it is."""

    said: str
    means: str
    word: int

    def __str__(self) -> str:
        return self.said if self.said.casefold() == self.means.casefold() else f"{self.said} ({self.means})"


@dataclass(frozen=True)
class ThoughtStep:
    """What the network chose at a step, and the probabilities of all choices after the steps before it.

    They are those of the first network. Where a weigher scores whole programs too, the chosen program need not be the
    most probable one here.
    """

    operation: str
    column: str | None
    argument: int | None
    probability: float
    """The probability of operation, column and argument together."""
    forced: bool
    operations: dict[str, float]
    columns: dict[str, float]
    """The probability that the step acts on each column. What is left to one is that it acts on none."""
    arguments: tuple[float, ...]
    """The probability that it takes each argument."""
    words: tuple[float, ...]
    """For each word, the probability that a column or argument is chosen which it mentions."""
    attention: tuple[float, ...]
    """The attention of the selectors to each word. They also see the question as a whole."""


@dataclass(frozen=True)
class Thought:
    """An answer with what was considered at each step of its program."""

    question: str
    words: tuple[str, ...]
    arguments: tuple[Mention, ...]
    answer: Answer
    steps: tuple[ThoughtStep, ...]
    others: tuple[Answer, ...]
    """The answers of the next best programs, with their confidence."""
    candidates: int = 0
    """How many whole programs were run, if the model chooses among such. What the probabilities of a step lack to one
    is then that the program ends before it."""
    weighed: bool = False
    """Whether a weigher changed the scores of the programs. The steps show the first network alone."""

    def __repr__(self) -> str:
        """Return one line: the question and the answer. `to_dict` has all of it."""
        others = f"{len(self.others):,} other {'answer' if len(self.others) == 1 else 'answers'}"
        return line("Thought", repr(shortened(self.question)), repr(self.answer), others)

    def _repr_html_(self) -> str:
        """Return tables for notebooks: the answer, the steps with their probabilities, and the other answers."""
        rows = [
            (str(number), said.in_words or str(said), f"{step.probability:.0%}", _next(step))
            for number, (step, said) in enumerate(zip(self.steps, self.answer.steps, strict=True), 1)
        ]
        steps = grid(("", "step", "probability", "other operations"), rows, "what was considered") if rows else ""
        others = [
            (shortened(str(other)), shortened("; ".join(map(str, other.steps))), f"{other.confidence or 0:.0%}")
            for other in self.others
        ]
        listed = grid(("answer", "program", "confidence"), others, "other programs") if others else ""
        return self.answer._repr_html_() + steps + listed

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as values that JSON holds."""
        return {
            "question": self.question,
            "words": list(self.words),
            "arguments": [vars(argument) for argument in self.arguments],
            "answer": self.answer.to_dict(),
            "steps": [{name: rounded(value) for name, value in vars(step).items()} for step in self.steps],
            "others": [other.to_dict() for other in self.others],
            "candidates": self.candidates,
            "weighed": self.weighed,
        }


def think(
    model: "Model",
    table: Any,
    question: str,
    *,
    forced: Sequence[Forced] = (),
    seconds: float = AskConfig.seconds,
    memory: int | None = AskConfig.memory,
    desk: Desk = DESK,
) -> Thought:
    """Answer a question about a table as asking.ask does, and tell how; the first steps may be forced."""
    check_question(question)
    with desk.open(table, AskConfig(seconds, memory)).aside(seconds, model) as opened:
        return thought(model, opened, question, forced)


@one_thread()
def thought(model: "Model", opened: Opened, question: str, forced: Sequence[Forced] = ()) -> Thought:
    """Answer a question about an opened table, with the first steps forced, and return what was considered."""
    index = indexing.indexed(opened.source, opened.known, question, model.vocabulary.places)
    understood = model.found(question, index, opened.rows)
    linked, asked, found, index = understood
    forced = forced[: max((place for place, step in enumerate(forced, 1) if step != Forced()), default=0)]
    declined = [number for number, step in enumerate(forced, 1) if step.operation == "decline"]
    if declined and declined[0] < len(forced):
        raise NeuralProgrammerError(f"step {declined[0]} declines, and nothing follows that: leave the others out")
    names = _Names(model.config.operations, linked, index, asked)
    moves = [names.move(number, step) for number, step in enumerate(forced, 1)]
    found = asked.best(moves) if moves else found
    candidates = asked.tried
    if not found:
        reason = f"none of the {candidates:,} programs that were tried begins with the forced steps: force others"
        if not candidates or len(forced) > model.config.program_steps:
            reason = (
                f"a program has at most {model.config.program_steps} steps and its last one gives a number or cells; "
                f"{len(forced)} steps are forced: leave some out"
            )
        raise NeuralProgrammerError(reason)
    decision = model.decision(understood._replace(found=found), question)
    moves, size = found[0][0], len(decision.program.steps)
    steps = [
        names.step(move, each, place < len(forced) and forced[place] != Forced())
        for place, (move, each) in enumerate(list(zip(moves, asked.considered(moves), strict=True))[-size:])
    ]
    weighed = model.weigher is not None and len(found) > 1
    different = {str(decision.program): decision}
    for program, sure in decision.others:
        different.setdefault(str(program), Decision(program, sure))
    answer, *others = (answered(opened, question, each) for each in different.values())
    return Thought(question, linked.shown, names.arguments, answer, tuple(steps), tuple(others), candidates, weighed)


def _next(step: ThoughtStep) -> str:
    """Return the most probable other operations of a step, in words."""
    others = [
        (share, name) for name, share in step.operations.items() if name != step.operation and share >= LEAST_SHOWN
    ]
    return ", ".join(f"{name} {share:.0%}" for share, name in sorted(others, reverse=True)[:MOST_OTHERS])


class _Names:
    """The names of the moves of the network: operations, columns, and what the question mentions."""

    def __init__(self, operations: Sequence[str], question: Question, index: Index, asked: Proposal) -> None:
        self.operations, self.question, self.possible = list(operations), question, asked.possible
        self.index, self.columns = index, [column.name for column in index.columns]
        taken = np.unique(self.possible.moves[self.possible.takes >= 0, 2])
        self.candidates: list[int] = taken.tolist()  # those that some operation can take
        self.positions = [*question.number_positions, *[0] * (asked.numbers - len(question.number_positions))]
        self.positions += [link.position for link in question.links or ()]
        self.arguments = tuple(self._mention(candidate, asked.numbers) for candidate in self.candidates)

    def _mention(self, candidate: int, numbers: int) -> Mention:
        """Return a number, time or text of the question by its place among the arguments."""
        word = self.positions[candidate]
        if candidate >= numbers:
            assert self.question.links is not None
            texts = self.question.links[candidate - numbers].texts
            means = " or ".join(dict.fromkeys(self._meaning(slot, text) for slot, text in texts.items()))
        else:
            number, period = self.question.numbers[candidate], self.question.periods[candidate]
            means = str(plain(number)) if number == number else str(period)
        return Mention(self.question.shown[word], means, word)

    def _meaning(self, slot: int, text: str) -> str:
        """Return what a cell means: of a column of yes and no, with the name of the column."""
        column = self.index.columns[slot]
        return f"{column.name} is {text}" if column.kind == "boolean" else text

    def move(self, number: int, step: Forced) -> tuple[int, int, int]:
        """Return a forced step as a move of the network; refuse a step that no move fits."""
        known = self.operations, self.columns, range(len(self.arguments))
        parts, said = [ANY, ANY, ANY], f"step {number}"
        allowed = np.ones(len(self.possible.moves), bool)
        if number == 1:  # a program that begins with a reset is the one that begins after it
            allowed = self.possible.moves[:, 0] != self.operations.index("reset")
        for place, (name, value) in enumerate(vars(step).items()):
            if value is None:
                continue
            before = allowed
            if value in known[place]:
                parts[place] = self.candidates[value] if name == "argument" else known[place].index(value)
                allowed = before & fitting(self.possible, (parts[0], parts[1], parts[2]))
            if value not in known[place] or not allowed.any():
                choices = ", ".join(self._choices(place, before))
                raise NeuralProgrammerError(
                    f"{said} cannot have the {name} {str(value)[:60]!r}; "
                    + (f"choose one of: {choices}" if choices else f"it has no {name}: leave it out")
                )
            said += f" {value}"
        return parts[0], parts[1], parts[2]

    def _choices(self, place: int, fits: Bool[np.ndarray, "moves"]) -> list[str]:
        """Return the operations, columns or arguments of some possible moves, as a user can force them."""
        used = (fits, fits & (self.possible.acts >= 0), fits & (self.possible.takes >= 0))[place]
        values = np.unique(self.possible.moves[used, place]).tolist()
        if place == 2:
            values = [self.candidates.index(value) for value in values]
            return [f"{value} ({self.arguments[value]})" for value in values]
        return [(self.operations, self.columns)[place][value] for value in values]

    def step(self, move: np.ndarray, each: Consideration, forced: bool) -> ThoughtStep:
        """Return a step of the chosen program with the probabilities of all choices."""
        (chosen,) = np.flatnonzero(np.all(self.possible.moves == move, axis=1)).tolist()
        operation, column, argument = self.possible.moves.T
        acts, takes = self.possible.acts >= 0, self.possible.takes >= 0
        of_operation = _summed(each.probabilities, operation, len(self.operations))
        of_column = _summed(each.probabilities * acts, column, len(self.columns))
        of_argument = _summed(each.probabilities * takes, argument, len(self.positions))
        said = np.zeros((len(self.possible.moves), len(self.question.words)), bool)
        for slot, places in enumerate(self.question.mentions or ()):
            said[np.ix_(acts & (column == slot), places)] = True
        said[takes, np.array(self.positions, int)[argument[takes]]] = True
        return ThoughtStep(
            self.operations[move[0]],
            self.columns[move[1]] if acts[chosen] else None,
            self.candidates.index(int(move[2])) if takes[chosen] else None,
            float(each.probabilities[chosen]),
            forced,
            {self.operations[place]: float(of_operation[place]) for place in np.unique(operation).tolist()},
            dict(zip(self.columns, of_column.tolist(), strict=True)),
            tuple(of_argument[self.candidates].tolist()),
            tuple((each.probabilities @ said).tolist()),
            tuple(each.attention.tolist()),
        )


def _summed(probabilities: Float[np.ndarray, "moves"], places: np.ndarray, count: int) -> Float[np.ndarray, "places"]:
    """Return the sum of the probabilities of the moves at each place."""
    return np.bincount(places, probabilities, count)

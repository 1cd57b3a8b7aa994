"""Varied English over varied tables: questions with their answers, drawn from a seed.

Tables are drawn first, then a program together with a way to ask for it. Answers come from the interpreter; the program
is for judging alone. What is said of what is in english/.
"""

from dataclasses import dataclass
from random import Random

import numpy as np

from neural_programmer.data.english.declined import decline
from neural_programmer.data.english.questions import KINDS, Asker
from neural_programmer.data.english.rows import unmarked
from neural_programmer.data.english.speech import mistyped
from neural_programmer.data.english.tables import Scene
from neural_programmer.network.config import NetworkConfig
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.operations import TEXT
from neural_programmer.programs.program import Program, Step, kind_of, run
from neural_programmer.tables.table import Table

STEPS = 8  # of a program: four conditions, three joins and an output
GROUPS = {"plain": 0.30, "free": 0.35, "added": 0.20, "unanswerable": 0.15}
FREE = {"count": 20, "sum": 10, "average": 5, "maximum": 3, "minimum": 3, "together": 3, "had": 5, "difference": 2,
        "look up": 10, "everything": 1, "of one": 10, "asked": 8, "which": 16, "extreme": 11, "latest": 1}  # fmt: skip
PLAIN = {**FREE, "sum": 18, "had": 2, "asked": 0, "difference": 3, "look up": 16, "which": 12}
ADDED = {**FREE, "average": 20, "maximum": 12, "minimum": 12, "extreme": 30, "difference": 4, "sum": 6, "latest": 3}
START = {
    "how": "could you tell me |can you tell me |i would like to know |i want to know |tell me |do you know |hey, |so |"
    "quick question: |just wondering, |hi, |please tell me ".split("|"),
    "list": "please |can you |could you |could you please |hey, |i'd like you to |now ".split("|"),
    "": "please tell me: |i need: |quick: |hi, |please, |so, ".split("|"),
}
WH = frozenset("how what which who when where whats what's by on".split())
DO = frozenset("list show count find give tell name display calculate compute get print sum add look".split())
END = (
    "",
    "",
    "",
    "",
    "",
    "?",
    "?",
    "?",
    "?",
    "?",
    " please",
    " please?",
    ".",
    " thanks",
    ", please",
    "?",
    " ?",
)
LAST = "in this table|in the list|so far|at the moment|in our data|on record|according to the table|here".split("|")
ORDINARY = frozenset(
    "average total number highest lowest where which between greater maximum minimum people everyone please rows count "
    "least there difference combined entries records largest smallest cheapest oldest youngest".split()
)


NAME = "english"
OPERATIONS = (  # those of its programs
    *TEXT,
    *("text other", "equal", "not equal", "at least", "at most", "not"),
    *("average", "maximum", "minimum", "greatest", "least", "decline"),
)
NETWORK = NetworkConfig(hidden=256, program_steps=STEPS, columns="linked", operations=OPERATIONS, vectors=192)


@dataclass(frozen=True)
class Asked:
    """One question about three tables with the same columns, with its answers and, if it was drawn, its program."""

    question: str
    tables: tuple[Table, ...]
    answers: tuple[Answer, ...]
    program: Program | None
    kind: (
        str  # what it asks for: written, count, sum, average, maximum, minimum, difference, look up, extreme or decline
    )
    group: str  # plain, free, added or unanswerable


class Speaker:
    """Draws questions, the same ones from the same seed.

    >>> speaker = Speaker(np.random.default_rng(0))
    >>> len(speaker.draw().answers)
    3
    """

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator
        self.random = Random(int(generator.integers(2**62)))

    def draw(self) -> Asked:
        """Return a question of some group; draw again until it makes sense."""
        group = self.random.choices(list(GROUPS), list(GROUPS.values()))[0]
        while True:
            scene = Scene(self.random, self.generator)
            for _ in range(4):
                asked = self._unanswerable(scene) if group == "unanswerable" else self._answerable(scene, group)
                if asked is not None:
                    return asked

    def _unanswerable(self, scene: Scene) -> Asked | None:
        text = decline(scene)
        return None if text is None else self._asked(text, [Step("decline")], scene, "decline", "unanswerable")

    def _answerable(self, scene: Scene, group: str) -> Asked | None:
        weights = PLAIN if group == "plain" else FREE if group == "free" else ADDED
        kind = self.random.choices(list(weights), list(weights.values()))[0]
        plain = group == "plain" or (group == "added" and scene.chance(0.4))
        said = KINDS[kind](Asker(scene, plain))
        if said is None or len(said[1]) > STEPS:
            return None
        if group == "added" and all(step.operation in TEXT for step in said[1]):
            return None
        return self._asked(*said, scene, kind, group)

    def _asked(self, text: str, steps: list[Step], scene: Scene, kind: str, group: str) -> Asked | None:
        program = Program(tuple(steps))
        answers = tuple(run(program, table).answer for table in scene.tables)
        if kind != "decline" and not any(_tells(answer) for answer in answers):
            return None
        return Asked(self._typed(unmarked(text), scene), scene.tables, answers, program, _kind(program), group)

    def _typed(self, text: str, scene: Scene) -> str:
        """Return a question as people type it: polite or short, with and without capitals and marks, with slips."""
        pick, chance = scene.pick, scene.chance
        text = text.replace(" ,", ",").replace(" :", ":").replace("( ", "(")
        first = text.split(" ")[0].casefold()
        if chance(0.12):
            starts = START["how" if first in WH else "list" if first in DO else ""]
            text = pick(starts) + text
        words = text.split(" ")
        ordinary = [place for place, word in enumerate(words) if word in ORDINARY]
        if ordinary and chance(0.04):
            place = pick(ordinary)
            words[place] = mistyped(words[place], scene.random)
        if chance(0.03):
            words.append(pick(LAST))
        text = " ".join(words) + ("" if "? " in text and chance(0.5) else pick(END))
        text = text.replace("please please", "please").replace("please, please", "please")
        roll = scene.random.random()
        if roll < 0.4:
            return text[:1].upper() + text[1:]
        return text if roll < 0.8 else text.lower() if roll < 0.98 else text.upper()


def _tells(answer: Answer) -> bool:
    """Return whether an answer is more than nothing."""
    return bool(answer.values) if answer.kind in ("lookup", "table") else answer.kind == "scalar" and answer.scalar != 0


def _kind(program: Program) -> str:
    """Return what kind of answer a program gives; a look-up of the rows with the most of something is a kind of its
    own."""
    kind = kind_of([step.operation for step in program.steps])
    return {"greatest": "extreme", "least": "extreme", "declined": "decline"}.get(kind, kind)

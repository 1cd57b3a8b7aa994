"""A condition on rows: what it selects, and the ways to say so."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from neural_programmer.data.english.speech import PAST, mistyped, third
from neural_programmer.data.english.tables import Column, Scene
from neural_programmer.programs.program import Step

PASTS = frozenset(PAST.values()) - {"were", "cost", "put"}


@dataclass
class Condition:
    """Steps that select rows, and how to say it in each place of a sentence."""

    steps: list[Step]
    clause: Sequence[str] = ()  # after "where": "price is over 5"
    post: Sequence[str] = ()  # after the things: "costing over 5"
    verb: Sequence[str] = ()  # after "which things": "cost over 5"
    pre: Sequence[str] = ()  # before the things: "blue"
    noun: Sequence[str] = ()  # instead of the things: "thrillers"
    either: bool = False  # the two steps are joined by or
    columns: set[str | None] = field(init=False)

    def __post_init__(self) -> None:
        self.columns = {step.source for step in self.steps}


FILLERS = "value figure number amount score level mark reading result use rate".split()


def said(scene: Scene, column: Column, plain: bool = True) -> str:
    """Return a column as people call it: by its name, by a part or another word for it, with a slip."""
    roll = scene.random.random()
    if roll < 0.04:
        return column.name
    if roll < 0.06:
        return mistyped(column.said, scene.random)
    if not plain and roll < 0.14:
        other = scene.pick(column.source.names).split("~")[-1]
        if not set(other.split()) & scene.taken:
            return other
    if not plain and roll > 0.92 and column.kind == "number":
        filler = scene.pick(FILLERS)
        return column.said if filler in scene.taken else f"{column.said} {filler}"
    return column.said


def singular(verb: str) -> str:
    """Return what is said of one instead of several."""
    for start in ("don't ", "do not "):
        if verb.startswith(start):
            return start.replace("do", "does", 1) + verb.removeprefix(start)
    if verb.split(" ")[0] in PASTS:
        return verb
    return verb.replace("aren't ", "isn't ", 1) if verb.startswith("aren't ") else third(verb)

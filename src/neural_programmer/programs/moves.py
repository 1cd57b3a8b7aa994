"""Moves: the steps of a program as a network chooses them, and the codec between moves, integers and programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from neural_programmer.programs.operations import Operation
from neural_programmer.programs.program import Argument, Program, Step, program_of
from neural_programmer.questions.index import Index
from neural_programmer.questions.question import Question

UNUSED = -1  # the place of a column or an argument that an operation does not take


class Move(NamedTuple):
    """An operation, the place of a column of the table, and the place of a number or of a link of the question."""

    operation: str
    column: int = UNUSED
    number: int = UNUSED
    link: int = UNUSED


@dataclass(frozen=True)
class Codec:
    """The moves of some operations as three integers each: the places of the operation, the column and the argument.

    The first `numbers` arguments are numbers of a question; those after them are its links.
    """

    operations: tuple[Operation, ...]
    numbers: int

    @classmethod
    def of(cls, operations: tuple[Operation, ...], question: Question) -> "Codec":
        """Return the codec of some operations for a question."""
        return cls(operations, max(len(question.numbers), 1))

    def integers(self, move: Move) -> tuple[int, int, int]:
        """Return the three integers of a move. What the move does not use is UNUSED."""
        argument = move.number if move.link < 0 else self.numbers + move.link
        return self._places[move.operation], move.column, argument

    @cached_property
    def _places(self) -> dict[str, int]:
        return {entry.name: place for place, entry in enumerate(self.operations)}

    def move(self, integers: Sequence[int]) -> Move:
        """Return the move of three integers, without those that its operation does not use."""
        place, column, argument = integers
        entry = self.operations[place]
        column = column if entry.column != "none" else UNUSED
        if entry.argument == "none":
            return Move(entry.name, column)
        if argument < self.numbers:
            return Move(entry.name, column, number=argument)
        return Move(entry.name, column, link=argument - self.numbers)

    def moves(self, integers: Int[np.ndarray, "steps 3"]) -> tuple[Move, ...]:
        """Return the moves of a program. A row of UNUSED is skipped."""
        return tuple(self.move(each) for each in integers[integers[:, 0] >= 0].tolist())

    def without_resets(self, integers: Int[np.ndarray, "steps 3"]) -> Int[np.ndarray, "_ 3"]:
        """Return a program without its leading `reset` steps; if all steps are resets, the last of them."""
        integers = integers[integers[:, 0] >= 0]
        names = [self.operations[place].name for place in integers[:, 0].tolist()]
        return integers[next((place for place, name in enumerate(names) if name != "reset"), -1) :]

    def program(self, integers: Int[np.ndarray, "steps 3"], question: Question, index: Index) -> Program:
        """Return the program of some moves about a table, without leading `reset` steps."""
        moves = self.moves(self.without_resets(integers))
        return program_of([_step(move, question, index) for move in moves], self.operations)


def _step(move: Move, question: Question, index: Index) -> Step:
    """Return the step of a move: with its column's name, and what its argument means in that column."""
    if move.column == UNUSED:
        return Step(move.operation)
    column, argument = index.columns[move.column], None
    if move.number != UNUSED:
        argument = question.periods[move.number] if column.kind == "date" else question.numbers[move.number]
    elif move.link != UNUSED:
        assert question.links is not None, "texts are those that were linked"
        meant: Argument = question.links[move.link].meant(move.column)
        argument = index.spellings(move.column, meant[0]) if len(meant) == 1 else meant
    return Step(move.operation, column.name, argument)

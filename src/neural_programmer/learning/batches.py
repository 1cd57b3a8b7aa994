"""A data set as arrays: every triple encoded, padded to one size and stacked."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.base.arrays import Array, namespace
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Example, Sizes, Vocabulary, empty, read, sizes, write
from neural_programmer.network.executor import Execution, Lookup
from neural_programmer.programs.same import TOLERANCE


class Target(NamedTuple):
    """The answer to learn: a scalar, the rows of a column that are looked up, or that there is none."""

    is_none: Bool[Array, ""]
    is_scalar: Bool[Array, ""]
    scalar: Float[Array, ""]
    rows: Bool[Array, "rows"]
    column: Int[Array, ""]

    def cells(self, columns: int) -> Bool[Array, "rows columns"]:
        """y in {0, 1}^{M x C} (section 2.5)"""
        return self.rows[:, None] & (namespace(self.rows).arange(columns) == self.column)


class Triples(NamedTuple):
    """Questions and tables with their answers; one of them, or many with a leading axis."""

    example: Example
    target: Target


def encode_dataset(dataset: Iterable[Any], vocabulary: Vocabulary, config: NetworkConfig) -> Triples:
    """Return all triples of a data set as arrays, padded to the largest of them. Each has a question, a table and an
    answer."""
    triples = list(dataset)
    questions = [read(triple.question, triple.table, config) for triple in triples]
    room = Sizes()
    for question, triple in zip(questions, triples, strict=True):
        room = room.join(sizes(question, triple.table, config))
    batch = empty(len(triples), room)
    target = Target(
        is_none=np.zeros(len(triples), bool),
        is_scalar=np.zeros(len(triples), bool),
        scalar=np.zeros(len(triples), np.float32),
        rows=np.zeros((len(triples), room.rows), bool),
        column=np.zeros(len(triples), np.int32),
    )
    for place, (question, triple) in enumerate(zip(questions, triples, strict=True)):
        write(batch, place, question, triple.table, vocabulary, config)
        target.is_none[place] = triple.answer.kind == "none"
        target.is_scalar[place] = triple.answer.kind == "scalar"
        target.scalar[place] = triple.answer.scalar or 0.0
        if triple.answer.cells:
            target.rows[place, [row for row, _ in triple.answer.cells]] = True
            target.column[place] = triple.table.names.index(triple.answer.cells[0][1])
    return Triples(batch, target)


def is_correct(execution: Execution, target: Target) -> Bool[Array, ""]:
    """Tell whether a hard execution gave this answer, of the right kind: as `Answer.equals`, in the network's
    precision."""
    xp = namespace(execution.scalar_answer)
    right_scalar = (execution.gives_scalar > 0.5) & is_scalar(execution.scalar_answer, target)
    right_lookup = (execution.gives_lookup > 0.5) & is_lookup(execution.lookup, target)
    right = xp.where(target.is_scalar, right_scalar, right_lookup)
    return xp.where(target.is_none, execution.gives_nothing > 0.5, right)


def is_scalar(scalar: Float[Array, ""], target: Target) -> Bool[Array, ""]:
    """Tell whether a scalar is the right one."""
    return namespace(scalar).abs(scalar - target.scalar) < TOLERANCE


def is_lookup(lookup: Lookup, target: Target) -> Bool[Array, ""]:
    """Tell whether the rows and the column of a look-up are the right ones; without rows any column is."""
    xp = namespace(lookup.rows)
    column = xp.argmax(lookup.columns) == target.column
    return xp.all((lookup.rows > 0.5) == target.rows) & (column | ~xp.any(target.rows))

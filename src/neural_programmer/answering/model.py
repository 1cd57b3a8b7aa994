"""A trained Neural Programmer: ask it a question about a table, get the answer and the program that gave it."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from jaxtyping import Float

from neural_programmer.answering import declining
from neural_programmer.answering.config import DEFAULT, ENGINE, AskConfig, Engine
from neural_programmer.answering.decision import Decision, Forced
from neural_programmer.answering.notes import notes
from neural_programmer.answering.traces import Trace, pivots_of, selected_program
from neural_programmer.base.calling import checked
from neural_programmer.base.limits import check_time
from neural_programmer.base.notebook import grid, line
from neural_programmer.base.settings import LARGEST, from_dict
from neural_programmer.base.threads import one_thread
from neural_programmer.candidates.enumeration import every, proposed
from neural_programmer.candidates.masks import Tables
from neural_programmer.errors import NeuralProgrammerError, one_of
from neural_programmer.network import equations as network
from neural_programmer.network import weights
from neural_programmer.network.choosing import Member, Programs, Proposal, Reranked, members, weighed
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.decide import Found, search, to_decline
from neural_programmer.network.encode import Example, Vocabulary, encode, encode_linked, read
from neural_programmer.network.executor import HARD, execute, fixed_of
from neural_programmer.network.older import completed
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.moves import Codec
from neural_programmer.programs.operations import Operation, own_of
from neural_programmer.programs.program import run
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.questions.question import Question
from neural_programmer.questions.unknown import called_rows, unknown
from neural_programmer.questions.vectors import shipped
from neural_programmer.tables.table import Rows, Table, without_rows

if TYPE_CHECKING:
    from neural_programmer.answering.thinking import Thought

FILE = "model.safetensors"
WEIGHER = "weigher"  # the name in a file of the network that scores whole programs
SHIPPED = Path(__file__).parent.parent / "shipped"


class Understood(NamedTuple):
    """How a model read a question: the linked question, the programs it may mean, the best of them, and the index."""

    linked: Question
    asked: Proposal
    found: Found
    mentioned: Index


@dataclass(frozen=True)
class WholeScores:
    """Score whole programs, which another network found for a question."""

    model: "Model"
    question: Question
    index: Index
    rows: Rows | None

    @property
    def share(self) -> float:
        return self.model.config.share

    def logs(self, programs: Programs) -> Float[np.ndarray, "programs"]:
        return self.model.program_logs(programs, self.question, self.index, self.rows)


@dataclass(frozen=True)
class Model:
    """The network with its words and weights; answers with NumPy alone.

    >>> model = load("runs/single")                        # doctest: +SKIP
    >>> model.answer("greater 50 sum", table)              # doctest: +SKIP
    """

    config: NetworkConfig
    vocabulary: Vocabulary
    parameters: network.Parameters
    trained: weights.Trained = weights.Trained()  # noqa: RUF009  frozen
    calibration: tuple[float, float] = (1.0, 0.0)
    """a and b of the confidence in a program of probability p: sigmoid(a log(p / (1 - p)) + b). Where there is a
    weigher, its calibration is used."""
    weigher: "Model | None" = None
    """Another network, which scores whole the programs that this one finds step by step. It knows what they give."""

    KIND = "neural-programmer"

    def __repr__(self) -> str:
        """Return one line: what the model answers and how large it is."""
        return line("Model", *(f"{name}: {text}" for name, text in self._about().items() if name != "operations"))

    def _repr_html_(self) -> str:
        """Return a table for notebooks: what the model answers, its operations, and how large it is."""
        return grid(("Model", ""), self._about().items())

    def _about(self) -> dict[str, str]:
        """Return the facts that the model is shown by, each with its name."""
        networks = [self, *filter(None, [self.weigher])]
        size = sum(array.size for each in networks for _, array in weights.flatten(each.parameters))
        linked = self.config.columns == "linked"
        return {
            "answers": "people's questions" if linked else f"the task {self.trained.task or 'it was trained on'}",
            "operations": ", ".join(self.config.operations),
            "steps of a program": f"up to {self.config.program_steps}" if linked else f"{self.config.program_steps}",
            "networks": str(len(networks) - 1 + self.config.members),
            "weights": f"{size:,}",
            "words": f"{len(self.vocabulary):,}",
        }

    @checked
    def answer(self, question: str, table: Table) -> Answer:
        """Answer a question of a task, in its words, about a table."""
        return self.trace(question, table).answer

    @checked
    @one_thread()
    def trace(self, question: str, table: Table) -> Trace:
        """Read the question, select hard, and run the selected program exactly."""
        parsed = read(question, table, self.config)
        with np.errstate(over="ignore", invalid="ignore"):  # of huge cells, which only the exact run computes with
            example = encode(parsed, table, self.vocabulary, self.config)
            execution = execute(self.parameters, self.config, example, HARD)
        program = selected_program(self.config, execution, parsed, table)
        pivots = None if self.config.arguments == "step" else pivots_of(execution, parsed)
        return Trace(question, table, program, pivots, run(program, table))

    @cached_property
    def _fixed(self) -> network.Fixed:
        return fixed_of(self.parameters, self.config)

    def reader(self) -> "Model":
        """Return the model itself if it reads people's questions; refuse models of the paper's tasks."""
        if self.config.columns != "linked":
            task = f" of the task {self.trained.task}" if self.trained.task else ""
            raise NeuralProgrammerError(
                f"this model answers questions{task} in their words, with answer() and trace(), and does not read "
                "people's questions; name one that was fitted, or ask"
            )
        return self

    @checked
    def ask(
        self,
        table: Any,
        question: str,
        *,
        engine: Engine = ENGINE,
        master: str | None = None,
        dialect: str | None = None,
        seconds: float = AskConfig.seconds,
        memory: int | None = AskConfig.memory,
    ) -> Answer:
        """Answer a question about a table, as `neural_programmer.ask` does.

        >>> print(load_shipped().ask({"city": ["Oslo", "Rome"], "rent": [900, 700]}, "what is the highest rent?"))
        900
        """
        from neural_programmer.answering.asking import ask

        model = self.reader()
        return ask(
            model, table, question, engine=engine, master=master, dialect=dialect, seconds=seconds, memory=memory
        )

    @checked
    def think(
        self,
        table: Any,
        question: str,
        *,
        forced: Sequence[Forced] = (),
        seconds: float = AskConfig.seconds,
        memory: int | None = AskConfig.memory,
    ) -> "Thought":
        """Answer as `ask` does, and tell what was considered, as `neural_programmer.think` does.

        >>> thought = load_shipped().think({"city": ["Oslo", "Rome"], "rent": [900, 700]}, "what is the highest rent?")
        >>> thought.steps[0].operation, thought.steps[0].column
        ('maximum', 'rent')
        """
        from neural_programmer.answering.thinking import think

        return think(self.reader(), table, question, forced=forced, seconds=seconds, memory=memory)

    @one_thread()
    def decide(self, question: str, index: Index, rows: Rows | None = None) -> Decision:
        """Read a question about the table of an index, and choose the program that answers it.

        A model that chooses whole programs runs them on `rows` of the table. A weigher does so too, if there are rows.
        """
        understood = self.found(question, index, rows)
        return replace(self.decision(understood, question), partial=understood.asked.left_out)

    def found(self, question: str, index: Index, rows: Rows | None = None) -> Understood:
        """Return how a question was read, and its most probable programs (see choosing.Proposal).

        Where the best program declines, the question is read again with its everyday words looked for in all cells. The
        second reading counts only if the words that the table lacked stand side by side and none is lacking then:
        everyday words should not be taken for cells by chance.
        """
        first = self._found(question, index, rows)
        if index.wider is None or first.linked.beyond or not self._declines(first.found):
            return first
        again = self._found(question, index.wider(), rows)
        lacked, lacks = (unknown(each.linked.words, each.linked.links or (), each.mentioned) for each in (first, again))
        together = bool(lacked) and lacked[-1] - lacked[0] < len(lacked)
        sure = not self._declines(again.found) and self._sure(again.found[0][1]) > self.config.unsure
        return again if sure and together and not lacks else again._replace(found=[first.found[0], *again.found])

    def _found(self, question: str, index: Index, rows: Rows | None) -> Understood:
        """Return how a question was read with one index.

        Where the best program declines and the table lacks nothing but the word that the rows are called by, the
        question is read with "rows" in its place.
        """
        linked, asked = self.read(question, index, rows)
        found = asked.best(self.declined(linked))
        plain = called_rows(linked, index) if self._declines(found) and not linked.beyond else None
        if plain is not None:
            again = self._ready(plain, index, rows)
            if not self._declines(programs := again.best()):
                return Understood(plain, again, programs, index)
        return Understood(linked, asked, found, index)

    def read(self, question: str, index: Index, rows: Rows | None = None) -> tuple[Question, Proposal]:
        """Return a question linked to the table of an index, and the programs that it may mean."""
        linked = link(question, index, cells=self.config.cells, meant=self.config.near)
        return linked, self._ready(linked, index, rows)

    def _ready(self, linked: Question, index: Index, rows: Rows | None) -> Proposal:
        """Return the programs that a linked question may mean, with their scores."""
        check_time()
        example = self._encoded(linked, index)
        if self.config.chooses == "steps":
            beam = search(self.parameters, self.config, example, self._fixed)
            return beam if self.weigher is None else Reranked(beam, WholeScores(self.weigher, linked, index, rows))
        assert rows is not None, "programs are tried on some rows"
        config, tables = self.config, self._tables(rows, rows.first())
        tried = every(linked, tables, config.entries, config.program_steps, config.candidates, config.cells)
        return weighed(self._members, config, example, tried)

    def program_logs(
        self, programs: Programs, question: Question, index: Index, rows: Rows | None
    ) -> Float[np.ndarray, "programs"]:
        """Return the logs of the probabilities of whole programs among each other (see choosing.Reranked).

        The programs are run where the whole table is in memory; else nothing is known of what they give.
        """
        codec = Codec.of(self.config.entries, question)
        whole = [codec.without_resets(moves) for moves in programs]
        listed = [(moves, codec.program(moves, question, index)) for moves in whole]
        if rows is None or rows.whole is None:
            on = without_rows({column.name: column.kind for column in index.columns})
        else:
            on = self._tables(rows, rows.whole)
        config = self.config
        tried = proposed(question, on, listed, config.entries, config.program_steps, config.candidates)
        return weighed(self._members, config, self._encoded(question, index), tried).logs

    def _tables(self, rows: Rows, table: Table) -> Tables:
        """Return a table that programs are run on, prepared once for all questions about it."""
        own, limits = own_of(self.config.entries), self.config.candidates
        what = (Tables, own, limits, table.rows)
        return rows.prepare(table, what, lambda: Tables([table], own, limits)).for_a_question()

    def _encoded(self, question: Question, index: Index) -> Example:
        """Return a linked question and the columns of its table as arrays."""
        vectors = shipped() if self.config.vectors else None
        with np.errstate(over="ignore"):  # of huge numbers, which only the exact run computes with
            return encode_linked(question, index, self.vocabulary, self.config, vectors)

    def decision(self, understood: Understood, question: str) -> Decision:
        """Return the decision for the first of the programs that were found, with the others.

        No confidence is above `unsure` where not all cells were looked through for what the question says.
        """
        linked, _, found, index = understood
        most = self.config.unsure if index.missed else 1.0
        codec = Codec.of(self.config.entries, linked)
        programs = [(codec.program(moves, linked, index), min(self._sure(log), most)) for moves, log in found]
        (program, probability), *others = programs
        declines = program.steps[-1].operation == "decline"
        why = declining.reason(question, linked, index) if declines else ""
        sure = 1.0 if declines and linked.beyond else probability
        return Decision(program, sure, why, tuple(others), notes=notes(linked, program, index))

    def _declines(self, found: Found) -> bool:
        """Return whether the best of the programs declines."""
        return self.config.operations[found[0][0][-1][0]] == "decline"

    def declined(self, linked: Question) -> Sequence[tuple[int, int, int]]:
        """Return the moves that every program begins with: to decline what is beyond all programs, else none."""
        return to_decline(self.config) if linked.beyond else []

    @cached_property
    def _members(self) -> list[Member]:
        return members(self.parameters, self.config)

    def _sure(self, log: float) -> float:
        """Return the confidence in a program, from the log of its probability."""
        slope, offset = (self.weigher or self).calibration
        odds = log - math.log(max(-math.expm1(log), 1e-12))
        power = math.exp(-abs(slope * odds + offset))
        return (1.0 if slope * odds + offset > 0 else power) / (1 + power)

    @property
    def digest(self) -> str:
        """Return a number that tells the model from others, made of its words and weights."""
        made = hashlib.sha256("\n".join(self.vocabulary.words).encode())
        for _, array in weights.flatten(self.parameters):
            made.update(array.tobytes())
        made.update(self.weigher.digest.encode() if self.weigher else b"")
        return made.hexdigest()[:16]

    @checked
    def save(self, path: str | Path, half: bool = False) -> None:
        """Write the model into a file, with its weigher; `half` stores weights in half the precision."""
        within = {WEIGHER: self.weigher} if self.weigher else {}
        weights.save(Path(path), self, half, within)

    @classmethod
    def restore(
        cls, description: dict[str, Any], arrays: dict[str, np.ndarray], own: tuple[Operation, ...] = ()
    ) -> "Model":
        """Return the model of a stored description and arrays; `own` are operations that a user defined."""
        if WEIGHER not in description:
            return cls._restored(description, arrays, own)
        arrays, others = weights.parted(arrays, WEIGHER)
        if not isinstance(description[WEIGHER], dict):
            raise NeuralProgrammerError("the second network is misstated: it should have a description")
        try:
            weigher = cls._restored(description[WEIGHER], others, own)
        except NeuralProgrammerError as error:
            raise NeuralProgrammerError(f"the second network: {error}") from None
        model = cls._restored(description, arrays, own)
        _check_weigher(model.config, weigher.config)
        return replace(model, weigher=weigher)

    @classmethod
    def _restored(
        cls, description: dict[str, Any], arrays: dict[str, np.ndarray], own: tuple[Operation, ...]
    ) -> "Model":
        """Return the model of one network, without a weigher."""
        config = from_dict(NetworkConfig, completed(description["config"], arrays), own=own)
        _check_operations(config)
        model = weights.restore(cls, config, network.shapes, description, arrays)
        given = description.get("calibration", cls.calibration)
        if not isinstance(given, list | tuple) or len(given) != 2 or not all(map(_is_number, given)):
            raise NeuralProgrammerError("the calibration is misstated: it should be two numbers")
        return replace(model, calibration=(float(given[0]), float(given[1])))


def _check_operations(config: NetworkConfig) -> None:
    """Refuse a network that reads people's questions and lacks the operation that begins a program, or any that ends
    one."""
    lacking = "reset" not in config.operations and config.chooses == "steps"
    if config.columns == "linked" and (lacking or all(entry.updates == "rows" for entry in config.entries)):
        raise NeuralProgrammerError("a network needs the operation reset, and one that gives an answer")


def _check_weigher(config: NetworkConfig, other: NetworkConfig) -> None:
    """Refuse a weigher whose moves do not mean what those of the other network mean."""
    wanted = {"operations": config.operations, "program_steps": config.program_steps, "columns": "linked"}
    wanted |= {"chooses": "programs", "cells": "typed"}
    for name, value in wanted.items():
        if getattr(other, name) != value:
            raise NeuralProgrammerError(
                f"the second network does not belong to the first: {name.replace('_', ' ')} should be "
                f"{str(value)[:60]}, not {str(getattr(other, name))[:60]}; take another copy"
            )
    if (config.chooses, config.cells) != ("steps", "typed"):
        raise NeuralProgrammerError("a second network weighs what is found step by step in typed cells; leave it out")


def _is_number(value: Any) -> bool:
    """Return whether a value from a file is a number that can be computed with."""
    return isinstance(value, int | float) and abs(value) <= LARGEST


def load_shipped(name: str = DEFAULT) -> Model:
    """Return a model that comes with the package, by its name."""
    if name not in shipped_names():
        raise one_of("model", name, shipped_names())
    _, description, arrays = weights.load(SHIPPED / f"{name}.safetensors")
    return Model.restore(description, arrays)


def shipped_names() -> list[str]:
    """Return the names of the models that come with the package."""
    return sorted(path.stem for path in SHIPPED.glob("*.safetensors") if path.stem != "words")

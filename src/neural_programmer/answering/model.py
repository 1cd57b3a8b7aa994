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
from neural_programmer.base.calling import checked
from neural_programmer.base.limits import check_time
from neural_programmer.base.notebook import grid, line, shortened
from neural_programmer.base.settings import LARGEST, from_dict
from neural_programmer.base.threads import one_thread
from neural_programmer.candidates.enumeration import every, proposed
from neural_programmer.candidates.masks import Tables
from neural_programmer.candidates.results import FIRST_FEATURES
from neural_programmer.errors import NeuralProgrammerError, one_of
from neural_programmer.network import equations as network
from neural_programmer.network import weights
from neural_programmer.network.choosing import Member, Programs, Proposal, Reranked, members, weighed
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.decide import Found, search, to_decline
from neural_programmer.network.encode import Example, Vocabulary, distinct_texts, encode, encode_linked, read
from neural_programmer.network.executor import HARD, Execution, execute, fixed_of
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.moves import Codec
from neural_programmer.programs.operations import COMPARISONS, Operation, acting, conditions, own_of
from neural_programmer.programs.program import Argument, Program, Run, Step, program_of, run
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.questions.question import NO_NUMBER, Question, pointed
from neural_programmer.questions.unknown import called_rows, unknown
from neural_programmer.questions.vectors import shipped
from neural_programmer.tables.table import Rows, Table, is_date, without_rows

if TYPE_CHECKING:
    from neural_programmer.answering.thinking import Thought

FILE = "model.safetensors"
WEIGHER = "weigher"  # what it is called in a file
SHIPPED = Path(__file__).parent.parent / "shipped"
UNSURE = 0.5  # the most confidence where not all cells were looked through


@dataclass(frozen=True)
class Trace:
    """How a question was answered: the program, and what every step selected.

    `pivots` is the number that each comparison takes, where one is chosen for the whole question.
    """

    question: str
    table: Table
    program: Program
    pivots: dict[str, float] | None
    run: Run

    @property
    def answer(self) -> Answer:
        return self.run.answer

    def __repr__(self) -> str:
        """In a line: the question, the program and the answer."""
        program = repr(shortened(str(self.program)))
        return line("Trace", repr(shortened(self.question)), f"program={program}", repr(self.answer))


class Understood(NamedTuple):
    """How a model read a question: its words, what programs there are and the best of them, what it may refer to."""

    linked: Question
    asked: Proposal
    found: Found
    mentioned: Index


@dataclass(frozen=True)
class WholeScores:
    """What a network that reads programs whole thinks of those that another found for a question."""

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
    """How a program's probability p becomes a confidence: sigmoid(a log(p / (1 - p)) + b). Where another network
    weighs, its calibration is that of both."""
    weigher: "Model | None" = None
    """Another network, which reads the programs whole that this one finds step by step, and knows what they give."""

    KIND = "neural-programmer"

    def __repr__(self) -> str:
        """In a line: what it answers and how large it is."""
        return line("Model", *(f"{name}: {text}" for name, text in self._about().items() if name != "operations"))

    def _repr_html_(self) -> str:
        """For notebooks: what it answers, with which operations, and how large it is."""
        return grid(("Model", ""), self._about().items())

    def _about(self) -> dict[str, str]:
        """What people may want to know of a model, by what it is called."""
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
        pivots = None if self.config.arguments == "step" else _pivots(execution, parsed)
        return Trace(question, table, program, pivots, run(program, table))

    @cached_property
    def _fixed(self) -> network.Fixed:
        return fixed_of(self.parameters, self.config)

    def reader(self) -> "Model":
        """Itself, if it reads questions as people write them; models of the paper's tasks read the tasks' words."""
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
        """Read a question about a table of which the index is known, and choose the program to answer it with.

        Where programs are chosen or weighed whole, they are tried on `rows` of the table; what is weighed may do
        without.
        """
        understood = self.found(question, index, rows)
        return replace(self.decision(understood, question), partial=understood.asked.left_out)

    def found(self, question: str, index: Index, rows: Rows | None = None) -> Understood:
        """A question as it was read, and its most probable programs (see choosing.Proposal).

        Where it would be declined, its everyday words are looked for in all cells too. It is answered if those that the
        table lacked stand side by side and it lacks none then: words are not to be taken for cells by chance.
        """
        first = self._found(question, index, rows)
        if index.wider is None or first.linked.beyond or not self._declines(first.found):
            return first
        again = self._found(question, index.wider(), rows)
        lacked, lacks = (unknown(each.linked.words, each.linked.links or (), each.mentioned) for each in (first, again))
        together = bool(lacked) and lacked[-1] - lacked[0] < len(lacked)
        sure = not self._declines(again.found) and self._sure(again.found[0][1]) > UNSURE
        return again if sure and together and not lacks else again._replace(found=[first.found[0], *again.found])

    def _found(self, question: str, index: Index, rows: Rows | None) -> Understood:
        """A question as it was read with one index. Where it would be declined and says nothing that the table lacks
        but what the rows are called, it is read with rows in the place of that."""
        linked, asked = self.read(question, index, rows)
        found = asked.best(self.declined(linked))
        plain = called_rows(linked, index) if self._declines(found) and not linked.beyond else None
        if plain is not None:
            again = self._ready(plain, index, rows)
            if not self._declines(programs := again.best()):
                return Understood(plain, again, programs, index)
        return Understood(linked, asked, found, index)

    def read(self, question: str, index: Index, rows: Rows | None = None) -> tuple[Question, Proposal]:
        """A question as it was linked to a table of which the index is known, ready to be decided on (see `decide`)."""
        linked = link(question, index, cells=self.config.cells)
        return linked, self._ready(linked, index, rows)

    def _ready(self, linked: Question, index: Index, rows: Rows | None) -> Proposal:
        check_time()
        example = self._encoded(linked, index)
        if self.config.chooses == "steps":
            beam = search(self.parameters, self.config, example, self._fixed)
            return beam if self.weigher is None else Reranked(beam, WholeScores(self.weigher, linked, index, rows))
        assert rows is not None, "programs are tried on some rows"
        operations, steps = self.config.entries, self.config.program_steps
        tried = every(linked, self._tables(rows, rows.first()), operations, steps, cells=self.config.cells)
        return weighed(self._members, self.config, example, tried)

    def program_logs(
        self, programs: Programs, question: Question, index: Index, rows: Rows | None
    ) -> Float[np.ndarray, "programs"]:
        """The logs of the probabilities of whole programs among each other, by what they give on the table, if it is at
        hand (see choosing.Reranked)."""
        codec = Codec.of(self.config.entries, question)
        whole = [codec.without_resets(moves) for moves in programs]
        listed = [(moves, codec.program(moves, question, index)) for moves in whole]
        if rows is None or rows.whole is None:
            on = without_rows({column.name: column.kind for column in index.columns})
        else:
            on = self._tables(rows, rows.whole)
        tried = proposed(question, on, listed, self.config.entries, self.config.program_steps)
        return weighed(self._members, self.config, self._encoded(question, index), tried).logs

    def _tables(self, rows: Rows, table: Table) -> Tables:
        """A table that programs are tried on, prepared once for all questions about it."""
        own = own_of(self.config.entries)
        return rows.prepare(table, (Tables, own, table.rows), lambda: Tables([table], own)).for_a_question()

    def _encoded(self, question: Question, index: Index) -> Example:
        vectors = shipped() if self.config.vectors else None
        with np.errstate(over="ignore"):  # of huge numbers, which only the exact run computes with
            return encode_linked(question, index, self.vocabulary, self.config, vectors)

    def decision(self, understood: Understood, question: str) -> Decision:
        """The first of the programs that were found (see choosing.Proposal), and the others. Of none one is sure where
        not all cells were looked through for what the question says."""
        linked, _, found, index = understood
        most = UNSURE if index.missed else 1.0
        codec = Codec.of(self.config.entries, linked)
        programs = [(codec.program(moves, linked, index), min(self._sure(log), most)) for moves, log in found]
        (program, probability), *others = programs
        declines = program.steps[-1].operation == "decline"
        why = declining.reason(question, linked, index) if declines else ""
        sure = 1.0 if declines and linked.beyond else probability
        return Decision(program, sure, why, tuple(others), notes=notes(linked, program, index))

    def _declines(self, found: Found) -> bool:
        return self.config.operations[found[0][0][-1][0]] == "decline"

    def declined(self, linked: Question) -> Sequence[tuple[int, int, int]]:
        """The moves that a program has to begin with: none, but to decline what is beyond all programs."""
        return to_decline(self.config) if linked.beyond else []

    @cached_property
    def _members(self) -> list[Member]:
        return members(self.parameters, self.config)

    def _sure(self, log: float) -> float:
        """How sure to be of a program, from the log of its probability."""
        slope, offset = (self.weigher or self).calibration
        odds = log - math.log(max(-math.expm1(log), 1e-12))
        power = math.exp(-abs(slope * odds + offset))
        return (1.0 if slope * odds + offset > 0 else power) / (1 + power)

    @property
    def digest(self) -> str:
        """What tells it from other models: a number made of its words and weights."""
        made = hashlib.sha256("\n".join(self.vocabulary.words).encode())
        for _, array in weights.flatten(self.parameters):
            made.update(array.tobytes())
        made.update(self.weigher.digest.encode() if self.weigher else b"")
        return made.hexdigest()[:16]

    @checked
    def save(self, path: str | Path, half: bool = False) -> None:
        within = {WEIGHER: self.weigher} if self.weigher else {}
        weights.save(Path(path), self, half, within)

    @classmethod
    def restore(
        cls, description: dict[str, Any], arrays: dict[str, np.ndarray], own: tuple[Operation, ...] = ()
    ) -> "Model":
        """The model that these stored pieces describe; some of its operations are one's `own`."""
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
        """The model of one network."""
        config = from_dict(NetworkConfig, _with_features(description["config"], arrays), own=own)
        _check_operations(config)
        model = weights.restore(cls, config, network.shapes, description, arrays)
        given = description.get("calibration", cls.calibration)
        if not isinstance(given, list | tuple) or len(given) != 2 or not all(map(_is_number, given)):
            raise NeuralProgrammerError("the calibration is misstated: it should be two numbers")
        return replace(model, calibration=(float(given[0]), float(given[1])))


def _check_operations(config: NetworkConfig) -> None:
    """Refuse a network that reads people's questions and cannot begin a program, or not end one."""
    lacking = "reset" not in config.operations and config.chooses == "steps"
    if config.columns == "linked" and (lacking or all(entry.updates == "rows" for entry in config.entries)):
        raise NeuralProgrammerError("a network needs the operation reset, and one that gives an answer")


def _with_features(config: Any, arrays: dict[str, np.ndarray]) -> Any:
    """What a file says of its network, with the names of the features that it has weights of: the first ones, where it
    does not name them."""
    results = arrays.get("results")
    if not isinstance(config, dict) or "features" in config or results is None or results.ndim < 2:
        return config
    return {**config, "features": list(FIRST_FEATURES[: results.shape[-2]])}


def _check_weigher(config: NetworkConfig, other: NetworkConfig) -> None:
    """Refuse networks that do not mean the same by the same moves."""
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
    return isinstance(value, int | float) and abs(value) <= LARGEST


def load_shipped(name: str = DEFAULT) -> Model:
    """A model that comes with this program."""
    if name not in shipped_names():
        raise one_of("model", name, shipped_names())
    _, description, arrays = weights.load(SHIPPED / f"{name}.safetensors")
    return Model.restore(description, arrays)


def shipped_names() -> list[str]:
    """The models that come with this program."""
    return sorted(path.stem for path in SHIPPED.glob("*.safetensors") if path.stem != "words")


def selected_program(config: NetworkConfig, execution: Execution, question: Question, table: Table) -> Program:
    """The discrete program of a hard execution: operation, column and argument of every step."""
    operations = config.entries
    acts, taking = acting(operations), conditions(operations)
    steps = []
    for chosen, columns, arguments in zip(*execution.trace.choice, strict=True):
        place = int(np.argmax(chosen))
        operation = operations[place]
        slot = int(np.argmax(columns[acts.index(operation)])) if operation in acts else 0
        argument: Argument = None
        if operation in taking and config.arguments == "step":
            candidate = int(np.argmax(arguments[taking.index(operation), slot]))
            argument = _candidate(config, question, table, slot, candidate)
        elif operation.argument == "number":
            argument = _pivots(execution, question)[operation.name]
        elif operation.argument == "text":
            argument = _matches(execution, table, slot)
        steps.append(Step(operation.name, None if operation.column == "none" else table.names[slot], argument))
    return program_of(steps, operations)


def _candidate(config: NetworkConfig, question: Question, table: Table, slot: int, candidate: int) -> Argument:
    """The argument of a step: one of the question's numbers or times, or after them one of its texts."""
    numbers = question.numbers or (NO_NUMBER,)
    if candidate < len(numbers):
        return question.periods[candidate] if is_date(table.columns[slot]) else numbers[candidate]
    candidate -= len(numbers)
    if question.links is not None:
        return question.links[candidate].meant(slot)
    words = pointed(question, table.names).words if config.columns == "pointers" else question.words
    return (words[candidate],)


def _pivots(execution: Execution, question: Question) -> dict[str, float]:
    """The number that each comparison takes, where one is chosen for the whole question."""
    assert execution.arguments.pivots is not None
    numbers = question.numbers or (NO_NUMBER,)
    return {name: numbers[int(np.argmax(execution.arguments.pivots[place]))] for place, name in enumerate(COMPARISONS)}


def _matches(execution: Execution, table: Table, slot: int) -> tuple[str, ...]:
    """The texts of a column that the whole question matches."""
    assert execution.arguments.text_match is not None
    texts = distinct_texts(table)
    matches = execution.arguments.text_match[: len(texts), slot]
    return tuple(texts[text] for text in np.flatnonzero(matches > 0.5))

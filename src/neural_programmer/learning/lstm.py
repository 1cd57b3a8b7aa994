"""A sequence-to-sequence LSTM of three layers, and one with attention (section 3.2.2), over the array API.

Question and table go in as one sequence of tokens: words as they are, numbers as their characters, with marks between
cells. The answer comes out as the characters of a number. The paper does not say how numbers become tokens; characters
are what lets a model meet numbers it never saw.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.base.arrays import Array, inside, masked, namespace, scan, sigmoid, softmax
from neural_programmer.base.notebook import line
from neural_programmer.base.settings import from_dict
from neural_programmer.data.paper.draws import Dataset
from neural_programmer.data.paper.settings import Task
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.config import LstmConfig
from neural_programmer.network import weights
from neural_programmer.network.encode import Vocabulary
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.result import Result
from neural_programmer.questions.question import NUMBER
from neural_programmer.tables.table import Table, is_text

CELL, TABLE, QUESTION, END = "<cell>", "<table>", "<question>", "<end>"
CHARACTERS = tuple("0123456789-.")
MARKS = (CELL, TABLE, QUESTION, END)
LONGEST_ANSWER = 12


class Layer(NamedTuple):
    """The gates of one LSTM layer: input, forget, output and candidate from [input; state]."""

    weights: Float[Array, "4*hidden input+hidden"]
    bias: Float[Array, "4*hidden"]


class Heads(NamedTuple):
    """Attention of the decoder on the encoder's states: a query for each head, and what to make of what they find."""

    queries: Float[Array, "heads hidden hidden"]
    output: Float[Array, "hidden heads_and_top"]


class Parameters(NamedTuple):
    words: Float[Array, "vocabulary hidden"]
    encoder: tuple[Layer, ...]
    decoder: tuple[Layer, ...]
    heads: Heads | None
    output: Float[Array, "vocabulary hidden"]


class Sequences(NamedTuple):
    """Tokens in and tokens out; one pair, or many with a leading axis."""

    inputs: Int[Array, "inputs"]
    input_count: Int[Array, ""]
    outputs: Int[Array, "outputs"]
    output_count: Int[Array, ""]


def cell(layer: Layer, state: tuple[Array, Array], inputs: Float[Array, "input"]) -> tuple[Array, Array]:
    """Return one step of an LSTM.

    i, f, o = sigmoid(W [x; h] + b),  c' = f c + i tanh(W [x; h] + b),  h' = o tanh(c')   (Hochreiter and Schmidhuber)
    """
    xp = namespace(layer.weights)
    hidden, memory = state
    width = inputs.shape[0]
    gates = inputs @ layer.weights[:, :width].T + hidden @ layer.weights[:, width:].T + layer.bias
    d = hidden.shape[0]
    let_in, keep, let_out = (sigmoid(gates[place * d : (place + 1) * d]) for place in range(3))
    memory = keep * memory + let_in * xp.tanh(gates[3 * d :])
    return let_out * xp.tanh(memory), memory


def stack(layers: tuple[Layer, ...], states: tuple, inputs: Array) -> tuple[Array, tuple]:
    """Return one step of all layers, each reading the one below it."""
    following = []
    for layer, state in zip(layers, states, strict=True):
        state = cell(layer, state, inputs)
        following.append(state)
        inputs = state[0]
    return inputs, tuple(following)


def encode_sequence(parameters: Parameters, sequence: Sequences) -> tuple[tuple, Float[Array, "inputs hidden"]]:
    """Read the input; the layers' last states, and the top layer's states for attention."""
    xp = namespace(parameters.words, sequence.inputs)
    zero = xp.zeros(parameters.words.shape[1], dtype=parameters.words.dtype)
    mask = inside(sequence.input_count, sequence.inputs.shape[0], sequence.inputs)

    def step(states: tuple, token: tuple) -> tuple[tuple, Array]:
        word, there = token
        top, following = stack(parameters.encoder, states, word)
        kept = tuple(
            (xp.where(there, h_new, h_old), xp.where(there, c_new, c_old))
            for (h_new, c_new), (h_old, c_old) in zip(following, states, strict=True)
        )
        return kept, top

    start = tuple((zero, zero) for _ in parameters.encoder)
    return scan(step, start, (parameters.words[sequence.inputs], mask))


def next_scores(
    parameters: Parameters,
    states: tuple,
    word: Float[Array, "hidden"],
    encoded: Float[Array, "inputs hidden"],
    mask: Bool[Array, "inputs"],
) -> tuple[tuple, Float[Array, "vocabulary"]]:
    """Return one step of the decoder: the next states, and a score for every token that may come next."""
    xp = namespace(parameters.words)
    top, states = stack(parameters.decoder, states, word)
    if parameters.heads is not None:
        queries = parameters.heads.queries @ top  # [heads, hidden]
        found = softmax(masked(queries @ encoded.T, mask)) @ encoded
        top = xp.tanh(xp.concat([xp.reshape(found, (-1,)), top]) @ parameters.heads.output.T)
    return states, parameters.output @ top


def loss(parameters: Parameters, sequence: Sequences, end: int) -> Float[Array, ""]:
    """-log P(answer characters | question, table), a mean over the characters"""
    xp = namespace(parameters.words, sequence.inputs)
    states, encoded = encode_sequence(parameters, sequence)
    mask = inside(sequence.input_count, sequence.inputs.shape[0], sequence.inputs)
    before = xp.concat([xp.full((1,), end, dtype=sequence.outputs.dtype), sequence.outputs[:-1]])

    def step(states: tuple, word: tuple) -> tuple[tuple, Array]:
        return next_scores(parameters, states, word[0], encoded, mask)

    _, scores = scan(step, states, (parameters.words[before],))
    largest = xp.max(scores, axis=-1, keepdims=True)
    log_sum = xp.log(xp.sum(xp.exp(scores - largest), axis=-1)) + largest[:, 0]
    right = xp.take_along_axis(scores, sequence.outputs[:, None], axis=-1)[:, 0]
    there = xp.astype(inside(sequence.output_count, sequence.outputs.shape[0], sequence.outputs), scores.dtype)
    return xp.sum((log_sum - right) * there) / xp.sum(there)


def generate(parameters: Parameters, sequence: Sequences, end: int, length: int) -> Int[Array, "length"]:
    """Return the most probable next token, again and again, each after those before it."""
    xp = namespace(parameters.words, sequence.inputs)
    states, encoded = encode_sequence(parameters, sequence)
    mask = inside(sequence.input_count, sequence.inputs.shape[0], sequence.inputs)

    def step(carry: tuple, _: tuple) -> tuple[tuple, Array]:
        states, word = carry
        states, scores = next_scores(parameters, states, parameters.words[word], encoded, mask)
        token = xp.argmax(scores)
        return (states, token), token

    first = xp.asarray(end, dtype=xp.argmax(encoded[0]).dtype)
    return scan(step, (states, first), (xp.zeros(length),))[1]


def tokens(question: str, table: Table, table_first: bool) -> list[str]:
    """Return question and table as one sequence of tokens, the table before or after the question."""
    asked = [QUESTION]
    for word in question.split():
        asked += list(_digits(float(word))) if NUMBER.fullmatch(word) else [word]
    cells = [TABLE]
    for name, column in zip(table.names, table.columns, strict=True):
        if is_text(column):
            raise NeuralProgrammerError(f"an LSTM reads numbers alone, and column {name} holds text")
        for value in column.tolist():
            cells += [*_digits(value), CELL]
    return cells + asked if table_first else asked + cells


def _digits(value: float) -> str:
    return f"{value:z.2f}".rstrip("0").rstrip(".") if value % 1 else f"{value:z.0f}"


def vocabulary_of(words: list[str]) -> Vocabulary:
    return Vocabulary.of([*words, *CHARACTERS, *MARKS])


def shapes(config: LstmConfig, vocabulary: int) -> Parameters:
    """Return the shape of every parameter, in the places of the parameters."""
    d = config.hidden
    layers = tuple(Layer((4 * d, 2 * d), (4 * d,)) for _ in range(config.layers))
    heads = Heads((config.heads, d, d), (d, (config.heads + 1) * d)) if config.heads else None
    return Parameters((vocabulary, d), layers, layers, heads, (vocabulary, d))


def initial(config: LstmConfig, vocabulary: int, generator: np.random.Generator) -> Parameters:
    """Draw weights uniformly from [-1, 1] / sqrt(fan in). Biases are 0, those of the forget gates 1."""

    def draw(shape: tuple[int, ...]) -> np.ndarray:
        if len(shape) == 1:
            bias = np.zeros(shape, np.float32)
            bias[shape[0] // 4 : shape[0] // 2] = 1.0
            return bias
        limit = shape[-1] ** -0.5
        return generator.uniform(-limit, limit, shape).astype(np.float32)

    return weights.map_tree(draw, shapes(config, vocabulary))


@dataclass(frozen=True)
class LstmModel:
    """A trained LSTM: answers with a number, shows no program."""

    config: LstmConfig
    vocabulary: Vocabulary
    parameters: Parameters
    trained: weights.Trained = weights.Trained()  # noqa: RUF009  frozen

    KIND = "lstm"

    def __repr__(self) -> str:
        """In a line: what it was trained on, and how large it is."""
        size = sum(array.size for _, array in weights.flatten(self.parameters))
        return line("LstmModel", f"task: {self.trained.task or 'none named'}", f"weights: {size:,}")

    def answer(self, question: str, table: Table) -> Answer:
        inputs = self.vocabulary.encode(tokens(question, table, self.config.table_first))
        sequence = Sequences(np.asarray(inputs), np.asarray(len(inputs)), np.zeros(1, int), np.asarray(0))
        end = self.vocabulary.places[END]
        said = generate(self.parameters, sequence, end, LONGEST_ANSWER).tolist()
        characters = "".join(self.vocabulary.words[token] for token in said[: said.index(end) if end in said else None])
        try:
            return Answer(Result.number(float(characters)))
        except ValueError:
            return Answer(reason=f"the LSTM said {characters!r}, which is not a number")

    def save(self, path: str | Path) -> None:
        weights.save(Path(path), self)

    @classmethod
    def restore(
        cls, description: dict[str, Any], arrays: dict[str, np.ndarray], own: tuple[Any, ...] = ()
    ) -> "LstmModel":
        """Return the model that these stored pieces describe. It selects no operations, so that `own` is not used."""
        return weights.restore(cls, from_dict(LstmConfig, description["config"]), shapes, description, arrays)


@dataclass(frozen=True)
class LstmLearner:
    """The LSTM, trained on the characters of the answers, with fresh examples at every step."""

    config: LstmConfig
    vocabulary: Vocabulary
    fresh = True
    averaged = False

    def initial(self, generator: np.random.Generator) -> Parameters:
        return initial(self.config, len(self.vocabulary), generator)

    def encode(self, dataset: Dataset) -> Sequences:
        """Return all triples as padded sequences of tokens. Their length is the task's, so that JAX compiles once."""
        if dataset.task.lookups or dataset.task.texts:
            raise NeuralProgrammerError(
                f"an LSTM reads and says numbers alone, and {dataset.task.name} also asks for look-ups; "
                "train it on single-column-scalars"
            )
        longest = longest_input(dataset.task)
        inputs = np.zeros((len(dataset), longest), np.int32)
        outputs = np.zeros((len(dataset), LONGEST_ANSWER), np.int32)
        counts = np.zeros((2, len(dataset)), np.int32)
        for place, triple in enumerate(dataset):
            said = self.vocabulary.encode(tokens(triple.question, triple.table, self.config.table_first))
            answer = self.vocabulary.encode([*_digits(triple.answer.scalar or 0.0), END])
            inputs[place, : len(said)], outputs[place, : len(answer)] = said, answer
            counts[:, place] = len(said), len(answer)
        return Sequences(inputs, counts[0], outputs, counts[1])

    def loss(self, parameters: Parameters, sequence: Sequences, settings: Any, now: Any, key: Any) -> Float[Array, ""]:
        return loss(parameters, sequence, self.vocabulary.places[END])

    def correct(self, parameters: Parameters, sequence: Sequences) -> Bool[Array, ""]:
        xp = namespace(parameters.words, sequence.inputs)
        length = sequence.outputs.shape[0]
        said = generate(parameters, sequence, self.vocabulary.places[END], length)
        beyond = ~inside(sequence.output_count, length, sequence.outputs)
        return xp.all((said == sequence.outputs) | beyond)

    def answered(self, parameters: Any, data: Any) -> Bool[Array, "restarts questions"]:
        from neural_programmer.learning.training import answered  # which needs JAX, and an LSTM that is asked does not

        return answered(self, parameters, data)

    def model(self, parameters: Parameters, trained: weights.Trained) -> LstmModel:
        return LstmModel(self.config, self.vocabulary, parameters, trained)


def longest_input(task: Task) -> int:
    """Return the most tokens that a question and a table of this task can have."""
    number = len(_digits(-float(task.train_range))) + (task.decimals and 1 + task.decimals)
    table = 1 + task.train_rows[1] * len(task.columns) * (number + 1)
    grammar = task.grammar
    condition, output = (max(len(clause.words) for clause in part) for part in (grammar.conditions, grammar.outputs))
    return table + 1 + 2 * condition + 1 + output + 2 * number

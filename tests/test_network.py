"""Reference: every function against loops written from the equations of section 2, in float64; then NumPy against JAX.

The loops multiply with concatenations, W [a; b], as the paper writes them, and see no padding.
"""

import jax
import numpy as np
import pytest

from neural_programmer import network
from neural_programmer.config import NetworkConfig
from neural_programmer.encode import Sizes, encode
from neural_programmer.executor import HARD, SOFT, execute
from neural_programmer.operations import available
from neural_programmer.question import Question
from neural_programmer.table import Table
from programs import QUESTION, VOCABULARY, random_table

HIDDEN = 6
RNN = NetworkConfig(hidden=HIDDEN)
ATTENTION = NetworkConfig(hidden=HIDDEN, reader="bidirectional", attention=True, pivot="mixed")
TEXT = NetworkConfig(hidden=HIDDEN, reader="bidirectional", text_match=True)
EVERYTHING = NetworkConfig(hidden=HIDDEN, reader="bidirectional", attention=True, pivot="mixed", text_match=True)
READERS = pytest.mark.parametrize("config", [RNN, ATTENTION], ids=["rnn", "bidirectional"])

ASKED = Question(("greater", "column", "B", "word:1", "lesser", "A", "sum", "C"), (12.5, -3.25), (0, 4))
NAMES = ("A", "column B", "sum of column C", "D")
TABLE = Table(
    NAMES,
    (
        np.array([1.5, 20.0, -7.25]),
        np.array(["word:1", "word:0", "word:1"]),
        np.array([30.0, 2.5, -40.0]),
        np.array(["word:2", "word:1", "word:2"]),
    ),
)
NUMBERS = Table(("A", "sum of column C"), (TABLE.columns[0], TABLE.columns[2]))
ROOM = Sizes(words=11, numbers=4, columns=6, name_words=4, rows=9, texts=5)


def double(tree):
    return jax.tree.map(lambda array: array.astype(np.float64) if array.dtype.kind == "f" else array, tree)


def parameters_of(config, seed=0):
    """Weights ten times as large as the initial ones, so that no equation is near its linear part."""
    initial = network.initial(config, len(VOCABULARY), np.random.default_rng(seed))
    return jax.tree.map(lambda array: 10 * array, double(initial))


def vector(seed):
    return np.random.default_rng(seed).uniform(-1, 1, HIDDEN)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)


def naive_softmax(scores):
    powers = [np.exp(score) for score in scores]
    return np.array([power / sum(powers) for power in powers])


def naive_sigmoid(score):
    return 1 / (1 + np.exp(-score))


def naive_states(weights, vectors):
    """z_i = tanh(W [z_{i-1}; V(w_i)]), z_0 = 0 (section 2.1)"""
    state, states = np.zeros(len(weights)), []
    for word in vectors:
        state = np.tanh(weights @ np.concatenate([state, word]))
        states.append(state)
    return states


def naive_read(parameters, words):
    """q and z_1 ... z_Q; from both ends, the last state of each is that of the word at its far end (section 2.1)."""
    vectors = [parameters.words[word] for word in words]
    forward = naive_states(parameters.forward, vectors)
    if parameters.backward is None:
        return forward[-1], forward
    backward = naive_states(parameters.backward, vectors[::-1])[::-1]
    states = [np.concatenate(pair) for pair in zip(forward, backward, strict=True)]
    return np.concatenate([forward[-1], backward[0]]), states


def naive_attend(parameters, question, states, history):
    """q_t = q + sum_i softmax_i(v . tanh(W_h h_t + W_z z_i)) z_i"""
    if parameters.attention is None:
        return question
    of_history, of_states, score = parameters.attention
    scores = [score @ np.tanh(of_history @ history + of_states @ state) for state in states]
    return question + sum(weight * state for weight, state in zip(naive_softmax(scores), states, strict=True))


def naive_columns(parameters, names):
    """P: the embedding of a name's only word, or the RNN's reading of several (section 2.2)"""
    rows = []
    for name in names:
        words = VOCABULARY.encode(name.split())
        rows.append(parameters.words[words[0]] if len(words) == 1 else naive_read(parameters, words)[0])
    return np.array(rows)


def naive_text_match(parameters, question, states, columns, table):
    """A, B, D, E, G and text_match, cell by cell (section 2.3.1); zero in columns of numbers."""
    matches = np.zeros((table.rows, len(table.names)))
    for k, (name, column) in enumerate(zip(table.names, table.columns, strict=True)):
        if not table.is_text(name):
            continue
        entries = [parameters.words[VOCABULARY.places[text]] for text in column.tolist()]  # A[m][k]
        coarse = [naive_sigmoid(entry @ question) for entry in entries]  # B[m][k]
        mean = sum(b * a for b, a in zip(coarse, entries, strict=True)) / table.rows  # D[k]
        attending = mean + columns[k]  # E[k]
        weights = naive_softmax([attending @ state for state in states])
        attended = sum(weight * state for weight, state in zip(weights, states, strict=True))  # G[k]
        for m, entry in enumerate(entries):
            matches[m, k] = naive_sigmoid(entry @ attended)
    return matches


def naive_execute(parameters, config, question, table):
    """Algorithm 1 with soft selections, one cell at a time: what every step selects, and the answers at its end."""
    names = [operation.name for operation in available(config.text_match)]
    q, states = naive_read(parameters, VOCABULARY.encode(question.words))
    columns = naive_columns(parameters, table.names)
    rows, width = range(table.rows), range(len(table.names))
    numeric = [not table.is_text(name) for name in table.names]
    matches = naive_text_match(parameters, q, states, columns, table) if config.text_match else None
    betas = {}
    for name in ("greater", "lesser"):
        left = [states[position] for position in question.number_positions]  # Z
        betas[name] = naive_softmax([state @ parameters.operations[names.index(name)] for state in left])

    def compared(i, j, name):
        """g_t[i][j] or l_t[i][j]: with the mean of the numbers, or with each of them"""
        pivots, weights = question.numbers, betas[name]
        if config.pivot == "blended":
            pivots, weights = [sum(weights * pivots)], [1.0]
        sign = 1 if name == "greater" else -1
        return sum(w for w, pivot in zip(weights, pivots, strict=True) if sign * (table.columns[j][i] - pivot) > 0)

    history = np.zeros(HIDDEN)
    selects, scalars = [np.ones(table.rows)] * 2, [0.0] * 3
    lookup = np.zeros((table.rows, len(table.names)))
    trace = []
    for _ in range(config.program_steps):
        seen = naive_attend(parameters, q, states, history)
        chosen = np.concatenate([seen, history])
        op = naive_softmax(parameters.operations @ np.tanh(parameters.operation_selector @ chosen))
        col = naive_softmax(columns @ np.tanh(parameters.column_selector @ chosen))
        a = dict(zip(names, op, strict=True))
        scalar = a["count"] * sum(selects[-1]) + a["difference"] * (scalars[-3] - scalars[-1])
        row_select = np.zeros(table.rows)
        for i in rows:
            row_select[i] += a["and"] * min(selects[-1][i], selects[-2][i])
            row_select[i] += a["or"] * max(selects[-1][i], selects[-2][i]) + a["reset"]
            for j in width:
                lookup[i, j] = col[j] * a["assign"] * selects[-1][i]
                if numeric[j]:
                    scalar += col[j] * a["sum"] * selects[-1][i] * table.columns[j][i]
                    row_select[i] += col[j] * sum(a[name] * compared(i, j, name) for name in ("greater", "lesser"))
                elif config.text_match:
                    row_select[i] += col[j] * a["text match"] * matches[i, j]
        selects.append(row_select)
        scalars.append(scalar)
        trace.append((op, col, row_select, scalar))
        c = np.concatenate([op @ parameters.operations, col @ columns])
        history = np.tanh(parameters.history @ np.concatenate([c, history]))
    return [np.array(values) for values in zip(*trace, strict=True)], lookup, betas


@pytest.mark.parametrize("words", [1, 5])
def test_recurrent_states(words):
    parameters = parameters_of(RNN)
    inputs = np.random.default_rng(1).normal(size=(words, HIDDEN))
    found = network.recurrent_states(parameters.forward, inputs, np.ones(words, bool))
    close(found, naive_states(parameters.forward, inputs))


def test_recurrent_states_stay_where_the_mask_is_false():
    parameters = parameters_of(RNN)
    inputs = np.random.default_rng(1).normal(size=(5, HIDDEN))
    found = network.recurrent_states(parameters.forward, inputs, np.array([False, True, True, False, True]))
    one, two, three = naive_states(parameters.forward, inputs[[1, 2, 4]])
    close(found, [np.zeros(HIDDEN), one, two, two, three])


@READERS
@pytest.mark.parametrize("padding", [0, 3])
def test_read(config, padding):
    parameters = parameters_of(config)
    words = VOCABULARY.encode(ASKED.words)
    count = np.asarray(len(words))
    reading = network.read(parameters, np.array(words + [0] * padding), count)
    question, states = naive_read(parameters, words)
    close(reading.question, question)
    close(reading.states[: len(words)], states)
    assert reading.question.shape == (HIDDEN,)
    assert reading.mask.tolist() == [True] * len(words) + [False] * padding


@pytest.mark.parametrize("padding", [0, 3])
def test_attend(padding):
    parameters = parameters_of(ATTENTION)
    words = VOCABULARY.encode(ASKED.words)
    reading = network.read(parameters, np.array(words + [0] * padding), np.asarray(len(words)))
    question, states = naive_read(parameters, words)
    found = network.attend(parameters, reading, vector(2))
    close(found, naive_attend(parameters, question, states, vector(2)))
    assert np.abs(found - network.attend(parameters, reading, vector(3))).max() > 1e-3


def test_without_attention_every_step_sees_the_same_question():
    parameters = parameters_of(RNN)
    reading = network.read(parameters, np.array([1, 2]), np.asarray(2))
    assert network.attend(parameters, reading, vector(2)) is reading.question


@READERS
@pytest.mark.parametrize("names", [NAMES, ("A", "D"), ("sum of", "column B")], ids=["mixed", "one word", "several"])
def test_column_vectors(config, names):
    """Names of one word and of several, side by side and alone."""
    parameters = parameters_of(config)
    columns = tuple(np.zeros(1) for _ in names)
    example = encode(ASKED, Table(names, columns), VOCABULARY)
    found = network.column_vectors(parameters, example.names, example.name_counts)
    close(found, naive_columns(parameters, names))


def test_column_vectors_do_not_see_padding():
    parameters = parameters_of(ATTENTION)
    example = encode(ASKED, TABLE, VOCABULARY, ROOM)
    found = network.column_vectors(parameters, example.names, example.name_counts)
    close(found[: len(NAMES)], naive_columns(parameters, NAMES))


def test_operation_scores():
    parameters = parameters_of(TEXT)
    found = network.operation_scores(parameters, vector(1), vector(2))
    both = np.concatenate([vector(1), vector(2)])
    close(found, [u @ np.tanh(parameters.operation_selector @ both) for u in parameters.operations])


def test_column_scores():
    parameters = parameters_of(TEXT)
    columns = naive_columns(parameters, NAMES)
    found = network.column_scores(parameters, columns, vector(1), vector(2))
    both = np.concatenate([vector(1), vector(2)])
    close(found, [p @ np.tanh(parameters.column_selector @ both) for p in columns])


def test_pivot_scores():
    """Each number is scored by the state of the word to its left."""
    states = np.random.default_rng(3).normal(size=(5, HIDDEN))
    found = network.pivot_scores(states, np.array([3, 0, 3]), vector(1))
    close(found, [states[3] @ vector(1), states[0] @ vector(1), states[3] @ vector(1)])


@pytest.mark.parametrize("room", [None, ROOM], ids=["tight", "padded"])
def test_text_matches(room):
    parameters = parameters_of(TEXT)
    example = double(encode(ASKED, TABLE, VOCABULARY, room))
    reading = network.read(parameters, example.words, example.word_count)
    columns = network.column_vectors(parameters, example.names, example.name_counts)
    found = network.text_matches(parameters, reading, columns, example)
    question, states = naive_read(parameters, VOCABULARY.encode(ASKED.words))
    expected = naive_text_match(parameters, question, states, naive_columns(parameters, NAMES), TABLE)
    for k in (1, 3):
        for m in range(TABLE.rows):
            close(found[example.cells[m, k], k], expected[m, k])
    assert np.ptp(expected[:, [1, 3]]) > 0.05


def test_next_history():
    parameters = parameters_of(TEXT)
    generator = np.random.default_rng(4)
    operation, column = generator.dirichlet(np.ones(10)), generator.dirichlet(np.ones(len(NAMES)))
    columns = naive_columns(parameters, NAMES)
    found = network.next_history(parameters, vector(1), operation, column, columns)
    weighted_operations = sum(a * u for a, u in zip(operation, parameters.operations, strict=True))
    weighted_columns = sum(a * p for a, p in zip(column, columns, strict=True))
    close(found, np.tanh(parameters.history @ np.concatenate([weighted_operations, weighted_columns, vector(1)])))


@pytest.mark.parametrize("room", [None, ROOM], ids=["tight", "padded"])
@pytest.mark.parametrize(
    ("config", "table"),
    [(RNN, NUMBERS), (ATTENTION, NUMBERS), (TEXT, TABLE), (EVERYTHING, TABLE)],
    ids=["rnn", "attention", "text", "everything"],
)
def test_soft_execution_is_algorithm_1(config, table, room):
    parameters = parameters_of(config, seed=5)
    found = execute(parameters, config, double(encode(ASKED, table, VOCABULARY, room)), SOFT)
    (operation, column, row_select, scalar), lookup, betas = naive_execute(parameters, config, ASKED, table)
    rows, columns = table.rows, len(table.names)
    close(found.trace.operation, operation)
    close(found.trace.column[:, :columns], column)
    close(found.trace.row_select[:, :rows], row_select)
    close(found.trace.scalar_answer, scalar)
    close(found.scalar_answer, scalar[-1])
    close(found.lookup_answer[:rows, :columns], lookup)
    close(found.pivots[:, : len(ASKED.numbers)], [betas["greater"], betas["lesser"]])
    fitting = 1.0  # the probability that every step acts on a column of the kind it needs
    for a_operation, a_column in zip(operation, column, strict=True):
        fitting *= sum(
            a_operation[o] * a_column[c]
            for o, entry in enumerate(available(config.text_match))
            for c, name in enumerate(table.names)
            if entry.column in ("none", "any") or (entry.column == "text") == table.is_text(name)
        )
    close(found.gives_scalar, fitting * operation[-1, :3].sum())
    close(found.gives_lookup, fitting * operation[-1, 7])


@pytest.mark.parametrize("config", [RNN, EVERYTHING], ids=["rnn", "everything"])
def test_probabilities_sum_to_one(config):
    generator = np.random.default_rng(6)
    parameters = parameters_of(config)
    for _ in range(20):
        table = random_table(generator, texts=config.text_match)
        found = execute(parameters, config, double(encode(QUESTION, table, VOCABULARY, ROOM)), SOFT)
        for probabilities in (found.trace.operation, found.trace.column, found.pivots):
            assert (probabilities >= 0).all()
            close(probabilities.sum(axis=-1), 1)
        assert (found.trace.column[:, len(table.names) :] == 0).all()
        for selected in (found.trace.row_select, found.lookup_answer):
            assert (selected >= 0).all()
            assert (selected <= 1 + 1e-9).all()


@pytest.mark.parametrize("config", [RNN, EVERYTHING], ids=["rnn", "everything"])
def test_jax_gives_the_numbers_of_numpy(config):
    """The whole execution in float32, soft and hard: compiled for a batch, and one by one without JAX."""
    parameters = jax.tree.map(lambda array: array.astype(np.float32), parameters_of(config, seed=7))
    generator = np.random.default_rng(8)
    tables = [random_table(generator, texts=config.text_match) for _ in range(11)] + [TABLE] * config.text_match
    examples = [encode(QUESTION, table, VOCABULARY, ROOM) for table in tables]
    stacked = jax.tree.map(lambda *arrays: np.stack(arrays), *examples)

    def both(parameters, example):
        return execute(parameters, config, example, SOFT), execute(parameters, config, example, HARD)

    compiled = jax.jit(jax.vmap(both, (None, 0)))(parameters, stacked)
    for place, example in enumerate(examples):
        expected = both(parameters, example)
        assert all(isinstance(leaf, np.ndarray | np.generic) for leaf in jax.tree.leaves(expected))
        found = jax.tree.map(lambda array, place=place: np.asarray(array[place]), compiled)
        for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
            assert one.dtype == other.dtype == np.float32
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


def test_initial_weights_are_small_and_drawn_from_the_generator():
    def draw(seed):
        return network.initial(EVERYTHING, 300, np.random.default_rng(seed))

    for leaf in jax.tree.leaves(draw(0)):
        assert leaf.dtype == np.float32
        assert np.abs(leaf).max() <= 0.1
    words = draw(0).words
    assert words.min() < -0.099
    assert words.max() > 0.099
    np.testing.assert_allclose(words.std(), 0.1 / 3**0.5, rtol=0.05)
    np.testing.assert_array_equal(draw(0).words, words)
    for one, other in zip(jax.tree.leaves(draw(0)), jax.tree.leaves(draw(1)), strict=True):
        assert (one != other).mean() > 0.9
    assert not np.array_equal(draw(0).operation_selector, draw(0).column_selector)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (
            NetworkConfig(),
            network.Parameters((20, 256), (256, 512), None, None, (9, 256), (256, 512), (256, 512), (256, 768)),
        ),
        (
            NetworkConfig(hidden=8, reader="bidirectional", attention=True, text_match=True),
            network.Parameters(
                words=(20, 8),
                forward=(4, 12),
                backward=(4, 12),
                attention=network.Attention((8, 8), (8, 8), (8,)),
                operations=(10, 8),
                operation_selector=(8, 16),
                column_selector=(8, 16),
                history=(8, 24),
            ),
        ),
    ],
    ids=["paper", "everything"],
)
def test_shapes(config, expected):
    assert network.shapes(config, 20) == expected
    drawn = network.initial(config, 20, np.random.default_rng(0))
    assert jax.tree.map(np.shape, drawn) == expected

"""Reference: every function against loops written from the equations of section 2, in float64; then NumPy against JAX.

The loops multiply with concatenations, W [a; b], as the paper writes them, and see no padding.
"""

from dataclasses import replace

import jax
import numpy as np
import pytest

from neural_programmer.candidates.results import RESULT_FEATURES
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import (
    UNKNOWN,
    Example,
    Sizes,
    Vocabulary,
    empty,
    encode,
    sizes,
    write_linked,
)
from neural_programmer.network.executor import HARD, SOFT, Choice, execute, first_history, fixed_of, prepare, remember
from neural_programmer.network.features import COLUMN_FEATURES, LINK_FEATURES
from neural_programmer.network.soft import ALL
from neural_programmer.programs.operations import EVERY, acting, conditions, named
from neural_programmer.programs.operations import TEXT as TEXT_OPERATIONS
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.questions.question import Link, Question
from neural_programmer.questions.tokens import name_words, tokenized
from neural_programmer.questions.vectors import WordVectors
from neural_programmer.tables.table import Table, is_date, is_text
from neural_programmer.tables.views import written
from random_programs import QUESTION, VOCABULARY, linked, random_table

HIDDEN = 6
RNN = NetworkConfig(hidden=HIDDEN, reader="rnn", attention=False, arguments="blended", columns="names")
ATTENTION = replace(RNN, reader="bidirectional", attention=True, arguments="mixed")
TEXT = replace(RNN, reader="bidirectional", operations=TEXT_OPERATIONS)
EVERYTHING = replace(ATTENTION, operations=TEXT_OPERATIONS)
DEFAULT = NetworkConfig(hidden=HIDDEN)
DEFAULT_TEXT = replace(DEFAULT, operations=TEXT_OPERATIONS)
ALL_OPERATIONS = replace(DEFAULT, operations=ALL)
STEP_BY_NAMES = replace(DEFAULT_TEXT, columns="names")
MIXED_BY_POINTERS = replace(DEFAULT_TEXT, arguments="mixed")
GATED = replace(ATTENTION, reader="gated")
READERS = pytest.mark.parametrize("config", [RNN, ATTENTION, GATED], ids=["rnn", "bidirectional", "gated"])

ASKED = Question(("greater", "column", "B", "word:1", "lesser", "A", "sum", "C", "A"), (12.5, -3.25), (0, 4))
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
# By hand: the question with the columns of either table read as one word, and where each of them is mentioned
POINTED = {
    TABLE.names: (
        Question(
            ("greater", "[column]", "word:1", "lesser", "[column]", "sum", "C", "[column]"), (12.5, -3.25), (0, 3)
        ),
        ((4, 7), (1,), (), ()),
    ),
    NUMBERS.names: (
        Question(
            ("greater", "column", "B", "word:1", "lesser", "[column]", "sum", "C", "[column]"), (12.5, -3.25), (0, 4)
        ),
        ((5, 8), ()),
    ),
}
ROOM = Sizes(words=12, links=10, numbers=4, columns=6, name_words=4, rows=9, texts=5)


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


def naive_gated_states(weights, vectors):
    """r = sigmoid(W_r [z_{i-1}; V(w_i)]), u = sigmoid(W_u [z_{i-1}; V(w_i)]),
    z_i = u * z_{i-1} + (1 - u) * tanh(W_z [r * z_{i-1}; V(w_i)]), z_0 = 0; one unit after the other"""
    size = len(weights) // 3
    of_reset, of_update, of_new = weights[:size], weights[size : 2 * size], weights[2 * size :]
    state, states = np.zeros(size), []
    for word in vectors:
        both = np.concatenate([state, word])
        reset = [naive_sigmoid(row @ both) for row in of_reset]
        update = [naive_sigmoid(row @ both) for row in of_update]
        after_reset = [r * z for r, z in zip(reset, state, strict=True)]
        new = [np.tanh(row @ np.concatenate([after_reset, word])) for row in of_new]
        state = np.array([u * z + (1 - u) * n for u, z, n in zip(update, state, new, strict=True)])
        states.append(state)
    return states


def naive_states(weights, vectors):
    """z_i = tanh(W [z_{i-1}; V(w_i)]), z_0 = 0 (section 2.1)"""
    if len(weights) + len(vectors[0]) != weights.shape[1]:
        return naive_gated_states(weights, vectors)
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
    """q_t = q + sum_i softmax_i(z_i . W h_t) z_i"""
    if parameters.attention is None:
        return question
    scores = [state @ (parameters.attention @ history) for state in states]
    return question + sum(weight * state for weight, state in zip(naive_softmax(scores), states, strict=True))


def naive_columns(parameters, names):
    """P: the embedding of a name's only word, or the RNN's reading of several (section 2.2)"""
    rows = []
    for name in names:
        words = VOCABULARY.encode(name.split())
        rows.append(parameters.words[words[0]] if len(words) == 1 else naive_read(parameters, words)[0])
    return np.array(rows)


def naive_pointed_columns(states, mentions):
    """P by pointers: the mean of the states at a column's mentions, zero without any"""
    rows = []
    for positions in mentions:
        total = np.zeros(HIDDEN)
        for position in positions:
            total = total + states[position]
        rows.append(total / len(positions) if positions else total)
    return np.array(rows)


def naive_argument_scores(parameters, candidates, operation, column, question, history):
    """G_n . (tanh(W^arg [q; h_t; U(op)]) + W^col,arg P_j)"""
    asking = np.tanh(parameters.argument_selector @ np.concatenate([question, history, operation]))
    return [candidate @ (asking + parameters.column_argument @ column) for candidate in candidates]


def naive_column_scores(parameters, columns, operation, question, history):
    """P_j . (tanh(W^col [q; h_t]) + W^op,col U(op)); without the latter in the paper"""
    asking = np.tanh(parameters.column_selector @ np.concatenate([question, history]))
    if parameters.operation_column is not None:
        asking = asking + parameters.operation_column @ operation
    return np.array([column @ asking for column in columns])


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
    """Algorithm 1 with soft selections, one cell at a time: what every step selects, and the answers at its end.

    A column for each operation, an argument for each operation and column; in the paper's network all share them.
    """
    operations = named(config.operations)
    names = [entry.name for entry in operations]
    mentions = None
    if config.columns == "pointers":
        question, mentions = POINTED[table.names]
    q, states = naive_read(parameters, VOCABULARY.encode(question.words))
    columns = naive_columns(parameters, table.names) if mentions is None else naive_pointed_columns(states, mentions)
    per_step = config.arguments == "step"
    matches = naive_text_match(parameters, q, states, columns, table) if config.matches_text and not per_step else None
    left = [states[position] for position in question.number_positions]  # Z
    candidates = {"number": left, "text": states}
    betas = {}
    for name in ("greater", "lesser"):
        betas[name] = naive_softmax([state @ parameters.operations[names.index(name)] for state in left])

    def holds(name, i, j, weights):
        """g_t[i][j], l_t[i][j] or match[i][j]: with each of the arguments, or with the mean of the numbers"""
        cell = table.columns[j][i]
        if table.is_text(table.names[j]) != (name == "text match"):
            return 0.0
        if name == "text match" and not per_step:
            return matches[i, j]
        if name == "text match":
            return sum(w for w, word in zip(weights, question.words, strict=True) if word == cell)
        pivots = question.numbers
        if config.arguments == "blended":
            pivots, weights = [sum(weights * pivots)], [1.0]
        sign = 1 if name == "greater" else -1
        return sum(w for w, pivot in zip(weights, pivots, strict=True) if sign * (cell - pivot) > 0)

    def fits(entry, name):
        return entry.column in ("none", "any") or (entry.column == "text") == table.is_text(name)

    history = np.zeros(HIDDEN)
    selects, scalars = [np.ones(table.rows)] * 2, [0.0] * 3
    lookup = np.zeros((table.rows, len(table.names)))
    trace = []
    for _ in range(config.program_steps):
        seen = naive_attend(parameters, q, states, history)
        chosen = np.concatenate([seen, history])
        op_scores = parameters.operations @ np.tanh(parameters.operation_selector @ chosen)
        col = np.zeros((len(names), len(table.names)))
        arguments = {}
        for o, (entry, u) in enumerate(zip(operations, parameters.operations, strict=True)):
            usable = [c for c, name in enumerate(table.names) if not per_step or fits(entry, name)]
            if usable:
                col[o, usable] = naive_softmax(naive_column_scores(parameters, columns, u, seen, history)[usable])
            else:
                op_scores[o] = -np.inf
            if entry.argument != "none" and per_step:
                found = candidates[entry.argument]
                scores = [naive_argument_scores(parameters, found, u, column, seen, history) for column in columns]
                arguments[entry.name] = np.array([naive_softmax(row) for row in scores])
            elif entry.argument != "none":
                arguments[entry.name] = [betas.get(entry.name)] * len(columns)
        op = naive_softmax(op_scores)
        a = dict(zip(names, op, strict=True))
        scalar = a["count"] * sum(selects[-1]) + a["difference"] * (scalars[-3] - scalars[-1])
        row_select = np.zeros(table.rows)
        for i in range(table.rows):
            row_select[i] += a["and"] * min(selects[-1][i], selects[-2][i])
            row_select[i] += a["or"] * max(selects[-1][i], selects[-2][i]) + a["reset"]
            for j, name in enumerate(table.names):
                lookup[i, j] = col[names.index("assign"), j] * a["assign"] * selects[-1][i]
                if not table.is_text(name):
                    scalar += col[names.index("sum"), j] * a["sum"] * selects[-1][i] * table.columns[j][i]
                for condition, weights in arguments.items():
                    row_select[i] += col[names.index(condition), j] * a[condition] * holds(condition, i, j, weights[j])
        selects.append(row_select)
        scalars.append(scalar)
        trace.append((op, col, row_select, scalar, arguments))
        history = naive_next_history(parameters, config, history, op, col, arguments, columns, candidates)
    return list(zip(*trace, strict=True)), lookup, betas


def naive_next_history(parameters, config, history, op, col, arguments, columns, candidates):
    """h_t = tanh(W^history [c_t; h_{t-1}]),  c_t = [alpha^op U; alpha^col P] (section 2.4)

    With arguments at every step c_t = sum_op a(op) [U(op); P(op); G(op)], where P(op) and G(op) are the column and the
    argument of the operation, zero where it uses none.
    """
    operations = named(config.operations)
    if config.arguments != "step":
        c = np.concatenate([op @ parameters.operations, col[0] @ columns])
        return np.tanh(parameters.history @ np.concatenate([c, history]))
    from_operation, from_column, from_argument = np.zeros((3, HIDDEN))
    for o, entry in enumerate(operations):
        from_operation = from_operation + op[o] * parameters.operations[o]
        if entry.column != "none":
            for weight, vector in zip(col[o], columns, strict=True):
                from_column = from_column + op[o] * weight * vector
        if entry.argument != "none":
            for a_column, weights in zip(col[o], arguments[entry.name], strict=True):
                for weight, state in zip(weights, candidates[entry.argument], strict=True):
                    from_argument = from_argument + op[o] * a_column * weight * state
    return np.tanh(parameters.history @ np.concatenate([from_operation, from_column, from_argument, history]))


@pytest.mark.parametrize("words", [1, 5])
@READERS
def test_recurrent_states(config, words):
    parameters = parameters_of(config)
    inputs = np.random.default_rng(1).normal(size=(words, HIDDEN))
    found = network.recurrent_states(parameters.forward, inputs, np.ones(words, bool))
    close(found, naive_states(parameters.forward, inputs))


@READERS
def test_recurrent_states_stay_where_the_mask_is_false(config):
    parameters = parameters_of(config)
    inputs = np.random.default_rng(1).normal(size=(5, HIDDEN))
    found = network.recurrent_states(parameters.forward, inputs, np.array([False, True, True, False, True]))
    one, two, three = naive_states(parameters.forward, inputs[[1, 2, 4]])
    close(found, [np.zeros_like(one), one, two, two, three])


def test_a_gated_reader_may_stay_as_it_was_or_forget():
    """With large weights of the gates: u = 1 leaves the state as it was, r = 0 reads every word as if it was alone."""
    weights = np.random.default_rng(0).normal(size=(9, 5))
    inputs = np.abs(np.random.default_rng(1).normal(size=(4, 2))) + 0.1
    gates = {"reset": slice(0, 3), "update": slice(3, 6)}

    def states(**large):
        changed = weights.copy()
        for gate, value in large.items():
            changed[gates[gate]] = [0, 0, 0, value, value]
        return network.recurrent_states(changed, inputs, np.ones(4, bool))

    close(states(update=1e4), np.zeros((4, 3)))
    close(states(update=-1e4, reset=-1e4), [np.tanh(weights[6:, 3:] @ word) for word in inputs])


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


def selectors(parameters):
    """Those of operation, column and, with an argument at every step, argument."""
    every = (parameters.operation_selector, parameters.column_selector, parameters.argument_selector)
    return [selector for selector in every if selector is not None]


def naive_seen(parameters, question):
    """W_q q of every selector"""
    return np.array([selector[:, :HIDDEN] @ question for selector in selectors(parameters)])


@pytest.mark.parametrize("padding", [0, 3])
@pytest.mark.parametrize("config", [ATTENTION, DEFAULT], ids=["once", "every step"])
def test_attend(config, padding):
    """Each selector sees W_q q_t."""
    parameters = parameters_of(config)
    words = VOCABULARY.encode(ASKED.words)
    reading = network.read(parameters, np.array(words + [0] * padding), np.asarray(len(words)))
    question, states = naive_read(parameters, words)
    asked = network.ask(parameters, reading, fixed_of(parameters, config))
    found = network.attend(asked, reading.mask, vector(2))
    close(found, naive_seen(parameters, naive_attend(parameters, question, states, vector(2))))
    assert len(found) == (3 if config is DEFAULT else 2)
    assert np.abs(found - network.attend(asked, reading.mask, vector(3))).max() > 1e-3


@pytest.mark.parametrize("config", [RNN, replace(DEFAULT, attention=False)], ids=["once", "every step"])
def test_without_attention_every_step_sees_the_same_question(config):
    parameters = parameters_of(config)
    reading = network.read(parameters, np.array([1, 2]), np.asarray(2))
    asked = network.ask(parameters, reading, fixed_of(parameters, config))
    for history in (vector(2), vector(3)):
        close(network.attend(asked, reading.mask, history), naive_seen(parameters, naive_read(parameters, [1, 2])[0]))


@READERS
@pytest.mark.parametrize("names", [NAMES, ("A", "D"), ("sum of", "column B")], ids=["mixed", "one word", "several"])
def test_column_vectors(config, names):
    """Names of one word and of several, side by side and alone."""
    parameters = parameters_of(config)
    columns = tuple(np.zeros(1) for _ in names)
    example = encode(ASKED, Table(names, columns), VOCABULARY, config)
    found = network.column_vectors(parameters, example.names, example.name_counts)
    close(found, naive_columns(parameters, names))


def test_column_vectors_do_not_see_padding():
    parameters = parameters_of(ATTENTION)
    example = encode(ASKED, TABLE, VOCABULARY, ATTENTION, ROOM)
    found = network.column_vectors(parameters, example.names, example.name_counts)
    close(found[: len(NAMES)], naive_columns(parameters, NAMES))


def test_pointed_columns():
    """Mentioned once, several times, everywhere, and not at all."""
    states = np.random.default_rng(3).normal(size=(5, HIDDEN))
    mentions = ((1,), (0, 4, 2), range(5), ())
    marks = np.array([[place in positions for place in range(5)] for positions in mentions])
    found = network.pointed_columns(states, marks)
    close(found, naive_pointed_columns(states, mentions))
    assert not found[3].any()


@pytest.mark.parametrize("room", [None, ROOM], ids=["tight", "padded"])
@pytest.mark.parametrize("table", [TABLE, NUMBERS], ids=["text", "numbers"])
def test_columns_are_pointed_at_in_the_question(table, room):
    parameters = parameters_of(DEFAULT)
    prepared = prepare(parameters, DEFAULT, double(encode(ASKED, table, VOCABULARY, DEFAULT, room)))
    asked, mentions = POINTED[table.names]
    _, states = naive_read(parameters, VOCABULARY.encode(asked.words))
    close(prepared.columns[: len(mentions)], naive_pointed_columns(states, mentions))
    assert not prepared.columns[len(mentions) :].any()
    assert np.abs(prepared.columns[0]).max() > 0.1


def test_argument_scores_and_what_belongs_together():
    """For each operation that takes an argument and each column a score of every candidate."""
    parameters = parameters_of(DEFAULT_TEXT)
    generator = np.random.default_rng(3)
    candidates, columns = generator.normal(size=(5, HIDDEN)), generator.normal(size=(4, HIDDEN))
    entries = named(TEXT_OPERATIONS)
    acts, takes = ([entries.index(entry) for entry in some(entries)] for some in (acting, conditions))
    belonging = network.belonging(parameters, columns, candidates, fixed_of(parameters, DEFAULT_TEXT))
    seen = naive_seen(parameters, vector(1))
    arguments = network.argument_scores(parameters, candidates, belonging.operations, seen, vector(2))
    assert arguments.shape == (3, 5)
    found = arguments[:, None, :] + belonging.arguments
    for place, operation in enumerate(parameters.operations[takes]):
        for j, column in enumerate(columns):
            expected = naive_argument_scores(parameters, candidates, operation, column, vector(1), vector(2))
            close(found[place, j], expected)
    found = network.column_scores(parameters, columns, seen, vector(2)) + belonging.columns
    for place, operation in enumerate(parameters.operations[acts]):
        close(found[place], naive_column_scores(parameters, columns, operation, vector(1), vector(2)))
    assert found.shape == (5, 4)
    assert min(np.ptp(arguments, axis=0).max(), np.ptp(belonging.arguments, axis=0).max()) > 0.1
    assert np.ptp(belonging.columns, axis=0).max() > 0.1


def test_operation_scores():
    parameters = parameters_of(TEXT)
    found = network.operation_scores(parameters, naive_seen(parameters, vector(1)), vector(2))
    both = np.concatenate([vector(1), vector(2)])
    close(found, [u @ np.tanh(parameters.operation_selector @ both) for u in parameters.operations])


def test_column_scores():
    parameters = parameters_of(TEXT)
    columns = naive_columns(parameters, NAMES)
    found = network.column_scores(parameters, columns, naive_seen(parameters, vector(1)), vector(2))
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
    example = double(encode(ASKED, TABLE, VOCABULARY, TEXT, room))
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
    fixed = fixed_of(parameters, TEXT)
    from_operation, from_column, from_argument = network.history_inputs(parameters, columns, None, fixed)
    assert from_argument is None
    found = network.next_history(parameters, vector(1), operation @ from_operation + column @ from_column)
    weighted_operations = sum(a * u for a, u in zip(operation, parameters.operations, strict=True))
    weighted_columns = sum(a * p for a, p in zip(column, columns, strict=True))
    close(found, np.tanh(parameters.history @ np.concatenate([weighted_operations, weighted_columns, vector(1)])))


def test_next_history_with_an_argument():
    parameters = parameters_of(DEFAULT_TEXT)
    generator = np.random.default_rng(4)
    columns, candidates = generator.normal(size=(3, HIDDEN)), generator.normal(size=(5, HIDDEN))
    weights = [generator.dirichlet(np.ones(size)) for size in (10, 3, 5)]
    inputs = network.history_inputs(parameters, columns, candidates, fixed_of(parameters, DEFAULT_TEXT))
    found = network.next_history(parameters, vector(1), sum(w @ part for w, part in zip(weights, inputs, strict=True)))
    parts = [w @ part for w, part in zip(weights, (parameters.operations, columns, candidates), strict=True)]
    close(found, np.tanh(parameters.history @ np.concatenate([*parts, vector(1)])))


def random_choice(generator, config, example):
    """A soft choice as the network makes it: other columns for each operation, other arguments for each column."""
    operations = named(config.operations)
    links = len(example.link_positions) if config.matches_text else 0
    sizes = len(example.text_columns), len(example.numbers) + links
    return Choice(
        generator.dirichlet(np.ones(len(operations))),
        generator.dirichlet(np.ones(sizes[0]), len(acting(operations))),
        generator.dirichlet(np.ones(sizes[1]), (len(conditions(operations)), sizes[0])),
    )


def by_operation(config, columns):
    """The columns of each operation, zero for one that acts on none."""
    operations, acts = named(config.operations), acting(named(config.operations))
    nothing = np.zeros_like(columns[..., 0, :])
    return np.stack([columns[..., acts.index(o), :] if o in acts else nothing for o in operations], axis=-2)


@pytest.mark.parametrize("config", [DEFAULT, DEFAULT_TEXT, STEP_BY_NAMES], ids=["default", "text", "by names"])
def test_history_of_arguments_at_every_step(config):
    parameters = parameters_of(config)
    example = double(encode(ASKED, TABLE, VOCABULARY, config))
    prepared = prepare(parameters, config, example)
    asked, mentions = POINTED[TABLE.names] if config.columns == "pointers" else (ASKED, None)
    _, states = naive_read(parameters, VOCABULARY.encode(asked.words))
    columns = naive_columns(parameters, NAMES) if mentions is None else naive_pointed_columns(states, mentions)
    # The candidates of an operation are all of them here: what it may not choose has no weight in an execution.
    numbers = [states[position] for position in asked.number_positions]
    padding = [states[0]] * (len(example.link_positions) - len(states))
    every = [*numbers, *states, *padding] if config.matches_text else numbers
    generator = np.random.default_rng(5)
    for _ in range(5):
        choice = random_choice(generator, config, example)
        found = remember(parameters, config, prepared, network.History(vector(1)), choice).state
        names = [entry.name for entry in conditions(named(config.operations))]
        arguments = dict(zip(names, choice.argument, strict=True))
        candidates = {"number": every, "text": every}
        column = by_operation(config, choice.column)
        close(
            found,
            naive_next_history(parameters, config, vector(1), choice.operation, column, arguments, columns, candidates),
        )


def test_the_history_forgets_what_an_operation_did_not_use():
    """With arguments at every step; the paper's remembers the column of any operation."""
    generator = np.random.default_rng(6)
    names = [entry.name for entry in named(TEXT_OPERATIONS)]
    for config, count_remembers in ((DEFAULT_TEXT, False), (EVERYTHING, True)):
        parameters = parameters_of(config)
        example = double(encode(ASKED, TABLE, VOCABULARY, config))
        prepared = prepare(parameters, config, example)
        one, other = (random_choice(generator, DEFAULT_TEXT, example) for _ in range(2))

        def moved(name, config=config, parameters=parameters, prepared=prepared, pair=(one, other), **changes):
            """How far the history of this operation moves with another column or argument."""
            alone = pair[0]._replace(operation=np.eye(10)[names.index(name)])
            before, after = (
                remember(parameters, config, prepared, network.History(vector(1)), choice).state
                for choice in (alone, alone._replace(**{part: getattr(pair[1], part) for part in changes}))
            )
            return np.abs(after - before).max()

        assert moved("greater", column=True) > 1e-3
        assert (moved("count", column=True) > 1e-3) == count_remembers
        assert moved("count", argument=True) == moved("sum", argument=True) == 0
        assert (moved("greater", argument=True) > 1e-3) == (not count_remembers)


@pytest.mark.parametrize("room", [None, ROOM], ids=["tight", "padded"])
@pytest.mark.parametrize(
    ("config", "table"),
    [
        (RNN, NUMBERS),
        (ATTENTION, NUMBERS),
        (TEXT, TABLE),
        (EVERYTHING, TABLE),
        (DEFAULT, NUMBERS),
        (DEFAULT, TABLE),
        (DEFAULT_TEXT, TABLE),
        (DEFAULT_TEXT, NUMBERS),
        (STEP_BY_NAMES, TABLE),
        (MIXED_BY_POINTERS, TABLE),
    ],
    ids=[
        "rnn",
        "attention",
        "text",
        "everything",
        "default",
        "default that does not match text",
        "default with text",
        "default without text to match",
        "step by names",
        "mixed by pointers",
    ],
)
def test_soft_execution_is_algorithm_1(config, table, room):
    parameters = parameters_of(config, seed=5)
    example = double(encode(ASKED, table, VOCABULARY, config, room))
    found = execute(parameters, config, example, SOFT)
    (operation, column, row_select, scalar, arguments), lookup, betas = naive_execute(parameters, config, ASKED, table)
    operation, column, scalar = map(np.array, (operation, column, scalar))
    rows, columns, numbers = table.rows, len(table.names), len(ASKED.numbers)
    choice = found.trace.choice
    acts = [entry in acting(named(config.operations)) for entry in named(config.operations)]
    chosen = (operation[0] > 0) & acts  # an operation without a column to act on is never chosen
    close(choice.operation, operation)
    close(by_operation(config, choice.column)[:, chosen][:, :, :columns], column[:, chosen])
    close(found.trace.row_select[:, :rows], row_select)
    close(found.trace.scalar_answer, scalar)
    close(found.scalar_answer, scalar[-1])
    close(found.lookup.rows[:rows, None] * found.lookup.columns[:columns], lookup)
    if config.arguments == "step":
        for place, entry in enumerate(conditions(named(config.operations))):
            start = 0 if entry.argument == "number" else len(example.numbers)
            expected = np.array([step[entry.name] for step in arguments])
            close(choice.argument[:, place, :columns, start : start + expected.shape[2]], expected)
    else:
        close(found.arguments.pivots[:, :numbers], [betas["greater"], betas["lesser"]])
        if config.arguments == "mixed":
            for place in range(columns):
                close(choice.argument[:, :2, place, :numbers], [[betas["greater"], betas["lesser"]]] * 4)
    fitting = 1.0  # the probability that every step acts on a column of the kind it needs
    for a_operation, a_column in zip(operation, column, strict=True):
        fitting *= sum(
            a_operation[o] * a_column[o, c]
            for o, entry in enumerate(named(config.operations))
            for c, name in enumerate(table.names)
            if entry.column in ("none", "any") or (entry.column == "text") == table.is_text(name)
        )
    close(found.gives_scalar, fitting * operation[-1, :3].sum())
    close(found.gives_lookup, fitting * operation[-1, 7])


# Beyond the paper: questions that were linked to their tables.
LINKED = NetworkConfig(hidden=HIDDEN, columns="linked", operations=ALL, vectors=3)
WITHOUT_VECTORS = replace(LINKED, vectors=0)
LINKED_CASES = pytest.mark.parametrize("config", [LINKED, WITHOUT_VECTORS], ids=["vectors", "no vectors"])
LINKED_WORDS = Vocabulary.of([*VOCABULARY.words[1:], *"abcde", UNKNOWN])
MEANINGS = WordVectors(
    {word: place for place, word in enumerate(LINKED_WORDS.words[1::2])},
    np.random.default_rng(1).integers(-127, 128, (len(LINKED_WORDS.words[1::2]), 3)).astype(np.int8),
)
LINKED_ROOM = Sizes(words=12, links=6, numbers=6, columns=7, name_words=3, dimensions=3)


def linked_parameters(config, seed=0):
    initial = network.initial(config, len(LINKED_WORDS), np.random.default_rng(seed))
    return jax.tree.map(lambda array: 10 * array, double(initial))


def linked_example(question, table, config, room=None):
    vectors = MEANINGS if config.vectors else None
    room = sizes(question, Index.of(table), config) if room is None else room._replace(dimensions=config.vectors)
    batch = empty(1, room)
    write_linked(batch, 0, question, Index.of(table), LINKED_WORDS, config, vectors)
    return double(Example(*(array[0] for array in batch)))


def linked_asked(generator):
    """A random table and a question that was linked to it, with something said at every word but one."""
    table = random_table(generator, texts=True, everything=True)
    question = linked(table)
    said = generator.choice(LINKED_WORDS.words[1:], len(question.words)).tolist()
    return replace(question, said=("", *said[1:])), table


def direction(word_vectors, words):
    """The mean of the directions of known words, of length one; in half precision, as examples have it."""
    known = [
        word_vectors.vectors[word_vectors.places[word]].astype(float) for word in words if word in word_vectors.places
    ]
    total = sum((vector / np.linalg.norm(vector) for vector in known), np.zeros(3))
    return (total / (np.linalg.norm(total) or 1)).astype(np.float16).astype(float)


def naive_linked_read(parameters, question):
    """Words are read as V(w) + W^vector v(w)"""
    vectors = [parameters.words[place] for place in LINKED_WORDS.encode(question.words)]
    if parameters.meanings is not None:
        said = [direction(MEANINGS, words.split()) for words in question.said]
        vectors = [vector + v @ parameters.meanings for vector, v in zip(vectors, said, strict=True)]
    forward = naive_states(parameters.forward, vectors)
    backward = naive_states(parameters.backward, vectors[::-1])[::-1]
    return [np.concatenate(pair) for pair in zip(forward, backward, strict=True)]


def _most(texts, has):
    return 2 * sum(map(has, set(texts))) > len(set(texts))


def naive_linked_column(parameters, question, table, states, j):
    """P_j = sum_i m_ij z_i / max(1, sum_i m_ij) + W^name mean V(name) + W^vector,name v(name) + F + W^held held"""
    name, column = table.names[j], table.columns[j]
    words = LINKED_WORDS.encode(name_words(name))
    total = parameters.names @ (sum(parameters.words[word] for word in words) / len(words))
    kind = "date" if is_date(column) else "text" if is_text(column) else "number"
    total = total + parameters.features[["number", "text", "date", "boolean"].index(kind)]
    texts = [text for text in column.tolist() if text] if is_text(column) else []
    total = total + (parameters.features[4] if 0 < 0.9 * len(texts) <= len(set(texts)) else 0)
    total = total + (parameters.features[5] if _most(texts, lambda text: any(c.isdigit() for c in text)) else 0)
    total = total + (parameters.features[6] if _most(texts, lambda text: len(text.split()) > 1) else 0)
    cells = [] if is_text(column) or is_date(column) else [cell for cell in column.tolist() if cell == cell]
    total = total + (parameters.features[7] if cells and 1500 <= min(cells) <= max(cells) <= 2100 else 0)
    weights = []
    for i in range(len(question.words)):
        by_name = any(i in places for places in question.mentions)
        if by_name or parameters.name_meanings is None:
            weights.append(float(i in question.mentions[j]))
            continue
        said = direction(MEANINGS, question.said[i].split())
        cosine = said @ direction(MEANINGS, name_words(name))
        weights.append(naive_sigmoid(12 * (cosine - 0.45)) if said.any() else 0.0)
    total = total + sum(w * z for w, z in zip(weights, states, strict=True)) / max(1.0, sum(weights))
    if parameters.name_meanings is not None:
        total = total + direction(MEANINGS, name_words(name)) @ parameters.name_meanings
    held = np.zeros(HIDDEN)
    if is_date(column) and (days := [day for day in column.tolist() if day is not None]):
        cells = [days[0].year for days in (sorted(days), sorted(days)[::-1])]  # in what years the dates are
    for number, position in zip(question.numbers, question.number_positions, strict=True):
        if cells and min(cells) <= number <= max(cells):
            held = held + states[position]
    for each in question.links:
        if j in each.texts:
            held = held + states[each.position]
    return total + parameters.held @ held


@LINKED_CASES
@pytest.mark.parametrize("room", [None, LINKED_ROOM], ids=["tight", "padded"])
def test_linked_columns(config, room):
    generator = np.random.default_rng(3)
    parameters = linked_parameters(config)
    for _ in range(12):
        question, table = linked_asked(generator)
        example = linked_example(question, table, config, room)
        reading = network.read(parameters, example.words, example.word_count, example.meanings)
        states = naive_linked_read(parameters, question)
        close(reading.states[: len(states)], states)
        found = network.linked_columns(parameters, config, reading.states, example)
        for j in range(len(table.names)):
            close(found[j], naive_linked_column(parameters, question, table, states, j))
        close(prepare(parameters, config, example).columns, found)


WRITTEN = replace(
    LINKED, reader="gated", operations=EVERY, chooses="programs", cells="written", column_features=(), link_features=()
)
WORDED = Table(
    ("column a", "column b", "column c"),
    (
        np.array(["b c[1]", "c d", "b e"]),
        np.array(["5 km (2 h)", "7 km (3 h)", "d"]),
        np.array(["May 4, 1990", "4 May 1991", "e"]),
    ),
)


def naive_written_column(parameters, table, j):
    """What a column has besides where cells are written: sum_f F_f of its views and its place, W^content v(texts)"""
    name = table.names[j]
    held = [view for of, view in table.views.values() if of == name]
    features = ["view", f"{table.views[name][1]} view"] if name in table.views else [f"has {view}" for view in held]
    places = [COLUMN_FEATURES.index(one) for one in features]
    total = sum((parameters.features[place] for place in places), np.zeros(HIDDEN))
    total = total + (parameters.features[COLUMN_FEATURES.index("first")] if j == 0 else 0)
    if is_text(table.columns[j]) and name not in table.views:
        words = [token.key for text in table.columns[j].tolist() for token in tokenized(text)]
        total = total + direction(MEANINGS, words) @ parameters.contents
    return total


def test_columns_of_written_cells():
    table, parameters = written(WORDED), linked_parameters(WRITTEN)
    assert [view for _, view in table.views.values()] == ["number", "second number", "span", "date", "year", "month"]
    question = link("column a of c d or sum over 6", Index.of(table), cells="written")
    example = linked_example(question, table, WRITTEN)
    states = naive_linked_read(parameters, question)
    found = network.linked_columns(parameters, WRITTEN, np.array(states), example)
    for j in range(len(table.names)):
        expected = naive_linked_column(parameters, question, table, states, j)
        close(found[j], expected + naive_written_column(parameters, table, j))


def test_arguments_say_how_they_are_mentioned():
    """G_n = z_n + sum_f L_f of a text; z_n of a number"""
    table, parameters = written(WORDED), linked_parameters(WRITTEN)
    question = link("b c and c d or sum over 6 e", Index.of(table), cells="written")
    example = linked_example(question, table, WRITTEN)
    assert len(question.links) > 1
    states = np.random.default_rng(0).normal(size=(len(question.numbers) + len(question.links), HIDDEN))
    found = network.linked_arguments(parameters, WRITTEN, states, example)
    close(found[: len(question.numbers)], states[: len(question.numbers)])
    for place, features in enumerate(example.link_features, len(question.numbers)):
        assert features.any()
        close(found[place], states[place] + sum(parameters.links[f] for f in np.flatnonzero(features)))


def test_a_word_may_mention_a_column_by_what_it_means():
    """Said with a word like its name, a column is read almost as if it was mentioned; an unlike word moves nothing."""
    parameters = linked_parameters(LINKED)
    vectors = WordVectors({"a": 0, "like": 1, "unlike": 2}, np.array([[9, 0, 0], [9, 1, 0], [0, 9, 0]], np.int8))
    table = Table(("A", "B"), (np.ones(2), np.ones(2)))
    states = np.random.default_rng(0).normal(size=(2, HIDDEN))

    def columns(said, mentions=((), ())):
        question = Question(("sum", "of"), (), (), (), mentions, (), ("", said))
        batch = empty(1, sizes(question, Index.of(table), LINKED))
        write_linked(batch, 0, question, Index.of(table), LINKED_WORDS, LINKED, vectors)
        return network.linked_columns(parameters, LINKED, states, double(Example(*(array[0] for array in batch))))

    nothing, mentioned = columns(""), columns("like", mentions=((1,), ()))
    np.testing.assert_allclose(mentioned[0] - nothing[0], states[1])
    np.testing.assert_allclose(columns("like")[0] - nothing[0], states[1], rtol=0.01)
    np.testing.assert_allclose(columns("unlike")[0] - nothing[0], 0, atol=0.02)
    np.testing.assert_allclose(columns("like")[1], nothing[1], atol=0.02)  # B has no vector
    np.testing.assert_allclose(columns("like", ((), (1,)))[0], nothing[0])  # what mentions B does not mean A


@pytest.mark.parametrize("room", [None, LINKED_ROOM], ids=["tight", "padded"])
def test_nearness(room):
    """The mean over a column's mentions of a weight for each distance; beyond eight words all are as far."""
    parameters = linked_parameters(LINKED)
    generator = np.random.default_rng(5)
    table = Table(("A", "B", "C"), tuple(np.ones((3, 2))))
    question = Question(("of",) * 12, (1.0, 2.0), (0, 11), (None, None), ((0,), (3, 10, 11), ()), (), ("",) * 12)
    example = linked_example(question, table, LINKED, room)
    positions = generator.integers(0, 12, 7)
    found = network.nearness(parameters, example, positions)
    for j, mentions in enumerate(question.mentions):
        for n, position in enumerate(positions):
            weights = [parameters.distances[8 + max(-8, min(8, position - i))] for i in mentions]
            close(found[j, n], sum(weights) / len(weights) if weights else 0.0)
    assert not found[3:].any()
    far = network.nearness(parameters, example, np.array([8, 9, 11]))[0]
    close(far, [parameters.distances[16]] * 3)


def test_what_is_left_to_use():
    """W^remaining sum_n left(n) G_n; at the start all that some column can take, and tanh of it is h_1."""
    parameters = linked_parameters(LINKED)
    generator = np.random.default_rng(6)
    candidates, left = generator.normal(size=(5, HIDDEN)), generator.random(5)
    total = np.zeros(HIDDEN)
    for share, candidate in zip(left, candidates, strict=True):
        total = total + share * candidate
    close(network.unused(parameters, candidates, left), parameters.remaining @ total)
    table = Table(("A", "B"), (np.array([1.0, 2.0]), np.array(["word:1", "word:2"])))
    # A number, a day that no column of dates could take, a text of B
    day = linked(table).periods[3]
    question = Question(
        ("of", "word:1", "sum", "and"),
        (5.0, np.nan),
        (2, 3),
        (None, day),
        ((), ()),
        (Link(1, {1: "word:1"}),),
        ("",) * 4,
    )
    prepared = prepare(parameters, LINKED, linked_example(question, table, LINKED))
    history = first_history(parameters, prepared)
    assert history.unused.tolist() == [1, 0, 1]
    states = naive_linked_read(parameters, question)
    close(history.state, np.tanh(parameters.remaining @ (states[2] + states[1])))


CASES = pytest.mark.parametrize(
    "config",
    [RNN, EVERYTHING, DEFAULT, DEFAULT_TEXT, ALL_OPERATIONS, GATED],
    ids=["rnn", "everything", "default", "default with text", "all operations", "gated"],
)


def random_asked(generator, config):
    """A random table and a question about it; with all operations, dates and missing cells, linked."""
    table = random_table(generator, texts=config.matches_text, everything=config is ALL_OPERATIONS)
    return linked(table) if config is ALL_OPERATIONS else QUESTION, table


@CASES
def test_probabilities_sum_to_one(config):
    generator = np.random.default_rng(6)
    parameters = parameters_of(config)
    for _ in range(20):
        question, table = random_asked(generator, config)
        example = double(encode(question, table, VOCABULARY, config, ROOM))
        found = execute(parameters, config, example, SOFT)
        choice = found.trace.choice
        pivots = () if config.arguments == "step" else (found.arguments.pivots,)
        for probabilities in (*choice, *pivots):
            assert (probabilities >= 0).all()
            close(probabilities.sum(axis=-1), 1)
        there = np.arange(ROOM.columns) < len(table.names)
        kinds = {"ordered": there & ~example.text_columns, "text": there & example.text_columns, "any": there}
        kinds["number"] = kinds["ordered"] & ~example.date_columns
        operations = named(config.operations)
        for place, entry in enumerate(acting(operations)):
            usable = kinds[entry.column] if config.arguments == "step" else there
            if usable.any():
                assert (choice.column[:, place, ~usable] == 0).all()
            else:
                assert (choice.operation[:, operations.index(entry)] == 0).all()
        if config.arguments == "step":
            links = question.words if question.links is None else question.links
            for place, entry in enumerate(conditions(operations)):
                usable = kinds[entry.column] if entry.argument == "text" else slice(None)
                first, count = (0, len(question.numbers)) if entry.argument == "number" else (ROOM.numbers, len(links))
                assert (choice.argument[:, place, usable, :first] == 0).all()
                assert (choice.argument[:, place, usable, first + count :] == 0).all()
        for selected in (found.trace.row_select, found.lookup.rows, found.lookup.columns):
            assert (selected >= 0).all()
            assert (selected <= 1 + 1e-9).all()


@CASES
def test_jax_gives_the_numbers_of_numpy(config):
    """The whole execution in float32, soft and hard: compiled for a batch, and one by one without JAX."""
    parameters = jax.tree.map(lambda array: array.astype(np.float32), parameters_of(config, seed=7))
    generator = np.random.default_rng(8)
    asked = [random_asked(generator, config) for _ in range(11)]
    asked += [(QUESTION, TABLE)] * (config.operations == TEXT_OPERATIONS)
    examples = [encode(question, table, VOCABULARY, config, ROOM) for question, table in asked]
    stacked = jax.tree.map(lambda *arrays: np.stack(arrays), *examples)

    def both(parameters, example):
        return execute(parameters, config, example, SOFT), execute(parameters, config, example, HARD)

    compiled = jax.jit(jax.vmap(both, (None, 0)))(parameters, stacked)
    for place, example in enumerate(examples):
        expected = both(parameters, example)
        assert all(isinstance(leaf, np.ndarray | np.generic) for leaf in jax.tree.leaves(expected))
        found = jax.tree.map(lambda array, place=place: np.asarray(array[place]), compiled)
        allowed = {id(execution.arguments.allowed) for execution in (*found, *expected)}
        assert jax.tree.structure(found) == jax.tree.structure(expected)
        for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
            assert one.dtype == other.dtype == (bool if id(one) in allowed else np.float32)
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


def test_initial_weights_are_small_and_drawn_from_the_generator():
    def draw(seed):
        return network.initial(DEFAULT_TEXT, 300, np.random.default_rng(seed))

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
            replace(RNN, hidden=256),
            network.Parameters(
                words=(20, 256),
                forward=(256, 512),
                backward=None,
                attention=None,
                operations=(9, 256),
                operation_selector=(256, 512),
                column_selector=(256, 512),
                argument_selector=None,
                operation_column=None,
                column_argument=None,
                history=(256, 768),
            ),
        ),
        (
            replace(EVERYTHING, hidden=8),
            network.Parameters(
                words=(20, 8),
                forward=(4, 12),
                backward=(4, 12),
                attention=(8, 8),
                operations=(10, 8),
                operation_selector=(8, 16),
                column_selector=(8, 16),
                argument_selector=None,
                operation_column=None,
                column_argument=None,
                history=(8, 24),
            ),
        ),
        (
            NetworkConfig(),
            network.Parameters(
                words=(20, 128),
                forward=(64, 192),
                backward=(64, 192),
                attention=(128, 128),
                operations=(9, 128),
                operation_selector=(128, 256),
                column_selector=(128, 256),
                argument_selector=(128, 384),
                operation_column=(128, 128),
                column_argument=(128, 128),
                history=(128, 512),
            ),
        ),
        (
            replace(WRITTEN, hidden=8),
            network.Parameters(
                words=(20, 8),
                forward=(12, 12),
                backward=(12, 12),
                attention=(8, 8),
                operations=(len(EVERY), 8),
                operation_selector=(8, 16),
                column_selector=(8, 16),
                argument_selector=(8, 24),
                operation_column=(8, 8),
                column_argument=(8, 8),
                history=(8, 32),
                names=(8, 8),
                features=(len(COLUMN_FEATURES), 8),
                meanings=(3, 8),
                name_meanings=(3, 8),
                distances=(17,),
                within=(1,),
                remaining=(8, 8),
                held=(8, 8),
                again=(1,),
                results=(len(RESULT_FEATURES), 9),
                inner=(len(RESULT_FEATURES) + len(EVERY), 64),
                outer=(64, 9),
                links=(len(LINK_FEATURES), 8),
                contents=(3, 8),
            ),
        ),
    ],
    ids=["paper", "everything", "default", "written cells"],
)
def test_shapes(config, expected):
    assert network.shapes(config, 20) == expected
    drawn = network.initial(config, 20, np.random.default_rng(0))
    assert jax.tree.map(np.shape, drawn) == expected


def test_several_networks_stand_one_after_the_other():
    drawn = network.initial(replace(WRITTEN, members=3), 20, np.random.default_rng(0))
    for place in range(3):
        one = network.member(drawn, place)
        assert jax.tree.map(np.shape, one) == network.shapes(WRITTEN, 20)
        for part, whole in zip(jax.tree.leaves(one), jax.tree.leaves(drawn), strict=True):
            np.testing.assert_array_equal(part, whole[place])

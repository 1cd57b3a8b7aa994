"""Reference: the scores of all moves and what follows them against loops, in float64; then NumPy against JAX.

Tables of every kind, questions with numbers, times and texts that fit some columns and not others.
"""

from dataclasses import replace
from itertools import product

import jax
import numpy as np
import pytest

from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.decide import ANY, NEVER, followed, move_scores, search, uses
from neural_programmer.network.encode import UNKNOWN, Example, Sizes, Vocabulary, empty, encode_linked, write_linked
from neural_programmer.network.equations import FARTHEST, History
from neural_programmer.network.executor import Choice, first_history, prepare, remember
from neural_programmer.network.soft import ALL
from neural_programmer.programs.operations import acting, conditions, named
from neural_programmer.questions.index import Index
from neural_programmer.questions.question import Link
from neural_programmer.questions.vectors import WordVectors
from neural_programmer.tables.table import Table, is_date, is_text
from random_programs import VOCABULARY, linked, random_table

HIDDEN, DIMENSIONS = 6, 4
CONFIG = NetworkConfig(hidden=HIDDEN, program_steps=5, columns="linked", operations=ALL, vectors=DIMENSIONS)
WORDS = Vocabulary.of([*VOCABULARY.words[1:], *"abcde", UNKNOWN])
MEANINGS = WordVectors(
    {word: place for place, word in enumerate(WORDS.words[1:])},
    np.random.default_rng(0).integers(-127, 128, (len(WORDS) - 1, DIMENSIONS)).astype(np.int8),
)
ROOM = Sizes(words=14, links=7, numbers=6, columns=8, name_words=3, dimensions=DIMENSIONS)
OPERATIONS = named(ALL)
NAMES = [entry.name for entry in OPERATIONS]
ACTS, TAKES = acting(OPERATIONS), conditions(OPERATIONS)


def weights(seed=0, dtype=np.float64):
    """Ten times as large as the initial ones, so that they decide on something."""
    drawn = network.initial(CONFIG, len(WORDS), np.random.default_rng(seed))
    return jax.tree.map(lambda array: (10 * array).astype(dtype), drawn)


def asked(generator):
    """A random table and a question about it."""
    table = random_table(generator, texts=True, everything=True)
    question = linked(table)
    return replace(question, said=tuple(generator.choice(WORDS.words[1:], len(question.words)).tolist())), table


def encoded(question, table, room=None, dtype=np.float64):
    batch = empty(1, room, dtype) if room else None
    if batch is None:
        example = encode_linked(question, Index.of(table), WORDS, CONFIG, MEANINGS)
    else:
        write_linked(batch, 0, question, Index.of(table), WORDS, CONFIG, MEANINGS)
        example = Example(*(array[0] for array in batch))
    return jax.tree.map(lambda array: array.astype(dtype) if array.dtype.kind == "f" else array, example)


def fitting(question, table, slots):
    """All moves that fit, by loops: operation, column, argument; texts come after all `slots` for numbers."""
    moves = []
    for place, entry in enumerate(OPERATIONS):
        if entry.column == "none":
            moves.append((place, 0, 0))
            continue
        for j, column in enumerate(table.columns):
            kinds = {"any", "text"} if is_text(column) else {"any", "ordered", "" if is_date(column) else "number"}
            if entry.column not in kinds:
                continue
            if entry.argument == "none":
                moves.append((place, j, 0))
            elif entry.argument == "text":
                moves += [(place, j, slots + n) for n, link in enumerate(question.links) if j in link.texts]
            else:
                taken = question.periods if is_date(column) else question.numbers
                moves += [(place, j, n) for n, value in enumerate(taken) if value is not None and value == value]
    return moves


def softmax(scores):
    powers = np.exp(scores - np.max(scores))
    return powers / powers.sum()


def naive_score(parameters, example, prepared, history, question, move):
    """The operation's score, that of the column for it, that of the argument for both.

    U(op) . tanh(W^op [q; h]) + P_j . (tanh(W^col [q; h]) + W^op,col U(op))
      + G_n . (tanh(W^arg [q; h; U(op)]) + W^col,arg P_j) + d(p_n - i) + within + again (used before)
    """
    place, j, n = move
    entry, u, h = OPERATIONS[place], parameters.operations[place], history.state
    reading = network.read(parameters, example.words, example.word_count, example.meanings)
    states = reading.states[: len(question.words)]
    attention = softmax(np.array([z @ parameters.attention @ h for z in states]))
    q = reading.question + sum(a * z for a, z in zip(attention, states, strict=True))
    score = u @ np.tanh(parameters.operation_selector @ np.concatenate([q, h]))
    if entry.column == "none":
        return score
    p = prepared.columns[j]
    score += p @ (np.tanh(parameters.column_selector @ np.concatenate([q, h])) + parameters.operation_column @ u)
    if entry.argument == "none":
        return score
    slots = len(example.numbers)
    position = question.links[n - slots].position if n >= slots else question.number_positions[n]
    g = reading.states[position]
    score += g @ (np.tanh(parameters.argument_selector @ np.concatenate([q, h, u])) + parameters.column_argument @ p)
    mentions = question.mentions[j]
    distances = [parameters.distances[min(max(position - i, -FARTHEST), FARTHEST) + FARTHEST] for i in mentions]
    score += sum(distances) / max(len(mentions), 1)
    if n < slots and example.within[j, n]:
        score += parameters.within[0]
    return score + parameters.again[0] * (1 - history.unused[n])


def some_histories(parameters, prepared, generator):
    """The first, and others with some arguments used."""
    first = first_history(parameters, prepared)
    yield first
    for _ in range(2):
        used = generator.integers(0, 2, first.unused.shape)
        yield History(generator.uniform(-1, 1, HIDDEN), first.unused * used)


@pytest.mark.parametrize("room", [None, ROOM], ids=["tight", "padded"])
def test_scores_of_all_moves_against_loops(room):
    generator = np.random.default_rng(1)
    parameters = weights()
    counted = set()
    for _ in range(6):
        question, table = asked(generator)
        example = encoded(question, table, room)
        prepared = prepare(parameters, CONFIG, example)
        for history in some_histories(parameters, prepared, generator):
            found = move_scores(parameters, CONFIG, prepared, history)
            assert found.shape == (len(ALL), len(example.names), len(example.numbers) + len(example.link_positions))
            moves = fitting(question, table, len(example.numbers))
            for move in moves:
                expected = naive_score(parameters, example, prepared, history, question, move)
                np.testing.assert_allclose(found[move], expected, rtol=1e-8, atol=1e-8)
                counted.add(NAMES[move[0]])
            others = np.ones(found.shape, bool)
            others[tuple(np.array(moves).T)] = False
            assert (found[others] < -1e8).all()
    assert counted == set(ALL)


def test_probabilities_sum_to_one_and_are_zero_for_what_does_not_fit():
    """No sum of a text, no number for a date, no text that a column does not hold, nothing of the padding."""
    generator = np.random.default_rng(2)
    for seed in range(10):
        parameters = weights(seed)
        question, table = asked(generator)
        prepared = prepare(parameters, CONFIG, encoded(question, table, ROOM))
        for history in some_histories(parameters, prepared, generator):
            probabilities = softmax(move_scores(parameters, CONFIG, prepared, history))
            np.testing.assert_allclose(probabilities.sum(), 1, rtol=1e-9)
            moves = fitting(question, table, ROOM.numbers)
            assert len(set(moves)) == len(moves)
            np.testing.assert_allclose(probabilities[tuple(np.array(moves).T)].sum(), 1, rtol=1e-6)
            probabilities[tuple(np.array(moves).T)] = 0
            assert probabilities.max() < 1e-6


def hard(move, columns, candidates):
    """The hard choice of a move."""
    operation, column, argument = move
    return Choice(
        np.eye(len(ALL))[operation],
        np.tile(np.eye(columns)[column], (len(ACTS), 1)),
        np.tile(np.eye(candidates)[argument], (len(TAKES), columns, 1)),
    )


def test_what_follows_a_move_is_what_the_executor_remembers_of_it():
    generator = np.random.default_rng(3)
    parameters = weights()
    for _ in range(5):
        question, table = asked(generator)
        prepared = prepare(parameters, CONFIG, encoded(question, table, ROOM))
        moves = fitting(question, table, ROOM.numbers)
        for place, history in product(
            generator.permutation(len(moves))[:12], list(some_histories(parameters, prepared, generator))
        ):
            move = np.array(moves[place])
            found = followed(parameters, CONFIG, prepared, history, move)
            choice = hard(move, ROOM.columns, ROOM.numbers + ROOM.links)
            expected = remember(parameters, CONFIG, prepared, history, choice)
            np.testing.assert_allclose(found.state, expected.state, rtol=1e-10)
            np.testing.assert_array_equal(found.unused, expected.unused)


def test_what_follows_a_move_against_loops():
    """h' = tanh(W^history [U(op); P_j; G_n; h] + W^remaining (sum of what is left)), without what was not used"""
    generator = np.random.default_rng(4)
    parameters = weights()
    question, table = asked(generator)
    example = encoded(question, table)
    prepared = prepare(parameters, CONFIG, example)
    reading = network.read(parameters, example.words, example.word_count, example.meanings)
    positions = [*question.number_positions, *(link.position for link in question.links)]
    used = set()
    history = first_history(parameters, prepared)
    usable = {
        n for place, _, n in fitting(question, table, len(example.numbers)) if OPERATIONS[place].argument != "none"
    }
    left = [float(n in usable) for n in range(len(positions))]
    start = sum(a * reading.states[p] for a, p in zip(left, positions, strict=True))
    np.testing.assert_allclose(history.state, np.tanh(parameters.remaining @ start), rtol=1e-9)
    np.testing.assert_array_equal(history.unused[: len(left)], left)
    for place, j, n in fitting(question, table, len(example.numbers))[::3]:
        entry, nothing = OPERATIONS[place], np.zeros(HIDDEN)
        parts = [parameters.operations[place], nothing if entry.column == "none" else prepared.columns[j]]
        parts.append(nothing if entry.argument == "none" else reading.states[positions[n]])
        if entry.argument != "none":
            left[n] = 0.0
        remaining = sum(a * reading.states[p] for a, p in zip(left, positions, strict=True))
        expected = parameters.history @ np.concatenate([*parts, history.state]) + parameters.remaining @ remaining
        history = followed(parameters, CONFIG, prepared, history, np.array([place, j, n]))
        np.testing.assert_allclose(history.state, np.tanh(expected), rtol=1e-9)
        np.testing.assert_array_equal(history.unused[: len(left)], left)
        used.add(entry.argument)
    assert used == {"none", "number", "text"}


def test_padding_changes_nothing():
    """More places for words, columns, numbers, links: the same moves, texts behind the places for numbers."""
    generator = np.random.default_rng(6)
    parameters = weights(1)
    for _ in range(8):
        question, table = asked(generator)
        tight, padded = encoded(question, table), encoded(question, table, ROOM)
        (one, *_), (other, *_) = found = [search(parameters, CONFIG, example).best() for example in (tight, padded)]
        logs, other_logs = ([log for _, log in each] for each in found)
        np.testing.assert_allclose(logs, other_logs, rtol=1e-7, atol=1e-9)
        one, other = one[0], other[0]
        moved = np.where(other[:, 2] >= ROOM.numbers, other[:, 2] - ROOM.numbers + len(tight.numbers), other[:, 2])
        np.testing.assert_array_equal(one[:, :2], other[:, :2])
        np.testing.assert_array_equal(one[:, 2], moved)


def test_the_order_of_columns_does_not_change_the_program():
    """Of all but the first, which the network knows to be the first."""
    generator = np.random.default_rng(7)
    changed = 0
    for seed in range(12):
        parameters = weights(seed)
        question, table = asked(generator)
        order = [0, *(1 + generator.permutation(len(table.names) - 1)).tolist()]
        place_of = {old: new for new, old in enumerate(order)}
        turned = Table(tuple(table.names[old] for old in order), tuple(table.columns[old] for old in order))
        links = tuple(Link(e.position, {place_of[old]: t for old, t in e.texts.items()}) for e in question.links)
        again = replace(question, mentions=tuple(question.mentions[old] for old in order), links=links)
        (one, log), (other, other_log) = (
            search(parameters, CONFIG, encoded(*pair)).best()[0] for pair in ((question, table), (again, turned))
        )
        np.testing.assert_allclose(log, other_log, rtol=1e-6, atol=1e-9)
        np.testing.assert_array_equal(one[:, [0, 2]], other[:, [0, 2]])
        for (operation, column, _), (_, moved, _) in zip(one, other, strict=True):
            assert moved == (place_of[column] if OPERATIONS[operation] in ACTS else 0)
        changed += (one != other).any()
    assert changed > 0


def test_jax_scores_as_numpy_does():
    """All moves of the first step, and of the second after the most probable first; in float32, compiled for a batch,
    and one by one without JAX."""
    generator = np.random.default_rng(8)
    parameters = weights(2, np.float32)
    examples = [encoded(*asked(generator), ROOM, np.float32) for _ in range(12)]
    stacked = jax.tree.map(lambda *arrays: np.stack(arrays), *examples)

    def both(parameters, example, move):
        prepared = prepare(parameters, CONFIG, example)
        first = first_history(parameters, prepared)
        second = followed(parameters, CONFIG, prepared, first, move)
        return [move_scores(parameters, CONFIG, prepared, history) for history in (first, second)]

    moves = []
    for example in examples:
        first, _ = both(parameters, example, np.zeros(3, int))
        moves.append(np.array(np.unravel_index(first.argmax(), first.shape)))
    compiled = jax.jit(jax.vmap(both, (None, 0, 0)))(parameters, stacked, np.stack(moves))
    for place, (example, move) in enumerate(zip(examples, moves, strict=True)):
        for scores, same in zip(both(parameters, example, move), compiled, strict=True):
            assert isinstance(scores, np.ndarray)
            np.testing.assert_allclose(scores, same[place], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("operations", [ALL, ("count", "text match", "sum", "assign")])
def test_places_of_columns_and_arguments(operations):
    config = replace(CONFIG, operations=operations)
    found = uses(config)
    entries = named(operations)
    for place, entry in enumerate(entries):
        acts, takes = acting(entries), conditions(entries)
        assert found.column[place] == (acts.index(entry) if entry.column != "none" else -1)
        assert found.argument[place] == (takes.index(entry) if entry.argument != "none" else -1)


def test_the_best_programs_are_the_most_probable_sensible_ones():
    """Of two steps, all sequences of moves: with a beam that loses none, the first of them in their order."""
    config, parameters = replace(CONFIG, program_steps=2), weights()
    for seed in range(4):
        question, table = asked(np.random.default_rng(seed))
        example = encoded(question, table)
        prepared = prepare(parameters, config, example, executes=False)
        start = first_history(parameters, prepared)
        first = move_scores(parameters, config, prepared, start)
        every = []
        for move in np.argwhere(first > NEVER / 2):
            history = followed(parameters, config, prepared, start, move)
            second = move_scores(parameters, config, prepared, history)
            logs = first[tuple(move)] - np.log(np.exp(first).sum()) + second - np.log(np.exp(second).sum())
            every += [(float(logs[tuple(then)]), *move, *then) for then in np.argwhere(second > NEVER / 2)]
        numbers = len(example.numbers)
        expected = sorted((each for each in every if is_sensible(*each[1:], numbers)), reverse=True)
        found = search(parameters, config, example).best(width=10_000, gap=1e9)
        np.testing.assert_allclose([log for _, log in found[:50]], [each[0] for each in expected[:50]], rtol=1e-9)
        assert tuple(found[0][0].ravel().tolist()) == tuple(map(int, expected[0][1:]))
        assert len(search(parameters, config, example).best()) <= 4


def is_sensible(operation, column, argument, then, then_column, then_argument, numbers):
    """The last step answers; a number is not compared with the same column again, and no text used again."""
    takes = uses(CONFIG).argument
    if OPERATIONS[int(then)].updates == "rows":
        return False
    if OPERATIONS[int(operation)].updates == "scalar":
        return True  # all begins anew
    if takes[operation] < 0 or takes[then] < 0 or argument != then_argument:
        return True
    return argument < numbers and column != then_column


def test_two_texts_of_one_column_are_not_joined_by_and():
    config = replace(CONFIG, program_steps=4)
    question, table = asked(np.random.default_rng(0))
    match, both = NAMES.index("text match"), NAMES.index("and")
    for seed in range(30):
        for moves, _ in search(weights(seed), config, encoded(question, table)).best(width=200, gap=1e9):
            if (moves[:2, 0] == match).all() and moves[0, 1] == moves[1, 1]:
                assert moves[2, 0] != both


def test_forced_programs_are_the_most_probable_of_those_that_begin_so():
    """After any number of resets: of all that a beam finds that loses none, those with the moves in their place."""
    config, parameters, reset = replace(CONFIG, program_steps=3), weights(3), NAMES.index("reset")
    question, table = asked(np.random.default_rng(1))
    table = Table(table.names[:3], table.columns[:3])
    links = tuple(Link(e.position, {j: t for j, t in e.texts.items() if j < 3}) for e in question.links[:1])
    question = replace(
        question, numbers=question.numbers[:1], periods=question.periods[:1], mentions=question.mentions[:3],
        number_positions=question.number_positions[:1], links=tuple(link for link in links if link.texts),
    )  # fmt: skip
    ready = search(parameters, config, encoded(question, table))
    every = ready.best(width=1_000_000, gap=1e8)

    def begins(moves, forced):
        shown = moves[next((place for place, move in enumerate(moves) if move[0] != reset), len(moves)) :]
        return len(shown) >= len(forced) and all(
            all(want in (ANY, got) for want, got in zip(move, step, strict=True))
            for move, step in zip(forced, shown, strict=False)
        )

    generator = np.random.default_rng(0)
    for place in generator.permutation(len(every))[:12]:
        shown = [
            (operation, *(part if used >= 0 else ANY for part, used in zip(rest, of_operation, strict=True)))
            for operation, *rest in every[place][0].tolist()
            for of_operation in [(uses(config).column[operation], uses(config).argument[operation])]
            if operation != reset
        ]
        for forced in (shown[:1], shown[:2], [(shown[0][0], ANY, ANY), *shown[1:2]]):
            expected = [(moves, log) for moves, log in every if begins(moves, forced)]
            found = ready.best(width=1_000_000, gap=1e8, forced=forced)
            # a forced move may say what was said before, which the free search does not
            assert len(found) >= len(expected)
            assert all(begins(moves, forced) for moves, _ in found)
            logs = {tuple(moves.ravel().tolist()): log for moves, log in found}
            for moves, log in expected:
                np.testing.assert_allclose(logs[tuple(moves.ravel().tolist())], log, rtol=1e-9)
            assert tuple(ready.best(forced=forced)[0][0].ravel().tolist()) in logs


def test_no_program_ends_with_a_forced_step_that_selects():
    question, table = asked(np.random.default_rng(2))
    ready = search(weights(), CONFIG, encoded(question, table))
    others = (NAMES.index("not"), ANY, ANY)
    for count in range(1, CONFIG.program_steps):
        for moves, _ in ready.best(forced=[others] * count):
            assert OPERATIONS[moves[-1][0]].updates != "rows"
    assert ready.best(forced=[others] * CONFIG.program_steps) == []
    assert ready.best(forced=[(ANY, ANY, ANY)] * (CONFIG.program_steps + 1)) == []
    assert ready.best(forced=[(NAMES.index("reset"), ANY, ANY)]) == []  # it would begin after that


def test_what_is_considered_at_every_step_is_the_softmax_of_all_moves():
    parameters = weights(4)
    question, table = asked(np.random.default_rng(3))
    example = encoded(question, table)
    ready = search(parameters, CONFIG, example)
    program = ready.best()[0][0]
    history = first_history(parameters, ready.prepared)
    for move, each in zip(program, ready.considered(program), strict=True):
        expected = softmax(move_scores(parameters, CONFIG, ready.prepared, history))
        np.testing.assert_allclose(each.probabilities, expected[tuple(ready.possible.moves.T)], rtol=1e-9)
        np.testing.assert_allclose(each.probabilities.sum(), 1.0)
        states = network.read(parameters, example.words, example.word_count, example.meanings).states
        naive = softmax(np.array([z @ parameters.attention @ history.state for z in states]))
        np.testing.assert_allclose(each.attention, naive, rtol=1e-9)
        history = followed(parameters, CONFIG, ready.prepared, history, move)

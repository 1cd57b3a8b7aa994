"""Oracle: what the search finds gives the answer, and nothing that does is missed. Learning: every restart succeeds."""

from collections import Counter
from dataclasses import replace
from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer import api
from neural_programmer.data.paper import draw_train, task
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning import marginal
from neural_programmer.learning.batches import Target, Triples, encode_dataset
from neural_programmer.learning.config import TrainingConfig
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Sizes, Vocabulary, empty, sizes, write
from neural_programmer.network.executor import HARD, SOFT, Choice, execute, prepare, select, start
from neural_programmer.network.soft import ALL
from neural_programmer.programs.operations import PAPER, TEXT, named
from neural_programmer.programs.program import DECLINED, Program, Step, run
from neural_programmer.questions.question import NO_NUMBER, parse, pointed
from neural_programmer.tables.table import is_date
from random_programs import VOCABULARY, linked, random_program, random_table

STEP = NetworkConfig(hidden=8, program_steps=3)
EVERYTHING = NetworkConfig(hidden=8, program_steps=3, operations=ALL)
PIVOTS = NetworkConfig(hidden=8, program_steps=3, reader="rnn", attention=False, arguments="mixed", columns="names")
CASES = [("single-column", STEP), ("three-columns", STEP), ("text-two-columns", replace(STEP, operations=TEXT)),
         ("single-column", PIVOTS), ("three-columns", PIVOTS)]  # fmt: skip


def one(tree, place):
    return jax.tree.map(lambda array: jnp.asarray(array[place]), tree)


def setting(name, config, count=12, scale=10.0, seed=0):
    """Triples of a task, the same encoded, and weights that decide on something."""
    chosen = task(name)
    vocabulary = Vocabulary.of(chosen.words_read(config.columns == "pointers"))
    dataset = draw_train(chosen, count, seed)
    drawn = network.initial(config, len(vocabulary), np.random.default_rng(seed))
    weights = jax.tree.map(lambda array: jnp.asarray(scale * array), drawn)
    return list(dataset), encode_dataset(dataset, vocabulary, config), weights


def program_of(config, triple, encoded, numbers):
    """The program that the numbers of its moves stand for."""
    table = marginal.moves_of(config, encoded.example)
    question = parse(triple.question)
    if config.columns == "pointers":
        question = pointed(question, triple.table.names)
    values = question.numbers or (NO_NUMBER,)
    slots = encoded.example.numbers.shape[0]
    steps = []
    for move in numbers:
        entry = named(config.operations)[table.operation[move]]
        argument = None
        if entry.argument == "number":
            argument = values[table.argument[move]]
        elif entry.argument == "text":
            argument = (question.words[table.argument[move] - slots],)
        steps.append(
            Step(entry.name, triple.table.names[table.column[move]] if entry.column != "none" else None, argument)
        )
    return Program(tuple(steps))


def test_moves_are_all_there_once():
    """Ten columns, two numbers: sum and assign 10 each, greater and lesser 20 each, five without a column."""
    table = marginal.all_moves(named(PAPER), columns=10, numbers=2, links=0)
    assert len(table.operation) == 10 + 10 + 20 + 20 + 5
    assert len({tuple(row) for row in zip(*(part.tolist() for part in table), strict=True)}) == 65
    with_text = marginal.all_moves(named(TEXT), columns=3, numbers=2, links=7)
    assert len(with_text.operation) == 3 + 3 + 6 + 6 + 5 + 3 * 7


@pytest.mark.parametrize(("name", "config"), CASES, ids=lambda part: getattr(part, "arguments", part))
def test_what_is_found_gives_the_answer_and_is_found_once(name, config):
    triples, data, weights = setting(name, config)

    @jax.jit
    @jax.vmap
    def search(triple, key):
        return marginal.search(weights, config, triple, 40, 0.5, key)

    found = search(data, jax.random.split(jax.random.key(1), len(triples)))
    hits = 0
    for place, triple in enumerate(triples):
        programs = np.asarray(found.programs[place])[np.asarray(found.logs[place]) > marginal.NO_CHOICE]
        assert len({tuple(program) for program in programs.tolist()}) == len(programs)
        for numbers in programs:
            program = program_of(config, triple, one(data, place), numbers)
            assert run(program, triple.table).answer.equals(triple.answer), f"{triple.question}: {program}"
            hits += 1
    assert hits > 30


def linked_triples(count, seed):
    """Random tables of every kind, linked questions, and right answers of random programs; encoded together."""
    generator = np.random.default_rng(seed)
    drawn = []
    while len(drawn) < count:
        table = random_table(generator, texts=True, everything=True)
        question = linked(table)
        program = random_program(generator, table, 3, per_step=True, operations=ALL, question=question)
        answer = run(program, table).answer
        if answer.cells or answer.scalar or answer.reason == DECLINED:
            drawn.append((question, table, answer))
    room = Sizes()
    for question, table, _ in drawn:
        room = room.join(sizes(question, table, EVERYTHING))
    batch = empty(count, room)
    target = Target(np.zeros(count, bool), np.zeros(count, bool), np.zeros(count, np.float32),
                    np.zeros((count, room.rows), bool), np.zeros(count, np.int32))  # fmt: skip
    for place, (question, table, answer) in enumerate(drawn):
        write(batch, place, question, table, VOCABULARY, EVERYTHING)
        target.is_none[place], target.is_scalar[place] = answer.kind == "none", answer.kind == "scalar"
        target.scalar[place] = answer.scalar or 0.0
        for row, name in answer.cells:
            target.rows[place, row], target.column[place] = True, table.names.index(name)
    return drawn, Triples(batch, target)


def linked_program(question, table, example, moves):
    """The program that the numbers of its moves stand for, of a linked question."""
    every = marginal.moves_of(EVERYTHING, example)
    slots = example.numbers.shape[0]
    steps = []
    for move in moves:
        entry, slot = named(ALL)[every.operation[move]], int(every.column[move])
        argument = None
        if entry.argument == "text":
            argument = (question.links[every.argument[move] - slots].texts[slot],)
        elif entry.argument == "number" and is_date(table.columns[slot]):
            argument = question.periods[every.argument[move]]
        elif entry.argument == "number":
            argument = question.numbers[every.argument[move]]
        steps.append(Step(entry.name, table.names[slot] if entry.column != "none" else None, argument))
    return Program(tuple(steps))


@pytest.mark.slow
def test_what_is_found_of_all_operations_gives_the_answer():
    """On dates and missing cells, of linked questions; what declines is found where there is no answer.

    But for averages of nothing, which the search takes for 0 and goes on with.
    """
    drawn, data = linked_triples(60, seed=4)
    config = EVERYTHING
    weights = jax.tree.map(
        lambda array: jnp.asarray(10 * array), network.initial(config, len(VOCABULARY), np.random.default_rng(0))
    )
    search = jax.jit(jax.vmap(lambda triple, key: marginal.search(weights, config, triple, 40, 0.7, key)))
    found = search(data, jax.random.split(jax.random.key(1), len(drawn)))
    hits, of_nothing, met = Counter(), 0, Counter()
    for place, (question, table, right) in enumerate(drawn):
        for moves in np.asarray(found.programs[place])[np.asarray(found.logs[place]) > marginal.NO_CHOICE]:
            program = linked_program(question, table, one(data, place).example, moves)
            ran = run(program, table)
            met.update(step.operation for step in program.steps)
            if any(result.answer.reason.startswith("there is nothing to take") for result in ran.steps):
                of_nothing += 1
                continue
            declined = (ran.answer.reason == DECLINED, right.reason == DECLINED)
            assert ran.answer.equals(right) or all(declined), f"{right}: {program}"
            hits[right.kind] += 1
    assert set(met) == set(ALL)
    assert min(hits[kind] for kind in ("scalar", "lookup", "none")) > 100
    assert of_nothing < sum(hits.values()) / 10


@pytest.mark.parametrize("config", [STEP, PIVOTS], ids=["step", "pivots"])
def test_with_enough_samples_nothing_is_missed(config):
    """Every program of three steps on one column, run by the interpreter; with pivots, those of one number each."""
    triples, data, weights = setting("single-column", config, count=6, seed=3)
    search = jax.jit(lambda triple: marginal.search(weights, config, triple, 200, 0.3, jax.random.key(0)))
    for place, triple in enumerate(triples):
        encoded = one(data, place)
        found = search(encoded)
        kept = np.asarray(found.logs) > marginal.NO_CHOICE
        programs = {tuple(program) for program in np.asarray(found.programs)[kept].tolist()}
        table = marginal.moves_of(config, encoded.example)
        count = max(len(parse(triple.question).numbers), 1)
        moves = [move for move in range(len(table.operation)) if table.argument[move] < count]
        wanted = set()
        for numbers in product(moves, repeat=3):
            program = program_of(config, triple, encoded, numbers)
            pivots = {(step.operation, step.argument) for step in program.steps if step.argument is not None}
            if config is PIVOTS and len(pivots) > len({operation for operation, _ in pivots}):
                continue
            if run(program, triple.table).answer.equals(triple.answer):
                wanted.add(numbers)
        assert programs == wanted, triple.question


@pytest.mark.parametrize(("name", "config"), CASES, ids=lambda part: getattr(part, "arguments", part))
def test_the_probabilities_of_the_search_are_those_of_the_beginnings(name, config):
    _, data, weights = setting(name, config)

    @jax.jit
    @jax.vmap
    def both(triple):
        found = marginal.some(
            marginal.search(weights, config, triple, 40, 0.5, jax.random.key(2)), jnp.asarray(0.0), jax.random.key(3)
        )
        prepared, table = prepare(weights, config, triple.example), marginal.moves_of(config, triple.example)
        short = replace(config, program_steps=config.program_steps - 1)
        logs = jax.vmap(lambda z: marginal.program_log_probability(weights, short, prepared, table, z))
        return found.logs, logs(found.programs[:, :-1])

    found, again = map(np.asarray, both(data))
    hit = found > marginal.NO_CHOICE
    assert hit.sum() > 30
    np.testing.assert_allclose(found[hit], again[hit], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("config", [STEP, replace(STEP, operations=TEXT), PIVOTS], ids=["step", "text", "pivots"])
def test_the_probabilities_of_all_programs_add_up_to_one(config):
    """Two steps; with pivots, programs with two numbers for one comparison do not exist."""
    config = replace(config, program_steps=2)
    name = "text-two-columns" if config.matches_text else "three-columns"
    triples, data, weights = setting(name, config, count=4)
    count = len(marginal.moves_of(config, one(data, 0).example).operation)
    programs = jnp.asarray(list(product(range(count), repeat=2)))

    @jax.jit
    def total(triple):
        prepared, table = prepare(weights, config, triple.example), marginal.moves_of(config, triple.example)
        logs = jax.vmap(lambda z: marginal.program_log_probability(weights, config, prepared, table, z))(programs)
        if config.arguments != "step":
            different = jnp.asarray(marginal._pivots(table)[1])
            logs = jnp.where(different[programs[:, 0], programs[:, 1]], -jnp.inf, logs)
        return jnp.sum(jnp.exp(logs))

    for place in range(len(triples)):
        np.testing.assert_allclose(total(one(data, place)), 1.0, rtol=1e-4)


def test_the_probabilities_of_the_moves_are_those_of_their_operations():
    """Added up over columns and arguments, they give the soft execution's; the largest is what a hard one chooses."""
    config = replace(STEP, program_steps=1)
    triples, data, weights = setting("three-columns", config)
    operations = np.arange(len(named(PAPER)))

    @jax.jit
    @jax.vmap
    def both(example):
        prepared, table = prepare(weights, config, example), marginal.moves_of(config, example)
        programs = jnp.arange(len(table.operation))[:, None]
        logs = jax.vmap(lambda z: marginal.program_log_probability(weights, config, prepared, table, z))(programs)
        added = jnp.exp(logs) @ jnp.asarray(table.operation[:, None] == operations, jnp.float32)
        soft, hard = (execute(weights, config, example, way).trace.choice.operation[0] for way in (SOFT, HARD))
        return added, soft, hard

    added, soft, hard = map(np.asarray, both(data.example))
    np.testing.assert_allclose(added, soft, rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(np.argmax(added, axis=1), np.argmax(hard, axis=1))
    assert len(triples) == len(added)


def test_exploration_mixes_in_all_choices_alike():
    scores = jnp.asarray([2.0, 0.0, -1e9, 1.0])
    believed = np.exp([2.0, 0.0, 1.0]) / np.exp([2.0, 0.0, 1.0]).sum()
    found = np.exp(np.asarray(marginal.explored(scores, 0.3)))
    np.testing.assert_allclose(found[[0, 1, 3]], 0.7 * believed + 0.1, rtol=1e-5)
    assert found[2] == 0
    among = np.exp(np.asarray(marginal.explored(scores, 0.3, jnp.asarray([False, True, True, False]))))
    np.testing.assert_allclose(among[[0, 1, 3]], 0.7 * believed + [0, 0.3, 0], rtol=1e-5)
    nothing = np.exp(np.asarray(marginal.explored(scores, 0.3, jnp.asarray([False, False, True, False]))))
    np.testing.assert_allclose(nothing, found, rtol=1e-5)


@pytest.mark.parametrize("merit", [0.0, 0.5, 1.0])
def test_programs_count_by_a_power_of_their_probability(merit):
    """The gradient is that of -sum_z w(z) log P(z), w = P^merit normalised, over all programs that hit."""
    config = replace(STEP, program_steps=2)
    _, data, weights = setting("single-column", config, count=8)
    key, samples, weight = jax.random.key(5), 64, jnp.asarray(1.0)

    @jax.jit
    def both(triple):
        search_key, _ = jax.random.split(key)
        found = marginal.search(weights, config, triple, samples, 0.3, search_key)

        def by_hand(weights):
            prepared, table = prepare(weights, config, triple.example), marginal.moves_of(config, triple.example)
            logs = jax.vmap(lambda z: marginal.program_log_probability(weights, config, prepared, table, z))
            hit = found.logs > marginal.NO_CHOICE
            probable = jnp.where(hit, logs(found.programs), 0.0)
            powers = hit * jnp.exp(merit * jax.lax.stop_gradient(probable))
            return -jnp.sum(powers * probable) / jnp.maximum(jnp.sum(powers), 1e-30)

        def own(weights):
            return marginal.loss(weights, config, triple, samples, 0.3, jnp.asarray(merit), weight, key)

        return jnp.sum(found.logs > marginal.NO_CHOICE), jax.grad(by_hand)(weights), jax.grad(own)(weights)

    compared = 0
    for place in range(8):
        hits, wanted, found = both(one(data, place))
        if 0 < hits <= marginal.PROGRAMS_RAISED:
            compared += 1
            for left, right in zip(jax.tree.leaves(wanted), jax.tree.leaves(found), strict=True):
                np.testing.assert_allclose(left, right, rtol=1e-3, atol=1e-5)
    assert compared > 2


def test_questions_that_tell_little_count_little():
    """The loss of a question whose answer is empty or zero is scaled; that of another is not."""
    _, data, weights = setting("single-column", STEP, count=60)
    empty = np.where(data.target.is_scalar, data.target.scalar == 0, ~np.any(data.target.rows, axis=1))
    zero, key = jnp.asarray(0.0), jax.random.key(0)
    loss = jax.jit(lambda triple, weight: marginal.loss(weights, STEP, triple, 64, 0.3, zero, weight, key))
    for tells in (False, True):
        place = int(np.flatnonzero(empty != tells)[0])
        full, scaled = (float(loss(one(data, place), jnp.asarray(weight))) for weight in (1.0, 0.1))
        assert full > 0
        np.testing.assert_allclose(scaled, full if tells else 0.1 * full, rtol=1e-5)


def test_nothing_is_learnt_where_nothing_hits():
    _, data, weights = setting("single-column", STEP)
    triple = one(data, 0)
    target = triple.target._replace(is_scalar=jnp.asarray(True), scalar=jnp.asarray(1e9, jnp.float32))
    weight, key = jnp.asarray(1.0), jax.random.key(0)

    def loss(weights):
        return marginal.loss(weights, STEP, triple._replace(target=target), 32, 0.3, weight, weight, key)

    gradient = jax.jit(jax.grad(loss))(weights)
    assert not any(np.any(array) for array in jax.tree.leaves(gradient))


@pytest.mark.slow
def test_every_restart_learns_from_answers_alone():
    """Two restarts from nothing to 100 % of the validation questions, and of a test set."""
    training = TrainingConfig(steps=700, restarts=2, examples=4_000, validation=200, patience=1)
    trained = api.train("same-comparison", config=NetworkConfig(hidden=64), training=training)
    assert trained.reports[-1].best_accuracy == [1.0, 1.0]
    assert api.evaluate(trained.model, seed=3).overall.accuracy == 1.0


@pytest.mark.slow
def test_the_papers_network_learns_so_too():
    """One number for each comparison and the whole question, columns by name."""
    training = TrainingConfig(steps=400, examples=4_000, report_every=100, validation=200, patience=1)
    trained = api.train("single-column", config=replace(task("single-column").paper, hidden=64), training=training)
    assert trained.reports[-1].best_accuracy == [1.0]
    assert api.evaluate(trained.model, seed=3).overall.accuracy == 1.0


def test_the_papers_text_match_is_refused():
    with pytest.raises(NeuralProgrammerError, match="--arguments step"):
        api.train("text-two-columns", config=task("text-two-columns").paper, training=TrainingConfig(steps=1))


@pytest.mark.parametrize("exploration", [0.0, 0.3, 1.0])
def test_with_one_number_each_the_moves_after_a_comparison_add_up_to_one(exploration):
    """After `greater A n`, another number for greater is impossible and the same one costs nothing: believed or not."""
    config = PIVOTS
    _, data, weights = setting("three-columns", config, count=8, scale=20.0)
    for place in range(8):
        example = one(data, place).example
        prepared, moves = prepare(weights, config, example), marginal.moves_of(config, example)
        scores = select(weights, prepared, start(weights, prepared).history)
        logs = Choice(*(marginal.explored(part, exploration)[None] for part in scores))
        each = jax.vmap(marginal.flat)(logs) @ marginal.decisions(moves, prepared).T
        for first in np.flatnonzero(moves.uses_argument & (np.asarray(each[0]) > marginal.NO_CHOICE))[:2]:
            after = marginal._one_number_each(moves, jnp.asarray([[int(first)]]), logs, each)
            np.testing.assert_allclose(np.exp(after).sum(), 1.0, rtol=1e-4)
            assert np.max(after) <= 1e-5

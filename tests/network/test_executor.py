"""Oracle: one-hot selections equal the exact interpreter. Invariants: padding, order and names change nothing."""

from collections import Counter
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer.network import equations as network
from neural_programmer.network.arguments import fits
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Example, Sizes, encode
from neural_programmer.network.executor import HARD, SOFT, Choice, execute
from neural_programmer.network.soft import ALL
from neural_programmer.programs import operations
from neural_programmer.programs.operations import BUILT_IN, TEXT, acting, conditions, named
from neural_programmer.programs.program import DECLINED, Program, Step, run
from neural_programmer.questions.question import Question, parse
from neural_programmer.tables.table import Table, is_date, is_text
from random_programs import QUESTION, VOCABULARY, execute_forced, forcing, linked, random_program, random_table

PAPER = NetworkConfig(hidden=8, reader="rnn", attention=False, arguments="blended", columns="names", operations=TEXT)
MIXED = replace(PAPER, attention=True, arguments="mixed")
CONFIG = NetworkConfig(hidden=8, operations=TEXT)
EVERYTHING = NetworkConfig(hidden=8, operations=ALL)
ROOM = Sizes(words=12, links=12, numbers=5, columns=7, name_words=1, rows=12, texts=6)
CONFIGS = pytest.mark.parametrize(
    "config",
    [
        MIXED,
        replace(MIXED, reader="bidirectional"),
        PAPER,
        CONFIG,
        replace(CONFIG, operations=operations.PAPER),
        EVERYTHING,
    ],
    ids=["rnn", "bidirectional", "paper", "default", "default without text match", "everything"],
)
SELECTIONS = pytest.mark.parametrize("selection", [SOFT, HARD], ids=["soft", "hard"])


def parameters_of(config, seed=0, scale=1):
    initial = network.initial(config, len(VOCABULARY), np.random.default_rng(seed))
    return jax.tree.map(lambda array: scale * array, initial)


def lookup_answer(execution):
    return execution.lookup.rows[:, None] * execution.lookup.columns


def check_against_interpreter(program, table, execution):
    """Answers and selected rows of every step; padding is never selected.

    Of an average of nothing, which has no answer, the soft definition makes 0, and a difference goes on with that.
    """
    exact = run(program, table)
    scalars = [0.0] * 3
    for step, result, rows, scalar in zip(
        program.steps, exact.steps, execution.trace.row_select, execution.trace.scalar_answer, strict=True
    ):
        np.testing.assert_array_equal(rows[: table.rows], result.row_select.astype(rows.dtype), err_msg=str(program))
        assert not rows[table.rows :].any(), f"padding was selected by {program}"
        of_nothing = result.answer.reason == f"there is nothing to take the {step} of"
        expected = result.answer.scalar or 0.0
        if of_nothing and step.operation == "difference":
            expected = scalars[-3] - scalars[-1]
        np.testing.assert_allclose(scalar, expected, rtol=1e-6, atol=1e-4, err_msg=str(program))
        scalars.append(expected)
    assert execution.gives_scalar == (exact.answer.kind == "scalar" or of_nothing)
    assert execution.gives_lookup == (exact.answer.kind == "lookup")
    assert execution.gives_nothing == (exact.answer.reason == DECLINED)
    found = zip(*np.nonzero(lookup_answer(execution)), strict=True)
    assert {(int(row), table.names[column]) for row, column in found} == set(exact.answer.cells), str(program)
    return exact.answer.kind


@pytest.mark.parametrize("arguments", ["blended", "mixed", "step"])
def test_one_hot_selections_equal_the_interpreter(arguments):
    """15,000 random programs and tables in all, every operation of the paper; JAX runs them in one batch."""
    config = replace(PAPER, arguments=arguments) if arguments != "step" else CONFIG
    generator = np.random.default_rng([7, len(arguments)])
    tables = [random_table(generator, texts=True) for _ in range(5000)]
    programs = [random_program(generator, table, per_step=arguments == "step") for table in tables]
    kinds = check_all(config, programs, tables, [QUESTION] * len(tables))
    met = Counter(step.operation for program in programs for step in program.steps)
    assert set(met) == set(TEXT)
    assert min(met.values()) > 500
    assert min(kinds[kind] for kind in ("scalar", "lookup", "none")) > 200


def check_all(config, programs, tables, questions):
    """Run each program on its table, all in one batch; how many came to an answer of each kind."""
    triples = zip(programs, tables, questions, strict=True)
    forced = [forcing(program, table, config, ROOM, question) for program, table, question in triples]
    stacked = jax.tree.map(lambda *arrays: np.stack(arrays), *forced)
    weights = jax.tree.map(jnp.asarray, parameters_of(config))
    executions = jax.jit(jax.vmap(lambda one: execute_forced(weights, config, one)))(stacked)
    executions = jax.tree.map(np.asarray, executions)
    kinds = Counter()
    for place, (program, table) in enumerate(zip(programs, tables, strict=True)):
        one = jax.tree.map(lambda array, place=place: array[place], executions)
        kinds[check_against_interpreter(program, table, one)] += 1
    return kinds


def test_one_hot_selections_equal_the_interpreter_for_every_operation():
    """5,000 random programs of six steps, of all operations, on numbers, texts, dates and missing cells."""
    config = replace(EVERYTHING, program_steps=6)
    generator = np.random.default_rng(11)
    tables = [random_table(generator, texts=True, everything=True) for _ in range(5000)]
    questions = [linked(table) for table in tables]
    programs = [
        random_program(generator, table, 6, per_step=True, operations=ALL, question=question)
        for table, question in zip(tables, questions, strict=True)
    ]
    kinds = check_all(config, programs, tables, questions)
    assert min(kinds[kind] for kind in ("scalar", "lookup", "none")) > 150
    met, told = Counter(), Counter()
    for program, table in zip(programs, tables, strict=True):
        for step, result in zip(program.steps, run(program, table).steps, strict=True):
            met[step.operation] += 1
            column = None if step.column is None else table.column(step.column)
            kind = "" if column is None else " of dates" if is_date(column) else " of text" if is_text(column) else ""
            some = result.row_select.any() and not result.row_select.all()
            told[step.operation + kind] += bool(some or result.answer.scalar or result.answer.cells)
    assert set(met) == set(ALL)
    assert min(met.values()) > 500
    ordered = [entry.name for entry in named(ALL) if entry.column == "ordered"]
    for name in {*ALL, *(f"{name} of dates" for name in ordered), "assign of dates", "assign of text"}:
        name = f"{name} of text" if name.startswith("text") else name
        assert told[name] > 50 or name in ("reset", "decline"), f"{name} hardly ever gave anything: {told[name]}"


def test_of_almost_nothing_there_is_no_average():
    """A row that is not the greatest is not selected at all: with nothing else selected, nothing is averaged."""
    table = Table(("A", "B"), (np.array([20.0, 40.25, 3.5]), np.array([1.0, 2.0, 4.0])))
    question = linked(table)
    for name in ("average", "maximum", "minimum"):
        program = Program((Step("greatest", "A"), Step("lesser", "A", 12.5), Step("and"), Step(name, "B")))
        forced = forcing(program, table, EVERYTHING, ROOM, question)
        execution = execute_forced(parameters_of(EVERYTHING), EVERYTHING, forced)
        assert execution.trace.row_select[0, :3].tolist() == [0, 1, 0]
        check_against_interpreter(program, table, execution)


def check_one(generator, config, parameters):
    """A random program of this configuration's operations, in NumPy and without padding."""
    every, per_step = config.operations == ALL, config.arguments == "step"
    table = random_table(generator, texts=True, everything=every)
    asked = linked(table) if every else QUESTION
    program = random_program(generator, table, config.program_steps, per_step, config.operations, asked)
    forced = forcing(program, table, config, question=asked)
    check_against_interpreter(program, table, execute_forced(parameters, config, forced))


@pytest.mark.parametrize("config", [PAPER, CONFIG, EVERYTHING], ids=["paper", "default", "everything"])
def test_numpy_runs_the_same_programs(config):
    """The same functions in NumPy, without padding."""
    generator = np.random.default_rng(8)
    for _ in range(150):
        check_one(generator, config, parameters_of(config))


@pytest.mark.parametrize("config", [PAPER, CONFIG, EVERYTHING], ids=["paper", "default", "everything"])
@pytest.mark.parametrize("steps", [1, 3, 6])
def test_any_number_of_steps(steps, config):
    generator = np.random.default_rng(9)
    config = replace(config, program_steps=steps)
    for _ in range(20):
        check_one(generator, config, parameters_of(config))


def test_every_step_has_a_number_and_a_word_of_its_own():
    """Two comparisons of the same kind with different numbers, two words matched in one column."""
    table = Table(
        ("A", "B", "C"),
        (
            np.array([20.0, 0.0, -8.5, 13.0]),
            np.array(["word:1", "word:2", "word:3", "word:2"]),
            np.array([1.0, 2.0, 4.0, 8.0]),
        ),
    )
    for steps, rows, answer in (
        ((Step("greater", "A", -3.25), Step("greater", "A", 12.5), Step("and"), Step("sum", "C")), (0, 3), 9.0),
        ((Step("greater", "A", 12.5), Step("greater", "A", -3.25), Step("or"), Step("sum", "C")), (0, 1, 3), 11.0),
        ((Step("lesser", "A", 12.5), Step("lesser", "A", -3.25), Step("and"), Step("sum", "C")), (2,), 4.0),
        (
            (Step("text match", "B", ("word:2",)), Step("text match", "B", ("word:1",)), Step("or"), Step("sum", "C")),
            (0, 1, 3),
            11.0,
        ),
        (
            (Step("text match", "B", ("word:2",)), Step("text match", "B", ("word:1",)), Step("and"), Step("count")),
            (),
            0.0,
        ),
    ):
        program = Program(steps)
        execution = execute_forced(parameters_of(CONFIG), CONFIG, forcing(program, table, CONFIG, ROOM))
        assert check_against_interpreter(program, table, execution) == "scalar"
        assert tuple(np.flatnonzero(execution.trace.row_select[2]).tolist()) == rows
        assert execution.scalar_answer == answer


@pytest.mark.parametrize("config", [MIXED, PAPER], ids=["mixed", "paper"])
def test_a_hard_step_acts_on_a_column_of_the_kind_it_takes(config):
    """Though the paper's network selects a column for all operations alike; what it remembers is that column."""
    generator = np.random.default_rng(11)
    apart = 0
    for seed in range(30):
        table = random_table(generator, texts=True)
        example = encode(QUESTION, table, VOCABULARY, config)
        fitting = np.asarray(fits(config.entries, example))
        execution = execute(parameters_of(config, seed, 5), config, example, HARD)
        for column in execution.trace.choice.column:
            places = np.argmax(column, axis=-1)
            for fit, place in zip(fitting, places, strict=True):
                assert fit[place] or not fit.any()
            apart += len(set(places.tolist())) > 1
        if fitting.any(axis=1).all():
            last = config.entries[np.argmax(execution.trace.choice.operation[-1])]
            assert (execution.gives_scalar, execution.gives_lookup) == (
                last.updates == "scalar",
                last.updates == "lookup",
            )
    assert apart > 10


@pytest.mark.parametrize("config", [replace(PAPER, arguments="mixed"), CONFIG], ids=["mixed", "default"])
def test_selections_drawn_with_gumbel_noise_follow_the_probabilities(config):
    """Over many draws of noise that forces, every operation, column and argument is chosen as its softmax says."""
    generator = np.random.default_rng(3)
    table = Table(("A", "B", "C"), (np.array([20.0, 0.0]), np.array(["word:1", "word:2"]), np.array([1.0, 2.0])))
    config = replace(config, program_steps=1)
    parameters = parameters_of(config, scale=12)
    example = encode(QUESTION, table, VOCABULARY, config)
    soft = execute(parameters, config, example, SOFT)
    draws = 20_000
    noise = Choice(
        *(generator.gumbel(size=(draws, *part.shape)).astype(np.float32) for part in soft.trace.choice),
    )
    weights, question = jax.tree.map(jnp.asarray, (parameters, example))
    sampled = jax.jit(jax.vmap(lambda noise: execute(weights, config, question, HARD, noise)))(noise)
    assert all(np.ptp(part) > 0.1 for part in soft.trace.choice)
    pairs = list(zip(sampled.trace.choice, soft.trace.choice, strict=True))
    if config.arguments == "mixed":
        pairs.append((sampled.arguments.pivots, soft.arguments.pivots))
    for drawn, expected in pairs:
        assert set(np.unique(drawn)) <= {0.0, 1.0}
        np.testing.assert_allclose(np.mean(drawn, axis=0), expected, atol=4 * 0.5 / draws**0.5)


def test_nothing_impossible_can_be_forced():
    """With arguments at every step: no operation gets a column of another kind, padding, or an argument of another."""
    generator = np.random.default_rng(10)
    parameters, entries, acts = parameters_of(CONFIG), named(TEXT), acting(named(TEXT))
    for _ in range(20):
        table = random_table(generator, texts=True)
        example = encode(QUESTION, table, VOCABULARY, CONFIG, ROOM)
        columns = ROOM.columns
        shapes = (4, len(entries)), (4, len(acts), columns), (4, 3, columns, ROOM.numbers + ROOM.links)
        force = Choice(*(generator.uniform(-1e6, 1e6, shape).astype(np.float32) for shape in shapes))
        texts = [table.is_text(name) for name in table.names]
        there = {"number": texts.count(False), "text": texts.count(True), "any": len(texts), "none": 1}
        there["ordered"] = there["number"]
        choice = execute(parameters, CONFIG, example, HARD, force).trace.choice
        for chosen, columns, arguments in zip(*choice, strict=True):
            assert there[entries[np.argmax(chosen)].column] > 0
            for entry, column in zip(acts, columns, strict=True):
                if there[entry.column]:
                    assert np.argmax(column) < len(texts)
                    assert entry.column == "any" or texts[np.argmax(column)] == (entry.column == "text")
            arguments = arguments[:, : len(texts)]
            assert (np.argmax(arguments[:2], axis=-1) < len(QUESTION.numbers)).all()
            words = np.argmax(arguments[2], axis=-1) - ROOM.numbers
            assert ((words >= 0) & (words < len(QUESTION.words))).all()


@pytest.mark.parametrize("numbers", [True, False], ids=["numbers", "no numbers"])
def test_nothing_impossible_can_be_forced_of_a_linked_question(numbers):
    """No number that is a time alone, no time for numbers, no link that means nothing in the column; and without
    anything to take, no operation that would take it."""
    generator = np.random.default_rng(12)
    parameters, entries = parameters_of(EVERYTHING), named(ALL)
    acts, takes = acting(entries), conditions(entries)
    met = Counter()
    for _ in range(60):
        table = random_table(generator, texts=True, everything=True)
        question = linked(table)
        if not numbers:
            question = replace(question, numbers=(), number_positions=(), periods=())
        example = encode(question, table, VOCABULARY, EVERYTHING, ROOM)
        shapes = (
            (4, len(entries)),
            (4, len(acts), ROOM.columns),
            (4, len(takes), ROOM.columns, ROOM.numbers + ROOM.links),
        )
        force = Choice(*(generator.uniform(-1e6, 1e6, shape).astype(np.float32) for shape in shapes))
        choice = execute(parameters, EVERYTHING, example, HARD, force).trace.choice
        for chosen, columns, arguments in zip(*choice, strict=True):
            entry = entries[np.argmax(chosen)]
            met[entry.name] += 1
            if entry.column == "none":
                continue
            slot = np.argmax(columns[acts.index(entry)])
            column = table.columns[slot]
            kind = "text" if is_text(column) else "date" if is_date(column) else "number"
            fitting = {"any": (kind,), "number": ("number",), "ordered": ("number", "date"), "text": ("text",)}
            assert kind in fitting[entry.column]
            if entry.argument != "none":
                candidate = np.argmax(arguments[takes.index(entry), slot])
                if kind == "text":
                    assert slot in question.links[candidate - ROOM.numbers].texts
                elif kind == "date":
                    assert question.periods[candidate] is not None
                else:
                    assert question.numbers[candidate] == question.numbers[candidate]
    comparisons = {entry.name for entry in takes if entry.argument == "number"}
    assert set(met) == (set(ALL) if numbers else set(ALL) - comparisons)


def real_parts(execution, config: NetworkConfig, example: Example):
    """What an execution says of the rows, columns and arguments that are there, and all the rest of it.

    An operation that has no column to act on is never chosen, and its columns are left out; so are the arguments of
    columns that are not there, or that have none to take.
    """
    rows, columns, numbers = int(example.row_count), int(example.column_count), int(example.number_count)
    texts, dates = example.text_columns[:columns], example.date_columns[:columns]
    there = {"number": not (texts | dates).all(), "ordered": not texts.all(), "text": texts.any(), "any": True}
    acts = [there[entry.column] or config.arguments != "step" for entry in acting(named(config.operations))]
    kept = list(range(numbers))
    if config.arguments == "blended":
        kept, slots = [0], 1
    else:
        slots = len(example.numbers)
    if config.matches_text:
        kept += range(slots, slots + (int(example.link_count) if config.arguments == "step" else 1))
    choice, lookup = execution.trace.choice, lookup_answer(execution)
    some = execution.arguments.allowed.any(axis=2)[:, :, None]
    choice = choice._replace(argument=np.where(some, choice.argument, 0))
    real = (
        execution.scalar_answer,
        execution.gives_scalar,
        execution.gives_lookup,
        lookup[:rows, :columns],
        execution.trace.scalar_answer,
        execution.trace.row_select[:, :rows],
        choice.operation,
        choice.column[:, acts][:, :, :columns],
        choice.argument[:, :, :columns, kept],
    )
    beyond = np.ones(choice.argument.shape[3], bool)
    beyond[kept] = False
    padding = (
        lookup[rows:],
        lookup[:, columns:],
        execution.trace.row_select[:, rows:],
        choice.column[:, acts][:, :, columns:],
        choice.argument[:, :, :columns, beyond],
    )
    return real, padding


@CONFIGS
@SELECTIONS
def test_padding_changes_nothing(config, selection):
    parameters = parameters_of(config, 1)
    generator = np.random.default_rng(2)
    for _ in range(20):
        table = random_table(generator, texts=True, everything=config is EVERYTHING)
        question = linked(table) if config is EVERYTHING else QUESTION
        tight, padded = (encode(question, table, VOCABULARY, config, room) for room in (None, ROOM))
        expected, nothing = real_parts(execute(parameters, config, tight, selection), config, tight)
        assert question.links == () or not any(part.size for part in nothing)  # of no links there is one place
        found, padding = real_parts(execute(parameters, config, padded, selection), config, padded)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)
        assert not any(part.any() for part in padding)


def reordered(question: Question, columns):
    """The same linked question about the same columns in another order."""
    places = {int(old): new for new, old in enumerate(columns)}
    links = tuple(
        replace(link, texts={places[slot]: text for slot, text in link.texts.items()}) for link in question.links
    )
    return replace(question, mentions=tuple(question.mentions[column] for column in columns), links=links)


@CONFIGS
@SELECTIONS
def test_row_and_column_order_do_not_matter(config, selection):
    """Of a question that mentions every column: two that it does not mention cannot be told apart by pointers."""
    asked = parse("greater 12.5 A E lesser -3.25 B word:1 D and word:2 sum C")
    parameters = parameters_of(config, 4, scale=5)
    generator = np.random.default_rng(5)
    for _ in range(20):
        table = random_table(generator, texts=True, everything=config is EVERYTHING)
        rows, columns = generator.permutation(table.rows), generator.permutation(len(table.names))
        shuffled = Table(tuple(table.names[c] for c in columns), tuple(table.columns[c][rows] for c in columns))
        questions = (linked(table), reordered(linked(table), columns)) if config is EVERYTHING else (asked, asked)
        example, moved = (
            encode(question, each, VOCABULARY, config)
            for question, each in zip(questions, (table, shuffled), strict=True)
        )
        one, _ = real_parts(execute(parameters, config, example, selection), config, example)
        other, _ = real_parts(execute(parameters, config, moved, selection), config, moved)
        order = [lambda part: part] * 9
        order[3] = lambda lookup, rows=rows, columns=columns: lookup[rows][:, columns]
        order[5] = lambda row_select, rows=rows: row_select[:, rows]
        order[7] = order[8] = lambda choice, columns=columns: choice[:, :, columns]
        for found, expected, reorder in zip(other, one, order, strict=True):
            np.testing.assert_allclose(found, reorder(expected), rtol=1e-4, atol=1e-4)


def test_columns_that_are_not_mentioned_are_chosen_alike():
    table = Table(tuple("ABCDE"), tuple(np.arange(10.0).reshape(5, 2)))
    found = execute(parameters_of(CONFIG, scale=10), CONFIG, encode(QUESTION, table, VOCABULARY, CONFIG), SOFT)
    columns = found.trace.choice.column[:, acting(named(TEXT)).index(BUILT_IN["sum"])]
    np.testing.assert_allclose(columns[:, 3], columns[:, 4], rtol=1e-6)
    assert all(np.abs(columns[:, one] - columns[:, other]).max() > 1e-3 for one, other in ((0, 1), (0, 3), (1, 2)))


@pytest.mark.parametrize("arguments", ["step", "mixed"])
@SELECTIONS
def test_renaming_the_columns_changes_nothing(arguments, selection):
    """By pointers, in table and question alike; the new names are of several words and words never met."""
    config = replace(CONFIG, arguments=arguments)
    asked = "greater 12.5 A lesser -3.25 B word:1 and word:2 sum C"
    renamed = asked.replace("A", "net Sales").replace("B", "größe").replace("C", "sum OF order word:1")
    names = dict(zip("ABCDE", ("net sales", "Größe", "sum of order word:1", "size", "sum total"), strict=True))
    parameters = parameters_of(config, 6, scale=10)
    generator = np.random.default_rng(7)
    for _ in range(20):
        table = random_table(generator, texts=True)
        table = (
            table if len(table.names) > 2 else Table(tuple("ABC"), (*table.columns, *table.columns, *table.columns)[:3])
        )
        other = Table(tuple(names[name] for name in table.names), table.columns)
        one, two = (
            encode(parse(question), each, VOCABULARY, config, ROOM)
            for question, each in ((asked, table), (renamed, other))
        )
        executions = [execute(parameters, config, example, selection) for example in (one, two)]
        for before, after in zip(*map(jax.tree.leaves, executions), strict=True):
            np.testing.assert_array_equal(after, before)
        tight = encode(parse(renamed), other, VOCABULARY, config)
        found, _ = real_parts(execute(parameters, config, tight, selection), config, tight)
        for after, before in zip(found, real_parts(executions[0], config, one)[0], strict=True):
            np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-5)


def test_by_names_a_column_of_another_name_is_another_column():
    table = Table(("A", "B", "C"), tuple(np.arange(6.0).reshape(3, 2)))
    other = Table(("A", "D", "C"), table.columns)
    config = replace(CONFIG, columns="names")
    one, two = (
        execute(parameters_of(config, scale=10), config, encode(QUESTION, each, VOCABULARY, config), SOFT)
        for each in (table, other)
    )
    assert np.abs(one.trace.choice.column - two.trace.choice.column).max() > 1e-3

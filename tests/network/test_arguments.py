"""Which columns fit, which arguments there are and which conditions hold: against loops over the table itself."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer.network import equations as network
from neural_programmer.network.arguments import HARD, SOFT, above, fits, of_question, of_steps, real
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Sizes, encode
from neural_programmer.network.executor import execute, prepare
from neural_programmer.network.soft import ALL, holds
from neural_programmer.programs.operations import BUILT_IN, TEXT, acting, conditions, named
from neural_programmer.programs.pointers import bounds
from neural_programmer.programs.program import Program, Step, run
from neural_programmer.questions.question import parse
from neural_programmer.tables.table import Table, is_date, is_text
from random_programs import DAY, QUESTION, VOCABULARY, YEAR, linked, random_table

EVERYTHING = NetworkConfig(hidden=8, operations=ALL)
PAPER = NetworkConfig(hidden=8, reader="rnn", attention=False, arguments="blended", columns="names", operations=TEXT)
ROOM = Sizes(words=12, links=9, numbers=6, columns=7, name_words=1, rows=12, texts=6)
ROOMS = pytest.mark.parametrize("room", [None, ROOM], ids=["tight", "padded"])
TABLE = Table(
    ("A", "B", "C", "D"),
    (
        np.array([12.5, np.nan, 2020.0, -3.25, 2020.0]),
        np.array(["word:1", "", "word:2", "word:1", ""]),
        np.array(["2019-12-31", "2020-12-31", "NaT", "2021-01-01", "2021-03-31"], "M8[D]"),
        np.array(["", "", "word:3", "word:1", "word:0"]),
    ),
)


def parameters_of(config):
    return network.initial(config, len(VOCABULARY), np.random.default_rng(0))


def steps_of(table, question, room=None):
    """The arguments that each step may choose from."""
    example = encode(question, table, VOCABULARY, EVERYTHING, room)
    reading = network.read(parameters_of(EVERYTHING), example.words, example.word_count)
    return example, reading, of_steps(named(ALL), example, reading)


def kind_of(column):
    return "text" if is_text(column) else "date" if is_date(column) else "number"


def there(cell):
    """Whether a cell is not missing."""
    return cell != "" and cell == cell


@ROOMS
def test_an_operation_fits_the_columns_of_its_kind(room):
    generator = np.random.default_rng(0)
    kinds = {"number": ("number",), "ordered": ("number", "date"), "text": ("text",), "any": ("number", "date", "text")}
    for _ in range(30):
        table = random_table(generator, texts=True, everything=True)
        found = fits(named(ALL), encode(linked(table), table, VOCABULARY, EVERYTHING, room))
        for entry, row in zip(acting(named(ALL)), found, strict=True):
            expected = [kind_of(column) in kinds[entry.column] for column in table.columns]
            assert row.tolist() == expected + [False] * (len(row) - len(expected)), entry.name


@ROOMS
def test_real_cells_are_those_that_are_there(room):
    generator = np.random.default_rng(1)
    for _ in range(30):
        table = random_table(generator, texts=True, everything=True)
        example = encode(linked(table), table, VOCABULARY, EVERYTHING, room)
        found = real(example, ~example.text_columns)
        expected = np.zeros_like(found)
        for j, column in enumerate(table.columns):
            expected[: table.rows, j] = [there(cell) and not is_text(column) for cell in column]
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(real(example, example.date_columns), expected & example.date_columns)


@ROOMS
def test_what_is_above_what(room):
    """In every column of numbers or dates, of every two rows: never of a missing cell, nor of padding."""
    generator = np.random.default_rng(2)
    for _ in range(10):
        table = random_table(generator, texts=True, everything=True)
        example = encode(linked(table), table, VOCABULARY, EVERYTHING, room)
        rows, columns = example.table.shape
        found = above(example).reshape(rows, rows, columns)
        expected = np.zeros((rows, rows, columns))
        for j, column in enumerate(table.columns):
            for k in range(table.rows):
                for i in range(table.rows):
                    expected[k, i, j] = not is_text(column) and bool(column[k] > column[i])
        np.testing.assert_array_equal(found, expected)


@ROOMS
def test_conditions_of_steps_hold_where_the_exact_definitions_select(room):
    """Every condition, in every column, for every argument that the column can take."""
    generator = np.random.default_rng(3)
    met = set()
    for _ in range(60):
        table = random_table(generator, texts=True, everything=True)
        question = linked(table)
        _, _, found = steps_of(table, question, room)
        for place, entry in enumerate(conditions(named(ALL))):
            held = found.conditions[entry.name]
            width = held.shape[2]
            assert set(np.unique(held)) <= {0.0, 1.0}
            assert not held[table.rows :].any()
            for slot, (name, column) in enumerate(zip(table.names, table.columns, strict=True)):
                kind = kind_of(column)
                if (kind == "text") != (entry.argument == "text"):
                    assert not held[:, slot].any()
                    continue
                if kind == "text":
                    arguments = [link.texts.get(slot) for link in question.links]
                    arguments = [text and (text,) for text in arguments]
                elif kind == "date":
                    arguments = list(question.periods)
                else:
                    arguments = [number if there(number) else None for number in question.numbers]
                allowed = found.allowed[place, slot]
                allowed = allowed[-width:] if kind == "text" else allowed[:width]
                assert allowed.tolist() == [a is not None for a in arguments] + [False] * (width - len(arguments))
                for candidate, argument in enumerate(arguments):
                    if argument is not None:
                        rows = run(Program((Step(entry.name, name, argument),)), table).steps[0].row_select
                        np.testing.assert_array_equal(held[: table.rows, slot, candidate], rows)
                        met.add((entry.name, kind, bool(rows.any())))
            assert not held[:, len(table.names) :].any()
    assert len(met) == 2 * (2 + 2 * 6)  # of two conditions on text, six on numbers and on dates: some rows and none


def test_candidates_are_the_states_where_the_question_has_them():
    """Of a number in its place, of a link at its word; two links of one word are two candidates."""
    question = linked(TABLE)
    _, reading, found = steps_of(TABLE, question)
    positions = [*question.number_positions, *(link.position for link in question.links)]
    assert positions == [0, 2, 5, 8, 4, 6, 7, 7]
    np.testing.assert_array_equal(found.states, reading.states[positions])
    assert (found.scores, found.pivots, found.text_match) == (None, None, None)


def test_a_year_is_a_number_among_numbers_and_a_time_among_dates():
    _, _, found = steps_of(TABLE, linked(TABLE))
    year, day = (linked(TABLE).periods.index(period) for period in (YEAR, DAY))
    assert found.conditions["equal"][:, 0, year].tolist() == [0, 0, 1, 0, 1]
    assert found.conditions["equal"][:, 2, year].tolist() == [0, 1, 0, 0, 0]
    assert found.conditions["greater"][:, 2, year].tolist() == [0, 0, 0, 1, 1]
    assert found.conditions["at most"][:, 2, day].tolist() == [1, 1, 0, 1, 1]
    place = [entry.name for entry in conditions(named(ALL))].index("equal")
    assert found.allowed[place, 0, :4].tolist() == [True, True, True, False]
    assert found.allowed[place, 2, :4].tolist() == [False, False, True, True]


def test_an_operation_needs_something_to_take():
    """Without a number or time no comparison is possible; on dates alone, none without a time; nor a text match."""
    config = replace(EVERYTHING, operations=("count", "equal", "text match", "least"))
    numbers = Table(("A",), (np.array([1.0, 2.0]),))
    dates = Table(("A",), (np.array(["2020-01-01", "NaT"], "M8[D]"),))
    texts = Table(("A",), (np.array(["word:1", ""]),))
    asked = linked(numbers)
    nothing = replace(asked, numbers=(), number_positions=(), periods=(), links=())
    no_times = replace(asked, numbers=(5.0,), number_positions=(0,), periods=(None,))
    for table, question, expected in (
        (numbers, asked, [True, True, False, True]),
        (numbers, no_times, [True, True, False, True]),
        (numbers, nothing, [True, False, False, True]),
        (dates, asked, [True, True, False, True]),
        (dates, no_times, [True, False, False, True]),
        (dates, nothing, [True, False, False, True]),
        (texts, linked(texts), [True, False, True, False]),
        (texts, nothing, [True, False, False, False]),
        (dates, parse("sum 5 A"), [True, False, False, True]),
    ):
        example = encode(question, table, VOCABULARY, config, ROOM)
        prepared = prepare(parameters_of(config), config, example)
        assert prepared.allowed.operation.tolist() == expected
        chosen = execute(parameters_of(config), config, example, SOFT).trace.choice.operation
        np.testing.assert_array_equal(chosen > 0, [expected] * config.program_steps)


def test_what_orders_rows_is_prepared_only_where_it_is_needed():
    """It grows with the square of the rows."""
    for names, expected in ((ALL, True), (TEXT, False), (("greatest", "equal"), True), (("average", "equal"), False)):
        config = replace(EVERYTHING, operations=names)
        example = encode(linked(TABLE), TABLE, VOCABULARY, config)
        assert (prepare(parameters_of(config), config, example).above is not None) == expected


@pytest.mark.parametrize("library", ["NumPy", "JAX"])
@pytest.mark.parametrize("selection", [SOFT, HARD], ids=["soft", "hard"])
@pytest.mark.parametrize("arguments", ["blended", "mixed"])
def test_the_papers_text_match_does_not_match_missing_cells(arguments, selection, library):
    """Nor does a missing number compare; with few texts in the table and with many."""
    config = replace(PAPER, arguments=arguments)
    few = Table(("A", "B"), (np.array(["word:1", "", ""]), np.array([np.nan, 40.25, np.nan])))
    for table in (few, Table(TABLE.names[:2] + TABLE.names[3:], TABLE.columns[:2] + TABLE.columns[3:])):
        for room in (None, ROOM):
            example = encode(QUESTION, table, VOCABULARY, config, room)
            parameters = parameters_of(config)
            if library == "JAX":
                example, parameters = jax.tree.map(jnp.asarray, (example, parameters))
            reading = network.read(parameters, example.words, example.word_count)
            columns = network.column_vectors(parameters, example.names, example.name_counts)
            always = selection._replace(decide=jnp.ones_like if library == "JAX" else np.ones_like)
            found = of_question(parameters, config, example, reading, columns, always, None)
            for name, held in found.conditions.items():
                for slot, column in enumerate(table.columns):
                    cells = np.array([there(cell) for cell in column])
                    held_here = np.asarray(held)[: table.rows, slot]
                    assert not held_here[~cells].any(), name
                    if name == "text match":
                        np.testing.assert_array_equal(held_here[:, 0], cells & is_text(column))
                assert not np.asarray(held)[table.rows :].any()


def test_bounds_of_arguments():
    assert bounds(5.0) == (5.0, 5.0)
    assert bounds(YEAR) == (YEAR.first, YEAR.last)
    assert bounds(None) == (None, None)
    assert holds(BUILT_IN["equal"], np.datetime64("2020-06-01"), *bounds(YEAR))

"""Reference: loops written from the paper's Table 1. Planted values with a known result.

What goes beyond the paper is also counted out: every way to select rows, each with its probability.
"""

from itertools import product
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer.network import soft as formulas
from neural_programmer.network.soft import ALL, FORMULAS, ORDERING, Memory
from neural_programmer.programs.expressions import Constant
from neural_programmer.programs.frame import Frame
from neural_programmer.programs.interpreter import Interpreter
from neural_programmer.programs.operations import BUILT_IN, COMPARISONS, conditions, named
from neural_programmer.programs.operations import ROWS as ROW_NAMES
from neural_programmer.programs.state import below
from neural_programmer.tables.table import Table

ROWS, REAL_ROWS, COLUMNS = 7, 5, 4
TEXT_COLUMN, PADDING_COLUMN = 1, 3
NO_TEXT = -3  # the number of a cell without a text
TAKING = conditions(named(ALL))


class Case(NamedTuple):
    """What an operation is asked to do, and the numbers and words that the conditions of the memory stand for."""

    memory: Memory
    column: np.ndarray
    argument: np.ndarray
    low: np.ndarray
    high: np.ndarray
    cells: np.ndarray
    words: np.ndarray


def above(table, present):
    """[table[k][j] > table[i][j]] for all k, i and j, where both are there: one row for every k"""
    rows, columns = table.shape
    found = np.zeros((rows, rows * columns))
    for k, i, j in product(range(rows), range(rows), range(columns)):
        found[k, i * columns + j] = present[k][j] and present[i][j] and table[k][j] > table[i][j]
    return found


def random_case(seed):
    """Random probabilities everywhere, three numbers or times and three words, missing cells, a column of text.

    Two rows and a column are padding. Numbers are small and whole, so that ties happen among cells and with them.
    """
    generator = np.random.default_rng(seed)
    rows = (np.arange(ROWS) < REAL_ROWS).astype(float)
    of_numbers = np.isin(np.arange(COLUMNS), [TEXT_COLUMN, PADDING_COLUMN], invert=True).astype(float)
    of_text = (np.arange(COLUMNS) == TEXT_COLUMN).astype(float)
    low = generator.integers(-3, 4, 3).astype(float)
    high = low + generator.integers(0, 2, 3)
    present = (generator.random((ROWS, COLUMNS)) < 0.8) * rows[:, None] * of_numbers
    table = generator.integers(-3, 4, (ROWS, COLUMNS)) * present
    cells, words = generator.integers(0, 3, (ROWS, COLUMNS)), generator.integers(-1, 3, 3)
    cells[generator.random((ROWS, COLUMNS)) < 0.2] = NO_TEXT
    holds = {}
    for entry in TAKING:
        if entry.argument == "number":
            holds[entry.name] = formulas.holds(entry, table[:, :, None], low, high) * present[:, :, None]
        else:
            held = formulas.holds(entry, cells[:, :, None], words, words) & (cells != NO_TEXT)[:, :, None]
            holds[entry.name] = held * of_text[:, None]
    memory = Memory(
        table=table,
        rows=rows,
        present=present,
        above=above(table, present),
        conditions={name: condition * rows[:, None, None] for name, condition in holds.items()},
        row_select_1=generator.random(ROWS) * rows,
        row_select_2=generator.random(ROWS) * rows,
        scalar_1=np.asarray(generator.normal()),
        scalar_3=np.asarray(generator.normal()),
    )
    column, argument = generator.dirichlet(np.ones(COLUMNS)), generator.dirichlet(np.ones(3), COLUMNS)
    return Case(memory, column, argument, low, high, cells, words)


def soft(name, case):
    """The soft definition; operations that take no argument get none."""
    return FORMULAS[name](case.memory, case.column, case.argument if BUILT_IN[name].argument != "none" else None)


def holds(name, case, i, j, candidate):
    """Whether a condition holds for a cell and one of the candidates, in words."""
    if name.startswith("text"):
        cell, word = case.cells[i][j], case.words[candidate]
        return j == TEXT_COLUMN and cell != NO_TEXT and (cell == word) == (name == "text match")
    cell, low, high = case.memory.table[i][j], case.low[candidate], case.high[candidate]
    if j in (TEXT_COLUMN, PADDING_COLUMN) or not case.memory.present[i][j]:
        return False
    return {
        "greater": cell > high,
        "lesser": cell < low,
        "equal": low <= cell <= high,
        "not equal": not low <= cell <= high,
        "at least": not cell < low,
        "at most": not cell > high,
    }[name]


def extremes(memory, best):
    """The probability that a row is the best of the selected rows, for each column: every way to select is counted.

    Rows are selected independently. The best of several may be tied; a missing cell is never the best.
    """
    found = np.zeros((ROWS, COLUMNS))
    for ways in product((False, True), repeat=REAL_ROWS):
        likely = np.prod([p if way else 1 - p for p, way in zip(memory.row_select_1, ways, strict=False)])
        for j in range(COLUMNS):
            there = [i for i, way in enumerate(ways) if way and memory.present[i][j]]
            for i in there:
                if memory.table[i][j] == best(memory.table[k][j] for k in there):
                    found[i][j] += likely
    return found


def naive_mean(table, weights, column):
    """The mean of every column's cells by their weights, and of these means; the mean of nothing is 0."""
    total = 0.0
    for j in range(COLUMNS):
        weight = sum(weights[i][j] for i in range(REAL_ROWS))
        if weight > 0:
            total += column[j] * sum(weights[i][j] * table[i][j] for i in range(REAL_ROWS)) / weight
    return total


def naive(name, case):
    """Table 1 cell by cell over the real rows and columns; what is padding or of another kind stays zero."""
    memory, column = case.memory, case.column
    select_1, select_2, table = memory.row_select_1, memory.row_select_2, memory.table
    if name == "sum":
        total = 0.0
        for j in range(COLUMNS):
            for i in range(REAL_ROWS):
                total += column[j] * select_1[i] * table[i][j]
        return total
    if name == "count":
        return sum(select_1[i] for i in range(REAL_ROWS))
    if name == "difference":
        return memory.scalar_3 - memory.scalar_1
    if name == "average":
        return naive_mean(table, [[select_1[i] * there for there in memory.present[i]] for i in range(ROWS)], column)
    if name in ("maximum", "minimum"):
        return naive_mean(table, extremes(memory, max if name == "maximum" else min), column)
    rows = np.zeros(ROWS)
    if name in ("greatest", "least"):
        for i, of_columns in enumerate(extremes(memory, max if name == "greatest" else min)):
            rows[i] = sum(weight * likely for weight, likely in zip(column, of_columns, strict=True))
        return rows
    for i in range(REAL_ROWS):
        if name in ("and", "or", "reset", "assign", "not", "decline"):
            rows[i] = {
                "and": min(select_1[i], select_2[i]),
                "or": max(select_1[i], select_2[i]),
                "reset": 1.0,
                "assign": select_1[i],
                "not": 1 - select_1[i],
                "decline": 1.0,  # which nothing reads
            }[name]
            continue
        for j in range(COLUMNS):
            for candidate, weight in enumerate(case.argument[j]):
                rows[i] += column[j] * weight if holds(name, case, i, j, candidate) else 0.0
    return rows


@pytest.mark.parametrize("name", ALL)
def test_soft_definition_is_that_of_table_1(name):
    for seed in range(50):
        case = random_case(seed)
        np.testing.assert_allclose(soft(name, case), naive(name, case), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("name", "best"), [("maximum", max), ("minimum", min)])
def test_a_soft_maximum_is_the_expected_one_of_what_is_selected(name, best):
    """Without ties: the mean, over all ways to select rows of which one has a cell, of the greatest cell."""
    for seed in range(20):
        case = random_case(seed)
        generator = np.random.default_rng(seed)
        table = generator.permutation(ROWS * COLUMNS).reshape(ROWS, COLUMNS) * case.memory.present
        memory = case.memory._replace(table=table, above=above(table, case.memory.present))
        for j in (0, 2):
            total = likely_some = 0.0
            for ways in product((False, True), repeat=REAL_ROWS):
                there = [table[i][j] for i, way in enumerate(ways) if way and memory.present[i][j]]
                if there:
                    pairs = zip(memory.row_select_1, ways, strict=False)
                    likely = np.prod([p if way else 1 - p for p, way in pairs])
                    total, likely_some = total + likely * best(there), likely_some + likely
            found = soft(name, case._replace(memory=memory, column=np.eye(COLUMNS)[j]))
            np.testing.assert_allclose(found, total / likely_some if likely_some else 0.0, rtol=1e-10)


@pytest.mark.parametrize("name", ["greatest", "least", "maximum", "minimum", "average"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_selected_for_sure_is_chosen_for_sure(name, dtype):
    """Not a trace of the others is left, however small; of nothing nothing comes, and it is a number."""
    for seed in range(30):
        case = random_case(seed)
        select = np.random.default_rng(seed).random(ROWS) < (seed % 3) / 2
        memory = case.memory._replace(row_select_1=select * case.memory.rows)
        memory = Memory(*(part if isinstance(part, dict) else np.asarray(part, dtype) for part in memory))
        for j in range(COLUMNS):
            column = np.eye(COLUMNS, dtype=dtype)[j]
            found = FORMULAS[name](memory, column, None)
            assert found.dtype == dtype
            there = [i for i in range(REAL_ROWS) if select[i] and memory.present[i][j]]
            cells = [memory.table[i][j] for i in there]
            if name in ("greatest", "least"):
                best = max if name == "greatest" else min
                expected = [float(i in there and memory.table[i][j] == best(cells)) for i in range(ROWS)]
                np.testing.assert_array_equal(found, expected)
            else:
                mean = {"maximum": max, "minimum": min, "average": np.mean}[name]
                np.testing.assert_allclose(found, mean(cells) if cells else 0.0, rtol=1e-6)


@pytest.mark.parametrize("name", [name for name in ALL if name not in ("and", "or", "difference", "reset", "decline")])
def test_gradient_is_that_of_finite_differences(name):
    """By the rows that are selected, by the column and by the argument, in float64. Ties of cells do not matter."""
    generator = np.random.default_rng(5)
    step = 1e-6
    for seed in range(6):
        case = random_case(seed)
        weights = generator.normal(size=ROWS)

        def value(rows, column, argument, case=case, weights=weights):
            found = FORMULAS[name](case.memory._replace(row_select_1=rows), column, argument)
            return (found * weights).sum() if found.ndim else found

        places = [case.memory.row_select_1, case.column, case.argument]
        places[0] = np.clip(places[0], 0.01, 0.99) * case.memory.rows  # away from what is sure
        with jax.enable_x64(True):
            gradients = jax.grad(value, (0, 1, 2))(*map(jnp.asarray, places))
        for place, gradient in enumerate(gradients):
            assert np.isfinite(gradient).all()
            for index in np.ndindex(places[place].shape):
                if place == 0 and index[0] >= REAL_ROWS:
                    continue  # padding is never selected
                sides = []
                for sign in (1, -1):
                    moved = [np.array(part) for part in places]
                    moved[place][index] += sign * step
                    sides.append(value(*moved))
                expected = (sides[0] - sides[1]) / (2 * step)
                np.testing.assert_allclose(gradient[index], expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("name", ["greatest", "least", "maximum", "minimum", "average", "not"])
def test_gradients_are_numbers_where_rows_are_selected_for_sure_or_not_at_all(name):
    """In float32, where training starts: all rows, none, and sums of probabilities that round to above one."""
    case = random_case(1)
    memory = Memory(*(part if isinstance(part, dict) else jnp.asarray(part, jnp.float32) for part in case.memory))
    column = jnp.asarray(case.column, jnp.float32)
    for rows in (memory.rows, 0 * memory.rows, memory.rows * (1 + 1e-6), memory.rows * (1 - 6e-8), memory.rows * 1e-30):

        def value(rows):
            return jnp.sum(FORMULAS[name](memory._replace(row_select_1=rows), column, None))

        found, gradient = jax.value_and_grad(value)(jnp.asarray(rows))
        assert np.isfinite(found)
        assert np.isfinite(gradient).all()


def planted(column=0, **changes):
    """A table of three rows and two columns, of which the second holds text; rows 1 and 3 are half selected.

    One column is chosen, and the one argument there is; texts match the first row and the third almost surely.
    """
    table = np.array([[10.0, 0.0], [20.0, 0.0], [40.0, 0.0]])
    present = np.array([[1.0, 0.0]] * 3)
    memory = Memory(
        table=table,
        rows=np.ones(3),
        present=present,
        above=above(table, present),
        conditions={
            "greater": np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]])[:, :, None],
            "lesser": np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])[:, :, None],
            "equal": np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])[:, :, None],
            "not equal": np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 0.0]])[:, :, None],
            "at least": np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]])[:, :, None],
            "at most": np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])[:, :, None],
            "text match": np.array([[0.0, 0.9], [0.0, 0.2], [0.0, 0.9]])[:, :, None],
            "text other": np.array([[0.0, 0.1], [0.0, 0.8], [0.0, 0.0]])[:, :, None],
        },
        row_select_1=np.array([0.5, 0.0, 0.5]),
        row_select_2=np.array([0.25, 0.75, 1.0]),
        scalar_1=np.asarray(2.0),
        scalar_3=np.asarray(7.5),
    )
    nothing = np.zeros(0)
    return Case(memory._replace(**changes), np.eye(2)[column], np.ones((2, 1)), nothing, nothing, nothing, nothing)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("sum", 25, 0),
        ("count", 1, 1),
        ("difference", 5.5, 5.5),
        ("greater", [0, 0, 1], [0, 0, 0]),
        ("lesser", [1, 0, 0], [0, 0, 0]),
        ("and", [0.25, 0, 0.5], [0.25, 0, 0.5]),
        ("or", [0.5, 0.75, 1], [0.5, 0.75, 1]),
        ("assign", [0.5, 0, 0.5], [0.5, 0, 0.5]),
        ("reset", [1, 1, 1], [1, 1, 1]),
        ("text match", [0, 0, 0], [0.9, 0.2, 0.9]),
        ("text other", [0, 0, 0], [0.1, 0.8, 0]),
        ("equal", [0, 1, 0], [0, 0, 0]),
        ("not equal", [1, 0, 1], [0, 0, 0]),
        ("at least", [0, 1, 1], [0, 0, 0]),
        ("at most", [1, 1, 0], [0, 0, 0]),
        ("not", [0.5, 1, 0.5], [0.5, 1, 0.5]),
        ("average", 25, 0),
        ("maximum", 30, 0),  # 40 with probability 1/2, else 10 with probability 1/2 of the other half
        ("minimum", 20, 0),
        ("greatest", [0.25, 0, 0.5], [0, 0, 0]),
        ("least", [0.5, 0, 0.25], [0, 0, 0]),
        ("decline", [1, 1, 1], [1, 1, 1]),
    ],
)
def test_planted_values_have_their_known_result(name, first, second):
    """With the first column, with the second, and with a quarter of the first and three of the second."""
    same = np.testing.assert_array_equal
    if name in ORDERING:  # which take logarithms
        same = np.testing.assert_allclose
    same(soft(name, planted(0)), first)
    same(soft(name, planted(1)), second)
    both = planted()._replace(column=np.array([0.25, 0.75]))
    np.testing.assert_allclose(soft(name, both), 0.25 * np.array(first) + 0.75 * np.array(second), rtol=1e-12)


def test_an_uncertain_argument_mixes_the_conditions():
    """With 15 and 30 at weights 0.25 and 0.75: 10 is above neither, 20 above the first alone, 40 above both."""
    numbers = np.array([15.0, 30.0])
    table = planted().memory.table
    compared = {
        name: formulas.holds(BUILT_IN[name], table[:, :, None], numbers, numbers).astype(float) for name in COMPARISONS
    }
    case = planted(conditions=compared)._replace(argument=np.array([[0.25, 0.75], [1.0, 0.0]]))
    np.testing.assert_array_equal(soft("greater", case), [0, 0.25, 1])
    np.testing.assert_array_equal(soft("lesser", case), [1, 0.75, 0])


def test_every_column_has_an_argument_of_its_own():
    """Half the first column, greater than 15 for sure; half the second, greater than 30 for sure."""
    table = np.array([[10.0, 40.0], [20.0, 20.0], [40.0, 20.0]])
    numbers = np.array([15.0, 30.0])
    compared = {name: formulas.holds(BUILT_IN[name], table[:, :, None], numbers, numbers) * 1.0 for name in COMPARISONS}
    case = planted(table=table, conditions=compared)._replace(column=np.array([0.5, 0.5]), argument=np.eye(2))
    np.testing.assert_array_equal(soft("greater", case), [0.5, 0.5, 0.5])
    np.testing.assert_array_equal(soft("lesser", case), [0.5, 0.5, 0.5])
    turned = case._replace(argument=np.eye(2)[::-1])
    np.testing.assert_array_equal(soft("greater", turned), [0.5, 0.5, 1])
    np.testing.assert_array_equal(soft("lesser", turned), [0.5, 0.5, 0])


@pytest.mark.parametrize("name", ALL)
def test_a_formula_reads_what_the_operation_declares(name):
    """It gives the variable that the operation names, and reads no column or order that it does not need."""
    operation, case = BUILT_IN[name], random_case(0)
    assert np.shape(soft(name, case)) == (() if operation.updates == "scalar" else (ROWS,))
    if operation.column == "none":
        np.testing.assert_array_equal(soft(name, case._replace(column=case.column[::-1])), soft(name, case))
    others = {other: held for other, held in case.memory.conditions.items() if other == name}
    order = case.memory.above if name in ORDERING else None
    changed = case._replace(memory=case.memory._replace(conditions=others, above=order))
    np.testing.assert_array_equal(soft(name, changed), soft(name, case))


def test_operations_beyond_them_have_no_formula():
    assert [name for name in ROW_NAMES if formulas.formula(BUILT_IN[name]) is not None] == list(ALL)
    assert len(ALL) == 22


@pytest.mark.parametrize("name", [entry.name for entry in TAKING])
def test_a_condition_holds_of_a_cell_where_its_expression_selects_its_row(name):
    """Of a cell that is there; of numbers, of what lies between two numbers, of dates within a time, of texts."""
    if BUILT_IN[name].argument == "text":
        cases = [(np.array(["red", "green", "blue", "red", ""]), [("red",) * 2, ("blue",) * 2, ("pink",) * 2])]
    else:
        numbers, days = np.array([-1.0, 2.0, 2.5, 7.0, np.nan]), np.array([0, 29, 30, 31, "NaT"], "M8[D]")
        times = [(days[1], days[1]), (days[0], days[2]), (days[2], days[3]), (days[0] - 9, days[0] - 1)]
        cases = [(numbers, [(2.0, 2.0), (-1.5, -1.5), (7.0, 7.0), (2.0, 7.0), (-9.0, 2.2)]), (days, times)]
    for column, arguments in cases:
        there = np.array([True] * 4 + [False])
        for low, high in arguments:
            frame = Frame([Table(("a",), (column,))])
            least, most = Constant(low), Constant(high)
            taken = below(frame.column("a"))._replace(low=least, high=most, texts=(least,))
            held = formulas.holds(BUILT_IN[name], column, np.asarray(low), np.asarray(high))
            selected = Interpreter(frame).rows(BUILT_IN[name].expression(taken))
            np.testing.assert_array_equal(held & there, selected)

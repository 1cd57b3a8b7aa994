"""Reference: loops written from the paper's Table 1. Planted values with a known result. Plain Python for the exact.

What goes beyond the paper is also counted out: every way to select rows, each with its probability.
"""

import re
from datetime import date
from itertools import product
from pathlib import Path
from typing import NamedTuple, get_args

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer.engines import sql
from neural_programmer.programs import operations
from neural_programmer.programs.operations import (
    ALL,
    COMPARISONS,
    EVERY,
    EXTREMES,
    OPERATIONS,
    ORDER,
    TEXT,
    Memory,
    Operation,
    State,
    Updates,
    acting,
    conditions,
    named,
)
from neural_programmer.programs.program import Program, Step

ROWS, REAL_ROWS, COLUMNS = 7, 5, 4
TEXT_COLUMN, PADDING_COLUMN = 1, 3
NO_TEXT = -3  # the number of a cell without a text
WITHOUT_SOFT = (
    "first", "last", "previous", "next", "above", "below",
    "more", "fewer", "same", "most common", "distinct", "whether",
    "least common", "years", "more or less", "above or below", "before or after",
)  # fmt: skip
TABLE_1 = ("sum", "count", "difference", "greater", "lesser", "and", "or", "assign", "reset")  # in the paper's order
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
            holds[entry.name] = entry.holds(table[:, :, None], low, high) * present[:, :, None]
        else:
            held = entry.holds(cells[:, :, None], words, words) & (cells != NO_TEXT)[:, :, None]
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
    return OPERATIONS[name].soft(
        case.memory, case.column, case.argument if OPERATIONS[name].argument != "none" else None
    )


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
            found = OPERATIONS[name].soft(memory, column, None)
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
            found = OPERATIONS[name].soft(case.memory._replace(row_select_1=rows), column, argument)
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
            return jnp.sum(OPERATIONS[name].soft(memory._replace(row_select_1=rows), column, None))

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
    if OPERATIONS[name].soft in EXTREMES:  # which take logarithms
        same = np.testing.assert_allclose
    same(soft(name, planted(0)), first)
    same(soft(name, planted(1)), second)
    both = planted()._replace(column=np.array([0.25, 0.75]))
    np.testing.assert_allclose(soft(name, both), 0.25 * np.array(first) + 0.75 * np.array(second), rtol=1e-12)


def test_an_uncertain_argument_mixes_the_conditions():
    """With 15 and 30 at weights 0.25 and 0.75: 10 is above neither, 20 above the first alone, 40 above both."""
    numbers = np.array([15.0, 30.0])
    table = planted().memory.table
    compared = {name: OPERATIONS[name].holds(table[:, :, None], numbers, numbers).astype(float) for name in COMPARISONS}
    case = planted(conditions=compared)._replace(argument=np.array([[0.25, 0.75], [1.0, 0.0]]))
    np.testing.assert_array_equal(soft("greater", case), [0, 0.25, 1])
    np.testing.assert_array_equal(soft("lesser", case), [1, 0.75, 0])


def test_every_column_has_an_argument_of_its_own():
    """Half the first column, greater than 15 for sure; half the second, greater than 30 for sure."""
    table = np.array([[10.0, 40.0], [20.0, 20.0], [40.0, 20.0]])
    numbers = np.array([15.0, 30.0])
    compared = {name: OPERATIONS[name].holds(table[:, :, None], numbers, numbers) * 1.0 for name in COMPARISONS}
    case = planted(table=table, conditions=compared)._replace(column=np.array([0.5, 0.5]), argument=np.eye(2))
    np.testing.assert_array_equal(soft("greater", case), [0.5, 0.5, 0.5])
    np.testing.assert_array_equal(soft("lesser", case), [0.5, 0.5, 0.5])
    turned = case._replace(argument=np.eye(2)[::-1])
    np.testing.assert_array_equal(soft("greater", turned), [0.5, 0.5, 1])
    np.testing.assert_array_equal(soft("lesser", turned), [0.5, 0.5, 0])


def test_entries_are_consistent():
    assert COMPARISONS == ("greater", "lesser")
    assert operations.PAPER == TABLE_1
    assert (*TABLE_1, "text match") == TEXT
    assert tuple(OPERATIONS) == EVERY == (*ALL, *WITHOUT_SOFT)
    assert WITHOUT_SOFT[:6] == ORDER
    assert ALL[:10] == TEXT  # in the order of the weights of older models
    assert len(set(ALL)) == len(ALL) == 22
    for names in (TABLE_1, TEXT, ALL, ("not", "sum")):
        assert names_of(named(names)) == names
    acts, takes = ("sum", "greater", "lesser", "assign"), ("text other", "equal", "not equal", "at least", "at most")
    more = ("average", "maximum", "minimum", "greatest", "least")
    assert names_of(acting(named(TABLE_1))) == acts
    assert names_of(acting(named(TEXT))) == (*acts, "text match")
    assert names_of(acting(named(ALL))) == (*acts, "text match", *takes, *more)
    assert names_of(conditions(named(TABLE_1))) == COMPARISONS
    assert names_of(conditions(named(TEXT))) == (*COMPARISONS, "text match")
    assert names_of(conditions(named(ALL))) == (*COMPARISONS, "text match", *takes)
    assert {entry.name for entry in OPERATIONS.values() if entry.soft in EXTREMES} == set(more[1:])


def names_of(entries):
    return tuple(entry.name for entry in entries)


@pytest.mark.parametrize("name", EVERY)
def test_an_entry_says_what_its_definitions_do(name):
    """The exact and the soft definition return the variable that the entry names, and read only what it declares."""
    operation = OPERATIONS[name]
    kinds = Operation.__annotations__
    assert operation.name == name
    assert operation.updates in get_args(Updates)
    assert operation.column in get_args(kinds["column"])
    assert operation.about
    assert operation.argument in get_args(kinds["argument"])
    assert operation.argument == "none" or operation.column == {"number": "ordered", "text": "text"}[operation.argument]
    assert (operation.holds is None) == (operation.argument == "none")
    column = np.array(["a", "b"]) if operation.column == "text" else np.array([1.0, 2.0])
    argument = {"none": None, "number": 1.5, "text": ("a",)}[operation.argument]
    state = State(column, argument, argument, np.array([True, False]), np.array([True, True]), 1.0, 2.0)
    value = operation.exact(state)
    if operation.updates == "scalar":
        assert type(value) is float
    else:
        assert value.dtype == bool
        assert value.shape == (2,)
    if operation.column == "none":
        assert np.array_equal(operation.exact(state._replace(column=column + 1)), value)
    if name in WITHOUT_SOFT:
        assert operation.soft is None
        return
    case = random_case(0)
    assert np.shape(soft(name, case)) == (() if operation.updates == "scalar" else (ROWS,))
    if operation.column == "none":
        np.testing.assert_array_equal(soft(name, case._replace(column=case.column[::-1])), soft(name, case))
    others = {other: held for other, held in case.memory.conditions.items() if other == name}
    order = case.memory.above if operation.soft in EXTREMES else None
    changed = case._replace(memory=case.memory._replace(conditions=others, above=order))
    np.testing.assert_array_equal(soft(name, changed), soft(name, case))


@pytest.mark.parametrize("name", names_of(TAKING))
def test_a_condition_holds_of_a_cell_where_the_exact_definition_selects_its_row(name):
    """Of a cell that is there; of numbers, of what lies between two numbers, of dates within a time, of texts."""
    if OPERATIONS[name].argument == "text":
        cases = [(np.array(["red", "green", "blue", "red", ""]), [("red",) * 2, ("blue",) * 2, ("pink",) * 2])]
    else:
        numbers, days = np.array([-1.0, 2.0, 2.5, 7.0, np.nan]), np.array([0, 29, 30, 31, "NaT"], "M8[D]")
        times = [(days[1], days[1]), (days[0], days[2]), (days[2], days[3]), (days[0] - 9, days[0] - 1)]
        cases = [(numbers, [(2.0, 2.0), (-1.5, -1.5), (7.0, 7.0), (2.0, 7.0), (-9.0, 2.2)]), (days, times)]
    for column, arguments in cases:
        there = np.array([True] * 4 + [False])
        for low, high in arguments:
            exact = (low, high) if OPERATIONS[name].argument == "number" else ((low,), (high,))
            state = State(column, *exact, np.ones(5, bool), np.ones(5, bool), 0.0, 0.0)
            held = OPERATIONS[name].holds(column, np.asarray(low), np.asarray(high))
            np.testing.assert_array_equal(held & there, OPERATIONS[name].exact(state))


def exactly(name, column, low, high, last, before, scalars):
    """The definitions over lists of Python values, None where a cell is missing."""
    chosen = [value for value, selected in zip(column, last, strict=True) if selected and value is not None]
    rows = list(zip(column, last, strict=True))

    def each(holds):
        return [value is not None and holds(value) for value in column]

    def best(choose):
        return [selected and value is not None and value == choose(chosen) for value, selected in rows]

    def places(holds):
        numbers = [number for number, selected in enumerate(last) if selected]
        return [bool(numbers) and holds(number, numbers[0], numbers[-1]) for number in range(len(last))]

    def commonest(value):
        return all(chosen.count(value) >= chosen.count(other) for other in chosen)

    def rarest(value):
        return all(chosen.count(value) <= chosen.count(other) for other in chosen)

    return {
        "sum": lambda: float(sum(chosen)),
        "count": lambda: float(sum(last)),
        "difference": lambda: scalars[0] - scalars[1],
        "greater": lambda: each(lambda value: value > high),
        "lesser": lambda: each(lambda value: value < low),
        "and": lambda: [one and other for one, other in zip(last, before, strict=True)],
        "or": lambda: [one or other for one, other in zip(last, before, strict=True)],
        "assign": lambda: last,
        "reset": lambda: [True] * len(column),
        "text match": lambda: each(lambda value: value in low),
        "text other": lambda: each(lambda value: value not in low),
        "equal": lambda: each(lambda value: low <= value <= high),
        "not equal": lambda: each(lambda value: not low <= value <= high),
        "at least": lambda: each(lambda value: value >= low),
        "at most": lambda: each(lambda value: value <= high),
        "not": lambda: [not selected for selected in last],
        "average": lambda: sum(chosen) / len(chosen) if chosen else float("nan"),
        "maximum": lambda: max(chosen, default=float("nan")),
        "minimum": lambda: min(chosen, default=float("nan")),
        "greatest": lambda: best(max),
        "least": lambda: best(min),
        "decline": lambda: last,
        "first": lambda: places(lambda number, first, last: number == first),
        "last": lambda: places(lambda number, first, last: number == last),
        "previous": lambda: places(lambda number, first, last: number == first - 1),
        "next": lambda: places(lambda number, first, last: number == last + 1),
        "above": lambda: places(lambda number, first, last: number < first),
        "below": lambda: places(lambda number, first, last: number > last),
        "more": lambda: each(lambda value: bool(chosen) and all(value > other for other in chosen)),
        "fewer": lambda: each(lambda value: bool(chosen) and all(value < other for other in chosen)),
        "same": lambda: [not selected and value is not None and value in chosen for value, selected in rows],
        "most common": lambda: [selected and value is not None and commonest(value) for value, selected in rows],
        "distinct": lambda: float(len(set(chosen))),
        "whether": lambda: last,
        "least common": lambda: [selected and value is not None and rarest(value) for value, selected in rows],
        "years": lambda: scalars[1],
        "more or less": lambda: last,
        "above or below": lambda: last,
        "before or after": lambda: last,
    }[name]()


def random_column(generator, kind, rows, missing):
    """A column of one kind as the definitions get it and as a list, and the least and most of an argument to it."""
    gaps = generator.random(rows) < missing
    if kind == "text":
        column = np.where(gaps, "", generator.choice(["red", "green", "blue"], rows))
        return column, [text or None for text in column.tolist()], ("red", "blue"), ("red", "blue")
    if kind == "date":
        column = generator.integers(18_262, 18_267, rows).astype("M8[D]")  # five days of January 2020
        column[gaps] = "NaT"
        return column, column.tolist(), date(2020, 1, 2), date(2020, 1, int(generator.integers(2, 4)))
    column = np.where(gaps, np.nan, generator.integers(-3, 4, rows).astype(float))
    return column, [value if value == value else None for value in column.tolist()], 1.0, 1.0


@pytest.mark.parametrize("missing", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("name", EVERY)
def test_exact_definition_is_plain_python(name, missing):
    """On few rows and many, any of them selected or none, each kind of column that the operation acts on."""
    generator = np.random.default_rng(3)
    kinds = {"number": ["number"], "ordered": ["number", "date"], "text": ["text"], "none": ["number"]}
    for kind in kinds.get(OPERATIONS[name].column, ["number", "date", "text"]):
        for rows in (0, 1, 2, *[9] * 12):
            last, before = generator.random((2, rows)) < 0.5
            scalars = tuple(generator.normal(size=2).tolist())
            column, cells, low, high = random_column(generator, kind, rows, missing)
            bounds = (np.datetime64(low), np.datetime64(high)) if kind == "date" else (low, high)
            state = State(column, *bounds, last, before, scalar_1=scalars[1], scalar_3=scalars[0])
            expected = exactly(name, cells, low, high, last.tolist(), before.tolist(), scalars)
            np.testing.assert_array_equal(OPERATIONS[name].exact(state), expected)


def test_matching_no_text_selects_no_row():
    state = State(np.array(["red", "blue"]), (), (), np.ones(2, bool), np.ones(2, bool), 0.0, 0.0)
    assert OPERATIONS["text match"].exact(state).tolist() == [False, False]
    assert OPERATIONS["text other"].exact(state).tolist() == [True, True]


def test_rows_are_found_beside_those_that_are_selected():
    """Of seven towns the third and the fifth are selected; what is beside the table is nothing."""
    towns = np.array(["Oslo", "Rome", "Bern", "Oslo", "Rome", "", "Bern"])
    selected = np.array([False, False, True, False, True, False, False])
    known = {
        "first": [2], "last": [4], "previous": [1], "next": [5], "above": [0, 1], "below": [5, 6],
        "same": [1, 6], "most common": [2, 4], "least common": [2, 4],
    }  # fmt: skip
    for name, expected in known.items():
        state = State(towns, None, None, selected, selected, 0.0, 0.0)
        assert np.flatnonzero(OPERATIONS[name].exact(state)).tolist() == expected, name
        nothing = OPERATIONS[name].exact(state._replace(row_select_1=np.zeros(7, bool)))
        assert not nothing.any(), name
    everything = State(towns, None, None, np.ones(7, bool), selected, 0.0, 0.0)
    for name in ("previous", "next", "above", "below", "same"):
        assert not OPERATIONS[name].exact(everything).any(), name
    assert np.flatnonzero(OPERATIONS["most common"].exact(everything)).tolist() == [0, 1, 2, 3, 4, 6]
    most = everything._replace(row_select_1=np.array([True] * 4 + [False] * 3))
    assert np.flatnonzero(OPERATIONS["least common"].exact(most)).tolist() == [1, 2]
    assert OPERATIONS["distinct"].exact(everything) == 3


def test_rows_with_more_than_any_of_the_selected_ones():
    days = np.array(["2020-01-05", "NaT", "2020-01-01", "2020-01-09", "2020-01-05"], "M8[D]")
    state = State(days, None, None, np.array([True, True, False, False, False]), np.ones(5, bool), 0.0, 0.0)
    assert np.flatnonzero(OPERATIONS["more"].exact(state)).tolist() == [3]
    assert np.flatnonzero(OPERATIONS["fewer"].exact(state)).tolist() == [2]


def test_every_operation_is_documented():
    """Its name, what it gives, a program that has it, and the query of that."""
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| ([a-z ]+) \| [^|]+ \| ([^|]+) \| `([^`]+)` \| (?:`(.+)`|none) \|$", page, re.MULTILINE)
    assert [(name, about) for name, about, _, _ in found] == [(name, OPERATIONS[name].about) for name in EVERY]
    for name, _, program, query in found:
        steps = [_step(text) for text in program.split("; ")]
        assert name in {step.operation for step in steps}
        if query:
            assert " ".join(sql.text(Program(tuple(steps)), "shop", "duckdb").split()) == query


def _step(text):
    """A step as it is written, of an operation and words for a column and an argument."""
    name = max((name for name in EVERY if f"{text} ".startswith(f"{name} ")), key=len)
    column, argument, *_ = [*text[len(name) :].split(), None, None]
    if argument is not None:
        argument = (argument,) if OPERATIONS[name].argument == "text" else float(argument)
    return Step(name, column, argument)

"""Reference: loops written from the paper's Table 1. Planted values with a known result. Plain Python for the exact."""

from typing import NamedTuple, get_args

import numpy as np
import pytest

from neural_programmer.operations import (
    COMPARISONS,
    OPERATIONS,
    Memory,
    Operation,
    State,
    Updates,
    acting,
    available,
    conditions,
)

ROWS, REAL_ROWS, COLUMNS = 7, 5, 4
TEXT_COLUMN, PADDING_COLUMN = 1, 3
TABLE_1 = ("sum", "count", "difference", "greater", "lesser", "and", "or", "assign", "reset")  # in the paper's order


class Case(NamedTuple):
    """What an operation is asked to do, and the numbers and words that the conditions of the memory stand for."""

    memory: Memory
    column: np.ndarray
    argument: np.ndarray
    numbers: np.ndarray
    cells: np.ndarray
    words: np.ndarray


def random_case(seed):
    """Random probabilities everywhere, three numbers and three words, two rows of padding, one column of text."""
    generator = np.random.default_rng(seed)
    rows = (np.arange(ROWS) < REAL_ROWS).astype(float)
    of_numbers = np.isin(np.arange(COLUMNS), [TEXT_COLUMN, PADDING_COLUMN], invert=True).astype(float)
    of_text = (np.arange(COLUMNS) == TEXT_COLUMN).astype(float)
    numbers = generator.integers(-3, 4, 3).astype(float)  # small whole numbers, so that ties with cells happen
    table = generator.integers(-3, 4, (ROWS, COLUMNS)) * rows[:, None] * of_numbers
    cells, words = generator.integers(0, 3, (ROWS, COLUMNS)), generator.integers(-1, 3, 3)
    holds = {name: OPERATIONS[name].holds(table[:, :, None], numbers) * of_numbers[:, None] for name in COMPARISONS}
    holds["text match"] = OPERATIONS["text match"].holds(cells[:, :, None], words) * of_text[:, None]
    memory = Memory(
        table=table,
        rows=rows,
        conditions={name: condition * rows[:, None, None] for name, condition in holds.items()},
        row_select_1=generator.random(ROWS) * rows,
        row_select_2=generator.random(ROWS) * rows,
        scalar_1=np.asarray(generator.normal()),
        scalar_3=np.asarray(generator.normal()),
    )
    column, argument = generator.dirichlet(np.ones(COLUMNS)), generator.dirichlet(np.ones(3), COLUMNS)
    return Case(memory, column, argument, numbers, cells, words)


def soft(name, case):
    """The soft definition; operations that take no argument get none."""
    return OPERATIONS[name].soft(
        case.memory, case.column, case.argument if OPERATIONS[name].argument != "none" else None
    )


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
    rows = np.zeros(ROWS)
    for i in range(REAL_ROWS):
        if name in ("and", "or", "reset", "assign"):
            rows[i] = {
                "and": min(select_1[i], select_2[i]),
                "or": max(select_1[i], select_2[i]),
                "reset": 1.0,
                "assign": select_1[i],
            }[name]
            continue
        for j in range(COLUMNS):
            holds_text = j == TEXT_COLUMN
            for weight, number, word in zip(case.argument[j], case.numbers, case.words, strict=True):
                if name == "text match":
                    true = holds_text and case.cells[i][j] == word
                else:
                    true = table[i][j] > number if name == "greater" else table[i][j] < number
                    true = true and not holds_text and j != PADDING_COLUMN
                rows[i] += column[j] * weight if true else 0.0
    return rows


@pytest.mark.parametrize("name", OPERATIONS)
def test_soft_definition_is_that_of_table_1(name):
    for seed in range(50):
        case = random_case(seed)
        np.testing.assert_allclose(soft(name, case), naive(name, case), rtol=1e-12, atol=1e-12)


def planted(column=0, **changes):
    """A table of three rows and two columns, of which the second holds text; rows 1 and 3 are half selected.

    One column is chosen, and the one argument there is; texts match the first row and the third almost surely.
    """
    table = np.array([[10.0, 0.0], [20.0, 0.0], [40.0, 0.0]])
    memory = Memory(
        table=table,
        rows=np.ones(3),
        conditions={
            "greater": np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]])[:, :, None],
            "lesser": np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])[:, :, None],
            "text match": np.array([[0.0, 0.9], [0.0, 0.2], [0.0, 0.9]])[:, :, None],
        },
        row_select_1=np.array([0.5, 0.0, 0.5]),
        row_select_2=np.array([0.25, 0.75, 1.0]),
        scalar_1=np.asarray(2.0),
        scalar_3=np.asarray(7.5),
    )
    nothing = np.zeros(0)
    return Case(memory._replace(**changes), np.eye(2)[column], np.ones((2, 1)), nothing, nothing, nothing)


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
    ],
)
def test_planted_values_have_their_known_result(name, first, second):
    """With the first column, with the second, and with a quarter of the first and three of the second."""
    np.testing.assert_array_equal(soft(name, planted(0)), first)
    np.testing.assert_array_equal(soft(name, planted(1)), second)
    both = planted()._replace(column=np.array([0.25, 0.75]))
    np.testing.assert_allclose(soft(name, both), 0.25 * np.array(first) + 0.75 * np.array(second), rtol=1e-12)


def test_an_uncertain_argument_mixes_the_conditions():
    """With 15 and 30 at weights 0.25 and 0.75: 10 is above neither, 20 above the first alone, 40 above both."""
    numbers = np.array([15.0, 30.0])
    table = planted().memory.table
    compared = {name: OPERATIONS[name].holds(table[:, :, None], numbers).astype(float) for name in COMPARISONS}
    case = planted(conditions=compared)._replace(argument=np.array([[0.25, 0.75], [1.0, 0.0]]))
    np.testing.assert_array_equal(soft("greater", case), [0, 0.25, 1])
    np.testing.assert_array_equal(soft("lesser", case), [1, 0.75, 0])


def test_every_column_has_an_argument_of_its_own():
    """Half the first column, greater than 15 for sure; half the second, greater than 30 for sure."""
    table = np.array([[10.0, 40.0], [20.0, 20.0], [40.0, 20.0]])
    compared = {name: OPERATIONS[name].holds(table[:, :, None], np.array([15.0, 30.0])) * 1.0 for name in COMPARISONS}
    case = planted(table=table, conditions=compared)._replace(column=np.array([0.5, 0.5]), argument=np.eye(2))
    np.testing.assert_array_equal(soft("greater", case), [0.5, 0.5, 0.5])
    np.testing.assert_array_equal(soft("lesser", case), [0.5, 0.5, 0.5])
    turned = case._replace(argument=np.eye(2)[::-1])
    np.testing.assert_array_equal(soft("greater", turned), [0.5, 0.5, 1])
    np.testing.assert_array_equal(soft("lesser", turned), [0.5, 0.5, 0])


def test_entries_are_consistent():
    assert COMPARISONS == ("greater", "lesser")
    assert tuple(operation.name for operation in available(text_match=False)) == TABLE_1
    assert tuple(operation.name for operation in available(text_match=True)) == (*TABLE_1, "text match")
    acts = ("sum", "greater", "lesser", "assign")
    assert tuple(operation.name for operation in acting(available(text_match=False))) == acts
    assert tuple(operation.name for operation in acting(available(text_match=True))) == (*acts, "text match")
    assert tuple(operation.name for operation in conditions(available(text_match=False))) == COMPARISONS
    assert tuple(operation.name for operation in conditions(available(text_match=True))) == (*COMPARISONS, "text match")


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_entry_says_what_its_definitions_do(name):
    """The soft and the exact definition return the variable that the entry names, and read only what it declares."""
    operation = OPERATIONS[name]
    kinds = Operation.__annotations__
    assert operation.name == name
    assert operation.updates in get_args(Updates)
    assert operation.column in get_args(kinds["column"])
    assert operation.argument in get_args(kinds["argument"])
    assert operation.argument == "none" or operation.column == operation.argument
    assert (operation.holds is None) == (operation.argument == "none")
    case = random_case(0)
    assert np.shape(soft(name, case)) == (() if operation.updates == "scalar" else (ROWS,))
    column = np.array(["a", "b"]) if operation.column == "text" else np.array([1.0, 2.0])
    argument = {"none": None, "number": 1.5, "text": ("a",)}[operation.argument]
    state = State(column, argument, np.array([True, False]), np.array([True, True]), 1.0, 2.0)
    value = operation.exact(state)
    if operation.updates == "scalar":
        assert type(value) is float
    else:
        assert value.dtype == bool
        assert value.shape == (2,)
    if operation.column == "none":
        assert np.array_equal(operation.exact(state._replace(column=column + 1)), value)
        np.testing.assert_array_equal(soft(name, case._replace(column=case.column[::-1])), soft(name, case))
    others = {other: held for other, held in case.memory.conditions.items() if other == name}
    changed = case._replace(memory=case.memory._replace(conditions=others))
    np.testing.assert_array_equal(soft(name, changed), soft(name, case))


@pytest.mark.parametrize("name", [entry.name for entry in conditions(available(text_match=True))])
def test_a_condition_holds_of_a_cell_where_the_exact_definition_selects_its_row(name):
    if OPERATIONS[name].argument == "text":
        column, arguments = np.array(["red", "green", "blue", "red"]), ["red", "blue", "pink"]
    else:
        column, arguments = np.array([-1.0, 2.0, 2.5, 7.0]), [2.0, -1.5, 7.0]
    for argument in arguments:
        exact = argument if OPERATIONS[name].argument == "number" else (argument,)
        state = State(column, exact, np.ones(4, bool), np.ones(4, bool), 0.0, 0.0)
        held = OPERATIONS[name].holds(column, np.asarray(argument))
        np.testing.assert_array_equal(held, OPERATIONS[name].exact(state))


def exactly(name, column, argument, last, before, scalars):
    """The definitions over lists of Python values."""
    chosen = [value for value, selected in zip(column, last, strict=True) if selected]
    return {
        "sum": lambda: float(sum(chosen)),
        "count": lambda: float(len(chosen)),
        "difference": lambda: scalars[0] - scalars[1],
        "greater": lambda: [value > argument for value in column],
        "lesser": lambda: [value < argument for value in column],
        "and": lambda: [one and other for one, other in zip(last, before, strict=True)],
        "or": lambda: [one or other for one, other in zip(last, before, strict=True)],
        "assign": lambda: last,
        "reset": lambda: [True] * len(column),
        "text match": lambda: [value in argument for value in column],
    }[name]()


@pytest.mark.parametrize("name", OPERATIONS)
def test_exact_definition_is_plain_python(name):
    generator = np.random.default_rng(3)
    for rows in (0, 1, 2, 9, 9, 9, 9):
        last, before = generator.random((2, rows)) < 0.5
        scalars = tuple(generator.normal(size=2).tolist())
        if OPERATIONS[name].column == "text":
            column, argument = generator.choice(["red", "green", "blue"], rows), ("red", "blue")
        else:
            column, argument = generator.integers(-3, 4, rows).astype(float), 1.0
        state = State(column, argument, last, before, scalar_1=scalars[1], scalar_3=scalars[0])
        expected = exactly(name, column.tolist(), argument, last.tolist(), before.tolist(), scalars)
        np.testing.assert_array_equal(OPERATIONS[name].exact(state), expected)


def test_matching_no_text_selects_no_row():
    state = State(np.array(["red", "blue"]), (), np.ones(2, bool), np.ones(2, bool), 0.0, 0.0)
    assert OPERATIONS["text match"].exact(state).tolist() == [False, False]

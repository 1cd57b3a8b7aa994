"""Reference: loops written from the paper's Table 1. Planted values with a known result. Plain Python for the exact."""

from typing import get_args

import numpy as np
import pytest

from neural_programmer.operations import COMPARISONS, OPERATIONS, Memory, Operation, Pivot, State, Updates, available

ROWS, REAL_ROWS, COLUMNS = 7, 5, 4
TEXT_COLUMN, PADDING_COLUMN = 1, 3
TABLE_1 = ("sum", "count", "difference", "greater", "lesser", "and", "or", "assign", "reset")  # in the paper's order


def random_memory(seed):
    """Random probabilities everywhere, three numbers in each pivot, two rows of padding, one column of text."""
    generator = np.random.default_rng(seed)
    rows = (np.arange(ROWS) < REAL_ROWS).astype(float)
    numbers = np.isin(np.arange(COLUMNS), [TEXT_COLUMN, PADDING_COLUMN], invert=True).astype(float)
    question = generator.integers(-3, 4, 3).astype(float)  # small whole numbers, so that ties with cells happen
    return Memory(
        table=generator.integers(-3, 4, (ROWS, COLUMNS)) * rows[:, None] * numbers,
        rows=rows,
        number_columns=numbers,
        text_match=generator.random((ROWS, COLUMNS)) * rows[:, None] * (np.arange(COLUMNS) == TEXT_COLUMN),
        pivots={name: Pivot(question, generator.dirichlet(np.ones(3))) for name in COMPARISONS},
        row_select_1=generator.random(ROWS) * rows,
        row_select_2=generator.random(ROWS) * rows,
        scalar_1=np.asarray(generator.normal()),
        scalar_3=np.asarray(generator.normal()),
    )


def naive(name, memory):
    """Table 1 cell by cell over the real rows and columns; what is padding or of another kind stays zero."""
    select_1, select_2, table = memory.row_select_1, memory.row_select_2, memory.table
    if name == "sum":
        sums = np.zeros(COLUMNS)
        for j in range(COLUMNS):
            for i in range(REAL_ROWS):
                sums[j] += select_1[i] * table[i][j]
        return sums
    if name == "count":
        return sum(select_1[i] for i in range(REAL_ROWS))
    if name == "difference":
        return memory.scalar_3 - memory.scalar_1
    if name in ("and", "or", "reset"):
        rows = np.zeros(ROWS)
        for i in range(REAL_ROWS):
            rows[i] = {"and": min(select_1[i], select_2[i]), "or": max(select_1[i], select_2[i]), "reset": 1.0}[name]
        return rows
    cells = np.zeros((ROWS, COLUMNS))
    for i in range(REAL_ROWS):
        for j in range(COLUMNS):
            holds_text = j == TEXT_COLUMN
            if name == "assign":
                cells[i][j] = select_1[i]
            elif name == "text match" and holds_text:
                cells[i][j] = memory.text_match[i][j]
            elif name in COMPARISONS and not holds_text and j != PADDING_COLUMN:
                for number, weight in zip(*memory.pivots[name], strict=True):
                    true = table[i][j] > number if name == "greater" else table[i][j] < number
                    cells[i][j] += weight if true else 0.0
    return cells


@pytest.mark.parametrize("name", OPERATIONS)
def test_soft_definition_is_that_of_table_1(name):
    for seed in range(50):
        memory = random_memory(seed)
        np.testing.assert_allclose(OPERATIONS[name].soft(memory), naive(name, memory), rtol=1e-12, atol=1e-12)


def planted(**changes):
    """A table of three rows and two columns, of which the second holds text; rows 1 and 3 are half selected."""
    memory = Memory(
        table=np.array([[10.0, 0.0], [20.0, 0.0], [40.0, 0.0]]),
        rows=np.ones(3),
        number_columns=np.array([1.0, 0.0]),
        text_match=np.array([[0.0, 0.9], [0.0, 0.2], [0.0, 0.9]]),
        pivots={name: Pivot(np.array([20.0]), np.ones(1)) for name in COMPARISONS},
        row_select_1=np.array([0.5, 0.0, 0.5]),
        row_select_2=np.array([0.25, 0.75, 1.0]),
        scalar_1=np.asarray(2.0),
        scalar_3=np.asarray(7.5),
    )
    return memory._replace(**changes)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sum", [25, 0]),
        ("count", 1),
        ("difference", 5.5),
        ("greater", [[0, 0], [0, 0], [1, 0]]),
        ("lesser", [[1, 0], [0, 0], [0, 0]]),
        ("and", [0.25, 0, 0.5]),
        ("or", [0.5, 0.75, 1]),
        ("assign", [[0.5, 0.5], [0, 0], [0.5, 0.5]]),
        ("reset", [1, 1, 1]),
        ("text match", [[0, 0.9], [0, 0.2], [0, 0.9]]),
    ],
)
def test_planted_values_have_their_known_result(name, expected):
    np.testing.assert_array_equal(OPERATIONS[name].soft(planted()), expected)


def test_an_uncertain_pivot_mixes_the_comparisons():
    """With 15 and 30 at weights 0.25 and 0.75: 10 is above neither, 20 above the first alone, 40 above both."""
    pivot = Pivot(np.array([15.0, 30.0]), np.array([0.25, 0.75]))
    memory = planted(pivots=dict.fromkeys(COMPARISONS, pivot))
    np.testing.assert_array_equal(OPERATIONS["greater"].soft(memory)[:, 0], [0, 0.25, 1])
    np.testing.assert_array_equal(OPERATIONS["lesser"].soft(memory)[:, 0], [1, 0.75, 0])


def test_entries_are_consistent():
    assert COMPARISONS == ("greater", "lesser")
    assert tuple(operation.name for operation in available(text_match=False)) == TABLE_1
    assert tuple(operation.name for operation in available(text_match=True)) == (*TABLE_1, "text match")


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
    memory = random_memory(0)
    whole = {"scalar": (), "lookup": (ROWS, COLUMNS), "rows": (ROWS,)}[operation.updates]
    for_columns = {"scalar": (COLUMNS,), "lookup": (ROWS, COLUMNS), "rows": (ROWS, COLUMNS)}[operation.updates]
    assert np.shape(operation.soft(memory)) == (whole if operation.column == "none" else for_columns)
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
    if operation.argument != "number":
        changed = memory._replace(pivots={comparison: Pivot(np.zeros(1), np.zeros(1)) for comparison in COMPARISONS})
        np.testing.assert_array_equal(operation.soft(changed), operation.soft(memory))


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

"""When two answers are the same, by each definition, and where the definitions agree."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from neural_programmer.candidates.conditions import found
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.items import key
from neural_programmer.programs.program import Program, Step, run
from neural_programmer.programs.result import Result
from neural_programmer.programs.same import (
    CLOSE,
    as_text,
    cell_of,
    is_close,
    is_right,
    is_right_in_paper,
    is_right_of_wikitables,
    key_of,
)
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.tables.table import Table

NAN = float("nan")


@pytest.mark.parametrize(
    ("said", "wanted", "right"),
    [
        (3, 3.0, True), (3, 3.1, False), (1e9, 1e9 + 100, False), (1e9 + 0.5, 1e9 + 100.5, True),
        (1234567, 1234568, False), (1234567.6, 1234568, True), (1e17, 1e17 + 16, True), (1e-9, 0, True),
        (-2.5, 2.5, False), (None, None, True), (None, [], False), ([], None, False), (0, None, False),
        (["b", "a"], ["a", "b"], True), (["a"], ["a", "a"], False), (["a", "b", "b"], ["a", "a", "b"], False),
        (["a"], ["A"], False), ([], [], True), (5, [5], True), ([5], 5, True), ([5, 5], 5, False),
        (["2024-01-02 00:00:00"], ["2024-01-02"], True), (["2024-01-02T10:00:00"], ["2024-01-02"], False),
        (["no day T00:00:00"], ["no day "], False), ([True], [True], True), ([True], [1], False),
        ([True], ["true"], True), ([None], [None], True), ([None], [""], True), ([NAN], [None], True),
        (["5"], [5], False), ([2, 1.0000001], [1, 2], True), (["a", 2], [2, "a"], True),
        (math.inf, math.inf, True), (math.inf, 1e300, False), (10**400, 10**400, True),
    ],
)  # fmt: skip
def test_when_an_answer_is_right(said, wanted, right):
    assert is_right(said, wanted) is right
    if not isinstance(said, float) or said.is_integer():  # what is close is so relative to what is wanted
        assert is_right(wanted, said) is right


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ([["a", 1], ["b", 2]], True),
        ([["b", 2], ["a", 1.0]], True),
        ([[2, "b"], [1, "a"]], True),  # columns have an order of their own
        ([["a", 2], ["b", 1]], False),
        ([[1, "b"], [2, "a"]], False),
        ([["a", 1], ["b", 2], ["b", 2]], False),
        ([["a", 1, 1], ["b", 2, 1]], False),
        (["a", "b"], False),
        ([["a", 1], [2, "b"]], False),  # which has no columns
        ([["a", 1.0000001], ["b", 2]], True),
    ],
)
def test_when_a_table_is_right(said, right):
    assert is_right(said, [["a", 1], ["b", 2]]) is right


def test_rows_have_an_order_where_one_is_asked_for():
    rows = [["a", 1], ["b", 2]]
    assert is_right(rows, [["a", 1], ["b", 2]], ordered=True)
    assert is_right([[1, "a"], [2, "b"]], rows, ordered=True)
    assert not is_right(rows[::-1], rows, ordered=True)
    assert is_right(["b", "a"], ["b", "a"], ordered=True)
    assert not is_right(["b", "a"], ["a", "b"], ordered=True)


def test_columns_that_hold_the_same_are_told_apart_by_their_rows():
    wanted = [[1, 2, "x"], [2, 1, "y"]]
    for order in itertools.permutations(range(3)):
        assert is_right([[row[place] for place in order] for row in wanted], wanted)
    assert is_right([[2, 1, "x"], [1, 2, "y"]], wanted)  # the first two columns are each other's
    assert not is_right([[1, 1, "x"], [2, 2, "y"]], wanted)
    assert is_right([[5] * 12] * 3, [[5] * 12] * 3)


@pytest.mark.parametrize("seed", range(20))
def test_rows_and_columns_in_any_order(seed):
    generator = np.random.default_rng(seed)
    rows, columns = generator.integers(1, 6, 2)
    draw = [lambda: int(generator.integers(3)), lambda: "ab"[generator.integers(2)], lambda: float(generator.random())]
    makers = [draw[kind] for kind in generator.integers(3, size=columns)]
    wanted = [[make() for make in makers] for _ in range(rows)]
    order = generator.permutation(columns)
    said = [[wanted[row][column] for column in order] for row in generator.permutation(rows)]
    assert is_right(said, wanted)
    changed = [list(row) for row in said]
    changed[0][0] = "other"
    assert not is_right(changed, wanted)
    assert not is_right([*said, said[0]], wanted)


def test_numbers_that_are_close():
    values = np.array([3.0, 3.0000001, 3.1, 0.0, NAN, 4.0, 1e9 + 1, 1e9 + 1.5, 2.0**60])
    wanted = np.array([3.0, 3.0, 3.0, CLOSE / 2, NAN, NAN, 1e9, 1e9, 2.0**60 + 2.0**9])
    assert is_close(values, wanted).tolist() == [True, True, False, True, False, False, False, True, True]
    assert is_close(np.array([1.0, 2.0]), 2.0).tolist() == [False, True]


def cells(generator: np.random.Generator) -> list:
    """Some cells as typed tables have them: numbers, or texts."""
    some = [["a", "A ", "b", "", "true"], [1.0, 2.0, 2.5, NAN, 1e9, 1e9 + 1]][generator.integers(2)]
    return [some[place] for place in generator.integers(len(some), size=generator.integers(1, 5))]


@pytest.mark.parametrize("seed", range(100))
def test_cells_that_are_compared_one_by_one_are_compared_so_together(seed):
    """By sums of numbers for cells, as candidates are, and by `is_right`, as answers are."""
    generator = np.random.default_rng(seed)
    one, other = cells(generator), cells(generator)
    for said, wanted in ((one, other), (one, [one[p] for p in generator.permutation(len(one))]), (one, [*one, one[0]])):
        assert is_right(said, wanted) == (Counter(map(cell_of, said)) == Counter(map(cell_of, wanted)))
        once = [{text: cell for cell in some for text in [as_text(cell)]} for some in (said, wanted)]
        assert (key_of(said) == key_of(wanted)) == is_right(list(once[0]), list(once[1]))
        if is_right(said, wanted):
            assert key_of(said) == key_of(wanted)
            assert key_of(said, key) == key_of(wanted, key)


@pytest.mark.parametrize("seed", range(10))
def test_a_program_that_is_found_gives_what_is_right(seed):
    """The search compares many sets of rows at once; what it finds is right, one by one."""
    generator = np.random.default_rng(seed)
    numbers = generator.choice([1.0, 2.0, 1e9, 1e9 + 1, 2.5], 6)
    table = Table(("name", "amount"), (generator.choice(["a", "b", "c"], 6), numbers))
    question = link("the amount of each name", Index.of(table))
    for result in (Result.number(float(numbers.sum())), Result.cells(numbers.tolist()[::-1]), Result.number(2.5)):
        programs = list(found(question, [table], [Answer(result)], 4))
        assert programs or result.value == 2.5
        for moves in programs:
            steps = tuple(Step(move.operation, None if move.column < 0 else table.names[move.column]) for move in moves)
            assert is_right(run(Program(steps), table).answer.value, result.value)


def test_the_measure_of_wikitables_takes_each_item_once():
    assert is_right_of_wikitables(["a", "a"], ["A"])
    assert is_right_of_wikitables(["3"], ["3.0000001"])
    assert is_right_of_wikitables(["1234"], ["1,234"])
    assert not is_right_of_wikitables(["1,234"], ["1234"])
    assert not is_right(["a", "a"], ["a"])


def test_the_paper_compares_places_and_one_decimal():
    number, other = Result.number(3.0), Result.number(3.04)
    assert is_right_in_paper(number, other, (), ())
    assert not is_right(number.value, other.value)
    chosen = Result.cells((7.0,))
    assert is_right_in_paper(chosen, Result.cells((8.0,)), [(0, "A")], [(0, "A")])
    assert not is_right_in_paper(chosen, chosen, [(0, "A")], [(1, "A")])
    assert not is_right_in_paper(Result.none(), Result.none(), (), ())

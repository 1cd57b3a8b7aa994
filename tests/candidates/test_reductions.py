"""Oracle: what an operation chooses by many sets of rows is what it chooses by each of them."""

import numpy as np
import pytest

from neural_programmer.candidates.enumeration import every
from neural_programmer.candidates.masks import RowSets, Tables
from neural_programmer.candidates.reductions import _chosen, _reduced, _Together
from neural_programmer.network.config import NetworkConfig
from neural_programmer.programs.expressions import Given
from neural_programmer.programs.frame import Frame
from neural_programmer.programs.interpreter import Interpreter
from neural_programmer.programs.moves import Codec, Move
from neural_programmer.programs.operations import ROW_OPERATIONS, ROWS, named
from neural_programmer.programs.program import run
from neural_programmer.programs.state import below
from neural_programmer.questions.index import seen
from neural_programmer.questions.link import link
from neural_programmer.tables.table import Table
from random_programs import random_table

SETS = 12
CHOSEN = [  # those that choose rows by others, without joining sets or taking all rows
    entry.name
    for entry in named(ROWS)
    if (entry.updates, entry.argument) == ("rows", "none") and entry.name not in ("and", "or", "not", "reset")
]
INFINITE = Table(("A",), (np.array([np.inf, 2.0, -np.inf, np.nan, -np.inf, 7.0]),))


def random_sets(generator, rows):
    """Masks, the empty and the full one among them."""
    shares = generator.choice([0.1, 0.3, 0.6], (SETS, 1))
    return np.concatenate(
        [generator.random((SETS, rows)) < shares, np.zeros((1, rows), bool), np.ones((1, rows), bool)]
    )


def of_one(name, rows, table, slot):
    """What is chosen where programs are run: of one table, by one set."""
    frame = Frame([table])
    column = frame.column(table.names[slot]) if slot >= 0 else None
    return Interpreter(frame, rows).rows(ROW_OPERATIONS[name].expression(below(column, rows=Given())))


def slots_of(name, tables):
    kind = ROW_OPERATIONS[name].column
    return [-1] if kind == "none" else tables.of_kind(kind)


def check(name, tables, generator):
    """By one table after the other, as if each were alone; the sets that the operation chose rows of."""
    together, chosen = Tables(tables), 0
    for slot in slots_of(name, together):
        rows = random_sets(generator, together.rows)
        found = _chosen(name, rows, slot, together)
        for part, table in zip(together.slices, tables, strict=True):
            wanted = [of_one(name, one, table, slot) for one in rows[:, part]]
            np.testing.assert_array_equal(found[:, part], wanted, err_msg=f"{name} {table.names[slot]} {table.columns}")
        chosen += found.any(axis=1).sum()
    return chosen


@pytest.mark.parametrize("name", CHOSEN)
def test_the_rows_of_every_set_are_those_of_one(name):
    """Tables with ties, missing cells, texts, dates and times."""
    generator = np.random.default_rng(0)
    chosen = sum(check(name, [random_table(generator, texts=True, everything=True)], generator) for _ in range(40))
    assert chosen > 100


@pytest.mark.parametrize("name", CHOSEN)
def test_every_table_by_itself(name):
    """Of two tables with the same columns, rows of the one are never compared with rows of the other."""
    generator = np.random.default_rng(1)
    chosen = 0
    for _ in range(40):
        table = random_table(generator, texts=True, everything=True)
        order = generator.integers(0, table.rows, generator.integers(0, 12))
        other = Table(table.names, tuple(column[order] for column in table.columns))
        chosen += check(name, [table, other], generator)
    assert chosen > 100


@pytest.mark.parametrize("name", ["greatest", "least", "more", "fewer", "same", "most common", "least common"])
def test_infinite_cells_are_cells(name):
    assert check(name, [INFINITE], np.random.default_rng(2)) > 0


def test_sets_that_tell_nothing_are_left_out():
    """Those that an operation leaves as they are, and those of which it chooses no row; the others know their moves."""
    tables = Tables([Table(("A",), (np.array([3.0, 1.0, 3.0, np.nan]),))])
    rows = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1], [1, 1, 1, 1]], bool)
    sets = RowSets(rows, lambda place: [Move("text match", 0, link=place)])
    found = _reduced(sets, "greatest", 0, tables)
    np.testing.assert_array_equal(found.rows, np.array([[1, 0, 0, 0], [1, 0, 1, 0]], bool))
    assert [found.moves(place) for place in range(2)] == [
        [Move("text match", 0, link=place), Move("greatest", 0)] for place in (0, 3)
    ]


def test_groups_of_sets_are_reduced_together_as_each_alone():
    """What is left out of one group, or is none, shifts no other."""
    tables = Tables([Table(("A",), (np.array([3.0, 1.0, 3.0, np.nan, 2.0]),))])
    generator = np.random.default_rng(5)
    groups = [
        RowSets(
            generator.random((count, 5)) < 0.5, lambda place, group=group: [Move("greater", 0, number=group)] * place
        )
        for group, count in enumerate((1, 7, 0, 4))
    ]
    together = _Together(groups, tables)
    for place in (3, 0, 2, 1):
        for name, slot in (("greatest", 0), ("first", -1), ("most common", 0)):
            one, alone = together.reduced(place, name, slot), _reduced(groups[place], name, slot, tables)
            np.testing.assert_array_equal(one.rows, alone.rows)
            moves = [[each.moves(row) for row in range(len(each.rows))] for each in (one, alone)]
            assert moves[0] == moves[1]


def test_what_is_asked_of_sets_that_are_chosen_by_others():
    """None is summed up; those are counted that may have many rows; the most common cells alone are looked up."""
    tables = Tables([Table(("A", "B"), (np.array([1.0, 2.0, 3.0, 3.0]), np.array(["x", "y", "y", "z"])))])
    sets = RowSets(np.array([[1, 1, 1, 1], [1, 1, 0, 0]], bool), lambda place: [])
    found = {name: _reduced(sets, name, 0, tables) for name in ("greatest", "more", "most common")}
    found |= {name: _reduced(sets, name, -1, tables) for name in ("first", "below")}
    assert all(len(one.rows) for one in found.values())
    assert all(one.extreme for one in found.values())
    assert {name for name, one in found.items() if one.counts} == {"more", "most common", "below"}
    assert {name: one.only for name, one in found.items() if one.only >= 0} == {"most common": 0}


TOWNS = Table(
    ("Town", "Land", "People"),
    (
        np.array(["Bern", "Basel", "Rome", "Milan", "Oslo", "Nice"]),
        np.array(["CH", "CH", "IT", "IT", "NO", "FR"]),
        np.array([3.0, 4.0, 9.0, 8.0, 5.0, 2.0]),
    ),
)


def answers(text):
    """What the candidates of a question give, by their programs."""
    table, index = seen(TOWNS, "written")
    question = link(text, index, cells="written")
    candidates = every(question, [table], named(ROWS), 8, cells="written")
    config = NetworkConfig(columns="linked", program_steps=8, operations=ROWS, chooses="programs", cells="written")
    programs = [Codec.of(config.entries, question).program(moves, question, index) for moves in candidates.moves]
    return {str(program): run(program, table).answer.value for program in programs}


def test_rows_that_have_neither_of_two_texts():
    found = answers("how many towns are neither in CH nor in IT")
    assert found["text other Land CH; text other Land IT; and; count"] == 2


def test_rows_of_a_condition_that_have_not_a_text():
    found = answers("how many towns outside of CH have more than 3 people")
    assert found["text other Land CH; greater People 3.0; and; count"] == 3


def test_rows_that_have_one_of_three_texts():
    found = answers("how many people live in Bern, Rome and Oslo")
    program = "text match Town Bern; text match Town Rome; or; text match Town Oslo; or; sum People"
    assert found[program] == 17


def test_the_second_of_some_rows():
    found = answers("which town has the second most people in CH")
    assert found["greatest People; not; greatest People; assign Town"] == ["Milan"]
    program = "text match Land CH; greatest People; not; text match Land CH; and; greatest People; assign Town"
    assert found[program] == ["Bern"]

"""What operations give, in plain Python beside them; that they are documented, and their SQL too."""

import importlib.util
from datetime import date
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from neural_programmer.engines import duck
from neural_programmer.programs import operations
from neural_programmer.programs.aggregates import Needed
from neural_programmer.programs.expressions import Compare, Constant
from neural_programmer.programs.frame import Frame
from neural_programmer.programs.interpreter import Interpreter
from neural_programmer.programs.operation import Takes, Updates
from neural_programmer.programs.operations import (
    BUILT_IN,
    COMPARISONS,
    ORDER,
    ROWS,
    TABLES,
    TEXT,
    acting,
    conditions,
    named,
)
from neural_programmer.programs.program import run
from neural_programmer.programs.same import is_right
from neural_programmer.programs.state import below
from neural_programmer.programs.text import parse
from neural_programmer.tables.source import open_source
from neural_programmer.tables.table import Table

SCRIPT = Path(__file__).parents[2] / "scripts" / "operations.py"
SPEC = importlib.util.spec_from_file_location("operations_page", SCRIPT)
PAGE = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(PAGE)
TABLE_1 = ("sum", "count", "difference", "greater", "lesser", "and", "or", "assign", "reset")  # in the paper's order


def given(name, column, last, before=None, low=None, high=None, scalars=(0.0, 0.0)):
    """What an operation gives of a column where these rows are selected by the last step, and by the one before."""
    rows = [np.where(chosen, 1.0, np.nan) for chosen in (last, last if before is None else before)]
    frame = Frame([Table(("a", "last", "before"), (column, *rows))])
    selected, earlier = (Compare("=", frame.column(where), Constant(1.0)) for where in ("last", "before"))
    of = None if BUILT_IN[name].column == "none" else frame.column("a")
    taken = below(of, None, selected, earlier, Constant(scalars[1]), Constant(scalars[0]))
    texts = tuple(map(Constant, low)) if isinstance(low, tuple) else ()
    bounds = () if low is None or isinstance(low, tuple) else (Constant(low), Constant(high))
    taken = taken._replace(texts=texts, **dict(zip(("low", "high"), bounds, strict=False)))
    node, interpreter = BUILT_IN[name].expression(taken), Interpreter(frame)
    if BUILT_IN[name].updates == "scalar":
        [value] = interpreter.number(node)
        return value
    if BUILT_IN[name].updates == "truth":
        return bool(interpreter.exists(node)[0])
    return interpreter.selected(node) if BUILT_IN[name].updates == "lookup" else interpreter.rows(node)


def test_entries_are_consistent():
    assert COMPARISONS == ("greater", "lesser")
    assert operations.PAPER == TABLE_1
    assert (*TABLE_1, "text match") == TEXT
    assert tuple(BUILT_IN) == (*ROWS, *TABLES)
    assert ROWS[:10] == TEXT  # in the order of the weights of older models
    assert set(ORDER) < set(ROWS)
    for names in (TABLE_1, TEXT, ROWS, ("not", "sum")):
        assert names_of(named(names)) == names
    acts, takes = ("sum", "greater", "lesser", "assign"), ("text other", "equal", "not equal", "at least", "at most")
    more = ("average", "maximum", "minimum", "greatest", "least")
    assert names_of(acting(named(TABLE_1))) == acts
    assert names_of(acting(named(TEXT))) == (*acts, "text match")
    assert names_of(acting(named(ROWS[:22]))) == (*acts, "text match", *takes, *more)
    assert names_of(conditions(named(TABLE_1))) == COMPARISONS
    assert names_of(conditions(named(TEXT))) == (*COMPARISONS, "text match")
    assert names_of(conditions(named(ROWS))) == (*COMPARISONS, "text match", *takes)


def names_of(entries):
    return tuple(entry.name for entry in entries)


@pytest.mark.parametrize("name", ROWS)
def test_an_entry_says_what_it_gives(name):
    """The variable that it names, of what it declares alone."""
    operation = BUILT_IN[name]
    assert operation.name == name
    assert operation.updates in get_args(Updates)
    assert operation.column in get_args(Needed)
    assert operation.argument in get_args(Takes)
    assert operation.about
    assert operation.argument == "none" or operation.column == {"number": "ordered", "text": "text"}[operation.argument]
    column = np.array(["a", "b"]) if operation.column in ("text", "any") else np.array([1.0, 2.0])
    argument = {"none": None, "number": 1.5, "text": ("a",)}[operation.argument]
    asked = {"low": argument, "high": argument, "last": np.array([True, False]), "before": np.ones(2, bool)}
    value = given(name, column, **asked)
    assert np.shape(value) == (() if operation.updates in ("scalar", "truth") else (2,))
    if operation.column == "none":
        np.testing.assert_array_equal(given(name, column[::-1], **asked), value)


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
        "whether": lambda: any(last),
        "least common": lambda: [selected and value is not None and rarest(value) for value, selected in rows],
        "years": lambda: scalars[1],
        "more or less": lambda: any(last),
        "above or below": lambda: any(last),
        "before or after": lambda: any(last),
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
@pytest.mark.parametrize("name", ROWS)
def test_what_is_given_is_what_plain_python_gives(name, missing):
    """On few rows and many, any of them selected or none, each kind of column that the operation acts on."""
    generator = np.random.default_rng(3)
    kinds = {"number": ["number"], "ordered": ["number", "date"], "text": ["text"], "none": ["number"]}
    for kind in kinds.get(BUILT_IN[name].column, ["number", "date", "text"]):
        for rows in (0, 1, 2, *[9] * 12):
            last, before = generator.random((2, rows)) < 0.5
            scalars = tuple(generator.normal(size=2).tolist())
            column, cells, low, high = random_column(generator, kind, rows, missing)
            bounds = (np.datetime64(low), np.datetime64(high)) if kind == "date" else (low, high)
            expected = exactly(name, cells, low, high, last.tolist(), before.tolist(), scalars)
            found = given(name, column, last, before, *bounds, scalars)
            if kind == "date" and BUILT_IN[name].updates == "scalar" and BUILT_IN[name].column == "ordered":
                expected = np.datetime64(expected)
            np.testing.assert_array_equal(found, expected)


def test_matching_no_text_selects_no_row():
    colours, every = np.array(["red", "blue"]), np.ones(2, bool)
    assert given("text match", colours, every, low=()).tolist() == [False, False]
    assert given("text other", colours, every, low=()).tolist() == [True, True]


def test_rows_are_found_beside_those_that_are_selected():
    """Of seven towns the third and the fifth are selected; what is beside the table is nothing."""
    towns = np.array(["Oslo", "Rome", "Bern", "Oslo", "Rome", "", "Bern"])
    selected, every = np.array([False, False, True, False, True, False, False]), np.ones(7, bool)
    known = {
        "first": [2], "last": [4], "previous": [1], "next": [5], "above": [0, 1], "below": [5, 6],
        "same": [1, 6], "most common": [2, 4], "least common": [2, 4],
    }  # fmt: skip
    for name, expected in known.items():
        assert np.flatnonzero(given(name, towns, selected)).tolist() == expected, name
        assert not given(name, towns, ~every).any(), name
    for name in ("previous", "next", "above", "below", "same"):
        assert not given(name, towns, every).any(), name
    assert np.flatnonzero(given("most common", towns, every)).tolist() == [0, 1, 2, 3, 4, 6]
    assert np.flatnonzero(given("least common", towns, np.arange(7) < 4)).tolist() == [1, 2]
    assert given("distinct", towns, every) == 3


def test_rows_with_more_than_any_of_the_selected_ones():
    days = np.array(["2020-01-05", "NaT", "2020-01-01", "2020-01-09", "2020-01-05"], "M8[D]")
    selected = np.array([True, True, False, False, False])
    assert np.flatnonzero(given("more", days, selected)).tolist() == [3]
    assert np.flatnonzero(given("fewer", days, selected)).tolist() == [2]


def test_every_operation_is_documented():
    """What it does, a program that has it, and the query of that: the page is what the script writes."""
    examples = {name: program for group in PAGE.EXAMPLES.values() for name, program in group.items()}
    assert set(examples) == set(BUILT_IN)
    for name, program in examples.items():
        assert name in {step.operation for step in parse(program).steps}
    text = PAGE.PAGE.read_text(encoding="utf-8")
    assert text == PAGE.page(text), "write it again: python scripts/operations.py"
    for name, entry in BUILT_IN.items():
        assert f"| {name} | {entry.about}" in text


def test_the_documented_programs_are_answered_alike_by_the_interpreter_and_duckdb():
    with open_source(PAGE.TABLE) as source:
        table = source.table()
        for examples in PAGE.EXAMPLES.values():
            for name, text in examples.items():
                said = run(parse(text), table).answer
                if name == "decline":
                    assert not said.answered
                    continue
                told = duck.answer(parse(text), source)[0]
                assert is_right(told.value, said.value), (text, told.value, said.value, said.reason)

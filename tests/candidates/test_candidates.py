"""Oracle: what is found gives the answers when the interpreter runs it; of all canonical programs none is missed."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, islice, permutations, product

import numpy as np
import pytest

from neural_programmer.candidates import conditions as candidates
from neural_programmer.candidates import masks
from neural_programmer.candidates.conditions import conditions, found, row_sets
from neural_programmer.candidates.config import CandidateConfig
from neural_programmer.candidates.masks import Tables
from neural_programmer.candidates.own_candidates import aggregates as own_aggregates
from neural_programmer.data.language import STEPS, Speaker
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network.soft import ALL
from neural_programmer.programs import own
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.moves import Move
from neural_programmer.programs.operations import BUILT_IN
from neural_programmer.programs.own import operation
from neural_programmer.programs.program import Program, Step, run
from neural_programmer.programs.result import Result
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.questions.question import Link, Question
from neural_programmer.tables.table import Table, is_date, is_text
from own_operations import MY_OPS
from random_programs import linked, period, random_program, random_table

COMPARISONS = ("greater", "lesser", "equal", "not equal", "at least", "at most")
MATCHES = ("text match", "text other")
AGGREGATES = ("sum", "average", "maximum", "minimum")
CARS = Table(
    ("car", "price", "power", "sold", "electric"),
    (
        np.array(["Audi", "Fiat", "Seat", "Audi", ""]),
        np.array([30.0, 12.0, np.nan, 41.0, 12.0]),
        np.array([5.0, 5.0, 3.0, 7.0, np.nan]),
        np.array(["2020-01-05", "2020-12-31", "2021-06-01", "NaT", "2019-03-03"], "M8[D]"),
        np.array(["true", "false", "true", "true", ""]),
    ),
)
OTHER_CARS = Table(
    CARS.names,
    (
        np.array(["Fiat", "Audi", "Audi", "Seat"]),
        np.array([7.0, 33.0, 21.0, 14.0]),
        np.array([6.0, 5.0, 2.0, 9.0]),
        np.array(["2020-02-01", "2018-12-31", "2020-06-01", "2021-01-01"], "M8[D]"),
        np.array(["true", "true", "false", "false"]),
    ),
)


def program_of(moves, question, table, own=()):
    """The program that the moves stand for."""
    steps = []
    for move in moves:
        argument = None
        if move.number >= 0:
            dated = is_date(table.columns[move.column])
            argument = (question.periods if dated else question.numbers)[move.number]
        elif move.link >= 0:
            argument = (question.links[move.link].texts[move.column],)
        steps.append(Step(move.operation, table.names[move.column] if move.column >= 0 else None, argument))
    return Program(tuple(steps), own)


def said(answer):
    """An answer to compare: its number but for rounding, its cells in any order, missing ones alike."""
    if answer.kind == "scalar":
        return "scalar", float(f"{answer.scalar:.5e}") + 0.0
    cells = ("" if value != value or value == "NaT" else value for value in answer.values)
    return answer.kind, tuple(sorted(map(str, cells)))


def alike(one, other):
    if one.kind == other.kind == "scalar":
        return abs(one.scalar - other.scalar) <= 1e-6 * max(1, abs(other.scalar))
    return said(one) == said(other)


def asked(text, *tables):
    return link(text, Index.of(tables[0]))


def programs(text, *tables, wanted, steps=STEPS):
    """The programs found for a question, as text; `wanted` is a program that gives the answers, or the answers."""
    if isinstance(wanted, Program):
        wanted = [run(wanted, table).answer for table in tables]
    question = asked(text, *tables)
    moves = list(found(question, tables, wanted, steps))
    for each in moves:
        for table, answer in zip(tables, wanted, strict=True):
            assert alike(run(program_of(each, question, tables[0]), table).answer, answer)
    return [str(program_of(each, question, tables[0])) for each in moves]


def of(*steps):
    return Program(tuple(Step(*step) for step in steps))


@pytest.fixture(scope="module")
def drawn():
    speaker = Speaker(np.random.default_rng(11))
    result = []
    for _ in range(120):
        each = speaker.draw()
        question = link(each.question, Index.of(each.tables[0]))
        result.append((each, question, list(found(question, each.tables, each.answers, STEPS))))
    return result


def test_what_is_found_gives_the_answers_on_all_tables_of_drawn_questions(drawn):
    checked = Counter()
    for each, question, every in drawn:
        for moves in every[:: len(every) // 20 + 1]:
            program = program_of(moves, question, each.tables[0])
            assert len(program.steps) <= STEPS
            for table, answer in zip(each.tables, each.answers, strict=True):
                assert alike(run(program, table).answer, answer), f"{each.question}: {program}"
            checked[program.steps[-1].operation] += 1
    assert set(checked) == {"count", *AGGREGATES, "assign", "difference", "decline"}


def test_the_program_that_a_question_was_drawn_with_is_among_those_found(drawn):
    """Its conditions may stand in another order there, and a time is written as the question writes it."""

    def key(program):
        steps = [str(step).casefold() for step in program.steps]
        return steps if steps[-1] == "difference" else sorted(steps)

    there = []
    for each, question, every in drawn:
        known = [key(program_of(moves, question, each.tables[0])) for moves in every]
        there.append(key(each.program) in known)
    assert np.mean(there) > 0.95  # 0.99 of 400


def test_what_is_found_gives_the_answers_on_random_tables():
    """Numbers, times of day, texts and missing cells of every kind; the answers of random programs."""
    generator = np.random.default_rng(1)
    hits = 0
    for _ in range(40):
        table = random_table(generator, texts=True, everything=True)
        question = linked(table)
        rows = generator.permutation(table.rows)[: generator.integers(0, table.rows + 1)]
        tables = [table, Table(table.names, tuple(column[rows] for column in table.columns))]
        program = random_program(generator, table, 3, per_step=True, operations=ALL, question=question)
        answers = [run(program, each).answer for each in tables]
        for moves in islice(found(question, tables, answers, 8), 60):
            again = program_of(moves, question, table)
            if again.steps != (Step("decline"),):
                hits += 1
                for each, answer in zip(tables, answers, strict=True):
                    assert alike(run(again, each).answer, answer), f"{program} is not {again}"
    assert hits > 100


# Every program of the canonical form, by loops and the interpreter alone.


def naive_conditions(question, table):
    """For each place in the question the steps that take their argument there."""
    places = {}
    for slot, name in enumerate(table.names):
        for number, position in enumerate(question.number_positions):
            dated = is_date(table.columns[slot])
            argument = question.periods[number] if dated else question.numbers[number]
            if not is_text(table.columns[slot]) and argument is not None and argument == argument:
                places.setdefault(position, []).extend(Step(name_, name, argument) for name_ in COMPARISONS)
        for each in question.links:
            if slot in each.texts:
                steps = [Step(name_, name, (each.texts[slot],)) for name_ in MATCHES]
                places.setdefault(each.position, []).extend(steps)
    return [places[position] for position in sorted(places)]


def joined(steps, joins):
    result = [steps[0]]
    for step, join in zip(steps[1:], joins, strict=True):
        result += [step, Step(join)]
    return result


def naive_row_programs(groups):
    """Programs that select rows: nothing, conditions with `and`, with `or`, a pair with `or` before others."""
    yield []
    for count in range(1, len(groups) + 1):
        for chosen in combinations(groups, count):
            for steps in product(*chosen):
                yield joined(steps, ["and"] * (count - 1))
                if count > 1:
                    yield joined(steps, ["or"] * (count - 1))
                for one, other in combinations(range(count), 2) if count > 2 else ():
                    rest = [step for place, step in enumerate(steps) if place not in (one, other)]
                    yield joined([steps[one], steps[other], *rest], ["or", *["and"] * len(rest)])


def naive_programs(question, table):
    ordered = [n for n, c in zip(table.names, table.columns, strict=True) if not is_text(c)]
    numeric = [n for n in ordered if not is_date(table.column(n))]
    groups = naive_conditions(question, table)
    aggregates = [Step("count"), *(Step(name, column) for name in AGGREGATES for column in numeric)]
    looks = [Step("count"), *(Step("assign", column) for column in table.names)]
    for rows in naive_row_programs(groups):
        for last in {*aggregates, *looks}:
            yield [*rows, last]
        for name, column in product(("greatest", "least"), ordered):
            for last in looks:
                yield [*rows, Step(name, column), last]
    for column in numeric:
        yield [Step("maximum", column), Step("reset"), Step("minimum", column), Step("difference")]
    for column, other in permutations(numeric, 2):
        for name in AGGREGATES:
            yield [Step(name, column), Step("reset"), Step(name, other), Step("difference")]
    for some, others in product(groups, groups):
        for one, other in product(some, others) if some is not others else ():
            if one.column == other.column and {one.operation, other.operation} <= {"equal", "text match"}:
                for last in aggregates:
                    yield [one, last, other, last, Step("difference")]


TINY = Table(
    ("who", "age", "born"),
    (np.array(["a", "b", "a"]), np.array([3.0, 5.0, np.nan]), np.array(["2020-05-01", "2021-01-01", "NaT"], "M8[D]")),
)
OTHER_TINY = Table(
    TINY.names,
    (np.array(["b", "", "a"]), np.array([5.0, 5.0, 9.0]), np.array(["2020-01-01"] * 2 + ["2019-01-01"], "M8[D]")),
)
YEAR = period("2020-01-01", "2020-12-31")


@pytest.mark.parametrize(
    "question",
    [
        Question(("x",) * 5, (5.0,), (1,), (None,), ((),) * 3, (Link(2, {0: "a"}), Link(3, {0: "b"}))),
        Question(("x",) * 5, (np.nan, 3.0), (2, 4), (YEAR, None), ((),) * 3, ()),
    ],
    ids=["a number and texts", "a time and a number"],
)
def test_nothing_is_missed_on_a_tiny_table(question):
    """All that the loops write down and that gives the answer is found, once, and nothing else."""
    tables, most = [TINY, OTHER_TINY], 6
    by_answer, answers_of = {}, {}
    for steps in naive_programs(question, TINY):
        program = Program(tuple(steps))
        answers = [run(program, table).answer for table in tables]
        if len(steps) <= most and not all(answer.kind == "none" for answer in answers):
            key = tuple(map(said, answers))
            by_answer.setdefault(key, []).append(str(program))
            answers_of[key] = answers
    assert len(by_answer) > 40
    for key in list(by_answer)[::3]:
        again = [str(program_of(moves, question, TINY)) for moves in found(question, tables, answers_of[key], most)]
        assert sorted(again) == sorted(by_answer[key])


def test_conditions_are_those_of_the_interpreter():
    question = asked("audi or fiat for 12 since 2020 and electric", CARS)
    tables = Tables([CARS, OTHER_CARS])
    every = conditions(question, tables)
    for each in every:
        step = program_of([each.move], question, CARS)
        rows = np.concatenate([run(step, table).steps[0].row_select for table in (CARS, OTHER_CARS)])
        np.testing.assert_array_equal(each.rows, rows, err_msg=str(step))
    # 12 and 2020 with two columns of numbers, 2020 also as a year, three texts
    assert len(every) == 6 * 2 + 6 * 3 + 2 * 3
    assert {BUILT_IN[each.move.operation].argument for each in every} == {"number", "text"}


def test_rows_of_every_set_are_those_that_its_moves_select():
    question = asked("audi with price over 12 or power 5 since 2020", CARS)
    tables = Tables([CARS, OTHER_CARS])
    generator = np.random.default_rng(0)
    count = 0
    for sets in row_sets(question, tables):
        place = int(generator.integers(len(sets.rows)))
        moves = sets.moves(place)
        if moves:
            program = program_of(moves, question, CARS)
            rows = np.concatenate([run(program, table).steps[-1].row_select for table in (CARS, OTHER_CARS)])
            np.testing.assert_array_equal(sets.rows[place], rows, err_msg=str(program))
            assert sets.extreme == (moves[-1].operation in ("greatest", "least"))
            count += 1
    assert count > 100


def test_a_question_without_answers_is_declined_and_nothing_else():
    wanted = [Answer(reason="so"), Answer(reason="not so")]
    question = asked("average price of audi", CARS)
    assert list(found(question, [CARS, OTHER_CARS], wanted, 8)) == [[Move("decline")]]


def test_answers_of_two_kinds_have_no_program():
    wanted = [Answer(Result.number(1.0)), Answer(Result.cells(("Audi",)), cells=((0, "car"),))]
    assert programs("count audi", CARS, OTHER_CARS, wanted=wanted) == []


def test_the_average_of_nothing_is_none():
    """No Seat of the first table has a price; in the second there is one."""
    program = of(("text match", "car", ("Seat",)), ("average", "price"))
    answers = [run(program, table).answer for table in (CARS, OTHER_CARS)]
    assert [answer.kind for answer in answers] == ["none", "scalar"]
    every = programs("average price of seat", CARS, OTHER_CARS, wanted=answers)
    assert "text match car Seat; average price" in every
    assert not any(program.endswith(("count", "sum price")) for program in every)


def test_cells_that_stand_twice_are_looked_up_as_often():
    once = Table(("city", "size"), (np.array(["Rome", "Rome", "Oslo"]), np.array([5.0, 6.0, 5.0])))
    every = programs("cities with size 5", once, wanted=of(("equal", "size", 5.0), ("assign", "city")))
    assert "equal size 5.0; assign city" in every
    assert "reset; assign city" not in every
    twice = programs("cities with size over 4", once, wanted=of(("greater", "size", 4.0), ("assign", "city")))
    assert "assign city" in twice
    wrong = [Answer(Result.cells(("Rome", "Oslo", "Oslo")))]
    assert programs("cities with size over 4", once, wanted=wrong) == []


def test_missing_cells_and_dates_are_looked_up():
    every = programs("price of seat", CARS, wanted=of(("text match", "car", ("Seat",)), ("assign", "price")))
    assert "text match car Seat; assign price" in every
    every = programs("when was fiat sold", CARS, wanted=of(("text match", "car", ("Fiat",)), ("assign", "sold")))
    assert "text match car Fiat; assign sold" in every


def test_truths_are_texts():
    program = of(("text other", "electric", ("true",)), ("count",))
    every = programs("how many are not electric", CARS, OTHER_CARS, wanted=program)
    assert "text other electric true; count" in every
    assert "text match electric true; count" not in every


def test_times_are_compared_with_dates_and_years_with_numbers_too():
    program = of(("equal", "sold", period("2020-01-01", "2020-12-31")), ("sum", "price"))
    assert "equal sold 2020; sum price" in programs("total price sold in 2020", CARS, OTHER_CARS, wanted=program)
    years = Table(("year", "n"), (np.array([2019.0, 2020.0, 2020.0]), np.array([1.0, 2.0, 4.0])))
    assert "equal year 2020.0; sum n" in programs(
        "n in 2020", years, wanted=of(("equal", "year", 2020.0), ("sum", "n"))
    )


def test_the_same_number_in_two_columns_that_are_mentioned():
    table = Table(("left", "right", "other"), tuple(np.array([[5.0, 7, 1, 6], [6, 2, 9, 5], [9, 9, 9, 1]])))
    for join in ("and", "or"):
        program = of(("at least", "left", 5.0), ("at least", "right", 5.0), (join,), ("count",))
        every = programs("rows with at least 5 in left and right", table, wanted=program)
        assert f"at least left 5.0; at least right 5.0; {join}; count" in every
        assert not any("left" in each and "other 5.0" in each for each in every)


def test_a_pair_with_or_stands_before_what_is_joined_by_and():
    either = ("text match", "car", ("Audi",)), ("text match", "car", ("Fiat",)), ("or",)
    program = of(*either, ("greater", "price", 20.0), ("and",), ("count",))
    text = "how many over 20 price are audi or fiat"
    every = programs(text, CARS, OTHER_CARS, wanted=program)
    assert "text match car Audi; text match car Fiat; or; greater price 20.0; and; count" in every
    assert not any(each.endswith("and; or; count") for each in every)


def test_all_rows_with_the_most_are_found_where_several_have_it():
    table = Table(("who", "age"), (np.array(["a", "b", "c", "d"]), np.array([4.0, 9.0, np.nan, 9.0])))
    assert "greatest age; assign who" in programs(
        "who is oldest", table, wanted=of(("greatest", "age"), ("assign", "who"))
    )
    assert "greatest age; count" in programs("how many are oldest", table, wanted=of(("greatest", "age"), ("count",)))
    wrong = [Answer(Result.cells(("b",)))]
    assert programs("who is oldest", table, wanted=wrong) == []


def test_the_most_is_that_of_each_table_by_itself():
    program = of(("text match", "car", ("Audi",)), ("least", "sold"), ("assign", "price"))
    every = programs("price of the first audi sold", CARS, OTHER_CARS, wanted=program)
    assert "text match car Audi; least sold; assign price" in every


def test_differences():
    program = of(("text match", "car", ("Audi",)), ("sum", "price"), ("text match", "car", ("Fiat",)), ("sum", "price"),
                 ("difference",))  # fmt: skip
    text = "how much more is the total price of audi than of fiat"
    every = programs(text, CARS, OTHER_CARS, wanted=program)
    assert str(program) in every
    other_way = of(
        *((s.operation, s.column, s.argument) for s in (*program.steps[2:4], *program.steps[:2])), ("difference",)
    )
    assert str(other_way) in programs(text, CARS, OTHER_CARS, wanted=other_way)
    span = of(("maximum", "price"), ("reset",), ("minimum", "price"), ("difference",))
    assert str(span) in programs("difference of highest and lowest price", CARS, OTHER_CARS, wanted=span)


def test_the_difference_of_two_columns_of_all_rows():
    shop, other = (
        Table(("cost", "price"), (np.array(a), np.array(b))) for a, b in (([1.0, 2], [4.0, 9]), ([3.0], [5.0]))
    )
    program = of(("sum", "price"), ("reset",), ("sum", "cost"), ("difference",))
    assert str(program) in programs("how much more is price than cost in all", shop, other, wanted=program)


@pytest.mark.parametrize("text", ["count diff sum price", "sum price diff count"])
def test_the_difference_of_a_sum_and_a_count(text):
    """As the paper asks for it."""
    halves = [("count",), ("sum", "price")]
    one, other = halves if text.startswith("count") else halves[::-1]
    program = of(one, ("reset",), other, ("difference",))
    assert programs(text, CARS, OTHER_CARS, wanted=program) == [str(program)]


@pytest.mark.parametrize("steps", range(1, 9))
def test_programs_have_no_more_steps_than_asked_for(steps):
    question = asked("audi or fiat with price over 12", CARS)
    lengths = {len(moves) for moves in found(question, [CARS], [Answer(Result.number(2.0))], steps)}
    assert max(lengths, default=0) <= steps
    span = run(of(("maximum", "price"), ("reset",), ("minimum", "price"), ("difference",)), CARS).answer
    differences = [moves for moves in found(question, [CARS], [span], steps) if moves[-1] == Move("difference")]
    assert bool(differences) == (steps >= 4)


def test_many_numbers_and_columns_stay_bounded():
    """Of thirty numbers and ten columns there are more combinations than there is time."""
    limits = CandidateConfig(pairs=20, together=20_000, sets=2_000)
    generator = np.random.default_rng(0)
    names = tuple(f"thing{letter}" for letter in "abcdefghij")
    table = Table(names, tuple(generator.integers(0, 50, 3).astype(float) for _ in names))
    question = asked("thinga thingb " + " or ".join(f"{number} more" for number in range(30)), table)
    sizes = [len(sets.rows) for sets in row_sets(question, Tables([table], (), limits)) if not sets.extreme]
    assert len(question.numbers) == 30
    assert max(sizes) <= 2_000
    assert 20_000 < sum(sizes) <= 20_000 + 10 * 2_000
    tables = Tables([table], (), limits)
    differences = [moves for moves, _ in candidates.differences(question, tables)]
    of_rows = [moves for moves in differences if moves[1] != Move("reset")]
    assert 0 < len({(moves[0], moves[2]) for moves in of_rows}) <= 20 + 1
    of_all = [moves for moves in differences if moves[1] == Move("reset")]
    assert 0 < len({(moves[0].column, moves[2].column) for moves in of_all}) <= 20 + 3 * len(names)


def test_where_there_are_many_sets_columns_must_be_mentioned():
    """Three numbers and five columns: all comparisons of all columns are too many to join."""
    generator = np.random.default_rng(0)
    names = tuple(f"thing{letter}" for letter in "abcde")
    table = Table(names, tuple(generator.integers(0, 9, 12).astype(float) for _ in names))
    program = of(("at least", "thinga", 2.0), ("at most", "thinga", 7.0), ("and",), ("lesser", "thingb", 8.0), ("and",),
                 ("count",))  # fmt: skip
    answer = [run(program, table).answer]
    for text, there in (("thinga from 2 up to 7, thingb below 8", True), ("what from 2 up to 7, what below 8", False)):
        question = asked(text, table)
        every = (str(program_of(moves, question, table)) for moves in found(question, [table], answer, 6))
        assert (str(program) in every) == there


def test_tables_without_rows_and_without_conditions():
    empty = Table(CARS.names, tuple(column[:0] for column in CARS.columns))
    assert "count" in programs("how many cars", CARS, empty, wanted=of(("count",)))
    assert "sum price" in programs("total price", empty, CARS, wanted=of(("sum", "price")))
    every = programs("cheapest price of all", CARS, empty, wanted=of(("minimum", "price")))
    assert "minimum price" in every


# One's own operations.


@operation(column="number", updates="rows", argument="number", about="not far from a number")
def around(cells, number):
    return abs(cells - number) <= 0.2 * np.ptp(cells)  # of all cells of a table: tables are not mixed


@operation(column="text", updates="rows", argument="text", about="begins with the same letter")
def begins_like(cells, texts):
    return np.array([any(cell[0] == text[0] for text in texts) for cell in cells])


@pytest.fixture
def mine():
    return own.given([MY_OPS, around, begins_like])


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("middle price", [("middle", "price")]),
        ("middle price of Audi", [("text match", "car", ("Audi",)), ("middle", "price")]),
        ("kinds of car", [("different", "car")]),
        ("power of those that are dear", [("above_average", "price"), ("assign", "power")]),
        ("power of those dear Audi", [("text match", "car", ("Audi",)), ("above_average", "price"), ("sum", "power")]),
        ("price about 30", [("around", "price", 30.0), ("assign", "car")]),
        ("like Audi", [("begins_like", "car", ("Audi",)), ("middle", "price")]),
        ("Audi less Fiat", [("text match", "car", ("Audi",)), ("middle", "price"), ("text match", "car", ("Fiat",)),
                            ("middle", "price"), ("difference",)]),
    ],
)  # fmt: skip
def test_own_operations_are_tried_on_every_table(mine, text, steps):
    program = replace(of(*steps), own=mine)
    tables = (CARS, OTHER_CARS)
    answers = [run(program, table).answer for table in tables]
    question = asked(text, *tables)
    every = list(found(question, tables, answers, STEPS, mine))
    known_ones = [program_of(moves, question, CARS, mine) for moves in every]
    assert str(program) in map(str, known_ones)
    for each in known_ones:
        for table, answer in zip(tables, answers, strict=True):
            assert alike(run(each, table).answer, answer)


def test_only_the_operations_of_a_network_are_tried(mine):
    answers = [Answer(Result.number(21.0)), Answer(Result.number(17.5))]
    question = asked("middle price", CARS, OTHER_CARS)
    found_ones = [list(found(question, (CARS, OTHER_CARS), answers, STEPS, some)) for some in (mine, ())]
    assert found_ones == [[[Move("middle", 1)]], []]


def test_one_set_of_rows_is_asked_for_once_and_not_without_end(mine, monkeypatch):
    calls = []

    @operation(column="number", about="how many")
    def number(cells):
        calls.append(cells)
        return len(cells)

    entries = own.given([number])
    calls.clear()
    together = Tables((CARS, OTHER_CARS), entries)
    rows = np.random.default_rng(0).random((500, together.rows)) < 0.5
    rows[:, 3:] = rows[:1, 3:]
    [(_, _, one), (_, _, other)] = own_aggregates(rows, together)
    expected = together.summed((rows & ~np.isnan(together.columns[1])).astype(float))
    np.testing.assert_array_equal(np.nan_to_num(one), expected)
    assert other.shape == (500, 2)
    assert len(calls) <= 2 * (2**3 + 1)
    list(own_aggregates(rows, together))
    assert len(calls) <= 2 * (2**3 + 1)
    monkeypatch.setattr(masks, "MOST_CALLS", 3)
    assert list(own_aggregates(rows, Tables((CARS, OTHER_CARS), entries))) == []


def test_an_operation_that_fails_in_the_search_is_named(monkeypatch):
    @operation(column="number", about="fails on some cells")
    def fails(cells):
        return {1: 0.0, 5: 1.0}[len(cells)]

    entries = own.given([fails])
    with pytest.raises(NeuralProgrammerError, match=r"'fails' \(test_candidates.py, line \d+"):
        list(found(asked("price", CARS), (CARS,), [Answer(Result.number(1.0))], STEPS, entries))

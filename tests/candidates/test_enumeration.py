"""Oracle: what a candidate is said to give is what the interpreter gives; what is found is among the right ones."""

from dataclasses import replace

import numpy as np
import pytest

from candidates.test_candidates import CARS, OTHER_CARS
from neural_programmer.candidates import enumeration
from neural_programmer.candidates.conditions import conditions, found
from neural_programmer.candidates.config import CANDIDATES, CandidateConfig
from neural_programmer.candidates.enumeration import every
from neural_programmer.candidates.masks import Tables
from neural_programmer.candidates.narrowing import likeliest
from neural_programmer.candidates.reductions import comparisons, written_sets
from neural_programmer.candidates.results import FEATURE, RESULT_FEATURES
from neural_programmer.data.language import STEPS, Speaker
from neural_programmer.data.paper.draws import generator_of
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.soft import ALL
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.items import key
from neural_programmer.programs.moves import Codec
from neural_programmer.programs.operations import ROW_OPERATIONS, ROWS, named
from neural_programmer.programs.program import Program, Step, run
from neural_programmer.programs.result import Result
from neural_programmer.programs.same import as_text, key_of
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.tables.table import Table
from neural_programmer.tables.views import written
from own_operations import MINE

COMPARISONS = 2 * (CANDIDATES.slots + 1) * CANDIDATES.comparisons
CONFIG = NetworkConfig(hidden=2, program_steps=STEPS, columns="linked", operations=ALL, chooses="programs")
TEXTS = [
    "how many audi cost more than 12",
    "which car sold last in 2020",
    "difference in price between audi and fiat",
    "total power of electric cars that are not seat",
    "is there anything",
]


WRITTEN_CONFIG = replace(CONFIG, operations=ROWS, cells="written")
RACES = Table(
    ("place", "runner", "distance", "day", "club", "points"),
    (
        np.array(["1st", "2nd", "3rd", "3rd", "5th", "", "7th"]),
        np.array(["Ann Aho", "Bo Berg", "Cy Carr", "Ann Aho", "Di Dahl", "Ed Eck", "ann aho"]),
        np.array(["10 km", "12.5 km[2]", "", "12 km", "1,000 m", "unknown", "9 km"]),
        np.array(["May 4, 1990", "4 May 1990", "June 1991", "", "30 February 1992", "May 5, 1993", "May 4, 1990"]),
        np.array(["Bern", "Bern[1]", "bern", "Chur", "", "Chur", "[3]"]),
        np.array([3.0, 2.0, np.nan, 2.0, 1.0, 0.0, 3.0]),
    ),
)
OTHER_RACES = Table(
    RACES.names,
    (
        np.array(["1st", "2nd", "2nd"]),
        np.array(["Bo Berg", "Fay Falk", "Di Dahl"]),
        np.array(["", "3 km", "4 km"]),
        np.array(["1 May 1990", "no day", "May 4, 1990"]),
        np.array(["Chur", "chur", "Visp"]),
        np.array([1.0, np.nan, 1.0]),
    ),
)
WRITTEN_TEXTS = {  # with operations that their candidates have
    "which runner came after Bo Berg": {"next", "previous", "above", "below", "more", "fewer", "same", "whether"},
    "how many ran more than 9 km after may 1990": {"greater", "lesser", "equal", "and", "whether", "sum"},
    "did Ann Aho or Di Dahl of Chur run in 1990": {"or", "and", "whether", "text match", "difference", "same"},
    "who was 3rd with 2 points": {"text match", "equal", "at least", "at most", "text other", "or"},
}


def asked(text, *tables):
    return link(text, Index.of(tables[0])), [*tables]


def given(candidates, place, table):
    scalar, cells = candidates.result.scalar[place, table], candidates.result.cells[place, table]
    return scalar, cells


@pytest.mark.parametrize("text", TEXTS)
def test_candidates_give_what_the_interpreter_gives(text):
    question, tables = asked(text, CARS, OTHER_CARS)
    index = Index.of(CARS)
    candidates = every(question, tables, named(ALL), STEPS)
    kinds = set()
    for place in np.random.default_rng(0).permutation(len(candidates))[:400].tolist():
        program = Codec.of(CONFIG.entries, question).program(candidates.moves[place], question, index)
        for number, table in enumerate(tables):
            answer = run(program, table).answer
            scalar, cells = given(candidates, place, number)
            kinds.add(answer.kind)
            if answer.kind == "scalar":
                assert scalar == pytest.approx(answer.scalar), str(program)
            elif answer.kind == "lookup":
                assert cells == key_of(answer.values), str(program)
            else:
                assert np.isnan(scalar), str(program)
                assert np.isnan(cells), str(program)
    assert kinds == {"scalar", "lookup", "none"}


@pytest.mark.parametrize("text", WRITTEN_TEXTS)
@pytest.mark.parametrize("count", [1, 2])
def test_candidates_about_written_cells_give_what_the_interpreter_gives(text, count):
    """On tables with their views, one or two at once: ranks, distances and dates as people write them."""
    first = written(RACES)
    tables = [first, written(OTHER_RACES, like=first)][:count]
    index = Index.of(first)
    question = link(text, index, cells="written")
    candidates = every(question, tables, named(ROWS), STEPS, cells="written")
    used, last = set(), set()
    for place in _some_of_each_operation(candidates, np.random.default_rng(0)):
        program = Codec.of(WRITTEN_CONFIG.entries, question).program(candidates.moves[place], question, index)
        used |= {step.operation for step in program.steps}
        last.add(program.steps[-1].operation)
        for number, table in enumerate(tables):
            answer = run(program, table).answer
            scalar, cells = given(candidates, place, number)
            if answer.kind == "scalar":
                assert scalar == pytest.approx(answer.scalar), f"{program} {number}"
            elif answer.kind == "none":
                assert np.isnan(scalar), f"{program} {number}"
                assert np.isnan(cells), f"{program} {number}"
            else:
                assert cells == key_of(answer.values, key), f"{program} {number}"
    assert used >= {"first", "last", "greatest", "least", "most common"}
    assert used >= WRITTEN_TEXTS[text]
    assert last <= {"count", "sum", "average", "difference", "assign", "whether", "decline"}
    assert last >= {"count", "sum", "average", "difference", "assign", "decline"}
    assert not used & {"not equal", "distinct"}, "nobody means these"


def _some_of_each_operation(candidates, generator, most=40):
    """The places of some candidates that use each of the operations."""
    places = set()
    for operation in range(len(ROWS)):
        using = np.flatnonzero((candidates.moves[..., 0] == operation).any(axis=1))
        places |= set(generator.permutation(using)[:most].tolist())
    return sorted(places)


def test_programs_about_written_cells():
    """By hand: what is right is among the candidates, as a program with its views."""
    table = written(RACES)
    index = Index.of(table)
    for text, program, answer in (
        ("who came after Bo Berg", "text match runner Bo Berg; next; assign runner", ("Cy Carr",)),
        ("which runner ran the most", "greatest distance (number); assign runner", ("Di Dahl",)),
        ("how many km did Ann Aho run in all", "text match runner Ann Aho or ann aho; sum distance (number)", (31.0,)),
        ("did Bo Berg run further than Di Dahl",
         "text match runner Di Dahl; more distance (number); text match runner Bo Berg; and; whether", ("no",)),
    ):  # fmt: skip
        question = link(text, index, cells="written")
        candidates = every(question, [table], named(ROWS), STEPS, cells="written")
        right = candidates.moves[candidates.right([Answer(Result.cells(answer))])]
        programs = [str(Codec.of(WRITTEN_CONFIG.entries, question).program(moves, question, index)) for moves in right]
        assert program in programs, text


@pytest.mark.parametrize("seed", range(12))
def test_what_is_found_is_right(seed):
    """On drawn questions: every program that gives the answers is one of the right candidates."""
    one = Speaker(generator_of(seed, 77)).draw()
    question, tables = asked(one.question, *one.tables)
    candidates = every(question, tables, named(ALL), STEPS)
    right = candidates.right(one.answers)
    index = Index.of(tables[0])
    programs = {
        str(Codec.of(CONFIG.entries, question).program(moves, question, index)) for moves in candidates.moves[right]
    }
    wanted = {
        str(Codec.of(CONFIG.entries, question).program(numbered(moves, question), question, index))
        for moves in found(question, tables, one.answers, STEPS)
    }
    assert candidates.left_out or wanted <= programs


def numbered(moves, question):
    numbers = max(len(question.numbers), 1)
    return np.array([(ALL.index(m.operation), m.column, m.number if m.link < 0 else numbers + m.link) for m in moves])


def test_the_right_ones():
    question, tables = asked("price of the seat", CARS)
    candidates = every(question, tables, named(ALL), STEPS)
    index = Index.of(CARS)

    def right(answer):
        return {
            str(Codec.of(CONFIG.entries, question).program(m, question, index))
            for m in candidates.moves[candidates.right([answer])]
        }

    assert right(Answer()) == {"decline"}
    assert "text match car Seat; assign power" in right(Answer(Result.cells((3.0,))))
    assert "text match car Seat; sum power" in right(Answer(Result.number(3.0)))
    assert "text match car Seat; assign power" in right(Answer(Result.number(3.0))), "one number, one cell"
    assert "assign car" in right(Answer(Result.cells(("seat", "Fiat", "AUDI", "")))), "each once, in whatever case"
    assert not right(Answer(Result.cells(("Opel",))))


def test_features():
    question, tables = asked("how many audi cost more than 12 in price", CARS)
    index = Index.of(CARS)
    candidates = every(question, tables, named(ALL), STEPS)
    programs = [str(Codec.of(CONFIG.entries, question).program(moves, question, index)) for moves in candidates.moves]

    def features(program):
        held = candidates.features[programs.index(program)]
        return {name for name, holds in zip(RESULT_FEATURES, held, strict=True) if holds}

    both = "text match car Audi; greater price 12.0; and; count"
    assert features(both) == {"two rows", "whole", "unmentioned used", "two arguments"}
    assert features("count") == {
        "many rows" if CARS.rows > 5 else "few rows", "all rows", "whole", "text not used", "number not used",
        "mentioned not used", "no argument",
    }  # fmt: skip
    assert features("greatest price; assign car") == {
        "one row", "one value", "says what was said", "no argument", "text not used", "number not used",
        "unmentioned used", "reduced by a mentioned column",
    }  # fmt: skip
    assert "reduced by another column" in features("greatest power; assign car")
    assert "output reduces" in features("greatest price; assign price")
    assert "output reduces" not in features("greatest power; assign price")
    assert "says what was said" in features("text match car Audi; assign car")
    assert "values again" in features("text match car Audi; assign car")
    assert {"no number", "no row"} <= features("greater power 12.0; average price")
    assert features("decline") >= {"declines"}


def test_answers_that_are_alike():
    question, tables = asked("how many audi cost more than 12 in price", CARS)
    candidates = every(question, tables, named(ALL), STEPS)
    groups = candidates.alike()
    assert sorted(np.concatenate(groups).tolist()) == list(range(len(candidates)))
    for group in groups:
        scalars = np.unique(np.round(candidates.result.scalar[group, 0], 6))
        assert len(scalars) == 1
        assert len(np.unique(candidates.result.cells[group, 0])) == 1
        assert len(np.unique(candidates.features[group, FEATURE["declines"]])) == 1


def test_huge_numbers_are_alike_where_they_are_the_same():
    question, _ = asked("how many audi cost more than 12 in price", CARS)
    huge = np.array([1e307, 1.5e307, -1e308, 1e307, 1.0])
    columns = (huge[: CARS.rows] if column.dtype.kind == "f" else column for column in CARS.columns)
    table = Table(CARS.names, tuple(columns))
    candidates = every(question, [table], named(ALL), STEPS)
    for group in candidates.alike():
        assert len(np.unique(candidates.result.scalar[group, 0])) == 1


def test_order_of_rows_does_not_matter():
    question, _ = asked("which audi has the highest power", CARS)
    order = [3, 1, 4, 0, 2]
    shuffled = Table(CARS.names, tuple(column[order] for column in CARS.columns))
    one, other = (every(question, [table], named(ALL), STEPS) for table in (CARS, shuffled))
    np.testing.assert_array_equal(one.moves, other.moves)
    np.testing.assert_array_equal(one.features, other.features)
    np.testing.assert_allclose(one.result.scalar, other.result.scalar)
    np.testing.assert_array_equal(one.result.cells, other.result.cells)


def test_operations_that_are_not_there_are_not_tried():
    question, tables = asked("how many audi cost more than 12 in price", CARS)
    few = ("count", "reset", "text match", "assign")
    moves = every(question, tables, named(few), STEPS).moves
    assert set(np.unique(moves[..., 0]).tolist()) == {
        -1,
        few.index("count"),
        few.index("text match"),
        few.index("assign"),
    }


@pytest.mark.parametrize(("rows", "columns", "links", "most"), [(2_000, 60, 40, 12_000), (5, 300, 2, 2_000)])
def test_large_tables_and_long_questions_stay_bounded(rows, columns, links, most):
    """Of many columns those are tried that the question may mean, and it is said that some are left out."""
    generator = np.random.default_rng(0)
    words = [f"thing{number}" for number in range(links)]
    names = tuple(f"column {number}" for number in range(columns - 1))
    cells = tuple(generator.integers(0, 50, rows).astype(float) for _ in names)
    table = Table(("what", *names), (np.array(words)[generator.integers(0, links, rows)], *cells))
    question = link(" or ".join(words) + " more than 7 and 9 and 12", Index.of(table))
    candidates = every(question, [table], named(ALL), STEPS, CandidateConfig(most=most))
    assert candidates.left_out
    assert 100 < len(candidates) <= most + CANDIDATES.differences + 1


def named_things(rows, columns, links):
    """A table with views and many numbers, and a question that names many of its rows."""
    generator = np.random.default_rng(0)
    words = [f"thing{number}" for number in range(links)]
    names = tuple(f"column {number}" for number in range(columns - 2))
    cells = tuple(generator.integers(0, 50, rows).astype(float) for _ in names)
    named = np.array([words[row] if row < links else f"other {row}" for row in range(rows)])
    lengths = np.array([f"{number} km" for number in generator.integers(0, 50, rows)])
    table = written(Table(("what", "length", *names), (named, lengths, *cells)))
    return table, link(f"did {' or '.join(words)} have more than 7 and 9 and 12", Index.of(table), cells="written")


@pytest.mark.parametrize("most", [CANDIDATES.most, 2_000])
def test_large_tables_of_written_cells_stay_bounded(most, monkeypatch):
    """Candidates, and sets of rows that are looked at: of these no more than of what is kept and one kind more."""
    looked = []

    def counted(*given):
        looked.append(0)
        for sets in written_sets(*given):
            looked[-1] += len(sets.rows)
            yield sets

    monkeypatch.setattr(enumeration, "written_sets", counted)
    table, question = named_things(rows=2_000, columns=60, links=40)
    assert len(question.links) >= 40
    candidates = every(question, [table], named(ROWS), STEPS, CandidateConfig(most=most), "written")
    assert candidates.left_out
    truths = sum(entry.updates == "truth" for entry in ROW_OPERATIONS.values())
    assert truths == enumeration.MOST_TRUTHS
    stated = enumeration.MOST_OUTPUTS * most + 2 * CANDIDATES.differences + 1
    stated += truths * (COMPARISONS + CANDIDATES.combined)
    assert 500 < len(candidates) <= stated
    assert len(looked) <= 1 + len(CANDIDATES.written_columns)
    assert max(looked) <= most + CANDIDATES.single + CANDIDATES.combined


@pytest.mark.parametrize(
    ("columns", "links", "left_out", "pairs"),
    [(6, 2, False, 2), (6, 6, False, 30), (6, 7, True, 30), (6, 20, True, 30), (30, 2, True, 2)],
)
def test_few_things_are_compared_with_each_other(columns, links, left_out, pairs):
    """Two by two, by the columns that come first; and it is said where there are more."""
    table, question = named_things(rows=40, columns=columns, links=links)
    tables = Tables([table])
    order = [*reversed(range(len(table.names)))]
    found, more = comparisons(conditions(question, tables), tables, order)
    compared = {found.moves(place)[1].column for place in range(len(found.rows))}
    assert compared == {-1, *(slot for slot in order if slot in tables.ordered and slot > order[0] - 24)}
    assert len(found.rows) == 2 * pairs * len(compared) <= COMPARISONS
    assert more is left_out


def test_that_comparisons_are_left_out_is_said():
    """All else is there of so small a table."""
    for links, left_out in ((4, False), (7, True)):
        table, question = named_things(rows=12, columns=3, links=links)
        candidates = every(question, [table], named(ROWS), STEPS, CandidateConfig(most=10**6), "written")
        assert candidates.left_out is left_out


def test_candidates_with_operations_of_ones_own_stay_bounded():
    generator = np.random.default_rng(0)
    names = tuple(f"thing {number}" for number in range(14))
    cells = tuple(generator.integers(0, 50, 30).astype(float) for _ in names)
    table = Table((*names, "colour"), (*cells, np.array(["birch", "oak", "ash"])[generator.integers(0, 3, 30)]))
    question = link("total thing 3 where thing 5 is more than 20 and colour is birch", Index.of(table))
    few, many = (every(question, [table], some, STEPS) for some in (named(ALL), (*named(ALL), *MINE)))
    assert len(few) < len(many) < 1.25 * CANDIDATES.most, "about as many as are wanted, and not many times that"


def test_likeliest_columns_are_those_that_are_mentioned():
    question, tables = asked("power of the audi", CARS)
    order = [CARS.names[slot] for slot in likeliest(question, Tables(tables))]
    assert order[:2] == ["power", "car"]
    assert sorted(order) == sorted(CARS.names)


def test_values_are_compared_as_people_do():
    assert as_text(" Audi ") == as_text("audi")
    assert as_text(3) == as_text(3.0) == as_text("3.00")
    assert as_text(None) == as_text(float("nan")) == ""
    assert key_of(["a", "b"]) == key_of(["b", "a", "A"]) != key_of(["a"])
    assert run(Program((Step("assign", "sold"),)), CARS).answer.values


@pytest.mark.parametrize("joined", ["and", "or"])
def test_no_column_is_left_out_that_is_mentioned(joined):
    """Two numbers and three columns: too many candidates, and the right one is among those that are kept."""
    generator = np.random.default_rng(0)
    table = Table(tuple("ABCDE"), tuple(generator.uniform(-99, 99, 40).round(2) for _ in "ABCDE"))
    question, tables = asked(f"greater -40.5 B {joined} lesser 60.5 E sum A", table)
    steps = Step("greater", "B", -40.5), Step("lesser", "E", 60.5), Step(joined), Step("sum", "A")
    candidates = every(question, tables, named(ALL), STEPS)
    assert candidates.left_out
    assert len(candidates) <= 1.2 * CANDIDATES.most
    assert candidates.right([run(Program(steps), table).answer]).any()
    extreme = [ALL.index(name) for name in ("greatest", "least")]
    lengths = (candidates.moves[..., 0] >= 0).sum(axis=1)
    reduced = np.isin(candidates.moves[..., 0], extreme).any(axis=1)
    assert set(lengths[reduced]) == {2, 3}, "of all rows and of one condition"


def test_a_word_says_what_its_steps_find():
    """More is what is greater, where rows are found and where none are; above is what stands before."""
    table = written(Table(("club", "crowd"), (np.array(["Ash", "Bex", "Cam"]), np.array(["19,876", "30,002", ""]))))
    cases = {
        "was the crowd of Ash more or less than 20,000": ("more or less", {"greater", "at least", "more"}),
        "is Bex above or below Ash": ("above or below", {"above", "greater", "at least", "more"}),
        "was Bex before or after Ash": ("before or after", {"above", "lesser", "at most", "fewer"}),
    }
    for text, (name, meant) in cases.items():
        question = link(text, Index.of(table), cells="written")
        candidates = every(question, [table], named(ROWS), STEPS, cells="written")
        found = [{ROWS[move[0]] for move in moves if move[0] >= 0} for moves in candidates.moves.tolist()]
        said = [names for names in found if name in names]
        assert said
        assert all(names & meant for names in said)
        words = {key_of([word], key) for word in ROW_OPERATIONS[name].words}
        assert {
            cells for cells, names in zip(candidates.result.cells[:, 0], found, strict=True) if name in names
        } == words


def test_nobody_means_empty_cells():
    columns = np.array(["1", "2", "Total"]), np.array(["Chile", "Kenya", ""]), np.array([3.0, 2.0, 5.0])
    table = written(Table(("rank", "nation", "gold"), columns))
    question = link("which nation won the most gold", Index.of(table), cells="written")
    candidates = every(question, [table], named(ROWS), STEPS, cells="written")
    assert key_of([""], key) not in candidates.result.cells[:, 0]
    assert key_of(["Chile"], key) in candidates.result.cells[:, 0]


def test_how_much_is_tried_is_a_setting():
    question, tables = asked("total power of audi minus total power of bmw", CARS)
    names = named(ALL)
    difference = [entry.name for entry in names].index("difference")

    def differing(limits):
        moves = every(question, tables, names, STEPS, limits).moves
        return int((moves[..., 0] == difference).any(axis=1).sum())

    assert differing(CANDIDATES) > 5
    assert [differing(CandidateConfig(differences=most)) for most in (0, 5)] == [0, 5]
    narrow = every(question, tables, names, STEPS, CandidateConfig(most=1, columns=(2,)))
    assert narrow.left_out
    assign = [entry.name for entry in names].index("assign")
    assert len(set(narrow.moves[narrow.moves[..., 0] == assign][:, 1].tolist())) == 2

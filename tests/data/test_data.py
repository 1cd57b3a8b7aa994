"""Tables and questions are drawn as section 3.1 says, and every answer is that of the question's own words."""

import math
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from jaxtyping import config

from neural_programmer.data.paper import TASKS, Dataset, draw_test, draw_train, task
from neural_programmer.data.paper import draws as data
from neural_programmer.data.paper.grammar import CATEGORIES, TEXTS
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables.table import Table

PAPER = [name for name in TASKS if name != "single-column-scalars"]
UNSEEN = ("price", "quantity", "net sales", "year", "size of order", "weight", "age")
SAME = {
    "total": "sum",
    "many": "count",
    "bigger": "greater",
    "larger": "greater",
    "smaller": "lesser",
    "under": "lesser",
    "display": "print",
    "show": "print",
    "difference": "diff",
}
SAYS_NOTHING = {"of", "than", "between", "how"}


def evaluate(question: str, table: Table) -> float | list[tuple[int, str]]:
    """Answer a question of the synthetic language from its words alone: a number, or the cells to print."""
    words = [SAME.get(word, word) for word in question.split() if word not in SAYS_NOTHING]
    rows = [dict(zip(table.names, record, strict=True)) for record in table.records()]
    if "diff" in words:
        place = words.index("diff")
        return output(words[:place], range(len(rows)), rows) - output(words[place + 1 :], range(len(rows)), rows)
    kept = []
    while words[0] not in ("sum", "count", "print"):
        word = words.pop(0)
        if word in ("and", "or"):
            join = word
            continue
        number = float(words.pop(0)) if word in ("greater", "lesser") else None
        column = take_column(words, rows)
        if word == "greater":
            kept.append([place for place, row in enumerate(rows) if row[column] > number])
        elif word == "lesser":
            kept.append([place for place, row in enumerate(rows) if row[column] < number])
        else:
            kept.append([place for place, row in enumerate(rows) if row[column] == word])
    chosen = range(len(rows))
    if len(kept) == 1:
        chosen = kept[0]
    elif len(kept) == 2:
        one, other = kept
        both = [place for place in one if place in other]
        chosen = both if join == "and" else sorted(set(one + other))
    return output(words, chosen, rows)


def output(words: list[str], chosen: list[int] | range, rows: list[dict]) -> float | list[tuple[int, str]]:
    word, *rest = words
    if word == "count":
        return len(chosen)
    column = take_column(rest, rows)
    if word == "sum":
        return math.fsum(rows[place][column] for place in chosen)
    return [(place, column) for place in chosen]


def take_column(words: list[str], rows: list[dict]) -> str:
    """The column that is named next; questions about a single column name none."""
    names = list(rows[0])
    for name in names:
        said = [word for word in name.split() if word not in SAYS_NOTHING]
        if words[: len(said)] == said:
            del words[: len(said)]
            return name
    assert len(names) == 1, f"{words} names no column of {names}"
    return names[0]


def test_the_evaluator_reads_the_questions_of_the_paper():
    """On a table whose answers can be seen."""
    table = Table(("A", "B", "T"), (np.array([1.0, 2.0, 3.0]), np.array([10.0, 5.0, 0.5]), np.array(["x", "y", "x"])))
    assert evaluate("greater 1.5 A and lesser 4 B sum B", table) == 0.5
    assert evaluate("lesser 1.5 A or greater 4 B print T", table) == [(0, "T"), (1, "T")]
    assert evaluate("total of A difference between how many", table) == 3.0
    assert evaluate("count of diff sum B", table) == -12.5
    assert evaluate("x T and bigger than 1 A show B", table) == [(2, "B")]
    assert evaluate("under 2.5 count", Table(("A",), (np.array([1.0, 2.0, 3.0]),))) == 2
    named = Table(("net", "size of order"), (np.array([1.0, 2.0, 3.0]), np.array([10.0, 5.0, 0.5])))
    assert evaluate("greater 1 net and greater 2 size of order sum size of order", named) == 5.0


@pytest.mark.parametrize("split", ["train", "test"])
@pytest.mark.parametrize("name", TASKS)
def test_answers_are_those_of_the_question_text(name, split):
    if split == "train":
        drawn = draw_train(task(name), 150, seed=3)
    else:
        drawn = draw_test(task(name), seed=3, count=min(data.test_size(task(name)), 150))
    kinds = Counter()
    for triple in drawn:
        expected = evaluate(triple.question, triple.table)
        kinds[triple.answer.kind] += 1
        if isinstance(expected, list):
            assert list(triple.answer.cells) == expected, triple.question
            records = triple.table.records()
            values = [records[row][triple.table.names.index(column)] for row, column in expected]
            assert list(triple.answer.values) == values, triple.question
        else:
            assert triple.answer.scalar == pytest.approx(expected, abs=1e-6), triple.question
    assert set(kinds) == ({"scalar"} if name == "single-column-scalars" else {"scalar", "lookup"})


@cache
def training(name: str) -> Dataset:
    return draw_train(task(name), 1000, seed=0)


def cells(dataset: Dataset) -> np.ndarray:
    """All numbers drawn for the tables."""
    there = np.arange(dataset.values.shape[1]) < dataset.rows[:, None]
    return dataset.values[there].ravel()


def assert_uniform(values: np.ndarray, limit: float) -> None:
    """Within [-limit, limit], reaching both ends, every tenth of it about equally full."""
    assert np.abs(values).max() <= limit
    assert values.min() < -0.99 * limit
    assert values.max() > 0.99 * limit
    filled, _ = np.histogram(values, bins=10, range=(-limit, limit))
    expected = values.size / 10
    assert np.abs(filled - expected).max() < 5 * math.sqrt(expected)


@pytest.mark.parametrize("name", PAPER)
def test_training_tables(name):
    """30 to 100 rows of numbers from [-100, 100] with two decimals."""
    drawn = training(name)
    assert set(drawn.rows.tolist()) == set(range(30, 101))
    assert_uniform(cells(drawn), 100)
    assert_uniform(drawn.numbers, 100)
    for place in range(50):
        triple = drawn.triple(place)
        assert triple.table.rows == drawn.rows[place]
        assert triple.table.names == drawn.columns[place]
        for name in triple.table.names:
            if triple.table.is_text(name):
                assert set(triple.table.column(name).tolist()) <= set(TEXTS)
            else:
                assert all(float(f"{value:.2f}") == value for value in triple.table.column(name).tolist())


@pytest.mark.parametrize("name", PAPER)
def test_test_tables(name):
    """120 rows of numbers from [-200, 200], all columns."""
    drawn = draw_test(task(name), seed=0, count=min(data.test_size(task(name)), 1000))
    assert set(drawn.rows.tolist()) == {120}
    assert {drawn.triple(place).table.rows for place in range(20)} == {120}
    assert_uniform(cells(drawn), 200)
    assert set(drawn.columns) == {task(name).test_columns}
    assert task(name).test_columns == (UNSEEN if name == "unseen-names" else task(name).columns)
    assert drawn.table(0).names == task(name).test_columns


@pytest.mark.parametrize("split", ["train", "test"])
def test_tables_of_the_lstm_comparison(split):
    """4 to 7 whole numbers from [-10, 10]."""
    small = task("single-column-scalars")
    drawn = draw_train(small, 2000, seed=0) if split == "train" else draw_test(small, seed=0)
    assert set(drawn.rows.tolist()) == {4, 5, 6, 7}
    assert set(cells(drawn).tolist()) == set(range(-10, 11))
    for triple in map(drawn.triple, range(300)):
        assert "." not in triple.question
        assert all(value == int(value) for value in triple.table.column("A").tolist())


def test_text_is_drawn_uniformly_from_the_ten_words():
    drawn = training("text-five-columns")
    met = Counter(word for place in range(300) for word in drawn.table(place).column(drawn.columns[place][0]).tolist())
    assert set(met) == set(TEXTS)
    expected = met.total() / 10
    assert all(abs(count - expected) < 5 * math.sqrt(expected) for count in met.values())


def assert_about(counts: Counter, shares: dict) -> None:
    """Every key comes as often as its share says, within five standard deviations."""
    total = counts.total()
    assert set(counts) == set(shares)
    for key, share in shares.items():
        assert abs(counts[key] - total * share) < 5 * math.sqrt(total * share * (1 - share)) + 1e-9, key


@contextmanager
def unchecked() -> Iterator[None]:
    """Without the checks of annotations, which take most of the time of a large draw; small draws are checked."""
    config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        config.update("jaxtyping_disable", False)


@cache
def narrow(name: str) -> Dataset:
    """A large training set of tables of one row: the templates and columns are drawn first, so are those of tall ones.

    Of the paper's size, 50,000, where the share of seen templates is asked for.
    """
    count = 50_000 if name in ("ten-columns", "words-five-columns") else 10_000
    with unchecked():
        return draw_train(replace(task(name), train_rows=(1, 1)), count, seed=0)


def test_narrow_tables_have_the_templates_and_columns_of_tall_ones():
    tall = training("three-columns")
    short = draw_train(replace(task("three-columns"), train_rows=(1, 1)), len(tall), seed=0)
    assert short.templates == tall.templates
    assert short.columns == tall.columns


@pytest.mark.parametrize(
    "name",
    ["three-columns", "five-columns", "ten-columns", "words-five-columns", "same-comparison", "unseen-names"],
)
def test_every_number_of_columns_and_every_subset_is_drawn_alike(name):
    names = task(name).numbers
    most = len(names)
    columns = narrow(name).columns
    assert_about(Counter(map(len, columns)), dict.fromkeys(range(1, most + 1), 1 / most))
    some = [chosen for chosen in columns if len(chosen) in (1, 2, most)]
    shares = {
        subset: 1 / 3 / math.comb(most, size) for size in (1, 2, most) for subset in combinations(names, size)
    }  # fmt: skip
    assert_about(Counter(some), shares)


def test_single_columns_are_always_there():
    assert set(training("single-column").columns) == set(training("words-one-column").columns) == {("A",)}


def test_text_match_with_two_columns_always_has_both():
    assert set(training("text-two-columns").columns) == {("A", "B")}


def test_text_match_with_five_columns_has_some_of_each_kind():
    """One or two of the text columns, one to three of the number columns, text first."""
    shares = {
        (*texts, *numbers): 1 / 2 / math.comb(2, many) / 3 / math.comb(3, more)
        for many in (1, 2)
        for more in (1, 2, 3)
        for texts in combinations("AB", many)
        for numbers in combinations("CDE", more)
    }
    assert_about(Counter(narrow("text-five-columns").columns), shares)
    drawn = training("text-five-columns")
    for place in range(50):
        table = drawn.table(place)
        assert [table.is_text(name) for name in table.names] == [name in "AB" for name in table.names]


@pytest.mark.parametrize("name", TASKS)
def test_small_training_sets_have_whole_tables(name):
    """Whichever columns are drawn: those of few tables may have less text or fewer numbers than others have."""
    for seed in range(30):
        for triple in draw_train(task(name), 2, seed):
            assert triple.table.names == tuple(name for name in task(name).columns if name in triple.table.names)
            assert all(len(column) == triple.table.rows for column in triple.table.columns)


def test_conditions_of_the_same_kind_have_different_numbers():
    """In the questions and the programs of both sets, as often greater as lesser."""
    same = task("same-comparison")
    for drawn in (draw_train(same, 800, seed=1), draw_test(same, seed=1)):
        logic = [triple for triple in drawn if triple.template.category == "logic"]
        kinds = Counter()
        for triple in logic:
            one, other, _, _ = triple.program.steps
            assert one.operation == other.operation
            assert one.argument != other.argument
            numbers = [float(word) for word in triple.question.split() if word.lstrip("-")[0].isdigit()]
            assert numbers == [one.argument, other.argument]
            kinds[one.operation] += 1
        assert_about(kinds, {"greater": 1 / 2, "lesser": 1 / 2})


def test_names_of_test_tables_are_absent_from_training():
    """Seven columns of other names, of which some have several words, and questions about them."""
    unseen = task("unseen-names")
    trained = draw_train(unseen, 500, seed=1)
    assert {name for names in trained.columns for name in names} == set("ABCDE")
    assert max(map(len, trained.columns)) == 5
    said = {word for triple in trained for word in triple.question.split()}
    drawn = draw_test(unseen, seed=1, count=300)
    met = Counter()
    for triple in drawn:
        assert triple.table.names == UNSEEN
        steps = [step.column for step in triple.program.steps if step.column is not None]
        for name in steps:
            assert f" {name} " in f" {triple.question} "
            assert not said & set(name.split())
            met[name] += 1
        assert not set("ABCDE") & set(triple.question.split())
    assert set(met) == set(UNSEEN)


def test_questions_ask_only_about_the_columns_of_their_table():
    for name in ("ten-columns", "words-five-columns", "text-five-columns"):
        letters = set(task(name).columns)
        for template, columns in zip(narrow(name).templates[:3000], narrow(name).columns, strict=False):
            assert letters.intersection(template.words) <= set(columns)


@pytest.mark.parametrize("name", [name for name in TASKS if name != "words-five-columns"])
def test_categories_are_drawn_alike(name):
    counts = Counter(template.category for template in training(name).templates)
    assert_about(counts, dict.fromkeys(CATEGORIES, 1 / 4))


def test_templates_of_a_category_are_drawn_alike():
    over = task("single-column").grammar
    shares = {
        over.template(category, place).text: 1 / 4 / count
        for category, count in over.counts.items()
        for place in range(count)
    }
    assert_about(Counter(template.text for template in narrow("single-column").templates), shares)


def test_all_templates_are_drawn_alike_with_many_words_and_five_columns():
    """The categories come by their size: the paper draws uniformly from the set of all programs."""
    drawn = narrow("words-five-columns")
    for size in range(1, 6):
        over = task("words-five-columns").grammar_over(tuple("ABCDE"[:size]), ())
        met = [t for t, names in zip(drawn.templates, drawn.columns, strict=True) if len(names) == size]
        assert_about(
            Counter(template.category for template in met),
            {category: count / over.count for category, count in over.counts.items()},
        )
    alone = [t.text for t, names in zip(drawn.templates, drawn.columns, strict=True) if names == ("A",)]
    over = task("words-five-columns").grammar_over(("A",), ())
    assert len(set(alone)) / over.count > 0.7  # 2,000 draws from 1,368: 1 - exp(-1.46) = 77 %
    assert max(Counter(alone).values()) <= 10


def test_same_seed_same_data():
    for draw in (
        lambda: draw_train(task("text-five-columns"), 40, 7),
        lambda: draw_test(task("text-five-columns"), 7, 40),
    ):
        one, other = draw(), draw()
        for left, right in zip(one, other, strict=True):
            assert left.question == right.question
            assert left.table.names == right.table.names
            assert left.table.records() == right.table.records()
            assert left.answer == right.answer


def test_other_seeds_and_streams_give_other_data():
    """Training, its other streams, the test set and other seeds have no table in common."""
    five = task("five-columns")
    drawn = [
        draw_train(five, 50, seed=0),
        draw_train(five, 50, seed=0, stream=data.VALIDATION),
        draw_train(five, 50, seed=0, stream=data.FRESH),
        draw_train(five, 50, seed=1),
        draw_test(five, seed=0, count=50),
        draw_test(five, seed=1, count=50),
    ]
    first_rows = [{tuple(table[0].tolist()) for table in dataset.values} for dataset in drawn]
    assert all(not one & other for one, other in combinations(first_rows, 2))
    questions = [[triple.question for triple in dataset] for dataset in drawn]
    assert all(one != other for one, other in combinations(questions, 2))


@cache
def full_test(name: str) -> Dataset:
    """The full test set, with tables of one row."""
    with unchecked():
        return draw_test(task(name), seed=0, rows=1)


@pytest.mark.parametrize("name", PAPER)
def test_every_template_comes_once_in_the_test_set(name):
    """All of them, or as many different ones as the paper took."""
    drawn = full_test(name)
    met = {template.text for template in drawn.templates}
    assert len(drawn) == len(met) == data.test_size(task(name))
    if name == "words-five-columns":
        assert len(drawn) == 24_000
    else:
        assert met == {task(name).grammar.numbered(number).text for number in range(task(name).grammar.count)}


def test_the_lstm_comparison_asks_every_template_often():
    drawn = draw_test(task("single-column-scalars"), seed=0)
    assert data.test_size(task("single-column-scalars")) == len(drawn) == 1600
    assert set(Counter(template.text for template in drawn.templates).values()) == {100}


def test_a_sampled_test_set_depends_on_the_seed():
    """24,000 of 116,368 templates: two samples share about a fifth."""
    sample = {template.text for template in full_test("words-five-columns").templates}
    other = draw_test(task("words-five-columns"), seed=1, count=4000, rows=1)
    shared = sum(template.text in sample for template in other.templates)
    assert shared / 4000 == pytest.approx(24_000 / 116_368, abs=0.02)


def test_part_of_a_test_set():
    drawn = draw_test(task("three-columns"), seed=0, count=100)
    assert len(drawn) == len({template.text for template in drawn.templates}) == 100
    other = draw_test(task("three-columns"), seed=1, count=100)
    assert [t.text for t in drawn.templates] != [t.text for t in other.templates]
    assert {template.category for template in drawn.templates} >= {"comparison", "logic"}


@pytest.mark.parametrize("rows", [1, 7, 500])
def test_rows_of_the_test_tables(rows):
    drawn = draw_test(task("single-column"), seed=0, rows=rows)
    assert {triple.table.rows for triple in drawn} == {rows}


@pytest.mark.parametrize("value_range", [50, 10**6, 10**9])
def test_value_range_of_the_test_tables(value_range):
    drawn = draw_test(task("three-columns"), seed=0, value_range=value_range)
    assert_uniform(cells(drawn), value_range)
    triple = drawn.triple(len(drawn) - 20)
    numbers = [float(word) for word in triple.question.split() if word.lstrip("-")[0].isdigit()]
    assert len(numbers) == triple.template.number_count == 2
    assert numbers == drawn.numbers[len(drawn) - 20].tolist()


def test_the_smallest_value_range_holds_every_hundredth():
    drawn = draw_test(task("three-columns"), seed=0, value_range=1)
    assert sorted(set(cells(drawn).tolist())) == [hundredths / 100 for hundredths in range(-100, 101)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": 0}, "the test set of single-column has 23 questions; ask for 1 to 23, not 0"),
        ({"count": 24}, "the test set of single-column has 23 questions; ask for 1 to 23, not 24"),
        ({"rows": 0}, "a table needs at least 1 row, not 0"),
        ({"rows": -5}, "a table needs at least 1 row, not -5"),
        (
            {"rows": 10**8},
            "23 tables of 100,000,000 rows and 1 columns have 2,300,000,000 cells; ask for at most 1,000,000,000",
        ),
        ({"value_range": 0}, "the range of the numbers must be 1 to 1,000,000,000, not 0"),
        ({"value_range": 10**9 + 1}, "the range of the numbers must be 1 to 1,000,000,000, not 1000000001"),
        ({"seed": -1}, "a seed is a whole number from 0 to 2^32 - 1, not -1"),
        ({"seed": 2**32}, "a seed is a whole number from 0 to 2^32 - 1, not 4294967296"),
    ],
)
def test_test_sets_that_cannot_be(options, message):
    with pytest.raises(NeuralProgrammerError) as error:
        draw_test(task("single-column"), **{"seed": 0, **options})
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("count", "seed", "message"),
    [
        (0, 0, "at least one triple must be drawn, not 0"),
        (-3, 0, "at least one triple must be drawn, not -3"),
        (10**8, 0, "100,000,000 tables of 100 rows and 1 columns have 10,000,000,000 cells"),
        (1, -1, "a seed is a whole number from 0 to 2^32 - 1, not -1"),
    ],
)
def test_training_sets_that_cannot_be(count, seed, message):
    with pytest.raises(NeuralProgrammerError) as error:
        draw_train(task("single-column"), count, seed)
    assert str(error.value).startswith(message)


def test_training_sets_are_measured_by_their_own_columns():
    """Not by those of the test tables, of which there may be more."""
    with pytest.raises(NeuralProgrammerError) as error:
        draw_train(task("unseen-names"), 10**7, seed=0)
    assert str(error.value).startswith("10,000,000 tables of 100 rows and 5 columns have 5,000,000,000 cells")
    with pytest.raises(NeuralProgrammerError) as error:
        draw_test(task("unseen-names"), seed=0, rows=10**6)
    assert str(error.value).startswith("3,179 tables of 1,000,000 rows and 7 columns have 22,253,000,000 cells")


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("ten-columns", 0.55, 0.75),  # the paper: 62.44 %
        ("words-five-columns", 0.25, 0.36),  # 31.31 %
    ],
)
def test_share_of_test_templates_seen_in_training(name, low, high):
    """About the paper's, with its 50,000 training triples."""
    seen = {template.text for template in narrow(name).templates}
    test = full_test(name).templates
    assert low <= sum(template.text in seen for template in test) / len(test) <= high

"""The templates are those the paper prints, as many as it counts."""

import re
from collections import Counter
from string import ascii_uppercase

import pytest

from neural_programmer.data.paper import TASKS, task
from neural_programmer.data.paper.grammar import CATEGORIES, Grammar, Template, grammar
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network.config import NetworkConfig
from neural_programmer.programs.operations import PAPER, TEXT
from neural_programmer.programs.program import Step
from neural_programmer.questions.question import COLUMN, parse, pointed

# The four tables of templates in the paper's appendix, as printed there.
SINGLE_COLUMN = """
sum
count
print
greater [number] sum
lesser [number] sum
greater [number] count
lesser [number] count
greater [number] print
lesser [number] print
greater [number1] and lesser [number2] sum
lesser [number1] and greater [number2] sum
greater [number1] or lesser [number2] sum
lesser [number1] or greater [number2] sum
greater [number1] and lesser [number2] count
lesser [number1] and greater [number2] count
greater [number1] or lesser [number2] count
lesser [number1] or greater [number2] count
greater [number1] and lesser [number2] print
lesser [number1] and greater [number2] print
greater [number1] or lesser [number2] print
lesser [number1] or greater [number2] print
sum diff count
count diff sum
"""
TWO_COLUMNS = """
greater [number1] A and lesser [number2] A sum A
greater [number1] B and lesser [number2] B sum B
greater [number1] A and lesser [number2] A sum B
greater [number1] A and lesser [number2] B sum A
greater [number1] B and lesser [number2] A sum A
greater [number1] A and lesser [number2] B sum B
greater [number1] B and lesser [number2] B sum A
greater [number1] B and lesser [number2] B sum A
"""
WORD_VARIABILITY = """
greater [number] sum
greater [number] total
greater [number] total of
greater [number] sum of
greater than [number] sum
greater than [number] total
greater than [number] total of
greater than [number] sum of
bigger [number] sum
bigger [number] total
bigger [number] total of
bigger [number] sum of
bigger than [number] sum
bigger than [number] total
bigger than [number] total of
bigger than [number] sum of
larger [number] sum
larger [number] total
larger [number] total of
larger [number] sum of
larger than [number] sum
larger than [number] total
larger than [number] total of
larger than [number] sum of
"""
TEXT_MATCH = """
word:0 A sum B
word:1 A sum B
word:2 A sum B
word:3 A sum B
word:4 A sum B
word:5 A sum B
word:6 A sum B
word:7 A sum B
word:8 A sum B
word:9 A sum B
"""


def printed(lines: str) -> list[str]:
    """The templates of one of the paper's tables, in the grammar's way of writing an open number."""
    return re.sub(r"\[number\d]", "[number]", lines).strip().splitlines()


def templates(grammar: Grammar) -> list[Template]:
    return [grammar.numbered(number) for number in range(grammar.count)]


def texts(grammar: Grammar) -> list[str]:
    return [template.text for template in templates(grammar)]


def test_the_23_templates_of_a_single_column():
    ours = texts(task("single-column").grammar)
    assert len(ours) == 23
    assert sorted(ours) == sorted(printed(SINGLE_COLUMN))


def test_the_8_templates_of_greater_and_lesser_sum_with_two_columns():
    """The paper prints one of its eight lines twice, and so leaves one out."""
    pattern = re.compile(r"greater \[number] [AB] and lesser \[number] [AB] sum [AB]")
    ours = [text for text in texts(grammar(("A", "B"))) if pattern.fullmatch(text)]
    assert len(ours) == len(printed(TWO_COLUMNS)) == 8
    assert set(ours) == {*printed(TWO_COLUMNS), "greater [number] B and lesser [number] A sum B"}


def test_the_24_ways_to_say_greater_sum():
    ours = {
        template.text
        for template in templates(task("words-one-column").grammar)
        if [clause.operation for clause in template.clauses] == ["greater", "sum"]
    }
    assert len(ours) == 24
    assert ours == set(printed(WORD_VARIABILITY))


def test_the_10_templates_of_a_word_and_a_sum():
    ours = [
        template.text
        for template in templates(task("text-two-columns").grammar)
        if [clause.operation for clause in template.clauses] == ["text match", "sum"]
    ]
    assert ours == printed(TEXT_MATCH)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("single-column", 23),
        ("three-columns", 307),
        ("five-columns", 1_231),
        ("ten-columns", 8_861),
        ("words-one-column", 1_368),
        ("words-five-columns", 116_368),
        ("text-two-columns", 1_190),
        ("text-five-columns", 12_093),
        ("single-column-scalars", 16),
        ("same-comparison", 307),
        ("unseen-names", 3_179),
    ],
)
def test_template_counts(name, count):
    assert task(name).grammar.count == count


@pytest.mark.parametrize("columns", range(1, 11))
def test_template_counts_of_each_category_by_the_number_of_columns(columns):
    assert grammar(tuple(ascii_uppercase[:columns])).counts == {
        "aggregation": 2 * columns + 1,
        "comparison": 4 * columns**2 + 2 * columns,
        "logic": 8 * columns**3 + 4 * columns**2,
        "arithmetic": 2 * columns,
    }


def test_template_counts_with_many_words():
    """One column: 4 ways to say sum, 3 count, 3 print, 6 greater, 5 lesser, 2 difference."""
    assert task("words-one-column").grammar.counts == {
        "aggregation": 4 + 3 + 3,
        "comparison": (6 + 5) * (4 + 3 + 3),
        "logic": 4 * 30 * 10,  # two orders, and or or; 6 x 5 ways to compare
        "arithmetic": 2 * 24,  # two orders; 4 x 3 x 2 ways to say it
    }


@pytest.mark.parametrize(
    ("name", "texts", "numbers"), [("text-two-columns", 1, 1), ("text-five-columns", 2, 3)]
)  # fmt: skip
def test_template_counts_with_text(name, texts, numbers):
    words, compared = 10 * texts, numbers  # conditions on text; greater, and as many lesser
    outputs = numbers + 1 + texts + numbers  # sum, count, print
    pairs = 2 * compared**2 + words**2 + 2 * words * 2 * compared
    assert task(name).grammar.counts == {
        "aggregation": outputs,
        "comparison": (2 * compared + words) * outputs,
        "logic": pairs * 2 * outputs,
        "arithmetic": 2 * numbers,
    }


def test_template_counts_of_two_comparisons_of_the_same_kind():
    """Three columns: 3 sums, count, 3 prints; 3 greater and 3 lesser; two greater or two lesser, and or or."""
    assert task("same-comparison").grammar.counts == {
        "aggregation": 7,
        "comparison": 6 * 7,
        "logic": (3 * 3 + 3 * 3) * 2 * 7,
        "arithmetic": 2 * 3,
    }


def test_template_counts_of_names_absent_from_training():
    """Seven columns: 7 sums, count, 7 prints; 7 greater and 7 lesser, one of each in two orders."""
    assert task("unseen-names").grammar.counts == {
        "aggregation": 15,
        "comparison": 14 * 15,
        "logic": 2 * 7 * 7 * 2 * 15,
        "arithmetic": 2 * 7,
    }


SMALL = [name for name in TASKS if name not in ("ten-columns", "words-five-columns")]


@pytest.mark.parametrize("name", SMALL)
def test_every_template_is_there_once(name):
    """Numbers over all templates go through the categories one after the other, and no two templates read alike."""
    over = task(name).grammar
    every = templates(over)
    assert every == [
        over.template(category, place) for category in CATEGORIES for place in range(over.counts[category])
    ]
    assert Counter(template.category for template in every) == over.counts
    assert len({template.text for template in every}) == over.count


def test_there_is_no_template_behind_the_last():
    over = task("single-column").grammar
    assert over.numbered(over.count - 1).text == "count diff sum"
    with pytest.raises(IndexError):
        over.numbered(over.count)


def test_no_lookups_in_the_simpler_single_column_set():
    assert set(texts(task("single-column-scalars").grammar)) == {
        text for text in printed(SINGLE_COLUMN) if "print" not in text
    }


@pytest.mark.parametrize("columns", range(1, 4))
def test_logic_joins_two_comparisons_of_the_same_kind_with_two_numbers(columns):
    """Over any number of the task's columns; nothing else changes, and no template is one of the paper's."""
    letters = tuple(ascii_uppercase[:columns])
    over = task("same-comparison").grammar_over(letters, ())
    joined = [template for template in templates(over) if template.category == "logic"]
    assert len(joined) == over.counts["logic"] > 0
    for template in joined:
        one, other, join, _ = template.program([1.5, -2.5]).steps
        assert one.operation == other.operation
        assert one.operation in ("greater", "lesser")
        assert (one.argument, other.argument) == (1.5, -2.5)
        assert template.number_count == 2
        assert join.operation in ("and", "or")
    kinds = Counter(clause.operation for template in joined for clause in template.clauses[:2])
    assert kinds["greater"] == kinds["lesser"]
    by_name = {(t.clauses[0].column, t.clauses[1].column) for t in joined}
    assert by_name == {(one, other) for one in letters for other in letters}
    paper = task("three-columns").grammar_over(letters, ())
    shared = {template.text for template in templates(paper) if template.category != "logic"}
    assert set(texts(over)) & set(texts(paper)) == shared
    assert len(shared) == over.count - over.counts["logic"]


def test_templates_of_same_comparison_read_as_they_should():
    ours = set(texts(task("same-comparison").grammar))
    assert "greater [number] A and greater [number] B sum C" in ours
    assert "lesser [number] C or lesser [number] C print A" in ours
    assert "greater [number] A and lesser [number] B sum C" not in ours


def test_names_of_several_words_stand_in_the_templates_word_by_word():
    over = task("unseen-names").grammar
    by_text = {template.text: template for template in templates(over)}
    template = by_text["greater [number] size of order and lesser [number] age sum net sales"]
    assert template.words[:5] == ("greater", "[number]", "size", "of", "order")
    assert template.question(["5", "-6"]) == "greater 5 size of order and lesser -6 age sum net sales"
    assert template.program([5.0, -6.0]).steps == (
        Step("greater", "size of order", 5.0),
        Step("lesser", "age", -6.0),
        Step("and"),
        Step("sum", "net sales"),
    )


def test_names_of_the_test_set_are_absent_from_training():
    """Not a word of them, and another number of columns; the words that both share are said of operations."""
    unseen = task("unseen-names")
    trained = {word for text in texts(unseen.grammar_over(unseen.numbers, ())) for word in text.split()}
    named = {word for name in unseen.test_columns for word in name.split()}
    assert not named & trained
    assert not set(unseen.test_columns) & set(unseen.columns)
    assert len(unseen.test_columns) == 7 > len(unseen.columns)
    assert sum(len(name.split()) > 1 for name in unseen.test_columns) >= 1


def test_text_conditions_join_with_any_condition():
    ours = set(texts(task("text-five-columns").grammar))
    assert "word:1 A and word:7 A count" in ours
    assert "word:1 A and word:1 B count" in ours
    assert "greater [number] C or word:1 B print A" in ours
    assert "word:1 A and word:1 A count" in ours
    assert "greater [number] C and greater [number] D count" not in ours
    assert not any(f"sum {column}" in text for text in ours for column in "AB")


@pytest.mark.parametrize(
    ("question", "numbers", "steps"),
    [
        (
            "greater 50.32 C and lesser 20.21 E sum H",
            ["50.32", "20.21"],
            (Step("greater", "C", 50.32), Step("lesser", "E", 20.21), Step("and"), Step("sum", "H")),
        ),
        (
            "lesser -80.97 D or greater 12.57 B print F",
            ["-80.97", "12.57"],
            (Step("lesser", "D", -80.97), Step("greater", "B", 12.57), Step("or"), Step("assign", "F")),
        ),
        ("sum A diff count", [], (Step("sum", "A"), Step("reset"), Step("count"), Step("difference"))),
    ],
)
def test_programs_of_the_paper_examples(question, numbers, steps):
    """The paper's three example questions are in the grammar, with the programs it shows."""
    text = re.sub(r"-?\d+\.\d+", "[number]", question)
    found = [template for template in templates(task("ten-columns").grammar) if template.text == text]
    assert [template.question(numbers) for template in found] == [question]
    values = [float(number) for number in numbers]
    assert found[0].number_count == len(numbers)
    assert found[0].program(values).steps == steps
    assert values == [float(number) for number in numbers], "the numbers given were changed"


def test_short_programs_are_led_by_resets():
    over = task("single-column").grammar
    by_text = {template.text: template for template in templates(over)}
    reset = Step("reset")
    assert by_text["count"].program([]).steps == (reset, reset, reset, Step("count"))
    assert by_text["lesser [number] print"].program([5.0]).steps == (
        reset,
        reset,
        Step("lesser", "A", 5.0),
        Step("assign", "A"),
    )
    assert by_text["count"].program([], steps=1).steps == (Step("count"),)


@pytest.mark.parametrize("name", TASKS)
def test_every_program_has_four_steps(name):
    over = task(name).grammar
    for number in range(0, over.count, max(over.count // 500, 1)):
        template = over.numbered(number)
        assert len(template.program([1.0] * template.number_count).steps) == 4


def some(over: Grammar) -> list[Template]:
    """Templates of every category, about 2,000 of each at most."""
    return [
        over.template(category, number)
        for category in CATEGORIES
        for number in range(0, over.counts[category], max(over.counts[category] // 2000, 1))
    ]


@pytest.mark.parametrize("name", TASKS)
def test_the_vocabulary_has_every_word_of_the_training_templates(name):
    """And no word that is never read."""
    asked = task(name)
    met = {word for template in some(asked.grammar_over(asked.numbers, asked.texts)) for word in template.words}
    read = asked.words_read(pointers=False)
    assert met - {"[number]"} <= set(read)
    assert set(asked.columns) <= set(read)
    assert COLUMN not in read
    never_said = set() if asked.lookups else {"print"}
    assert set(read) - met - set(asked.columns) == never_said


@pytest.mark.parametrize("name", TASKS)
def test_by_pointers_the_vocabulary_has_every_word_of_the_test_templates(name):
    """But names: whatever they are, they are read as one word."""
    asked = task(name)
    met = set()
    for template in some(asked.grammar):
        question = pointed(parse(template.question(["1.5"] * template.number_count)), asked.test_columns)
        met |= set(question.words)
        named = {clause.column for clause in template.clauses} - {None}
        found = {column for column, places in zip(asked.test_columns, question.mentions, strict=True) if places}
        assert found == (named if len(asked.columns) > 1 else set())
    read = asked.words_read(pointers=True)
    assert met <= set(read)
    assert COLUMN in read
    assert not set(asked.columns) & set(read)


@pytest.mark.parametrize("name", TASKS)
def test_networks_of_a_task(name):
    """The default is one for all tasks but for text; the paper's compares with one number and reads names."""
    asked = task(name)
    assert asked.network == NetworkConfig(operations=TEXT if asked.texts else PAPER)
    assert (asked.paper.hidden, asked.paper.arguments, asked.paper.columns) == (256, "blended", "names")
    assert asked.paper.attention == (name == "ten-columns")
    assert asked.paper.operations == (TEXT if asked.texts else PAPER)
    plain = ("single-column", "three-columns", "single-column-scalars")
    assert asked.paper.reader == ("rnn" if name in plain else "bidirectional")


def test_a_grammar_over_the_same_columns_is_made_once():
    assert grammar(("A", "B")) is grammar(("A", "B"))


def test_unknown_task_names_the_known_ones():
    with pytest.raises(NeuralProgrammerError) as error:
        task("four-columns")
    assert str(error.value) == f"unknown task 'four-columns'; choose one of: {', '.join(TASKS)}"

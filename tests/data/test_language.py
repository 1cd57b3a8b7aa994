"""Questions in English: drawn the same from a seed, answered by the interpreter, and read by the linker."""

import math
from collections import Counter

import numpy as np
import pytest

from neural_programmer.data.english.lexicon import domains
from neural_programmer.data.english.phrases import phrases
from neural_programmer.data.language import GROUPS, STEPS, Speaker
from neural_programmer.programs.operations import TEXT
from neural_programmer.programs.program import run
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import is_text


def drawn(count, seed=0):
    speaker = Speaker(np.random.default_rng(seed))
    return [speaker.draw() for _ in range(count)]


@pytest.fixture(scope="module")
def asked():
    return drawn(1000)


def same(one, two):
    return str(one) == str(two) and one.kind == two.kind and one.cells == two.cells


def test_the_same_seed_asks_the_same_questions():
    def written(seed):
        return [(each.question, str(each.program), each.kind, str([table.records() for table in each.tables]))
                for each in drawn(60, seed)]  # fmt: skip

    assert written(7) == written(7)
    assert written(7) != written(8)


def test_every_program_gives_its_answers_on_all_three_tables(asked):
    for each in asked:
        assert len(each.tables) == len(each.answers) == 3
        assert 1 <= len(each.program.steps) <= STEPS
        for table, answer in zip(each.tables, each.answers, strict=True):
            assert same(run(each.program, table).answer, answer)


def test_tables_have_the_same_columns_and_kinds_and_a_handful_of_rows(asked):
    for each in asked:
        first = each.tables[0]
        assert all(table.names == first.names and 5 <= table.rows <= 20 for table in each.tables)
        assert all([is_text(c) for c in table.columns] == [is_text(c) for c in first.columns] for table in each.tables)


def test_an_answer_says_something_unless_the_question_has_none(asked):
    for each in asked:
        if each.group == "unanswerable":
            assert str(each.program) == "decline"
            assert all(answer.kind == "none" for answer in each.answers)
        else:
            assert any(answer.values or answer.scalar for answer in each.answers)


def test_mentioned_texts_stand_in_the_first_table(asked):
    for each in asked:
        for step in each.program.steps:
            if isinstance(step.argument, tuple) and step.argument not in (("true",), ("false",)):
                assert step.argument[0] in each.tables[0].column(step.column)


def test_conditions_join_from_left_to_right_and_a_pair_with_or_comes_first(asked):
    for each in asked:
        names = [step.operation for step in each.program.steps]
        assert "or" not in names[3:]
        if "and" in names:
            assert names.index("and") == 2 or names[2] == "or"


def test_the_mix_of_groups_and_kinds(asked):
    groups, kinds = Counter(each.group for each in asked), Counter(each.kind for each in asked)
    for group, share in GROUPS.items():
        assert abs(groups[group] / len(asked) - share) < 0.06
    expected = {"count", "sum", "average", "maximum", "minimum", "look up", "extreme", "difference", "decline"}
    assert set(kinds) == expected
    assert all(15 < kinds[kind] < 0.35 * len(asked) for kind in expected)
    added = [each for each in asked if each.group == "added"]
    assert all(any(step.operation not in TEXT for step in each.program.steps) for each in added)


def test_few_questions_are_asked_twice(asked):
    twice = len(asked) - len({each.question.casefold() for each in asked})
    assert twice < 0.02 * len(asked)


def linked(question, slot, argument):
    """Whether a linked question offers this argument for a column."""
    if isinstance(argument, tuple):
        return any(each.texts.get(slot) == argument[0] for each in question.links)
    if isinstance(argument, Period):
        return any(p is not None and (p.first, p.last) == (argument.first, argument.last) for p in question.periods)
    return any(math.isclose(number, argument) for number in question.numbers)


def test_the_linker_finds_nearly_all_that_is_mentioned(asked):
    found = []
    for each in asked:
        question, names = link(each.question, Index.of(each.tables[0])), each.tables[0].names
        steps = [step for step in each.program.steps if step.argument is not None]
        found += [linked(question, names.index(step.column), step.argument) for step in steps]
    assert np.mean(found) > 0.99  # 0.9994 of the arguments of 20,000 questions


def test_the_lexicon_is_wide_and_every_column_has_names():
    assert len(domains()) >= 60
    for domain in domains():
        assert domain.missing
        assert domain.odd
        assert all(source.names for source in domain.columns)
        assert sum(source.kind == "number" for source in domain.columns) >= 2
    assert all(phrases().values())

"""Questions whose answers are tables, drawn from a seed."""

from collections import defaultdict
from functools import cache
from random import Random
from string import Formatter

import numpy as np
import pytest

from neural_programmer.data.english.asked import Speaker, kinds
from neural_programmer.data.english.tables import Scene
from neural_programmer.questions.asked import (
    Amount,
    Band,
    Comparison,
    Computation,
    Interval,
    Key,
    Mention,
    Order,
    TextTest,
    TimeOf,
    Top,
    read,
)
from neural_programmer.questions.index import Index

READ_AS: dict[str, tuple[type[Mention], ...]] = {  # what slots are to be read as
    "n": (Amount, Top, Comparison, Computation), "nth": (Top,), "measure": (Computation, Order),
    "statistic": (Computation,), "extreme": (Order,),
    "when": (Interval,), "since": (Interval,), "until": (Interval,), "days": (TimeOf,),
    "m": (TimeOf, Interval), "ago": (Interval,), "x": (Comparison,), "half": (Comparison, Amount), "b": (Band,),
    "most": (Order,), "least": (Order,), "p": (Key, Computation), "test": (TextTest,), "h": (TimeOf,),
}  # fmt: skip


def drawn(seed, count):
    random = Random(seed)
    while count:
        scene = Scene(random, np.random.default_rng(random.randrange(10**9)))
        kind = random.choice(list(kinds()))
        question = Speaker(scene).say(kind)
        if question is not None:
            count -= 1
            yield scene, question


def test_a_question_has_its_slots_where_they_say():
    for _, question in drawn(1, 300):
        for slot in question.slots:
            if slot.start >= 0:
                said = question.text[slot.start : slot.start + len(slot.said)]
                assert said.lower() == slot.said.lower(), (question.text, slot)


def test_slots_speak_of_columns_and_cells_that_the_table_has():
    for scene, question in drawn(2, 300):
        names = {column.name for column in scene.columns}
        for slot in question.slots:
            assert not slot.column or slot.column in names
            if slot.what == "cell":
                assert slot.value in scene.first.column(slot.column).tolist()


def test_every_form_can_be_said():
    random, left = Random(3), {kind: set(forms) for kind, forms in kinds().items()}
    fields = {name for forms in kinds().values() for form in forms for _, name, _, _ in Formatter().parse(form) if name}
    assert fields >= {"c", "d", "k", "l", "n", "nth", "when", "since", "until", "p", "m", "h", "ago", "x", "b"}
    for _ in range(60):
        scene = Scene(random, np.random.default_rng(random.randrange(10**9)))
        for kind in [kind for kind, forms in left.items() if forms]:
            if Speaker(scene).say(kind) is not None:
                left[kind] = set()
    assert not any(left.values()), [kind for kind, forms in left.items() if forms]


def test_the_same_seed_says_the_same():
    assert [question.text for _, question in drawn(4, 50)] == [question.text for _, question in drawn(4, 50)]


@cache
def slots_read() -> dict[str, list[tuple[bool, str]]]:
    """Return of each name whether its slots are read as what they are, where they stand; and the questions."""
    found: dict[str, list[tuple[bool, str]]] = defaultdict(list)
    for scene, question in drawn(5, 1_000):
        if scene.made_up:
            continue
        asked = read(question.text, Index.of(scene.first))
        for slot in question.slots:
            if slot.name in READ_AS and slot.start >= 0 and slot.said:
                end = slot.start + len(slot.said)
                places = {p for p, (first, last) in enumerate(asked.places) if first < end and last > slot.start}
                said = [each for each in asked.mentions if places & set(range(*each.position))]
                right = any(isinstance(each, READ_AS[slot.name]) for each in said)
                found[slot.name].append((right, f"{question.text} [{slot.said}]"))
    return found


@pytest.mark.parametrize("name", sorted(READ_AS))
def test_nine_of_ten_slots_are_read_as_what_they_are(name):
    every = slots_read()[name]
    missed = [said for right, said in every if not right]
    assert len(every) > 5
    assert len(missed) <= 0.1 * len(every), "\n".join(missed)

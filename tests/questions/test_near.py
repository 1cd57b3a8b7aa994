"""Words that may mean a cell without saying it."""

import numpy as np

from neural_programmer.questions.config import NEAR, NearConfig
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.questions.meanings import COMPARED_TEXTS
from neural_programmer.tables.table import Table

MENU = Index.of(
    Table(
        ("dish", "course", "sex", "discontinued", "in_stock"),
        tuple(map(np.array, (
            ["grilled salmon", "pad thai"], ["dessert", "main"], ["M", "F"], ["true", "false"], ["true", "false"],
        ))),
    )
)  # fmt: skip


def meant(text, index=MENU, config=NEAR):
    question = link(text, index, meant=config)
    return {
        (question.words[each.position], index.columns[slot].name): text
        for each in question.links
        if each.near
        for slot, text in each.texts.items()
    }


def test_a_word_of_like_meaning_may_mean_a_cell():
    assert meant("the puddings")["puddings", "course"] == "dessert"
    assert meant("how many women")["women", "sex"] == "F"


def test_a_word_of_a_cell_may_mean_it():
    assert meant("what does the salmon cost")["salmon", "dish"] == "grilled salmon"


def test_a_column_of_yes_and_no_may_be_meant_by_the_word_that_is_most_like_its_name():
    found = meant("what is no longer produced")
    assert {column for _, column in found} >= {"discontinued", "in_stock"}
    assert all(word not in ("what", "is", "no") for word, _ in found)
    assert not [column for _, column in meant("the discontinued ones") if column == "discontinued"]  # it is said


def test_the_words_stay_as_they_are():
    assert link("how many women", MENU).words == ("how", "many", "women")
    assert meant("how many") == {}


def test_links_by_likeness_are_few():
    words = "soup salad starter pudding breakfast lunch dinner meal snack dish"
    assert len({word for (word, column), _ in meant(words).items() if column == "course"}) <= NEAR.alike
    many = Index.of(Table(("course",), (np.array([f"dessert {place}" for place in range(COMPARED_TEXTS + 1)]),)))
    assert meant("the puddings", many) == {}


def test_what_is_like_enough_and_how_many_words_are_offered_are_settings():
    text, women = "how many women", ("women", "sex")
    assert women in meant(text)
    assert women not in meant(text, config=NearConfig(like=0.999))
    assert meant(text, config=NearConfig(alike=0)) == {}

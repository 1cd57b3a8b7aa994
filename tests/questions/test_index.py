"""What an index keeps between questions."""

import gc
import weakref

import numpy as np

from neural_programmer.base.once import once
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.tables.table import Table

CHANGED = {"texts", "alike"}  # by what is found in all cells
PREPARED = {name for name, value in vars(Index).items() if isinstance(value, once)}


def index() -> Index:
    columns = np.array(["pad thai", "soup", "open", "OPEN"]), np.array([3.0, 4.0, 5.0, 6.0])
    return Index.of(Table(("dish name", "price_usd"), columns))


def test_an_extended_index_shares_all_that_is_prepared_and_was_not_changed():
    before = index()
    more = before.extended({0: ["green curry"]})
    assert CHANGED | {"words", "beginnings", "meanings", "kinds"} < PREPARED
    for name in PREPARED - CHANGED:
        assert getattr(more, name) is getattr(before, name), name
    again = more.extended({0: ["tom yum"]})
    assert again.words is before.words
    assert {"green curry", "tom yum"} <= again.texts.keys()
    assert "green curry" not in before.texts


def test_what_is_prepared_goes_with_its_index():
    found = index()
    link("which pudding is cheap", found)
    assert "meanings" in vars(found)
    held = weakref.ref(found.columns[0])
    del found
    gc.collect()
    assert held() is None

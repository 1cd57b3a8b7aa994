"""Growing by operations: what was known stays, what is new is like what is similar, nothing else may differ."""

from dataclasses import replace

import numpy as np
import pytest

from neural_programmer.answering.model import Model, load_shipped
from neural_programmer.answering.thinking import Forced, think
from neural_programmer.candidates.results import FIRST_FEATURES
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network import equations as network
from neural_programmer.network import weights
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import UNKNOWN, Vocabulary
from neural_programmer.network.features import COLUMN_FEATURES, LINK_FEATURES
from neural_programmer.network.growing import grown
from neural_programmer.network.older import WITHOUT
from neural_programmer.network.soft import ALL
from neural_programmer.programs.operations import EVERY
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import PLACEHOLDERS, link
from neural_programmer.tables.table import Rows, Table
from own_operations import MINE

LATER = {*WITHOUT, "column_features", "link_features"} - {"vectors", "chooses", "cells", "members"}
CONFIG = NetworkConfig(hidden=6, columns="linked", operations=ALL)


def test_a_grown_network_decides_as_before_and_knows_what_is_new():
    """The shipped model with the operations of the example: old questions keep their programs, nearly as sure."""
    before = replace(load_shipped(), weigher=None)
    config = before.config.plus(own=MINE)
    parameters = grown(before.parameters, before.config, config, np.random.default_rng(0))
    assert parameters.operations.dtype == np.float32
    np.testing.assert_array_equal(parameters.operations[: len(ALL)], before.parameters.operations)
    assert parameters._replace(operations=None) == before.parameters._replace(operations=None)
    means = {"middle": ("sum", "average", "maximum", "minimum"), "above_average": ("greatest", "least")}
    for name, like in means.items():
        mean = np.mean([before.parameters.operations[ALL.index(other)] for other in like], axis=0)
        np.testing.assert_allclose(parameters.operations[config.operations.index(name)], mean, atol=0.0101)
    median, different = (parameters.operations[config.operations.index(entry.name)] for entry in MINE[:2])
    assert np.abs(median - different).max() > 0
    after = Model(config, before.vocabulary, parameters, calibration=before.calibration)
    index = Index.of(Table(("town", "price"), (np.array(["Oslo", "Rome"]), np.array([3.0, 4.0]))))
    for question in (
        "total price in Oslo",
        "how many have a price over 3",
        "the town with the highest price",
    ):
        one, other = before.decide(question, index), after.decide(question, index)
        assert one.program == other.program
        assert abs(one.confidence - other.confidence) < 0.05


def test_a_network_grows_by_the_operations_without_a_soft_definition():
    """It decides as before, and what is new can be forced."""
    before = replace(load_shipped(), weigher=None)
    config = before.config.plus(EVERY)
    assert config.operations == EVERY
    parameters = grown(before.parameters, before.config, config, np.random.default_rng(0))
    after = Model(config, before.vocabulary, parameters, calibration=before.calibration)
    table = {"town": ["Oslo", "Rome", "Oslo"], "price": [3.0, 4.0, 5.0]}
    for question in ("total price in Oslo", "how many have a price over 3", "the town with the highest price"):
        assert before.ask(table, question).value == after.ask(table, question).value
    for new, column in (("next", None), ("more", "price"), ("most common", "town"), ("distinct", "price")):
        found = think(after, table, "total price in Oslo", forced=(Forced("text match", "town"), Forced(new, column)))
        assert (found.answer.steps[1].operation, found.answer.steps[1].column) == (new, column)
        assert found.answer.kind != "none"


def test_a_network_grows_by_operations_alone():
    config = replace(CONFIG, operations=ALL[:5])
    parameters = network.initial(config, 4, np.random.default_rng(0))
    turned = replace(config, operations=ALL[4::-1])
    np.testing.assert_array_equal(
        grown(parameters, config, turned, np.random.default_rng(0)).operations, parameters.operations[::-1]
    )
    for new in (replace(CONFIG, operations=ALL[1:]), replace(CONFIG, hidden=2 * CONFIG.hidden)):
        with pytest.raises(NeuralProgrammerError, match="a network grows by operations and features alone"):
            grown(parameters, config, new, np.random.default_rng(0))


def test_a_network_that_chooses_whole_programs_grows_too():
    """What it knows of operations and features together stays, and what is new is like what is similar."""
    config = replace(CONFIG, operations=ALL, chooses="programs")
    words = Vocabulary.of([UNKNOWN, *PLACEHOLDERS])
    parameters = network.initial(config, len(words), np.random.default_rng(0))
    new = config.plus(("above", "below", "more"))
    after = grown(parameters, config, new, np.random.default_rng(0))
    features = len(parameters.inner) - len(ALL)
    assert after.inner.shape == network.shapes(new, len(words)).inner
    np.testing.assert_array_equal(after.inner[: features + len(ALL)], parameters.inner)
    like = [features + ALL.index(name) for name in ("greatest", "least")]
    np.testing.assert_allclose(after.inner[-1], parameters.inner[like].mean(axis=0), atol=0.0101)
    assert np.abs(after.inner[-2] - after.inner[-3]).max() > 0, "above and below differ"
    model = Model(new, words, after)
    table = Table(("town", "price"), (np.array(["Oslo", "Rome"]), np.array([3.0, 4.0])))
    assert model.decide("total price in Oslo", Index.of(table), Rows.of(table)).confidence > 0
    turned = replace(new, operations=new.operations[::-1])
    again = grown(after, new, turned, np.random.default_rng(0))
    np.testing.assert_array_equal(again.inner[features:], after.inner[features:][::-1])


def test_a_feature_that_came_later_is_a_row_of_zeros():
    """A model whose file does not name it scores programs as before, and can learn what it means."""
    old = replace(CONFIG, chooses="programs", features=("one row", "negative", "declines"))
    new = replace(old, features=("one row", "many rows", "negative", "declines"))
    parameters = network.initial(old, 4, np.random.default_rng(0))
    more = grown(parameters, old, new, np.random.default_rng(0))
    for before, after in ((parameters.results, more.results), (parameters.inner, more.inner)):
        np.testing.assert_array_equal(np.delete(after, 1, axis=0), before)
        assert not after[1].any()
    with pytest.raises(NeuralProgrammerError, match="'moon phase' of a program, which this version does not know"):
        replace(old, features=("moon phase",))


def test_a_file_with_weights_of_fewer_features_names_the_first_of_them(tmp_path):
    """As models have them that were fitted before the last features were there, and before files named any."""
    config = replace(CONFIG, chooses="programs", features=FIRST_FEATURES[:30])
    words = Vocabulary.of([*PLACEHOLDERS, UNKNOWN])
    model = Model(config, words, network.initial(config, len(words), np.random.default_rng(0)))
    model.save(tmp_path / "model.safetensors")
    _, description, arrays = weights.load(tmp_path / "model.safetensors")
    for name in LATER:
        del description["config"][name]
    old = Model.restore(description, arrays)
    assert old.config == config
    table = {"town": ["Oslo", "Rome"], "price": [3.0, 4.0]}
    assert old.ask(table, "total price").to_dict() == model.ask(table, "total price").to_dict()
    with pytest.raises(NeuralProgrammerError, match="reads some features of programs"):
        replace(config, features=())
    with pytest.raises(NeuralProgrammerError, match="a network reads each feature of a program once"):
        replace(config, features=("one row", "one row"))


@pytest.mark.parametrize("cells", ["typed", "written"])
def test_features_of_columns_and_mentions_that_came_later_are_rows_of_zeros(cells):
    """A network that does not name them decides as before, and what it grows to as well."""
    fewer = {"column_features": ("text", "number"), "link_features": ("whole", "near") if cells == "written" else ()}
    old = replace(CONFIG, operations=EVERY, chooses="programs", cells=cells, **fewer)
    new = replace(old, column_features=("text", "first", "number", "code"), link_features=("near", "total", "whole"))
    words = Vocabulary.of([*PLACEHOLDERS, UNKNOWN])
    parameters = network.initial(old, len(words), np.random.default_rng(0))
    more = grown(parameters, old, new, np.random.default_rng(0))
    np.testing.assert_array_equal(more.features[[0, 2]], parameters.features)
    assert not more.features[[1, 3]].any()
    assert not more.links[1].any()
    if cells == "written":
        np.testing.assert_array_equal(more.links[[2, 0]], parameters.links)
    assert {part.dtype for part in (more.features, more.links)} == {np.dtype(np.float32)}
    table = {"town": ["Oslo", "Rome"], "price": [3.0, 4.0]}
    before, after = (Model(config, words, part) for config, part in ((old, parameters), (new, more)))
    for question in ("total price", "price in Oslo"):
        one, other = (model.ask(table, question) for model in (before, after))
        assert (one.value, one.steps) == (other.value, other.steps)
        assert one.confidence == pytest.approx(other.confidence)


def test_a_network_reads_the_features_of_columns_and_mentions_that_it_names():
    """Those of the shipped network of written cells, in another order."""
    model = load_shipped("wikitablequestions")
    names, links = model.config.column_features, model.config.link_features
    assert (names, links) == (COLUMN_FEATURES, LINK_FEATURES)
    turned = replace(model.config, column_features=names[::-1], link_features=links[::-1])
    parameters = model.parameters
    axis = parameters.features.ndim - 2
    parameters = parameters._replace(
        features=np.flip(parameters.features, axis).copy(), links=np.flip(parameters.links, axis).copy()
    )
    other = replace(model, config=turned, parameters=parameters)
    table = {"town": ["Oslo", "Rome", "Bern"], "area": ["454 km", "1,285 km", "51 km"]}
    for question in ("which town has the largest area", "area of Bern"):
        one, same = (each.ask(table, question) for each in (model, other))
        assert (one.value, one.steps) == (same.value, same.steps)
        assert one.confidence == pytest.approx(same.confidence, rel=1e-4)


def test_features_of_columns_and_mentions_are_known_ones():
    for name, what in (("column_features", "column"), ("link_features", "mention")):
        with pytest.raises(NeuralProgrammerError, match=f"'moon phase' of a {what}, which this version does not know"):
            replace(CONFIG, **{name: ("moon phase",)})
        with pytest.raises(NeuralProgrammerError, match=f"a network reads each feature of a {what} once"):
            replace(CONFIG, **{name: ("near", "near") if what == "mention" else ("first", "first")})


def test_a_network_reads_the_features_that_it_names():
    """Those of the shipped network that weighs programs, which its file does not name, in another order and fewer."""
    model = load_shipped().weigher
    assert model is not None
    assert model.config.features == FIRST_FEATURES
    order = tuple(reversed(FIRST_FEATURES))
    turned = replace(model.config, features=order)
    places = [FIRST_FEATURES.index(name) for name in order]
    inner = np.concatenate([model.parameters.inner[places], model.parameters.inner[len(places) :]])
    parameters = model.parameters._replace(results=model.parameters.results[places], inner=inner)
    other = replace(model, config=turned, parameters=parameters)
    index = Index.of(Table(("town", "price"), (np.array(["Oslo", "Rome"]), np.array([3.0, 4.0]))))
    question = link("total price in Oslo", index)
    programs = [np.array([[model.config.operations.index(name), 0, 0]]) for name in ("count", "decline")]
    one, same = (each.program_logs(programs, question, index, None) for each in (model, other))
    np.testing.assert_allclose(one, same, rtol=1e-5)

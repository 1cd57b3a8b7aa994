"""Models of earlier versions name fewer settings: what is missing means what was done before there was a choice."""

import json

import numpy as np
import pytest

from neural_programmer.base.settings import from_dict, to_dict
from neural_programmer.candidates.results import FIRST_FEATURES
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.features import COLUMN_FEATURES, LINK_FEATURES
from neural_programmer.network.older import WITHOUT, completed
from neural_programmer.programs.operations import EVERY

TYPED = NetworkConfig(columns="linked", operations=EVERY)
WRITTEN = NetworkConfig(columns="linked", operations=EVERY, chooses="programs", cells="written")
OLDEST = ("hidden", "program_steps", "reader", "attention", "arguments", "columns", "operations")


def test_the_oldest_files_are_read_as_they_were_meant():
    """Each setting has its value here, so that another default for new models does not change the old ones."""
    for columns in ("names", "pointers", "linked"):
        oldest = {name: to_dict(NetworkConfig(columns=columns))[name] for name in OLDEST}
        config = from_dict(NetworkConfig, completed(oldest))
        assert config.column_features == (COLUMN_FEATURES[:8] if columns == "linked" else ())
        assert config.link_features == ()
        assert (config.chooses, config.cells, config.members, config.vectors) == ("steps", "typed", 1, 0)
        assert (config.width, config.gap, config.share, config.alike, config.sharpness) == (4, 4.0, 0.5, 0.45, 12.0)
        assert (config.contents, config.unsure, config.features) == (10, 0.5, FIRST_FEATURES)
        assert (config.near.like, config.near.alike, config.near.parts) == (0.5, 3, 4)
        tried = config.candidates
        assert (tried.most, tried.differences, tried.cells) == (12_000, 500, 1_000)
        assert (tried.columns, tried.written_columns) == ((10, 6, 4, 3, 2), (24, 16, 10, 6, 4))


@pytest.mark.parametrize("config", [NetworkConfig(), TYPED, WRITTEN], ids=["pointers", "typed", "written"])
def test_new_files_name_all_settings(config):
    named = json.loads(json.dumps(to_dict(config)))
    assert set(named) == {*OLDEST, *WITHOUT, "column_features", "link_features"}
    assert completed(named) == named
    assert from_dict(NetworkConfig, named) == config
    left = {name: value for name, value in named.items() if name not in ("column_features", "link_features", "near")}
    assert from_dict(NetworkConfig, completed(left)) == config


def test_features_of_written_cells():
    assert (WRITTEN.column_features, WRITTEN.link_features) == (COLUMN_FEATURES, LINK_FEATURES)
    assert len(set(COLUMN_FEATURES)) == len(COLUMN_FEATURES), "each has a name of its own"


def test_a_group_of_settings_may_lack_some():
    named = {**to_dict(TYPED), "near": {"like": 0.75}, "candidates": {"most": 100}}
    config = from_dict(NetworkConfig, completed(named))
    assert (config.near.like, config.near.parts) == (0.75, 4)
    assert (config.candidates.most, config.candidates.cells) == (100, 1_000)


def test_weights_say_how_many_features_of_programs_there_are():
    named = {name: value for name, value in to_dict(WRITTEN).items() if name != "features"}
    assert completed(named, {"results": np.zeros((3, 30, 5))})["features"] == list(FIRST_FEATURES[:30])
    assert completed(named, {"results": np.zeros(30)})["features"] == list(FIRST_FEATURES)


@pytest.mark.parametrize("given", [None, 5, "linked", []])
def test_what_is_no_settings_is_refused_by_who_reads_it(given):
    with pytest.raises(NeuralProgrammerError, match="expected a configuration with"):
        from_dict(NetworkConfig, completed(given))

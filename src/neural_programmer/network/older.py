"""Models and runs of earlier versions: what they mean that do not name settings which came later.

All of them come in through `completed`: the files of models, the settings of runs and of results. Whoever adds a
setting adds here what was done before there was one.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from neural_programmer.candidates.results import FIRST_FEATURES
from neural_programmer.network.features import COLUMN_FEATURES, LINK_FEATURES

WITHOUT: dict[str, Any] = {
    "vectors": 0,
    "chooses": "steps",
    "cells": "typed",
    "members": 1,
    "features": list(FIRST_FEATURES),
    "width": 4,
    "gap": 4.0,
    "share": 0.5,
    "alike": 0.45,
    "sharpness": 12.0,
    "contents": 10,
    "unsure": 0.5,
    "near": {"like": 0.5, "alike": 3, "parts": 4},
    "candidates": {
        "most": 12_000,
        "differences": 500,
        "columns": [10, 6, 4, 3, 2],
        "written_columns": [24, 16, 10, 6, 4],
        "cells": 1_000,
        "joined": 4,
        "near": 1,
        "sets": 20_000,
        "together": 200_000,
        "pairs": 1_000,
        "single": 150,
        "combined": 300,
        "compared": 12,
        "comparisons": 30,
        "slots": 24,
        "few": 3,
    },
}
FIRST_COLUMN_FEATURES = COLUMN_FEATURES[:8], COLUMN_FEATURES[:24]  # of typed cells, and of written ones
FIRST_LINK_FEATURES = LINK_FEATURES[:9]  # of written cells; typed ones had none


def completed(network: Any, weights: Mapping[str, np.ndarray] | None = None) -> Any:
    """Return the settings of a network as its file has them, with those that it does not name as they were then.

    The `weights` tell how many features of programs the network reads, where it does not name them. What is no
    settings at all is returned as it is, for the reader to refuse.
    """
    if not isinstance(network, dict):
        return network
    named = {**WITHOUT, **network}
    for name, value in WITHOUT.items():
        if isinstance(value, dict) and isinstance(named[name], dict):
            named[name] = {**value, **named[name]}
    results = (weights or {}).get("results")
    if "features" not in network and results is not None and results.ndim >= 2:
        named["features"] = list(FIRST_FEATURES[: results.shape[-2]])
    linked, is_written = network.get("columns") == "linked", named["cells"] == "written"
    columns, links = FIRST_COLUMN_FEATURES[is_written], FIRST_LINK_FEATURES if is_written else ()
    first = {"column_features": list(columns) if linked else [], "link_features": list(links) if linked else []}
    return {**first, **named}

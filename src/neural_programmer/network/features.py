"""What the network is told of columns and of texts that a question mentions, each by its name.

A model's file names those that it reads. What a feature means belongs to its name, bounds included: a feature that
comes to mean something else gets another name, and a new one comes last.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, get_args

import numpy as np
from jaxtyping import Bool

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.questions.index import IndexColumn
from neural_programmer.questions.question import Link, Question
from neural_programmer.tables.table import CellForm, Kind
from neural_programmer.tables.views import View

KINDS = get_args(Kind)
VIEWS = get_args(View)
OF_TYPED = (*KINDS, "different", "code", "worded", "year")
COLUMN_FEATURES = (*OF_TYPED, "view", *(f"{view} view" for view in VIEWS), "first", *(f"has {view}" for view in VIEWS))
LINK_FEATURES = (
    "near",
    "part",
    "whole",
    "one text",
    "few texts",
    "several columns",
    "two words",
    "more words",
    "total",
)
FEW_TEXTS = 3  # at most, which are "few texts"
READ_COLUMN_FEATURES: dict[CellForm, tuple[str, ...]] = {"typed": OF_TYPED, "written": COLUMN_FEATURES}
READ_LINK_FEATURES: dict[CellForm, tuple[str, ...]] = {"typed": (), "written": LINK_FEATURES}


def of_columns(columns: Sequence[IndexColumn]) -> Bool[np.ndarray, "columns column_features"]:
    """Return the features of every column of a table, in the order of COLUMN_FEATURES."""
    features = np.zeros((len(columns), len(COLUMN_FEATURES)), bool)
    first = COLUMN_FEATURES.index("first")
    for slot, column in enumerate(columns):
        kinds = [column.kind == kind for kind in KINDS]
        views = [bool(column.view), *(column.view == view for view in VIEWS)]
        known = [*kinds, column.different, column.code, column.worded, column.is_year, *views, slot == 0]
        features[slot, : first + 1] = known
        if column.view:
            features[column.view_of, COLUMN_FEATURES.index(f"has {column.view}")] = True
    return features


def of_link(link: Link, question: Question) -> list[bool]:
    """Return the features of a text that a question mentions, in the order of LINK_FEATURES."""
    part, texts = bool(link.parts), max(len(link.meant(column)) for column in link.texts) if link.texts else 0
    words = len(question.shown[link.position].split()) if question.shown else 1
    kinds = [link.near, part, not link.near and not part]
    return [*kinds, texts == 1, 1 < texts <= FEW_TEXTS, len(link.texts) > 1, words == 2, words > 2, link.total]


@lru_cache(256)
def feature_places(read: tuple[str, ...], known: tuple[str, ...]) -> Any:
    """Return where the features that a network reads stand among the known ones, as an index of arrays."""
    if read == known[: len(read)]:
        return slice(len(read))
    return np.array([known.index(name) for name in read])


def check_features(read: Sequence[str], known: Sequence[str], what: str) -> None:
    """Refuse features of `what` that this version does not know, and one that is named twice."""
    if len(set(read)) < len(read):
        raise NeuralProgrammerError(f"a network reads each feature of a {what} once")
    for name in read:
        if name not in known:
            raise NeuralProgrammerError(
                f"this model reads {name[:60]!r} of a {what}, which this version does not know: upgrade it"
            )

"""The model that a command names."""

import os
from pathlib import Path
from typing import Any

from neural_programmer import front
from neural_programmer.programs import own


def chosen_model(name: str | None, operations: list[Path] | None = None) -> Any:
    """The model of this name, or of this path, with the operations of one's own that it needs."""
    known = own.given(operations or ())
    if name is not None and (os.path.exists(name) or os.sep in name):
        return front.saved(name, known).reader()
    from neural_programmer.answering import model

    load_shipped: Any = model.load_shipped  # pyright: ignore[reportAttributeAccessIssue]
    return load_shipped(own=known) if name is None else load_shipped(name, known)

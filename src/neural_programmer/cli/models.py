"""The model that a command names."""

from pathlib import Path
from typing import Any

from neural_programmer import front
from neural_programmer.answering import model
from neural_programmer.programs import own


def chosen_model(name: str | None, operations: list[Path] | None = None) -> Any:
    """Return the model of this name, or of this path, with the operations of one's own that it needs."""
    known = own.given(operations or ())
    found = front.resolved(name)
    return model.load_shipped(found) if isinstance(found, str) else front.loaded(found, known).reader()

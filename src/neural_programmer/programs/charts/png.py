"""A drawing as PNG, by resvg: a small library without a browser or a network, and without fonts of its own."""

import importlib
from typing import Any

from neural_programmer.errors import NeuralProgrammerError, not_installed

ZOOM = 2  # pixels for each of the drawing
FAMILIES = (  # of fonts without serifs that machines have, for a machine need not have the generic one
    "Segoe UI", "Roboto", "Noto Sans", "DejaVu Sans", "Helvetica", "Arial", "Liberation Sans", "Ubuntu", "Cantarell",
    "FreeSans", "Nimbus Sans",
)  # fmt: skip
LETTER = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">{}</svg>'


def library() -> Any:
    """Return the library, or refuse to draw without it."""
    try:
        return importlib.import_module("resvg_py")
    except ImportError:
        raise not_installed("a PNG needs", "resvg_py", "charts") from None


def png(svg: str) -> bytes:
    """Return a drawing as PNG; refused where the machine has no font, for its texts would be left out in silence."""
    draw = library().svg_to_bytes
    empty = bytes(draw(svg_string=LETTER.format("")))

    def writes(family: str) -> bool:
        return bytes(draw(svg_string=LETTER.format(f'<text y="14" font-family="{family}">M</text>'))) != empty

    family = next(filter(writes, FAMILIES), None)
    if family is None:
        raise NeuralProgrammerError(
            "this machine has no font to write a PNG with; install one (fonts-dejavu-core), or write .svg instead"
        )
    return bytes(draw(svg_string=svg, zoom=ZOOM, sans_serif_family=family, font_family=family))

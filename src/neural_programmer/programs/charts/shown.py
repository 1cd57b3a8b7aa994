"""The chart of an answer, as people have it in Python: its specification, its drawing, and what a notebook shows."""

from typing import Any

from neural_programmer.base.notebook import line, shortened
from neural_programmer.programs.charts.drawing import Theme
from neural_programmer.programs.charts.picture import Picture
from neural_programmer.programs.charts.png import png
from neural_programmer.programs.charts.svg import WINDOW, drawn
from neural_programmer.programs.charts.vega import MIME, specification

MOST_TITLE = 300  # letters of a question above a picture


class Chart:
    """The picture of an answer; `text` says it in a sentence, `notes` say what is not drawn.

    A notebook shows it: by its own renderer of Vega-Lite, or as SVG, or as the sentence.
    """

    def __init__(self, picture: Picture, title: str = "") -> None:
        self.picture, self.title = picture, shortened(title, MOST_TITLE)

    @property
    def mark(self) -> str:
        """Return what is drawn: bars, line, points or histogram."""
        return self.picture.mark

    @property
    def text(self) -> str:
        """Return the picture as a sentence."""
        return self.picture.text

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what is not drawn."""
        return self.picture.notes

    def to_dict(self) -> dict[str, Any]:
        """Return the Vega-Lite specification, with the data inside: Altair, Vega and notebooks draw it."""
        return specification(self.picture, self.title)

    def to_svg(self, theme: Theme | None = "auto", width: int = WINDOW) -> str:
        """Return it as SVG, without script: light, dark, or (auto) as whoever looks at it prefers.

        Without a theme it has classes and no colours, for a page with a style sheet of its own.
        """
        return drawn(self.picture, width, theme)

    def to_png(self, theme: Theme = "light") -> bytes:
        """Return it as PNG; needs the extra `charts`."""
        return png(drawn(self.picture, WINDOW, theme))

    def __repr__(self) -> str:
        return line("Chart", repr(shortened(self.text)))

    def __str__(self) -> str:
        return " ".join((self.text, *self.notes))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Return the picture for notebooks as Vega-Lite, SVG, HTML and text. They show the one that they know best."""
        svg = self.to_svg()
        return {MIME: self.to_dict(), "image/svg+xml": svg, "text/html": svg, "text/plain": str(self)}

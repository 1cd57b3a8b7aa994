"""SVG as text: shapes with classes instead of styles, and texts that are escaped, cut to their room and face their way.

A style sheet gives the classes their colours: that of the page, or one that stands in the file (`style`). So there is
neither a script nor a style in what is drawn, and one drawing is right in light and in dark.
"""

import html
import re
import unicodedata
from typing import Literal

from neural_programmer.programs.charts.columns import leftward

Anchor = Literal["start", "middle", "end"]
Theme = Literal["light", "dark", "auto"]
FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"
SIZE = 12  # of letters
MARGIN = 12  # around a drawing in a file of its own
NARROW, CAPITAL, WIDE = 0.36, 0.72, 1.05  # of the size, that some letters are wide; the others are USUAL
USUAL = 0.62
THIN = set("iljtfrI.,:;'|!()[] -")
TO_LEFT = "\u200f"  # an invisible letter
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML
COLOURS = {  # of paper, ink, quiet ink and lines, then of the series
    "light": "#ffffff #1d2529 #56646b #dcdcd4 #17626e #b4500f #6d4bb3 #7a6a00 #a3316f #4d7a1e".split(),
    "dark": "#1a2125 #e4e9ea #9fb0b6 #3a464c #6cc3cc #f0a066 #bba6f0 #d9c34a #f093c0 #a5d070".split(),
}
DASHES = ("", "7 4", "2 3", "9 3 2 3", "4 4", "1 5")  # of lines, so that they differ without colours


def style(theme: Theme) -> str:
    """Return the style sheet of a drawing in a file of its own."""
    if theme == "auto":
        return f"{_rules('light')}@media (prefers-color-scheme: dark){{{_rules('dark')}}}"
    return _rules(theme)


def _rules(theme: str) -> str:
    paper, ink, quiet, rule, *series = COLOURS[theme]
    made = {"paper": paper, "ink": ink, "quiet": quiet} | {f"s{place}": each for place, each in enumerate(series)}
    lines = {"rule": rule, "zero": quiet} | {f"l{place}": each for place, each in enumerate(series)}
    return "".join(
        f".picture .{name}{{{what}:{colour}}}"
        for what, some in (("fill", made), ("stroke", lines))
        for name, colour in some.items()
    )


def clean(text: str) -> str:
    """Return a text that XML can hold, in one line.

    >>> clean("a\\x00b\\nc")
    'a\ufffdb c'
    """
    return FORBIDDEN.sub("\ufffd", " ".join(text.split()))


def width_of(text: str, size: float = SIZE) -> float:
    """Return about how wide a text is: no font is asked, and it may rather be less."""
    return size * sum(_letter(letter) for letter in text)


def _letter(letter: str) -> float:
    if letter in THIN:
        return NARROW
    if unicodedata.combining(letter):
        return 0
    if unicodedata.east_asian_width(letter) in "WF" or letter in "mwMW@%":
        return WIDE
    return CAPITAL if letter.isupper() else USUAL + 0.02 * letter.isdigit()


def cut(text: str, room: float, size: float = SIZE, ends: bool = False) -> str:
    """Return as much of a text as there is room for, with an ellipsis where it is cut: behind, or between its ends."""
    if width_of(text, size) <= room:
        return text
    room -= size * WIDE
    first = _fitting(text, room / 2 if ends else room, size)
    return f"{first.rstrip()}…{_fitting(text[::-1], room / 2, size)[::-1].lstrip()}" if ends else f"{first.rstrip()}…"


def _fitting(text: str, room: float, size: float) -> str:
    for place, letter in enumerate(text):
        room -= size * _letter(letter)
        if room < 0:
            return text[:place]
    return text


class Drawing:
    """Shapes of a picture so many pixels wide; `height` grows with what is drawn."""

    def __init__(self, width: int) -> None:
        self.width, self.height, self.parts = width, 0.0, []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        kind: str = "ink",
        anchor: Anchor = "start",
        room: float = 1e9,
        more: str = "",
        ends: bool = False,
    ) -> None:
        """Write a text in its room; of one that is cut a browser shows the whole where it is pointed at."""
        whole = clean(text)
        shown = cut(whole, room, ends=ends)
        mark = TO_LEFT if leftward(shown) else ""  # so that what ends it, as an ellipsis, stands at its left
        end = f' text-anchor="{anchor}"' if anchor != "start" else ""
        title = f"<title>{html.escape(whole)}</title>" if shown != whole else ""
        said = html.escape(shown) + mark
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}"{end}{more}>{title}{said}</text>')

    def bar(self, x: float, y: float, wide: float, high: float, series: int = 0, title: str = "") -> None:
        """Draw a bar, which is never too small to be seen."""
        said = f"<title>{html.escape(clean(title))}</title>" if title else ""
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(wide, 1):.1f}" height="{max(high, 0):.1f}" class="s{series}">'
            f"{said}</rect>"
        )

    def line(self, x: float, y: float, to_x: float, to_y: float, kind: str = "rule", more: str = "") -> None:
        """Draw a straight line."""
        self.parts.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" class="{kind}"{more}/>')

    def path(self, places: list[tuple[float, float]], series: int) -> None:
        """Draw a line through some places, dashed as its series is."""
        dash = f' stroke-dasharray="{DASHES[series]}"' if DASHES[series] else ""
        steps = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        self.parts.append(f'<path d="M{steps}" class="l{series}" fill="none" stroke-width="2"{dash}/>')

    def dot(self, x: float, y: float, series: int, size: float = 2.5, faint: bool = False, title: str = "") -> None:
        """Draw a dot."""
        said = f"<title>{html.escape(clean(title))}</title>" if title else ""
        more = ' fill-opacity="0.55"' if faint else ""
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" class="s{series}"{more}>{said}</circle>')

    def whole(self, text: str, theme: Theme | None) -> str:
        """Return the drawing; with the style sheet of a theme and paper behind it, to be a file of its own."""
        paper = f'<rect x="-{MARGIN}" y="-{MARGIN}" width="100%" height="100%" class="paper"/>'
        own = "" if theme is None else f"<style>{style(theme)}</style>{paper}"
        room = "" if theme is None else ' style="max-width: 100%; height: auto"'
        margin = 0 if theme is None else MARGIN
        wide, high = self.width + 2 * margin, round(self.height) + 2 * margin
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-margin} {-margin} {wide} {high}" width="{wide}"'
            f' height="{high}" class="picture" role="img" aria-label="{html.escape(clean(text))}" font-family="{FONT}"'
            f' font-size="{SIZE}"{room}>{own}{"".join(self.parts)}</svg>'
        )

"""The ways to say things, read from patterns.txt: sections of regular expressions, one form a line."""

import re
from functools import cache
from importlib.resources import files

from neural_programmer.questions.asked.vocabulary import ADVERBS, BANDED, BANDS, DAYTIMES, adjectives
from neural_programmer.questions.quantities import DECADES, ORDINALS

NUMBER = r"#\d+"  # in the line: a number, by the place of its first word
EXACT = r"@\d+"  # the name of a column or the text of a cell
QUOTED = r"~\d+"
CLOCK = r"!\d+"
ORDINAL = rf"(?:{'|'.join(ORDINALS[1:])}|\d+(?:st|nd|rd|th))"


@cache
def pattern(section: str) -> re.Pattern[str]:
    """Return what finds the forms of a section: whole words, unless it has a star.

    >>> pattern("today").search("flats of yesterday")[0]
    'yesterday'
    """
    forms = "|".join(_full(form) for form in _sections()[section])
    return re.compile(forms if section in _starred() else rf"(?<!\S)(?:{forms})(?!\S)")


@cache
def _sections() -> dict[str, list[str]]:
    """Return the forms of every section; those of sections with a star are under their name alone."""
    found: dict[str, list[str]] = {}
    forms: list[str] = []
    for line in _lines():
        if header := re.fullmatch(r"\[([^]]+)\](?: \*)?", line):
            forms = found.setdefault(header[1], [])
        elif line and not line.startswith("#"):
            forms.append(line)
    return found


@cache
def _starred() -> frozenset[str]:
    return frozenset(line[1:-3] for line in _lines() if re.fullmatch(r"\[[^]]+\] \*", line))


@cache
def _lines() -> tuple[str, ...]:
    return tuple(files("neural_programmer.questions.asked").joinpath("patterns.txt").read_text("utf-8").splitlines())


def _full(form: str) -> str:
    """Return a form with other sections, and words, in the place of their names."""
    return re.sub(r"\{([a-z][a-z ]*)\}", lambda name: _named(name[1]), form)


@cache
def _named(name: str) -> str:
    words = _words()
    return words[name] if name in words else f"(?:{'|'.join(_full(form) for form in _sections()[name])})"


@cache
def _words() -> dict[str, str]:
    more = sorted((word for word, each in adjectives().items() if each.degree == "more"), key=len, reverse=True)
    lists = {"more word": more, "bands": BANDS.split(), "banded": BANDED.split(), "decades": DECADES,
             "daytimes": [f"{part}s?" for part in DAYTIMES], "adverbs": ADVERBS}  # fmt: skip
    signs = {"number": NUMBER, "name": EXACT, "quoted": QUOTED, "clock": CLOCK, "ordinal": ORDINAL}
    return signs | {name: f"(?:{'|'.join(words)})" for name, words in lists.items()}

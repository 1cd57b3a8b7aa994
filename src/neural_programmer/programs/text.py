"""Programs as text that people write: an operation, a column, an argument; steps on lines or between semicolons.

A column stands in double quotes, texts stand in single quotes and are joined by `or`, a quote within is doubled. A time
is a day, a month, `year 2014`, or the first and the last of them.
"""

import calendar
import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple, get_args

import numpy as np

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.expressions import Unit
from neural_programmer.programs.operations import BUILT_IN, Operation
from neural_programmer.programs.pointers import Argument, BandOf, Computed, MeasureAt, PartOf, Pointer
from neural_programmer.programs.program import Program, Step, program_of
from neural_programmer.tables.period import Period

UNITS: tuple[str, ...] = tuple(sorted(get_args(Unit), key=len, reverse=True))
COMPUTED, NOTHING, BANDS = ("what", "was", "computed"), "nothing", ("in", "bands", "of")
TO = ".."
DAY, MOMENT = np.timedelta64(1, "D"), np.timedelta64(1, "us")
_MOMENT = r"\d{4}-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)?)?"
_TOKEN = re.compile(
    rf"""[^\S\n]*(?:(?P<column>"(?:[^"]|"")*")|(?P<text>'(?:[^']|'')*')|(?P<end>[;\n])"""
    rf"""|(?P<time>{_MOMENT}(?:\.\.{_MOMENT})?)(?![^\s;])"""
    r"""|(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![^\s;])|(?P<word>[^\s;"']+)|(?P<open>["']))"""
)


class Token(NamedTuple):
    """A word, a quoted name or text, a number or a time, with its kind."""

    kind: str
    text: str


def write(program: Program, apart: str = "; ") -> str:
    """Return a program as text that `parse` reads; the words in which a question said a time are not kept.

    >>> write(Program((Step("greater", "Height (m)", 8500.0), Step("text match", "Range", ("Himalaya",)))))
    'greater "Height (m)" 8500; text match "Range" \\'Himalaya\\''
    """
    return apart.join(map(write_step, program.steps))


def write_step(step: Step) -> str:
    """Return a step as text."""
    parts = [step.operation]
    if step.column is not None:
        parts.append(_pointer(step.column))
    if step.argument is not None:
        parts.append(_argument(step.argument))
    return " ".join(parts)


def _pointer(pointer: Pointer) -> str:
    if isinstance(pointer, PartOf):
        return f"{pointer.unit} of {_quoted(pointer.column)}"
    if isinstance(pointer, BandOf):
        return f"{_quoted(pointer.column)} {' '.join(BANDS)} {_number(pointer.width)}"
    return _quoted(pointer) if isinstance(pointer, str) else str(pointer)


def _quoted(text: str, quote: str = '"') -> str:
    return quote + text.replace(quote, 2 * quote) + quote


def _argument(argument: float | Period | tuple[str, ...]) -> str:
    if isinstance(argument, tuple):
        return " or ".join(_quoted(text, "'") for text in argument) or NOTHING
    return _time(argument) if isinstance(argument, Period) else _number(argument)


def _number(number: float) -> str:
    """Return a number with all of its digits."""
    return str(int(number)) if float(number).is_integer() and abs(number) < 1e15 else repr(float(number))


def _time(period: Period) -> str:
    """Return a time: a year, a month, a day, or its first and its last day or moment."""
    first, last = period.first.astype("M8[us]"), period.last.astype("M8[us]")
    for unit in ("Y", "M", "D"):
        start = first.astype(f"M8[{unit}]")
        if start == first and (start + 1).astype("M8[us]") - MOMENT == last:
            return f"year {start}" if unit == "Y" else str(start)
    days = first.astype("M8[D]") == first and (last + MOMENT).astype("M8[D]") == last + MOMENT
    return TO.join(str(side.astype("M8[D]")) if days else _moment(side) for side in (first, last))


def _moment(moment: np.datetime64) -> str:
    return str(moment.astype("M8[us]"))


def period_of(text: str) -> Period:
    """Return the time that a text writes. The text becomes its name.

    >>> str(period_of("2014-05").last), str(period_of("2014-05-03..2014-05-09").first)
    ('2014-05-31T23:59:59.999999', '2014-05-03T00:00:00.000000')
    """
    first, _, last = text.removeprefix("year ").partition(TO)
    return Period(_edges(first)[0], _edges(last or first)[1], text)


def _edges(text: str) -> tuple[np.datetime64, np.datetime64]:
    """Return the first and the last moment of a year, a month, a day or a moment."""
    if "T" in text:
        moment = np.datetime64(text, "us")
        return moment, moment
    year, month, day = ([int(part) for part in text.split("-")] + [0, 0])[:3]
    first = date(year, month or 1, day or 1)
    last = date(year, month or 12, day or calendar.monthrange(year, month or 12)[1])
    return np.datetime64(first, "us"), np.datetime64(last, "D") + DAY - MOMENT


def parse(text: str, own: Sequence[Operation] = ()) -> Program:
    """Return the program that a text says. Refuse a text that says none, and name the step.

    >>> print(parse('for each year of "built"; count; top measure 1 3'))
    for each year of built; count; top measure 1 3.0
    """
    names = {tuple(name.split()): name for name in (*BUILT_IN, *(entry.name for entry in own))}
    steps: list[Step] = []
    for tokens in _steps(text):
        steps.append(_Reading(len(steps) + 1, tokens, names).step())
    if not steps:
        raise NeuralProgrammerError("a program has at least one step, such as: count")
    return program_of(steps, own)


def _steps(text: str) -> list[list[Token]]:
    """Return the words of each step."""
    steps: list[list[Token]] = [[]]
    for found in _TOKEN.finditer(text):
        kind = str(found.lastgroup)
        if kind == "end":
            steps.append([])
        else:
            steps[-1].append(Token(kind, found[kind]))
    return [step for step in steps if step]


class _Reading:
    """A reader of one step, word by word."""

    def __init__(self, place: int, tokens: Sequence[Token], names: dict[tuple[str, ...], str]) -> None:
        self.place, self.tokens, self.names = place, list(tokens), names
        self.said = " ".join(token.text for token in tokens)

    def step(self) -> Step:
        """Return the step that the words say."""
        operation = self._operation()
        column = self._column()
        argument = self._argument()
        if self.tokens:
            raise self._wrong(f"has {self.tokens[0].text!r} where it should end")
        return Step(operation, column, argument)

    def _wrong(self, wrong: str) -> NeuralProgrammerError:
        return NeuralProgrammerError(f"step {self.place}, {self.said:.100}, {wrong}")

    def _taken(self, *words: str) -> bool:
        """Take these words if they come next, and return whether they did."""
        here = tuple(token.text for token in self.tokens[: len(words)] if token.kind == "word")
        if here == words:
            del self.tokens[: len(words)]
        return here == words

    def _operation(self) -> str:
        """Return the longest name of an operation that the step begins with."""
        for length in range(max(map(len, self.names)), 0, -1):
            words = tuple(token.text for token in self.tokens[:length] if token.kind == "word")
            if len(words) == length and words in self.names:
                del self.tokens[:length]
                return self.names[words]
        raise self._wrong(f"begins with none of the operations: {', '.join(self.names.values())}")

    def _column(self) -> Pointer | None:
        if self._taken(*COMPUTED):
            return Computed()
        if self._taken("measure"):
            number = self._number_next()
            if number is None or number < 1 or not number.is_integer():
                raise self._wrong("names a measure without its number, such as: measure 1")
            return MeasureAt(int(number) - 1)
        unit = next((unit for unit in UNITS if self._taken(*unit.split(), "of")), None)
        if not self.tokens or self.tokens[0].kind != "column":
            if unit is not None:
                raise self._wrong(f'names no column after {unit} of: write it in double quotes, as {unit} of "date"')
            return None
        column = self.tokens.pop(0).text[1:-1].replace('""', '"')
        if unit is not None:
            return PartOf(column, unit)  # type: ignore[arg-type]
        if not self._taken(*BANDS):
            return column
        width = self._number_next()
        if width is None:
            raise self._wrong('names no width, such as: "age" in bands of 10')
        return BandOf(column, width)

    def _number_next(self) -> float | None:
        if self.tokens and self.tokens[0].kind == "number":
            return float(self.tokens.pop(0).text)
        return None

    def _argument(self) -> Argument:
        if self._taken(NOTHING):
            return ()
        if not self.tokens:
            return None
        if self.tokens[0].kind == "text":
            return self._texts()
        if self._taken("year"):
            number = self._number_next()
            if number is None or not (number.is_integer() and 1 <= number <= 9999):
                raise self._wrong("names no year, such as: year 2014")
            return period_of(f"year {number:04.0f}")
        if self.tokens[0].kind == "time":
            try:
                return period_of(self.tokens.pop(0).text)
            except ValueError:
                raise self._wrong("has a time that no calendar has") from None
        number = self._number_next()
        if number is None:
            token = self.tokens[0]
            what = "a quote that does not end" if token.kind == "open" else f"{token.text!r}"
            raise self._wrong(
                f"has {what} where a column in double quotes, a number, a time such as 2014-05, or a text in single"
                " quotes stands"
            )
        return number

    def _texts(self) -> tuple[str, ...]:
        texts = [self.tokens.pop(0).text[1:-1].replace("''", "'")]
        while self._taken("or"):
            if not self.tokens or self.tokens[0].kind != "text":
                raise self._wrong("has no text in single quotes after or")
            texts.append(self.tokens.pop(0).text[1:-1].replace("''", "'"))
        return tuple(texts)

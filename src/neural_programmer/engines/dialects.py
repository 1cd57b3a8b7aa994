"""The differences of SQL dialects: parts of times, and searching for texts."""

from typing import Any

from sqlglot import exp

from neural_programmer.programs.parts import BETWEEN_WORDS, spaced

NUMBERS = {"year": "YEAR", "quarter of the year": "QUARTER", "month of the year": "MONTH", "hour": "HOUR"}
SPANS = {"quarter": ("3", "MONTH"), "month": ("1", "MONTH"), "week": ("7", "DAY"), "day": ("1", "DAY")}
FROM_MONDAY = ("spark", "spark2", "databricks", "mysql")
WITHOUT_TRANSLATE = ("sqlite", "mysql")
WITH_NAN = ("duckdb", "spark", "spark2", "databricks")  # where it equals itself
OF_SQLITE = {"year": "%Y", "month of the year": "%m", "hour": "%H", "weekday": "%w"}


def part(time: Any, unit: str, dialect: str) -> Any:
    """Return a part of a time (see programs/parts.py)."""
    if unit == "decade":
        year = part(time, "year", dialect)
        return exp.paren(year - exp.paren(year.copy() % 10))
    if dialect == "sqlite":
        return _of_sqlite(time, unit)
    if unit == "hour" and dialect in ("postgres", "redshift"):  # where a day has none
        time = exp.cast(time, "TIMESTAMP")
    if unit in NUMBERS:
        return exp.Extract(this=exp.var(NUMBERS[unit]), expression=time)
    if unit == "weekday" and dialect in ("postgres", "redshift"):
        return exp.Extract(this=exp.var("ISODOW"), expression=time)
    if unit == "weekday" and dialect in FROM_MONDAY:
        return exp.Anonymous(this="WEEKDAY", expressions=[time]) + 1  # where Monday is 0
    if unit == "weekday":
        return exp.DayOfWeekIso(this=time)
    return exp.cast(exp.TimestampTrunc(this=time, unit=exp.var(unit.upper())), "DATE")


def _of_sqlite(time: Any, unit: str) -> Any:
    """Return a part of a time in SQLite, which keeps times as text."""

    def number(letters: str) -> Any:
        return exp.cast(_function("STRFTIME", letters, time.copy()), "INT")

    if unit == "weekday":
        return exp.paren(number("%w") + 6) % 7 + 1
    if unit in OF_SQLITE:
        return number(OF_SQLITE[unit])
    quarter = exp.paren(number("%m") - 1) / 3
    if unit == "quarter of the year":
        return exp.cast(quarter, "INT") + 1
    if unit == "quarter":
        behind = exp.DPipe(
            this=exp.DPipe(this=exp.Literal.string("-"), expression=exp.paren(exp.paren(number("%m") - 1) % 3)),
            expression=exp.Literal.string(" months"),
        )
        return _function("DATE", time.copy(), "start of month", behind)
    if unit == "week":
        return _function("DATE", time, "weekday 0", "-6 days")
    return _function("DATE", time, *(["start of month"] if unit == "month" else []))


def correlation(made: Any, dialect: str) -> Any:
    """Return a correlation that is NULL, not NaN, where one side is constant."""
    if dialect not in WITH_NAN:
        return made
    return exp.func("NULLIF", made, exp.cast(exp.Literal.string("NaN"), "DOUBLE"))


def one_before(time: Any, unit: str, dialect: str) -> Any:
    """Return the day that the quarter, month, week or day before this one begins on."""
    count, span = SPANS[unit]
    if dialect == "sqlite":
        return _function("DATE", time, f"-{count} {span.lower()}s")
    return time - exp.Interval(this=exp.Literal.string(count), unit=exp.var(span))


def like(text: Any, place: str, wanted: str, dialect: str) -> Any:
    """Return the condition that a text contains another, has it as a word, begins or ends with it; capitals do not
    matter."""
    if place == "has the word":
        wide = exp.func(
            "CONCAT", exp.Literal.string(" "), _apart(exp.Lower(this=text), dialect), exp.Literal.string(" ")
        )
        return exp.StrPosition(this=wide, substr=exp.Literal.string(spaced(wanted.lower()))) > 0
    lower, found, length = exp.Lower(this=text), exp.Literal.string(wanted.lower()), len(wanted.lower())
    if place == "contains":
        return exp.StrPosition(this=lower, substr=found) > 0
    if place == "begins with":
        part = exp.Substring(this=lower, start=exp.Literal.number(1), length=exp.Literal.number(length))
    elif dialect == "sqlite":
        part = exp.Substring(this=lower, start=exp.Neg(this=exp.Literal.number(length)))
    else:
        part = exp.Right(this=lower, expression=exp.Literal.number(length))
    return part.eq(found)


def _apart(text: Any, dialect: str) -> Any:
    """Return a text with spaces in the place of marks that separate words."""
    if dialect not in WITHOUT_TRANSLATE:
        return _function("TRANSLATE", text, BETWEEN_WORDS, " " * len(BETWEEN_WORDS))
    for mark in BETWEEN_WORDS:
        text = _function("REPLACE", text, mark, " ")
    return text


def _function(name: str, *arguments: Any) -> Any:
    given = [exp.Literal.string(each) if isinstance(each, str) else each for each in arguments]
    return exp.Anonymous(this=name, expressions=given)

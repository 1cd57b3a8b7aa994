"""Times of day, days of the week, seasons and times from today in questions, which no operation compares.

They are hours of the column that holds such, or a reason why there is no answer.
"""

import re
from collections.abc import Collection, Sequence

from neural_programmer.questions.index import Index, IndexColumn
from neural_programmer.questions.tokens import name_words, stemmed, stems, tokenized

_HOUR = r"\d{1,2}(?:[:.][0-5]\d)?"
_HALF = r"[ap]\.?m\b\.?"
_CLOCK = re.compile(
    rf"(?<![\w.:])(?:{_HOUR} ?(?:{_HALF})? ?(?:-|\u2013|and|to|until|till) ?)?{_HOUR} ?(?:{_HALF}|o['\u2019]clock\b)"
    r"|(?<![\w.:])\d{1,2}:[0-5]\d(?::[0-5]\d)?(?![\w:])",
    re.IGNORECASE,
)
_SPOKEN = re.compile(rf"(\d{{1,2}}) ?({_HALF})?(?: ?o['\u2019]clock)?", re.IGNORECASE)
NOON = 12
_FROM_TODAY = re.compile(
    r"\b(?:past|last|next|previous|coming) (?:\d+|[a-z]+(?:[ -][a-z]+)?) (day|week|month|year)s\b(?! of\b| in\b)",
    re.IGNORECASE,
)
_DAYS = "monday tuesday wednesday thursday friday saturday sunday weekend weekday".split()
UNREAD = {day: f'days of the week, "{day}", which no operation finds; name dates' for day in _DAYS} | {
    season: f'a season, "{season}"; say from when to when it is' for season in ("summer", "winter", "autumn", "spring")
}


def hours(text: str, index: Index) -> tuple[str, str]:
    """Return a question whose times of day are hours of a column that holds such, or why it has no answer.

    >>> from neural_programmer.tables.table import Table
    >>> hours("rides between 8 and 9 pm", Index.of(Table(("hour", "fare"), ([0.0, 23.0], [5.0, 9.0]))))
    ('rides between 20 and 21 hour', '')
    """
    said = next((found[0] for found in _CLOCK.finditer(text) if not _is_text(found[0], index)), "")
    column = next(filter(_has_hours, index.columns), None)
    if not said or column is None or ":" in said or "." in re.sub(r"[.](?=m)|m[.]", "", said.lower()):
        return text, f'a time of day, "{said.strip()}", which no operation compares' if said else ""
    return _CLOCK.sub(lambda found: f"{_counted(found[0], column.high > NOON)} {column.name}", text), ""


def unread(text: str, words: Sequence[str], meant: Collection[int], index: Index) -> str:
    """Return why a question about a table with dates has no answer, if it asks for times that no operation compares."""
    if not any(column.kind == "date" for column in index.columns):
        return ""
    said = _FROM_TODAY.search(text)
    if said and not any(said[1].lower() in map(stemmed, name_words(column.name)) for column in index.columns):
        return f'"{said[0]}", and a table does not say when today is; name dates'
    found = (UNREAD.get(stemmed(word), "") for place, word in enumerate(words) if place not in meant)
    return next(filter(None, found), "")


def _is_text(said: str, index: Index) -> bool:
    """Return whether a cell or a column is called so."""
    key = stems([token.key for token in tokenized(said)])
    return key in index.texts or key in index.names


def _has_hours(column: IndexColumn) -> bool:
    return column.kind == "number" and "hour" in name_words(column.name) and 0 <= column.low <= column.high <= 24


def _counted(said: str, of_day: bool) -> str:
    """Hours as numbers, those after noon counted on if a day has 24."""
    half = "pm" if re.search(r"p\.?m", said, re.IGNORECASE) else "am"

    def counted(found: re.Match[str]) -> str:
        own = (found[2] or half).lower().replace(".", "")
        return str(int(found[1]) % NOON + NOON * (own == "pm") if of_day else int(found[1])) + " "

    return _SPOKEN.sub(counted, said).strip()

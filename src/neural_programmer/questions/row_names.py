"""What the rows of a table are called: guests in guests.csv, flats where the first column is flat_id.

A model knows columns and cells, and takes some other words for what each row is; here is which words the table has for
that. What a question calls the rows is found in unknown.py.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from neural_programmer.questions.tokens import name_words, stemmed
from neural_programmer.questions.vectors import shipped
from neural_programmer.tables.views import MONTH_NAMES

ALWAYS = frozenset("row entry record item line observation case".split())  # what rows of any table are
NO_NAMES = frozenset(  # words of files, sheets and columns that say nothing of what rows are
    "all analysis and archive backup base basic by clean cleaned code col column complete copy count csv "
    "current dashboard data database dataset date db demo detail download dump example excel export exported extract "
    "feed file final full group here id identifier import in index info information input key label latest list "
    "main master merged my name new no nr number old online original our output overview page part partial pos "
    "position public raw ref reference register registry report result sample serial sheet short small spreadsheet sql "
    "stat statistic summary tab tabelle table temp template test the this time title tmp total type untitled update "
    "used v version view week workbook year".split()
)
ATTRIBUTES = frozenset(  # a first column of these has something of every row, and does not say what it is
    "address barcode brand category color colour email hour isbn kind link location mail make model phone place sku "
    "status street type url uuid website".split()
)
MONTHS = frozenset(name.lower()[:length] for name in MONTH_NAMES for length in (3, None)) | {"sept"}
AFTER = frozenset("at by during for from in on per since until with".split())  # what follows says more of the rows
SINGULAR = {"people": "person", "men": "man", "women": "woman", "children": "child", "staff": "staff"}
PEOPLE = frozenset("person somebody someone individual folk".split())
PERSON = 0.24  # cosine of the vectors of a word and of person, or persons, where the word is one for people
EXTENSIONS = re.compile(r"(?:\.[A-Za-z][A-Za-z0-9]{0,7})+$")


class RowNames(NamedTuple):
    """The words for the rows of a table, in the singular."""

    words: frozenset[str]
    sure: str  # the first of those that leave no doubt: plurals of a file's name, and what the first column names

    def has(self, word: str) -> bool:
        """Return whether a word of a question means the rows."""
        name = singular(word)
        return name in self.words or name in ALWAYS or (name in PEOPLE and any(map(_is_person, self.words)))


def row_names(called: Sequence[str], first: str, names_rows: bool) -> RowNames:
    """Return the words for the rows of a table by the names of its sheet or table and of its file, the first of these
    that has any; and by its first column, if that names the rows.

    >>> found = row_names(["Sheet1", "2024_flats-export.xlsx"], "unit_no", True)
    >>> sorted(found.words), found.sure
    (['flat', 'unit'], 'flat')
    """
    every = [found for name in called if (found := _said_by(_words(EXTENSIONS.sub("", name))))]
    words, plural = every[0] if every else ([], False)
    of_column = _words(first)
    key = [singular(word) for word in of_column if singular(word) not in NO_NAMES | ATTRIBUTES][-1:]
    if not names_rows and len(of_column) == len(key):
        key = []
    return RowNames(frozenset([*words, *key]), next(iter([*words] if plural else key), ""))


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W\d_]{2,}", " ".join(name_words(name)).replace("e-mail", "email"))


def _said_by(words: Sequence[str]) -> tuple[list[str], bool] | None:
    """Return what the words of a file's name call the rows, and whether these are plurals; else it is the last word."""
    kept: list[str] = []
    for word in words:
        if word in AFTER and kept:
            break
        if word == "of":  # list of guests
            kept = []
        elif singular(word) not in NO_NAMES and singular(word) not in MONTHS:
            kept.append(word)
    plurals = [singular(word) for word in kept if is_plural(word)]
    return (plurals or [singular(kept[-1])], bool(plurals)) if kept else None


def singular(word: str) -> str:
    """Return a noun in the singular."""
    return SINGULAR.get(word, stemmed(word))


def is_plural(word: str) -> bool:
    """Return whether a word may be a noun in the plural."""
    return word in SINGULAR or (stemmed(word) != word and word[-2:] not in ("is", "us"))


def _is_person(word: str) -> bool:
    known = shipped()
    return (
        word in PEOPLE or max(float(known.of([word]) @ known.of([other])) for other in ("person", "persons")) > PERSON
    )

"""Every text of a table, to be found by what a question says: in an index that is made once, or with one query."""

import re
import string
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import duckdb
import numpy as np
from jaxtyping import Int, UInt

from neural_programmer.base.limits import within
from neural_programmer.questions.keys import IN_FULL, text_keys
from neural_programmer.tables import reading
from neural_programmer.tables.source import Source

INDEXED_CELLS = 5_000_000  # of a table whose texts are all in an index
MENTIONED_BYTES = 300  # bytes of a text that a question may mention
LOOKING = 1.0  # seconds of a query in a larger table
MOST_FOUND = 10_000  # texts that are found for one question
TOGETHER, ROWS_TOGETHER = 20, 1_000_000  # columns that are read at once, and rows of all of them
RUN = 100_000  # rows whose texts come in one piece
LIKE = "lower(strip_accents({}))"  # what is the same in SQL for texts that a large table is searched for
_SIGNS = "".join(sign for sign in map(chr, range(1, 128)) if not sign.isalnum())
_LEFT_OUT = f"{_SIGNS}eEsS".encode()
_SMALL = bytes.maketrans(f"{string.ascii_uppercase}y".encode(), f"{string.ascii_lowercase}i".replace("y", "i").encode())
_OTHER_SIGNS = re.compile(r"[^\w\x00-\x7f]+|\u03b9")  # and a letter that is an accent in some texts


class Found(NamedTuple):
    """The texts of some columns that were looked for, and whether all were looked through."""

    texts: Mapping[int, Sequence[str]]
    complete: bool = True


@dataclass(frozen=True)
class CellTexts:
    """Every text of some columns of a table: of each a number that its letters give, and the first cell that has it.

    A text takes 12 bytes, so that those of five million cells need 60 MB at most.
    """

    numbers: Int[np.ndarray, "texts"]  # in order
    cells: UInt[np.ndarray, "texts"]  # place of the column * rows of the table + row

    @classmethod
    def of(cls, source: Source, places: Sequence[int]) -> "CellTexts | None":
        """Return those of the columns at these places, unless there is no memory for them."""
        numbers, cells = [np.zeros(0, np.int64)], [np.zeros(0, np.uint32)]
        step = min(max(ROWS_TOGETHER // max(source.rows, 1), 1), TOGETHER)
        with reading.refusing(source.name):
            try:
                for start in range(0, len(places), step):
                    for place, texts, rows in _pieces(source, places[start : start + step]):
                        numbers.append(numbers_of(texts))
                        cells.append((place * source.rows + rows).astype(np.uint32))
            except duckdb.OutOfMemoryException:
                return None
        every = np.concatenate(numbers)
        order = np.argsort(every)
        return cls(every[order], np.concatenate(cells)[order])

    def found(self, source: Source, keys: Collection[str]) -> Found:
        """Return the texts that are said by these keys (see index.text_keys)."""
        said = [*keys, *(short for short, full in IN_FULL.items() if full in keys)]
        wanted = np.unique(numbers_of("\0".join(said)))
        first, last = (np.searchsorted(self.numbers, wanted, side) for side in ("left", "right"))
        runs = [self.cells[a:b] for a, b in zip(first, last, strict=True) if a < b]
        if not runs:
            return Found({})
        cells = np.sort(np.concatenate(runs))
        places, rows = (np.unique(part).tolist() for part in np.divmod(cells[:MOST_FOUND], np.uint32(source.rows)))
        named = ", ".join(f"c{place}" for place in places)
        query = f"SELECT {named} FROM {source.placed(numbered=True)} WHERE r IN (SELECT unnest(?::BIGINT[]))"
        texts = [each for row in source.fetched(query, [rows]) for each in zip(places, row, strict=True) if each[1]]
        return Found(_by_column(texts, keys), len(cells) <= MOST_FOUND)


def searched(source: Source, places: Sequence[int], said: Collection[str], keys: Collection[str]) -> Found:
    """Return the texts of these columns that are like what is said, but for case and accents, as far as they are found
    in time."""
    like = LIKE.format("said")
    texts: list[tuple[int, str]] = []
    try:
        with within(LOOKING, source.connection):
            for start in range(0, len(places), TOGETHER):  # a query is planned for as long as it likes
                parts = (
                    f"SELECT DISTINCT {place}, c{place} FROM {source.placed(place=place)}"
                    f" WHERE {LIKE.format(f'c{place}')} IN (SELECT {like} FROM unnest($1::VARCHAR[]) AS every(said))"
                    for place in places[start : start + TOGETHER]
                )
                texts += source.fetched(f"{' UNION ALL '.join(parts)} LIMIT {MOST_FOUND}", [list(said)])
    except duckdb.InterruptException:
        return Found(_by_column(texts, keys), complete=False)
    return Found(_by_column(texts, keys), len(texts) < MOST_FOUND)


def numbers_of(texts: str) -> Int[np.ndarray, "texts"]:
    r"""A number for each of the texts between "\0", made of its letters and digits: it is the same for all texts that a
    question may say alike.

    Case and accents do not count, nor does what a plural changes (see tokens.stemmed): s and e, and y is i.

    >>> one, other = numbers_of("The City's Top-40\0the cities: TOP 40!")
    >>> bool(one == other)
    True
    """
    if not texts.isascii():
        texts = _OTHER_SIGNS.sub("", unicodedata.normalize("NFKD", texts).casefold())
    letters = texts.encode().translate(_SMALL, _LEFT_OUT).split(b"\0")
    return np.fromiter(map(hash, letters), np.int64, len(letters))


def _pieces(source: Source, places: Sequence[int]) -> Iterator[tuple[int, str, Int[np.ndarray, "texts"]]]:
    """The different texts of some columns, many at a time in one text with "\0" between them, and the first row of
    each; those of plain letters apart, which are read sooner."""
    named = ", ".join(f"c{place}" for place in places)
    different = " UNION ALL ".join(
        f"SELECT {place} AS place, c{place} AS text, min(r) AS r FROM taken WHERE strlen(c{place}) <= {MENTIONED_BYTES}"
        f" GROUP BY c{place}"
        for place in places
    )
    text = "CASE WHEN contains(text, chr(0)) THEN replace(text, chr(0), ' ') ELSE text END"
    found = source.connection.execute(
        f"WITH taken AS (SELECT {named}, r FROM {source.placed(numbered=True)})"
        " SELECT place, array_to_string([cell.text FOR cell IN cells], chr(0)) AS texts,"
        " [cell.r FOR cell IN cells] AS rows"
        f" FROM (SELECT place, list({{text: {text}, r: r}}) AS cells FROM ({different})"
        f" GROUP BY place, r // {RUN}, strlen(text) > length(text))"
    ).fetchnumpy()
    yield from zip(found["place"].tolist(), found["texts"], found["rows"], strict=True)


def _by_column(texts: Collection[tuple[int, str]], keys: Collection[str]) -> dict[int, list[str]]:
    """Return of each column the texts that have one of the keys, in order."""
    found: dict[int, list[str]] = defaultdict(list)
    for place, text in sorted(set(texts)):
        if any(key in keys for key in text_keys(text)):
            found[place].append(text)
    return dict(found)

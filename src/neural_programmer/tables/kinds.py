"""What kind a column is, decided on all of its cells, and the SQL that reads them: text -> number, date or boolean."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import duckdb

from neural_programmer.tables.cleaning import (
    MISSING_WORDS,
    NAN,
    NO_BREAK,
    Cleaning,
    cleanings,
    is_missing,
    is_number,
    is_spaced,
    trimmed,
)
from neural_programmer.tables.containers import quoted
from neural_programmer.tables.table import Kind, Style
from neural_programmer.tables.views import View

GIVEN = "given"  # what a table or view to be typed is called,
RELATION = "data"  # and what the typed one,
NUMBERED = "numbered"  # and what it is with the numbers of its rows, from 0, in a column more;
WRITTEN, WRITTEN_NUMBERED = "written", "written_numbered"  # and what both are with the views of its columns
TOGETHER = 100  # readings that are judged in one query, whose planning takes longer than their number
SAMPLE = 1000  # rows that can show that a reader fails; that it succeeds is seen on all rows
EXACT = 2**53  # whole numbers beyond it stay whole numbers, for float64 would round them

# Numbers: -80.97, 1,200.50, 1e6, $5k, $1.2M, 3.50 €, 12 %, 12 km; not 007, which is a name, and not (5). With a point
# before the decimals or a comma, in groups by the other of both, by spaces or by apostrophes: 1.234,56; 1 234.5; 1'234.
_EXPONENT = r"[eE][-+]?(?:[012]?\d{1,2}|30[0-7])"
_PLAIN = rf"[-+]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:{_EXPONENT})?"
_GAPS = ("\u202f", "\u2009", " ", "'", "\u2019")  # between groups of digits, besides commas or points
_GROUPS = "|".join(rf"(?:{gap}\d{{3}})+".replace("'", r"\x27") for gap in _GAPS)
_POINT = (
    rf"(?:(?:[1-9]\d{{0,2}}(?:(?:,\d{{3}})+|{_GROUPS})|[1-9]\d?(?:,\d\d)+,\d{{3}}|0|[1-9]\d*)(?:\.\d*)?|\.\d+)"
    rf"(?:{_EXPONENT})?|[Ii]nf(?:inity)?"
)
_COMMA = rf"(?:(?:[1-9]\d{{0,2}}(?:(?:\.\d{{3}})+|{_GROUPS})|0|[1-9]\d*)(?:,\d*)?|,\d+)(?:{_EXPONENT})?"
_EITHER = r"[1-9]\d{0,2}[.,]\d{3}"  # thousands to some, three decimals to others
_PHONE = r"\d{3} \d{3} \d{3}"  # what all cells of a column look like that holds no numbers
_POWERS = {"k": 3, "K": 3, "M": 6, "B": 9, "bn": 9, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_WORD = r"°?[A-Za-zµΩÀ-ž][A-Za-zµΩÀ-ž/²³]*"  # after a space any word can be a unit; touching the number, these:
_TOUCHING = r"°[CF]|[kcmµn]?m[²³]?|ha|[kmµ]?g|lbs?|ft|mi|km/h|m/s|mph|m?s|min|h|[kMG]?(?:Wh?|Hz)|m?[lL]|[kKMGT]i?B|px"
_MINUS = "\u2212"  # the sign that is not a hyphen
_BEFORE = rf"([-+{_MINUS}]?)([$€£¥₹]?) *([-+{_MINUS}]?)"
_AFTER = rf"(?:(?: *({'|'.join(_POWERS)}))?(?: *([$€£¥₹%‰°])| +({_WORD}))?| *({_TOUCHING}))"
_PARTS = "['sign', 'currency', 'inner', 'digits', 'power', 'mark', 'word', 'touching']"
_MONTHS = r"(?i:(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?)"
_NO_UNIT = rf"(?i:am|pm|ad|bc|st|nd|rd|th)|{_MONTHS}"  # of 12 am and 5 May

# Dates: years have four digits, 1000 to 2999; two beside the name of a month, and where months come first beyond doubt.
_YEAR, _MONTH, _DAY = r"([12]\d{3})", r"(0?[1-9]|1[0-2])", r"(0?[1-9]|[12]\d|3[01])"
_SHORT_YEAR = r"(\d{2})"
_ISO = r"[12]\d{3}[-/]\d{1,2}[-/]\d{1,2}(?:[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)? ?(?:Z|UTC|[-+]\d{2}:?\d{2})?)?"
_CLOCK = r"( \d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?: [AaPp][Mm])?)?"
_CLOCKS = {"0": "", "1": " %H:%M", "2": " %H:%M:%S", "1m": " %I:%M %p", "2m": " %I:%M:%S %p"}  # by their marks
_ORDINAL = "(?:st|nd|rd|th)?"


@dataclass(frozen=True)
class Column:
    """A named column; its unit, such as "$", "%" or "km", stood beside every number."""

    name: str
    kind: Kind
    unit: str = ""
    pattern: str = field(default="", compare=False, repr=False)  # of its texts, where it was read from text
    replaced: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)
    """What to replace in such texts, one after the other, so that SQL reads them as numbers."""
    formats: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """How such texts write dates, for SQL to read."""
    style: Style = field(default="", compare=False, repr=False)  # of its numbers or dates: see Reader
    note: str = field(default="", compare=False, repr=False)
    """What was taken, where its texts may be read in two ways."""
    cleaning: Cleaning = field(default=Cleaning(), compare=False, repr=False)
    view_of: str = ""  # the column that it was read from,
    view: View | Literal[""] = ""  # and by which view, where it is one


@dataclass(frozen=True)
class Reader:
    """One way to read a column, in SQL: @cell is a cell, @part what is prepared from it, @value what is read."""

    kind: Kind
    pattern: re.Pattern[str] = re.compile("")  # of a text that can be read so
    part: str = "@cell"
    value: str = "@part"  # NULL where the cell cannot be read
    finer: str = "@value"  # the value to take instead,
    fine: str = "false"  # where this is true; an aggregate, as are the next three
    unit: str = "''"
    marks: str = "[]"  # the signs and powers of ten that stand in the texts, or how they write dates
    style: Style = ""  # of numbers, what is before their decimals; of dates, what comes first
    doubt: str = "NULL"  # whether the texts could as well be of the other style; NULL if they are the same in both
    reads: str = "true"  # whether it reads the column, besides having a value for all cells
    note: str = ""  # what is taken wherever it reads a column


@dataclass(frozen=True)
class Choice:
    """How a column is read."""

    reader: Reader
    unit: str = ""
    fine: bool = False
    marks: Sequence[str | None] = ()
    doubt: bool | None = None
    note: str = ""

    @property
    def replaced(self) -> tuple[tuple[str, str], ...]:
        """What makes plain numbers of texts such as $1,200.50 and 5 million: see Column."""
        if self.reader.kind != "number" or self.reader.marks == Reader.marks:
            return ()
        words = sorted((word for word in _POWERS if word in self.marks), key=lambda word: (-len(word), word))
        powers = [(word, f"e{_POWERS[word]}") for word in words]
        groups, decimals = (",", "") if self.reader.style == "point" else (".", ",")
        gaps = [(gap, "") for gap in (*_GAPS, NO_BREAK) if gap in self.marks or (gap == " " and powers)]
        signs = ((groups, ""), (decimals, "."), (_MINUS, "-"))
        signs = [(sign, plain) for sign, plain in signs if sign and sign in self.marks]
        return (((self.unit, ""),) if self.unit else ()) + (*signs, *powers, *gaps)

    @property
    def formats(self) -> tuple[str, ...]:
        """How dates in digits are written: see Column; none where SQL has no format for one of them."""
        clocks, signs = ([mark for mark in self.marks if mark and (mark in "-/.") == sign] for sign in (False, True))
        order = {"day": "%d@%m@%Y", "month": "%m@%d@%Y"}.get(self.reader.style)
        if order is None or not all(clock in _CLOCKS for clock in clocks):
            return ()
        return tuple(order.replace("@", sign) + _CLOCKS[clock] for sign in sorted(signs) for clock in sorted(clocks))


def settle(
    connection: duckdb.DuckDBPyConnection,
    names: Sequence[str],
    stored: bool,
    judge_text: bool = True,
    filled: Collection[int] | None = None,
) -> tuple[tuple[Column, ...], int]:
    """Make RELATION of the table or view GIVEN: a table if stored, else a view. Its columns, and how many rows it has.

    The patterns of the readers rule most of them out on a few rows; a query on all rows decides on the first of the
    others, and a second one on the rest of them where that fails.

    Where a file has types of its own, text stays as it is: NA may be a name there, and only the empty text is missing.
    `filled` are the columns without empty texts and NaN; where it is not stored, columns are taken as they are, and
    text that is no number or date on a few rows too: a large file need not be read to be opened. A column more than
    there are names has the numbers of the rows.
    """
    kept = "TABLE" if stored and filled is None else "VIEW"
    connection.execute(f"CREATE {kept} cells AS {_clean(connection, judge_text, marked=kept == 'TABLE')}")
    able, sure = _able(connection, judge_text)[: len(names)], [None] * len(names)
    given = _given_kinds(connection)[: len(names)]
    if filled is not None and not stored:
        sure = [
            None if kind == "VARCHAR" and readers else _typed(kind) for kind, readers in zip(given, able, strict=True)
        ]
    able = [() if known else readers for readers, known in zip(able, sure, strict=True)]
    rows, chosen = _judged(connection, [readers[:1] for readers in able])
    rest = [() if choice else readers[1:] for readers, choice in zip(able, chosen, strict=True)]
    if any(rest):
        chosen = [first or then for first, then in zip(chosen, _judged(connection, rest)[1], strict=True)]
    chosen = _with_breaks(connection, _of_one_style(connection, chosen))
    final = [known or choice or Choice(_TEXT) for known, choice in zip(sure, chosen, strict=True)]
    final = [replace(each, note=IN_UTC) if kind in WITH_ZONE else each for kind, each in zip(given, final, strict=True)]
    if filled is not None:
        is_text = [
            kind == "VARCHAR" and choice.reader.kind == "text" for kind, choice in zip(given, final, strict=True)
        ]
        as_is = {
            f"c{i}": kind not in ("VARCHAR", "DOUBLE") or i in filled
            for i, kind in enumerate(given)
            if sure[i] or is_text[i]
        }
        connection.execute(f"CREATE OR REPLACE VIEW cells AS {_clean(connection, judge_text, as_is)}")
    values = [_named(choice.reader.finer if choice.fine else "@value", i, 0) for i, choice in enumerate(final)]
    named = ", ".join(f"{value} AS {quoted(name)}" for value, name in zip(values, names, strict=True))
    read = _read([(i, 0, choice.reader) for i, choice in enumerate(final)])
    connection.execute(f"CREATE {'TABLE' if stored else 'VIEW'} {RELATION} AS SELECT {named} FROM {read}")
    number = f"{_row_number(connection, names, stored)} AS {quoted(row_name(names))}"
    given_rows = f"SELECT *, {number} FROM {RELATION}" if stored else f"SELECT {named}, {number} FROM {read}"
    connection.execute(f"CREATE VIEW {NUMBERED} AS {given_rows}")
    cleaned = _cleaned(connection, final, stored, judge_text, filled)
    if stored:
        connection.execute(f"DROP {kept} cells")
    columns = [
        Column(
            name,
            found.reader.kind,
            found.unit,
            found.reader.pattern.pattern,
            found.replaced,
            found.formats,
            found.reader.style,
            f"{name}: {note}" if (note := found.note or found.reader.note) else "",
            cleaned.get(place, Cleaning()),
        )
        for place, (name, found) in enumerate(zip(names, final, strict=True))
    ]
    return tuple(columns), rows


def _cleaned(
    connection: duckdb.DuckDBPyConnection,
    chosen: Sequence[Choice],
    stored: bool,
    judge_text: bool,
    filled: Collection[int] | None,
) -> dict[int, Cleaning]:
    """Return what was left out of the columns' texts and numbers. A column that is not looked through may hold what is
    missing, unless it is `filled`; one without a type is looked through where a cell is marked."""
    if not judge_text or (filled is None and not stored):
        return {}
    given = _given_kinds(connection)
    kinds: dict[int, str] = {}
    for place, (kind, choice) in enumerate(zip(given, chosen, strict=False)):
        if kind == "VARCHAR":
            kinds[place] = "as they are" if filled is not None and choice.reader.kind == "text" else "text"
        elif kind in ("FLOAT", "DOUBLE"):
            kinds[place] = "number"
        elif not _is_native(kind):
            kinds[place] = "cast"
    if filled is None:
        marked = connection.execute("SELECT bool_or(marked) FROM cells").fetchall()[0][0]
        return cleanings(connection, GIVEN, len(given), kinds) if marked else {}
    if stored:
        return cleanings(connection, GIVEN, len(given), kinds)
    said = {"as they are": Cleaning(("",)), "number": Cleaning((NAN,)), "text": Cleaning(), "cast": Cleaning(cast=True)}
    return {place: said[kind] for place, kind in kinds.items() if place not in filled}


def _of_one_style(connection: duckdb.DuckDBPyConnection, chosen: Sequence[Choice | None]) -> list[Choice | None]:
    """Read what has two readings as the other columns show, or else with a note.

    Who writes decimals after a comma writes days first.
    """
    shown = {choice.reader.style for choice in chosen if choice and choice.doubt is False}
    shown |= {"day"} if "comma" in shown and "month" not in shown else set()
    other: list[tuple[Reader, ...]] = [()] * len(chosen)
    for place, choice in enumerate(chosen):
        if choice and choice.doubt and choice.reader.style not in shown and _OTHER[choice.reader.style].style in shown:
            other[place] = (_OTHER[choice.reader.style],)
    again = _judged(connection, other)[1] if any(other) else [None] * len(chosen)
    return [choice and (new or _with_note(choice, shown)) for choice, new in zip(chosen, again, strict=True)]


def _with_note(choice: Choice, shown: Collection[str]) -> Choice:
    """Return a choice with a note where nothing decided on it; nobody doubts thousands after a comma, as in 1,234."""
    style = choice.reader.style
    if not choice.doubt or {style, _OTHER[style].style} & {*shown} or "," in choice.marks:
        return choice
    return replace(choice, note=_NOTES[style])


def _with_breaks(connection: duckdb.DuckDBPyConnection, chosen: Sequence[Choice | None]) -> list[Choice | None]:
    """Return the choices, with a mark where the texts have spaces that do not break: cells have plain ones for them."""
    places = [place for place, choice in enumerate(chosen) if choice and choice.reader in (_NUMBER, _NUMBER_COMMA)]
    if not places:
        return list(chosen)
    kinds = _given_kinds(connection)
    asked = ", ".join(f"bool_or(contains(CAST(c{place} AS VARCHAR), '{NO_BREAK}'))" for place in places)
    given = f"{GIVEN} AS given({', '.join(f'c{place}' for place in range(len(kinds)))})"
    found = dict(zip(places, connection.execute(f"SELECT {asked} FROM {given}").fetchall()[0], strict=True))
    return [
        replace(choice, marks=(*choice.marks, NO_BREAK)) if choice and found.get(place) else choice
        for place, choice in enumerate(chosen)
    ]


def row_name(names: Sequence[str]) -> str:
    """Return what the column of NUMBERED with the numbers of the rows is called: as no other column is."""
    name = "row"
    while name in map(str.lower, names):
        name += "_"
    return name


def _row_number(connection: duckdb.DuckDBPyConnection, names: Sequence[str], stored: bool) -> str:
    if stored and "rowid" not in map(str.lower, names):
        return "rowid"
    width = len(connection.table(GIVEN).columns)
    return f"c{len(names)}" if width > len(names) else "row_number() OVER () - 1"


def _typed(kind: str) -> Choice | None:
    """Return how a column of a type of its own is read: as it is."""
    if kind == "BOOLEAN" or kind == "VARCHAR":
        return Choice(Reader("boolean" if kind == "BOOLEAN" else "text"))
    if kind == "DATE" or kind.startswith("TIMESTAMP"):
        return Choice(Reader("date"))
    return Choice(Reader("number")) if kind == "FLOAT" or _is_native(kind) else None


def _clean(
    connection: duckdb.DuckDBPyConnection,
    judge_text: bool,
    as_is: Mapping[str, bool] | None = None,
    marked: bool = False,
) -> str:
    """Return the SQL of GIVEN with columns c0, c1, ... of our kinds; text is trimmed, and what is missing is NULL.

    Those that are `as_is` keep their type, and their texts; true of one of those is that none of it is empty or NaN.
    If they are to be `marked`, one column more says of every row whether a text of it was trimmed or stands for none.
    """
    as_is = as_is or {}
    kinds = {f"c{i}": kind for i, kind in enumerate(_given_kinds(connection))}
    plain = {
        cell
        for cell, kind in kinds.items()
        if cell in as_is and (_is_whole(kind) or kind in _AS_IS or (kind == "DOUBLE" and as_is[cell]))
    }
    bare = [cell if cell in plain else _trimmed(cell, kind, judge_text) for cell, kind in kinds.items()]
    missing = MISSING_WORDS if judge_text else ("",)
    present = [
        _present(cell, kind, missing) if cell not in plain else cell if as_is[cell] else f"nullif({cell}, '')"
        for cell, kind in kinds.items()
    ]
    texts = [cell for cell, kind in kinds.items() if kind == "VARCHAR"] if marked and judge_text else []
    if marked:
        bare.append(" OR ".join(["false", *(f"coalesce({is_spaced(cell)}, false)" for cell in texts)]))
        present.append(" OR ".join(["marked", *(f"coalesce({is_missing(cell)}, false)" for cell in texts)]))
        kinds["marked"] = "BOOLEAN"
    inner = ", ".join(f"{sql} AS {cell}" for sql, cell in zip(bare, kinds, strict=True))
    outer = ", ".join(f"{sql} AS {cell}" for sql, cell in zip(present, kinds, strict=True))
    given = ", ".join(cell for cell in kinds if cell != "marked")
    return f"SELECT {outer} FROM (SELECT {inner} FROM {GIVEN} AS given({given}))"


def _given_kinds(connection: duckdb.DuckDBPyConnection) -> list[str]:
    return [re.sub(r".*\]$", "LIST", str(kind)) for kind in connection.table(GIVEN).types]


def _trimmed(cell: str, kind: str, judge_text: bool) -> str:
    if kind == "FLOAT" or kind.startswith("DECIMAL"):
        return f"CAST({cell} AS DOUBLE)"
    if kind == "TIMESTAMPTZ_NS":  # which DuckDB has no other cast for
        cell = f"CAST({cell} AS TIMESTAMPTZ)"
    if kind == "DATE" or kind.startswith("TIMESTAMP"):
        cell = f"CAST({cell} AS TIMESTAMPTZ)" if kind == "TIMESTAMPTZ_NS" else cell  # which has no other cast
        return f"CAST({cell} AS TIMESTAMP)"  # of one with a time zone: in UTC
    if kind == "VARCHAR" and judge_text:
        return trimmed(cell)
    return cell if _is_native(kind) else f"CAST({cell} AS VARCHAR)"


def _present(cell: str, kind: str, missing: Sequence[str]) -> str:
    if kind in ("FLOAT", "DOUBLE"):
        return f"CASE WHEN {is_number(cell)} THEN {cell} END"
    if _is_native(kind):
        return cell
    return f"CASE WHEN NOT {is_missing(cell, missing)} THEN {cell} END"


def _is_native(kind: str) -> bool:
    return kind in ("BOOLEAN", "DOUBLE", "DATE") or _is_whole(kind) or kind.startswith(("TIMESTAMP", "DECIMAL"))


def _is_whole(kind: str) -> bool:
    return kind.endswith("INT") or kind in ("INTEGER", "UINTEGER")


def _able(connection: duckdb.DuckDBPyConnection, judge_text: bool) -> list[tuple[Reader, ...]]:
    """For every column the readers that a few rows do not rule out; none for text that stays text."""
    kinds = [str(kind) for kind in connection.table("cells").types]
    able = [_NATIVE.get(kind, (_WHOLE,)) for kind in kinds]
    if judge_text and "VARCHAR" in kinds:
        sample = connection.execute(f"SELECT * FROM cells LIMIT {SAMPLE}").fetchall()
        if sample:
            columns = zip(*sample, strict=True)
            return [readers or _possible(texts) for readers, texts in zip(able, columns, strict=True)]
    return able


def _possible(texts: Sequence[str | None]) -> tuple[Reader, ...]:
    """Return the readers whose patterns fit all the texts."""
    present = [text for text in texts if text is not None]
    return tuple(reader for reader in _TEXT_READERS if all(map(reader.pattern.fullmatch, present)))


def _named(template: str, i: int, r: int) -> str:
    return template.replace("@cell", f"c{i}").replace("@part", f"p{i}_{r}").replace("@value", f"v{i}_{r}")


def _read(every: Sequence[tuple[int, int, Reader]]) -> str:
    """Return the SQL of the cells, and beside them what readers prepare and read: each of a column, the r-th of its
    own."""
    parts = ", ".join(["*", *(_named(f"{reader.part} AS @part", i, r) for i, r, reader in every)])
    values = ", ".join(["*", *(_named(f"{reader.value} AS @value", i, r) for i, r, reader in every)])
    return f"(SELECT {values} FROM (SELECT {parts} FROM cells))"


def _judged(connection: duckdb.DuckDBPyConnection, able: Sequence[Sequence[Reader]]) -> tuple[int, list[Choice | None]]:
    """Return how many rows there are, and for every column the first of its readers that reads it, or none."""
    every = [(i, r, reader) for i, readers in enumerate(able) for r, reader in enumerate(readers)]
    rows, answers = 0, []
    for start in range(0, max(len(every), 1), TOGETHER):
        some = every[start : start + TOGETHER]
        asked = [
            _named(template, i, r)
            for i, r, reader in some
            for template in (
                f"count(@value) = count(@cell) AND {reader.reads}",
                *(reader.unit, reader.fine, reader.marks, reader.doubt),
            )
        ]
        query = f"SELECT {', '.join(['count(*)', *asked])} FROM {_read(some)}"
        [(rows, *found)] = connection.execute(query).fetchall()
        answers += found
    facts = zip(*[iter(answers)] * 5, strict=True)
    judged = [[(reader, next(facts)) for reader in readers] for readers in able]
    return rows, [
        next(
            (
                Choice(reader, unit, bool(fine), marks or (), doubt)
                for reader, (reads, unit, fine, marks, doubt) in column
                if reads
            ),
            None,
        )
        for column in judged
    ]


def _plain_number() -> Reader:
    """Return numbers as SQL reads them; of whole numbers beyond what float64 can tell apart, all digits."""
    whole = "TRY_CAST(@cell AS HUGEINT)"
    return Reader(
        "number",
        re.compile(_PLAIN, re.ASCII),
        value=f"CASE WHEN regexp_full_match(@cell, '{_PLAIN}') THEN TRY_CAST(@cell AS DOUBLE) END",
        finer=whole,
        fine=f"max(abs(@value)) >= {EXACT} AND bool_and(@value = trunc(@value)) AND count({whole}) = count(@cell)",
        reads=_SOME,
        style="point",
        doubt=f"bool_and(regexp_full_match(ltrim(@cell, '+-'), '{_EITHER}')) FILTER (contains(@cell, '.'))",
    )


def _number(style: Literal["point", "comma"]) -> Reader:
    """Return numbers of one unit, or of none, with decimals after a point or a comma."""
    pattern = rf"{_BEFORE}({_POINT if style == 'point' else _COMMA}){_AFTER}"
    left_out = "".join((",", *_GAPS) if style == "point" else (",", ".", *_GAPS)).replace("'", "''")
    plain = "-" if style == "point" else "-."
    powers = " ".join(f"WHEN '{word}' THEN 'e{power}'" for word, power in _POWERS.items())
    digits = f"concat(@part.sign, @part.inner, @part.digits, CASE @part.power {powers} END)"
    unit = "CASE WHEN @cell IS NOT NULL THEN concat(@part.currency, @part.mark, @part.word, @part.touching) END"
    separated = "FILTER (WHERE contains(@part.digits, '.') OR contains(@part.digits, ','))"
    return Reader(
        "number",
        re.compile(pattern, re.ASCII),
        f"regexp_extract(@cell, '^{pattern}$', {_PARTS})",
        f"TRY_CAST(translate({digits}, '{_MINUS}{left_out}', '{plain}') AS DOUBLE)",
        unit=f"max({unit})",
        marks="list(DISTINCT @part.power) || list(DISTINCT concat(@part.sign, @part.inner)) || "
        + _seen("@part.digits", (",", ".", *_GAPS)),
        reads=f"min({unit}) = max({unit}) AND NOT regexp_full_match(max({unit}), '{_NO_UNIT}')"
        f" AND NOT bool_and(regexp_full_match(@cell, '{_PHONE}'))",
        style=style,
        doubt=f"bool_and(regexp_full_match(@part.digits, '{_EITHER}')) {separated}" if style == "point" else "false",
    )


def _seen(text: str, signs: Sequence[str]) -> str:
    """Return the SQL of a list of those of the signs that some texts have."""
    each = ("'" + sign.replace("'", "''") + "'" for sign in signs)
    return f"[{', '.join(f'CASE WHEN bool_or(contains({text}, {sign})) THEN {sign} END' for sign in each)}]"


def _boolean(true: tuple[str, ...], false: tuple[str, ...], reads: str) -> Reader:
    value = f"CASE WHEN lower(@cell) IN {true} THEN true WHEN lower(@cell) IN {false} THEN false END"
    return Reader("boolean", re.compile("|".join(true + false), re.IGNORECASE), value=value, reads=reads)


def _date(pattern: str, part: str, reads: str, **more: Any) -> Reader:
    """Days; moments where one of them is not at midnight."""
    timed = "bool_or(@part <> date_trunc('day', @part))"
    compiled = re.compile(pattern, re.ASCII)
    return Reader("date", compiled, part, "CAST(@part AS DATE)", "@part", timed, reads=reads, **more)


def _date_in_digits(first: Literal["day", "month"], signs: str) -> Reader:
    """Days with this first, the year last."""
    parts, order = ((_DAY, _MONTH), r"\3-\2-\1") if first == "day" else ((_MONTH, _DAY), r"\3-\1-\2")
    pattern = f"[{signs}]".join((*parts, _YEAR))
    iso = f"nullif(regexp_replace(@cell, '^{pattern}{_CLOCK}$', '{order}\\4'), @cell)"
    half_days = f"try_strptime({iso}, ['%Y-%m-%d %I:%M %p', '%Y-%m-%d %I:%M:%S %p'])"
    part = f"CASE WHEN lower(@cell[-1]) = 'm' THEN {half_days} ELSE TRY_CAST({iso} AS TIMESTAMP) END"
    half, fraction = (
        "CASE WHEN lower(@cell[-1]) = 'm' THEN 'm' END",
        r"CASE WHEN regexp_matches(@cell, ':.*\.') THEN 'f' END",
    )
    clocks = f"list(DISTINCT concat(length(@cell) - length(replace(@cell, ':', '')), {half}, {fraction}))"
    either = "CASE WHEN bool_or(day(@part) <> month(@part)) THEN bool_and(day(@part) <= 12) END"
    doubt = either if first == "month" else "NULL" if signs == "." else "false"
    marks = f"{clocks} || {_seen('@cell', signs)}"
    return _date(pattern + _CLOCK, part, _SOME, style=first, doubt=doubt, marks=marks)


def _date_of_short_years() -> Reader:
    """Days as in the United States, 12/31/99, where one of them can have nothing but the month first."""
    pattern = "[/]".join((_MONTH, _DAY, _SHORT_YEAR))
    reads = f"{_SOME} AND bool_or(day(@part) > 12)"
    return _date(pattern, "try_strptime(@cell, '%m/%d/%y')", reads, note=_SHORT_YEARS)


def _date_in_words(pattern: str, order: str, year: Literal["%Y", "%y"] = "%Y") -> Reader:
    understood = f"regexp_replace(@cell, '^{pattern}$', '={order}')"  # = marks it
    note = _SHORT_YEARS if year == "%y" else ""
    return _date(pattern, f"try_strptime({understood}, '=%d %b {year}')", _SOME, note=note)


_SOME = "count(@cell) > 0"
_SHORT_YEARS = "its years have two digits; 68 was taken for 2068, and 69 for 1969."
_TEXT = Reader("text")
_WHOLE = Reader("number", value="CAST(@part AS DOUBLE)", finer="@part", fine=f"max(abs(@value)) >= {EXACT}")
_AS_IS = ("BOOLEAN", "VARCHAR", "DATE", "TIMESTAMP")  # and whole numbers
_NATIVE: dict[str, tuple[Reader, ...]] = {
    "VARCHAR": (),
    "BOOLEAN": (Reader("boolean"),),
    "DOUBLE": (Reader("number"),),
    "TIMESTAMP": (_date("", "@cell", "true"),),
}
_PLAIN_NUMBER, _NUMBER, _NUMBER_COMMA = _plain_number(), _number("point"), _number("comma")
_TRUTHS = _boolean(("true", "yes"), ("false", "no"), _SOME)
_ISO_DATE = _date(
    _ISO, f"CAST(TRY_CAST(replace(regexp_extract(@cell, '^{_ISO}$'), '/', '-') AS TIMESTAMPTZ) AS TIMESTAMP)", _SOME
)
_DAY_FIRST = _date_in_digits("day", "/-")
_TEXT_READERS = (  # of those that can read all texts of a column, the first is taken
    _PLAIN_NUMBER,
    _NUMBER,
    _NUMBER_COMMA,
    _TRUTHS,
    _boolean(("t",), ("f",), "count(DISTINCT @value) = 2"),
    _boolean(("y",), ("n",), "count(DISTINCT @value) = 2"),
    _ISO_DATE,
    _date_in_digits("day", "."),
    _date_in_digits("month", "/-"),
    _DAY_FIRST,
    _date_of_short_years(),
    _date_in_words(rf"{_MONTHS}\.? +{_DAY}{_ORDINAL},? +{_YEAR}", r"\2 \1 \3"),
    _date_in_words(rf"{_DAY}{_ORDINAL}[ -]+{_MONTHS}\.?[ -]+{_YEAR}", r"\1 \2 \3"),
    _date_in_words(rf"{_DAY}{_ORDINAL}[ -]+{_MONTHS}\.?[ -]+{_SHORT_YEAR}", r"\1 \2 \3", "%y"),
)
WITH_ZONE = ("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ", "TIMESTAMPTZ_NS")  # as DuckDB calls moments
IN_UTC = "its times have a time zone; days and hours are those of UTC."
_OTHER: dict[Style, Reader] = {"point": _NUMBER_COMMA, "month": _DAY_FIRST}
_NOTES: dict[Style, str] = {
    "point": "its cells may have a decimal point or a point after thousands; 1.234 was taken for a little more than 1.",
    "month": "its cells may have the month first or the day; 03/04/2024 was taken for March 4. Dates such as 2024-03-04"
    " leave no doubt.",
}
PLAIN_PATTERNS = tuple(
    reader.pattern.pattern for reader in (_PLAIN_NUMBER, _TRUTHS, _ISO_DATE)
)  # other programs read them too

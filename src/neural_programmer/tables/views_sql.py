"""What the views of views.py read of a cell, in SQL: the same patterns, and to the last digit the same numbers."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from sqlglot import exp

from neural_programmer.tables.kinds import WRITTEN, Column
from neural_programmer.tables.table import Kind
from neural_programmer.tables.views import (
    DATES,
    LARGE,
    LONGEST_CELL,
    MONTH,
    MONTH_STARTS,
    NEGATIVE,
    NO_YEAR,
    NUMBER,
    REMARK,
    SCALE,
    SECOND,
    TIME,
    YEAR,
    YEARS,
    View,
)

Stored = Literal["text", "typed", "guessed"]  # of a type of its own, or of one that DuckDB guesses unless it is told


class Viewed(NamedTuple):
    """A column that is a view: its name, the column that it is read from, of which kind that is, and the view; of texts
    that are dates, how they write them."""

    name: str
    column: str
    kind: Kind
    view: View
    stored: Stored = "text"
    formats: tuple[str, ...] = ()

    def expression(self) -> Any:
        """Return what it reads, under its name."""
        cell = exp.column(self.column, quoted=True)
        cell = exp.cast(cell, "VARCHAR") if self.stored == "typed" else cell
        cell = written_date(cell, self.formats) if self.formats else cell
        return exp.alias_(value(cell, self.view, self.kind), self.name, quoted=True)


class File(NamedTuple):
    """How DuckDB is to read a file of text, or several files: the delimiter, and the columns whose cells it takes for
    nothing else; of several, the function that reads them, their paths or a pattern of these, and more options."""

    delimiter: str
    texts: frozenset[str]
    function: str = "READ_CSV"
    paths: tuple[str, ...] = ()
    options: tuple[str, ...] = ()  # that are true

    def read(self, path: str) -> Any:
        """Return the call that reads it."""
        paths = [_text(each) for each in self.paths or (path,)]
        named = [_option(name, exp.true()) for name in self.options]
        if self.texts:
            types = [exp.PropertyEQ(this=_text(column), expression=_text("TEXT")) for column in sorted(self.texts)]
            plain = {"delim": _text(self.delimiter), "header": exp.true()} if self.delimiter else {}
            plain["types"] = exp.Struct(expressions=types)
            named += [_option(name, value) for name, value in plain.items()]
        what = paths[0] if len(paths) == 1 else exp.Array(expressions=paths)
        return exp.Anonymous(this=self.function, expressions=[what, *named])


def _option(name: str, value: Any) -> exp.PropertyEQ:
    return exp.PropertyEQ(this=exp.to_identifier(name), expression=value)


def viewed(columns: Sequence[Column]) -> list[Viewed]:
    """Return those of some columns that are views."""
    kinds: dict[str, Kind] = {column.name: column.kind for column in columns}
    return [
        Viewed(column.name, column.view_of, kinds[column.view_of], column.view) for column in columns if column.view
    ]


def relation(columns: Sequence[Column], plain: str, *others: str) -> exp.Select:
    """Return the columns of a `plain` relation, the views among them read from the others, and `others` of it after
    them."""
    made = {view.name: view.expression() for view in viewed(columns)}
    own = [made.get(column.name) or exp.column(column.name, quoted=True) for column in columns]
    return exp.select(*own, *(exp.column(name, quoted=True) for name in others)).from_(exp.to_table(plain))


def relation_name(plain: str) -> str:
    """Return what a relation with views is called in a query, which the plain one is not."""
    return f"{WRITTEN}_" if plain.lower() == WRITTEN else WRITTEN


def before(query: exp.Select, name: str, plain: str, views: Sequence[Viewed], file: File | None = None) -> exp.Select:
    """Return a query on `name` with a plain relation with views before it."""
    own = exp.Table(this=exp.to_identifier(plain, quoted=True))
    texts = {view.column for view in views if view.stored == "guessed"}
    if texts or file is not None:
        file = file or File("", frozenset())
        own = file._replace(texts=file.texts | texts).read(plain)
    read = exp.select("*", *(view.expression() for view in views)).from_(own)
    query = query.with_(name, as_=read, append=True, copy=False)
    query.ctes.insert(0, query.ctes.pop())  # what else is before the query may use it
    return query


def written_date(cell: Any, formats: Sequence[str]) -> Any:
    """Return the moment that a text says in one of these ways."""
    return exp.Anonymous(this="TRY_STRPTIME", expressions=[cell, exp.Array(expressions=list(map(_text, formats)))])


def value(cell: Any, view: View, kind: Kind = "text") -> Any:
    """Return what a view reads of a cell of a column of text, or of dates; NULL where there is no such thing."""
    if kind == "date":
        return _call("MONTHNAME", cell) if view == "month" else exp.cast(_call("YEAR", cell), "DOUBLE")
    cell = _call("LEFT", cell, exp.Literal.number(LONGEST_CELL))
    text = _call("LOWER", _call("REGEXP_REPLACE", cell, _text(REMARK), _text(""), _text("g")))
    match view:
        case "month":
            return _call("MONTHNAME", _date(text))
        case "span":
            years, numbers = ([_plain(_part(text, of, group)) for group in (1, 2)] for of in (YEARS, SECOND))
            apart = exp.case().when(_matches(text, YEARS), exp.Abs(this=exp.paren(years[1] - years[0])))
            other = exp.or_(*(_matches(text, pattern) for pattern in (YEAR, NEGATIVE, SCALE)))
            return apart.when(exp.not_(other), exp.Abs(this=exp.paren(numbers[1] - numbers[0])))
        case "time":
            hours, minutes, seconds = (_part(text, TIME, group) for group in (1, 2, 3))
            whole = _number(exp.DPipe(this=_text("0"), expression=hours)) * 3600 + _number(minutes) * 60
            return whole + _number(seconds)
        case "date":
            return _date(text)
        case "year":
            return _number(_part(text, YEAR, 1))
        case "second number":
            return _plain(_part(text, SECOND, 2))
        case "number":
            scale = exp.case(_part(text, SCALE, 1))
            for name, times in LARGE.items():
                scale = scale.when(_text(name), exp.Literal.number(int(times)))
            sign = exp.case().when(_matches(text, NEGATIVE), exp.Literal.number(-1)).else_(exp.Literal.number(1))
            return sign * scale.else_(exp.Literal.number(1)) * _plain(_part(text, NUMBER, 1))


def _date(text: Any) -> Any:
    """Return the day by the first pattern that a text has; NULL where there is no such day, and no year 0."""
    found = exp.case()
    for pattern, places in DATES.items():
        year, month, day = (_part(text, pattern, place) if place else None for place in places)
        parts = (
            exp.Nullif(this=year, expression=_text("0000")) if year else _text(str(NO_YEAR)),
            _month(month) if MONTH in pattern else month,
            day or _text("1"),
        )
        found = found.when(_matches(text, pattern), exp.TryCast(this=_joined(parts), to=exp.DataType.build("DATE")))
    return found


def _month(name: Any) -> Any:
    """Return the number of a month by the place of its first three letters."""
    place = _call("STRPOS", _text(MONTH_STARTS), _call("LEFT", name, exp.Literal.number(3)))
    return exp.paren(exp.IntDiv(this=exp.paren(place + 2), expression=exp.Literal.number(3)))


def _joined(parts: Iterable[Any]) -> Any:
    """Return texts with hyphens between them; NULL where one of them is."""
    joined, *others = parts
    for part in others:
        joined = exp.DPipe(this=exp.DPipe(this=joined, expression=_text("-")), expression=part)
    return joined


def _part(text: Any, pattern: str, group: int) -> Any:
    """Return a group of the first place that a text has a pattern at; the empty text where there is none."""
    return _call("REGEXP_EXTRACT", text, _text(pattern), exp.Literal.number(group))


def _matches(text: Any, pattern: str) -> Any:
    return _call("REGEXP_MATCHES", text, _text(pattern))


def _plain(digits: Any) -> Any:
    """Return a number with commas between its digits."""
    return _number(_call("REPLACE", digits, _text(","), _text("")))


def _number(digits: Any) -> Any:
    return exp.TryCast(this=digits, to=exp.DataType.build("DOUBLE"))


def _call(name: str, *arguments: Any) -> Any:
    return exp.func(name, *(argument.copy() for argument in arguments), dialect="duckdb")


def _text(value: str) -> exp.Literal:
    return exp.Literal.string(value)

"""Times in questions: intervals of moments, and conditions on parts of times.

Since May 2019, between May 3 and 9, the last 7 days of the data; on weekends, after 6 pm, in May of any year.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

import numpy as np

from neural_programmer.questions.asked.columns import called
from neural_programmer.questions.asked.dates import Reader, newest
from neural_programmer.questions.asked.mentions import Interval, Mention, Span, TimeOf
from neural_programmer.questions.asked.patterns import pattern
from neural_programmer.questions.asked.points import Point, as_values, with_year
from neural_programmer.questions.asked.sentence import Sentence
from neural_programmer.questions.asked.vocabulary import DAYTIMES

SINCE = frozenset(("since", "from", "starting", "beginning"))
AFTER = frozenset(("after", "past", "following", "post"))
BEFORE = frozenset(("before", "prior", "pre"))
UNTIL = frozenset(("until", "till", "through", "by", "upto"))
WITH = {"after": "since", "before": "until", "since": "since"}  # in or after 2005
NOT_BEYOND = {"later": "until", "after": "until", "earlier": "since", "before": "since"}
TO = frozenset(("to", "until", "till", "through", "and"))


def moments(sentence: Sentence) -> Iterator[Mention]:
    """Read the times of a question, from left to right, each word once."""
    reader = Reader(sentence)
    taken: set[int] = set()
    for mention in (*_hours(sentence, reader), *_relative(sentence, reader)):
        place = set(range(*mention.position))
        if not place & taken or (isinstance(mention, Interval) and mention.note):
            taken |= place
            yield mention
    item = 0
    while item < len(sentence.items):
        found = None
        if sentence.items[item].first not in taken:
            found = _from_to(sentence, reader, item) or _one(sentence, reader, item)
        if found is None:
            item += 1
            continue
        end, mentions = found
        yield from (mention for mention in mentions if not set(range(*mention.position)) & taken)
        item = max(end, item + 1)


def _said(sentence: Sentence, first: int, end: int) -> tuple[Span, str]:
    span = Span(sentence.items[first].first, sentence.items[end - 1].end)
    return span, sentence.said(span)


def _start(day: date | None) -> np.datetime64 | None:
    return None if day is None else np.datetime64(day, "us")


def _finish(day: date | None) -> np.datetime64 | None:
    return None if day is None else np.datetime64(day, "us") + np.timedelta64(1, "D") - np.timedelta64(1, "us")


def _columns(reader: Reader, first: date | None, last: date | None) -> tuple[int, ...]:
    """Return the columns that may be compared: those of years with whole years alone."""
    whole = (first is None or (first.month, first.day) == (1, 1)) and (
        last is None or (last.month, last.day) == (12, 31)
    )
    return reader.times.every if whole else reader.times.dates or reader.times.every


def _from_to(sentence: Sentence, reader: Reader, item: int) -> tuple[int, list[Mention]] | None:
    """Read between May 3 and 9, from 2010 to 2015, May to August, Monday to Friday."""
    symbols = reader.symbols
    word = symbols[item]
    start = item + 1 if word in ("between", "from", "starting", "beginning") else item
    if start == item + 1 and symbols[start : start + 1] in (["in"], ["from"], ["on"]):
        start += 1
    before = word if start > item else symbols[item - 1] if item else ""
    if start == item and symbols[item + 1 : item + 2] == ["to"]:
        before = "from"
    one = reader.at(start, before) if start < len(symbols) else None
    day, skipped = 0, 0
    if one is None and start < len(symbols):
        skipped = int(symbols[start] == "the")
        day = reader._day_of_month(start + skipped)
    if one is None and not day:
        return None
    link = start + (one.length if one else 1 + skipped)
    if link + 1 >= len(symbols) or symbols[link] not in TO or (symbols[link] == "and" and word != "between"):
        return None
    if (
        symbols[link] == "to"
        and start == item
        and one is not None
        and one.part is None
        and symbols[item - 1 : item] == ["by"]
    ):
        return None
    other = reader.at(link + 1, "between")
    end = link + 1 + (other.length if other else 1)
    if one is None:  # 3 to 9 May
        if other is None or other.first is None or other.first != other.last:
            return None
        try:
            one = Point(1, other.first.replace(day=day), other.first.replace(day=day))
        except ValueError:
            return None
    if other is None:  # May 3 to 9; 2005 to 09
        day = reader._day_of_month(link + 1)
        if one.first is None or one.last is None:
            return None
        said = sentence.words[sentence.items[link + 1].first].text
        if (
            (one.first.month, one.last.month) == (1, 12)
            and one.first.year == one.last.year
            and re.fullmatch(r"\d\d", said)
        ):
            year = one.first.year // 100 * 100 + int(said)
            other = Point(1, date(year, 1, 1), date(year, 12, 31)) if year > one.first.year else None
        elif day and one.first == one.last and day <= monthrange(one.first.year, one.first.month)[1]:
            other = Point(1, one.first.replace(day=day), one.first.replace(day=day))
        if other is None:
            return None
    span, said = _said(sentence, item, end)
    if one.part and one.part == other.part and one.part in ("weekday", "month of a year", "quarter"):
        return end, [TimeOf(span, said, one.part, as_values((one, other)), columns=reader.times.dates)]
    if other.first is not None and (one.open or one.part) and not other.open:
        one = with_year(one, other.first.year)
        if one.first and one.first > other.first:
            one = with_year(one._replace(open=one.open or (one.first.month, one.first.day)), other.first.year - 1)
    elif one.first is not None and (other.open or other.part) and not one.open:
        other = with_year(other, one.first.year)
    if one.first is None or other.last is None:
        return None
    if one.first > other.last and (one.open or other.open):
        one = with_year(one, other.last.year - 1)
    if one.first is None or other.last is None or one.first > other.last:
        return None
    columns = _columns(reader, one.first, other.last)
    return end, [Interval(span, said, _start(one.first), _finish(other.last), columns, one.note or other.note)]


def _one(sentence: Sentence, reader: Reader, item: int) -> tuple[int, list[Mention]] | None:
    """Read since May 2019, before 2015, in May, on Mondays, 2019."""
    symbols = reader.symbols
    word, start = symbols[item], item + 1
    way = ""
    if (
        word in ("in", "on")
        and symbols[start : start + 1] == ["or"]
        and symbols[start + 1 : start + 2]
        and symbols[start + 1] in WITH
    ):
        way, start = WITH[symbols[start + 1]], item + 3
    elif word in SINCE | AFTER | BEFORE | UNTIL | {"in", "on", "during", "of", "for", "at", "throughout", "within"}:
        way = word
        if symbols[start : start + 1] == ["to"] and word == "prior":
            start += 1
        if symbols[start : start + 1] in (["in"], ["from"], ["on"]) and word in ("starting", "beginning"):
            start += 1
    elif word in ("later", "earlier", "newer", "older", "more", "less") and symbols[start : start + 1] == ["than"]:
        way = {"later": "after", "newer": "after", "earlier": "before", "older": "before"}.get(word, "")
        start = item + 2
        if not way:
            return None
    elif word in ("no", "not") and symbols[start : start + 1] and symbols[start] in NOT_BEYOND:
        way, start = NOT_BEYOND[symbols[start]], item + 2 + (symbols[item + 2 : item + 3] == ["than"])
    elif word == "up" and symbols[start : start + 3] == ["to", "and", "including"]:
        way, start = "until", item + 4
    elif word == "up" and symbols[start : start + 1] == ["to"]:
        way, start = "until", item + 2
    else:
        start = item
    before = way if start >= item + 2 and way else symbols[start - 1] if start else ""
    if symbols[start : start + 1] == ["the"] and reader.says_year(start + 1):
        start += 1
    if reader.says_year(start) and symbols[start + 1 : start + 2] and symbols[start + 1][0] == "#":
        start += 1
        before = "year"
    point = reader.at(start, before) if start < len(symbols) else None
    if point is None:
        return None
    end = start + point.length
    rest = " ".join(symbols[end : end + 4])
    turn = end + 2 < len(symbols) and symbols[end] == "or" and reader.at(end + 2, symbols[end + 1]) is not None
    if turn:  # before 1989 or after 2007
        pass
    elif later := pattern("later").match(rest):
        way, end = "since", end + len(later[0].split())
    elif earlier := pattern("earlier").match(rest):
        way, end = "until", end + len(earlier[0].split())
    elif way == "from":  # films from 2019 are of that year
        way = "of"
    beginning = item if way and way not in ("for",) else start
    span, said = _said(sentence, beginning, end)
    dates = reader.times.dates
    if point.part is not None:
        values = point.values
        if way in SINCE | AFTER and point.part == "month of a year" and reader.times.last is not None:
            return end, [_since_month(sentence, reader, span, said, way, values[0])]
        if way in BEFORE and point.part == "month of a year" and reader.times.last is not None:
            return end, [_since_month(sentence, reader, span, said, way, values[0])]
        return end, [TimeOf(span, said, point.part, values, columns=dates)]
    first, last = point.first, point.last
    assert first is not None
    assert last is not None
    note = point.note
    if way in SINCE:
        interval = Interval(span, said, _start(first), None, _columns(reader, first, None), note)
    elif way in AFTER:
        interval = Interval(
            span, said, _start(last + timedelta(1)), None, _columns(reader, last + timedelta(1), None), note
        )
    elif way in BEFORE:
        interval = Interval(
            span, said, None, _finish(first - timedelta(1)), _columns(reader, None, first - timedelta(1)), note
        )
    elif way in UNTIL:
        interval = Interval(span, said, None, _finish(last), _columns(reader, None, last), note)
    else:
        interval = Interval(span, said, _start(first), _finish(last), _columns(reader, first, last), note)
    return end, [interval]


def _since_month(sentence: Sentence, reader: Reader, span: Span, said: str, way: str, month: int) -> Interval:
    """Return the time since the last such month of the table, or before it."""
    last = reader.times.last
    assert last is not None
    year = last.year if month <= last.month else last.year - 1
    first = date(year, month, 1)
    note = f"the year was taken to be {year}"
    if way in BEFORE:
        return Interval(span, said, None, _finish(first - timedelta(1)), reader.times.dates, note)
    if way in AFTER:
        first = date(year + (month == 12), month % 12 + 1, 1)
    return Interval(span, said, _start(first), None, reader.times.dates, note)


def _relative(sentence: Sentence, reader: Reader) -> Iterator[Mention]:
    """Read times that count from the newest of a column: last year, the last 7 days, this month, yesterday."""
    places = reader.times.dates or reader.times.years[:1]
    for section in ("relative", "today", "ago"):
        for found in sentence.find(section):
            groups = found.groupdict()
            span = sentence.span(found)
            said = sentence.said(span)
            for place in places:
                new = newest(sentence.index, place)
                name = sentence.index.columns[place].name
                note = f"counted from {new.day} {new:%B %Y}, the newest {name}"
                if sentence.index.columns[place].kind == "number":
                    note = f"counted from {new.year}, the newest {name}"
                days = _days(groups, new, found[0], sentence)
                if days is not None:
                    yield Interval(span, said, _start(days[0]), _finish(days[1]), (place,), note)


def _days(groups: dict[str, str | None], new: date, said: str, sentence: Sentence) -> tuple[date, date] | None:
    """Return the first and the last day of a time that counts from the newest."""
    if named := groups.get("day"):
        if named in ("today", "yesterday"):
            day = new - timedelta(named == "yesterday")
            return day, day
        return (new.replace(day=1) if named.startswith("month") else date(new.year, 1, 1)), new
    unit, which = str(groups["unit"]), groups.get("which") or ""
    count = groups.get("count")
    if "ago" in said.split():
        number = 1 if count in ("a", "an") else int(sentence.value(str(count)))
        day = _back(new, unit, number)
        return _whole(day, unit) if unit in ("year", "month") else (day, day)
    if unit in ("hour", "weekend") or (which == "recent" and not count):
        return None
    if count == "few":
        return None
    if which in ("this", "current", "latest", "most recent", "newest") and not count:
        return _whole(new, unit)
    number = int(sentence.value(count)) if count else 1
    if number < 1 or number > 10_000:
        return None
    if (
        count
        or which in ("past", "latest", "most recent", "recent", "newest")
        or (groups.get("the") and which == "last")
    ):
        start = _back(new, unit, number) + timedelta(1)
        return start, new
    first, _ = _whole(new, unit)  # last month: the one before that of the newest day
    return _whole(first - timedelta(1), unit)


def _back(day: date, unit: str, count: int) -> date:
    """Return the day so many units before another."""
    try:
        if unit in ("day", "week"):
            return day - timedelta(count * (7 if unit == "week" else 1))
        months = count * {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit]
        years, month = divmod(day.year * 12 + day.month - 1 - months, 12)
        return date(years, month + 1, min(day.day, monthrange(years, month + 1)[1]))
    except (OverflowError, ValueError):
        return date.min


def _whole(day: date, unit: str) -> tuple[date, date]:
    """Return the day, week, month, quarter, year or decade that a day is in."""
    if unit == "day":
        return day, day
    if unit == "week":
        monday = day - timedelta(day.weekday())
        return monday, monday + timedelta(6)
    months = {"month": 1, "quarter": 3, "year": 12, "decade": 12}[unit]
    first = date(day.year // 10 * 10 if unit == "decade" else day.year, (day.month - 1) // months * months + 1, 1)
    last = date(first.year + 9, 12, 1) if unit == "decade" else first.replace(month=first.month + months - 1)
    return first, last.replace(day=monthrange(last.year, last.month)[1])


def _hours(sentence: Sentence, reader: Reader) -> Iterator[Mention]:
    """Read after 6 pm, 18:30, before noon, between 9 and 5 pm, at night."""
    hours = [p for choice in called(["hour"], sentence.index) for p in [choice.column] if choice.score > 0.7]
    columns = (*reader.times.dates, *hours)
    for found in sentence.find("hours"):
        mention = _hour(sentence, found, columns)
        if mention is not None:
            yield mention
    for found in sentence.find("daytime"):
        low, high = DAYTIMES[found["part"].removesuffix("s")]
        if found["part"] in ("night", "nights") and not found[0].startswith(("at", "during", "in", "of", "by")):
            continue
        span = sentence.span(found)
        if low < high:
            yield TimeOf(span, sentence.said(span), "hour", (), low, high, columns)
        else:
            values = (*range(low, 24), *range(high))
            yield TimeOf(span, sentence.said(span), "hour", values, columns=columns)


def _hour(sentence: Sentence, found: re.Match[str], columns: tuple[int, ...]) -> TimeOf | None:
    one, two, way = found["hour"], found["hour2"], found["way"] or ""
    spoken = {"morning": "am", "afternoon": "pm", "evening": "pm"}.get(
        found["half3"] or "", "pm" if found["night"] else ""
    )
    marked = [half for half in (found["half"], found["half2"], spoken) if half]
    oclock = re.search(r"o'?clock|oclock|\bh\b", found[0])
    if not (marked or oclock or any(h and h[0] in "!nm" for h in (one, two))):
        return None
    if one[0] == "!" and columns == () and way in ("", "between"):  # a duration: 2:01
        return None
    halves = found["half"] or found["half2"] or spoken
    low = _clock(sentence, one, halves)
    span = sentence.span(found)
    said = sentence.said(span)
    if low is None or (low == 24 and not way):  # open 24 h
        return None
    if two is not None:
        high = _clock(sentence, two, found["half2"] or "")
        if high is None:
            return None
        if low > high >= 12 and not found["half"]:  # 9 to 5 pm
            low -= 12
        return TimeOf(span, said, "hour", (), low, high, columns) if low < high else None
    later = found["later"] or ""
    if way in ("after", "since", "from", "past", "later than", "not before") or later.endswith(
        ("later", "onwards", "onward")
    ):
        return TimeOf(span, said, "hour", (), low, 24.0, columns)
    if way in ("before", "until", "till", "by", "earlier than") or later.endswith("earlier"):
        return TimeOf(span, said, "hour", (), 0.0, low or 24.0, columns)
    if low == int(low):
        return TimeOf(span, said, "hour", (int(low) % 24,), columns=columns)
    return TimeOf(span, said, "hour", (), low, low + 1 / 60, columns)


def _clock(sentence: Sentence, symbol: str, half: str) -> float | None:
    """Return the hour of 6 pm, 18:30, noon; 6.5 of half past six."""
    if symbol in ("noon", "midday"):
        return 12.0
    if symbol == "midnight":
        return 0.0
    if symbol[0] == "!":
        hour, minute = (int(part) for part in sentence.words[int(symbol[1:])].text.split(":")[:2])
        value = hour + minute / 60
    else:
        value = sentence.value(symbol)
    if half and not 0 < value < 13:
        return None
    if half == "pm":
        value = value % 12 + 12
    elif half == "am":
        value = value % 12
    return value if 0 <= value <= 24 else None

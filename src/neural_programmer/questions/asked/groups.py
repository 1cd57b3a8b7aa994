"""Words that group: per district, by month, for each region and year, city-wise, broken down by, which airline.

A unit after "per" is no key: per hour, per 100 g, km per litre.
"""

import re
from collections.abc import Iterator

from neural_programmer.questions.asked.columns import ROOT, kind_of, named_after
from neural_programmer.questions.asked.dates import Times, times_of
from neural_programmer.questions.asked.mentions import Choice, Key, Mention, Part, Rate, Span
from neural_programmer.questions.asked.orders import orders_by
from neural_programmer.questions.asked.patterns import NUMBER
from neural_programmer.questions.asked.sentence import Sentence
from neural_programmer.questions.asked.vocabulary import ADVERBS, BY_THE_HOUR, PART_OF, RATES
from neural_programmer.questions.keys import unsaid
from neural_programmer.questions.tokens import folded, name_words, stemmed
from neural_programmer.questions.units import ENDING, UNIT_OF

ORDERS = frozenset(
    "sort sorted sorting order ordered ordering arrange arranged rank ranked ranking rated listed".split()
)
DIVIDED = frozenset("divided multiplied divide multiply times increased decreased increase decrease differ".split())
PARTS = sorted(PART_OF, key=lambda said: -len(said.split()))
TIMED = frozenset(("year", "quarter", "month", "week", "day", "hour", "weekday"))
PAID = frozenset("price cost rent salary wage pay fee rate charge paid income night speed".split())
BEFORE_WHICH = frozenset("show tell find list know see say please but then so also determine give wonder".split())
WEAK = 0.35  # score of a key from which it is one after words that also mean other things


def groups(sentence: Sentence) -> Iterator[Mention]:
    """Read keys, from left to right; after "and" one more."""
    taken: set[int] = set()
    times = times_of(sentence.index)
    for mention in (
        *_wise(sentence, times),
        *_adverbs(sentence, times),
        *_grouped(sentence, times, "per"),
        *_grouped(sentence, times, "by"),
        *_which(sentence, times),
        *_busiest(sentence, times),
    ):
        place = set(range(*mention.position))
        if not place & taken:
            taken |= place
            yield mention


def part_at(sentence: Sentence, item: int) -> tuple[int, tuple[Part, ...]]:
    """Return how many items from one on say a part of a time, and which parts that may be, the likeliest first."""
    for said in PARTS:
        length = len(said.split())
        symbols = [each.symbol for each in sentence.items[item : item + length]]
        if len(symbols) == length and " ".join([*symbols[:-1], stemmed(symbols[-1])]) == said:
            part: Part = PART_OF[said]  # pyright: ignore[reportAssignmentType]
            if said == "month":
                rest = [each.symbol for each in sentence.items[item + 1 : item + 4]]
                if rest[:3] in (["of", "the", "year"], ["of", "a", "year"]):
                    return 4, ("month of a year",)
                return length, ("month", "month of a year")
            if said == "calendar month":
                return length, ("month of a year", "month")
            return length, (part,)
    return 0, ()


def _part_held(sentence: Sentence, item: int, times: Times) -> tuple[int, tuple[Part, ...]]:
    """Return the parts of a time that items say, as far as the table has them: years have no months."""
    length, parts = part_at(sentence, item)
    if times.dates or (times.years and parts == ("year",)):
        return length, parts
    return 0, ()


def _key(sentence: Sentence, times: Times, first: int, item: int, how: str) -> tuple[int, Key] | None:
    """Return the key that is named from an item on, and how far it goes."""
    skipped = item
    while skipped < len(sentence.items) and sentence.items[skipped].symbol in (
        "the",
        "different",
        "distinct",
        "single",
        "individual",
        "given",
    ):
        skipped += 1
    if skipped >= len(sentence.items):
        return None
    if how == "each" and sentence.items[skipped].symbol.startswith("#"):  # each of the three districts
        item = skipped = min(skipped + 1, len(sentence.items) - 1)
    if how == "by" and [each.symbol for each in sentence.items[skipped : skipped + 2]] == ["number", "of"]:
        item = skipped = min(skipped + 2, len(sentence.items) - 1)
    length, parts = _part_held(sentence, skipped, times)
    end, choices, said = named_after(sentence, item)
    if parts and times.every and not (choices and choices[0].score >= 0.8 and end > skipped + length):
        end = max(skipped + length, end if choices and choices[0].score >= 0.99 else 0)
        exact = tuple(choice for choice in choices if choice.score >= 0.8)
        if exact and kind_of(sentence.index, exact[0].column) == "date" and parts[0] == "day":
            exact = ()
        return end, _made(sentence, first, end, how, exact, parts, times)
    if choices and choices[0].evidence == "word vectors" and said and sentence.index.row_names.has(said[0]):
        return skipped + 1, _made(sentence, first, skipped + 1, how, (), (), times, True)
    if choices:
        rows = bool(said) and sentence.index.row_names.has(folded(said[0]))
        return end, _made(sentence, first, end, how, choices, (), times, rows and how != "which")
    if said and sentence.index.row_names.has(said[0]):
        return skipped + 1, _made(sentence, first, skipped + 1, how, (), (), times, True)
    return None


def _made(sentence: Sentence, first: int, end: int, how: str, choices: tuple[Choice, ...], parts: tuple[Part, ...],
          times: Times, rows: bool = False) -> Key:  # fmt: skip
    span = Span(sentence.items[first].first, sentence.items[end - 1].end)
    return Key(span, sentence.said(span), how, choices, parts, times.every if parts else (), rows)  # pyright: ignore[reportArgumentType]


def _grouped(sentence: Sentence, times: Times, section: str) -> Iterator[Mention]:
    for found in sentence.find(section):
        first, item = sentence.item_at(found.start()), sentence.place(found)
        if item >= len(sentence.items) or sentence.stops_after(item - 1):
            continue
        before = sentence.items[first - 1].symbol if first else ""
        words = found[0].split()
        how = "by" if section == "by" else "per" if "per" in words or words[0] in ("group", "grouped") else "each"
        if words[0] in ("divide", "divided") and not _is_plural_key(sentence, item):
            continue
        if how == "by" and (before in DIVIDED or _is_sorted(sentence, first)):
            continue
        if how == "per" and found[0].startswith("per"):
            rate = _rate(sentence, times, first, item, before)
            if rate is not None:
                yield rate
                continue
        if found[0] in ("across", "across all", "across the", "for all", "for all the") and not _is_plural_key(
            sentence, item
        ):
            continue
        made = _key(sentence, times, first, item, how) or _of_last(sentence, times, first, item, how)
        if made is None:
            if how != "by" and found[0] not in ("each", "every") and not sentence.items[item].symbol.startswith("#"):
                end = item + 1
                if sentence.items[item].symbol.isalpha() and sentence.items[item].symbol not in unsaid() | {"other"}:
                    yield _made(sentence, first, end, how, (), (), times)
            continue
        end, key = made
        if how == "by" and not key.parts and end < len(sentence.items) and sentence.items[end].symbol.startswith("#"):
            continue  # used by grade 5
        if how == "by" and not _groups_by(sentence, key, first, end, before):
            continue
        if found[0] == "every" and key.rows and not key.choices:
            continue
        yield key
        yield from _more(sentence, times, end, how)


def _of_last(sentence: Sentence, times: Times, first: int, item: int, how: str) -> tuple[int, Key] | None:
    """Return the key of each of the last 12 months."""
    symbols = [each.symbol for each in sentence.items[item : item + 3]]
    if how != "each" or symbols[:1] not in (["last"], ["past"]) or len(symbols) < 2:
        return None
    place = item + 1 + symbols[1].startswith("#")
    length, parts = _part_held(sentence, place, times)
    return (item, _made(sentence, first, item, how, (), parts[:1], times)) if length else None


def _is_plural_key(sentence: Sentence, item: int) -> bool:
    _, choices, _ = named_after(sentence, item)
    return (
        bool(choices) and choices[0].score >= WEAK and kind_of(sentence.index, choices[0].column) in ("text", "boolean")
    )


def _is_sorted(sentence: Sentence, first: int) -> bool:
    """Return whether "by" belongs to sorted by."""
    return any(item.symbol in ORDERS for item in sentence.items[max(first - 7, 0) : first]) and not any(
        item.symbol in ("by", "and") for item in sentence.items[max(first - 2, 0) : first]
    )


def _groups_by(sentence: Sentence, key: Key, first: int, end: int, before: str) -> bool:
    """Return whether "by" names a key: a number after the top five, the largest or a list is what orders these."""
    if key.parts:
        return True
    if key.rows or not key.choices or key.choices[0].score < WEAK:
        return False
    columns = [sentence.index.columns[choice.column] for choice in key.choices]
    if all(column.kind == "number" and not column.is_year for column in columns):
        line = sentence.line[: sum(len(item.symbol) + 1 for item in sentence.items[:first])]
        return not orders_by(sentence, first, end) and not _is_ranked(line)
    return key.choices[0].evidence != "word vectors" or not before.endswith("ed")


def _is_ranked(line: str) -> bool:
    return re.search(r"(?<!\S)(?:top|bottom|[a-z]+est|best|worst)(?!\S)", line) is not None


def _more(sentence: Sentence, times: Times, end: int, how: str) -> Iterator[Key]:
    """Read the second key: for each region and year; by sex and by class."""
    while end < len(sentence.items) - 1:
        symbol = sentence.items[end].symbol
        comma = sentence.stops_after(end - 1)
        start = end + 1 if symbol in ("and", "&", "then") else end if comma else len(sentence.items)
        if start < len(sentence.items) and sentence.items[start].symbol in ("then", "and"):
            start += 1
        if start < len(sentence.items) and sentence.items[start].symbol in ("by", "per", "each"):
            return
        made = _key(sentence, times, start, start, how) if start < len(sentence.items) else None
        if made is None:
            return
        end, key = made
        columns = [sentence.index.columns[choice.column] for choice in key.choices]
        if key.rows or (
            not key.parts and (not columns or (columns[0].kind in ("number", "date") and not columns[0].is_year))
        ):
            return
        if key.choices and key.choices[0].score < 0.6:
            return
        yield key


def _rate(sentence: Sentence, times: Times, first: int, item: int, before: str) -> Rate | None:
    """Return the unit of per hour, per 100 g, km per litre; None where it is a key."""
    amount, place = 1.0, item
    if re.fullmatch(NUMBER, sentence.items[item].symbol):
        amount, place = sentence.value(sentence.items[item].symbol), item + 1
        if place >= len(sentence.items):
            return None
    word = sentence.items[place].symbol
    squared = word in ("square", "cubic") and place + 1 < len(sentence.items)
    if squared:
        place += 1
        unit = stemmed(sentence.items[place].symbol)
        span = Span(sentence.items[first].first, sentence.items[place].end)
        return Rate(span, sentence.said(span), amount, f"{word} {UNIT_OF.get(unit, unit)}")
    stem = stemmed(word)
    span = Span(sentence.items[first].first, sentence.items[place].end)
    if place > item and word.isalpha():
        if stem in ("year", "decade"):
            return None
        return Rate(span, sentence.said(span), amount, UNIT_OF.get(stem, stem))
    named = sentence.named(word)
    if named is not None and named.columns:
        return None
    _, choices, _ = named_after(sentence, item)
    if choices and choices[0].score >= (1.0 if stem in {*UNIT_OF, *ENDING} and stem not in TIMED else 0.75):
        return None
    if sentence.index.row_names.has(word) and stem not in ("capita", "person"):
        return None
    if stem in TIMED:
        earlier = [stemmed(item.symbol) for item in sentence.items[max(first - 2, 0) : first]]
        for item_ in sentence.items[max(first - 2, 0) : first]:
            if named := sentence.named(item_.symbol):
                earlier += [stemmed(word) for word in name_words(named.said)]
        paid = any(word in BY_THE_HOUR or word in UNIT_OF or word in PAID for word in earlier)
        if times.dates and not (stem == "hour" and paid) and not (earlier and earlier[-1] in UNIT_OF):
            return None
        if times.years and stem == "year":
            return None
        return Rate(span, sentence.said(span), 1.0, UNIT_OF.get(stem, stem))
    after = sentence.items[place + 1].symbol if place + 1 < len(sentence.items) else ""
    if stem not in UNIT_OF and after.isalpha() and after not in unsaid() and not sentence.stops_after(place):
        return None  # per head office
    if stem in RATES or (stem in {*UNIT_OF, *ENDING} and stem not in ("day", "week", "month", "year", "quarter")):
        return Rate(span, sentence.said(span), 1.0, UNIT_OF.get(stem, stem))
    return None


def _wise(sentence: Sentence, times: Times) -> Iterator[Key]:
    for found in sentence.find("wise"):
        item = sentence.item_at(found.start())
        made = _key(sentence, times, item, item, "wise")
        if made is not None:
            yield _made(sentence, item, item + 2, "wise", made[1].choices, made[1].parts, times)


def _adverbs(sentence: Sentence, times: Times) -> Iterator[Key]:
    for found in sentence.find("adverb"):
        if not times.every:
            return
        part: Part = ADVERBS.get(found["word"] or "", found["unit"] or "")  # pyright: ignore[reportAssignmentType]
        parts: tuple[Part, ...] = ("month", "month of a year") if part == "month" else (part,)
        first, end = sentence.item_at(found.start()), sentence.place(found)
        if not times.dates and part != "year":
            continue
        yield _made(sentence, first, end, "adverb", (), parts, times)


def _which(sentence: Sentence, times: Times) -> Iterator[Key]:
    """Read which airline has the most delays, in which month, what day of the week."""
    for found in sentence.find("which"):
        first, item = sentence.item_at(found.start()), sentence.place(found)
        if (found["count"] and found["how"] == "what") or item >= len(sentence.items):
            continue
        if found["how"] == "which" and not found["prep"] and _is_relative(sentence, first):
            continue
        made = _key(sentence, times, first, item, "which")
        if made is None:
            continue
        end, key = made
        if key.rows or (not key.parts and (_is_row(sentence, item) or key.choices[0].score < WEAK)):
            continue
        if sentence.items[item].symbol in unsaid() and sentence.items[item].symbol not in ("the",):
            continue
        if not key.parts and found["how"] == "what":
            best = sentence.index.columns[key.choices[0].column]
            if key.choices[0].score < ROOT:
                continue
            if not found["prep"] and (best.kind == "number" or end - item > 3) and not best.is_year:
                continue
            if sentence.items[item].symbol == "the":
                continue
        if key.parts and key.parts[0] == "day" and sentence.items[end - 1].symbol == "date":
            continue
        yield key


def _is_relative(sentence: Sentence, item: int) -> bool:
    """Return whether "which" goes on with what was named just before it: departments which offer courses."""
    if not item or sentence.stops_after(item - 1):
        return False
    before = sentence.items[item - 1].symbol
    return before[0] == "@" or (before.isalpha() and before not in unsaid() and before not in BEFORE_WHICH)


def _groups(sentence: Sentence, place: int) -> bool:
    """Return whether a column may group: one of years, or of texts of which several rows have the same."""
    column = sentence.index.columns[place]
    return column.is_year or (kind_of(sentence.index, place) != "number" and not column.different)


def _is_row(sentence: Sentence, item: int) -> bool:
    """Return whether a word is what the rows are called, and not a column with the same cell in several rows."""
    symbol = sentence.items[item].symbol
    named = sentence.named(symbol)
    return sentence.index.row_names.has(folded(named.said) if named else symbol)


def _busiest(sentence: Sentence, times: Times) -> Iterator[Key]:
    """Read busiest month, year with the most."""
    if not times.every:
        return
    for found in sentence.find("busiest"):
        group = "part" if found["part"] else "part2"
        item = sentence.item_at(found.start(group))
        length, parts = _part_held(sentence, item, times)
        named = sentence.named(sentence.items[item].symbol)
        if named is not None and found["part2"]:
            choices = tuple(Choice(place, 1.0, "name") for place in named.columns if _groups(sentence, place))
            if not choices:
                continue
            yield _made(sentence, item, item + 1, "which", choices, (), times)
        elif length:
            yield _made(sentence, item, item + length, "which", (), parts, times)

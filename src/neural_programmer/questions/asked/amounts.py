"""Numbers of people: amounts and shares, what they are compared with, ranks, bands.

A dozen, two thirds, more than half, at least twice as many, between 5 and 10; the top five, the second; bands of 100.
"""

import re
from collections.abc import Iterator

from neural_programmer.questions.asked.columns import called, kind_of, measures, named_after
from neural_programmer.questions.asked.mentions import (
    Amount,
    Band,
    Choice,
    Comparison,
    End,
    Mention,
    Operator,
    Span,
    Top,
)
from neural_programmer.questions.asked.sentence import Sentence
from neural_programmer.questions.asked.vocabulary import COUNTING, ENDS, FACTORS, adjectives
from neural_programmer.questions.quantities import DECADES, ORDINALS
from neural_programmer.questions.tokens import stemmed
from neural_programmer.questions.units import ENDING, UNIT_OF

MONEY = {"dollar": "$", "dollars": "$", "usd": "$", "bucks": "$", "euro": "€", "euros": "€", "eur": "€", "pound": "£",
         "pounds": "£", "gbp": "£"}  # fmt: skip
UNIT_WORDS = frozenset({*UNIT_OF, *ENDING}) - {"m", "b", "t", "h", "c", "f", "v", "w", "s", "l", "second", "in"}
LETTERS = {"m": "metre", "g": "gram", "l": "litre", "h": "hour", "s": "second"}
WAYS: tuple[Operator, ...] = ("at least", "at most", "unequal", "equal", "greater", "less")  # as [compared] has them
IN_WORDS = {"tens": 10.0, "hundreds": 100.0, "thousands": 1e3, "fives": 5.0, "twenties": 20.0, "millions": 1e6,
            "hundred": 100.0, "thousand": 1e3, "million": 1e6, "ten": 10.0}  # fmt: skip
NO_SHARE = frozenset(("first", "second", "last", "an", "other", "better", "best"))
LARGEST_RANK = 1_000


def amounts(sentence: Sentence) -> Iterator[Mention]:
    """Read numbers: ranges and ranks before the plain amounts that are left."""
    taken: set[int] = set()
    for reading in (_bands, _places, _between, _tops, _compared, _ranks, _shares, _plain):
        for mention in reading(sentence):
            place = set(range(*mention.position))
            if not place & taken:
                taken |= place
                yield mention


def value_of(sentence: Sentence, said: str) -> tuple[float, str]:
    """Return the number and the unit that a value in the line says."""
    words = said.split()
    number = next((sentence.numbers[int(word[1:])] for word in words if word[0] == "#"), None)
    if number is not None:
        value, money = number
        if len(words) == 1:
            return value, money
        if words[1] in ("percent", "per"):
            return value, "percent"
        if words[1] in ("times", "x"):
            return value, "times"
        return value * COUNTING[stemmed(words[1])] * 100, "percent"
    if words[-1] in FACTORS:
        return FACTORS[words[-1]], "times"
    return COUNTING[words[-1]] * 100, "percent"


def unit_after(sentence: Sentence, item: int) -> tuple[int, str]:
    """Return how many items after a number are its unit, and which."""
    word = sentence.items[item].symbol if item < len(sentence.items) else ""
    if sentence.stops_after(item - 1) if item > 0 else True:
        return 0, ""
    if word in MONEY:
        return 1, MONEY[word]
    if word in ("square", "cubic") and item + 1 < len(sentence.items):
        return 2, f"{word} {UNIT_OF.get(stemmed(sentence.items[item + 1].symbol), sentence.items[item + 1].symbol)}"
    stem = stemmed(word)
    if word in UNIT_WORDS or stem in UNIT_WORDS:
        return 1, UNIT_OF.get(stem, UNIT_OF.get(word, stem))
    if word == "percent" or (word in LETTERS and sentence.words[sentence.items[item].first].text == word != "s"):
        return 1, LETTERS.get(word, word)
    return 0, ""


def _mention(sentence: Sentence, found: re.Match[str], more: int = 0) -> tuple[Span, str]:
    span = sentence.span(found)
    if more:
        span = Span(span.first, sentence.items[sentence.place(found) + more - 1].end)
    return span, sentence.said(span)


def _compared(sentence: Sentence) -> Iterator[Comparison]:
    for found in sentence.find("afterwards"):
        value, unit = value_of(sentence, found["value"])
        unit = unit or _unit((found["unit"] or "").strip())
        span, said = _mention(sentence, found)
        if found["least"]:
            yield Comparison(span, said, "at least", value, None, unit)
        else:
            yield Comparison(span, said, "at most", None, value, unit)
    for found in sentence.find("compared"):
        place = next(place for place in range(len(WAYS)) if found[f"w{place}"])
        operator, said_way = WAYS[place], found[f"w{place}"]
        value, unit = value_of(sentence, found[f"v{place}"])
        more, own = (0, unit) if unit in ("percent", "times") else unit_after(sentence, sentence.place(found))
        if said_way in ("within", "past", "after the", "max") and not own:
            continue
        rest = sentence.line[found.end() :].split()
        if unit == "times" and rest[:1] == ["as"]:
            more = 2 if rest[1:2] and rest[1] in ("many", "much", "high", "large", "long", "big", "old") else 1
        span, said = _mention(sentence, found, more)
        low = value if operator in ("greater", "at least", "equal", "unequal") else None
        high = value if operator in ("less", "at most", "equal", "unequal") else None
        yield Comparison(span, said, operator, low, high, own or unit, _of_adjective(said_way, sentence))


def _of_adjective(way: str, sentence: Sentence) -> tuple[Choice, ...]:
    """Return the columns that older than, cheaper than and the like compare."""
    word = next((word for word in way.split() if word in adjectives()), "")
    neutral = ("higher", "lower", "greater", "larger", "bigger", "smaller", "better", "worse")
    if not word or word in neutral:
        return ()
    turn = way.startswith("no ")  # no older than 30
    return tuple(c._replace(descending=c.descending != turn) for c in measures(adjectives()[word], sentence.index))


def _unit(word: str) -> str:
    return MONEY.get(word) or (
        UNIT_OF.get(stemmed(word), stemmed(word)) if stemmed(word) in UNIT_WORDS or word == "percent" else ""
    )


def _between(sentence: Sentence) -> Iterator[Comparison]:
    for found in sentence.find("ages"):
        digits = re.sub(r"\D", "", sentence.words[sentence.span(found, "decade").first].text)
        low = float(DECADES.get(found["decade"]) or digits)
        low, high = {"early": (low, low + 3), "mid": (low + 4, low + 6), "late": (low + 7, low + 9)}.get(
            found["third"], (low, low + 9)
        )
        span, said = _mention(sentence, found)
        yield Comparison(span, said, "between", low, high)
    for found in sentence.find("between"):
        if found["link"] == "and" and found["word"] not in ("between", "from", "in the range", "in the range of"):
            continue
        low, money = sentence.numbers[int(found["low"][1:])]
        high, other = sentence.numbers[int(found["high"][1:])]
        text = sentence.words[sentence.items[sentence.item_at(found.start("high"))].first].text
        scale = {"k": 1e3, "m": 1e6, "b": 1e9}.get(text[-1].lower(), 1.0)
        words = sentence.said(sentence.span(found, "high")).split()
        scale = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "hundred": 100.0}.get(words[-1].lower(), scale)
        if low * scale < high and scale > 1 and low < 1000:
            low *= scale
        if low >= high:
            continue
        if found["unit"] and not _unit(found["unit"]):
            continue
        more, unit = unit_after(sentence, sentence.place(found))
        span, said = _mention(sentence, found, more)
        yield Comparison(span, said, "between", low, high, unit or money or other or _unit(found["unit"] or ""))


def _tops(sentence: Sentence) -> Iterator[Top]:
    for found in sentence.find("top"):
        end: End = ENDS[found["end"]]  # pyright: ignore[reportAssignmentType]
        span, said = _mention(sentence, found)
        if found["part"]:
            if found["part"] == "half" and found["end"] in ("first", "last"):
                continue
            share = {"decile": 10.0, "quartile": 25.0}.get(found["part"]) or 100 * COUNTING[found["part"]]
            yield Top(span, said, share, 1, end, "percent")
            continue
        count = sentence.value(found["count"])
        if found["end"] in ("best", "worst"):
            end = ""
            span = Span(span.first + 1, span.end)
            said = sentence.said(span)
        if found["percent"] or count == int(count):
            yield Top(span, said, count, 1, end, "percent" if found["percent"] else "")
    for found in sentence.find("before order"):
        count, word = sentence.value(found["count"]), found["word"]
        span = sentence.span(found, "count")
        before = sentence.line[: found.start()].split()[-1:]
        if _is_joined(sentence, span) or not (_is_superlative(word) or _distant(sentence, found)):
            continue
        if before not in (["than"], ["least"], ["top"], ["first"], ["bottom"]) and 0 < count == int(count):
            yield Top(span, sentence.said(span), count)
    for found in sentence.find("after order"):
        count, word = sentence.value(found["count"]), found["word"]
        most = sentence.line[: found.start()].split()[-1:] in (["most"], ["least"]) and word in adjectives()
        if (
            (most or _is_superlative(word))
            and not _is_joined(sentence, sentence.span(found, "count"))
            and 0 < count == int(count) <= LARGEST_RANK
            and word not in ("most", "least")
        ):
            span = sentence.span(found, "count")
            yield Top(span, sentence.said(span), count)


def _distant(sentence: Sentence, found: re.Match[str]) -> bool:
    """Return whether a number counts what has the highest of something: the 3 flats with the highest rent."""
    if sentence.line[: found.start()].split()[-3:-1] == ["which", "of"]:
        return False
    rest = sentence.line[found.end("count") :].split()[:7]
    for place, word in enumerate(rest):
        if (
            word in ("with", "that", "which", "who", "by", "having", "for", "have", "has", "had")
            and "the" in rest[place : place + 4]
        ):
            return any(_is_superlative(other) for other in rest[place + 1 : place + 4])
    return False


def _is_joined(sentence: Sentence, span: Span) -> bool:
    """Return whether a number is joined to the next word: three-room."""
    end = sentence.words[span.end - 1].end
    return sentence.text[end : end + 1] == "-"


def _is_superlative(word: str) -> bool:
    adjective = adjectives().get(word)
    return word in ("most", "least", "fewest", "top", "rarest", "latest") or (
        adjective is not None and adjective.degree == "most"
    )


def _ranks(sentence: Sentence) -> Iterator[Mention]:
    for found in sentence.find("rank"):
        word = found["word"]
        if not _is_superlative(word):
            continue
        rank = 2 if found["ordinal"] == "next" else _ordinal(found["ordinal"])
        if rank and word != "last":
            span = sentence.span(found, "ordinal")
            yield Top(span, sentence.said(span), 1, rank)
    for found in sentence.find("numbered"):
        rank, span = _ordinal(found["ordinal"]), sentence.span(found, "ordinal")
        if not _fits_column(found["name"], rank, sentence):
            yield Amount(span, sentence.said(span), float(rank))
    for found in sentence.find("alone"):
        said = found["ordinal"]
        rest = sentence.line[found.end() :].split()[:1]
        if said in ("last", "final"):
            end: End = "last"
            rank = 1
        else:
            end, rank = "first", _ordinal(said)
        span = sentence.span(found, "ordinal")
        if rank and rest and not _fits_column(rest[0], rank, sentence):
            yield Amount(span, sentence.said(span), float(rank))
        elif (rank and rest) or rank:
            yield Top(span, sentence.said(span), 1, rank, end)


def _fits_column(word: str, rank: int, sentence: Sentence) -> bool:
    """Return whether an ordinal before a word is a rank: not the third floor of a column of floors."""
    named = sentence.named(word)
    choices = called([word], sentence.index) if named is None else [Choice(place, 1.0, "") for place in named.columns]
    columns = [sentence.index.columns[choice.column] for choice in choices if choice.score >= 0.75]
    return not any(column.kind == "number" and column.low <= rank <= column.high < LARGEST_RANK for column in columns)


def _ordinal(said: str) -> int:
    if said in ORDINALS:
        return ORDINALS.index(said)
    digits = re.match(r"\d+", said)
    return int(digits[0]) if digits else 0


def _places(sentence: Sentence) -> Iterator[Top]:
    for found in sentence.find("place"):
        span, said = _mention(sentence, found)
        place = found["place"] or found["nth"] or found["alone"]
        if found["last"]:
            yield Top(span, said, 1, 2, "last")
        elif found["runner"]:
            yield Top(span, said, 1, 2, "top")
        elif place and place[0] == "#":
            value = sentence.value(place)
            if value == int(value) and 0 < value <= LARGEST_RANK:
                yield Top(span, said, 1, int(value), "top")
        elif place and (rank := _ordinal(place)):
            yield Top(span, said, 1, rank, "top")


def _shares(sentence: Sentence) -> Iterator[Amount]:
    for found in sentence.find("share"):
        value, unit = value_of(sentence, found["share"])
        words = found["share"].split()
        before = sentence.line[: found.start()].split()[-1:]
        rest = sentence.line[found.end() :].split()
        if len(words) == 1 and words[0] != "half" and (before != ["a"] and rest[:1] != ["of"]):
            continue
        if words[-1] == "quarter" and len(words) == 1:
            continue
        if (before and before[0] in NO_SHARE) or rest[:1] == ["hour"]:
            continue
        span, said = _mention(sentence, found)
        yield Amount(span, said, value, unit)
    for found in sentence.find("factor of"):
        value, unit = value_of(sentence, found["factor"])
        span, said = _mention(sentence, found)
        yield Amount(span, said, value, unit)


def _plain(sentence: Sentence) -> Iterator[Amount]:
    for place, item in enumerate(sentence.items):
        if item.symbol[0] != "#":
            continue
        value, money = sentence.numbers[int(item.symbol[1:])]
        more, unit = unit_after(sentence, place + 1)
        span = Span(item.first, sentence.items[place + more].end)
        yield Amount(span, sentence.said(span), value, unit or money)


def _bands(sentence: Sentence) -> Iterator[Band]:
    for found in sentence.find("band"):
        for at in ("", "2", "3", "4", "5"):
            said = found[f"width{at}"]
            if not said:
                continue
            unit_said = (found[f"unit{at}"] or "") if at != "4" else ""
            unit = "year" if unit_said in ("decade", "decades") else _unit(unit_said)
            if at == "5" and (named := sentence.named(found["name5"])):
                span = sentence.span(found)
                choices = tuple(Choice(place, 1.0, "name") for place in named.columns)
                yield Band(span, sentence.said(span), sentence.value(said), unit, choices)
                break
            if at == "2" and unit_said and not unit and not _names(sentence, unit_said):
                break
            width = IN_WORDS[said] if said in IN_WORDS else sentence.value(said)
            span = sentence.span(found)
            if unit_said and not unit and at in ("", "3"):
                span = Span(span.first, sentence.span(found, f"unit{at}").first)
            if width > 0:
                yield Band(span, sentence.said(span), width, unit, _banded(sentence, found))
            break
        else:
            span, said = _mention(sentence, found)
            yield Band(span, said, IN_WORDS[found["word"] or found["word2"]], "", _banded(sentence, found))
    for found in sentence.find("decade"):
        unit = found["unit"] or "decade"
        if (named := called([unit], sentence.index)) and named[0].score >= 0.75:
            continue
        span, said = _mention(sentence, found)
        yield Band(span, said, 10.0 if unit.startswith("decade") else 100.0, "year")
    for found in sentence.find("of column"):
        named = sentence.named(found["name"])
        choices = (
            called([found["name"]], sentence.index)
            if named is None
            else tuple(Choice(p, 1.0, "name") for p in named.columns)
        )
        numbers = tuple(c for c in choices if kind_of(sentence.index, c.column) == "number" and c.score >= 0.75)
        if numbers and found["name"] not in ("in", "by", "of", "the"):
            span, said = _mention(sentence, found)
            yield Band(span, said, None, "", numbers)
    for found in sentence.find("spread"):
        _, choices, _ = named_after(
            sentence, sentence.place(found) if not found["name"] else sentence.item_at(found.start())
        )
        numbers = tuple(c for c in choices if kind_of(sentence.index, c.column) == "number")
        if numbers and numbers[0].score >= 0.6:
            span, said = _mention(sentence, found)
            yield Band(span, said, None, "", numbers)


def _names(sentence: Sentence, word: str) -> bool:
    return bool(called([word], sentence.index)) or word in ("step", "point", "wide")


def _banded(sentence: Sentence, found: re.Match[str]) -> tuple[Choice, ...]:
    """Return the column of numbers named just before bands: rent in bands of 100."""
    item = sentence.item_at(found.start())
    for place in range(item - 1, max(item - 3, -1), -1):
        symbol = sentence.items[place].symbol
        named = sentence.named(symbol)
        choices = (
            [Choice(p, 1.0, "name") for p in named.columns]
            if named
            else called([symbol], sentence.index)
            if symbol.isalpha()
            else ()
        )
        numbers = tuple(c for c in choices if kind_of(sentence.index, c.column) == "number" and c.score >= 0.6)
        if numbers:
            return numbers
    return ()

"""Numbers as people say them -> numbers as the table's columns hold them.

Twenty five, half a dozen, three-room, the third floor, six to nine thousand, the 1990s; an hour in a column of minutes,
200 million in one of millions.
"""

import re
from collections.abc import Iterator, Sequence

from neural_programmer.questions.index import Index
from neural_programmer.questions.tokens import (
    SCALES,
    Token,
    folded,
    name_words,
    number_token,
    stemmed,
    stems,
    tokenized,
)
from neural_programmer.questions.units import UNIT_OF

AMOUNTS = {
    ("half", "a", "dozen"): 6.0, ("a", "dozen"): 12.0, ("dozen",): 12.0, ("half", "a", "million"): 5e5,
    ("half", "a", "thousand"): 500.0, ("half", "a", "billion"): 5e8, ("a", "couple", "of"): 2.0,
}  # fmt: skip
PRONOUN_BEFORE = frozenset(("", *"who that which whose to from with of in on at and or for is was has had".split()))
COMPARING = ("least", "most", "than", "exactly", "over", "under", "above", "below", "equals", "within")
UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen".split()
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBER_WORDS = {*UNITS, *TENS, "hundred", "thousand", "million", "billion", "grand", "a", "an", "and"} | {
    f"{ten}-{unit}" for ten in TENS for unit in UNITS[1:10]
}
ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split()
)
DECADES = {f"{ten[:-1]}ies": 20 + 10 * place for place, ten in enumerate(TENS)}
OWN = ("their", "his", "her", "my", "our", "early", "mid", "late")  # before the decade of an age
TIMES_AS_LARGE = {
    ("second", "millisecond"): 1000, ("minute", "second"): 60, ("hour", "minute"): 60, ("hour", "second"): 3600,
    ("day", "hour"): 24, ("day", "minute"): 1440, ("week", "day"): 7, ("month", "day"): 30, ("month", "week"): 4,
    ("year", "month"): 12, ("year", "week"): 52, ("year", "day"): 365, ("decade", "year"): 10,
    ("century", "year"): 100, ("centimetre", "millimetre"): 10, ("metre", "centimetre"): 100,
    ("metre", "millimetre"): 1000, ("kilometre", "metre"): 1000, ("gram", "milligram"): 1000, ("kilo", "gram"): 1000,
    ("tonne", "kilo"): 1000, ("litre", "millilitre"): 1000,
}  # fmt: skip
MEASURED = re.compile(r"(\d{1,15}(?:\.\d{1,15})?)(kg|km|cm|mm|g|mg|l|ml|h|hrs|min|ms|mph|kmh|kwh|gb|mb|usd|eur)")
LENGTH_OF_GROUP = 4  # of three digits and what is before them
_GROUPED = re.compile(  # in groups of three digits, not by commas
    r"(?<![\w.,'\u2019])([1-9]\d{0,2})((?:[.'\u2019\u202f\u2009\u00a0 ]\d{3})+)(?:([.,])(\d+))?(?![\w'\u2019]|[ ,.]\d)",
    re.ASCII,
)
_DECIMALS = re.compile(r"(?<![\w.,])(\d+),(\d{1,2})(?!\w|[.,]\d)", re.ASCII)
AND_A_HALF = ["and", "a", "half"]
IN_SHORT = frozenset("min m s h g t l mo sec".split())  # which are units at the end of a name alone
LESS = ("minus", "negative")
LONGEST_NUMBER = 20  # words of a number
REACH = 3.0  # a number this many times as large as a column's greatest is none of its kind


def quantities(tokens: list[Token], index: Index) -> list[Token]:
    """Words that say numbers become numbers.

    >>> from neural_programmer.tables.table import Table
    >>> index = Index.of(Table(("price", "wait (min)"), ([5000.0, 9000.0], [10.0, 90.0])))
    >>> from neural_programmer.questions.tokens import tokenized
    >>> [token.number for token in quantities(tokenized("six to nine thousand over an hour"), index) if token.number]
    [6000.0, 9000.0, 60.0]
    """
    tokens = list(_ordinals(list(_decades(_in_words(list(_apart(tokens, index))))), index))
    tokens = list(_of_units(_halves(_shared(tokens)), index))
    return [_fitted(token, index) for token in tokens]


def plainly(text: str, index: Index) -> str:
    """Return a question whose numbers have a decimal point and commas alone, however they are grouped; what is in a
    cell stays as it is. Where the table has decimal commas, 12,5 has one too.

    >>> from neural_programmer.tables.table import Table
    >>> plainly("over 1.234,56 or 10 000 or 1'000.5", Index.of(Table(("price",), ([1.0],))))
    'over 1234.56 or 10000 or 1000.5'
    """
    commas = "comma" in index.styles

    def plain(found: re.Match[str]) -> str:
        gaps, point = set(re.findall(r"\D", found[2])), found[3]
        decimals = found[4] or ""
        points = gaps == {"."} and (point == "," or commas or len(found[2]) > LENGTH_OF_GROUP)
        if len(gaps) > 1 or gaps == {point} or not (points or gaps - {"."}):
            return found[0]
        if stems([token.key for token in tokenized(found[0])]) in index.texts:
            return found[0]
        return re.sub(r"\D", "", found[1] + found[2]) + (f".{decimals}" if point else "")

    text = _GROUPED.sub(plain, text)
    return _DECIMALS.sub(r"\1.\2", text) if commas else text


def _number(value: float, *tokens: Token, scale: float = 1.0) -> Token:
    text = " ".join(token.text for token in tokens)
    return Token(text, folded(text), value, None, scale)


def _apart(tokens: Sequence[Token], index: Index) -> Iterator[Token]:
    """Three-room, 5-star and 2.5kg as a number and a word, gas-heated as a cell and a word; not what a cell says so."""
    for token in tokens:
        measured = MEASURED.fullmatch(token.key)
        if measured and stemmed(token.key) not in index.texts:
            yield _number(float(measured[1]), Token(measured[1], measured[1]))
            yield Token(measured[2], measured[2])
            continue
        first, _, rest = token.key.partition("-")
        if not rest or not rest.isalpha() or token.key in NUMBER_WORDS or stemmed(token.key) in index.texts:
            yield token
        elif first in UNITS[1:] or first in TENS:
            yield Token(first, first, float(_value([first]) or 0.0))
            yield Token(rest, stemmed(rest.removesuffix("ed")) if rest.removesuffix("ed") in index.names else rest)
        elif re.fullmatch(r"\d+", first):
            yield number_token(first)
            yield Token(rest, rest)
        elif stemmed(first) in index.texts:
            yield Token(token.text[: len(first)], first)
            yield Token(rest, rest)
        else:
            yield token


def _in_words(tokens: list[Token]) -> list[Token]:
    """Twenty five becomes 25, a thousand 1000, 3 million 3000000; one is a number where it counts something."""
    read: list[Token] = []
    place = 0
    while place < len(tokens):
        said = tuple(token.key for token in tokens[place : place + 3])
        whole = next((length for length in (3, 2, 1) if said[:length] in AMOUNTS), 0)
        if whole:
            read.append(_number(AMOUNTS[said[:whole]], *tokens[place : place + whole]))
            place += whole
            continue
        length = _number_words(tokens, place)
        words = [token.key for token in tokens[place : place + length]]
        value = _value(words) if words and (words != ["one"] or _counts(tokens, place)) else None
        if value is not None:
            scale = SCALES.get(words[-1], 1.0)
            read.append(_number(value, *tokens[place : place + length], scale=scale))
            place += length
            continue
        token = tokens[place]
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if token.number is not None and after is not None and after.key in ("thousand", "million", "billion", "grand"):
            scale = SCALES[after.key]
            read.append(_number(token.number * scale, token, after, scale=scale))
            place += 2
            continue
        read.append(token)
        place += 1
    return read


def _counts(tokens: Sequence[Token], place: int) -> bool:
    """Return whether one is a number: after what compares, and in only one medal; not in the only one with a medal."""
    said = ["", "", *(token.key for token in tokens), ""]
    earlier, before, after = said[place], said[place + 1], said[place + 3]
    alone = before in ("only", "just") and earlier != "the" and after not in PRONOUN_BEFORE
    return alone or before in (*COMPARING, "between", "from")


def _number_words(tokens: Sequence[Token], place: int) -> int:
    """Return how many words from here say a number; "and" goes on with one after hundreds and more only."""
    length, between = 0, place > 0 and tokens[place - 1].key == "between"
    while (
        place + length < len(tokens) and (key := tokens[place + length].key) in NUMBER_WORDS and length < LONGEST_NUMBER
    ):
        last = tokens[place + length - 1].key if length else ""
        if key == "and" and (between or last not in ("hundred", "thousand", "million", "billion")):
            break
        length += 1
    while length and tokens[place + length - 1].key in ("and", "a", "an"):
        length -= 1
    return length


def _value(words: Sequence[str]) -> float | None:
    """Return the number that these words say, or None if they say none.

    >>> _value("two hundred and twenty five".split())
    225.0
    """
    from text_to_num import text2num

    if all(word in ("a", "an", "and", "grand") for word in words) and "grand" not in words[1:]:
        return None
    same = {"a": "one", "an": "one", "grand": "thousand"}
    try:
        return float(text2num(" ".join(same.get(word, word) for word in words if word != "and"), "en"))
    except ValueError:
        return None


def _halves(tokens: list[Token]) -> list[Token]:
    """Four and a half is 4.5, seven point five 7.5, minus five -5 unless it is taken from another number."""
    read: list[Token] = []
    for token in tokens:
        keys = [one.key for one in read[-3:]]
        if token.key == "half" and keys[1:] == ["and", "a"] and len(read) > 2 and read[-3].number is not None:
            whole = 12.0 if read[-3].key.endswith("dozen") else read[-3].scale
            read[-3:] = [_number(read[-3].number + whole / 2, *read[-3:], token)]
        elif (
            token.number is not None
            and token.number == token.scale > 1
            and keys[-1:]
            and keys[-1].endswith("and a half")
        ):
            read[-1:] = [_number((read[-1].number or 0.0) * token.scale, read[-1], token, scale=token.scale)]
        elif keys[-1:] == ["point"] and len(read) > 1 and (point := _point(read[-2], token)) is not None:
            read[-2:] = [_number(point, *read[-2:], token, scale=token.scale)]
        elif token.number is not None and keys[-1:] and keys[-1] in LESS and (len(read) < 2 or read[-2].number is None):
            read[-1:] = [_number(-token.number, read[-1], token)]
        else:
            read.append(token)
    return read


def _point(one: Token, other: Token) -> float | None:
    """Seven point zero five, two point five million."""
    *digits, last = other.key.split() or [""]
    scale = SCALES.get(last, 100.0 if last == "hundred" else 1.0) if digits else 1.0
    said = digits if scale != 1.0 else [*digits, last]
    said = [str(UNITS.index(word)) if word in UNITS[:10] else word for word in said]
    if not all(word.isdigit() for word in said) or not re.fullmatch(r"\d{1,9}(?:\.0)?", str(one.number)):
        return None
    return float(f"{one.number:.0f}.{''.join(said)}") * scale


def _shared(tokens: list[Token]) -> list[Token]:
    """From six to nine thousand: what the second number is multiplied with holds for the first."""
    read = list(tokens)
    for place in range(len(tokens) - 2):
        one, link, other = tokens[place : place + 3]
        ranges = link.key == "to" or (link.key == "and" and place > 0 and tokens[place - 1].key in ("between", "from"))
        if not ranges or one.number is None or other.number is None or not one.scale == 1.0 < other.scale:
            continue
        if one.number * other.scale <= other.number:
            read[place] = _number(one.number * other.scale, one, scale=other.scale)
    return read


def _decades(tokens: Sequence[Token]) -> Iterator[Token]:
    """Return the 1990s are between 1990 and 1999, somebody in their twenties is between 20 and 29; 1990's is a decade
    after "the", and else something of 1990."""
    for place, token in enumerate(tokens):
        before = {one.key for one in tokens[max(place - 2, 0) : place]}
        digits = re.fullmatch(r"((?:1[5-9]|20)?\d0)('?)s", token.key)
        first = DECADES.get(token.key) or (int(digits[1]) if digits else 0)
        short = first < 100 or (digits is not None and bool(digits[2]))
        if not first or (short and not before & {"the", *OWN}):
            yield number_token(digits[1]) if digits and digits[2] else token
            continue
        first += 1900 if first < 100 and not before.intersection(OWN) else 0
        last = first + (99 if digits and first % 100 == 0 and len(digits[1]) == 4 and first < 2000 else 9)
        yield from (Token("between", "between"), number_token(str(first)), Token("and", "and"), number_token(str(last)))


def ordinal(key: str) -> int | None:
    """Return the number of 5th or fifth.

    >>> ordinal("fifth"), ordinal("21st"), ordinal("five")
    (5, 21, None)
    """
    if key in ORDINALS:
        return ORDINALS.index(key)
    digits = re.fullmatch(r"(\d{1,9})(?:st|nd|rd|th)", key)
    return int(digits[1]) if digits else None


def _ordinals(tokens: Sequence[Token], index: Index) -> Iterator[Token]:
    """Return the third floor: a number before the name of a column in whose range it is."""
    for place, token in enumerate(tokens):
        value, after = ordinal(token.key), stemmed(tokens[place + 1].key) if place + 1 < len(tokens) else ""
        columns = [index.columns[column] for column in (*index.names.get(after, ()), *index.parts.get(after, ()))]
        fits = value is not None and any(column.low <= value <= column.high for column in columns)
        yield _number(float(value), token) if fits and value is not None else token


def _of_units(tokens: Sequence[Token], index: Index) -> Iterator[Token]:
    """Two weeks, an hour and a half and half a year as numbers of the unit that a column has in its name."""
    held = list(_measured(index))
    said = {stemmed(token.key) for token in tokens}
    place = 0
    while place < len(tokens):
        token = tokens[place]
        rest = [one.key for one in tokens[place : place + 6]]
        before = tokens[place - 1].key if place else ""
        length, count = 1, token.number
        if rest[:2] in (["half", "a"], ["half", "an"]):
            length, count = 2, 0.5
        elif rest[0] in ("a", "an") and (before in COMPARING or rest[2:3] == ["or"] or rest[2:] == [*AND_A_HALF, "or"]):
            count = 1.0
        unit = UNIT_OF.get(stemmed(tokens[place + length].key)) if place + length < len(tokens) else None
        times = _times_as_large(unit, held, said) if unit and count is not None else None
        if times is None or count is None or token.period is not None:
            yield token
            place += 1
            continue
        more = rest[length + 1 : length + 4] == AND_A_HALF
        yield _number((count + 0.5 * more) * times, *tokens[place : place + length])
        yield tokens[place + length]
        place += length + 1 + 3 * more


def _measured(index: Index) -> Iterator[tuple[Sequence[str], str]]:
    """Return the other words of the names of columns that have a unit, and the units; min_qty has none."""
    for column in index.columns:
        words = [stemmed(word) for word in name_words(column.name)]
        units = [w for place, w in enumerate(words, 1) if w in UNIT_OF and (place == len(words) or w not in IN_SHORT)]
        if column.kind == "number" and not column.is_year and units:
            yield [word for word in words if word != units[-1]], UNIT_OF[units[-1]]


def _times_as_large(unit: str, held: Sequence[tuple[Sequence[str], str]], said: set[str]) -> float | None:
    """Return how often the unit of a column goes into one that was said: of the only one that has such a unit, or of
    the columns that are mentioned; once where nobody knows."""
    fitting = [(times, words) for words, other in held if (times := _ratio(unit, other)) is not None]
    if len({times for times, _ in fitting}) > 1:
        fitting = [(times, words) for times, words in fitting if said.intersection(words)]
    every = {times for times, _ in fitting}
    return every.pop() if len(every) == 1 else 1.0 if every else None


def _ratio(unit: str, other: str) -> float | None:
    if unit == other:
        return 1.0
    times = TIMES_AS_LARGE.get((unit, other))
    back = TIMES_AS_LARGE.get((other, unit))
    return float(times) if times else 1.0 / back if back else None


def _fitted(token: Token, index: Index) -> Token:
    """200 million as 200 where no column holds so much, and one of millions holds that; 3500m as 3500 metres."""
    numbers = [column for column in index.columns if column.kind == "number"]
    if token.number is None or token.scale == 1.0 or any(token.number <= REACH * column.high for column in numbers):
        return token
    for column in numbers:
        for word in name_words(column.name):
            scale = re.fullmatch(r"(k|m|mn|b|bn|thousand|million|billion)s?(?:usd|eur|gbp)?", word)
            fitting = token.number / SCALES[scale[1]] if scale else token.number
            if scale and column.low / REACH <= fitting <= REACH * column.high:
                return token._replace(number=fitting)
    return token

"""Say single things: numbers, times, plurals, with typing errors."""

from random import Random

from neural_programmer.questions.quantities import TENS, UNITS
from neural_programmer.questions.times import MONTHS

UNSEEN = frozenset("news series species staff".split())


def number_said(
    value: float, random: Random, unit: tuple[str, ...] = (), money: bool = False, year: bool = False
) -> str:
    """Return a number as people write it, perhaps with its unit."""
    text = _number(value, random, money, year)
    unit = tuple(each for each in unit if len(each) > 1)  # link reads 5 m as five million
    if year or not unit or text[0] in "$€£" or random.random() < 0.55:
        return text
    return f"{text} {random.choice(unit)}"


def _number(value: float, random: Random, money: bool, year: bool) -> str:
    whole = value == int(value)
    if year:
        return str(int(value))
    roll = random.random()
    if whole and roll < 0.12 and 2 <= value < 100:
        return in_words(int(value))
    if whole and roll < 0.3 and 2 <= value <= 12:
        return in_words(int(value))
    if whole and value >= 1_000_000 and value % 100_000 == 0 and roll < 0.6:
        scaled = f"{value / 1e6:g}"
        return random.choice((f"{scaled} million", f"{scaled}m", f"{scaled}M", f"{scaled} million"))
    if whole and value >= 1000 and value % 100 == 0 and roll < 0.35:
        scaled = f"{value / 1e3:g}"
        return random.choice((f"{scaled}k", f"{scaled}k", f"{scaled}K", f"{scaled} thousand"))
    text = f"{int(value)}" if whole else f"{value:.2f}".rstrip("0")
    if abs(value) >= 1000 and random.random() < 0.45:
        text = f"{int(value):,}" if whole else f"{value:,.2f}".rstrip("0")
    return f"{random.choice('$$€£')}{text}" if money and value > 0 and random.random() < 0.15 else text


def in_words(value: int) -> str:
    """
    >>> in_words(25), in_words(7)
    ('twenty five', 'seven')
    """
    if value < 20:
        return UNITS[value]
    return TENS[value // 10 - 2] + (f" {UNITS[value % 10]}" if value % 10 else "")


def time_said(day: str, random: Random) -> tuple[str, str]:
    """Return a day, month or year as people write it, and which of these it is."""
    year, month, number = day.split("-")
    name = MONTHS[int(month) - 1].title()
    short = random.choice((name, name, name, name[:3]))
    roll = random.random()
    if roll < 0.4:
        return year, "year"
    if roll < 0.65:
        return f"{short} {year}", "month"
    if roll < 0.8:
        return day, "day"
    return random.choice(
        (f"{int(number)} {short} {year}", f"{short} {int(number)}, {year}", f"{short} {int(number)} {year}")
    ), "day"


def plural(noun: str) -> str:
    """
    >>> plural("category"), plural("price"), plural("sales"), plural("box")
    ('categories', 'prices', 'sales', 'boxes')
    """
    if noun.endswith("s") or noun in UNSEEN or not noun[-1:].isalpha():
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("x", "ch", "sh")) else "s")


def one_of(nouns: str) -> str:
    """
    >>> one_of("comedies"), one_of("boxes"), one_of("fords")
    ('comedy', 'box', 'ford')
    """
    if nouns.endswith("ies"):
        return nouns[:-3] + "y"
    return nouns.removesuffix("es" if nouns.endswith(("xes", "ches", "shes", "sses")) else "s")


def with_article(noun: str) -> str:
    """
    >>> with_article("age"), with_article("visits")
    ('an age', 'visits')
    """
    if noun.endswith("s") and not noun.endswith(("ss", "us")):
        return noun
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def third(verb: str) -> str:
    """Return what one does instead of several: "live in {}" becomes "lives in {}".

    >>> third("live in {}"), third("go to {}"), third("have {} left"), third("are {}")
    ('lives in {}', 'goes to {}', 'has {} left', 'is {}')
    """
    first, _, rest = verb.partition(" ")
    if first.endswith("ed"):
        return verb
    irregular = {"have": "has", "are": "is", "were": "was", "do": "does", "go": "goes", "carry": "carries"}
    ending = "es" if first.endswith(("s", "x", "ch", "sh", "o")) else "s"
    return f"{irregular.get(first, first + ending)} {rest}"


PAST = {
    "cost": "cost", "make": "made", "get": "got", "take": "took", "have": "had", "win": "won", "spend": "spent",
    "sell": "sold", "bring": "brought", "pay": "paid", "put": "put", "run": "ran", "go": "went", "come": "came",
    "stand": "stood", "lie": "lay", "give": "gave", "do": "did", "write": "wrote", "hold": "held", "leave": "left",
    "send": "sent", "eat": "ate", "know": "knew", "see": "saw", "are": "were", "lose": "lost", "feed": "fed",
}  # fmt: skip


def past(verb: str) -> str:
    """Return what was done: "earn {}" becomes "earned {}".

    >>> past("earn {}"), past("put in {}"), past("carry {}"), past("score")
    ('earned {}', 'put in {}', 'carried {}', 'scored')
    """
    first, space, rest = verb.partition(" ")
    ending = "d" if first.endswith("e") else "ed"
    regular = f"{first[:-1]}ied" if first.endswith("y") and first[-2:-1] not in "aeiou" else first + ending
    return PAST.get(first, regular) + space + rest


def mistyped(text: str, random: Random) -> str:
    """Return the text with two letters in the other order, one left out, or one twice."""
    letters = [place for place in range(1, len(text) - 2) if text[place : place + 2].isalpha()]
    if len(text) < 6 or not text.isascii() or not letters:
        return text
    place, roll = random.choice(letters), random.random()
    if roll < 0.4:
        return text[:place] + text[place + 1 :]
    if roll < 0.6:
        return text[:place] + text[place] + text[place:]
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]

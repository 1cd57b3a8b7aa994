"""Words that readings look for, each list once; adjectives.txt has those of orders."""

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from neural_programmer.questions.keys import DAY_NAMES, IN_FULL, SMALL_WORDS
from neural_programmer.questions.quantities import ORDINALS, TENS, UNITS
from neural_programmer.questions.times import MONTHS
from neural_programmer.questions.tokens import SCALES
from neural_programmer.questions.units import UNIT_NAMES

IN_SHORT = {  # for what people write in short
    "avg": "average", "ave": "average", "pct": "percent", "perc": "percent", "%": "percent", "w/o": "without",
    "yr": "year", "yrs": "years", "mth": "month", "mths": "months", "qtr": "quarter", "wk": "week", "wks": "weeks",
    "hr": "hour", "hrs": "hours", "mins": "minutes", "max": "maximum", "min": "minimum", "vs": "versus", "#": "number",
    "num": "number", "nr": "number", "cnt": "count", "asc": "ascending", "desc": "descending", "diff": "different",
    "btw": "between", "btwn": "between", "incl": "including", "excl": "excluding", "stdev": "deviation",
    "stddev": "deviation", "approx": "about", "&": "and", "ppl": "people", "corr": "correlation",
    "categorised": "grouped", "categorized": "grouped", "aggregated": "grouped", "segmented": "grouped",
}  # fmt: skip
MISSPELT = {  # that one changed letter does not mend, or that are other words
    "teh": "the", "wich": "which", "whihc": "which", "thier": "their", "becuase": "because", "colum": "column",
    "precent": "percent", "percantage": "percentage", "avrage": "average", "avarage": "average", "averge": "average",
    "hightest": "highest", "higest": "highest", "heighest": "highest", "bigest": "biggest", "febuary": "february",
    "wensday": "wednesday", "seperate": "separate", "corelation": "correlation", "mroe": "more", "tahn": "than",
    "form": "from", "calender": "calendar",
}  # fmt: skip
TRULY_WORDS = frozenset(("form",))  # of these, that are words in most places
COUNTING = {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "fourth": 0.25, "fifth": 0.2, "sixth": 1 / 6, "eighth": 0.125,
            "tenth": 0.1, "hundredth": 0.01}  # fmt: skip
GROUPS_OF = {"dozen": 12.0, "couple": 2.0, "score": 20.0, "hundred": 100.0, "thousand": 1e3, "million": 1e6,
             "billion": 1e9, "grand": 1e3}  # fmt: skip
FACTORS = {"once": 1.0, "twice": 2.0, "double": 2.0, "thrice": 3.0, "triple": 3.0, "treble": 3.0}
WEEKDAYS = {day: place for place, day in enumerate(DAY_NAMES, 1)}
WEEKDAYS |= {short: WEEKDAYS[day] for short, day in IN_FULL.items() if day in WEEKDAYS}
WEEKDAYS |= {f"{day}s": WEEKDAYS[day] for day in DAY_NAMES} | {"thur": 4, "thurs": 4, "weds": 3}
SEASONS = {"spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11), "fall": (9, 10, 11), "winter": (12, 1, 2)}
DAYTIMES = {  # from the first hour to before the last
    "morning": (6, 12), "afternoon": (12, 18), "evening": (18, 22), "night": (22, 6), "lunchtime": (12, 14),
}  # fmt: skip
HOLIDAYS = {
    "christmas day": (12, 25), "christmas eve": (12, 24), "christmas": (12, 25), "boxing day": (12, 26),
    "new year day": (1, 1), "new years day": (1, 1), "new year eve": (12, 31), "new years eve": (12, 31),
    "halloween": (10, 31), "valentine day": (2, 14), "valentines day": (2, 14),
}  # fmt: skip
PART_OF = {  # what is said for a part of a time
    "year": "year", "calendar year": "year", "quarter": "quarter", "month": "month", "calendar month": "month",
    "month of the year": "month of a year", "month of year": "month of a year", "week": "week",
    "calendar week": "week", "weekday": "weekday", "day of the week": "weekday", "day of week": "weekday",
    "week day": "weekday", "day": "day", "date": "day", "calendar day": "day", "hour": "hour",
    "hour of the day": "hour", "hour of day": "hour", "time of day": "hour", "time of the day": "hour",
}  # fmt: skip
ADVERBS = {"yearly": "year", "annual": "year", "annually": "year", "quarterly": "quarter", "monthly": "month",
           "weekly": "week", "daily": "day", "hourly": "hour"}  # fmt: skip
RATES = frozenset(  # units after "per" that are no columns and no times
    "capita head person unit litre liter gallon kg kilo kilogram gram pound lb mile km kilometre kilometer metre meter "
    "second minute sqm acre hectare inhabitant serving piece item night share ton tonne inch foot ounce".split()
)
BY_THE_HOUR = frozenset(  # before "per hour", where it is a unit of what is paid or covered
    "km kilometres kilometers miles mile wage pay salary rate price cost costs speed fee paid earn earns dollars euros "
    "metres meters kwh mb gb bit rent charge charges".split()
)
BANDS = "bands band brackets bracket bins bin buckets bucket steps step intervals interval increments slices tiers"
BANDED = f"{BANDS} groups group ranges range classes blocks chunks"
COMPARING = frozenset("than least most exactly only just over under above below top bottom first last".split())
ENDS = {"top": "top", "best": "top", "bottom": "bottom", "worst": "bottom", "first": "first", "last": "last",
        "final": "last", "leading": "top"}  # fmt: skip
MORE = "more greater higher larger bigger longer older later taller heavier wider over above beyond exceeding".split()
LESS = "less fewer lower smaller shorter younger earlier lighter narrower under below cheaper beneath".split()
AUXILIARY = "is are am was were do does did has have had can could will would".split()
ASKING = frozenset("which what who whose whom where when why how".split())
PLAIN = frozenset(  # other words of readings, which mistyped ones were meant to be
    "average median total altogether different distinct unique percent percentage proportion fraction share ratio "
    "standard deviation spread variance correlation correlated related relationship cumulative running moving rolling "
    "difference increase decrease growth change compared common frequent frequently missing unknown blank empty "
    "without contain contains containing including starting beginning ending alphabetical alphabetically alphabetic "
    "order ordered sorted ranked ranking descending ascending decreasing increasing highest lowest greatest smallest "
    "grouped broken split between decade decades century quarter weekday weekdays weekend weekends month months year "
    "years week weeks hour hours minute minutes morning afternoon evening night noon midnight neither either except "
    "excluding other both which what people number count double twice half third quarters first second fewest "
    "word words letter letters text contain per out for overall maximum minimum distribution according throughout "
    "before after since until during".split()
)
NEUTRAL = {  # which a noun after them says the measure of
    "highest": "descending", "lowest": "ascending", "largest": "descending", "smallest": "ascending",
    "greatest": "descending", "biggest": "descending", "best": "descending", "worst": "ascending",
    "most": "descending", "fewest": "ascending",
    "least": "ascending", "top": "descending", "bottom": "ascending",
    "littlest": "ascending", "strongest": "descending", "weakest": "ascending", "longest": "descending",
    "shortest": "ascending", "latest": "descending", "earliest": "ascending", "newest": "descending",
    "oldest": "ascending", "widest": "descending", "slowest": "ascending", "fastest": "descending",
    "hottest": "descending", "coldest": "ascending", "lowermost": "ascending", "heaviest": "descending",
    "lightest": "ascending", "poorest": "ascending", "richest": "descending", "youngest": "descending",
}  # fmt: skip
SKIPPED = frozenset(  # between an order and its column
    "decreasing increasing ascending descending average mean total overall number of amount count the median combined "
    "sum and".split()
)
COUNTED = frozenset("number count amount".split())
OFTEN = "common frequent popular often frequently usual widespread typical prevalent".split()
OF_SIZE = frozenset("highest lowest largest smallest biggest greatest".split())
DONE = {  # what is measured of something that is so
    "paid": "salary wage pay income earnings", "earning": "salary income earnings revenue",
    "rated": "rating score stars", "grossing": "gross revenue sales earnings", "reviewed": "rating review",
    "selling": "quantity sold sales revenue units", "scoring": "score points goals", "scored": "score points",
    "priced": "price cost fare rent", "valued": "value price worth", "earner": "salary income earnings revenue gross",
    "earners": "salary income earnings revenue gross", "seller": "quantity sold sales revenue units",
    "sellers": "quantity sold sales revenue units",
}  # fmt: skip
VERBS = {  # what is measured of those who do the most of it
    "earn": "salary income earnings revenue wage", "weigh": "weight mass", "cost": "price cost rent fare budget",
    "sold": "quantity sold sales revenue units", "sell": "quantity sold sales revenue units",
    "pay": "salary wage pay income price", "paid": "salary wage pay income price", "score": "score points goals",
    "scored": "score points goals", "last": "duration length runtime", "lasted": "duration length runtime",
    "grossed": "gross revenue", "spent": "spending amount price cost", "spend": "spending amount price cost",
    "rated": "rating score stars", "charge": "price rent fare fee",
}  # fmt: skip
MEANT = {"money": "expensive", "time": "long", "rain": "wet", "snow": "snowy", "space": "spacious", "wind": "windy",
         "people": "populous", "deaths": "deadly", "profit": "profitable"}  # fmt: skip
DETERMINERS = frozenset(  # before the name of a column
    "the a an its their his her our your this that these each every all any different distinct unique single "
    "individual given calendar respective separate particular".split()
)
NOTHING_SAID = SMALL_WORDS | frozenset("different distinct unique single individual given calendar type kind".split())


class Adjective(NamedTuple):
    """What is measured the more, and the less, of something there is; and which of its forms a word is."""

    rising: tuple[str, ...]
    falling: tuple[str, ...]
    degree: str  # "more" of older, "most" of oldest, "" of old


@cache
def adjectives() -> dict[str, "Adjective"]:
    """Return the words for orders by each of their forms."""
    found: dict[str, Adjective] = {}
    for line in files("neural_programmer.questions.asked").joinpath("adjectives.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            forms, rising, falling = (part.split() for part in line.split("|"))
            for form in forms:
                word = form.removeprefix("*")
                found[word] = Adjective(tuple(rising), tuple(falling), _degree(word))
    return found


def _degree(word: str) -> str:
    if word in ("best", "worst") or (word.endswith("est") and word != "honest"):
        return "most"
    if word in ("better", "worse") or (word.endswith("er") and word not in ("clever",)):
        return "more"
    return ""


@cache
def spelled_words() -> frozenset[str]:
    """Return the words that a mistyped word may have been meant to be."""
    every = {
        *PLAIN,
        *MONTHS,
        *DAY_NAMES,
        *(f"{day}s" for day in DAY_NAMES),
        *ORDINALS[1:],
        *TENS,
        *UNITS[3:],
        *SEASONS,
        *adjectives(),
        *UNIT_NAMES,
    }
    return frozenset(word for word in every if len(word) > 3)


@cache
def reading_words() -> frozenset[str]:
    """Return all single words that something is read of: a cell of many is meant by one only if it is spelled so."""
    lists = (IN_SHORT, MISSPELT, COUNTING, GROUPS_OF, FACTORS, WEEKDAYS, SEASONS, DAYTIMES, ADVERBS, SCALES, MORE, LESS,
             AUXILIARY, ASKING, ENDS, UNITS, COMPARING, SMALL_WORDS)  # fmt: skip
    return spelled_words().union(*lists, (month[:3] for month in MONTHS))

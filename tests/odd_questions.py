"""Questions about a table in its own words, and others that nobody should ask."""

from collections.abc import Mapping, Sequence

from odd_cells import MONTHS, Chance

TEMPLATES = (
    "what is the average {x}", "how many {t} are there", "which {t} has the highest {x}", "total {x} where {t} is {v}",
    "what is the {x} of {v}", "how many rows have {x} greater than {n}", "list the {t} with {x} at most {n}",
    "what is the difference between the {x} of {v} and {w}", "is the {x} of {v} above {n}", "who comes after {v}?",
    "what is the most common {t}?", "how many different {c} are there", "when was {v}?", "is there a {t} with {v}",
    "{x} in {m} {y}", "how many {t} with {x} between {n} and {o}", "which {t} is not {v}", "what is the last {c}",
    "sum of {x} where {t} is {v} or {w}", "how many are there", "how many rows", "show everything", "{c}", "{v}",
    "{c} {t} {v} {n}", "What's the largest {x} where {t} isn't {v}?", "which {t} has the second highest {x}",
    "how many years between {v} and {w}", "average {x} for each {t}", "what share of {t} is {v}",
    "{c} of the newest {t}", "how many {t} before {y}", "which {t} after {m} {y}", "{c} since {d}",
    "is {x} more than {n}?", "least {x} of {v}", "the {c} with the same {t} as {v}", "what {t} comes before {v}",
    "did {v} have more {x} than {w}", "first {c}", "how much more {x} does {v} have than {w}",
    "count {t} where {x} < {n} and {c} > {o}", "{t} = {v}", "max({x})",
    "what is the {c} when the {t} is {v} and the {x} is {n}", "how many {c} are missing",
    "how many {t} start with {v}", "what is the second {c}", "top {n} {t}", "{v}'s {c}", "anything but {v}",
    "the only {c} in {v}", "median {x}", "how many times does {v} appear",
    "total {x} of the 3 rows with the largest {x}", "{x} per {t}", "who is {v}", "which {t} has neither {v} nor {w}",
    "number of {t} in the first week of {m}", "what was {x} on {d}", "{t} by {x}", "average {x} where {t} is {v}",
    "smallest {x}", "which {t} has {x} {n}", "how many {t} are {v}", "lowest {x} in {t} {v}",
)  # fmt: skip
SIGNS = frozenset("0123456789-+.$€")  # that numbers begin with
SIGNS = frozenset("0123456789-+.$€")  # that numbers begin with
DAYS = (
    "31 February 0000", "2024-13-45", "0000-00-00", "29 Feb 2023", "1 January 9999", "32/32/3232", "the 5th of May",
    "Q5", "12 am", "25:61", "week 53 of 9999", "the 99th of June", "yesterday", "last 99999999 days", "2024-02-29",
)  # fmt: skip
NUMBERS = (
    "1e400", "-1e400", "0", "-0", "1/0", "½", "²", "١٢٣", "\uff11\uff12", "9" * 5_000, "1e-400", "0x1F", "1,2,3,4",
    "5k", "$", "twelve hundred million billion", "minus five", "3.14.15", "1.234,56", "1 234,5", "%", "nan", "inf",
    "10" * 40,
)  # fmt: skip
ODD = (
    "", " ", "?", "a", "🏠", "👩\u200d👩\u200d👧" * 50, "السعر المتوسط؟", "כמה שורות יש?", "\u202ehow many",
    "平均価格は\uff1f", "\x00", "'; DROP TABLE data; --", "SELECT * FROM data", "\x1b[31mhow many", "how\nmany\nrows",
    "[column]", "<unk> <number>", "-", "{c}", "%s %d %n", "\\", '"', "''", "``", "((((((((", "and and or or not not",
    "not not not not many", "\ud800", "--help", "\ufeffhow many", "how many \u200b rows", "e\u0301", "ﬁrst",
    "HOW MANY ROWS???", "how" + " very" * 2_000 + " many", "is", "x" * 100_000, "what is the what is the what is the",
    "?" * 3_000, "1 2 3 4 5 6 7 8 9 10 " * 50, "of of of of of", "no", "in in in 5 5 5", "average " * 30,
    "between and", "greater than less than", "more than or equal to", "https://x.y/z.csv", "\t\t\t", "=1+1", "null",
    "true", "İ", "ß ẞ SS", "\u2028how many\u2029", "how many " + "or ".join(["rows "] * 300),
)  # fmt: skip


def question(chance: Chance, columns: Mapping[str, Sequence[str]]) -> str:
    """A question: mostly one made of a table's own names and cells."""
    kind = chance.weighted({"real": 9, "odd": 1, "words": 0.5, "long": 0.05})
    if kind == "odd":
        return chance.one(ODD)
    cells = [cell for column in columns.values() for cell in column]
    words = [*columns, *cells, *NUMBERS, *DAYS, "how", "many", "which", "of", "is", "the", "not", "or", "more", "than"]
    if kind == "words":
        return " ".join(chance.one(words)[:60] for _ in range(1 + chance.below(12)))
    if kind == "long":
        return " ".join(chance.one(words)[:20] for _ in range(5_000))
    numbers = [name for name, held in columns.items() if held and all(each[:1] in SIGNS for each in held[:5])]
    text, number = _one(chance, [name for name in columns if name not in numbers]), _one(chance, numbers)
    asked = chance.one(TEMPLATES).format(
        c=_one(chance, list(columns))[:200],
        t=text[:200],
        v=_cell(chance, columns.get(text) or cells),
        w=_cell(chance, columns.get(text) or cells),
        x=number[:200],
        n=_number(chance, columns.get(number, ())),
        o=_number(chance, columns.get(number, ())),
        d=chance.one(DAYS),
        m=chance.one(MONTHS),
        y=chance.one(["2024", "1990", "0", "99999", "20"]),
    )
    return _said(chance, asked)


def _one(chance: Chance, names: Sequence[str]) -> str:
    return chance.one(names) if names else chance.one(["row", "column", "price"])


def _cell(chance: Chance, cells: Sequence[str]) -> str:
    if not cells or chance.happens(0.1):
        return chance.one(["nothing", "Atlantis", "7", *DAYS, *NUMBERS])
    cell = chance.one(cells)
    return cell[:80] if chance.happens(0.99) else cell


def _number(chance: Chance, cells: Sequence[str]) -> str:
    if not cells or chance.happens(0.15):
        return chance.one([*NUMBERS, str(chance.below(1_000))])
    return chance.one(cells)[:40]


def _said(chance: Chance, asked: str) -> str:
    """As people type it: in other letters, with a letter too few, marks or quotes."""
    manner = chance.weighted({"": 6, "upper": 0.5, "lower": 1, "typo": 1, "mark": 2, "quotes": 0.3, "spaces": 0.3})
    if manner == "typo" and asked:
        place = chance.below(len(asked))
        return asked[:place] + asked[place + 1 :]
    changed = {"upper": asked.upper(), "lower": asked.lower(), "mark": f"{asked}?", "quotes": f'"{asked}"'}
    return changed.get(manner, asked.replace(" ", "  ") if manner == "spaces" else asked)

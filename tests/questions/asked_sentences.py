"""Sentences with what is to be read of them: the tables that they ask about, and how a mention is written there.

`python tests/questions/asked_sentences.py` prints precision and recall by kind, and each fault.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import numpy as np

from neural_programmer.questions.asked import (
    Amount,
    Band,
    Comparison,
    Computation,
    Connective,
    Interval,
    Key,
    Mention,
    Missing,
    Order,
    Rate,
    TextTest,
    TimeOf,
    Top,
    YesNo,
    read,
)
from neural_programmer.questions.asked.mentions import Computed, Part
from neural_programmer.questions.index import Index
from neural_programmer.tables.table import Table

ROWS = 12


def _days(*days):
    return np.array([days[place % len(days)] for place in range(ROWS)], "M8[s]").astype(
        "M8[D]" if len(days[0]) == 10 else "M8[s]"
    )


def _cells(*cells):
    return [cells[place % len(cells)] for place in range(ROWS)]


def _numbers(low, high):
    return np.round(np.linspace(low, high, ROWS), 1)


TABLES = {
    "flats": {
        "flat": [f"A-{place}" for place in range(ROWS)], "district": _cells("Mitte", "Altona", "Harburg"),
        "landlord": _cells("Vonovia", "Saga", "Anna Smith", "Ben Kuhn"), "rent": _numbers(350, 2900),
        "rooms": _numbers(1, 6), "area_m2": _numbers(20, 160), "floor": _numbers(0, 12), "built": _numbers(1890, 2018),
        "available": _days("2019-01-04", "2021-05-06", "2023-08-17", "2020-02-29"),
        "balcony": _cells("true", "false"), "phone number": _cells("040 12", "", "040 13"),
    },
    "orders": {
        "order_id": _numbers(1, 12), "customer": [f"Customer {place}" for place in "ABCDEFGHIJKL"],
        "city": _cells("Paris", "Rome", "Lyon"), "country": _cells("France", "Italy"),
        "product": _cells("tea", "coffee", "green tea", "mug"), "category": _cells("drinks", "kitchen"),
        "price": _numbers(3, 400), "quantity": _numbers(1, 50), "discount": _numbers(0, 30),
        "order time": _days("2018-03-01 08:30:00", "2019-07-15 18:05:00", "2021-06-30 23:10:00"),
        "status": _cells("paid", "open", "shipped"), "returned": _cells("true", "false"), "rating": _numbers(1, 5),
        "e-mail": _cells("a@x.org", "b@y.com", ""),
    },
    "people": {
        "name": ["May", "June Carter", "Bob", "Tim", "Ida", "Lea", "Max", "Eva", "Jo", "Kim", "Pat", "Sue"],
        "first name": _cells("May", "June", "Bob"), "age": _numbers(17, 92), "sex": _cells("male", "female"),
        "height_cm": _numbers(150, 205), "weight_kg": _numbers(45, 120), "city": _cells("Oslo", "Bergen"),
        "job": _cells("nurse", "pilot", "teacher"), "salary": _numbers(20000, 250000),
        "birth_date": _days("1940-02-03", "1985-12-30", "2005-06-07"), "smoker": _cells("true", "false"),
        "department": _cells("sales", "finance"),
    },
    "movies": {
        "title": ["Best Picture", "First Man", "Half Nelson", "The Third Man", "Up", "Her", "Seven", "It", "Jaws",
                  "Alien", "Heat", "Big"],
        "director": _cells("Chazelle", "Reed", "Fincher", "Mann"), "genre": _cells("drama", "comedy", "thriller"),
        "year": _numbers(1949, 2019), "budget": _numbers(1e5, 2e8), "worldwide gross": _numbers(1e5, 9e8),
        "runtime": _numbers(80, 200), "rating": _numbers(2, 9), "votes": _numbers(10, 90000),
        "studio": _cells("Fox", "Warner", "MGM"), "language": _cells("English", "French"),
    },
    "weather": {
        "date": _days("2014-07-01", "2014-11-20", "2015-06-30"), "station": _cells("Airport", "Harbour"),
        "high": _numbers(30, 100), "low": _numbers(5, 75), "mean_temperature": _numbers(20, 90),
        "rainfall": _numbers(0, 5), "snow": _numbers(0, 8), "wind_kmh": _numbers(0, 90),
    },
    "trains": {
        "train": [f"T{place}" for place in range(ROWS)], "operator": _cells("DB", "SBB", "Renfe"),
        "line": _cells("north", "south"), "capacity": _numbers(100, 900), "passengers": _numbers(10, 880),
        "occupancy": _numbers(5, 99), "speed_kmh": _numbers(60, 320), "delay_min": _numbers(0, 90),
        "distance_km": _numbers(5, 1200), "departure": _days("2022-01-03 06:10:00", "2022-09-30 21:45:00"),
        "fuel cost": _numbers(10, 900), "gradient": _numbers(0, 40),
    },
}  # fmt: skip
SIGNS = {"greater": ">", "at least": ">=", "less": "<", "at most": "<=", "equal": "=", "unequal": "!="}


@cache
def index_of(name: str) -> Index:
    columns = TABLES[name]
    return Index.of(Table(tuple(columns), tuple(np.asarray(column) for column in columns.values())))


def written(mention: Mention, index: Index) -> str:
    """Return a mention as sentences.txt writes it."""

    def likeliest(choices):
        return index.columns[choices[0].column].name if choices and choices[0].score >= 0.2 else "?"

    match mention:
        case Amount():
            return f"number {mention.value:.10g} {mention.unit}".strip()
        case Comparison(operator="between"):
            return f"{mention.low:.10g}..{mention.high:.10g} {mention.unit}".strip()
        case Comparison():
            value = mention.low if mention.low is not None else mention.high
            number = "" if value is None else f" {value:.10g}"
            of = f" [{likeliest(mention.choices)}]" if mention.choices else ""
            return f"{SIGNS[mention.operator]}{number} {mention.unit}".strip() + of
        case Top():
            later = f" from {mention.first}" if mention.first > 1 else ""
            return f"{mention.end or 'rank'} {mention.count:.10g} {mention.unit}".strip() + later
        case Interval():
            first, last = str(mention.first)[:10], str(mention.last)[:10]
            if first.endswith(("-01-01", "None")) and last.endswith(("-12-31", "None")):
                first, last = first[:4], last[:4]
            return f"time {first}..{last}".replace("None", "")
        case TimeOf():
            values = " ".join(map(str, mention.values)) or f"{mention.low:.4g}-{mention.high:.4g}"
            return f"{mention.part} {values}"
        case Key():
            named = likeliest(mention.choices) if mention.choices else "rows" if mention.rows else "?"
            return f"key {mention.parts[0] if mention.parts else named}"
        case Band():
            width = "" if mention.width is None else f" {mention.width:.10g}"
            of = f" {likeliest(mention.choices)}" if mention.choices else ""
            return f"band{width} {mention.unit}".strip() + of
        case Rate():
            amount = "" if mention.amount == 1 else f"{mention.amount:.10g} "
            return f"rate {amount}{mention.unit}"
        case Order():
            known = mention.choices and mention.choices[0].score >= 0.2
            named = likeliest(mention.choices) if known else "count" if mention.counts else "?"
            down = "down" if mention.direction == "descending" else "up"
            return f"{'sort' if mention.listed else 'order'} {named} {down}"
        case Computation():
            more = "" if mention.count is None else f" {mention.count:.10g} {mention.unit}"
            return f"{mention.what}{more}"
        case YesNo():
            return "yes or no"
        case TextTest():
            return f"{mention.test} {mention.text}"
        case Missing():
            of = likeliest(mention.choices) if mention.choices else ""
            return f"{'known' if mention.denied else 'missing'} {of}".strip()
        case Connective():
            return mention.what
    raise AssertionError(mention)


KINDS = {Amount: "amount", Comparison: "comparison", Top: "rank", Interval: "time", TimeOf: "part of a time",
         Key: "key", Band: "band", Rate: "rate", Order: "order", Computation: "computation", YesNo: "yes or no",
         TextTest: "test of text", Missing: "missing", Connective: "connective"}  # fmt: skip
COMPUTED = frozenset(get_args(Computed))
PARTS = tuple(part for part in get_args(Part))


def sentences() -> Iterator[tuple[str, str, list[str]]]:
    """Return each table, sentence, and what is to be read of it."""
    table = ""
    for line in (Path(__file__).parent / "asked_sentences.txt").read_text("utf-8").splitlines():
        if line.startswith("== "):
            table = line.removeprefix("== ")
        elif line and not line.startswith("#"):
            said, _, expected = line.rpartition(" |")
            yield table, said, [each.strip() for each in expected.split(";") if each.strip()]


def kind_of(expected: str) -> str:
    """Return which kind of mention is written so."""
    first = expected.split()[0]
    if expected in COMPUTED or expected.startswith("moving average"):
        return "computation"
    if expected == "yes or no":
        return "yes or no"
    if re.match(r"[<>=!]", expected) or (".." in expected and first != "time"):
        return "comparison"
    if re.match(r"(rank|top|bottom|first|last) \d", expected):
        return "rank"
    if first in ("and", "or", "not", "neither", "except", "both"):
        return "connective"
    for name, kind in (("number", "amount"), ("time", "time"), ("key", "key"), ("band", "band"), ("rate", "rate"),
                       ("order", "order"), ("sort", "order"), ("contains", "test of text"), ("begins", "test of text"),
                       ("ends", "test of text"), ("missing", "missing"), ("known", "missing")):  # fmt: skip
        if first == name:
            return kind
    if expected.startswith(PARTS):
        return "part of a time"
    raise AssertionError(expected)


def read_of(table: str, said: str) -> list[str]:
    """Return what is read of a sentence, as the file writes it."""
    index = index_of(table)
    return [written(each, index) for each in read(said, index).mentions if not _is_and(each)]


def _is_and(mention: Mention) -> bool:
    return isinstance(mention, Connective) and mention.what == "and"


def measured() -> tuple[dict[str, list[int]], list[str]]:
    """Return of each kind how many mentions are right, read, and expected; and the sentences with a fault."""
    counts: dict[str, list[int]] = {kind: [0, 0, 0] for kind in KINDS.values()}
    faults = []
    for table, said, expected in sentences():
        found = read_of(table, said)
        right = Counter(found) & Counter(expected)
        for place, every in enumerate((right.elements(), found, expected)):
            for each in every:
                counts[kind_of(each)][place] += 1
        lacking, more = Counter(expected) - Counter(found), Counter(found) - Counter(expected)
        if lacking or more:
            lacks, has = ("; ".join(each.elements()) for each in (lacking, more))
            faults.append(f"{table}: {said}\n     lacks: {lacks or '-'}\n     has: {has or '-'}")
    return counts, faults


def main() -> None:
    """Print precision and recall by kind, and each sentence with a fault."""
    counts, faults = measured()
    print(*faults, sep="\n")
    print(f"\n{'kind':16} {'expected':>8} {'precision':>9} {'recall':>7}")
    total = [sum(each) for each in zip(*counts.values(), strict=True)]
    for kind, (right, found, expected) in {**counts, "all": total}.items():
        print(f"{kind:16} {expected:8} {100 * right / max(found, 1):8.1f}% {100 * right / max(expected, 1):6.1f}%")
    every = list(sentences())
    print(f"{len(every)} sentences, {len(every) - len(faults)} without a fault")


if __name__ == "__main__":
    main()

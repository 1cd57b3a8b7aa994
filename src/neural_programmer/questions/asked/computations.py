"""What is to be computed: average, median, share, growth, correlation, running totals."""

import re
from collections.abc import Iterator
from typing import get_args

from neural_programmer.questions.asked.columns import called, kind_of
from neural_programmer.questions.asked.mentions import Computation, Computed, Span
from neural_programmer.questions.asked.sentence import Sentence
from neural_programmer.questions.asked.vocabulary import AUXILIARY
from neural_programmer.questions.keys import unsaid
from neural_programmer.questions.tokens import stemmed
from neural_programmer.questions.units import UNIT_OF

DID = frozenset("did do does has have will".split())


def computations(sentence: Sentence) -> Iterator[Computation]:
    """Read what is to be computed; of readings that overlap, the one that begins first, and of these the longest."""
    every: tuple[Computed, ...] = get_args(Computed)
    found: list[tuple[int, int, int, Computed, re.Match[str]]] = [
        (match.start(), -match.end(), place, what, match)
        for place, what in enumerate(every)
        for match in sentence.find(f"computed {what}")
    ]
    found.sort(key=lambda each: each[:3])
    end, last = -1, None
    for start, back, _, what, match in found:
        if start < end:
            continue
        mention = _read(sentence, what, match)
        if mention is None:
            continue
        end = -back
        if last is not None and last.what == mention.what and last.position.end == mention.position.first:
            span = Span(last.position.first, mention.position.end)
            last = Computation(span, sentence.said(span), last.what, last.count, last.unit)
            continue
        if last is not None:
            yield last
        last = mention
    if last is not None:
        yield last


def _read(sentence: Sentence, what: Computed, found: re.Match[str]) -> Computation | None:
    said, line = found[0], sentence.line
    before, after = line[: found.start()].split(), line[found.end() :].split()
    last, following = before[-1] if before else "", after[0] if after else ""
    span = sentence.span(found)
    if what == "moving average":
        number = found["n"] or found["n2"] or found["n3"]
        unit = stemmed(found["unit"] or found["unit2"] or found["unit3"] or "")
        return Computation(
            span, sentence.said(span), what, sentence.value(number) if number else None, UNIT_OF.get(unit, unit)
        )
    if what == "average" and _is_other_mean(said, last, following):
        return None
    if what in ("maximum", "minimum") and (last in ("a", "at") or following == "of"):
        return None
    if what == "share" and found["rated"]:
        return Computation(span, sentence.said(span), what) if _is_truth(sentence, found["rated"]) else None
    if what == "share" and (
        last.startswith("#")
        or (
            said in ("share", "shares") and (last in ("that", "to", "they", "who") or following in ("the", "a", "same"))
        )
    ):
        return None
    if (
        what == "count"
        and said in ("number", "numbers", "counts")
        and (following.startswith("#") or last in ("phone", "the", "a", "by"))
    ):
        return None
    if what == "count" and said.startswith("how many") and following in ("percent", "times", "more", "years", "fewer"):
        return None
    if what == "count" and said.startswith("numbers of") and last and last not in unsaid() | {"total", "corresponding"}:
        return None  # the phone numbers of
    if what == "sum" and said in ("overall", "together", "in all") and last in ("the", "an", "worked"):
        return None
    if what == "sum" and said == "together" and not before:
        return None
    if what == "ratio" and said == "rate" and last not in ("the", "what", "at"):
        return None
    if what == "growth" and found["verb"] and not DID & set(before):
        return None
    if what == "growth" and not found["verb"] and _is_no_growth(said, last):
        return None
    if what == "standard deviation" and said in ("spread", "consistent", "varied") and last in ("is", "are", "widely"):
        return None
    return Computation(span, sentence.said(span), what)


def _is_truth(sentence: Sentence, symbol: str) -> bool:
    """Return whether a word names a column of yes and no: return rate, of a column called returned."""
    named = sentence.named(symbol)
    places = named.columns if named else [choice.column for choice in called([symbol], sentence.index)[:1]]
    return any(kind_of(sentence.index, place) == "boolean" for place in places)


def _is_other_mean(said: str, last: str, following: str) -> bool:
    """Return whether "mean" is the verb."""
    return said == "mean" and (
        last in ("you", "i", "that", "this", "does", "it", "by", "would") or following in ("by", "that", "")
    )


def _is_no_growth(said: str, last: str) -> bool:
    word = said.split()[0]
    if said == "fell" and last in ("rain", "snow", "rainfall", "snowfall", "that", "it"):
        return True
    if word in AUXILIARY:
        return False
    if (
        word in ("fall", "change", "changes", "drop", "rise", "increase", "increases")
        and last in ("in", "the", "of", "this", "last")
        and said == word
    ):
        return word == "fall" or last in ("in", "of")
    return said in ("falls", "drops", "rises") and last in ("to",)

"""Words of conditions: yes or no, contains, missing, and what joins or denies conditions."""

import re
from collections.abc import Iterator

from neural_programmer.questions.asked.columns import kind_of, measures, named_after
from neural_programmer.questions.asked.mentions import (
    Comparison,
    Connective,
    Joint,
    Mention,
    Missing,
    Operator,
    Span,
    TestOfText,
    TextTest,
    YesNo,
)
from neural_programmer.questions.asked.patterns import pattern
from neural_programmer.questions.asked.sentence import Sentence
from neural_programmer.questions.asked.vocabulary import DONE, Adjective, adjectives

TESTS: tuple[TestOfText, ...] = ("begins", "ends", "contains")
CONNECTIVES: tuple[Joint, ...] = ("neither", "except", "both", "or", "not", "and")
SMALL_TEXTS = frozenset("a an the any at no more less some all each every both only".split())  # begin no text
WHOSE = frozenset("where when whose if for with that which has have having".split())  # before what is recorded
DENIALS = frozenset("no not never without any nothing".split())


def conditions(sentence: Sentence) -> Iterator[Mention]:
    """Read words of conditions; a word that is part of one reading here is none of another."""
    taken: set[int] = set()
    for reading in (_yes_no, _texts, _missing, _comparatives, _connectives):
        for mention in reading(sentence):
            place = set(range(*mention.position))
            if not place & taken:
                taken |= place
                yield mention


def _yes_no(sentence: Sentence) -> Iterator[YesNo]:
    if pattern("polite").match(sentence.line):
        return
    found = pattern("yes no").match(sentence.line)
    if found is None:
        found = next(sentence.find("whether"), None)
    if found is None:  # for 2019, did sales rise
        for inner in sentence.find("inner yes no"):
            item = sentence.item_at(inner.start())
            clause = item and sentence.stops_after(item - 1)
            earlier = {each.symbol for each in sentence.items[:item]}
            if clause and not earlier & {
                "which",
                "what",
                "who",
                "how",
                "where",
                "when",
                "whose",
                "list",
                "show",
                "name",
            }:
                found = inner
                break
    if found is not None:
        if found.re is pattern("yes no") and found["aux"].startswith("any") and "?" not in sentence.text:
            return
        span = sentence.span(found)
        yield YesNo(
            Span(span.end - _length(found), span.end) if found.re is pattern("yes no") else span, sentence.said(span)
        )


def _length(found: re.Match[str]) -> int:
    return len(found[0][found.start("aux") - found.start() :].split())


def _texts(sentence: Sentence) -> Iterator[TextTest]:
    for test in TESTS:
        for found in sentence.find(test):
            group = next(name for name in ("text", "text2", "text3", "text4", "text5") if found.groupdict().get(name))
            symbol = found[group]
            span = sentence.span(found)
            own = sentence.span(found, group)
            text = sentence.said(own)
            if symbol[0] == "~":
                text = text[1:-1]
            elif symbol in SMALL_TEXTS and text.islower() and (test == "contains" or found.end() < len(sentence.line)):
                continue
            elif own.first and (start := sentence.words[own.first].start) and sentence.text[start - 1] in ".@-_/":
                text = sentence.text[start - 1] + text
            yield TextTest(span, sentence.said(span), test, text.strip("'\"\u2018\u2019\u201c\u201d"))


def _missing(sentence: Sentence) -> Iterator[Mention]:
    known: list[Missing] = []
    for found in sentence.find("known"):
        if found["known2"]:
            known.append(Missing(sentence.span(found, "known2"), sentence.said(sentence.span(found, "known2")), True))
            continue
        span = sentence.span(found, "known")
        before = sentence.line[: found.start("known")].split()[-1:]
        if (
            before in (["not"], ["never"], ["is"], ["are"], ["was"], ["were"])
            and found["known"] in ("given", "present", "available", "recorded", "known")
            and "not" in sentence.line[: found.start("known")].split()[-3:]
        ):
            continue
        if found["known"] in ("given", "present", "available") and before not in (["is"], ["are"], ["was"], ["were"]):
            continue
        if found["known"] in ("recorded", "given", "present", "available") and found[0].split()[0] not in WHOSE:
            continue
        if DENIALS & set(sentence.line[: found.start("known")].split()[-4:]):
            continue
        known.append(Missing(span, sentence.said(span), True))
    for found in sentence.find("missing"):
        span = sentence.span(found)
        if "no" in found[0].split()[:1] or found[0].startswith("without"):
            _, choices, _ = named_after(sentence, sentence.place(found))
        elif found[0].split()[-1] in ("missing", "unknown", "blank", "empty"):
            _, choices, _ = named_after(sentence, sentence.place(found))
            choices = tuple(choice for choice in choices if choice.score >= 0.8)
            if sentence.line[: found.start()].split()[-1:] in (["half"], ["percent"]):
                continue
        else:
            choices = ()
        yield Missing(span, sentence.said(span), found["denied"] is not None, choices)
    for found in sentence.find("lacking"):
        item = sentence.place(found)
        if item >= len(sentence.items):
            continue
        end, choices, _ = named_after(sentence, item)
        strong = found["way"].startswith(("lack", "miss"))
        kinds = {kind_of(sentence.index, choice.column) for choice in choices if choice.score >= 0.6}
        symbol = sentence.items[item].symbol
        named = sentence.named(symbol)
        if named is not None and named.cells and not named.columns:
            continue
        truths = [sentence.index.columns[choice.column] for choice in choices[:1] if choice.score >= 0.6]
        if any(column.low == 0 and column.high == 1 for column in truths):
            continue
        if kinds == {"boolean"} or (not kinds and not strong):
            continue
        first = sentence.item_at(found.start())
        last = end if kinds else first + len(found[0].split())
        span = Span(sentence.items[first].first, sentence.items[last - 1].end)
        yield Missing(span, sentence.said(span), False, choices)
    yield from known


def _connectives(sentence: Sentence) -> Iterator[Connective]:
    for what in CONNECTIVES:
        for found in sentence.find(f"joint {what}"):
            span = sentence.span(found)
            yield Connective(span, sentence.said(span), what)


def _comparatives(sentence: Sentence) -> Iterator[Comparison]:
    """Read older than Anna, above the average, which is cheaper: comparisons without a number."""
    for found in sentence.find("comparative"):
        word = found["word"] or found["adjective"] or found["alone"] or found["adverb"] or found["long"] or ""
        adjective = adjectives().get(word)
        operator: Operator = "greater"
        if found["over"]:
            operator = "less" if found["over"] in ("below", "under") else "greater"
        elif found["degree"]:
            operator = "greater" if found["degree"] == "more" else "less"
            if found["adjective"] and adjective is None:
                word = ""
        elif much := found["much"] or found["last"]:
            operator = "greater" if much == "more" else "less"
        elif found["long"]:
            if adjective is None:
                continue
            operator = "greater" if "more" in found[0].split() else "less"
        else:
            if adjective is None or adjective.degree != "more":
                continue
            if (
                found["alone"]
                and found["alone"] in ("later", "earlier", "longer", "further", "better", "older", "higher")
                and _follows(sentence, found, ("no", "or", "years", "#"))
            ):
                continue
            operator = "less" if not adjective.rising else "greater"
        choices = tuple(measures(adjective, sentence.index)) if adjective is not None else ()
        numbers = [
            each for each in map(sentence.named, sentence.line[: found.start()].split()[-3:]) if each is not None
        ]
        named = any(kind_of(sentence.index, place) == "number" for each in numbers for place in each.columns)
        verb = sentence.line[: found.start()].split()[-1:]
        if verb and verb[0] in DONE and word in ("higher", "lower", "better", "worse"):  # rated higher
            falling = word in ("lower", "worse")
            done = measures(Adjective(tuple(DONE[verb[0]].split()), (), ""), sentence.index)
            choices = tuple(choice._replace(descending=not falling) for choice in done)
        elif word in ("higher", "lower", "greater", "better", "worse") or (
            named and word in ("larger", "bigger", "smaller")
        ):
            choices = ()
        group = next((name for name in ("alone", "long", "much", "last", "adverb") if found[name]), 0)
        span = sentence.span(found, group)
        if choices and adjective is not None and adjective.rising and adjective.falling and operator == "greater":
            operator = "greater" if choices[0].descending else "less"
        elif adjective is not None and not adjective.rising and found["degree"] == "less":
            operator = "greater"
        yield Comparison(span, sentence.said(span), operator, None, None, "", choices)


def _follows(sentence: Sentence, found: re.Match[str], words: tuple[str, ...]) -> bool:
    before = sentence.line[: found.start("alone")].split()[-1:]
    return bool(before) and before[0].startswith(words)

"""Why a question is declined, in a sentence that a person can act on: what it says shows what no program gives."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from neural_programmer.index import Index, unsaid
from neural_programmer.link import NUMBER, USUAL
from neural_programmer.program import DECLINED
from neural_programmer.question import Question

NAMED = 3  # words that the table does not have
LISTED = 12  # columns that it has
COMMON = 500  # of the most usual words: others say more of what a question is about
GENERAL = frozenset(  # words that name neither columns nor cells by themselves
    "above after again ago ahead almost along already also altogether always am among anybody anyone anything around "
    "away back because been before behind being below beside best better between big biggest bigger both but bye came "
    "can come could during either else end ever everyone everything far few fewer fewest find first five four from "
    "full get gets getting give given go goes going good got great had hardly having he hello her here hers hi high "
    "highest him his hour hours if into just keep kept know large largest last late later latest let like list little "
    "long longer longest look lot low lowest made make makes many may mean might moment months much must near nearest "
    "need needs never new newest next nobody nothing now of off often ok old oldest once one ones only other others "
    "our out over own people perhaps please pls put rather really same say see seen she short shortest should show "
    "since small smallest so some somebody someone something soon still stuff such take tall tell ten thank thanks "
    "them then these they thing things those three through till time times today together too took top toward two "
    "under until up upon us use used very want was way went were whats while whole will within without worst would "
    "year years yes yet young youngest your".split()
)
SUPERLATIVES = ("best", "worst", "most", "least", "top")
SIGNS = {  # what a question asks for, by the words that say it, and what to do instead
    "why it is so, for advice or for what is to come, and a table holds what is": (
        "why", "will", "should", "would", "recommend", "recommended", "predict", "forecast", "expect"
    ),
    "one answer for each of several groups or units; ask about one at a time": ("per", "each"),
    "a share of a whole, which no operation computes; ask for the part and for the whole": (
        "share", "percentage", "percent", "fraction", "proportion", "ratio"
    ),
    "an order; ask for the greatest or the least, or for those above a number": ("rank", "ranked", "ranking", "sort"),
    "a figure for which there is no operation; ask for the average, the least or the greatest": (
        "median", "deviation", "variance", "correlation", "percentile", "quartile"
    ),
    "missing cells, which no operation finds": ("missing", "blank", "empty"),
}  # fmt: skip
GROUPS, ORDER = list(SIGNS)[1], list(SIGNS)[3]


def reason(text: str, question: Question, index: Index) -> str:
    """Why there may be no answer: what is asked for that no operation gives, or the words that the table lacks."""
    asked = question.beyond or _asked(question.words)
    if asked:
        return f"the question asks for {asked}"
    names = [column.name for column in index.columns if not column.view]
    more = f" and {len(names) - LISTED:,} more" if len(names) > LISTED else ""
    columns = f"the columns are {', '.join(names[:LISTED])}{more}"
    lacking = [f'"{phrase}"' for phrase in _lacking(text, question, index)]
    if lacking:
        return f"no column or cell is called {' or '.join(lacking)}; {columns}"
    mentioned = any(not link.near for link in question.links or ()) or question.numbers or any(question.mentions or ())
    return DECLINED if mentioned else f"the question mentions no column and no cell; {columns}"


def _asked(words: Sequence[str]) -> str:
    for what, signs in SIGNS.items():
        if set(signs) & set(words):
            return what
    for word, following in pairwise(words):
        if word == "by" and following == "[text column]":
            return GROUPS
        superlative = following in SUPERLATIVES or following.endswith("est")
        if (word in (NUMBER, "second", "third") and superlative) or (word == "top" and following == NUMBER):
            return ORDER
    return ""


def _lacking(text: str, question: Question, index: Index) -> list[str]:
    """What the question says and the table does not have: neighbouring words together, the rarer ones if there are."""
    may_mean = {
        link.position
        for link in question.links or ()
        if any(index.columns[column].kind == "text" for column in link.texts)
    }
    phrases: list[list[str]] = [[]]
    for place, word in enumerate(question.words):
        plain = word.isalpha() and len(word) > 1 and word not in unsaid() and word not in GENERAL
        if plain and place not in may_mean:
            phrases[-1].append(word)
        elif phrases[-1]:
            phrases.append([])
    phrases = [phrase for phrase in phrases if phrase]
    rare = [phrase for phrase in phrases if any(word not in _common() for word in phrase)]
    return [_as_said(text, phrase) for phrase in (rare or phrases)[:NAMED]]


def _as_said(text: str, words: Sequence[str]) -> str:
    """Words as they stand in the question, if they do."""
    found = re.search(r"\W+".join(map(re.escape, words)), text, re.IGNORECASE)
    return found[0] if found else " ".join(words)


@cache
def _common() -> frozenset[str]:
    return frozenset(USUAL.read_text(encoding="utf-8").split()[:COMMON])

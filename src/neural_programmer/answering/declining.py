"""Say why a question is declined, in one sentence that a person can act on."""

import re
from collections.abc import Sequence
from itertools import pairwise

from neural_programmer.base.notebook import shortened
from neural_programmer.programs.program import DECLINED
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import NUMBER
from neural_programmer.questions.question import Question
from neural_programmer.questions.unknown import GROUPS, ORDER, SIGNS, common, lacking

MOST_PHRASES = 3  # phrases that a reason names: those the table lacks, or that were not looked for
MOST_COLUMNS = 12  # columns of the table that a reason names
LONGEST_CELL, LONGEST_NAME = 30, 80  # characters that a reason shows of a cell, and of a column's name
SUPERLATIVES = ("best", "worst", "most", "least", "top")
FIGURE_WORDS = frozenset(
    "average mean total sum highest lowest largest smallest biggest greatest maximum minimum".split()
)
COMPARING_WORDS = frozenset(  # that stand before a number
    "more less over under above below least most fewer greater exceeding".split()
)
AS_NUMBERS = re.compile(r"[-+\u2212$€£¥₹]?[\d.,'\s]+%?")


def reason(text: str, question: Question, index: Index) -> str:
    """Return why there is no answer.

    The question asks for what no operation gives, says words that the table lacks or that were not looked for in all
    cells, or mentions nothing of the table.
    """
    asked = question.beyond or _asked(question.words)
    if asked:
        return f"the question asks for {asked}"
    names = [column.name for column in index.columns if not column.view]
    more = f" and {len(names) - MOST_COLUMNS:,} more" if len(names) > MOST_COLUMNS else ""
    columns = f"the columns are {', '.join(shortened(name, LONGEST_NAME) for name in names[:MOST_COLUMNS])}{more}"
    lacks, missed = (
        " or ".join(f'"{phrase}"' for phrase in phrases[:MOST_PHRASES])
        for phrases in (_lacking(text, question, index), index.missed)
    )
    sentences = [f"no column or cell is called {lacks}"] if lacks else []
    sentences += [f"there was no time to look through all cells for {missed}"] if missed else []
    if sentences:
        return f"{', and '.join(sentences)}; {columns}"
    mentioned = any(not link.near for link in question.links or ()) or question.numbers or any(question.mentions or ())
    if not mentioned:
        return f"the question mentions no column and no cell; {columns}"
    return _of_texts(question, index) or DECLINED


def _asked(words: Sequence[str]) -> str:
    """Return what a question asks for that no operation gives, by its words; nothing where they show no such thing."""
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


def _of_texts(question: Question, index: Index) -> str:
    """Return which mentioned column is read as texts because some cells are no numbers, if a figure is asked for."""
    kinds = {index.columns[column].kind for column, places in enumerate(question.mentions or ()) if places}
    compares = question.numbers and COMPARING_WORDS & set(question.words)
    if "number" in kinds or not (compares or FIGURE_WORDS & set(question.words)):
        return ""
    for column, places in enumerate(question.mentions or ()):
        held = index.columns[index.itself(column)]
        odd = [text for text in held.texts if not AS_NUMBERS.fullmatch(text)]
        if places and held.kind == "text" and len(odd) < len(held.texts) / 2:
            such = f', such as "{odd[0][:LONGEST_CELL]}"' if odd else ""
            return f"{held.name} is read as texts, for not all of its cells are numbers{such}; mend these cells"
    return ""


def _lacking(text: str, question: Question, index: Index) -> list[str]:
    """Return the phrases that the table lacks: neighbouring words together; those of rare words alone, if any are."""
    phrases: list[list[str]] = [[]]
    places = set(lacking(question, index))
    for place, word in enumerate(question.words):
        if place in places:
            phrases[-1].append(word)
        elif phrases[-1]:
            phrases.append([])
    phrases = [phrase for phrase in phrases if phrase]
    rare = [phrase for phrase in phrases if any(word not in common() for word in phrase)]
    return [_as_said(text, phrase) for phrase in rare or phrases]


def _as_said(text: str, words: Sequence[str]) -> str:
    """Return words as the question writes them, or joined by spaces where they do not stand there."""
    found = re.search(r"\W+".join(map(re.escape, words)), text, re.IGNORECASE)
    return found[0] if found else " ".join(words)

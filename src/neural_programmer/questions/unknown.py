"""Words of a question that the table does not have: what its rows are called among them, or what they are not."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import takewhile
from pathlib import Path

from neural_programmer.questions.index import Index
from neural_programmer.questions.keys import unsaid
from neural_programmer.questions.question import Link, Question
from neural_programmer.questions.row_names import is_plural
from neural_programmer.questions.tokens import name_words, stemmed, stems, tokenized

USUAL = Path(__file__).parent.parent / "shipped" / "usual.txt"  # words, made by scripts/usual_words.py
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
# what a question asks for that no program gives, and what to do instead
CAUSES = "why it is so, for advice or for what is to come, and a table holds what is"
GROUPS = "one answer for each of several groups or units; ask about one at a time"
SHARES = "a share of a whole, which no operation computes; ask for the part and for the whole"
ORDER = "an order; ask for the greatest or the least, or for those above a number"
FIGURES = "a figure for which there is no operation; ask for the average, the least or the greatest"
MISSING = "missing cells, which no operation finds"
SIGNS = {  # the words that say it
    CAUSES: ("why", "will", "should", "would", "recommend", "recommended", "predict", "forecast", "expect"),
    GROUPS: ("per", "each"),
    SHARES: ("share", "percentage", "percent", "fraction", "proportion", "ratio"),
    ORDER: ("rank", "ranked", "ranking", "sort"),
    FIGURES: ("median", "deviation", "variance", "correlation", "percentile", "quartile"),
    MISSING: ("missing", "blank", "empty"),
}
COUNTS = frozenset({("how", "many"), ("number", "of"), ("count",), ("count", "of")})
ASKS = frozenset({("which",), ("what",), ("list",), ("show",), ("show", "me")})
ARTICLES = frozenset("all the different of".split())
PEOPLE = frozenset("people person persons".split())
ROWS = "rows"  # read in the place of what the rows are called


def unknown(words: Sequence[str], links: Collection[Link], index: Index) -> list[int]:
    """Return the places of the words that say something of which the table has no column and no cell."""
    may_mean = {link.position for link in links if any(index.columns[column].kind == "text" for column in link.texts)}
    plain = (
        place
        for place, word in enumerate(words)
        if word.isalpha() and len(word) > 1 and word not in unsaid() and word not in GENERAL
    )
    return [place for place in plain if place not in may_mean]


def lacking(question: Question, index: Index) -> list[int]:
    """Return the places of words that the table certainly lacks: all cells were looked through, and no column or row is
    called so."""
    missed = {form for said in index.missed for token in tokenized(said) for form in (token.key, stemmed(token.key))}
    words = question.words
    places = unknown(words, question.links or (), index)
    return [place for place in places if words[place] not in missed and not index.row_names.has(words[place])]


@cache
def common() -> frozenset[str]:
    """Return the most usual words of all."""
    return frozenset(USUAL.read_text(encoding="utf-8").split()[:COMMON])


def called_rows(question: Question, index: Index) -> Question | None:
    """Return a question with `rows` for what the rows are called, if the table lacks nothing else that it says."""
    names = {place for place, word in enumerate(question.words) if word != ROWS and index.row_names.has(word)}
    if not names or not names.issuperset(unknown(question.words, question.links or (), index)):
        return None
    words, said = (
        [ROWS if p in names else word for p, word in enumerate(of)] for of in (question.words, question.said)
    )
    return replace(question, words=tuple(words), said=tuple(said))


def foreign_count(words: Sequence[str], shown: Sequence[str], links: Collection[Link], index: Index) -> str:
    """Return why there is no answer to a question that counts all rows, but calls them what they are not."""
    place, name = noun(words, links, index, COUNTS), index.row_names.sure
    if place is None or not name or index.row_names.has(words[place]):
        return ""
    return f'"{shown[place]}", and a row of the table is called "{name}"; ask how many rows there are'


def counted_column(words: Sequence[str], shown: Sequence[str], index: Index) -> int | None:
    """Return the place of the column of numbers that is asked how many it is, and not how many rows: guests of
    events."""
    asked = [word if word.startswith("[") else said.casefold() for word, said in zip(words, shown, strict=True)]
    for start in _starts(asked, COUNTS):
        said = stems(name_words(shown[start])) if asked[start : start + 1] == ["[number column]"] else ""
        numbers = [index.columns[place] for place in index.names.get(said, ())]
        if any(not column.is_year for column in numbers) and not index.row_names.has(said):
            return start
    return None


def _starts(words: Sequence[str], after: Collection[tuple[str, ...]]) -> Iterator[int]:
    """Return the places after these words, and after an article there."""
    for place in range(len(words)):
        for signs in after:
            if (*words[place : place + len(signs)],) == signs:
                start = place + len(signs)
                yield start + len(list(takewhile(ARTICLES.__contains__, words[start:])))


def noun(words: Sequence[str], links: Collection[Link], index: Index, after: Collection[tuple[str, ...]]) -> int | None:
    """Return the place of the plural that stands for the rows in a question: doctors, after how many old."""
    lacking = set(unknown(words, links, index))
    for start in _starts(words, after):
        for place in range(start, len(words)):
            if words[place] in PEOPLE or (place in lacking and is_plural(words[place])):
                return place
            if place not in lacking and words[place] != "[value]":
                break
    return None

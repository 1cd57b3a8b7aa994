"""The texts of cells and single words as they are compared: what may be said in several ways has several keys."""

import re
from functools import cache

from neural_programmer.base.once import remembered
from neural_programmer.questions.tokens import REMEMBERED_WORDS, stemmed, stems, tokenized
from neural_programmer.tables.views import MONTH_NAMES

SHORTEST = 4  # letters of a word that may have a typing error, or be the root of another
SMALL_WORDS = frozenset(  # words that mention nothing by themselves
    "a the of in on at to is are was were be for and or not no with by from as an any all each every do does did how "
    "many much what which who whose when where there that this it its their have has had than more less most least me "
    "my i we you".split()
)
OPERATIONS_SAID = frozenset(
    "total sum average mean number count maximum minimum max min most least highest lowest".split()
)
ENDINGS = "ation ance ment ion ing er or ed es s y e".split()  # of words that may be of one root
DAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday".split()
IN_FULL = {name[:3]: name for name in (*DAY_NAMES, *(name.lower() for name in MONTH_NAMES if name != "May"))} | {
    name[:4]: name for name in ("tuesday", "thursday", "september")
}


@remembered(REMEMBERED_WORDS)
def text_keys(text: str) -> tuple[str, ...]:
    """Return a cell's text as a question may say it: with what a hyphen joins in one word, and in several.

    >>> text_keys("Aix-en-Provence")
    ('aix-en-provence', 'aix en provence')
    """
    words = [token.key for token in tokenized(text)]
    if len(words) == 1 and words[0] in IN_FULL:
        return words[0], IN_FULL[words[0]]
    apart = [part for word in words for part in re.split(r"(?<=\w)[-&](?=\w)", word)]
    return tuple(key for key in dict.fromkeys((stems(words), stems(apart))) if key)


@cache
def unsaid() -> frozenset[str]:
    """Words that mention nothing by themselves, as they are compared."""
    return frozenset(map(stemmed, SMALL_WORDS | OPERATIONS_SAID)) | SMALL_WORDS | OPERATIONS_SAID


@remembered(REMEMBERED_WORDS)
def root(word: str) -> str:
    """Return a word without its endings.

    >>> [root(word) for word in ("delivery", "deliver", "inspection", "managed", "manager")]
    ['deliv', 'deliv', 'inspect', 'manag', 'manag']
    """
    while found := [end for end in ENDINGS if word.endswith(end) and len(word) - len(end) >= SHORTEST]:
        word = word.removesuffix(found[0])
    return word

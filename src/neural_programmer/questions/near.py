"""Words that may mean a cell without saying its text: boys is male, no longer made is discontinued.

The word stays as it is, with a link that the network may follow or not.
"""

from collections.abc import Sequence

import numpy as np

from neural_programmer.questions.config import NearConfig
from neural_programmer.questions.countries import ALSO_CALLED, COUNTRY_OF
from neural_programmer.questions.index import Index
from neural_programmer.questions.keys import unsaid
from neural_programmer.questions.meanings import vectors_of
from neural_programmer.questions.question import Link
from neural_programmer.questions.tokens import stemmed, stems


def parts(words: Sequence[str], index: Index, config: NearConfig) -> list[Link]:
    """Return links from unlinked words to the cells that they are part of, the rarest of them, and to rows of totals,
    which most questions do not mean."""
    found = []
    for place, word in enumerate(words):
        if not word.startswith("[") and word not in unsaid():
            held = index.holding(stemmed(word)) or _countries(word, index) or index.beginning(stemmed(word))
            if held:
                link = Link(place, {column: texts[0] for column, texts in held.items()}, near=True, parts=held)
                found.append((sum(map(len, held.values())), link))
    found.sort(key=lambda each: each[0])
    links = sorted((link for _, link in found[: config.parts]), key=lambda link: link.position)
    if index.totals:
        links.append(Link(0, {p: texts[0] for p, texts in index.totals.items()}, True, index.totals, total=True))
    return links


def _countries(word: str, index: Index) -> dict[int, tuple[str, ...]]:
    """Return the cells that have the name of a country of which somebody is, or that is called otherwise."""
    country = COUNTRY_OF.get(word, word if word in ALSO_CALLED else "")
    names = (country, *ALSO_CALLED.get(country, ())) if country else ()
    return next((held for name in names if (held := index.holding(stems(name.split())))), {})


def near(words: Sequence[str], index: Index, mentions: Sequence[Sequence[int]], config: NearConfig) -> list[Link]:
    """Return links from unlinked words to texts that they are part of or that mean the like, and to unmentioned columns
    of yes and no, each from the word most like its name."""
    meant = index.meanings
    plain = [place for place, word in enumerate(words) if not word.startswith("[") and word not in unsaid()]
    if not plain:
        return []
    said = vectors_of([[words[place]] for place in plain])
    links = []
    like = said @ meant.vectors.T
    for row, place in enumerate(plain):
        texts: dict[int, tuple[float, str]] = {}
        for number in np.flatnonzero(like[row] >= config.like).tolist():
            found = float(like[row, number]), meant.texts[number]
            texts[meant.places[number]] = max(texts.get(meant.places[number], found), found)
        part = index.text_parts.get(stemmed(words[place]), {})
        texts |= {column: (1.0, text) for column, text in part.items()}
        if texts:
            links.append((max(texts.values())[0], Link(place, {c: text for c, (_, text) in texts.items()}, near=True)))
    links.sort(key=lambda each: -each[0])
    truths = np.array([row for row, column in enumerate(meant.truths) if not mentions[column]], np.int32)
    like = said @ meant.truth_vectors[truths].T
    likest = np.argsort(-like.max(axis=0), kind="stable")[: config.alike] if len(truths) else truths
    return [link for _, link in links[: config.alike]] + [
        Link(plain[int(like[:, row].argmax())], {meant.truths[truths[row]]: "true"}, near=True)
        for row in sorted(likest.tolist())
    ]

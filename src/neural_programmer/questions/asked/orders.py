"""Words that mean an order, and the columns they may order: dearest, top, sorted by, alphabetically."""

import re
from collections.abc import Iterator
from dataclasses import replace

from neural_programmer.questions.asked.columns import (
    ALIKE,
    GUESSED,
    LIKENESS,
    called,
    kind_of,
    likeness,
    measures,
    named_after,
)
from neural_programmer.questions.asked.mentions import Choice, Direction, Order, Span
from neural_programmer.questions.asked.patterns import pattern
from neural_programmer.questions.asked.sentence import Sentence
from neural_programmer.questions.asked.vocabulary import (
    COUNTED,
    DONE,
    MEANT,
    NEUTRAL,
    OF_SIZE,
    OFTEN,
    SKIPPED,
    VERBS,
    Adjective,
    adjectives,
)
from neural_programmer.questions.keys import unsaid
from neural_programmer.questions.quantities import ORDINALS
from neural_programmer.questions.row_names import is_plural
from neural_programmer.questions.tokens import stemmed

DESCENDING = frozenset("descending decreasing reverse reversed falling descendingly".split())


def orders(sentence: Sentence) -> Iterator[Order]:
    """Read orders, those of lists first; the words of an order that is said in full mean no second one."""
    taken: set[int] = set()
    for mention in (*_lists(sentence), *_first(sentence)):
        place = set(range(mention.position.first, mention.position.end))
        if not place & taken:
            taken |= place
            yield mention
    found = [m for m in _superlatives(sentence) if not set(range(m.position.first, m.position.end)) & taken]
    named = next((m.choices for m in found if m.choices and m.choices[0].score == 1.0), ())
    places = {m.position.first for m in found}
    bare = bool(taken)  # in sorted by points, top ten only
    found = [
        m for m in found if m.choices or m.counts or not (m.said.lower() == "top" and (bare or _follows(m, places)))
    ]
    for mention in found:  # the highest salary and the lowest
        if named and mention.said.lower() in OF_SIZE and mention.choices[:1] and mention.choices[0].score < 1.0:
            turned = mention.direction == "descending"
            mention = replace(mention, choices=tuple(choice._replace(descending=turned) for choice in named))
        yield mention


def _follows(mention: Order, places: set[int]) -> bool:
    """Return whether another order follows soon: the top five highest rated."""
    return any(mention.position.first < place <= mention.position.first + 3 for place in places)


def _direction(word: str | None) -> Direction:
    return "descending" if word and word.strip() in DESCENDING else "ascending"


def _after(sentence: Sentence, item: int, descending: bool) -> tuple[int, tuple[Choice, ...], bool]:
    """Return the columns named from an item on, how far, and whether it is how many there are."""
    start, counts = item, False
    while start < len(sentence.items) and sentence.items[start].symbol in SKIPPED | NEUTRAL.keys() | {
        "their",
        "its",
        "a",
        "the",
    }:
        counts |= sentence.items[start].symbol in COUNTED
        start += 1
    end, choices, said = named_after(sentence, start)
    if counts and said and sentence.index.row_names.has(said[0]):
        choices = ()
    return (end if choices else item), tuple(c._replace(descending=descending) for c in choices), counts


def _lists(sentence: Sentence) -> Iterator[Order]:
    for found in sentence.find("letters"):
        back = found["back"] or (found["direction"] or "") in DESCENDING
        end, choices, _ = (
            _after(sentence, sentence.place(found), bool(back)) if found[0].endswith(("of", "by")) else (0, (), False)
        )
        yield _order(sentence, found, end, "descending" if back else "ascending", choices)
    for found in sentence.find("timed"):
        dates = [p for p, column in enumerate(sentence.index.columns) if column.kind == "date" or column.is_year]
        back = found["direction"] is not None
        yield _order(sentence, found, 0, "descending" if back else "ascending",
                     tuple(Choice(place, 0.6, "times", back) for place in dates))  # fmt: skip
    for found in sentence.find("sorted"):
        item = sentence.place(found)
        ranked = found["how"].startswith(("rank", "rated"))
        after = sentence.line[found.end() : found.end() + 60]
        said = found["direction"] or next(iter(re.findall(r"descending|ascending|decreasing|increasing", after)), "")
        largest = re.match(r"(?:(?! and ).){0,40}?\b(?:from )?(\w+)(?: to \w+| first)", after)
        if largest and not said and (word := _superlative(largest[1])):
            descending = word
        else:
            descending = _direction(said) == "descending" if said else ranked
        end, choices, counts = _after(sentence, item, descending)
        yield _order(
            sentence,
            found,
            _directed(sentence, end or item),
            "descending" if descending else "ascending",
            choices,
            counts,
        )
        rest = _directed(sentence, end) if end else 0
        yield from _then(sentence, rest, descending and rest == end)
    yield from _by(sentence)
    for section in ("in order", "direction"):
        for found in sentence.find(section):
            direction = _direction(found["direction"])
            item = sentence.place(found)
            named = found[0].endswith((" of", " by"))
            end, choices, counts = _after(sentence, item, direction == "descending") if named else (0, (), False)
            yield _order(sentence, found, end, direction, choices, counts)
    for found in sentence.find("order of"):
        end, choices, counts = _after(sentence, sentence.place(found), False)
        after = end or sentence.place(found)
        last = _directed(sentence, after)
        down = _puts_greatest_first(sentence, after, last)
        choices = tuple(choice._replace(descending=down) for choice in choices)
        yield _order(sentence, found, last, "descending" if down else "ascending", choices, counts)
    for found in sentence.find("from to"):
        first, last = adjectives().get(found["first"]), adjectives().get(found["last"])
        if first and last and first.degree == last.degree == "most":
            choices, direction = _measured(first, sentence)
            yield _order(sentence, found, 0, direction, choices)


def _then(sentence: Sentence, item: int, descending: bool) -> Iterator[Order]:
    """Read the second column of an order: sorted by year and title."""
    symbols = [each.symbol for each in sentence.items]
    if item and symbols[item : item + 1] in (["and"], ["then"]):
        start = item + 1 + (symbols[item + 1 : item + 2] == ["then"])
        start += symbols[start : start + 1] == ["by"]
        end, choices, _ = _after(sentence, start, descending)
        if choices and choices[0].score >= 0.8:
            rest = _directed(sentence, end)
            descending = _puts_greatest_first(sentence, end, rest, descending)
            choices = tuple(choice._replace(descending=descending) for choice in choices)
            start -= symbols[start - 1] == "by"
            span = Span(sentence.items[start].first, sentence.items[rest - 1].end)
            yield Order(span, sentence.said(span), "descending" if descending else "ascending", choices, False, True)


def _directed(sentence: Sentence, item: int) -> int:
    """Return the item after a direction that follows an order: sorted by rent from highest to lowest."""
    if item >= len(sentence.items):
        return item
    found = pattern("directed").match(sentence.line, sentence.starts[item])
    return sentence.item_at(found.end() - 1) + 1 if found else item


def _puts_greatest_first(sentence: Sentence, item: int, end: int, otherwise: bool = False) -> bool:
    """Return whether the items that say a direction say that the greatest is first."""
    symbols = [each.symbol for each in sentence.items[item:end]]
    for symbol in symbols:
        if symbol in ("descending", "decreasing", "most", "recent"):
            return True
        if symbol in ("ascending", "increasing", "least"):
            return False
        if (found := _superlative(symbol)) is not None:
            return found
    return otherwise


def _by(sentence: Sentence) -> Iterator[Order]:
    """Read list the flats by rent, the runner-up by points: by a number or a time, where nothing else orders."""
    for found in sentence.find("ordered by"):
        item = sentence.place(found)
        first = sentence.item_at(found.start())
        if item >= len(sentence.items):
            continue
        end, choices, counts = _after(sentence, item, True)
        if not orders_by(sentence, first, end):
            continue
        kinds = {kind_of(sentence.index, choice.column) for choice in choices if choice.score >= 0.6}
        before = sentence.line[: found.start()]
        if not (kinds & {"number", "date"} or counts) or re.search(
            r"(?<!\S)(?:[a-z]+est|best|worst|top|bottom|most|least|fewest)(?!\S)", before
        ):
            continue
        rest = _directed(sentence, end)
        ranked = re.search(
            r"(?<!\S)(?:rank\w*|came|runners?|leading|place|#\d+|first|second|third|fourth|fifth)(?!\S)", before
        )
        down = bool(ranked) and not re.search(r"(?<!\S)(?:last|first) #", before)
        down = _puts_greatest_first(sentence, end, rest, down)
        choices = tuple(choice._replace(descending=down) for choice in choices)
        span = Span(sentence.items[first].first, sentence.items[rest - 1].end)
        yield Order(span, sentence.said(span), "descending" if down else "ascending", choices, counts, True)


def orders_by(sentence: Sentence, item: int, end: int) -> bool:
    """Return whether "by" at an item may order: after what lists or ranks, or before best first."""
    if _directed(sentence, end) > end:
        return True
    line = " ".join(each.symbol for each in sentence.items[:item])
    if pattern("no order").search(line):
        return False
    return pattern("ranked").search(line) is not None or line.startswith("#")


def _superlative(word: str) -> bool | None:
    """Return whether what a word puts first is the greatest; None if it is no superlative."""
    if word in NEUTRAL:
        return NEUTRAL[word] == "descending"
    adjective = adjectives().get(word)
    return None if adjective is None or adjective.degree != "most" else bool(adjective.rising)


def _order(sentence: Sentence, found: re.Match[str], end: int, direction: Direction, choices: tuple[Choice, ...],
           counts: bool = False) -> Order:  # fmt: skip
    first, last = sentence.span(found)
    if end:
        last = max(last, sentence.items[end - 1].end)
    return Order(Span(first, last), sentence.said(Span(first, last)), direction, choices, counts, True)


def _first(sentence: Sentence) -> Iterator[Order]:
    """Read "largest first", "lowest rent first"; largest first alone is by what was computed."""
    for found in sentence.find("first"):
        word = found["word"].split()[-1]
        adjective = adjectives().get(word)
        if word not in NEUTRAL and adjective is None:
            continue
        reverse = found["word"].startswith("least ")
        choices, direction = _measured(adjective, sentence, reverse) if adjective is not None else ((), "descending")
        if word in NEUTRAL and word in OF_SIZE:
            choices, direction = (), "descending" if NEUTRAL[word] == "descending" else "ascending"
        named = sentence.named(found["noun"]) if found["noun"] else None
        if named and any(kind_of(sentence.index, place) in ("number", "date") for place in named.columns):
            choices = tuple(Choice(place, 1.0, "name", direction == "descending") for place in named.columns)
        yield _order(sentence, found, 0, direction, choices)


def _measured(adjective: Adjective, sentence: Sentence, reverse: bool = False) -> tuple[tuple[Choice, ...], Direction]:
    """Return the columns that an adjective orders, and its direction for the likeliest."""
    found = measures(adjective, sentence.index)
    if not found:
        rising = bool(adjective.rising) and (not adjective.falling or adjective.rising[0] not in ("birth", "date"))
        columns = enumerate(sentence.index.columns)
        found = [Choice(place, GUESSED, "a number", rising) for place, column in columns
                 if column.kind == "number" and not column.is_year and not column.view]  # fmt: skip
        down = rising
    else:
        down = found[0].descending
    if reverse:
        found, down = [c._replace(descending=not c.descending) for c in found], not down
    return tuple(found), "descending" if down else "ascending"


def _superlatives(sentence: Sentence) -> Iterator[Order]:
    for found in sentence.find("word"):
        degree, word = found["degree"], found["word"]
        if word in ("most", "least", "fewest") and not degree:
            yield from _most(sentence, found)
            continue
        if degree and word in OFTEN and word != "popular":  # is a computation
            continue
        if degree and word == "popular":
            direction: Direction = "descending" if degree == "most" else "ascending"
            own = adjectives().get(word)
            choices = tuple(measures(own, sentence.index)) if own is not None else ()
            span = sentence.span(found)
            yield Order(span, sentence.said(span), direction, _turned(choices, degree == "least"), True)
            continue
        adjective = adjectives().get(word)
        if degree and (adjective is None or adjective.degree):
            yield from _most(sentence, found)
            continue
        if degree and adjective is not None:
            choices, direction = _measured(adjective, sentence, degree == "least")
            span = sentence.span(found)
            yield Order(span, sentence.said(span), direction, choices)
        elif word in NEUTRAL or (adjective is not None and adjective.degree == "most"):
            yield from _neutral(sentence, found, word, adjective)


def _of_verb(verb: str) -> Adjective | None:
    """Return what is measured of those who do something most."""
    concepts = VERBS.get(verb) or VERBS.get(stemmed(verb))
    return Adjective(tuple(concepts.split()), (), "") if concepts else None


def _verb_before(sentence: Sentence, item: int) -> str:
    place = item - 1
    while place > 0 and (sentence.items[place].symbol == "the" or sentence.items[place].symbol in ORDINALS):
        place -= 1
    return sentence.items[place].symbol if place >= 0 else ""


def _turned(choices: tuple[Choice, ...], turn: bool) -> tuple[Choice, ...]:
    return tuple(choice._replace(descending=not choice.descending) for choice in choices) if turn else choices


def _neutral(sentence: Sentence, found: re.Match[str], word: str, adjective: Adjective | None) -> Iterator[Order]:
    """Read the highest rent, the largest number of flats, the oldest."""
    span = sentence.span(found)
    item = sentence.place(found)
    plain = word in NEUTRAL
    down = NEUTRAL.get(word) == "descending"
    _, named, counts = _after(sentence, item, down) if plain else (item, (), False)
    if item < len(sentence.items) and sentence.index.row_names.has(sentence.items[item].symbol):
        named = tuple(choice for choice in named if choice.score == 1.0 or choice.evidence == "words of the name")
    kinds = {kind_of(sentence.index, choice.column) for choice in named}
    if named and named[0].score >= 0.6 and kinds & {"number", "date"}:
        fitting = measures(adjective, sentence.index) if adjective is not None else []
        own = next((each for each in fitting if each.column == named[0].column), None)
        direction: Direction = "descending" if (own.descending if own else down) else "ascending"
        choices = tuple(choice._replace(descending=direction == "descending") for choice in named)
        yield Order(span, sentence.said(span), direction, choices, counts)
        return
    if counts:
        yield Order(span, sentence.said(span), "descending" if down else "ascending", (), True)
        return
    after = sentence.items[item].symbol if item < len(sentence.items) else ""
    first = sentence.item_at(found.start())
    done = Adjective(tuple(DONE[after].split()), (), "") if after in DONE else _of_verb(_verb_before(sentence, first))
    if done is not None and word in NEUTRAL and (found_measures := measures(done, sentence.index)):
        choices = tuple(choice._replace(descending=down) for choice in found_measures)
        yield Order(span, sentence.said(span), "descending" if down else "ascending", choices)
        return
    if adjective is None or word in ("top", "bottom"):
        later, counted = _with_measure(sentence, item, down)
        yield Order(span, sentence.said(span), "descending" if down else "ascending", later, counted)
        return
    if word in OF_SIZE and (not after or after in unsaid()) and (earlier := _number_before(sentence, first)):
        choices = tuple(choice._replace(descending=down) for choice in earlier)
        yield Order(span, sentence.said(span), "descending" if down else "ascending", choices)
        return
    choices, direction = _measured(adjective, sentence)
    later, counted = _with_measure(sentence, item, direction == "descending")
    yield Order(span, sentence.said(span), direction, () if counted else later or choices, counted)


def _number_before(sentence: Sentence, item: int) -> tuple[Choice, ...]:
    """Return the column of numbers that was named last: whose salary is the highest."""
    for each in reversed(sentence.items[:item]):
        named = sentence.named(each.symbol)
        if named is None and each.symbol not in unsaid() and each.symbol.isalpha():
            choices = [c for c in called([each.symbol], sentence.index) if c.score >= 0.75]
            if choices and kind_of(sentence.index, choices[0].column) == "number":
                return tuple(choices)
        if named is not None:
            numbers = [place for place in named.columns if kind_of(sentence.index, place) == "number"]
            return tuple(Choice(place, 1.0, "name") for place in numbers)
    return ()


def _with_measure(sentence: Sentence, item: int, down: bool) -> tuple[tuple[Choice, ...], bool]:
    """Return the column of the top five flats by rent, of the largest by area; and whether it is by how many."""
    for place in range(item, min(item + 10, len(sentence.items) - 1)):
        if sentence.items[place].symbol == "by":
            _, choices, counts = _after(sentence, place + 1, down)
            numbers = tuple(c for c in choices if kind_of(sentence.index, c.column) in ("number", "date"))
            return numbers, counts and not numbers
    return (), False


def _most(sentence: Sentence, found: re.Match[str]) -> Iterator[Order]:
    """Read the most points, the most flats; not at most, and not most of them."""
    span, item = sentence.span(found), sentence.item_at(found.start())
    before = sentence.items[item - 1].symbol if item else ""
    verb = _verb_before(sentence, item)
    after = sentence.items[item + 1].symbol if item + 1 < len(sentence.items) else ""
    if after == "of" and not _of_verb(verb):
        return
    if before in ("at", "no") or after in ("than", "one", "often", "frequently"):
        return
    down = (found["degree"] or found["word"]) == "most"
    direction: Direction = "descending" if down else "ascending"
    span = Span(span.first, span.first + 1)
    _, named, counts = _after(sentence, item + 1, down)
    if sentence.index.row_names.has(after) and not (named and named[0].score == 1.0):
        named = ()
    kinds = {kind_of(sentence.index, choice.column) for choice in named if choice.score >= 0.3}
    numbers = tuple(c for c in named if kind_of(sentence.index, c.column) in ("number", "date"))
    if kinds & {"number", "date"}:
        yield Order(span, sentence.said(span), direction, numbers, counts)
    elif (concepts := _of_verb(verb)) and (meant := measures(concepts, sentence.index)):
        yield Order(span, sentence.said(span), direction, tuple(choice._replace(descending=down) for choice in meant))
    elif (
        (
            not after
            or after in unsaid()
            or (named and after not in MEANT)
            or is_plural(after)
            or sentence.index.row_names.has(after)
        )
        or called([after], sentence.index)
        or not after[0].isalpha()
    ):
        yield Order(span, sentence.said(span), direction, (), True)
    elif after in MEANT and (meant := measures(adjectives()[MEANT[after]], sentence.index)):
        yield Order(span, sentence.said(span), direction, tuple(choice._replace(descending=down) for choice in meant))
    else:
        like = [(likeness(stemmed(after), c.name), place) for place, c in enumerate(sentence.index.columns)
                if c.kind == "number" and not c.is_year]  # fmt: skip
        best = tuple(Choice(place, round(LIKENESS * score, 3), "word vectors", down)
                     for score, place in sorted(like, reverse=True)[:3] if score >= ALIKE)  # fmt: skip
        yield Order(span, sentence.said(span), direction, best)

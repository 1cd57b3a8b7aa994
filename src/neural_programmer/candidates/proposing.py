"""Propose programs for a question: shapes whose slots are filled by what the question mentions, the likeliest first.

A program is written one way only: conditions; keys; measures; what is computed; conditions on measures; an order; what
is put out. Its score is a sum: of what fills its slots, of its shape, and of the words of the question that it uses,
each once. Nothing is learnt, and nothing is run.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from neural_programmer.candidates.config import PROPOSALS, ProposalConfig
from neural_programmer.candidates.shapes import KIND, SHAPES, Shape
from neural_programmer.candidates.slots import Moves, Option, Said
from neural_programmer.programs.program import Program, Step
from neural_programmer.questions.asked import Comparison, Span
from neural_programmer.questions.index import Index

LESS_WORDS = "less fewer lower younger smaller below under cheaper earlier shorter colder".split()


class Slot(NamedTuple):
    """The options of a slot, as arrays."""

    options: Sequence[Option]
    scores: Float[np.ndarray, "options"]
    bits: Int[np.ndarray, "options"]
    hard: Int[np.ndarray, "options"]


@dataclass(frozen=True, eq=False)
class Proposals:
    """Programs that a question may mean, the likeliest first, as tuples of steps; what was left out is counted.

    `left_out` says of each shape how many programs of it were not proposed; `columns` how many columns no slot has.
    """

    moves: tuple[Moves, ...]
    shapes: tuple[str, ...]
    scores: tuple[float, ...]
    left_out: dict[str, int]
    columns: int

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, place: int) -> Program:
        return Program(tuple(Step(*move) for move in self.moves[place]))

    def __iter__(self) -> Iterator[Program]:
        return (self[place] for place in range(len(self)))


def propose(question: str, index: Index, limits: ProposalConfig = PROPOSALS) -> Proposals:
    """Propose at most `limits.most` programs for a question about a table."""
    return composed(Said(question, index, limits), limits)


def composed(said: Said, limits: ProposalConfig = PROPOSALS) -> Proposals:
    """Compose programs of what a question says."""
    slots = _Slots(said)
    ways: list[tuple[Shape, np.ndarray, np.ndarray]] = []
    left_out: Counter[str] = Counter()
    for shape in SHAPES:
        likely = shape.score + _likely(shape.name, said)
        filled = [slots[name] for name in shape.slots]
        if all(len(slot.options) for slot in filled):
            scores, places, every = _filled(filled, limits.kept)
            left_out[shape.name] += every - len(scores)
            if limits.varied and shape.slots[0] == "where":
                scores = scores - limits.varied * np.log2(1 + _before(places[:, 0]))
                order = np.argsort(-scores, kind="stable")
                scores, places = scores[order], places[order]
            ways.append((shape, scores + likely, places))
    firm = [np.arange(len(scores)) < limits.each for _, scores, _ in ways]
    scores = np.concatenate([scores for _, scores, _ in ways])
    rank = np.argsort(-scores, kind="stable")
    of = np.concatenate([np.full(len(scores), number) for number, (_, scores, _) in enumerate(ways)])
    starts = np.cumsum([0, *(len(scores) for _, scores, _ in ways)])
    room = limits.most + limits.most // 5
    chosen = np.zeros(len(scores), bool)
    chosen[np.flatnonzero(np.concatenate(firm))] = True
    most = max(room - int(chosen.sum()), 0)
    chosen[rank[~chosen[rank]][:most]] = True
    order = rank[chosen[rank]]
    of_order = of[order]
    filled_by: list[list[int]] = [[]] * len(order)
    for number, (_, _, places) in enumerate(ways):
        here = np.flatnonzero(of_order == number)
        for at, some in zip(here.tolist(), places[order[here] - starts[number]].tolist(), strict=True):
            filled_by[at] = some
    found: dict[Moves, tuple[str, float]] = {}
    options = [[slots[name].options for name in shape.slots] for shape, _, _ in ways]
    for number, score, some in zip(of_order.tolist(), scores[order].tolist(), filled_by, strict=True):
        shape = ways[number][0]
        if len(found) >= limits.most:
            left_out[shape.name] += 1
            continue
        steps = shape.build(*[every[at].what for every, at in zip(options[number], some, strict=True)])
        if steps is not None and steps not in found:
            found[steps] = shape.name, score
    for number, count in zip(*np.unique(of[~chosen], return_counts=True), strict=True):
        left_out[ways[number][0].name] += int(count)
    return Proposals(
        tuple(found),
        tuple(name for name, _ in found.values()),
        tuple(score for _, score in found.values()),
        {name: count for name, count in left_out.items() if count},
        max(said.cut, 0),
    )


def _before(numbers: np.ndarray) -> np.ndarray:
    """Return of each number how many before it are the same."""
    order = np.argsort(numbers, kind="stable")
    sorted_ = numbers[order]
    starts = np.flatnonzero(np.diff(sorted_, prepend=-1))
    found = np.empty(len(numbers))
    found[order] = np.arange(len(numbers)) - np.repeat(starts, np.diff(starts, append=len(numbers)))
    return found


def _filled(slots: Sequence[Slot], kept: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the best ways to fill slots, with their scores, the best first, and how many ways there are."""
    scores, bits, hard = np.zeros(1), np.zeros(1, np.int64), np.zeros(1, np.int64)
    places = np.zeros((1, 0), np.int64)
    every = 1
    for slot in slots:
        every *= len(slot.options)
        width = len(slot.options)
        sums = (scores[:, None] + slot.scores).ravel()
        union = (bits[:, None] | slot.bits).ravel()
        sums[((hard[:, None] & slot.hard) != 0).ravel()] = -np.inf
        worth = sums + np.bitwise_count(union)
        if len(worth) > kept:
            best = np.argpartition(-worth, kept)[:kept]
            best = best[np.lexsort((best, -worth[best]))]
        else:
            best = np.argsort(-worth, kind="stable")
        best = best[np.isfinite(worth[best])]
        before, this = best // width, best % width
        scores, bits = sums[best], union[best]
        hard = hard[before] | slot.hard[this]
        places = np.concatenate([places[before], this[:, None]], axis=1)
    return scores + np.bitwise_count(bits), places, every


class _Slots(dict[str, Slot]):
    """The slots of a question, each made when a shape asks for it."""

    def __init__(self, said: Said) -> None:
        super().__init__()
        self.said = said

    def __missing__(self, name: str) -> Slot:
        options = OPTIONS[name](self.said) if name in OPTIONS else getattr(self.said, name)
        slot = self[name] = Slot(
            options,
            np.array([option.score for option in options], float),
            np.array([option.bits for option in options], np.int64),
            np.array([option.hard for option in options], np.int64),
        )
        return slot


def _words(said: Said, *words: str) -> bool:
    return bool(set(words).intersection(word.lower() for word in said.asked.words))


def _likely(shape: str, said: Said) -> float:
    """Return how much likelier what a question says makes a shape."""
    kind = KIND[shape]
    counts, truth = said.cue("count", "distinct count") is not None, said.is_truth
    asks = _words(
        said, "which", "who", "what", "list", "show", "name", "find", "where", "when", "whose", "give", "return"
    )
    likely = {
        "number": 0.4 * counts - 0.6 * truth,
        "cells": 0.4 * asks - 1.0 * counts - 0.8 * truth,
        "groups": -0.3 * (not said.has_key) - 0.8 * truth,
        "share": (1.0 if said.is_share else -1.5) - 0.5 * truth,
        "two": (0.8 if said.is_compared else -1.0) - 0.5 * truth,
        "truth": 1.5 if truth else -1.2,
        "time": 0.8 if said.is_change else -1.2,
        "rows": 0.0,
        "sets": 1.2 * _words(said, "both", "not", "without", "never", "no", "neither", "except") - 0.2 * counts,
    }
    return likely[kind]


def _directions(said: Said) -> list[Option]:
    return [Option(score, bits, 0, descending) for descending, (score, bits) in said.direction.items()]


def _group_orders(said: Said) -> list[Option]:
    return [
        Option(score - (0.0 if what == "measure" else 0.2), bits, 0, (what, descending))
        for descending, (score, bits) in said.direction.items()
        for what in ("measure", "key")
    ]


def _alone(said: Said) -> list[Option]:
    found = []
    for what, name in (("average", "average"), ("sum", "sum"), ("maximum", "maximum"), ("minimum", "minimum"),
                       ("median", "median")):  # fmt: skip
        score, bits = said.cued(what, said=0.4, unsaid=-0.7 if what in ("average", "sum") else -1.3)
        found.append(Option(score, bits, 0, name))
    return found


def _two_operations(said: Said) -> list[Option]:
    """What becomes of two numbers: which operation, and whether the one that is said first comes first."""
    cues = {
        "minus": ("difference",), "ratio": ("ratio", "times"), "growth": ("growth",), "percent of": ("share",),
        "sum of both": ("sum",),
    }  # fmt: skip
    found = []
    for name, whats in cues.items():
        score, bits = said.cued(*whats, said=0.4, unsaid=-0.3 if name == "minus" else -0.8)
        if name == "sum of both":
            score -= 0.8
        for first in (True, False) if name != "sum of both" else (True,):
            later = name in ("growth",) and first  # from the first to the second
            found.append(Option(score - (0.15 if not first and not later else 0.0), bits, 0, (name, first)))
    return found


def _comparisons(said: Said) -> list[Option]:
    less = _words(said, *LESS_WORDS)
    names = ("is less", "is more") if less else ("is more", "is less")
    return [
        *(Option(-0.3 * (not first) - 0.2 * rank, 0, 0, (name, first)) for rank, name in enumerate(names)
          for first in (True, False)),
        Option(-0.6, 0, 0, ("is the same", True)),
    ]  # fmt: skip


def _sides(said: Said) -> list[Option]:
    """Whether more or less than a number of other rows is asked for."""
    bits, found = 0, -1.5
    for each in said.asked.of(Comparison):
        if each.low is None and each.high is None:
            bits, found = bits | said.bits(each.position), 0.3
    if _words(said, "than", "above", "below", "exceed", "exceeds", "beyond", "over", "under"):
        found = max(found, 0.0)
    less = _words(
        said, "less", "fewer", "lower", "younger", "smaller", "below", "under", "cheaper", "earlier", "shorter"
    )
    names = ("less than it", "more than it") if less else ("more than it", "less than it")
    return [Option(found - 0.5 * rank, bits, 0, name) for rank, name in enumerate(names)]


def _changes_of(said: Said) -> list[Option]:
    cues = {"change": ("difference",), "percent change": ("growth",), "running total": ("running total",),
            "moving average": ("moving average",)}  # fmt: skip
    return [Option(*said.cued(*whats, said=0.6, unsaid=-0.6), 0, name) for name, whats in cues.items()]


def _correlated(said: Said) -> list[Option]:
    score, bits = said.cued("correlation", said=1.0, unsaid=-2.5)
    return [each._replace(score=each.score + score, bits=each.bits | bits) for each in said.numbers]


def _places(said: Said) -> list[Option]:
    words = {
        "first": ("first",), "last": ("last", "latest"), "next": ("next", "after", "following"),
        "previous": ("previous", "before", "preceding"), "below": ("after", "below"), "above": ("before", "above"),
    }  # fmt: skip
    found = []
    for name, some in words.items():
        bits = 0
        for place, word in enumerate(said.asked.words):
            if word.lower() in some:
                bits |= said.bits(Span(place, place + 1))
        if bits:
            found.append(Option(0.0 if name in ("first", "last") else -0.5, bits, 0, name))
    return found


def _put_out_options(said: Said) -> list[Option]:
    return [Option(0.0, 0, 0, "both"), Option(-0.2, 0, 0, "key"), Option(-1.0, 0, 0, "measure")]


def _put_out_key(said: Said) -> list[Option]:
    both = -0.1 if _words(said, "many", "much", "number", "count", "average", "total") else -0.5
    return [Option(0.1, 0, 0, "key"), Option(both, 0, 0, "both"), Option(-1.0, 0, 0, "measure"),
            Option(-0.6, 0, 0, "first key")]  # fmt: skip


OPTIONS: dict[str, Callable[[Said], list[Option]]] = {
    "directions": _directions,
    "group orders": _group_orders,
    "aggregates alone": _alone,
    "two operations": _two_operations,
    "comparisons": _comparisons,
    "changes": _changes_of,
    "sides": _sides,
    "correlated": _correlated,
    "places": _places,
    "put out": _put_out_options,
    "put out key": _put_out_key,
    "keys alone": lambda said: [each._replace(what=(each.what,)) for each in said.keys][:20],
    "columns by name": lambda said: said.of_kind("text", "number", "date", "boolean"),
    "flags": lambda said: [each for each in said.numbers if each.bits],
}

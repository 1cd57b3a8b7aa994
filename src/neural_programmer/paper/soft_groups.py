"""Groups of soft trainings that belong together, each an experiment of docs/log.md."""

from dataclasses import dataclass, field, replace
from typing import Any

from neural_programmer.paper.soft_runs import Way


@dataclass(frozen=True)
class Group:
    """Ways to train on one task, each with so many restarts, side by side."""

    about: str
    task: str
    ways: dict[str, tuple[Way, int]]
    steps: int
    arguments: str = "mixed"
    network: dict[str, Any] = field(default_factory=dict)
    batch: int = 50
    examples: int = 50_000
    every: int = 1_000
    seconds: float = float("inf")
    keeps: int = 0
    """Of how many of the best runs the state is kept."""
    tests: bool = False
    models: int = 0
    """Of how many of the best runs the weights are kept."""
    fits: bool = False
    """Whether as many steps are taken as there is time for, no more than said."""


LEAD = Way(noise=1.0)  # delta 25, lambda 50, clip 50, noise after clipping
ROWS = replace(LEAD, by_rows=1.0)
LATER = replace(ROWS, delta=1e6, weight=1e6, most=3.0)  # err^2 / 2, divided by the rows, at most 3

RELATIVE = Way(
    delta=10.0, weight=1.0, constant=20.0, relative=1.0, lookup=1.0,
    entropy=0.05, selection_noise=1.0, average=0.99,
)  # fmt: skip
WORDED = replace(RELATIVE, delta=0.0, delta_share=0.3, constant=0.0, relative=0.0, worded=1.0)
BENT = replace(WORDED, delta_share=1.0, compressed=1.0)
SHARP = replace(WORDED, delta_share=0.03, selection_noise=1.5, entropy=0.02)
STEADY = replace(SHARP, selection_noise=1.0)
AGAIN = replace(STEADY, wrong_entropy=0.3, wrong_noise=1.0, again=3_000.0)

FULL = replace(AGAIN, empty=0.1, wrong_entropy=0.1, delta_share=0.3)
GENTLE = replace(AGAIN, empty=0.1, wrong_entropy=0.03, wrong_noise=1.5)
STRONG = replace(AGAIN, empty=0.1, wrong_entropy=0.1, wrong_noise=2.0)
BEYOND = replace(RELATIVE, empty=0.1, wrong_entropy=0.05, wrong_noise=1.0, again=3_000.0)
BENT_ONCE = replace(BENT, selection_noise=1.5, empty=0.1, rate=1.5e-3)
BENT_AGAIN = replace(FULL, compressed=1.0, selection_noise=1.25, entropy=0.03, wrong_entropy=0.05, rate=2e-3)

ASKED = replace(
    WORDED, selection_noise=1.0, entropy=0.02, empty=0.1,
    asked_again=0.5, trouble_noise=1.0, trouble_entropy=0.1, again=3_000.0,
)  # fmt: skip
ASKED_BENT = replace(ASKED, compressed=1.0, delta_share=1.0, trouble_entropy=0.05, rate=1.5e-3)
ASKED_RELATIVE = replace(RELATIVE, empty=0.1, asked_again=0.5, trouble_noise=1.0, trouble_entropy=0.05, again=3_000.0)
ASKED_PAPER = replace(
    ROWS, noise=0.0, average=0.99, selection_noise=1.0, entropy=0.5,
    asked_again=0.5, trouble_noise=1.0, trouble_entropy=2.0, again=3_000.0,
)  # fmt: skip


def _final(task: str, ways: dict[str, tuple[Way, int]], steps: int = 45_000) -> Group:
    about = "the eight tasks by noise again and again where the program is wrong, empty answers counting a tenth"
    return Group(about, task, ways, steps, every=500, fits=True, tests=True, models=2)


FINAL: dict[str, dict[str, tuple[Way, int]]] = {
    "single-column": {"full": (FULL, 9), "gentle": (GENTLE, 9), "strong": (STRONG, 9)},
    "three-columns": {"bent, again": (BENT_AGAIN, 4), "bent": (BENT_ONCE, 4)},
    "five-columns": {"bent, again": (BENT_AGAIN, 3), "bent": (BENT_ONCE, 3)},
    "ten-columns": {"bent, again": (BENT_AGAIN, 2), "bent": (BENT_ONCE, 2)},
    "words-one-column": {"bent, again": (BENT_AGAIN, 4), "bent": (BENT_ONCE, 4)},
    "words-five-columns": {"bent, again": (BENT_AGAIN, 2), "bent": (BENT_ONCE, 2)},
    "text-two-columns": {"relative, again": (BEYOND, 3), "bent": (BENT_ONCE, 3)},
    "text-five-columns": {"relative, again": (BEYOND, 2), "bent": (BENT_ONCE, 2)},
}

ASKING: dict[str, tuple[dict[str, Way], int]] = {
    "single-column": ({
        "asked again": ASKED,
        "reward 0.05": replace(ASKED, trouble_entropy=0.05),
        "reward 0.2": replace(ASKED, trouble_entropy=0.2),
        "noise 1.5": replace(ASKED, trouble_noise=1.5),
        "four of five": replace(ASKED, asked_again=0.8),
        "four of five, noise 1.5": replace(ASKED, asked_again=0.8, trouble_noise=1.5),
        "delta 0.03": replace(ASKED, delta_share=0.03),
        "delta 1": replace(ASKED, delta_share=1.0),
        "bent": ASKED_BENT,
        "empty in full": replace(ASKED, empty=1.0),
        "relative": ASKED_RELATIVE,
        "the paper's loss by rows": ASKED_PAPER,
        "asked again, no more": replace(ASKED, trouble_noise=0.0, trouble_entropy=0.0),
        "noise and reward, not asked again": replace(ASKED, asked_again=0.0),
        "rate 0.002": replace(ASKED, rate=2e-3),
        "first noise 0.5": replace(ASKED, selection_noise=0.5),
    }, 5),
    "three-columns": ({
        "asked again": ASKED,
        "rate 0.002": replace(ASKED, rate=2e-3),
        "bent": ASKED_BENT,
        "bent, reward 0.1": replace(ASKED_BENT, trouble_entropy=0.1),
        "noise 1.5": replace(ASKED, trouble_noise=1.5, selection_noise=1.5),
        "large later": replace(ASKED, large_later=0.2),
        "four of five": replace(ASKED, asked_again=0.8),
    }, 3),
    "five-columns": ({
        "asked again": ASKED,
        "four of five": replace(ASKED, asked_again=0.8),
        "bent": ASKED_BENT,
        "relative": ASKED_RELATIVE,
    }, 2),
    "ten-columns": ({
        "asked again": ASKED,
        "four of five": replace(ASKED, asked_again=0.8),
        "bent": ASKED_BENT,
        "rate 0.002": replace(ASKED, rate=2e-3),
    }, 2),
    "words-one-column": ({"asked again": ASKED, "bent": ASKED_BENT, "rate 0.002": replace(ASKED, rate=2e-3)}, 2),
    "words-five-columns": ({"asked again": ASKED, "bent": ASKED_BENT}, 2),
    "text-two-columns": ({
        "asked again": ASKED,
        "bent": ASKED_BENT,
        "relative": ASKED_RELATIVE,
        "noise 0.5": replace(ASKED, trouble_noise=0.5, trouble_entropy=0.05, selection_noise=0.5),
        "four of five": replace(ASKED, asked_again=0.8),
    }, 2),
    "text-five-columns": ({"asked again": ASKED, "bent": ASKED_BENT}, 2),
}  # fmt: skip

LOUD = replace(ASKED, trouble_noise=1.5)
ONCE = replace(ASKED, trouble_noise=0.0, trouble_entropy=0.0, falling=1.0)  # no noise but that which falls once
BENT_FALLING = replace(BENT_ONCE, asked_again=0.5, falling=1.0)
MORE: dict[str, tuple[dict[str, Way], int]] = {
    "single-column": ({
        "empty 0.3": replace(ASKED, empty=0.3),
        "empty 0.3, noise 1.5": replace(LOUD, empty=0.3),
        "heat 2": replace(ASKED, trouble_heat=2.0),
        "heat 5": replace(ASKED, trouble_heat=5.0),
        "heat 10": replace(ASKED, trouble_heat=10.0),
        "heat 5, reward 0.03": replace(ASKED, trouble_heat=5.0, trouble_entropy=0.03),
        "heat 3, noise 1.5": replace(LOUD, trouble_heat=3.0),
        "heat 3, noise 1.5, empty 0.3": replace(LOUD, trouble_heat=3.0, empty=0.3),
        "rate 0.0004": replace(ASKED, rate=4e-4),
        "rate 0.0005, heat 3": replace(ASKED, rate=5e-4, trouble_heat=3.0),
        "noise 1.5, first 1.5": replace(LOUD, selection_noise=1.5),
        "noise 2": replace(ASKED, trouble_noise=2.0),
        "a quarter": replace(ASKED, asked_again=0.25),
        "a quarter, heat 3, noise 1.5": replace(LOUD, asked_again=0.25, trouble_heat=3.0),
    }, 6),
    "three-columns": ({
        "noise 1.5, falling": replace(LOUD, selection_noise=1.5, falling=1.0),
        "heat 3, noise 1.5": replace(LOUD, trouble_heat=3.0, falling=1.0),
        "once": ONCE,
        "bent": BENT_FALLING,
        "noise 1.5, columns 0.3": replace(LOUD, column_part=0.3, falling=1.0),
    }, 3),
    "five-columns": ({
        "noise 1.5, falling": replace(LOUD, selection_noise=1.5, falling=1.0),
        "once": ONCE,
        "bent": BENT_FALLING,
        "columns 0.3": replace(ASKED, column_part=0.3, falling=1.0),
    }, 2),
    "ten-columns": ({
        "once": ONCE,
        "once, rate 0.002": replace(ONCE, rate=2e-3),
        "once, columns 0.2": replace(ONCE, column_part=0.2),
        "once, columns 0.2, four of five": replace(ONCE, column_part=0.2, asked_again=0.8),
        "bent": BENT_FALLING,
        "noise 0.5, columns 0.2": replace(
            ASKED, trouble_noise=0.5, trouble_entropy=0.01, column_part=0.2, falling=1.0
        ),
    }, 2),
    "words-five-columns": ({
        "once": ONCE,
        "once, columns 0.2": replace(ONCE, column_part=0.2),
        "bent": BENT_FALLING,
    }, 2),
    "text-two-columns": ({
        "once": ONCE,
        "once, no reward": replace(ONCE, entropy=0.0),
        "once, noise 0.5": replace(ONCE, selection_noise=0.5),
        "once, rate 0.0005": replace(ONCE, rate=5e-4),
        "once, columns 0.2": replace(ONCE, column_part=0.2),
        "bent": BENT_FALLING,
    }, 2),
    "text-five-columns": ({
        "once": ONCE,
        "once, noise 0.5": replace(ONCE, selection_noise=0.5),
        "once, columns 0.2": replace(ONCE, column_part=0.2),
        "bent": BENT_FALLING,
    }, 2),
}  # fmt: skip

SPARING = replace(ONCE, column_part=0.2, asked_again=0.8, empty=0.3)
EVEN = replace(ASKED, trouble_even=0.03)
EVEN_COLUMNS = replace(EVEN, column_part=0.2, empty=0.3, falling=1.0)
LITTLE = replace(SPARING, trouble_even=0.01, trouble_noise=0.5)
TEXTS = replace(SPARING, asked_again=0.5)
LAST: dict[str, dict[str, tuple[Way, int]]] = {
    "single-column": {
        "even 0.03": (EVEN, 27),
        "even 0.01": (replace(EVEN, trouble_even=0.01), 27),
        "not even, empty 0.3": (replace(ASKED, empty=0.3), 27),
    },
    "three-columns": {
        "sparing": (SPARING, 3),
        "little even": (LITTLE, 3),
        "even": (EVEN_COLUMNS, 3),
        "even, four of five": (replace(EVEN_COLUMNS, asked_again=0.8), 3),
        "even 0.01, four of five": (replace(EVEN_COLUMNS, asked_again=0.8, trouble_even=0.01), 3),
    },
    "five-columns": {
        "sparing": (SPARING, 3),
        "little even": (LITTLE, 3),
        "even": (EVEN_COLUMNS, 3),
        "even 0.01, four of five": (replace(EVEN_COLUMNS, asked_again=0.8, trouble_even=0.01), 3),
    },
    "ten-columns": {"sparing": (SPARING, 3), "little even": (LITTLE, 3)},
    "words-one-column": {"sparing": (SPARING, 3), "even": (EVEN_COLUMNS, 3)},
    "words-five-columns": {"sparing": (SPARING, 3), "little even": (LITTLE, 3)},
    "text-two-columns": {
        "texts": (TEXTS, 3),
        "little even": (LITTLE, 3),
        "texts, empty in full": (replace(TEXTS, empty=1.0), 3),
        "texts, four of five": (replace(TEXTS, asked_again=0.8), 3),
        "texts, noise 0.5": (replace(TEXTS, selection_noise=0.5), 3),
        "texts, rate 0.0005": (replace(TEXTS, rate=5e-4), 3),
        "texts, rate 0.002": (replace(TEXTS, rate=2e-3), 3),
    },
    "text-five-columns": {
        "texts": (TEXTS, 3),
        "little even": (LITTLE, 3),
        "texts, four of five": (replace(TEXTS, asked_again=0.8), 3),
        "texts, noise 0.5": (replace(TEXTS, selection_noise=0.5), 3),
        "texts, rate 0.002": (replace(TEXTS, rate=2e-3), 3),
    },
}


def _last(task: str, ways: dict[str, tuple[Way, int]]) -> Group:
    about = "what was answered wrongly is asked again: the eight tasks, side by side"
    return Group(about, task, ways, 60_000, every=500, fits=True, tests=True, models=2)


def _asking(task: str, ways: dict[str, Way], restarts: int) -> Group:
    about = "what was answered wrongly is asked again, with noise and a reward for undecided selections there"
    return Group(about, task, {name: (way, restarts) for name, way in ways.items()}, 60_000, every=500, fits=True,
                 tests=True, models=2)  # fmt: skip


GROUPS: dict[str, Group] = {
    "lead": Group(
        "gradient noise after clipping or before, none, slower; the scalar loss divided by the rows",
        "single-column",
        {
            "noise, clip 50": (LEAD, 8),
            "by rows, noise, clip 50": (ROWS, 8),
            "by rows, noise, clip 5": (replace(ROWS, clip=5.0), 8),
            "by rows, noise, clip 1": (replace(ROWS, clip=1.0), 4),
            "by rows, no noise, clip 50": (replace(ROWS, noise=0.0), 4),
            "by rows, no noise, clip 5": (replace(ROWS, noise=0.0, clip=5.0), 4),
            "by rows, noise first, clip 5": (replace(ROWS, noise_first=1.0, clip=5.0), 4),
            "by rows, deviation t^-0.55, clip 50": (replace(ROWS, power=0.55), 4),
            "as in later code: square by rows, at most 3, noise": (LATER, 4),
            "as in later code, no noise": (replace(LATER, noise=0.0, clip=1.0), 4),
        },
        steps=400_000,
        every=2_000,
        keeps=9,
    ),
    "blended": Group(
        "the same with the paper's blended pivots",
        "single-column",
        {
            "noise, clip 50": (LEAD, 4),
            "by rows, noise, clip 50": (ROWS, 4),
            "by rows, noise, clip 5": (replace(ROWS, clip=5.0), 4),
            "by rows, no noise, clip 50": (replace(ROWS, noise=0.0), 4),
        },
        steps=400_000,
        arguments="blended",
        every=2_000,
        keeps=3,
    ),
    "noise-five": Group(
        "the paper's objective with and without gradient noise on five columns, as it is written or by rows",
        "five-columns",
        {
            "noise, clip 50": (LEAD, 3),
            "no noise, clip 50": (replace(LEAD, noise=0.0), 3),
            "by rows, no noise, clip 5": (replace(ROWS, noise=0.0, clip=5.0), 3),
            "by rows, deviation t^-0.55, clip 50": (replace(ROWS, power=0.55), 3),
        },
        steps=400_000,
        fits=True,
    ),
    "objective": Group(
        "what a scalar's error is divided by, and what keeps selections from settling",
        "single-column",
        {
                "relative": (RELATIVE, 6),
                "worded": (WORDED, 6),
                "worded, delta 1": (replace(WORDED, delta_share=1.0), 6),
                "worded, delta 0.03": (replace(WORDED, delta_share=0.03), 6),
                "worded, bent": (BENT, 6),
                "worded, bent, entropy 0.15": (replace(BENT, entropy=0.15), 6),
                "worded, noise 1.5": (replace(WORDED, selection_noise=1.5), 6),
                "worded, noise 2, entropy 0.1": (replace(WORDED, selection_noise=2.0, entropy=0.1), 6),
                "worded, entropy 0.02": (replace(WORDED, entropy=0.02), 6),
                "worded, shared noise": (replace(WORDED, shared=1.0), 6),
                "worded, growing": (replace(WORDED, growing=1/3), 6),
                "worded, clip 1": (replace(WORDED, clip=1.0), 6),
                "worded, rate 0.002": (replace(WORDED, rate=2e-3), 6),
                "by rows, selection noise 1, entropy 2": (
                    replace(ROWS, noise=0.0, selection_noise=1.0, entropy=2.0, average=0.99), 6
                ),
            },
        steps=18_000,
        every=500,
    ),
    "three": Group(
        "the same beyond one column",
        "three-columns",
        {
                "relative": (RELATIVE, 4),
                "worded": (WORDED, 4),
                "worded, bent": (BENT, 4),
                "worded, growing": (replace(WORDED, growing=1/3), 4),
            },
        steps=18_000,
        every=500,
    ),
    "longer": Group(
        "errors by the size of such answers, small ones counted in full, with more noise for longer",
        "single-column",
        {
                "worded, noise 1.5": (replace(WORDED, selection_noise=1.5), 6),
                "worded, noise 1.5, entropy 0.02": (replace(WORDED, selection_noise=1.5, entropy=0.02), 6),
                "sharp": (SHARP, 6),
                "sharp, noise 1": (replace(SHARP, selection_noise=1.0), 6),
                "sharp, entropy 0.05": (replace(SHARP, entropy=0.05), 6),
                "sharp, noise 2": (replace(SHARP, selection_noise=2.0), 6),
                "sharp, rate 0.002": (replace(SHARP, rate=2e-3), 6),
                "sharp, bent": (replace(SHARP, compressed=1.0), 6),
                "sharp, half relative": (replace(SHARP, worded=0.5, relative=0.5, constant=10.0), 6),
            },
        steps=45_000,
    ),
    "large": Group(
        "the same in batches of 200",
        "single-column",
        {"sharp": (SHARP, 6), "sharp, rate 0.002": (replace(SHARP, rate=2e-3), 6)},
        steps=24_000,
        batch=200,
    ),
    "three-longer": Group(
        "the same beyond one column",
        "three-columns",
        {
                "sharp": (SHARP, 4),
                "sharp, bent": (replace(SHARP, compressed=1.0), 4),
                "sharp, bent, noise 1": (replace(SHARP, compressed=1.0, selection_noise=1.0), 4),
                "bent, noise 1.5": (replace(BENT, selection_noise=1.5), 4),
                "sharp, growing": (replace(SHARP, growing=0.25), 4),
                "sharp, bent, growing": (replace(SHARP, compressed=1.0, growing=0.25), 4),
                "sharp, bent, rate 0.002": (replace(SHARP, compressed=1.0, rate=2e-3), 4),
            },
        steps=40_000,
    ),
    "text": Group(
        "the same with texts",
        "text-two-columns",
        {
                "sharp": (SHARP, 3),
                "sharp, bent": (replace(SHARP, compressed=1.0), 3),
                "bent, noise 1": (BENT, 3),
                "sharp, noise 1": (replace(SHARP, selection_noise=1.0), 3),
            },
        steps=30_000,
    ),
    "five": Group(
        "the same on five columns",
        "five-columns",
        {"sharp": (SHARP, 3), "sharp, bent": (replace(SHARP, compressed=1.0), 3)},
        steps=30_000,
    ),
    "rows": Group(
        "the scalar loss divided by the rows, other delta and lambda, without noise and with noise that falls sooner",
        "single-column",
        {
            f"by rows, {said}, delta {delta:.0f}, lambda {weight:.0f}": (
                replace(ROWS, delta=delta, weight=delta, lookup=weight, clip=clip, noise=noise, power=0.55), 3
            )
            for said, clip, noise in (("no noise, clip 5", 5.0, 0.0), ("deviation t^-0.55, clip 50", 50.0, 1.0))
            for delta, weight in ((10.0, 25.0), (10.0, 100.0), (50.0, 25.0), (50.0, 100.0))
        },
        steps=400_000,
        every=2_000,
        keeps=3,
    ),
    "again": Group(
        "noise and a reward for undecided selections again and again, for questions that are answered wrongly",
        "single-column",
        {
            "sharp, noise 1": (STEADY, 6),
            "spread": (replace(STEADY, spread=1.0, selection_noise=2.0), 6),
            "again 0.1, 2": (replace(AGAIN, wrong_entropy=0.1, wrong_noise=2.0), 6),
            "again 0.3": (AGAIN, 6),
            "again 1": (replace(AGAIN, wrong_entropy=1.0), 6),
            "again 0.3, 2, slower": (replace(AGAIN, wrong_noise=2.0, again=6_000.0), 6),
            "again 0.3, spread": (replace(AGAIN, spread=1.0, selection_noise=2.0), 6),
            "again 0.3, noise 1.5": (replace(AGAIN, selection_noise=1.5), 6),
        },
        steps=45_000,
        fits=True,
        every=500,
    ),
    "three-again": Group(
        "the same beyond one column",
        "three-columns",
        {
            "again 0.3, noise 1.5": (replace(AGAIN, selection_noise=1.5), 3),
            "again 1, noise 1.5": (replace(AGAIN, selection_noise=1.5, wrong_entropy=1.0), 3),
            "again 0.3, spread": (replace(AGAIN, spread=1.0, selection_noise=2.5), 3),
            "again 0.3, bent, noise 1.5, rate 0.002": (
                replace(AGAIN, selection_noise=1.5, compressed=1.0, rate=2e-3),
                3,
            ),
            "again 0.3, relative": (replace(RELATIVE, wrong_entropy=0.3, wrong_noise=1.0, again=3_000.0), 3),
        },
        steps=45_000,
        fits=True,
        every=500,
    ),
    **{f"last-{task}": _last(task, ways) for task, ways in LAST.items()},
    **{f"more-{task}": _asking(task, *each) for task, each in MORE.items()},
    **{f"asking-{task}": _asking(task, *each) for task, each in ASKING.items()},
    **{f"final-{task}": _final(task, ways) for task, ways in FINAL.items()},
}  # fmt: skip

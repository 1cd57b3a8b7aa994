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


EARLIER: dict[str, Group] = {
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
    **{f"final-{task}": _final(task, ways) for task, ways in FINAL.items()},
}  # fmt: skip

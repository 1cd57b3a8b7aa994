"""Groups of soft trainings that ask again what was answered wrongly, and those before them: all groups there are.

First many ways (`asking`), then what helped where they stood still (`more`), then few ways with more restarts (`last`).
"""

from dataclasses import replace

from neural_programmer.paper.soft_groups import BENT_ONCE, EARLIER, LEAD, RELATIVE, ROWS, WORDED, Group
from neural_programmer.paper.soft_runs import Way

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
    **EARLIER,
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
    "narrow": Group(
        "what did best on one column, in a network a quarter as wide",
        "single-column",
        {"even 0.03": (EVEN, 27)},
        steps=10_000,
        network={"hidden": 64},
        every=500,
        tests=True,
    ),
    **{f"asking-{task}": _asking(task, *each) for task, each in ASKING.items()},
    **{f"more-{task}": _asking(task, *each) for task, each in MORE.items()},
    **{f"last-{task}": _last(task, ways) for task, ways in LAST.items()},
}

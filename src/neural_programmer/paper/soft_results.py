"""What is kept of a group of soft trainings: its ways, the curve of every run, the hardest templates, its test."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import jax
import numpy as np

from neural_programmer.base.settings import to_dict
from neural_programmer.data.paper import TASKS, draw_test, test_size
from neural_programmer.data.paper.draws import VALIDATION, draw_train
from neural_programmer.learning.config import TrainingConfig
from neural_programmer.learning.training import Report, answered
from neural_programmer.paper.asked_groups import GROUPS
from neural_programmer.paper.record import circumstances
from neural_programmer.paper.soft_groups import Group
from neural_programmer.paper.soft_runs import Look, State, Work, train

TEST_SEED = 60_000  # never used while anything was chosen
LEAST, MOST = 1_000, 2_000  # test questions
HARDEST = 40  # templates whose validation accuracy is kept


def work_of(group: Group, examples: int | None = None) -> Work:
    """The task of a group and the paper's network for it."""
    task = TASKS[group.task]
    config = replace(task.paper, **{"arguments": group.arguments, **group.network})
    return Work(task, config, group.batch, examples or group.examples)


def runs_of(group: Group, restarts: int | None = None) -> list[str]:
    """The way of every run; `restarts` of each at most."""
    return [way for way, (_, count) in group.ways.items() for _ in range(min(count, restarts or count))]


def rounded(values: Any, places: int = 4) -> list:
    """Values that are no numbers are none in JSON."""
    return [each if np.isfinite(each) else None for each in np.round(np.asarray(values, np.float64), places).tolist()]


def description(name: str, group: Group, work: Work, runs: Sequence[str], command: str) -> dict[str, Any]:
    """All that is known of a group before it is trained."""
    return {
        "experiment": f"ways-{name}",
        "part": "ways",
        "about": group.about,
        "circumstances": circumstances(command),
        "task": group.task,
        "model": "NetworkConfig",
        "network": to_dict(work.config),
        "batch": work.batch,
        "seed": work.seed,
        "ways": {way: asdict(settings) for way, (settings, _) in group.ways.items()},
        "runs": list(runs),
        "steps": group.steps,
        "curve": [],
    }


@dataclass
class Noted:
    """What was seen so far, added to a description at every look and written at every tenth."""

    told: dict[str, Any]
    work: Work
    path: Path | None = None

    def __post_init__(self) -> None:
        drawn = draw_train(self.work.task, self.work.validation, self.work.seed, VALIDATION)
        self.texts = np.asarray([template.text for template in drawn.templates])

    def __call__(self, look: Look, state: State, right: np.ndarray) -> None:
        self.told["curve"].append(
            {
                "step": look.step,
                "seconds": look.seconds,
                "loss": rounded(look.loss),
                "length": rounded(look.length, 2),
                "accuracy": rounded(look.accuracy),
            }
        )
        self.told.update(best=rounded(look.best), steps=look.total, stopped_at=look.step)
        of = {str(text): right[:, self.texts == text].mean(axis=1) for text in sorted(set(self.texts))}
        hardest = sorted(of, key=lambda text: of[text].mean())[:HARDEST]
        self.told["templates"] = {text: rounded(of[text], 2) for text in hardest}
        if len(self.told["curve"]) % 10 == 0:
            self.write()
            print(f"[{self.told['experiment']}] {look.step:,} {look.seconds:.0f} s: {self.shown()}", flush=True)

    def shown(self) -> str:
        """In a line, how every way is doing: mean of the best, the best, how many answer all."""
        parts = []
        for way in dict.fromkeys(self.told["runs"]):
            best = np.asarray([x for x, name in zip(self.told["best"], self.told["runs"], strict=True) if name == way])
            parts.append(f"{way} {100 * best.mean():.1f} ({100 * best.max():.1f}, {(best == 1).sum()} right)")
        return "; ".join(parts)

    def write(self) -> None:
        if self.path is not None:
            self.path.write_text(json.dumps(self.told) + "\n")


def tested(work: Work, parameters: Any) -> dict[str, Any]:
    """The accuracy of every run on the test set (a random part of a large one), and by kind of question."""
    task = work.task
    often = max(task.questions_per_template, -(-LEAST // test_size(task)))
    task = replace(task, questions_per_template=often)
    test = draw_test(task, TEST_SEED, min(test_size(task), MOST))
    learner = work.learner()
    with jax.default_matmul_precision("highest"):
        right = np.asarray(jax.jit(partial(answered, learner))(parameters, jax.device_put(learner.encode(test))))
    kinds = np.asarray([template.category for template in test.templates])
    return {
        "seed": TEST_SEED,
        "questions": right.shape[1],
        "accuracy": rounded(right.mean(axis=1)),
        "at_100": int(right.all(axis=1).sum()),
        "kinds": {str(kind): rounded(right[:, kinds == kind].mean(axis=1)) for kind in sorted(set(kinds))},
    }


@dataclass(frozen=True)
class Ways:
    """A group as an experiment of `reproduce`."""

    group: str
    restarts: int
    part = "ways"

    @property
    def name(self) -> str:
        return f"ways-{self.group}"

    @property
    def task(self) -> str:
        return GROUPS[self.group].task

    @property
    def training(self) -> TrainingConfig:
        """Steps and restarts, for whoever waits."""
        return TrainingConfig(steps=GROUPS[self.group].steps, restarts=self.restarts)

    @property
    def settings(self) -> dict[str, Any]:
        """What a result must have in common with it: steps may have been as many as there was time for, and how many
        restarts a way has is the group's."""
        group = GROUPS[self.group]
        return {"task": group.task, "model": "NetworkConfig", "network": to_dict(work_of(group).config)}

    def measure(
        self, folder: Path, report: Callable[[Report], None] = lambda report: None, group: Group | None = None
    ) -> dict[str, Any]:
        """Train all runs of the group and test them."""
        chosen = group or GROUPS[self.group]
        work, runs = work_of(chosen), runs_of(chosen, self.restarts)
        folder.mkdir(parents=True, exist_ok=True)
        command = f"neural-programmer reproduce {self.task} --parts ways --restarts {self.restarts}"
        noted = Noted(description(self.group, chosen, work, runs, command), work, folder / f"{self.name}.json")

        def told(look: Look, state: State, right: np.ndarray) -> None:
            noted(look, state, right)
            report(Report(look.step, [*look.loss], look.accuracy, look.best, look.seconds))

        state, looks, _ = train(work, [chosen.ways[way][0] for way in runs], chosen.steps, chosen.every, told=told)
        test = tested(work, state.best)
        return {
            **noted.told,
            "test": test,
            "at_100": test["at_100"],
            "test_questions": test["questions"],
            "restarts": [
                {"accuracy": accuracy, "validation": best}
                for accuracy, best in zip(test["accuracy"], looks[-1].best, strict=True)
            ],
            "seconds": looks[-1].seconds,
        }

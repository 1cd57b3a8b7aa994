"""Soft trainings in many ways, group by group, on a machine with an accelerator; their results as JSON.

    python scripts/soft_runs.py OUT lead blended --seconds 400      # groups one after the other, each so long at most
    python scripts/soft_runs.py OUT lead --steps 20 --restarts 1    # tried on a small machine
    python scripts/soft_runs.py OUT lead --states FOLDER            # goes on from the states of an earlier use

A result has one curve for every run, the validation accuracy of every template at the end, and for groups that are
tested the accuracy on the full test set of a seed by which nothing was chosen.
"""

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import jax
import numpy as np

import neural_programmer
from neural_programmer.base.settings import to_dict
from neural_programmer.data.paper import TASKS, draw_test, test_size
from neural_programmer.data.paper.draws import VALIDATION, draw_train
from neural_programmer.learning.training import answered
from neural_programmer.network import weights
from neural_programmer.paper.record import circumstances
from neural_programmer.paper.soft_groups import GROUPS, Group
from neural_programmer.paper.soft_runs import Look, State, Work, start, train

TEST_SEED = 60_000  # never used while anything was chosen
BEGAN = time.monotonic()
LEAST = 1_000  # test questions
MOST = 2_000
KEPT = 3  # runs in a file of states
UNROLLED = 5  # loops of no more steps are written out


def unroll() -> None:
    """Write out short loops: an accelerator waits less."""
    looped = jax.lax.scan

    def scan(function: Any, start: Any, inputs: Any = None, *rest: Any, **named: Any) -> Any:
        length = len(jax.tree.leaves(inputs)[0])
        return looped(function, start, inputs, *rest, **{"unroll": length if length <= UNROLLED else 1, **named})

    jax.lax.scan = scan


def rounded(values: Any, places: int = 4) -> list:
    return np.round(np.asarray(values, np.float64), places).tolist()


def save_states(folder: Path, name: str, state: State, chosen: list[int], step: int) -> None:
    """Weights in full, Adam's means in half: so few bits that the best runs can be carried away."""
    for part in range(0, len(chosen), KEPT):
        places = np.asarray(chosen[part : part + KEPT])
        arrays: dict[str, np.ndarray] = {"places": places, "step": np.asarray(step)}
        for tree in ("parameters", "mean", "square"):
            for place, leaf in enumerate(jax.tree.leaves(getattr(state, tree))):
                kept = np.asarray(leaf[places], np.float32)
                arrays[f"{tree}-{place}"] = (
                    kept if tree == "parameters" else (kept.view(np.uint32) >> 16).astype(np.uint16)
                )
        np.savez(folder / f"{name}-states-{part // KEPT}.npz", **arrays)


def restored(folder: Path, name: str, like: State) -> tuple[State, list[int], int]:
    """The runs that were carried over."""
    files = [np.load(path) for path in sorted(folder.glob(f"{name}-states-*.npz"))]
    trees = {}
    for tree in ("parameters", "mean", "square"):
        leaves, shape = jax.tree.flatten(getattr(like, tree))
        found = [np.concatenate([file[f"{tree}-{place}"] for file in files]) for place in range(len(leaves))]
        if tree != "parameters":
            found = [(leaf.astype(np.uint32) << 16).view(np.float32) for leaf in found]
        trees[tree] = shape.unflatten(found)
    places = np.concatenate([file["places"] for file in files]).tolist()

    def copy() -> Any:
        return jax.tree.map(np.copy, trees["parameters"])

    nothing = np.zeros(len(places), np.float32)
    return State(**trees, average=copy(), best=copy(), best_accuracy=nothing), places, int(files[0]["step"])


def tested(work: Work, parameters: Any) -> dict[str, Any]:
    """The accuracy of every run on the full test set, and by kind of question."""
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


@dataclass
class Noted:
    """What was seen so far, written at every look."""

    path: Path
    told: dict[str, Any]
    names: list[str]
    texts: np.ndarray
    began: float

    def __call__(self, look: Look, state: State, right: np.ndarray) -> bool:
        self.told["curve"].append(
            {"step": look.step, "seconds": look.seconds, "loss": rounded(look.loss), "length": rounded(look.length, 2)}
            | {"accuracy": rounded(look.accuracy)}
        )
        self.told["steps"] = look.total
        self.told["best"] = rounded(look.best)
        of = {str(text): right[:, self.texts == text].mean(axis=1) for text in sorted(set(self.texts))}
        hardest = sorted(of, key=lambda text: of[text].mean())[:40]
        self.told["templates"] = {text: rounded(of[text], 2) for text in hardest}
        if len(self.told["curve"]) % 10 == 0:
            self.write()
            shown = []
            for name in dict.fromkeys(self.names):
                places = [place for place, each in enumerate(self.names) if each == name]
                best, now = np.asarray(look.best)[places], np.asarray(look.accuracy)[places]
                most = f"{100 * best.max():.1f}, {(best == 1).sum()} right"
                shown.append(f"{name} {100 * best.mean():.1f} ({most}) now {100 * now.mean():.1f}")
            print(f"[{self.path.stem}] {look.step:,} {look.seconds:.0f} s: " + "; ".join(shown), flush=True)
        return all(each == 1 for each in look.best) and self.told["stops"]

    def write(self) -> None:
        self.path.write_text(json.dumps(self.told) + "\n")


def run(name: str, group: Group, out: Path, asked: argparse.Namespace) -> None:
    """Train one group, test it where it says so, and keep what it keeps."""
    began = time.monotonic()
    task = TASKS[group.task]
    config = replace(task.paper, arguments=group.arguments, **group.network)
    work = Work(task, config, group.batch, asked.examples or group.examples)
    names = [way for way, (_, count) in group.ways.items() for _ in range(asked.restarts or count)]
    ways = [group.ways[way][0] for way in names]
    steps = asked.steps or group.steps
    state, before, places = None, 0, list(range(len(ways)))
    if asked.states:
        state, places, before = restored(asked.states, name, start(work, ways[:1]))
        names, ways = [names[place] for place in places], [ways[place] for place in places]
    texts = np.asarray(
        [template.text for template in draw_train(task, work.validation, work.seed, VALIDATION).templates]
    )
    command = "python scripts/soft_runs.py " + " ".join(sys.argv[1:])
    told = {
        "experiment": f"soft-runs-{name}",
        "about": group.about,
        "circumstances": circumstances(command),
        "task": group.task,
        "network": to_dict(config),
        "batch": work.batch,
        "seed": work.seed,
        "restarts_from": places,
        "before": before,
        "ways": {way: asdict(settings) for way, (settings, _) in group.ways.items()},
        "runs": names,
        "steps": steps,
        "stops": group.stops,
        "curve": [],
    }  # fmt: skip
    noted = Noted(out / f"{name}.json", told, names, texts, began)
    seconds = asked.seconds or group.seconds
    state, looks, step = train(
        work, ways, steps, asked.every or group.every, seconds, state, before, fits=group.fits, told=noted
    )
    told["stopped_at"] = step
    noted.write()
    if group.keeps:
        order = np.argsort(-np.asarray(looks[-1].accuracy) - 1e-3 * np.asarray(looks[-1].best))
        wanted = [place for place in order.tolist() if group.keep_ways is None or names[place] in group.keep_ways]
        save_states(out, name, state, wanted[: group.keeps], step)
    learner, trained = work.learner(), weights.Trained(task.name, work.seed, work.examples)
    for order, place in enumerate(np.argsort(-np.asarray(looks[-1].best), kind="stable")[: group.models].tolist()):
        chosen = jax.tree.map(lambda array, place=place: np.asarray(array[place]), state.best)
        learner.model(chosen, trained).save(out / f"{name}-{order}-run-{place}.safetensors")
    if group.tests and time.monotonic() - BEGAN < asked.until:
        told["test"] = tested(work, state.best)
    told["seconds"] = round(time.monotonic() - began, 1)
    noted.write()
    print(f"[{name}] done: {told['seconds']} s, test {told.get('test', {}).get('accuracy')}", flush=True)


def main(arguments: list[str]) -> None:
    print(neural_programmer.__file__, jax.devices(), flush=True)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("groups", nargs="+", choices=list(GROUPS))
    parser.add_argument("--seconds", type=float, help="at most so long for each group")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--every", type=int)
    parser.add_argument("--until", type=float, default=float("inf"), help="no test begins after so many seconds")
    parser.add_argument("--restarts", type=int, help="of every way")
    parser.add_argument("--examples", type=int)
    parser.add_argument("--states", type=Path, help="go on from the states that are kept here")
    parser.add_argument("--loops", action="store_true", help="leave short loops as loops: soon compiled, slower")
    asked = parser.parse_args(arguments)
    asked.out.mkdir(parents=True, exist_ok=True)
    if not asked.loops:
        unroll()
    for name in asked.groups:
        run(name, GROUPS[name], asked.out, asked)


if __name__ == "__main__":
    main(sys.argv[1:])

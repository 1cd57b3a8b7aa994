"""Soft trainings in many ways, group by group, on a machine with an accelerator; their results as JSON.

    python scripts/soft_runs.py OUT lead blended --seconds 400      # groups one after the other, each so long at most
    python scripts/soft_runs.py OUT lead --steps 20 --restarts 1    # tried on a small machine
    python scripts/soft_runs.py OUT lead --states FOLDER            # goes on from the states of an earlier use

A result has one curve for every run, the validation accuracy of every template at the end, and for groups that are
tested the accuracy on the full test set of a seed by which nothing was chosen.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import jax
import numpy as np

import neural_programmer
from neural_programmer.network import weights
from neural_programmer.paper.asked_groups import GROUPS
from neural_programmer.paper.soft_groups import Group
from neural_programmer.paper.soft_results import Noted, description, runs_of, tested, work_of
from neural_programmer.paper.soft_runs import State, start, train

BEGAN = time.monotonic()
KEPT = 3  # runs in a file of states
UNROLLED = 5  # loops of no more steps are written out


def unroll() -> None:
    """Write out short loops: an accelerator waits less."""
    looped = jax.lax.scan

    def scan(function: Any, start: Any, inputs: Any = None, *rest: Any, **named: Any) -> Any:
        length = len(jax.tree.leaves(inputs)[0])
        return looped(function, start, inputs, *rest, **{"unroll": length if length <= UNROLLED else 1, **named})

    jax.lax.scan = scan


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
        np.savez(folder / f"{name}-states-{part // KEPT}.npz", **arrays)  # pyright: ignore[reportArgumentType]


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


def run(name: str, group: Group, out: Path, asked: argparse.Namespace) -> None:
    """Train one group, test it where it says so, and keep what it keeps."""
    work, runs = work_of(group, asked.examples), runs_of(group, asked.restarts)
    state, before, places = None, 0, list(range(len(runs)))
    if asked.states:
        state, places, before = restored(asked.states, name, start(work, [group.ways[runs[0]][0]]))
        runs = [runs[place] for place in places]
    command = "python scripts/soft_runs.py " + " ".join(sys.argv[1:])
    noted = Noted(description(name, group, work, runs, command), work, out / f"ways-{name}.json")
    told = noted.told
    told.update(restarts_from=places, before=before)
    state, looks, step = train(
        work,
        [group.ways[way][0] for way in runs],
        asked.steps or group.steps,
        asked.every or group.every,
        asked.seconds or group.seconds,
        state,
        before,
        fits=group.fits,
        told=noted,
    )
    noted.write()
    if group.keeps:
        order = np.argsort(-np.asarray(looks[-1].accuracy) - 1e-3 * np.asarray(looks[-1].best))
        save_states(out, name, state, order.tolist()[: group.keeps], step)
    learner, trained = work.learner(), weights.Trained(group.task, work.seed, work.examples)
    for order, place in enumerate(np.argsort(-np.asarray(looks[-1].best), kind="stable")[: group.models].tolist()):
        chosen = jax.tree.map(lambda array, place=place: np.asarray(array[place]), state.best)
        learner.model(chosen, trained).save(out / f"{name}-{order}-run-{place}.safetensors")
    if group.tests and time.monotonic() - BEGAN < asked.until:
        told["test"] = tested(work, state.best)
    noted.write()
    print(f"[{name}] done: {looks[-1].seconds} s, test {told.get('test', {}).get('accuracy')}", flush=True)


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

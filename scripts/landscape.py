"""Where the soft objective leads when nothing is shared: the programs of each template chosen by free numbers.

    python scripts/landscape.py results/landscape.json

The network is taken away. Each template of one column has its own scores of operations and pivots, the same for all its
tables, and they are learnt by the paper's objective (section 2.5) from answers alone. What fails here fails for want of
a slope, not of a network: the gradient of the loss at soft programs does not lead to the right one. What succeeds only
with a network is carried over from other templates. `--steps 20 --restarts 2` tries the script on a small machine.
"""

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from neural_programmer.data.paper import TASKS
from neural_programmer.data.paper.draws import draw_train
from neural_programmer.learning.batches import Triples, encode_dataset, is_correct
from neural_programmer.learning.config import TrainingConfig
from neural_programmer.learning.soft import loss
from neural_programmer.network import equations as network
from neural_programmer.network.encode import Vocabulary
from neural_programmer.network.executor import HARD, Choice, execute
from neural_programmer.paper.record import circumstances, save
from neural_programmer.programs.operations import conditions, named

TASK = TASKS["single-column"]
CONFIG = replace(TASK.paper, arguments="mixed", hidden=2)
OPERATIONS = named(CONFIG.operations)
WORDS = Vocabulary.of(TASK.words_read(pointers=False))
SEED, EXAMPLES = 0, 50_000
TABLES, BATCH, TESTED = 256, 16, 20  # of each template: to learn from, at a step, and to be tested on
LOGITS = 0.05  # how far apart the scores are at first

PAPER = TrainingConfig(delta=50.0, lookup_weight=100.0)
RELATIVE = TrainingConfig(relative=20.0, delta=10.0, lookup_weight=1.0)
VARIANTS = {
    "the paper's": PAPER,
    "the paper's, delta 10, lambda 50": TrainingConfig(delta=10.0, lookup_weight=50.0),
    "the paper's, entropy reward 40": replace(PAPER, entropy=40.0),
    "the paper's, selection noise 1": replace(PAPER, selection_noise=1.0),
    "the paper's, selection noise 2": replace(PAPER, selection_noise=2.0),
    "relative": RELATIVE,
    "relative, entropy reward 0.05": replace(RELATIVE, entropy=0.05),
    "relative, selection noise 0.5": replace(RELATIVE, selection_noise=0.5),
    "relative, selection noise 1": replace(RELATIVE, selection_noise=1.0),
    "relative, selection noise 2": replace(RELATIVE, selection_noise=2.0),
    "relative, selection noise 1, entropy reward 0.05": replace(RELATIVE, selection_noise=1.0, entropy=0.05),
}


def grouped() -> tuple[list[str], Triples, Triples]:
    """The templates, and tables of each: [templates, tables, ...] to learn from and to be tested on."""
    drawn = draw_train(TASK, EXAMPLES, SEED)
    places: dict[str, list[int]] = {}
    for place, template in enumerate(drawn.templates):
        places.setdefault(template.text, []).append(place)
    names = sorted(places, key=lambda name: (len(name.split()), name))
    wanted = [place for name in names for place in places[name][: TABLES + TESTED]]
    triples = encode_dataset(map(drawn.triple, wanted), WORDS, CONFIG)
    shaped = jax.tree.map(lambda array: array.reshape(len(names), TABLES + TESTED, *array.shape[1:]), triples)

    def part(which: slice) -> Triples:
        return jax.tree.map(lambda array: jnp.asarray(array[:, which]), shaped)

    return names, part(slice(TABLES)), part(slice(TABLES, None))


def forced(scores: dict[str, jax.Array]) -> Choice:
    """The scores as they are added to those of a network that says nothing."""
    column = jnp.zeros((CONFIG.program_steps, 1, 1))
    argument = jnp.broadcast_to(
        scores["pivot"][None, :, None, :], (CONFIG.program_steps, *scores["pivot"].shape[:1], 1, 2)
    )
    return Choice(scores["operation"], column, argument)


def learnt(variant: TrainingConfig, data: Triples, test: Triples, restarts: int, steps: int, rate: float) -> np.ndarray:
    """[restarts, templates]: whether the program that was found answers all tables that it is tested on."""
    templates = data.target.scalar.shape[0]
    silent = jax.tree.map(jnp.zeros_like, network.initial(CONFIG, len(WORDS), np.random.default_rng(SEED)))
    key = jax.random.key(SEED)
    shapes = {"operation": (CONFIG.program_steps, len(OPERATIONS)), "pivot": (len(conditions(OPERATIONS)), 2)}
    start = {
        name: LOGITS * jax.random.normal(jax.random.fold_in(key, place), (restarts, templates, *shape))
        for place, (name, shape) in enumerate(shapes.items())
    }
    optimizer = optax.adam(rate)

    def objective(scores: Any, chosen: Triples, left: jax.Array, key: jax.Array) -> jax.Array:
        """The loss of one template of one restart; the noise on its scores is the same for all tables."""
        noise = jax.tree.map(lambda part: left * variant.selection_noise * jax.random.gumbel(key, part.shape), scores)
        force = forced(jax.tree.map(jnp.add, scores, noise))
        each = jax.vmap(lambda triple: loss(silent, CONFIG, triple, variant, variant.entropy * left, force))
        return jnp.mean(each(chosen))

    def step(carry: Any, now: jax.Array) -> tuple[Any, None]:
        scores, state = carry
        which, noise = jax.random.split(jax.random.fold_in(key, 1_000 + now))
        places = jax.random.randint(which, (BATCH,), 0, TABLES)
        chosen = jax.tree.map(lambda array: array[:, places], data)
        left = jnp.maximum(0.0, 1 - now / (0.75 * steps))
        keys = jax.random.split(noise, (restarts, templates))
        both = jax.vmap(jax.vmap(jax.grad(objective), (0, 0, None, 0)), (0, None, None, 0))
        updates, state = optimizer.update(both(scores, chosen, left, keys), state)
        return (optax.apply_updates(scores, updates), state), None

    def right(scores: Any, tables: Triples) -> jax.Array:
        answers = jax.vmap(
            lambda triple: is_correct(execute(silent, CONFIG, triple.example, HARD, forced(scores)), triple.target)
        )
        return jnp.all(answers(tables))

    @jax.jit
    def all_of_it(start: Any) -> jax.Array:
        (scores, _), _ = jax.lax.scan(step, (start, optimizer.init(start)), jnp.arange(steps))
        return jax.vmap(jax.vmap(right), (0, None))(scores, test)

    with jax.default_matmul_precision("highest"):
        return np.asarray(all_of_it(start))


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--restarts", type=int, default=32)
    parser.add_argument("--steps", type=int, default=16_000)
    parser.add_argument("--rate", type=float, default=0.01, help="Adam's step size")
    asked = parser.parse_args(arguments)
    names, data, test = grouped()
    found = {}
    for name, variant in VARIANTS.items():
        began = time.monotonic()
        right = learnt(variant, data, test, asked.restarts, asked.steps, asked.rate)
        shares = dict(zip(names, right.mean(axis=0).tolist(), strict=True))
        found[name] = {"right": float(right.mean()), "templates": shares, "seconds": round(time.monotonic() - began, 1)}
        print(f"{name}: {100 * right.mean():.1f} %, never {[each for each in names if not shares[each]]}", flush=True)
    command = (
        f"python scripts/landscape.py {asked.out} --restarts {asked.restarts} --steps {asked.steps} --rate {asked.rate}"
    )
    settings = {"restarts": asked.restarts, "steps": asked.steps, "rate": asked.rate, "batch": BATCH, "seed": SEED}
    save(asked.out, {"circumstances": circumstances(command), "task": TASK.name, **settings, "variants": found})


if __name__ == "__main__":
    main(sys.argv[1:])

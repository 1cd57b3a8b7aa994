"""How fast things are: `make bench`. Compare as ratios within one run; machines are noisy."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer import network
from neural_programmer.config import TrainingConfig
from neural_programmer.encode import Vocabulary
from neural_programmer.learning import training
from neural_programmer.learning.soft import SoftLearner
from neural_programmer.model import Model
from neural_programmer.tasks import draw_test, draw_train, task

STEPS = 100


def matrix_operations(config, words: int) -> int:
    """Floating-point operations of the matrix products of one example, forward, and twice that backward.

    A matrix of n weights costs 2n for each vector. Question: W^question for every word. Each of the T steps: the
    history half of both selectors and the column and history thirds of W^history; the question half of the selectors
    once. Operation embeddings are multiplied once a batch and not counted.
    """
    square = config.hidden**2
    once = 2 * square + words * 2 * square
    every_step = 2 * square + 2 * square
    return 3 * 2 * (once + config.program_steps * every_step)


@pytest.mark.benchmark(group="matrix products")
@pytest.mark.parametrize(("rows", "inner", "columns"), [(2048, 2048, 2048), (50, 512, 256)])
def test_matrix_rate(benchmark, rows, inner, columns):
    """The machine's own rate in float32, large, and at the size of a mini-batch."""
    generator = np.random.default_rng(0)
    one = generator.standard_normal((rows, inner), np.float32)
    other = generator.standard_normal((inner, columns), np.float32)
    benchmark(lambda: one @ other)
    benchmark.extra_info.update(unit="GFLOP/s", work=2 * rows * inner * columns / 1e9)


@pytest.mark.benchmark(group="soft training")
@pytest.mark.parametrize("noise", [0.0, 1.0], ids=["plain", "with gradient noise"])
def test_soft_training(benchmark, noise):
    """The paper's size: hidden 256, mini-batches of 50, one column, one restart."""
    chosen = task("single-column")
    learner = SoftLearner(chosen.network, Vocabulary.of(chosen.words))
    config = TrainingConfig(examples=5000, noise=noise)
    settings = training.Settings(*(jnp.asarray([getattr(config, name)]) for name in training.Settings._fields))
    keys = jax.random.split(jax.random.key(0), 1)
    state = training._start(learner, noise > 0, 0, settings, keys)
    data = jax.device_put(learner.encode(draw_train(chosen, config.examples, 0)))

    def advance():
        nonlocal state
        state, losses = training._advance(learner, noise > 0, config.batch, STEPS, state, settings, keys, data, 0)
        losses.block_until_ready()

    benchmark.pedantic(advance, rounds=10, warmup_rounds=2)
    examples = STEPS * config.batch
    operations = matrix_operations(chosen.network, data.example.words.shape[1])
    benchmark.extra_info.update(unit="examples/s", work=examples, gflop=examples * operations / 1e9)


@pytest.mark.benchmark(group="data generation")
def test_generation(benchmark):
    """50,000 triples of ten-columns, with their answers."""
    triples = benchmark.pedantic(lambda: sum(1 for _ in draw_train(task("ten-columns"), 50_000, 0)), rounds=3)
    benchmark.extra_info.update(unit="triples/s", work=triples)


@pytest.mark.benchmark(group="hard inference")
@pytest.mark.parametrize("name", ["single-column", "ten-columns", "text-five-columns"])
def test_answers(benchmark, name):
    """Question and table to answer with NumPy, one at a time: read, select, run the program exactly."""
    chosen = task(name)
    vocabulary = Vocabulary.of(chosen.words)
    weights = network.initial(chosen.network, len(vocabulary), np.random.default_rng(0))
    model = Model(chosen.network, vocabulary, weights)
    triples = list(draw_test(chosen, 0, 23))
    benchmark(lambda: [model.answer(triple.question, triple.table) for triple in triples])
    benchmark.extra_info.update(unit="questions/s", work=len(triples))

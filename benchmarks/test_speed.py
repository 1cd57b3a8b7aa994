"""How fast things are: `make bench`. Compare as ratios within one run; machines are noisy."""

import json
import os
import resource
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer import api
from neural_programmer.answering.model import Model
from neural_programmer.data.paper import TASKS, draw_test, draw_train, task
from neural_programmer.learning import training
from neural_programmer.learning.config import TrainingConfig
from neural_programmer.learning.learners import learner_of
from neural_programmer.learning.marginal import PROGRAMS_RAISED
from neural_programmer.network import equations as network
from neural_programmer.network.encode import Vocabulary

PAPER = [name for name, each in TASKS.items() if each.published is not None]


def train(benchmark, chosen, network, config, objective, steps) -> int:
    """Measure some steps of training; how many words the longest question has."""
    learner = learner_of(chosen, network, config, objective)
    settings = training.Settings(*(jnp.asarray([float(getattr(config, name))]) for name in training.Settings._fields))
    keys = jax.random.split(jax.random.key(0), 1)
    ways = training.Ways(noisy=config.noise > 0)
    state = training._start(learner, ways, 0, settings, keys)
    data = jax.device_put(learner.encode(draw_train(chosen, config.examples, 0)))

    def advance():
        nonlocal state
        state, losses = training._advance(learner, ways, config.batch, steps, state, settings, keys, data, 0)
        losses.block_until_ready()

    benchmark.pedantic(advance, rounds=10, warmup_rounds=2)
    return data.example.words.shape[1]


def marginal_operations(config, training_config, words: int, columns: int) -> int:
    """Floating-point operations of the matrix products of one example under the marginal objective.

    A matrix of n weights costs 2n for each vector. Once: the question RNN (two of half the width), its states
    for three selectors and the attention, what columns and arguments add to the history and to each other. Each state
    of a program: the history third of three selectors, and W^history. Search has one state, then `samples` twice; the
    programs kept have four each, forward, and twice that backward.
    """
    square = config.hidden**2
    once = words * 1.5 * square + (4 * words + 3) * square + (3 * columns + words) * square
    search = (1 + 2 * training_config.samples) * 4 * square
    kept = PROGRAMS_RAISED * config.program_steps * 4 * square
    return 2 * (once + search + 3 * (once + kept))


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
    config = TrainingConfig(examples=5000, noise=noise)
    words = train(benchmark, chosen, chosen.paper, config, "soft", steps=100)
    examples = 100 * config.batch
    operations = matrix_operations(chosen.paper, words)
    benchmark.extra_info.update(unit="examples/s", work=examples, gflop=examples * operations / 1e9)


@pytest.mark.benchmark(group="marginal training")
@pytest.mark.parametrize("name", ["single-column", "ten-columns", "text-five-columns"])
def test_marginal_training(benchmark, name):
    """The default configuration, one restart."""
    chosen, config = task(name), TrainingConfig(examples=5000)
    words = train(benchmark, chosen, chosen.network, config, "marginal", steps=20)
    examples = 20 * config.batch
    operations = marginal_operations(chosen.network, config, words, len(chosen.columns))
    benchmark.extra_info.update(unit="examples/s", work=examples, gflop=examples * operations / 1e9)


@pytest.mark.benchmark(group="from nothing to 100 %")
@pytest.mark.parametrize("name", PAPER)
def test_learning(benchmark, name, tmp_path):
    """The command in a process of its own: start, data, compilation, training until it stops by itself.

    The full test set is answered outside of the clock: all of it must be right. When all of validation was right for
    the first time is kept too; what follows makes sure of it.
    """
    environment = {key: value for key, value in os.environ.items() if key != "JAX_COMPILATION_CACHE_DIR"}
    command = [sys.executable, "-m", "neural_programmer.cli", "train", "--task", name, "--out", str(tmp_path / "run")]
    benchmark.pedantic(subprocess.run, [command], {"check": True, "capture_output": True, "env": environment}, rounds=1)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    reports = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    first = next(report["seconds"] for report in reports if report["accuracy"] == [1.0])
    right = api.evaluate(tmp_path / "run", seed=1).overall
    benchmark.extra_info.update(unit="steps/s", work=reports[-1]["step"], most_memory_so_far_mb=round(memory))
    benchmark.extra_info.update(
        seconds_to_100=round(first, 1), test_questions=right.total, test_accuracy=right.accuracy
    )
    assert right.accuracy == 1


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
    vocabulary = Vocabulary.of(chosen.words_read(pointers=True))
    weights = network.initial(chosen.network, len(vocabulary), np.random.default_rng(0))
    model = Model(chosen.network, vocabulary, weights)
    triples = list(draw_test(chosen, 0, 23))
    benchmark(lambda: [model.answer(triple.question, triple.table) for triple in triples])
    benchmark.extra_info.update(unit="questions/s", work=len(triples))

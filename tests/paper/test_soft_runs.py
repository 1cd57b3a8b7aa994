"""Soft trainings in many ways: the paper's loss where nothing is changed, what changes it, a small group as a whole."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer.data.paper import TASKS
from neural_programmer.data.paper.draws import draw_train
from neural_programmer.learning import soft
from neural_programmer.paper.soft_groups import FINAL, GROUPS, Group
from neural_programmer.paper.soft_results import Ways, runs_of
from neural_programmer.paper.soft_runs import Scale, Way, Work, _says_little, fit_scale, loss_of, scale_of

TASK = TASKS["single-column"]
WORK = Work(TASK, replace(TASK.paper, hidden=8, arguments="mixed"), batch=4, examples=60, validation=20)
SEED = 7  # of weights that answer one of the questions by chance
NOTHING = Scale(0.0, np.zeros(20, np.float32))


@pytest.fixture(scope="module")
def triples():
    return WORK.learner().encode(draw_train(TASK, 60, 3))


def one(triples, place):
    return jax.tree.map(lambda array: jnp.asarray(array[place]), triples)


def loss(way, triple, scale=NOTHING, explores=False, now=(0.0, 0.0)):
    learner = WORK.learner()
    parameters = jax.tree.map(jnp.asarray, learner.initial(np.random.default_rng(SEED)))
    return float(loss_of(learner, scale, explores, parameters, triple, way, now, jax.random.key(1)))


def papers(triple, delta, lookup_weight):
    learner = WORK.learner()
    parameters = jax.tree.map(jnp.asarray, learner.initial(np.random.default_rng(SEED)))
    settings = SimpleNamespace(
        delta=jnp.asarray(delta), lookup_weight=jnp.asarray(lookup_weight), relative=jnp.asarray(0.0)
    )
    return float(soft.loss(parameters, learner.config, triple, settings, jnp.asarray(0.0)))


@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_the_way_without_changes_is_the_papers_objective(triples, place):
    triple = one(triples, place)
    assert loss(Way(), triple) == pytest.approx(papers(triple, 25.0, 50.0), rel=1e-5)


def test_a_scalars_loss_is_divided_by_the_rows_and_capped(triples):
    place = next(place for place in range(60) if triples.target.is_scalar[place])
    triple = one(triples, place)
    whole, rows = loss(Way(), triple), int(triple.example.row_count)
    assert rows > 1
    assert loss(Way(by_rows=1.0), triple) == pytest.approx(whole / rows, rel=1e-5)
    assert loss(Way(most=0.5), triple) == pytest.approx(min(whole, 0.5), rel=1e-5)


def test_the_scale_of_words_is_the_usual_size_of_their_answers(triples):
    """Sums are some hundreds and counts some tens; words add up, so that neither is met exactly."""
    learner = WORK.learner()
    many = learner.encode(draw_train(TASK, 3_000, 4))
    scale = fit_scale(many, len(learner.vocabulary))
    said = {word: learner.vocabulary.places[word] for word in ("sum", "count")}
    for place in range(200):
        triple = one(many, place)
        words = np.asarray(triple.example.words)[: int(triple.example.word_count)].tolist()
        size = float(scale_of(scale, triple))
        if words == [said["count"]]:
            assert 40 < size < 80  # 30 to 100 rows
        if words == [said["sum"]]:
            assert 300 < size < 900


def test_answers_that_many_programs_give(triples):
    empty, plain = jax.vmap(_says_little)(jax.tree.map(jnp.asarray, triples))
    for place, triple in enumerate(draw_train(TASK, 60, 3)):
        values, answer = triple.table.columns[0], triple.answer
        if answer.kind == "scalar":
            assert bool(empty[place]) == (answer.scalar == 0)
            assert bool(plain[place]) == (answer.scalar == len(values) or abs(answer.scalar - values.sum()) < 0.01)
        else:
            assert bool(empty[place]) == (not answer.cells)
            assert bool(plain[place]) == (len(answer.cells) == len(values))


def test_wrong_programs_are_explored_and_right_ones_are_not(triples):
    """An untrained network answers some questions rightly by chance: their loss has no noise and no reward."""
    learner = WORK.learner()
    parameters = jax.tree.map(jnp.asarray, learner.initial(np.random.default_rng(SEED)))
    right = np.asarray(jax.jit(jax.vmap(learner.correct, (None, 0)))(parameters, jax.tree.map(jnp.asarray, triples)))
    right = right.tolist()
    assert any(right)
    assert not all(right)
    way = Way(wrong_entropy=1.0, wrong_noise=1.0)
    for wanted in (True, False):
        triple = one(triples, right.index(wanted))
        assert (
            loss(way, triple, explores=True, now=(0.0, 1.0)) == pytest.approx(loss(Way(), triple), rel=1e-5)
        ) == wanted
        assert loss(way, triple, explores=True, now=(0.0, 0.0)) == pytest.approx(loss(Way(), triple), rel=1e-5)


def test_every_group_is_of_a_task_and_says_what_it_is_about():
    for group in GROUPS.values():
        assert group.task in TASKS
        assert group.about
        assert runs_of(group, 1) == list(group.ways)
    assert {name.removeprefix("final-") for name in GROUPS if name.startswith("final-")} == set(FINAL)


@pytest.mark.slow
def test_a_small_group_is_trained_tested_and_kept(tmp_path):
    """The same that makes the committed results, in seconds: gradient noise, exploring, a way of each."""
    ways = {"noise": (Way(noise=1.0), 1), "again": (Way(wrong_noise=1.0, again=5.0, average=0.9, growing=0.5), 2)}
    small = Group("small", "single-column", ways, 20, network={"hidden": 8}, batch=4, examples=60, every=10)
    seen = []
    result = Ways("lead", 9).measure(tmp_path, seen.append, small)
    assert [report.step for report in seen] == [10, 20]
    assert result["runs"] == ["noise", "again", "again"]
    assert [0 <= each["accuracy"] <= 1 for each in result["restarts"]] == [True] * 3
    assert set(result["test"]["kinds"]) == {"aggregation", "comparison", "logic", "arithmetic"}
    assert [len(look["length"]) for look in result["curve"]] == [3, 3]
    json.dumps(result)


@pytest.mark.slow
def test_the_script_goes_on_from_the_states_it_kept(tmp_path):
    """States are kept, carried over, and the steps counted on."""
    script = Path(__file__).parents[2] / "scripts" / "soft_runs.py"
    small = ["--restarts", "1", "--examples", "50", "--every", "2", "--loops"]

    def ran(*arguments):
        environment = {**os.environ, "PYTHONPATH": str(script.parents[1] / "src")}
        subprocess.run([sys.executable, script, tmp_path, "rows", *small, *arguments], check=True, env=environment)
        return json.loads((tmp_path / "ways-rows.json").read_text())

    assert ran("--steps", "2")["stopped_at"] == 2
    again = ran("--steps", "4", "--states", str(tmp_path))
    assert (again["before"], again["stopped_at"]) == (2, 4)
    assert len(again["runs"]) == len(again["restarts_from"]) == GROUPS["rows"].keeps

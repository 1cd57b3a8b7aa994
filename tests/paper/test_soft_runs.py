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
from neural_programmer.learning.training import answered
from neural_programmer.paper.asked_again import Looks
from neural_programmer.paper.asked_groups import GROUPS, LAST
from neural_programmer.paper.soft_groups import FINAL, Group
from neural_programmer.paper.soft_results import Ways, runs_of
from neural_programmer.paper.soft_runs import TINY, Way, Work, _says_little, loss_of
from neural_programmer.paper.soft_scale import Scale, fit_scale, places_by_size, scale_of

TASK = TASKS["single-column"]
WORK = Work(TASK, replace(TASK.paper, hidden=8, arguments="mixed"), batch=4, examples=60, validation=20)
SEED = 7  # of weights that answer one of the questions by chance
NOTHING = Scale(0.0, np.zeros(20, np.float32))


@pytest.fixture(scope="module")
def triples():
    return WORK.learner().encode(draw_train(TASK, 60, 3))


def one(triples, place):
    return jax.tree.map(lambda array: jnp.asarray(array[place]), triples)


def loss(way, triple, scale=NOTHING, explores=False, now=(0.0, 0.0), trouble=0.0):
    learner = WORK.learner()
    parameters = jax.tree.map(jnp.asarray, learner.initial(np.random.default_rng(SEED)))
    return float(loss_of(learner, scale, explores, parameters, triple, way, now, trouble, jax.random.key(1)))


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
    for prefix, tasks in (("final-", FINAL), ("last-", LAST)):
        assert {name.removeprefix(prefix) for name in GROUPS if name.startswith(prefix)} == set(tasks)


def test_words_in_trouble_have_noise_and_rewards_that_fall(triples):
    """None of it where the words were answered rightly, nor where it has fallen to nothing."""
    triple = one(triples, 0)
    plain = pytest.approx(loss(Way(), triple), rel=1e-5)
    for part in ("trouble_noise", "trouble_entropy", "trouble_heat", "trouble_even"):
        way = Way(**{part: 1.0})
        assert loss(way, triple, now=(0.0, 1.0)) == plain
        assert loss(way, triple, now=(0.0, 0.0), trouble=1.0) == plain
        assert loss(way, triple, now=(0.0, 1.0), trouble=1.0) != plain


def test_a_reward_for_even_probabilities_moves_what_has_settled(triples):
    """The slope of the entropy vanishes with the smaller probabilities, that of the mean logarithm does not."""
    scores = jnp.asarray([30.0, 0.0, 0.0])

    def slopes(of):
        return np.abs(np.asarray(jax.grad(lambda scores: of(jax.nn.softmax(scores)))(scores)))

    assert slopes(soft.entropy).max() < 1e-5
    assert slopes(lambda probabilities: jnp.mean(jnp.log(probabilities + TINY))).max() > 0.5


def test_larger_answers_have_later_places(triples):
    learner = WORK.learner()
    places = places_by_size(fit_scale(triples, len(learner.vocabulary)), triples)
    lookups = ~np.asarray(triples.target.is_scalar)
    assert (places[lookups] == 0).all()
    assert places[~lookups].min() >= lookups.mean() - 1e-6
    assert places.max() < 1


def test_what_was_answered_wrongly_is_asked_again(triples):
    """Of questions that were looked at, the wrong ones are drawn, and their words are in trouble."""
    learner = WORK.learner()
    drawn = [learner.initial(np.random.default_rng(seed)) for seed in (SEED, SEED + 1)]
    parameters = jax.tree.map(lambda *arrays: jnp.stack(arrays), *drawn)
    looks, data = Looks(triples, 2), jax.tree.map(jnp.asarray, triples)
    assert not np.asarray(looks.trouble().wrong_words).any()
    looks.look(learner, parameters, data)
    trouble, right = looks.trouble(), np.asarray(answered(learner, parameters, data))
    words = np.asarray(triples.example.words)
    for run in range(2):
        one_run = jax.tree.map(lambda array, run=run: array[run], trouble)
        places, some = one_run.draw(jax.random.key(0), 200)
        assert bool(some)
        assert set(np.asarray(places).tolist()) <= set(np.flatnonzero(~right[run]).tolist())
        for place in range(60):
            alike = (words == words[place]).all(axis=1)
            assert float(one_run.wrong_words[place]) == pytest.approx(1 - right[run][alike].mean())


def test_nothing_is_asked_again_where_nothing_was_wrong(triples):
    trouble = jax.tree.map(lambda array: array[0], Looks(triples, 1).trouble())
    _, some = trouble.draw(jax.random.key(0), 5)
    assert not bool(some)


@pytest.mark.slow
def test_a_small_group_is_trained_tested_and_kept(tmp_path):
    """The same that makes the committed results, in seconds: gradient noise, exploring, a way of each."""
    again = Way(wrong_noise=1.0, again=5.0, average=0.9, growing=0.5, asked_again=0.5, trouble_noise=1.0)
    ways = {"noise": (Way(noise=1.0), 1), "again": (again, 2)}
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

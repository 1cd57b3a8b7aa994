"""What is measured of many restarts: counted again by hand, resumed after a stop, the LSTM as well."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from neural_programmer import api
from neural_programmer.data.paper import TASKS, draw_test
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.config import LstmConfig, TrainingConfig
from neural_programmer.network.config import NetworkConfig
from neural_programmer.paper.reproduce import PARTS, _result, experiments, run
from neural_programmer.paper.restarts import TEST_SEED, Experiment, measure
from neural_programmer.programs.operations import PAPER

TINY = TrainingConfig(steps=20, restarts=2, examples=100, batch=10, validation=20, report_every=10)
SMALL = Experiment("small", "soft", "three-columns", "soft", replace(TASKS["three-columns"].paper, hidden=8), TINY)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    folder = tmp_path_factory.mktemp("measured") / "run"
    return measure(SMALL, folder), folder


@pytest.mark.slow
def test_what_is_counted_is_what_the_kept_model_answers(measured):
    """The best restart's model answers the same test set one by one, in NumPy and exactly."""
    result, folder = measured
    model = api.load(folder.parent / "run.safetensors")
    test = draw_test(replace(TASKS["three-columns"], questions_per_template=4), TEST_SEED)
    right = [model.answer(triple.question, triple.table).equals(triple.answer) for triple in test]
    best = max(range(2), key=lambda restart: result["restarts"][restart]["validation"])
    assert result["test_questions"] == len(right) == 4 * 307
    assert result["restarts"][best]["wrong"] == len(right) - sum(right)
    assert result["restarts"][best]["accuracy"] == sum(right) / len(right)
    assert result["at_100"] == 0
    assert len(result["failing"]) == 6
    for failure in result["failing"]:
        assert failure["answer"] != failure["right"]
    assert [each["rows"] for each in result["invariance"]] == [12, 1200, 12000]


@pytest.mark.slow
def test_a_stopped_measurement_goes_on(measured, tmp_path):
    """Half of the steps first; the result is that of one that was not stopped."""
    whole, _ = measured
    measure(replace(SMALL, training=replace(TINY, steps=10)), tmp_path / "run")
    again = measure(SMALL, tmp_path / "run")
    for part in ("restarts", "failing", "exactly", "programs"):
        assert _timeless(again[part]) == _timeless(whole[part])


def _timeless(part):
    if isinstance(part, list):
        return [_timeless(each) for each in part]
    return {name: value for name, value in part.items() if name != "seconds_to_100"}


def test_an_lstm_is_measured_at_both_scales(tmp_path):
    network = LstmConfig(hidden=8, layers=1)
    result = measure(
        Experiment("lstm", "lstm", "single-column-scalars", network=network, training=TINY, ranges=(50,)),
        tmp_path / "run",
    )
    assert result["model"] == "LstmConfig"
    assert len(result["ranges"]["50"]) == 2
    assert "programs" not in result


@pytest.mark.slow
def test_results_are_kept_and_not_measured_again(tmp_path):
    told = []

    def begin(name, steps, done):
        told.append((name, done))
        return lambda report: None

    first = run([SMALL], tmp_path / "results", tmp_path / "runs", begin)
    second = run([SMALL], tmp_path / "results", tmp_path / "runs", begin)
    assert told == [("small", False), ("small", True)]
    assert json.loads(json.dumps(first)) == second
    assert first[0]["circumstances"]["command"] == (
        "neural-programmer reproduce three-columns --parts soft --restarts 2 --seed 0"
    )


def test_the_experiments_of_every_part():
    """One configuration for all tasks under the marginal objective; names differ; 216 runs in each grid."""
    chosen = experiments(restarts=27)
    assert len({experiment.name for experiment in chosen}) == len(chosen)
    assert {experiment.part for experiment in chosen} == set(PARTS)
    ours = [each for each in chosen if isinstance(each, Experiment) and each.part == "marginal"]
    assert {experiment.task for experiment in ours} == set(TASKS)
    (training,) = {experiment.training for experiment in ours}  # the default but for how often it is looked at
    assert training.patience * training.report_every == TrainingConfig.patience * TrainingConfig.report_every
    assert replace(training, patience=10, report_every=100) == TrainingConfig(restarts=27)
    assert {replace(experiment.config, operations=PAPER) for experiment in ours} == {NetworkConfig()}
    assert [e.task for e in experiments(["marginal", "soft"], ["ten-columns"])] == ["ten-columns", "ten-columns"]
    with pytest.raises(NeuralProgrammerError, match="unknown part"):
        experiments(["dance"])


def test_the_committed_results_are_of_the_experiments_as_they_are():
    """Else the page would show what nobody can run again; a setting that came later stood at its default."""
    results = Path(__file__).parents[2] / "results"
    found = {
        each.name: _result(results / f"{each.name}.json", each) for each in experiments()
    }  # refuses other settings
    assert {"lstm-0-heads-table-first", "ways-final-five-columns", "noise-with-noise", "noise-without-noise"} < {
        name for name in found if found[name]
    }
    marginal = [result for name, result in found.items() if name.startswith("marginal-")]
    assert all(result and result["at_100"] == len(result["restarts"]) == 27 for result in marginal)

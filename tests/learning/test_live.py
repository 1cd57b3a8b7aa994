"""What a training tells that people look at: reports with programs, one JSON line each; nothing is kept."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from neural_programmer.answering.model import Model
from neural_programmer.data.paper.draws import draw_test
from neural_programmer.data.paper.settings import TASKS
from neural_programmer.learning.live import MODULE, SHOWN_QUESTIONS, SMALL_TASKS, TRAININGS, Teller
from neural_programmer.learning.training import Report
from neural_programmer.network import equations as network
from neural_programmer.network.encode import Vocabulary


@pytest.mark.parametrize("name", SMALL_TASKS)
def test_a_report_comes_with_the_programs_of_the_model(name, capsys):
    task = TASKS[name]
    words = Vocabulary.of(task.words_read(pointers=True))
    model = Model(task.network, words, network.initial(task.network, len(words), np.random.default_rng(0)))
    examples = list(draw_test(task, 0, SHOWN_QUESTIONS))
    with Teller(examples) as teller:
        assert teller.restore("state") == (0, "state", [])
        teller.save(
            20, None, [Report(10, [1.0], [0.0], [0.0], 1.0), Report(20, [0.5], [0.25], [0.5], 2.0)], model, False
        )
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert (told["step"], told["accuracy"], told["best_accuracy"]) == (20, [0.25], [0.5])
    assert [each["question"] for each in told["programs"]] == [triple.question for triple in examples]
    for each, triple in zip(told["programs"], examples, strict=True):
        trace = model.trace(triple.question, triple.table)
        assert each["program"] == str(trace.program)
        assert each["right"] == trace.answer.equals(triple.answer)


def test_trainings_are_bounded_and_report_often():
    for training in TRAININGS.values():
        assert training.steps <= 3_000
        assert training.steps // training.report_every >= 30


@pytest.mark.parametrize("asked", [["ten-columns", "soft"], ["single-column", "enumerated"], ["single-column"], []])
def test_what_it_does_not_train(asked):
    done = subprocess.run(
        [sys.executable, "-P", "-m", MODULE, *asked], stdin=subprocess.DEVNULL, capture_output=True, env=os.environ
    )
    assert done.returncode == 2
    assert done.stdout == b""

"""Examples for the LSTMs that are made as arrays: read back, they are triples of the task, spelt alike."""

import jax
import numpy as np
import pytest

from neural_programmer.learning.config import LstmConfig
from neural_programmer.learning.lstm import CELL, END, QUESTION, TABLE, LstmLearner, _digits, tokens
from neural_programmer.paper import lstm_runs
from neural_programmer.paper.lstm_runs import TASK, draw, kinds, learner_of, train
from neural_programmer.programs.program import run
from neural_programmer.tables.table import Table


@pytest.mark.parametrize("first", [True, False])
def test_examples_are_those_of_the_task(first):
    learner: LstmLearner = learner_of(LstmConfig(table_first=first))
    many = 60
    drawn = draw(learner, jax.random.key(3), many, first)
    words = np.array(learner.vocabulary.words)
    templates = {template.text: template for template in map(TASK.grammar.numbered, range(TASK.grammar.count))}
    for place in range(many):
        said = words[np.asarray(drawn.inputs[place])[: int(drawn.input_count[place])]].tolist()
        table, question = said.index(TABLE), said.index(QUESTION)
        cells = said[table + 1 : question if first else None]
        values = [float(value) for value in "".join(cells).split(CELL)[:-1]]
        asked = said[question + 1 : None if first else table]
        text = "".join(word if word in "-0123456789" else f" {word} " for word in asked).split()
        numbers = [float(word) for word in text if word.lstrip("-").isdigit()]
        template = templates[" ".join("[number]" if word.lstrip("-").isdigit() else word for word in text)]
        made = Table(("A",), (np.array(values),))
        assert 4 <= len(values) <= 7
        assert said == tokens(template.question([_digits(number) for number in numbers]), made, first)
        right = run(template.program(numbers), made).answer.scalar
        answer = words[np.asarray(drawn.outputs[place])[: int(drawn.output_count[place])]]
        assert right is not None
        assert "".join(answer) == _digits(right) + END


def test_every_category_is_drawn_alike():
    made = kinds(learner_of(LstmConfig()))
    assert made.shares.sum() == pytest.approx(1)
    assert len(made.shares) == TASK.grammar.count
    assert set(np.round(1 / made.shares).astype(int)) == {4 * count for count in TASK.grammar.counts.values()}


@pytest.mark.slow
def test_networks_of_both_orders_learn_side_by_side():
    seen = []
    firsts = [True, False]
    best, looks = train(1, firsts, [0.01, 0.01], steps=6, batch=4, every=3, told=seen.append)
    assert [look.step for look in looks] == [look.step for look in seen] == [3, 6]
    assert looks[1].loss[0] < looks[0].loss[0]
    from neural_programmer.data.paper import draw_test

    assert len(lstm_runs.tested(1, firsts, best, draw_test(TASK, 1, 20))) == 2

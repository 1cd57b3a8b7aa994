"""Oracle: one-hot selections equal the exact interpreter. Invariants: padding and order change nothing."""

import numpy as np
import pytest

from neural_programmer import network
from neural_programmer.config import NetworkConfig
from neural_programmer.encode import Sizes, encode
from neural_programmer.executor import HARD, SOFT, execute
from neural_programmer.operations import OPERATIONS
from neural_programmer.program import run
from programs import QUESTION, VOCABULARY, forced, random_program, random_table

CONFIG = NetworkConfig(hidden=8, text_match=True)
PARAMETERS = network.initial(CONFIG, len(VOCABULARY), np.random.default_rng(0))
ROOM = Sizes(words=9, numbers=4, columns=7, name_words=1, rows=12, texts=6)


@pytest.mark.parametrize("pivot", ["blended", "mixed"])
def test_one_hot_selections_equal_the_interpreter(pivot):
    """Over 10,000 random programs and tables, every operation, answers and selected rows of every step."""
    config = NetworkConfig(hidden=8, text_match=True, pivot=pivot)
    generator = np.random.default_rng(7)
    met = dict.fromkeys(OPERATIONS, 0)
    answers = {"scalar": 0, "lookup": 0, "none": 0}
    for trial in range(6000):
        table = random_table(generator, texts=True)
        program = random_program(generator, table)
        _, execution = forced(program, table, config, PARAMETERS, ROOM if trial % 2 else None)
        exact = run(program, table)
        for step, result, rows, scalar in zip(
            program.steps, exact.steps, execution.trace.row_select, execution.trace.scalar_answer, strict=True
        ):
            met[step.operation] += 1
            np.testing.assert_array_equal(rows[: table.rows] == 1, result.row_select, err_msg=str(program))
            assert not rows[table.rows :].any(), f"padding was selected by {program}"
            np.testing.assert_allclose(scalar, result.answer.scalar or 0.0, rtol=1e-6, err_msg=str(program))
        answers[exact.answer.kind] += 1
        assert execution.gives_scalar == (exact.answer.kind == "scalar")
        assert execution.gives_lookup == (exact.answer.kind == "lookup")
        cells = {
            (int(row), table.names[column]) for row, column in zip(*np.nonzero(execution.lookup_answer), strict=True)
        }
        assert cells == set(exact.answer.cells), str(program)
    assert min(met.values()) > 500
    assert min(answers.values()) > 500


@pytest.mark.parametrize("reader", ["rnn", "bidirectional"])
@pytest.mark.parametrize("selection", [SOFT, HARD], ids=["soft", "hard"])
def test_padding_changes_nothing(reader, selection):
    config = NetworkConfig(hidden=8, text_match=True, reader=reader, attention=True, pivot="mixed")
    parameters = network.initial(config, len(VOCABULARY), np.random.default_rng(1))
    generator = np.random.default_rng(2)
    for _ in range(20):
        table = random_table(generator, texts=True)
        tight = execute(parameters, config, encode(QUESTION, table, VOCABULARY), selection)
        padded = execute(parameters, config, encode(QUESTION, table, VOCABULARY, ROOM), selection)
        rows, columns = table.rows, len(table.names)
        np.testing.assert_allclose(padded.scalar_answer, tight.scalar_answer, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(padded.lookup_answer[:rows, :columns], tight.lookup_answer, atol=1e-6)
        np.testing.assert_allclose(padded.trace.operation, tight.trace.operation, atol=1e-6)
        np.testing.assert_allclose(padded.trace.row_select[:, :rows], tight.trace.row_select, atol=1e-6)
        assert not padded.lookup_answer[rows:].any()
        assert not padded.lookup_answer[:, columns:].any()
        assert not padded.trace.row_select[:, rows:].any()

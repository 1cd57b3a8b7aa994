"""Reference: shares of steps by loops over all candidates; they multiply to programs. What is forced is kept."""

import math
from dataclasses import replace

import numpy as np
import pytest

from candidates.test_candidates import CARS
from neural_programmer.answering.model import Model
from neural_programmer.answering.thinking import Forced, think
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network import equations as network
from neural_programmer.network.choosing import Proposal
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.decide import ANY
from neural_programmer.network.encode import UNKNOWN, Vocabulary
from neural_programmer.network.soft import ALL
from neural_programmer.programs.operations import BUILT_IN
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import PLACEHOLDERS
from neural_programmer.tables.table import Rows

CONFIG = NetworkConfig(hidden=6, program_steps=8, columns="linked", operations=ALL, chooses="programs")
WORDS = Vocabulary.of([*PLACEHOLDERS, UNKNOWN, "how", "many", "cost", "more", "than", "price", "of", "total"])
ASKED = "total price of audi that cost more than 12"
CSV = "city,region,revenue\nOslo,Europe,10\nLima,America,20\nRome,Europe,30\n"


def untrained(config=CONFIG):
    weights = network.initial(config, len(WORDS), np.random.default_rng(0))
    return Model(config, WORDS, network.Parameters(*(None if array is None else 5 * array for array in weights)))


@pytest.fixture(scope="module")
def model():
    return untrained()


@pytest.fixture(scope="module")
def asked(model):
    return model.read(ASKED, Index.of(CARS), Rows.of(CARS))[1]


@pytest.fixture(scope="module")
def several():
    """Three networks as one model, and each of them alone."""
    together = untrained(replace(CONFIG, members=3))
    return together, [Model(CONFIG, WORDS, network.member(together.parameters, place)) for place in range(3)]


@pytest.fixture
def sales(tmp_path):
    path = tmp_path / "sales.csv"
    path.write_text(CSV, encoding="utf-8")
    return path


def programs(asked):
    """Every candidate as a tuple of moves, with its probability."""
    for moves, log in zip(asked.candidates.moves.tolist(), asked.logs.tolist(), strict=True):
        yield tuple(tuple(max(part, 0) for part in move) for move in moves if move[0] >= 0), math.exp(log)


def test_all_candidates_share_one(asked):
    every = list(programs(asked))
    assert sum(p for _, p in every) == pytest.approx(1.0, rel=1e-5)
    assert len({len(moves) for moves, _ in every}) > 3


def test_several_networks_choose_by_the_geometric_mean_of_their_probabilities(several):
    """P(z) = (P_1(z) P_2(z) P_3(z))^(1/3) / the sum of this over all z"""
    together, alone = several
    found = together.read(ASKED, Index.of(CARS), Rows.of(CARS))[1]
    each = [model.read(ASKED, Index.of(CARS), Rows.of(CARS))[1] for model in alone]
    for one in each:
        np.testing.assert_array_equal(one.candidates.moves, found.candidates.moves)
    means = [math.prod(math.exp(one.logs[place]) for one in each) ** (1 / 3) for place in range(len(found.logs))]
    assert sum(means) < 0.99, "they do not say the same"
    np.testing.assert_allclose(np.exp(found.logs), np.array(means) / sum(means), rtol=1e-4)


def test_a_decision_of_several_networks_is_the_answer_that_has_most_of_their_probability(several):
    together, _ = several
    asked = together.read(ASKED, Index.of(CARS), Rows.of(CARS))[1]
    decision = together.decide(ASKED, Index.of(CARS), Rows.of(CARS))
    shares = [np.exp(asked.logs[same]).sum() for same in asked.candidates.alike()]
    assert decision.confidence == pytest.approx(max(shares), rel=1e-4)


def test_networks_that_are_the_same_choose_as_one(model):
    """Also what is considered at each step is then the same."""
    arrays = (None if array is None else np.stack([array] * 3) for array in model.parameters)
    same = Model(replace(CONFIG, members=3), WORDS, network.Parameters(*arrays))
    one, other = (each.read(ASKED, Index.of(CARS), Rows.of(CARS))[1] for each in (model, same))
    np.testing.assert_allclose(other.logs, one.logs, rtol=1e-5)
    program = one.best()[0][0]
    for alone, together in zip(one.considered(program), other.considered(program), strict=True):
        np.testing.assert_allclose(together.probabilities, alone.probabilities, rtol=1e-4)


def test_a_step_has_the_share_of_the_candidates_that_go_on_with_it(asked):
    every = list(programs(asked))
    for chosen, _ in every[:: len(every) // 20]:
        for step, found in enumerate(asked.considered(np.array(chosen))):
            same = [(moves, p) for moves, p in every if moves[:step] == chosen[:step]]
            total = sum(p for _, p in same)
            for place, move in enumerate(asked.possible.moves.tolist()):
                wanted = sum(p for moves, p in same if moves[step : step + 1] == (tuple(move),)) / total
                assert found.probabilities[place] == pytest.approx(wanted, rel=1e-4, abs=1e-9)
            assert found.attention.sum() == pytest.approx(1.0, rel=1e-5)


def test_the_steps_of_a_program_multiply_to_it(asked):
    every = dict(programs(asked))
    for chosen, wanted in list(every.items())[:: len(every) // 50]:
        product = 1.0
        for move, found in zip(chosen, asked.considered(np.array(chosen)), strict=True):
            product *= found.probabilities[np.all(asked.possible.moves == move, axis=1)].item()
        begin = sum(p for moves, p in every.items() if moves[: len(chosen)] == chosen)
        assert product == pytest.approx(begin, rel=1e-3)
        assert begin >= wanted


def test_the_best_has_the_probability_of_all_that_give_the_same(asked):
    found = asked.best()
    logs = [log for _, log in found]
    assert logs == sorted(logs, reverse=True)
    groups = asked.candidates.alike()
    assert math.exp(logs[0]) == pytest.approx(max(np.exp(asked.logs[same]).sum() for same in groups), rel=1e-5)


@pytest.mark.parametrize("operation", ["text match", "greater", "greatest", "count"])
def test_what_is_forced_is_kept(asked, operation):
    move = (ALL.index(operation), ANY, ANY)
    found = asked.best([move])
    assert found
    assert all(moves[0][0] == move[0] for moves, _ in found)
    share = sum(p for moves, p in programs(asked) if moves[0][0] == move[0])
    assert sum(math.exp(log) for _, log in found) <= share * (1 + 1e-5)


def test_nothing_fits_more_steps_than_there_are(asked):
    assert asked.best([(ANY, ANY, ANY)] * 9) == []
    assert asked.best([(ALL.index("count"), ANY, ANY)] * 2) == []


def test_steps_and_whole_programs_are_asked_in_one_way(asked):
    model = untrained(NetworkConfig(hidden=6, program_steps=5, columns="linked", operations=ALL))
    beam = model.read(ASKED, Index.of(CARS))[1]
    for proposal, tried in ((beam, 0), (asked, len(asked.candidates))):
        assert isinstance(proposal, Proposal)
        assert proposal.tried == tried
        assert proposal.left_out is bool(tried), "all of the steps are at hand, and some programs are not"
        moves, _ = proposal.best()[0]
        assert len(proposal.considered(moves)) == len(moves)


def test_how_many_are_followed_and_given_stands_with_the_model(asked):
    assert len(asked.best()) == asked.config.width == 4
    narrow = replace(asked, config=replace(asked.config, width=2))
    assert [moves.tolist() for moves, _ in narrow.best()] == [moves.tolist() for moves, _ in asked.best()[:2]]


def test_a_thought_of_whole_programs(model, sales):
    """Answers as asking does, with runner-ups; all that is offered at the first step can be forced."""
    question = "total revenue in Europe"
    found = think(model, sales, question)
    assert found.answer.to_dict() == model.ask(sales, question).to_dict()
    assert found.candidates > 20
    assert found.to_dict()["candidates"] == found.candidates
    assert [(step.operation, step.column) for step in found.steps] == [
        (step.operation, step.column) for step in found.answer.steps
    ]
    assert found.others
    first = found.steps[0]
    acting = sum(p for name, p in first.operations.items() if BUILT_IN[name].column != "none")
    assert sum(first.operations.values()) == pytest.approx(1.0, rel=1e-5)
    assert sum(first.columns.values()) == pytest.approx(acting, rel=1e-5)
    offered = [name for name, share in first.operations.items() if share]
    for name in offered:
        forced = think(model, sales, question, forced=[Forced(name)])
        assert forced.answer.steps[0].operation == name
        assert forced.steps[0].operations == first.operations
        assert forced.answer.confidence <= first.operations[name] * (1 + 1e-5)
    matched = think(model, sales, question, forced=[Forced("text match"), Forced("sum", "revenue")])
    assert matched.answer.scalar == 40


def test_what_no_candidate_begins_with_is_said(model, sales):
    with pytest.raises(NeuralProgrammerError, match=r"none of the .* programs that were tried begins with"):
        think(model, sales, "total revenue", forced=[Forced("count"), Forced("count")])
    with pytest.raises(NeuralProgrammerError, match="a program has at most 8 steps"):
        think(model, sales, "total revenue", forced=[Forced("count")] * 9)

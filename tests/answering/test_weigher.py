"""A second network weighs what the first finds: programs are as if all were tried, the formula by hand, files."""

import importlib.util
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

from candidates.test_candidates import CARS
from neural_programmer import api
from neural_programmer.answering import asking
from neural_programmer.answering.asking import Desk, ask
from neural_programmer.answering.model import FILE, Model, load_shipped
from neural_programmer.candidates.config import CandidateConfig
from neural_programmer.candidates.enumeration import every, proposed
from neural_programmer.candidates.results import OF_RESULTS, RESULT_FEATURES
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.fitting import beginning
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.decide import ANY
from neural_programmer.network.encode import UNKNOWN, Vocabulary
from neural_programmer.network.soft import ALL
from neural_programmer.network.weights import FORMAT
from neural_programmer.programs.moves import Codec
from neural_programmer.programs.operations import named
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import PLACEHOLDERS, link
from neural_programmer.tables.source import Source
from neural_programmer.tables.table import TRIED_ON, Rows, Table, without_rows

ROOT = Path(__file__).parent.parent.parent
STEPS = 8
CONFIG = NetworkConfig(hidden=6, program_steps=STEPS, columns="linked", operations=ALL)
WHOLE = replace(CONFIG, chooses="programs", hidden=4)
WORDS = Vocabulary.of([*PLACEHOLDERS, UNKNOWN, "how", "many", "cost", "more", "than", "price", "of", "total"])
INDEX = Index.of(CARS)
ASKED = (
    "total price of audi that cost more than 12",
    "how many cost between 10 and 20 in price",
    "the car with the highest power",
    "difference in price of audi and bmw",
    "which car is it",
)


def untrained(config, seed=0):
    weights = network.initial(config, len(WORDS), np.random.default_rng(seed))
    return Model(config, WORDS, network.Parameters(*(None if array is None else 5 * array for array in weights)))


@pytest.fixture(scope="module")
def model():
    return replace(untrained(CONFIG), weigher=untrained(WHOLE, 1))


@pytest.mark.parametrize("text", ASKED)
def test_what_is_proposed_is_as_if_all_were_tried(text):
    """One by one, by the interpreter, programs have the features and results that they have among all candidates."""
    question = link(text, INDEX)
    tried = every(question, [CARS], named(ALL), STEPS)
    whole = [moves[moves[:, 0] >= 0].astype(int) for moves in tried.moves]
    listed = [(moves, Codec.of(CONFIG.entries, question).program(moves, question, INDEX)) for moves in whole]
    found = proposed(question, CARS, listed, named(ALL), STEPS)
    np.testing.assert_array_equal(found.moves, tried.moves)
    for place, name in enumerate(RESULT_FEATURES):
        if name == "negative":  # which is never known
            assert not found.features[:, place].any()
            continue
        differing = np.flatnonzero(found.features[:, place] != tried.features[:, place])
        assert not len(differing), (name, str(listed[differing[0]][1]))
    np.testing.assert_allclose(found.result.scalar, tried.result.scalar, rtol=1e-12)
    np.testing.assert_array_equal(found.result.cells, tried.result.cells)


def test_of_a_table_without_rows_nothing_is_known_of_what_programs_give():
    question = link(ASKED[0], INDEX)
    tried = every(question, [CARS], named(ALL), STEPS)
    whole = [moves[moves[:, 0] >= 0].astype(int) for moves in tried.moves]
    listed = [(moves, Codec.of(CONFIG.entries, question).program(moves, question, INDEX)) for moves in whole]
    empty = without_rows({column.name: column.kind for column in INDEX.columns})
    found = proposed(question, empty, listed, named(ALL), STEPS)
    assert not found.features[:, OF_RESULTS].any()
    np.testing.assert_array_equal(found.features[:, ~OF_RESULTS], tried.features[:, ~OF_RESULTS])


@pytest.mark.parametrize("text", ASKED)
def test_both_networks_share_the_decision(model, text):
    """log P(z) = log P_steps(z) + share log P_whole(z) + c, and all are as probable together as before."""
    _, asked = model.read(text, INDEX, Rows.of(CARS))
    steps = asked.beam.best()
    whole = asked.scorer.logs([moves for moves, _ in steps])
    assert math.fsum(np.exp(whole)) == pytest.approx(1)
    shared = [log + asked.scorer.share * other for (_, log), other in zip(steps, whole, strict=True)]
    total, before = math.fsum(map(math.exp, shared)), math.fsum(math.exp(log) for _, log in steps)
    expected = {moves.tobytes(): math.exp(log) / total * before for (moves, _), log in zip(steps, shared, strict=True)}
    found = asked.best()
    assert {moves.tobytes(): math.exp(log) for moves, log in found} == pytest.approx(expected)
    assert [log for _, log in found] == sorted((log for _, log in found), reverse=True)


@pytest.mark.parametrize("text", ASKED)
def test_what_is_forced_is_as_probable_as_where_it_was_not(text):
    model = load_shipped()
    _, asked = model.read(text, INDEX, Rows.of(CARS))
    free = {moves.tobytes(): log for moves, log in asked.best()}
    moves = asked.best()[0][0]
    start = min(np.flatnonzero(moves[:, 0] != model.config.operations.index("reset")).tolist())
    found = {one.tobytes(): log for one, log in asked.best([(int(moves[start, 0]), ANY, ANY)])}
    assert moves.tobytes() in found
    for program in free.keys() & found.keys():
        assert found[program] == pytest.approx(free[program])


def test_it_can_do_without_rows(model):
    """The programs are the same, how probable each is may differ."""
    known, unknown = (model.decide(ASKED[0], INDEX, rows) for rows in (Rows.of(CARS), None))
    every_one = [{str(one.program), *(str(other) for other, _ in one.others)} for one in (known, unknown)]
    assert every_one[0] == every_one[1]
    assert known.confidence != unknown.confidence


def test_a_table_that_is_not_in_memory_is_not_read_for_it(tmp_path, monkeypatch):
    path = tmp_path / "cars.csv"
    path.write_text("car,price\n" + "Audi,20\nFiat,10\n" * 50, encoding="utf-8")
    model = load_shipped()
    answers = []
    for cells in (asking.IN_MEMORY, 0):
        monkeypatch.setattr(asking, "IN_MEMORY", cells)
        if not cells:
            monkeypatch.setattr(Source, "table", None)
        answers.append(ask(model, path, "what do the Audis cost on average?", desk=Desk()))
    assert [answer.value for answer in answers] == [20, 20]


def test_what_is_judged_is_in_memory_where_it_is_when_asked():
    narrow, wide = (Table(("a",), (np.zeros(count),)) for count in (asking.IN_MEMORY, asking.IN_MEMORY + 1))
    assert Rows.of(narrow).whole is narrow
    assert Rows.of(wide).whole is None
    assert Rows.of(wide).first().rows == TRIED_ON


def test_whoever_is_younger_is_not_taken_for_the_older():
    """A number below zero is as good as another."""
    people = {"name": ["Kate", "Leo"], "age": [18, 42]}
    model = load_shipped()
    assert [model.ask(people, f"how much older is {one}?").value for one in ("Kate than Leo", "Leo than Kate")] == [
        -24,
        24,
    ]


def test_to_decline_after_other_steps_is_not_to_decline(model):
    """Of forced steps, too, programs are weighed as they are."""
    question = link(ASKED[0], INDEX)
    count, reset, declines = ([ALL.index(name), 0, 0] for name in ("count", "reset", "decline"))
    programs = [np.array(moves) for moves in ([declines], [count, reset, declines])]
    listed = [(moves, Codec.of(CONFIG.entries, question).program(moves, question, INDEX)) for moves in programs]
    found = proposed(question, CARS, listed, named(ALL), STEPS)
    assert (found.moves[..., 0] >= 0).sum(axis=1).tolist() == [1, 3]


def test_a_network_that_gives_no_numbers_is_told_of(model):
    huge = network.Parameters(*(None if array is None else array * 1e30 for array in model.weigher.parameters))
    with pytest.raises(NeuralProgrammerError, match="gives no numbers; take another copy"), np.errstate(all="ignore"):
        replace(model, weigher=replace(model.weigher, parameters=huge)).decide(ASKED[0], INDEX, Rows.of(CARS))


def test_a_thought_says_that_a_second_network_had_a_say():
    people = {"name": ["Kate", "Leo", "Ann"], "age": [18, 42, 30], "pay": [1, 2, 3]}
    model = load_shipped()
    for text in ("how much older is Kate than Leo?", "how much in all", "average age"):
        found = model.think(people, text)
        assert found.answer.to_dict() == model.ask(people, text).to_dict()
        assert found.weighed == bool(found.others)
    assert not replace(model, weigher=None).think(people, text).weighed


def test_a_fit_goes_on_with_the_first_network_alone():
    """And as sure as that one is by itself."""
    model = load_shipped()
    start = beginning(model, model.config, [], 0)
    assert start.weigher is None
    assert start.calibration == model.calibration != model.weigher.calibration


def test_a_model_of_two_networks_comes_back_as_it_was(model, tmp_path):
    model.save(tmp_path / FILE)
    loaded = api.load(tmp_path)
    assert loaded.digest == model.digest
    assert loaded.digest != replace(model, weigher=None).digest
    for text in ASKED:
        assert loaded.decide(text, INDEX, Rows.of(CARS)) == model.decide(text, INDEX, Rows.of(CARS))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"config": {"chooses": "steps"}}, "the configuration has no place for the weights inner, outer, results"),
        ({"config": {"operations": [*ALL[1:], ALL[0]]}}, "the second network does not belong to the first"),
        ({"config": {"program_steps": 6}}, "the second network does not belong to the first"),
        ({"config": 5}, "expected a configuration with"),
        ({"vocabulary": 17}, "the vocabulary is misstated"),
        (5, "the second network is misstated"),
        ({"trained": ()}, "expected a configuration with"),
    ],
)
def test_a_second_network_that_does_not_fit_is_refused(model, tmp_path, changes, said):
    path = tmp_path / FILE
    model.save(path)
    arrays = safetensors.numpy.load_file(path)
    with safetensors.safe_open(path, framework="np") as file:
        description = json.loads(file.metadata()[FORMAT])
    if isinstance(changes, dict):
        config = changes.get("config", {})
        config = {**description["weigher"]["config"], **config} if isinstance(config, dict) else config
        changes = {**description["weigher"], **changes, "config": config}
    description["weigher"] = changes
    path.write_bytes(safetensors.numpy.save(arrays, {FORMAT: json.dumps(description)}))
    with pytest.raises(NeuralProgrammerError) as raised:
        api.load(tmp_path)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_weights_of_a_second_network_that_is_not_described_are_refused(model, tmp_path):
    path = tmp_path / FILE
    model.save(path)
    arrays = safetensors.numpy.load_file(path)
    with safetensors.safe_open(path, framework="np") as file:
        description = json.loads(file.metadata()[FORMAT])
    del description["weigher"]
    path.write_bytes(safetensors.numpy.save(arrays, {FORMAT: json.dumps(description)}))
    with pytest.raises(NeuralProgrammerError, match="the configuration has no place for the weights weigher"):
        api.load(tmp_path)


@pytest.mark.slow
def test_it_learns_to_weigh_by_the_script(monkeypatch, tmp_path):
    """Small: drawn questions alone, two networks of little width that teach one, a few steps."""
    spec = importlib.util.spec_from_file_location("weigher", ROOT / "scripts" / "weigher.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    small = {"TIMES": 0, "DRAWN": 90, "WIDTH": 6, "TEACHERS": 2, "PUPIL_WIDTH": 4, "PUPILS": 1, "VALIDATING": 5}
    for name, value in small.items():
        monkeypatch.setattr(script, name, value)
    monkeypatch.setattr(script, "SETTINGS", replace(script.SETTINGS, steps=4, batch=8, report_every=2))
    questions = tmp_path / "questions.tsv"
    questions.write_text(
        "id\tutterance\tcontext\ttargetValue\nnt-0\twhich car has a price of 20\tcars.csv\tFiat\n", "utf-8"
    )
    (tmp_path / "cars.csv").write_text('"car","price"\n"Audi","10"\n"Fiat","20"\n', "utf-8")
    untrained(CONFIG).save(tmp_path / FILE)
    script.main(str(tmp_path / FILE), str(questions), str(tmp_path / "out"))
    found = api.load(tmp_path / "out" / "0.safetensors")
    assert (found.weigher.config.hidden, found.weigher.config.chooses) == (4, "programs")
    assert found.decide(ASKED[0], INDEX, Rows.of(CARS)).confidence > 0


def test_how_many_looked_up_cells_are_read_is_a_setting():
    """Of a proposed program: with one cell read, all cars look like one value."""
    moves = np.array([[CONFIG.operations.index("assign"), 0, 0]])
    question = link("which cars are there", INDEX)
    listed = [(moves, Codec.of(CONFIG.entries, question).program(moves, question, INDEX))]
    value = RESULT_FEATURES.index("one value")
    found = [proposed(question, CARS, listed, named(ALL), STEPS, CandidateConfig(cells=most)) for most in (1, 1_000)]
    assert [bool(each.features[0, value]) for each in found] == [True, False]

"""Fitting to data of one's own: its words, its split, what it starts from, when it stops, and that it resumes."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
import safetensors.numpy

from neural_programmer import api
from neural_programmer.answering.model import Model, load_shipped
from neural_programmer.data.language import NETWORK
from neural_programmer.data.paper.draws import Given
from neural_programmer.data.triples import read, shown
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning import checks, fitting, learners
from neural_programmer.learning.config import FitConfig
from neural_programmer.learning.examples import tried, vocabulary_of
from neural_programmer.learning.fitting import rehearsing, with_words
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import UNKNOWN
from neural_programmer.network.soft import ALL
from neural_programmer.questions.index import Index
from neural_programmer.questions.vectors import shipped

CONFIG = NetworkConfig(hidden=8, program_steps=5, columns="linked", operations=ALL)
TEAMS = {"red": ("Ann", "Cy", "Ed"), "blue": ("Bo", "Di")}
FAST = FitConfig(steps=20, report_every=10, batch=4, rehearsed=0)


def rows(shift: int) -> list[dict]:
    people = [(name, team) for team, names in TEAMS.items() for name in names]
    return [{"name": name, "team": team, "pay": 10 * place**2 + shift} for place, (name, team) in enumerate(people, 1)]


def lines(tables: int = 3) -> list[dict]:
    result = []
    for shift in range(tables):
        table = rows(shift)
        for team, names in TEAMS.items():
            pay = [row["pay"] for row in table if row["team"] == team]
            result += [
                {"question": f"how many in team {team}", "table": table, "answer": len(names)},
                {"question": f"total pay in team {team}", "table": table, "answer": sum(pay)},
                {"question": f"names in team {team}", "table": table, "answer": list(names)},
            ]
        result.append({"question": "what is the weather", "table": table, "answer": None})
    return result


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines()))
    return path


@pytest.fixture(scope="module")
def small():
    """An untrained model with few words."""
    words = vocabulary_of(tried(read(lines()).triples[:3], CONFIG), 1)
    return Model(CONFIG, words, network.initial(CONFIG, len(words), np.random.default_rng(0)))


def test_new_words_mean_what_an_unknown_word_means(small):
    more = with_words(small, ["haul", "total", *small.vocabulary.words])
    assert more.vocabulary.words[: len(small.vocabulary)] == small.vocabulary.words
    assert {"haul", "total"} <= set(more.vocabulary.words)
    unknown = small.parameters.words[small.vocabulary.places[UNKNOWN]]
    np.testing.assert_array_equal(more.parameters.words[more.vocabulary.places["haul"]], unknown)
    index = Index.of(read(lines(1)).triples[0].table)
    for question in ("haul of pay in team red", "how many are blue"):
        assert more.decide(question, index) == small.decide(question, index)


def test_the_networks_of_fits_read_the_vectors_that_are_shipped():
    """A network of other dimensions could not be trained on questions as people write them."""
    assert NETWORK.vectors == shipped().dimensions == load_shipped().config.vectors


def test_rehearsed_questions_are_half_at_most():
    own = tried(read(lines(1)).triples, CONFIG)
    mixed = rehearsing(Given("", own, own), 30, 8, 0)
    assert 0.4 <= (len(mixed.train) - len(own) * (len(mixed.train) // len(own) // 2)) / len(mixed.train) <= 0.7
    assert mixed.train[: len(own)] == own == mixed.train[len(own) : 2 * len(own)]
    assert mixed.validation == own
    assert rehearsing(Given("", own, own), 0, 8, 0).train == own


@pytest.fixture(scope="module")
def learnt():
    """A fit to all of the questions, from a model that knows nothing."""
    config = replace(CONFIG, hidden=32)
    words = vocabulary_of(tried(read(lines()).triples, config), 2)
    start = Model(config, words, network.initial(config, len(words), np.random.default_rng(1)), calibration=(2.0, 0.5))
    settings = FitConfig(steps=400, learning_rate=0.01, average=0.5, forgotten=0.0, forgotten_rare=0.0, rehearsed=0)
    return api.fit(lines(), start=start, config=settings)


def test_a_fit_learns_its_questions_and_stops(learnt):
    assert learnt.report.accuracy["train"].accuracy == 1
    assert learnt.report.accuracy["validation"].accuracy == 1
    assert learnt.training.reports[-1].step < 400
    assert learnt.report.about["split"] == "by table: 14 to learn from, 7 to validate by"
    assert learnt.model.calibration == (2.0, 0.5)  # that of the start


def test_the_start_is_kept_where_training_makes_it_worse(learnt):
    """A learning rate that destroys: what was all right stays so."""
    config = replace(FAST, learning_rate=5.0, average=0.0, clip=1e6)
    fitted = api.fit(lines(), start=learnt.model, config=config)
    assert fitted.training.reports[-1].accuracy[0] < 1
    assert fitted.training.reports[-1].best_accuracy == [1]
    assert fitted.report.accuracy["validation"].accuracy == 1


def test_the_same_seed_gives_the_same_model_and_report(data, small, tmp_path):
    for name in ("one", "other"):
        api.fit(data, start=small, config=FAST, out=tmp_path / name)
    for file in ("model.safetensors", "report.json", "report.html"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "other" / file).read_bytes()


@pytest.mark.slow
def test_a_fit_that_is_killed_and_resumed_ends_with_the_same_bits(data, small, tmp_path):
    small.save(tmp_path / "small.safetensors")
    options = "--steps 3000 --report-every 10 --batch 4 --patience 0 --rehearsed 0 --start"
    command = [sys.executable, "-m", "neural_programmer.cli", "fit", str(data), *options.split()]
    command += [str(tmp_path / "small.safetensors"), "--out"]
    subprocess.run([*command, str(tmp_path / "alone")], check=True, capture_output=True)
    killed = tmp_path / "killed"
    with subprocess.Popen([*command, str(killed)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not (killed / "state.safetensors").exists():
            assert process.poll() is None
            time.sleep(0.001)
        os.kill(process.pid, signal.SIGKILL)
    assert not (killed / "report.json").exists()
    subprocess.run([*command, str(killed), "--resume"], check=True, capture_output=True)
    for file in ("state.safetensors", "model.safetensors"):
        one, other = (safetensors.numpy.load_file(tmp_path / name / file) for name in ("alone", "killed"))
        assert one.keys() == other.keys()
        for name in one:
            np.testing.assert_array_equal(one[name], other[name], err_msg=name)
    assert (killed / "report.json").read_bytes() == (tmp_path / "alone" / "report.json").read_bytes()


def test_other_data_cannot_be_resumed_with(data, small, tmp_path):
    api.fit(data, start=small, config=FAST, out=tmp_path / "run")
    data.write_text("".join(json.dumps(line) + "\n" for line in lines()[:-2]))
    with pytest.raises(NeuralProgrammerError, match=r"was begun with (data|examples|validation)"):
        api.fit(data, start=small, config=FAST, out=tmp_path / "run", resume=True)
    with pytest.raises(NeuralProgrammerError, match="is not empty; continue that run with --resume"):
        api.fit(data, start=small, config=FAST, out=tmp_path / "run")


@pytest.mark.slow
def test_the_soft_objective_on_the_same_data(data):
    """Cells of tables are learnt from too: the first that hold the answer."""
    fitted = api.fit(data, start="nothing", objective="soft", config=replace(FAST, steps=10))
    assert fitted.model.config.columns == "linked"
    assert fitted.training.reports[-1].step == 10
    triple = next(triple for triple in read(data).triples if triple.question == "names in team blue")
    assert shown(triple).answer.cells == ((3, "name"), (4, "name"))


@pytest.mark.slow
def test_validation_of_its_own_and_one_table_alone(data, small):
    other = [{**line, "question": "please: " + line["question"]} for line in lines(1)]
    fitted = api.fit(data, validation=other, start=small, config=FAST)
    assert fitted.report.about["split"] == "validation is these examples: 21 to learn from, 7 to validate by"
    alone = api.fit(lines(1), start=small, config=FAST)
    assert alone.report.about["split"] == "by question, for there is one table only: 6 to learn from, 1 to validate by"


def test_a_start_that_is_none_is_refused(data, tmp_path):
    with pytest.raises(NeuralProgrammerError, match="no model at no-such-run"):
        api.fit(data, start="no-such-run", config=FAST)


def test_questions_that_no_program_answers_cannot_be_learnt_from(small):
    hopeless = [{**line, "answer": 123_456_789} for line in lines()]
    with pytest.raises(NeuralProgrammerError, match="no program gives the answer to any of the 14 questions"):
        api.fit(hopeless, start=small, config=FAST)


def test_settings_are_checked():
    for changes, reason in (
        ({"steps": 0}, "steps must be 1"),
        ({"batch": 0}, "batch must be 1"),
        ({"rehearsed": -1}, "rehearsed must be 0"),
        ({"forgotten": 2.0}, "forgotten must be 0 to 1"),
        ({"patience": -1}, "patience must be 0"),
    ):
        with pytest.raises(NeuralProgrammerError, match=reason):
            FitConfig(**changes)


@pytest.mark.parametrize(
    ("objective", "changes", "reason"),
    [
        ("marginal", {"rehearsed": 7}, "the marginal objective from nothing has no use for --rehearsed"),
        ("soft", {"forgotten_rare": 0.2}, "the soft objective from nothing has no use for --forgotten-rare"),
        ("soft", {"average": 0.5}, "has no use for --average; leave it out"),
    ],
)
def test_settings_that_would_be_ignored_are_refused(objective, changes, reason):
    with pytest.raises(NeuralProgrammerError, match=reason):
        api.fit(lines(), start="nothing", objective=objective, config=replace(FAST, **changes))


def test_a_teacher_must_choose_among_the_same(small, tmp_path):
    with pytest.raises(NeuralProgrammerError, match="learns from answers alone; leave out --teacher"):
        api.fit(lines(), start=small, config=FAST, teacher=small)
    with pytest.raises(NeuralProgrammerError, match="the teacher chooses step after step, and must"):
        api.fit(lines(), start="nothing", objective="enumerated", config=FAST, teacher=small, out=tmp_path / "run")
    with pytest.raises(NeuralProgrammerError, match="no model at"):
        api.fit(lines(), start="nothing", objective="enumerated", config=FAST, teacher=tmp_path / "none")
    assert not (tmp_path / "run").exists()


def test_whole_programs_are_rehearsed_from_nothing_alone(small):
    """Where a model is gone on with, what it knew is not mixed in."""
    start = replace(small, config=replace(CONFIG, chooses="programs"))
    with pytest.raises(NeuralProgrammerError, match="the enumerated objective has no use for --rehearsed"):
        api.fit(lines(), start=start, config=replace(FAST, rehearsed=7))
    checks.check_fit(FitConfig(rehearsed=7), "enumerated", from_nothing=True)
    assert FitConfig(rehearsed=7).rehearsals("enumerated", from_nothing=True) == 7
    assert FitConfig().rehearsals("enumerated", from_nothing=True) == 0


@pytest.mark.parametrize(
    ("examples", "steps", "report_every"), [(30, 400, 20), (3_200, 4_000, 100), (50_000, 10_000, 250)]
)
def test_how_long_to_train_depends_on_the_data(examples, steps, report_every):
    training = FitConfig().training(examples, 10, "marginal")
    assert (training.steps, training.report_every, training.examples) == (steps, report_every, examples)


@pytest.mark.slow
def test_the_enumerated_objective_on_the_same_data(data, small, tmp_path):
    """From nothing to all of it; the model is kept and asked like any other, and gives what it considered besides."""
    fitted = api.fit(
        data, start="nothing", objective="enumerated", config=replace(FAST, steps=60), out=tmp_path / "run"
    )
    assert fitted.training.reports[-1].best_accuracy == [1.0]
    pupil = api.fit(
        data,
        start="nothing",
        objective="enumerated",
        config=replace(FAST, steps=60, seed=1),
        out=tmp_path / "pupil",
        teacher=tmp_path / "run",
    )
    assert pupil.training.reports[-1].best_accuracy == [1.0]
    assert json.loads((tmp_path / "pupil" / "config.json").read_text())["teacher"] == fitted.model.digest
    assert pupil.report.about["teacher"] == str(tmp_path / "run")
    assert pupil.model.digest != fitted.model.digest
    again = {"start": "nothing", "objective": "enumerated", "config": replace(FAST, steps=80, seed=1), "resume": True}
    for other in (None, pupil.model):
        with pytest.raises(NeuralProgrammerError, match="was begun with teacher"):
            api.fit(data, out=tmp_path / "pupil", teacher=other, **again)
    with pytest.raises(NeuralProgrammerError, match="this one is empty"):
        api.fit(data, teacher="", start="nothing", objective="enumerated", config=FAST)
    model = api.load(tmp_path / "run")
    assert model.config.chooses == "programs"
    (tmp_path / "team.csv").write_text("name,team,pay\nAl,green,5\nBo,green,7\nCy,grey,9\n")
    answer = model.ask(tmp_path / "team.csv", "total pay in team green")
    assert answer.scalar == 12
    assert answer.confidence > 0.5
    [(trace, _)] = api.traces(model, table=tmp_path / "team.csv", question="total pay in team green")
    assert trace.answer.scalar == 12
    thought = model.think(tmp_path / "team.csv", "total pay in team green")
    assert thought.answer.to_dict() == answer.to_dict()
    assert [step.operation for step in thought.steps] == ["text match", "sum"]
    again = api.fit(data, start=model, config=replace(FAST, steps=10))
    assert again.report.about["objective"] == "enumerated", "as it learnt before"
    with pytest.raises(NeuralProgrammerError, match="the objective must be one of soft, marginal, enumerated, not 'x'"):
        checks.check_objective("x")
    for start, objective, way in ((small, "enumerated", "step after step"), (model, "marginal", "whole programs")):
        with pytest.raises(NeuralProgrammerError, match=f"cannot go on with a model that chooses {way}"):
            api.fit(data, start=start, objective=objective, config=FAST)


def test_several_networks_are_no_start(data, small):
    """One network is gone on with; the files of several have a leading axis."""
    several = replace(small, config=replace(CONFIG, chooses="programs", members=2))
    with pytest.raises(NeuralProgrammerError, match="the model is 2 networks that decide together"):
        api.fit(data, start=several, config=FAST)


@pytest.mark.slow
def test_all_restarts_are_one_model_if_wanted(small, tmp_path):
    """With the calibration of the start; the folder holds the model that is given back."""
    config = replace(CONFIG, chooses="programs")
    start = replace(small, config=config, calibration=(2.0, 0.5))
    start = replace(start, parameters=network.initial(config, len(small.vocabulary), np.random.default_rng(0)))
    settings = replace(FAST, steps=2, report_every=1, restarts=2, ensemble=True)
    fitted = api.fit(lines(1), start=start, config=settings, out=tmp_path / "run")
    kept = api.load(tmp_path / "run")
    assert kept.config == fitted.model.config == replace(config, members=2)
    assert kept.calibration == fitted.model.calibration == (2.0, 0.5)
    for one, other in zip(kept.parameters, fitted.training.parameters, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            np.testing.assert_array_equal(one, np.asarray(other))


def test_an_ensemble_is_of_several_networks_that_choose_whole_programs(data, small):
    with pytest.raises(NeuralProgrammerError, match="an ensemble wants several networks"):
        api.fit(data, start="nothing", objective="enumerated", config=replace(FAST, ensemble=True))
    with pytest.raises(NeuralProgrammerError, match="has no use for --ensemble; leave it out"):
        api.fit(data, start=small, config=replace(FAST, ensemble=True, restarts=2))


def test_the_enumerated_objective_validates_among_all_candidates(small, monkeypatch):
    """As when asked: some of them would be answered rightly more often. The programs of a report are of all."""
    monkeypatch.setattr(fitting, "TRAINED_ON", 5)
    monkeypatch.setattr(fitting, "MOST_VALIDATING", 3)
    triples = read(lines()).triples
    start, told = replace(small, config=replace(CONFIG, chooses="programs")), []
    lesson = fitting._lesson(triples[:10], triples[10:15], start.config, 0, lambda *done: told.append(done))
    assert told[-1] == (15, 15), "each is tried once"
    assert [triple for triple, _ in (*lesson.train, *lesson.validation)] == list(triples[:15])
    assert [one.question.words for _, one in lesson.validation] == [
        one.question.words for one in tried(triples[10:15], CONFIG)
    ]
    validating = lesson.validation[::2]
    _, data = learners.fitting("enumerated", start, FAST.training(10, 5, "enumerated"), lesson.train, validating)
    assert {len(one.moves) for one in data.train} == {5}
    assert min(len(one.moves) for one in data.validation) > 5
    assert {len(one.moves) for _, one in lesson.validation[1::2]} == {5}
    assert all(one.programs for _, one in (*lesson.train, *lesson.validation))


def test_what_is_known_is_changed_slowly():
    assert FitConfig().training(1, 1, "marginal").learning_rate == pytest.approx(1e-4)
    assert FitConfig().training(1, 1, "marginal", from_nothing=True).learning_rate == pytest.approx(1e-3)
    assert FitConfig(learning_rate=0.5).training(1, 1, "marginal").learning_rate == 0.5


@pytest.mark.parametrize("objective", ["marginal", "enumerated"])
def test_a_fit_to_wikitablequestions(tmp_path, objective):
    """Tables in a folder of their own, another file to validate by, and answers judged by the official measure."""
    for number in range(3):
        columns = [[*row.values()] for row in rows(number)]
        cells = "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in [["name", "team", "pay"], *columns])
        (tmp_path / f"{number}.csv").write_text(cells.replace("Ann", "Ann[1]"))
    (tmp_path / "questions").mkdir()
    files = {"train": (0, 1), "validation": (2,)}
    for file, tables in files.items():
        asked = [(f"names in team {team}", n, "|".join(names)) for n in tables for team, names in TEAMS.items()]
        asked = [(question, table, answer.replace("Ann", "Ann[1]")) for question, table, answer in asked]
        asked += [(f"names in team {team} first", n, "ann") for n in tables for team in TEAMS]
        written = "".join(f"nt-{place}\t{q}\t{t}.csv\t{a}\n" for place, (q, t, a) in enumerate(asked))
        (tmp_path / "questions" / f"{file}.tsv").write_text("id\tutterance\tcontext\ttargetValue\n" + written)
    train, validation = (tmp_path / "questions" / f"{file}.tsv" for file in files)
    fitted = api.fit(train, validation=validation, tables=tmp_path, start="nothing", objective=objective, config=FAST)
    assert fitted.report.about["split"] == "validation is validation.tsv: 8 to learn from, 4 to validate by"
    assert {verdict.key for verdict in fitted.report.validation} == {"nt-0", "nt-1", "nt-2", "nt-3"}
    judged = api.judge(fitted.model, validation, tables=tmp_path)
    assert judged.official
    assert [one.right for one in judged.verdicts] == [one.right for one in fitted.report.validation]

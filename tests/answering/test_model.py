"""Product: a saved model is the same model, answers without JAX, and a broken file is refused in one sentence."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import jax
import numpy as np
import pytest
import safetensors
import safetensors.numpy

from neural_programmer.answering.decision import Decision
from neural_programmer.answering.model import FILE, Model
from neural_programmer.answering.traces import selected_program
from neural_programmer.api import load
from neural_programmer.base.settings import to_dict
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.decide import search
from neural_programmer.network.encode import UNKNOWN, Vocabulary, distinct_texts, encode, encode_linked
from neural_programmer.network.executor import HARD, execute
from neural_programmer.network.soft import ALL
from neural_programmer.network.weights import FORMAT, Trained
from neural_programmer.programs.moves import Codec
from neural_programmer.programs.operations import ROWS, TEXT
from neural_programmer.programs.program import Program, Step, run
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import PLACEHOLDERS, link
from neural_programmer.questions.question import parse
from neural_programmer.questions.vectors import shipped
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import Rows, Table, is_date, is_text
from neural_programmer.tables.views import written
from random_programs import QUESTION, VOCABULARY, execute_forced, forcing, linked, random_program, random_table

PLAIN = NetworkConfig(hidden=8, reader="rnn", attention=False, arguments="blended", columns="names")
EVERYTHING = replace(PLAIN, reader="bidirectional", attention=True, arguments="mixed", operations=TEXT)
DEFAULT = NetworkConfig(hidden=8)
DEFAULT_TEXT = replace(DEFAULT, operations=TEXT)
ALL_OPERATIONS = replace(DEFAULT, operations=ALL)
CONFIGS = pytest.mark.parametrize(
    "config", [PLAIN, EVERYTHING, DEFAULT, DEFAULT_TEXT], ids=["plain", "everything", "default", "default with text"]
)
ASKED = "greater 12.5 A lesser -3.25 B sum C"


def model_of(config, seed=0):
    """Weights ten times as large as the initial ones, so that different questions get different programs."""
    initial = network.initial(config, len(VOCABULARY), np.random.default_rng(seed))
    parameters = jax.tree.map(lambda array: 10 * array, initial)
    return Model(config, VOCABULARY, parameters, Trained("three-columns", 3, 50))


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / FILE
    model_of(PLAIN).save(path)
    return path


def refusal(path):
    """The one sentence with which a file is refused."""
    with pytest.raises(NeuralProgrammerError) as caught:
        load(path)
    sentence = str(caught.value)
    assert str(path) in sentence
    assert "\n" not in sentence
    hidden = caught.value.__suppress_context__ or caught.value.__context__ is None
    assert hidden, "what went wrong is in the sentence, not in a chain of tracebacks"
    return sentence


def without_checks(code):
    """What Python prints that has no JAX and checks no annotations; a warning is an error."""
    start = "import sys; sys.modules['jax'] = None; import neural_programmer\n"
    said = subprocess.run([sys.executable, "-W", "error", "-c", start + code], capture_output=True, text=True)
    assert (said.stderr, said.returncode) == ("", 0)
    return said.stdout


def refusal_without_checks(path):
    return without_checks(f"""
from neural_programmer.errors import NeuralProgrammerError
try:
    neural_programmer.load({str(path)!r})
except NeuralProgrammerError as error:
    print(error)
""")


def tamper(path, arrays=None, **changes):
    """Write the file again with another description or other arrays."""
    with safetensors.safe_open(path, framework="np") as file:
        description = json.loads(file.metadata()[FORMAT])
    arrays = safetensors.numpy.load_file(path) if arrays is None else arrays
    path.write_bytes(safetensors.numpy.save(arrays, {FORMAT: json.dumps(description | changes)}))


@CONFIGS
def test_a_saved_model_is_the_same_model(config, tmp_path):
    model = model_of(config)
    model.save(tmp_path / FILE)
    for loaded in (load(tmp_path), load(str(tmp_path / FILE))):
        assert type(loaded) is Model
        assert (loaded.config, loaded.vocabulary, loaded.trained) == (model.config, model.vocabulary, model.trained)
        assert jax.tree.structure(loaded.parameters) == jax.tree.structure(model.parameters)
        for one, other in zip(jax.tree.leaves(loaded.parameters), jax.tree.leaves(model.parameters), strict=True):
            assert one.dtype == other.dtype
            assert one.tobytes() == other.tobytes()
    generator = np.random.default_rng(1)
    programs = set()
    for _ in range(20):
        table = random_table(generator, texts=config.matches_text)
        words = generator.choice(VOCABULARY.words[1:], 5)
        asked = " ".join([*words[:2], "12.5", *words[2:], "-3"])
        one, other = loaded.trace(asked, table), model.trace(asked, table)
        assert (one.program, one.pivots, one.answer) == (other.program, other.pivots, other.answer)
        programs.add(str(one.program))
    assert len(programs) > 3


MEMBERS = NetworkConfig(
    hidden=8, reader="gated", columns="linked", operations=ROWS, chooses="programs", cells="written", members=3
)
READ = Vocabulary.of(["which", "how", "many", "is", "over", UNKNOWN, *PLACEHOLDERS])
TOWNS = Table(("town", "area"), (np.array(["Bern", "Chur", "Visp"]), np.array(["51 km", "54 km[1]", "13 km"])))


def several():
    parameters = network.initial(MEMBERS, len(READ), np.random.default_rng(0))
    return Model(MEMBERS, READ, jax.tree.map(lambda array: 10 * array, parameters))


@pytest.mark.parametrize("half", [False, True], ids=["whole", "half precision"])
def test_a_saved_model_of_several_networks_is_the_same_model(tmp_path, half):
    model = several()
    model.save(tmp_path / FILE, half)
    loaded = load(tmp_path)
    assert isinstance(loaded, Model)
    assert (loaded.config, loaded.vocabulary) == (MEMBERS, model.vocabulary)
    for one, other in zip(jax.tree.leaves(loaded.parameters), jax.tree.leaves(model.parameters), strict=True):
        assert len(one) == 3
        np.testing.assert_array_equal(one, other.astype(np.float16 if half else np.float32).astype(np.float32))
    table = written(TOWNS)
    asked = ("which town is largest", "how many towns have over 20 km", "area of Bern", "is Chur larger than Visp")
    before, after = ([one.decide(text, Index.of(table), Rows.of(table)) for text in asked] for one in (model, loaded))
    assert len({str(decision.program) for decision in before}) > 1
    for one, other in zip(before, after, strict=True):
        assert one == other or half
        assert one.confidence == pytest.approx(other.confidence, rel=0.05)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"members": 2}, "'words' should have shape (2, 16, 8) of float32 and has shape (3, 16, 8) of float32"),
        ({"members": 1}, "'words' should have shape (16, 8) of float32 and has shape (3, 16, 8) of float32"),
        ({"members": 0}, "members must be 1 to 64, not 0"),
        ({"chooses": "steps"}, "written cells and several members want a network that chooses whole programs"),
    ],
)
def test_another_number_of_networks_than_there_are_weights_is_refused(tmp_path, changes, expected):
    several().save(tmp_path / FILE)
    tamper(tmp_path / FILE, config={**to_dict(MEMBERS), **changes})
    assert expected in refusal(tmp_path / FILE)


def test_saving_again_writes_the_same_bytes_and_leaves_nothing_beside(saved):
    before = saved.read_bytes()
    load(saved).save(saved)
    assert saved.read_bytes() == before
    assert [file.name for file in saved.parent.iterdir()] == [FILE]


def test_a_model_that_cannot_be_saved_says_so(tmp_path):
    with pytest.raises(NeuralProgrammerError, match=r"cannot write .*model.safetensors: No such file or directory"):
        model_of(PLAIN).save(tmp_path / "nowhere" / FILE)


def test_a_model_that_cannot_be_saved_under_a_file_says_so(tmp_path):
    (tmp_path / "file").write_text("text")
    with pytest.raises(NeuralProgrammerError, match="cannot write"):
        model_of(PLAIN).save(tmp_path / "file" / FILE)


@pytest.mark.parametrize(
    "config",
    [replace(PLAIN, operations=TEXT), EVERYTHING, DEFAULT_TEXT, replace(DEFAULT_TEXT, columns="names"), ALL_OPERATIONS],
    ids=["blended", "mixed", "default", "step by names", "all operations"],
)
def test_the_selected_program_is_the_one_that_was_executed(config):
    """Executions forced to run random programs, read back; with all operations, of linked questions."""
    generator = np.random.default_rng(2)
    parameters = model_of(config).parameters
    met, every = set(), config is ALL_OPERATIONS
    for _ in range(60):
        table = random_table(generator, texts=True, everything=every)
        question, per_step = linked(table) if every else QUESTION, config.arguments == "step"
        program = random_program(generator, table, 4, per_step, config.operations, question)
        execution = execute_forced(parameters, config, forcing(program, table, config, question=question))
        found = selected_program(config, execution, question, table)
        for step, read in zip(program.steps, found.steps, strict=True):
            argument = step.argument
            if isinstance(argument, tuple) and config.arguments != "step":
                argument = tuple(text for text in distinct_texts(table) if text in argument)
            assert read == Step(step.operation, step.column, argument)
            met.add(step.operation)
    assert met == set(config.operations)


@CONFIGS
def test_the_exact_run_comes_to_what_the_network_came_to(config):
    """Of whatever program the network comes to; names of several words stand between numbers and words."""
    names = ("net sales", "city of sales", "A", "state")
    words = ["word:1", "word:2", "word:1", "lesser", "of"]
    vocabulary = Vocabulary.of([*VOCABULARY.words[1:], "net", "sales", "city", "state"])
    generator = np.random.default_rng(3)
    met = Counter()
    for seed in range(120):
        parameters = network.initial(config, len(vocabulary), np.random.default_rng(seed))
        model = Model(config, vocabulary, jax.tree.map(lambda array: 10 * array, parameters))
        texts = generator.choice(["word:1", "word:2", "word:3"], (2, 6))
        table = Table(names, (generator.integers(-9, 9, 6), texts[0], generator.integers(-9, 9, 6), texts[1]))
        parts = [*generator.choice(words, 4), *generator.choice(names, 3), "3", "-2"]
        asked = " ".join(["greater", *generator.permutation(parts)])
        trace = model.trace(asked, table)
        execution = execute(model.parameters, config, encode(parse(asked), table, vocabulary, config), HARD)
        if config.arguments == "step":
            assert len(trace.run.steps) == 4, "a column of another kind was chosen"
        results = zip(execution.trace.row_select, execution.trace.scalar_answer, strict=True)
        for step, exact, (rows, scalar) in zip(trace.program.steps, trace.run.steps, results, strict=False):
            np.testing.assert_array_equal(exact.row_select, rows > 0.5, err_msg=f"{asked}: {trace.program}")
            assert scalar == (exact.answer.scalar or 0.0)
            met[step.operation] += rows.any() or bool(scalar)
        if trace.answer.kind == "lookup":
            row, column = execution.lookup
            assert trace.answer.cells == tuple((int(r), names[np.argmax(column)]) for r in np.flatnonzero(row))
    assert min(met["greater"], met["lesser"]) > 3
    assert met["text match"] > 3 or not config.matches_text


NUMBERS = Table(("A", "B", "C"), tuple(np.array([[1.0, 20, 30], [-9, 0, 9], [4, 5, 6]])))


def test_a_trace_holds_the_program_its_run_and_the_numbers():
    trace = model_of(PLAIN).trace(ASKED, NUMBERS)
    assert trace.question == ASKED
    assert len(trace.program.steps) == PLAIN.program_steps
    assert set(trace.pivots) == {"greater", "lesser"}
    assert set(trace.pivots.values()) <= {12.5, -3.25}
    assert trace.answer == run(trace.program, NUMBERS).answer == model_of(PLAIN).answer(ASKED, NUMBERS)


def test_a_trace_with_arguments_at_every_step_has_no_pivots():
    """The numbers are those of the steps; of 100 models, some take different ones for the same comparison."""
    different = 0
    for seed in range(100):
        trace = model_of(DEFAULT, seed).trace(ASKED, NUMBERS)
        assert trace.pivots is None
        assert len(trace.program.steps) == DEFAULT.program_steps
        assert trace.answer == run(trace.program, NUMBERS).answer == model_of(DEFAULT, seed).answer(ASKED, NUMBERS)
        taken = {name: set() for name in ("greater", "lesser")}
        for step in trace.program.steps:
            if step.operation in taken:
                taken[step.operation].add(step.argument)
                assert step.argument in (12.5, -3.25)
        different += any(len(numbers) == 2 for numbers in taken.values())
    assert different > 0


def test_without_numbers_both_pivots_are_minus_one():
    table = Table(("A",), (np.array([1.0, 2.0]),))
    assert model_of(PLAIN).trace("sum A", table).pivots == {"greater": -1.0, "lesser": -1.0}


def test_without_numbers_comparisons_take_minus_one():
    table = Table(("A",), (np.array([1.0, 2.0]),))
    traces = [model_of(DEFAULT, seed).trace("sum A", table) for seed in range(20)]
    steps = [step for trace in traces for step in trace.program.steps if step.operation in ("greater", "lesser")]
    assert len(steps) > 5
    assert {step.argument for step in steps} == {-1.0}


def test_other_names_give_the_same_program_over_other_names():
    """By pointers: names and cells that the model never met, in table and question alike."""
    cells = np.array([["word:1", "Kyiv", "Oslo"], ["word:2", "word:1", "word:1"]])
    names = {"A": "net sales", "B": "Größe", "C": "lesser and", "D": "of"}
    table = Table(tuple(names), (*NUMBERS.columns[:2], *cells))
    renamed = Table(tuple(names.values()), table.columns)
    programs = set()
    for seed in range(20):
        model = model_of(DEFAULT_TEXT, seed)
        one = model.trace("greater 12.5 A lesser -3.25 B word:1 and C sum A", table)
        other = model.trace("greater 12.5 NET sales lesser -3.25 größe word:1 and lesser and sum net sales", renamed)
        assert one.program.steps == tuple(
            replace(step, column=next((old for old, new in names.items() if new == step.column), None))
            for step in other.program.steps
        )
        assert (one.answer.kind, one.answer.scalar, one.answer.values) == (
            other.answer.kind,
            other.answer.scalar,
            other.answer.values,
        )
        programs.add(str(one.program))
    assert len(programs) > 5


@CONFIGS
def test_a_table_without_rows(config):
    table = Table(("A", "B"), (np.zeros(0), np.zeros(0)))
    trace = model_of(config).trace(ASKED, table)
    assert isinstance(trace.program, Program)
    assert trace.answer.scalar in (None, 0.0)
    assert trace.answer.cells == ()


def test_an_unknown_word_is_named():
    with pytest.raises(NeuralProgrammerError, match="never met the word 'median'"):
        model_of(PLAIN).answer("median A", Table(("A",), (np.array([1.0]),)))


def test_a_truncated_file_is_refused(saved):
    whole = saved.read_bytes()
    for length in (1, 7, 8, 9, 100, len(whole) // 2, len(whole) - 1):
        saved.write_bytes(whole[:length])
        assert "is not a whole safetensors file" in refusal(saved)


@pytest.mark.parametrize("content", [b"", b"a model\n", b"{}", b"PK\x03\x04" + bytes(100)])
def test_a_file_of_another_kind_is_refused(saved, content):
    saved.write_bytes(content)
    assert "is not a whole safetensors file" in refusal(saved)


@pytest.mark.parametrize("metadata", [None, {"format": "pt"}])
def test_weights_of_another_program_are_refused(saved, metadata):
    saved.write_bytes(safetensors.numpy.save({"weight": np.zeros((2, 2), np.float32)}, metadata))
    assert "holds weights of some other program" in refusal(saved)


def test_weights_of_a_type_that_numpy_lacks_are_refused(saved):
    """As most language models have them; in a process of its own, for JAX teaches NumPy such types."""
    header = json.dumps({"weight": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}).encode()
    saved.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    assert "holds weights of some other program" in refusal_without_checks(saved)


def test_another_version_is_refused(saved):
    tamper(saved, version=2)
    assert "has format 2, and this program reads format 1" in refusal(saved)


def test_another_kind_of_model_is_refused(saved):
    tamper(saved, kind="transformer")
    assert refusal(saved).endswith("holds a 'transformer' model; this program knows neural-programmer, lstm")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"hidden": 16}, "'words' should have shape (17, 16) of float32 and has shape (17, 8) of float32"),
        ({"operations": TEXT}, "'operations' should have shape (10, 8) of float32 and has shape (9, 8) of float32"),
        ({"reader": "bidirectional"}, "'forward' should have shape (4, 12) of float32 and has shape (8, 16) of"),
        ({"attention": True}, "'attention' should have shape (8, 8) of float32 and is missing"),
        ({"arguments": "step"}, "'argument_selector' should have shape (8, 24) of float32 and is missing"),
        ({"hidden": 0}, "hidden must be 1 to 8,192, not 0"),
        ({"depth": 3}, "expected a configuration with"),
        (
            {"operations": ["sum", "mode"]},
            "this model uses the operation 'mode', which is not one of this program: give the file",
        ),
        ({"operations": ALL}, "arguments must be step beyond the paper's operations, not blended"),
    ],
)
def test_a_configuration_that_does_not_fit_its_weights_is_refused(saved, changes, expected):
    tamper(saved, config={**to_dict(PLAIN), **changes})
    assert expected in refusal(saved)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"reader": "transformer"}, "reader must be one of rnn, bidirectional, gated, not 'transformer'"),
        ({"arguments": "none"}, "arguments must be one of blended, mixed, step, not 'none'"),
        ({"columns": "colours"}, "columns must be one of names, pointers, linked, not 'colours'"),
        ({"hidden": "8"}, "hidden is misstated"),
        ({"hidden": 8.5}, "hidden is misstated"),
        ({"near": 5}, "expected a configuration with ['alike', 'like', 'parts'], and 5 came"),
        ({"near": {"like": "much"}}, "like is misstated in the configuration: 'much'"),
        ({"near": {"like": 2}}, "like must be -1 to 1, not 2"),
        (
            {"near": {"likes": 1}},
            "expected a configuration with ['alike', 'like', 'parts'], and ['alike', ",
        ),
        ({"candidates": {"most": 10**9}}, "most must be 1 to 1,000,000, not 1000000000"),
        ({"candidates": {"columns": []}}, "columns must be 1 to 100 numbers of 1 to 10,000, not ()"),
        ({"candidates": {"columns": [5, True]}}, "columns is misstated in the configuration: '[5, True]'"),
        ({"column_features": "first"}, "column_features is misstated in the configuration: 'first'"),
        ({"unsure": 1.5}, "unsure must be 0 to 1, not 1.5"),
        ({"contents": 0}, "contents must be 1 to 1,000, not 0"),
        ({"attention": 1}, "attention is misstated"),
        ({"hidden": None}, "hidden is misstated"),
        ({"operations": 5}, "operations is misstated in the configuration: '5'"),
        ({"operations": "sum"}, "operations is misstated in the configuration: 'sum'"),
        ({"operations": ["sum", 5]}, "operations is misstated"),
        ({"operations": None}, "operations is misstated"),
    ],
)
def test_a_setting_of_another_type_is_refused_where_annotations_are_not_checked(saved, changes, expected):
    """In a process of its own, as for a user: the tests check annotations at every call."""
    tamper(saved, config={**to_dict(PLAIN), **changes})
    said = refusal_without_checks(saved)
    assert expected in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("name", ["arguments", "columns", "operations"])
def test_a_configuration_that_lacks_a_setting_is_refused(saved, name):
    settings = dict(to_dict(PLAIN))
    del settings[name]
    tamper(saved, config=settings)
    assert "expected a configuration with" in refusal(saved)


def test_weights_of_the_default_network_do_not_fit_the_paper_history(tmp_path):
    """What is chosen at every step goes into the history, too."""
    model_of(DEFAULT).save(tmp_path / FILE)
    tamper(tmp_path / FILE, config={**to_dict(DEFAULT), "arguments": "mixed"})
    assert "'history' should have shape (8, 24) of float32 and has shape (8, 32) of" in refusal(tmp_path / FILE)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_that_are_no_numbers_are_refused(saved, value):
    arrays = safetensors.numpy.load_file(saved)
    tamper(saved, arrays | {"words": np.full_like(arrays["words"], value)})
    assert "the weights 'words' are damaged: some of them are no numbers" in refusal(saved)


@pytest.mark.parametrize("calibration", ["x", [], {}, -1, None, [1, "a"], [1, 2, 3]])
def test_a_calibration_that_is_none_is_refused(saved, calibration):
    tamper(saved, calibration=calibration)
    assert "the calibration is misstated" in refusal(saved)


@pytest.mark.parametrize("changes", [{"vocabulary": ["", "sum"]}, {"vocabulary": 17}, {"config": None}])
def test_a_description_that_does_not_fit_is_refused(saved, changes):
    tamper(saved, **changes)
    refusal(saved)


@pytest.mark.parametrize("part", ["config", "vocabulary", "trained"])
def test_a_description_that_lacks_a_part_is_refused(saved, part):
    with safetensors.safe_open(saved, framework="np") as file:
        description = json.loads(file.metadata()[FORMAT])
    del description[part]
    saved.write_bytes(safetensors.numpy.save(safetensors.numpy.load_file(saved), {FORMAT: json.dumps(description)}))
    assert f"lacks or misstates '{part}'" in refusal(saved)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "5",
        "null",
        "{}",
        "[]",
        '{"version": 1, "kind": []}',
    ],
)
def test_a_description_that_is_none_is_refused(saved, text):
    saved.write_bytes(safetensors.numpy.save(safetensors.numpy.load_file(saved), {FORMAT: text}))
    refusal(saved)


def test_an_extra_tensor_is_refused(saved):
    arrays = safetensors.numpy.load_file(saved)
    tamper(saved, arrays | {"bias": np.zeros(8, np.float32)})
    assert refusal(saved).endswith("the configuration has no place for the weights bias")


@pytest.mark.parametrize("name", ["words", "history"])
def test_a_missing_tensor_is_refused(saved, name):
    arrays = safetensors.numpy.load_file(saved)
    del arrays[name]
    tamper(saved, arrays)
    assert f"{name!r} should have shape" in refusal(saved)
    assert "is missing" in refusal(saved)


def test_a_tensor_of_another_type_is_refused(saved):
    arrays = safetensors.numpy.load_file(saved)
    tamper(saved, arrays | {"words": arrays["words"].astype(np.float64)})
    assert "has shape (17, 8) of float64" in refusal(saved)


def test_a_missing_path_and_a_folder_without_model_are_refused(tmp_path):
    assert refusal(tmp_path / "nothing").startswith(f"no model at {tmp_path / 'nothing'}: name a run's folder")
    assert refusal(tmp_path).startswith(f"no model at {tmp_path / FILE}: name a run's folder")


def test_a_model_that_comes_with_the_program_is_loaded_by_its_name(saved, tmp_path, monkeypatch):
    """Unless there is a path of that name."""
    monkeypatch.chdir(tmp_path)
    assert load("ask").config == load().config
    shutil.copy(saved, tmp_path / "ask")
    assert load("ask").config == load(saved).config != load().config


@pytest.mark.parametrize("config", [EVERYTHING, DEFAULT_TEXT], ids=["everything", "default with text"])
def test_a_model_loads_and_answers_without_jax(config, tmp_path):
    """In a process of its own where JAX cannot be imported, with the answer it has here."""
    model = model_of(config)
    model.save(tmp_path / FILE)
    said = without_checks(f"""
import numpy as np
from neural_programmer.tables.table import Rows, Table, is_date, is_text
from neural_programmer.questions.vectors import shipped
table = Table(("A", "B"), (np.array([1.5, 20.0]), np.array(["word:1", "word:2"])))
trace = neural_programmer.load({str(tmp_path)!r}).trace({ASKED!r}, table)
print(trace.program, trace.answer, sep="\\n")
""")
    table = Table(("A", "B"), (np.array([1.5, 20.0]), np.array(["word:1", "word:2"])))
    expected = model.trace(ASKED, table)
    assert said.splitlines() == [str(expected.program), str(expected.answer)]


# Questions as people write them: a program is decided on without the rows of the table.
BY_LINKS = NetworkConfig(hidden=8, program_steps=6, columns="linked", operations=ALL)
WITH_VECTORS = replace(BY_LINKS, vectors=shipped().dimensions)
DECIDING = pytest.mark.parametrize("config", [BY_LINKS, WITH_VECTORS], ids=["words", "vectors"])
PEOPLE = Table(
    ("name", "age", "born", "Paid"),
    (
        np.array(["Anna Smith", "Bob Rose", ""]),
        np.array([30.0, np.nan, 50.5]),
        np.array(["1990-05-01", "NaT", "2000-12-31"], "M8[D]"),
        np.array(["true", "false", "true"]),
    ),
)
QUESTIONS = (
    "how many people have an age over 30", "average age of Anna Smith", "who was born after 2000 or in May 1990",
    "names", "how many unpaid between 5 and 31 years", "the oldest one", "total", "Bob Rose and Anna Smith",
    "difference between the age of bob rose and anna smith",
)  # fmt: skip


def deciding(config, seed=0):
    words = Vocabulary.of(["how", "many", "people", "over", "average", "of", "name", "age", UNKNOWN, *PLACEHOLDERS])
    drawn = network.initial(config, len(words), np.random.default_rng(seed))
    return Model(config, words, jax.tree.map(lambda array: 10 * array, drawn), Trained("english", seed, 2))


@DECIDING
def test_a_decision_is_a_program_that_fits_its_table(config):
    """Without leading steps that select all rows; arguments are the question's, of the kind that their columns hold."""
    index = Index.of(PEOPLE)
    met = Counter()
    for seed, question in ((seed, question) for seed in range(12) for question in QUESTIONS):
        decision = deciding(config, seed).decide(question, index)
        assert isinstance(decision, Decision)
        steps = decision.program.steps
        linked_ = link(question, index)
        assert 1 <= len(steps) <= config.program_steps
        assert steps[0].operation != "reset" or len(steps) == 1
        for step in steps:
            met[step.operation] += 1
            if step.column is None:
                assert step.argument is None
                continue
            column = PEOPLE.column(step.column)
            if isinstance(step.argument, tuple):
                assert is_text(column)
                slot = PEOPLE.names.index(step.column)
                assert step.argument[0] in [each.texts.get(slot) for each in linked_.links]
            elif isinstance(step.argument, Period):
                assert is_date(column)
                assert step.argument in linked_.periods
            elif step.argument is not None:
                assert step.argument in linked_.numbers
        assert len(run(decision.program, PEOPLE).steps) == len(steps), "every step can act on its column"
        assert 0 < decision.confidence <= 1
        assert bool(decision.reason) == (steps[-1].operation == "decline")
    assert {"greatest", "assign"} <= set(met)
    assert config.vectors or met["decline"]
    assert any(met[name] for name in ("text match", "text other"))
    assert any(met[name] for name in ("greater", "equal", "at least"))


def test_a_decision_is_the_most_probable_program_and_the_others_follow():
    """The moves of decide.Beam by name, and their probabilities."""
    index = Index.of(PEOPLE)
    for seed, question in enumerate(QUESTIONS):
        model = deciding(WITH_VECTORS, seed)
        linked_ = link(question, index)
        example = encode_linked(linked_, index, model.vocabulary, WITH_VECTORS, shipped())
        found = search(model.parameters, model.config, example).best()
        decision = model.decide(question, index)
        programs = [str(Codec.of(WITH_VECTORS.entries, linked_).program(moves, linked_, index)) for moves, _ in found]
        assert [str(decision.program), *(str(program) for program, _ in decision.others)] == programs
        probabilities = [decision.confidence, *(probability for _, probability in decision.others)]
        np.testing.assert_allclose(probabilities, np.exp([log for _, log in found]), rtol=1e-5)
        assert probabilities == sorted(probabilities, reverse=True)


def test_moves_are_read_as_steps_with_the_arguments_of_the_question():
    """Numbers first, texts behind the place that is there even without numbers."""
    index = Index.of(PEOPLE)

    def program(question, *moves):
        numbered = np.array([[ALL.index(name), column, argument] for name, column, argument in moves])
        return str(Codec.of(BY_LINKS.entries, link(question, index)).program(numbered, link(question, index), index))

    asked = "age over 30 born in 1990 of Anna Smith that are paid"
    moves = [("reset", 0, 0), ("greater", 1, 0), ("equal", 2, 1), ("and", 0, 0), ("text match", 0, 2), ("and", 0, 0)]
    assert program(asked, *moves, ("sum", 1, 0)) == (
        "greater age 30.0; equal born 1990; and; text match name Anna Smith; and; sum age"
    )
    assert (
        program(asked, ("text other", 3, 3), ("reset", 0, 0), ("count", 0, 0)) == "text other Paid true; reset; count"
    )
    assert (
        program("count Bob Rose", ("reset", 0, 0), ("text match", 0, 1), ("count", 0, 0))
        == "text match name Bob Rose; count"
    )
    assert program("names", ("reset", 0, 0), ("reset", 0, 0)) == "reset"
    assert program("names", ("reset", 0, 0), ("decline", 0, 0)) == "decline"


@pytest.mark.parametrize("text", ["", "?!", "12 7", "x" * 20_000])
def test_what_cannot_be_read_is_refused_as_the_linker_does(text):
    index = Index.of(PEOPLE)
    with pytest.raises(NeuralProgrammerError) as expected:
        link(text, index)
    with pytest.raises(NeuralProgrammerError) as found:
        deciding(BY_LINKS).decide(text, index)
    assert str(found.value) == str(expected.value)


@DECIDING
def test_a_saved_model_decides_the_same(config, tmp_path):
    model = deciding(config, 3)
    model.save(tmp_path / FILE)
    loaded = load(tmp_path)
    decisions = [model.decide(question, Index.of(PEOPLE)) for question in QUESTIONS]
    assert [loaded.decide(question, Index.of(PEOPLE)) for question in QUESTIONS] == decisions
    assert len({str(decision.program) for decision in decisions}) > 1


@pytest.mark.parametrize("number", ["9" * 30, "9" * 50, "-" + "9" * 60])
def test_huge_numbers_are_no_reason_to_warn(number):
    decision = deciding(BY_LINKS).decide(f"how many people have an age over {number} or so", Index.of(PEOPLE))
    assert isinstance(decision.program, Program)
    assert 0 < decision.confidence <= 1


def test_a_model_decides_without_jax(tmp_path):
    """In a process of its own where JAX cannot be imported and a warning is an error."""
    model = deciding(WITH_VECTORS, 1)
    model.save(tmp_path / FILE)
    said = without_checks(f"""
import numpy as np
from neural_programmer.api import load
from neural_programmer.questions.index import Index
from neural_programmer.tables.table import Rows, Table
table = Table(("name", "age"), (np.array(["Anna Smith", "Bob Rose"]), np.array([30.0, 50.5])))
print(load({str(tmp_path)!r}).decide("average age of Anna Smith over 20", Index.of(table)).program)
""")
    table = Table(("name", "age"), (np.array(["Anna Smith", "Bob Rose"]), np.array([30.0, 50.5])))
    assert said.strip() == str(model.decide("average age of Anna Smith over 20", Index.of(table)).program)


@pytest.mark.parametrize("within", ["", "run"])
def test_what_is_no_file_is_no_model(within, tmp_path):
    """To open a pipe waits for whoever writes to it."""
    (tmp_path / within).mkdir(exist_ok=True)
    path = tmp_path / within / (FILE if within else "pipe")
    os.mkfifo(path)
    start = "import sys; from neural_programmer import load\n"
    start += "try: load(sys.argv[1])\nexcept Exception as error: print(error)"
    asked = [sys.executable, "-c", start, str(path.parent if within else path)]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=60)
    assert done.stdout == f"{path} is not a file; name a run's folder or its model.safetensors\n"

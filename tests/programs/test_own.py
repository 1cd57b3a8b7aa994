"""Operations of one's own: what they give, how they are found out to be wrong, and that nothing runs unasked."""

import json
import re
import subprocess
import sys
import threading
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from neural_programmer import api
from neural_programmer.answering import asking
from neural_programmer.answering.asking import IN_MEMORY, ask
from neural_programmer.answering.decision import Forced
from neural_programmer.answering.model import Model
from neural_programmer.cli import main, show
from neural_programmer.data.paper.settings import task
from neural_programmer.engines import duck
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.config import TrainingConfig
from neural_programmer.learning.learners import learner_of
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import UNKNOWN, Vocabulary
from neural_programmer.network.soft import ALL, maximum, minimum
from neural_programmer.programs import own
from neural_programmer.programs.expressions import Given
from neural_programmer.programs.frame import Frame
from neural_programmer.programs.interpreter import Interpreter
from neural_programmer.programs.operations import BUILT_IN, EVERY, named
from neural_programmer.programs.own import operation
from neural_programmer.programs.program import Program, Step, run
from neural_programmer.programs.state import below
from neural_programmer.programs.workers import each
from neural_programmer.questions.link import PLACEHOLDERS
from neural_programmer.tables.source import open_source
from neural_programmer.tables.table import Table
from own_operations import ABOVE_AVERAGE, DIFFERENT, MIDDLE, MINE, MY_OPS
from queries import Fake
from random_programs import VOCABULARY, execute_forced, forcing, linked, random_program, random_table

HEAD = "import time\nimport numpy as np\nfrom neural_programmer import operation\n"
TABLE = Table(
    ("price", "town", "day"),
    (
        np.array([4.0, 1.0, np.nan, 9.0, 9.0]),
        np.array(["Oslo", "Rome", "Oslo", "", "Bern"]),
        np.array(["2020-01-01", "NaT", "2020-01-01", "2021-05-05", "2022-01-01"], "M8[D]"),
    ),
)


@pytest.fixture
def write(tmp_path):
    def write(text, name="mine.py"):
        (tmp_path / name).write_text(HEAD + text)
        return tmp_path / name

    return write


def refused(path) -> str:
    with pytest.raises(NeuralProgrammerError) as error:
        own.load(path)
    return str(error.value)


def answer(*steps, table=TABLE, own=MINE):
    return run(Program(tuple(steps), own), table).answer


# What they give.


def test_the_operations_of_the_example():
    assert [entry.name for entry in own.load(MY_OPS)] == ["middle", "different", "above_average"]
    assert tuple(BUILT_IN) == EVERY, "those of one's own belong to those that they were given to"
    assert named(("sum", "middle"), MINE) == (BUILT_IN["sum"], MIDDLE)
    with pytest.raises(NeuralProgrammerError, match="unknown operation 'middle'; choose one of: sum, count"):
        named(("sum", "middle"))
    assert answer(Step("middle", "price")).scalar == 6.5
    assert answer(Step("text match", "town", ("Oslo",)), Step("middle", "price")).scalar == 4
    assert answer(Step("different", "price")).scalar == 3
    assert answer(Step("different", "town")).scalar == 3
    assert answer(Step("different", "day")).scalar == 3
    assert answer(Step("above_average", "price"), Step("assign", "town")).values == ("", "Bern")
    assert MIDDLE.about == "the median of a column over the selected rows"


def test_of_no_cells_the_function_is_not_asked():
    none = Step("greater", "price", 100.0)
    assert answer(none, Step("middle", "price")).reason == "there is nothing to take the middle price of"
    assert answer(none, Step("different", "town")).scalar == 0
    assert answer(none, Step("above_average", "price"), Step("count")).scalar == 0
    assert answer(Step("text match", "town", ("Oslo",)), Step("above_average", "price"), Step("count")).scalar == 0


def test_rows_are_of_the_selected_ones_and_conditions_of_all(write):
    mine = own.load(
        write(
            "@operation(column='number', updates='rows')\n"
            "def top_two(cells):\n    'the two greatest'\n    return cells >= np.sort(cells)[-2:][0]\n"
            "@operation(column='number', updates='rows', argument='number')\n"
            "def around(cells, number):\n    'not far from'\n    return abs(cells - number) <= 3\n"
            "@operation(column='text', updates='rows', argument='text')\n"
            "def ends_like(cells, texts):\n    'ends'\n"
            "    return np.isin([cell[-1] for cell in cells], [text[-1] for text in texts])\n"
        )
    )
    least = answer(Step("lesser", "price", 9.0), Step("top_two", "price"), Step("assign", "price"), own=mine)
    assert least.values == (4, 1)
    near = Step("around", "price", 4.0)
    assert answer(Step("greater", "price", 8.0), near, Step("assign", "price"), own=mine).values == (4, 1)
    assert answer(Step("ends_like", "town", ("Bergamo", "Rome")), Step("count"), own=mine).scalar == 3
    assert answer(Step("around", "town", 4.0), own=mine).reason.endswith(
        "needs a column of numbers, and column town holds text"
    )


@pytest.mark.parametrize("entry", MINE, ids=str)
def test_what_is_given_is_what_plain_python_gives(entry):
    generator = np.random.default_rng(0)
    for rows in (0, 1, 2, *[9] * 20):
        column = np.where(generator.random(rows) < 0.3, np.nan, generator.integers(-3, 4, rows).astype(float))
        selected = generator.random(rows) < 0.6
        there = [value for value, chosen in zip(column.tolist(), selected, strict=True) if chosen and value == value]
        frame = Frame([Table(("a",), (column,))])
        interpreter, node = Interpreter(frame, selected), entry.expression(below(frame.column("a"), rows=Given()))
        found = interpreter.rows(node) if entry is ABOVE_AVERAGE else interpreter.number(node)[0]
        if entry is MIDDLE:
            middle = sorted(there)[(len(there) - 1) // 2 : len(there) // 2 + 1]
            np.testing.assert_equal(found, sum(middle) / len(middle) if there else float("nan"))
        elif entry is DIFFERENT:
            assert found == len(set(there))
        else:
            mean = sum(there) / len(there) if there else 0
            kept = [c and v == v and v > mean + 1e-12 for v, c in zip(column.tolist(), selected, strict=True)]
            assert found.tolist() == kept


def test_the_operations_of_the_documentation(write):
    """They are what it says, and their SQL gives the same."""
    page = (MY_OPS.parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    [text] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    mine = own.load(write(text))
    assert [entry.name for entry in mine] == ["middle", "different", "above_average", "around"]
    with open_source({"a": [1.0, 4.0, None, 9.0, 30.0, 4.0]}) as source:
        for steps in (
            (Step("around", "a", 4.0), Step("assign", "a")),
            (Step("around", "a", 4.0), Step("above_average", "a"), Step("middle", "a")),
            (Step("above_average", "a"), Step("not"), Step("different", "a")),
        ):
            found, expected = (
                duck.answer(Program(steps, mine), source)[0],
                answer(*steps, table=source.table(), own=mine),
            )
            assert (found.kind, found.scalar, found.values) == (expected.kind, expected.scalar, expected.values)


def test_functions_of_python_are_given_as_they_are():
    @operation(column="number", about="the spread")
    def spread(cells):
        return np.ptp(cells)

    assert spread([1, 5]) == 4
    mine = own.given([spread, MY_OPS])
    assert own.given([MIDDLE]) == (MIDDLE,)
    assert [entry.name for entry in mine] == ["spread", "middle", "different", "above_average"]
    assert answer(Step("spread", "price"), own=mine).scalar == 8

    @operation(column="number", about="the same, mended")
    def spread(cells):
        return -np.ptp(cells)

    mended = own.given([spread])
    assert answer(Step("spread", "price"), own=mended).scalar == -8
    assert answer(Step("spread", "price"), own=mine).scalar == 8, "one does not know of the other"
    with pytest.raises(NeuralProgrammerError, match=r"is no operation; write @operation\(...\) before it"):
        own.given([len])


def test_a_file_that_changed_is_read_again(write):
    """And those that were read before stay what they are."""
    text = "@operation(column='number', sql='{}')\ndef mine(cells):\n    'mine'\n    return {}\n"
    steps = (Step("mine", "price"),)
    before = own.load(write(text.format("SUM", "sum(cells)")))
    after = own.load(write(text.format("MAX", "max(cells)")))
    with open_source({"price": [1.0, 3.0]}) as source:
        for mine, function, value in ((before, "SUM(", 4), (after, "MAX(", 3), (before, "SUM(", 4)):
            assert duck.answer(Program(steps, mine), source)[0].scalar == value
            found = ask(Fake({"q": steps}, own=mine), source, "q")
            assert found.scalar == value
            assert function in found.sql
            assert answer(*steps, table=source.table(), own=mine).scalar == value


def test_models_with_different_operations_of_one_name_live_together(write, tmp_path):
    text = "@operation(column='number')\ndef middle(cells):\n    'the middle'\n    return {}\n"
    files = write(text.format("np.median(cells)"), "one.py"), write(text.format("np.mean(cells)"), "two.py")
    for file in files:
        config = replace(CONFIG, program_steps=1).plus(own=own.load(file))
        model_of(config=config).save(tmp_path / f"{file.stem}.safetensors")
    one, two = (api.load(tmp_path / f"{file.stem}.safetensors", [file]) for file in files)
    cells = {"price": [1.0, 2.0, 9.0]}
    for model, value in ((one, 2), (two, 4), (one, 2)):
        assert model.think(cells, "price", forced=[Forced("middle", "price")]).answer.scalar == value


def rules(entries, _):
    return [[(entry.name, entry.own.apply(np.array([1.0, 5.0, 9.0]), np.ones(3, bool))) for entry in entries]]


def test_other_processes_run_the_operations_of_files():
    """What was given as a function is known here alone, so that all is done here."""
    found = list(each(partial(rules, own.load(MY_OPS)), [1, 2]))
    assert [dict(pairs)["middle"] for pairs in found] == [5, 5]

    @operation(column="number", about="how many")
    def number(cells):
        return len(cells)

    assert list(each(partial(rules, own.given([number])), [1, 2])) == [[("number", 3)]] * 2


def test_work_that_another_process_cannot_unpack_ends_with_a_sentence(write):
    """A file that is gone, or that no longer defines the operation, when a process is to run it."""
    text = "@operation(column='number')\ndef {}(cells):\n    'some'\n    return 1\n"
    path = write(text.format("mine"))
    work = partial(rules, own.load(path))
    write(text.format("other"))
    with pytest.raises(
        NeuralProgrammerError, match=r"mine\.py no longer defines the operation 'mine'; leave it as it was"
    ):
        list(each(work, [1, 2]))
    path.unlink()
    with pytest.raises(NeuralProgrammerError, match="no file of operations at"):
        list(each(work, [1, 2]))


def test_a_file_is_read_by_itself(write, tmp_path, monkeypatch):
    """Given twice it is one; what it imports is its own too, each time; what others define meanwhile is not."""
    text = "@operation(column='number')\ndef mine(cells):\n    'some'\n    return 1\n"
    path = write("import time\ntime.sleep(0.2)\n" + text)
    assert [entry.name for entry in own.given([path, str(path)])] == ["mine"]
    found = []
    thread = threading.Thread(target=lambda: found.extend(own.load(path)))
    thread.start()

    @operation(column="number", about="of another thread")
    def other(cells):
        return 1

    thread.join(30)
    assert [entry.name for entry in found] == ["mine"]
    write(text, "their_operations.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    path = write("from their_operations import mine\n", "imports.py")
    for _ in range(2):
        assert [entry.name for entry in own.load(path)] == ["mine"]


# What is wrong with them.

SAYS = "    'what it gives'\n"


def op(given, body="return 1", head="def f(cells):"):
    """Four lines of a file, from line 4 on."""
    return f"@operation({given})\n{head}\n{SAYS}    {body}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "mine.py defines no operation; write @operation(...) before a function of it"),
        ("def f(:\n", "mine.py, line 4, is not Python: invalid syntax"),
        ("x = 1 / 0\n", "mine.py, line 4 raised ZeroDivisionError: division by zero; mend it"),
        ("raise SystemExit(3)\n", "mine.py, line 4 raised SystemExit: 3"),
        ("import nowhere_to_be_found\n", "mine.py, line 4 raised ModuleNotFoundError: No module named"),
        (op("column='number'", head="def average(cells):"), "'average' (mine.py, line 4) has the name of a built-in"),
        (op("column='number'", head="def first(cells):"), "'first' (mine.py, line 4) has the name of a built-in"),
        (op("column='none'"), "unknown column 'none'; choose one of: number, ordered, text, any"),
        (op("column='any', updates='cells'"), "unknown updates 'cells'; choose one of: scalar, rows"),
        (
            op("column='any', updates='rows', argument='text'"),
            "takes a text, so it must have updates='rows'",
        ),
        (op("column='number', argument='number'"), "so it must have updates='rows' and column='number', not 'scalar'"),
        ("@operation(column='any')\ndef f(cells):\n    return 1\n", "does not say what it gives; say it in its docst"),
        (op("column='number', sql='MED(IAN'"), "sql must be the name of an aggregate, such as MEDIAN"),
        (op("column='number', updates='rows', sql='MEDIAN'"), "sql must be the name of an aggregate"),
        ("f = operation(column='any')(lambda cells: 1)\n", "needs a name of at most 40 letters; define it with def"),
        (op("column='any'", head=f"def {'f' * 41}(cells):"), "needs a name of at most 40 letters"),
        ("operation(column='number')(np.median)\n", "is no plain function; write it with def, below @operation(...)"),
        (op("column='any'", head="def f():"), "the operation 'f' (mine.py, line 4) raised TypeError: f() takes 0"),
        (
            op("column='any'", "return [][0]"),
            "'f' (mine.py, line 4) raised IndexError: list index out of range in line",
        ),
        (op("column='number'", "return cells"), "should give a number, and gave float64 of shape (1,); mend it"),
        (op("column='number'", "return 'a'"), "should give a number, and gave 'a'; mend it"),
        (op("column='number'", "return None"), "should give a number, and gave None"),
        (
            op("column='number', updates='rows'", "return cells[:1] > 0"),
            "a truth for each of 5 cells, and gave bool",
        ),
        (
            op("column='any', updates='rows'", "return cells"),
            "a truth for each of 1 cells, and gave float64",
        ),
        (op("column='any'", "return float(cells.sum())"), "raised UFuncTypeError"),
        (op("column='any', sql=lambda q: 1 / 0"), "the SQL of the operation 'f' (mine.py, line 4) raised ZeroDivision"),
        (op("column='any', sql=lambda q: 'MEDIAN'"), "should be an expression of sqlglot, not 'MEDIAN'"),
        (
            op("column='number'") * 2,
            "'f' is defined twice, in mine.py, line 4 and in mine.py, line 8; give one",
        ),
        (
            op("column='text', updates='rows', argument='text', soft=max", head="def f(c, t):"),
            "takes a text, for which there is no soft definition",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(write, text, said):
    found = refused(write(text))
    assert said in found
    assert "\n" not in found


def test_what_is_of_another_type_is_refused_where_annotations_are_not_checked(write):
    """In a process of its own, as for a user: the tests check annotations at every call."""
    cases = {
        "column='colour'": "unknown column 'colour'; choose one of: number, ordered, text, any",
        "column='any', argument='date'": "unknown argument 'date'; choose one of: none, number, text",
        "column='number', sql=5": "sql must be the name of an aggregate",
        "column='number', soft=5": "soft must be a function, not 5",
        "column='number', of_nothing='0'": "of_nothing must be a number, not '0'",
    }
    paths = [write(f"@operation({given})\ndef f(cells):\n{SAYS}", f"{n}.py") for n, given in enumerate(cases)]
    code = (
        "import sys\nfrom neural_programmer import errors\nfrom neural_programmer.programs import own\n"
        "for path in sys.argv[1:]:\n"
        "    try: own.load(path)\n    except errors.NeuralProgrammerError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code, *map(str, paths)], capture_output=True, text=True, check=True)
    for said, expected in zip(done.stdout.splitlines(), cases.values(), strict=True):
        assert expected in said


def test_files_that_are_none(tmp_path):
    for path in (tmp_path, tmp_path / "nowhere.py"):
        assert refused(path) == f"no file of operations at {path}; name a Python file that defines some"
    (tmp_path / "bytes.py").write_bytes(b"\xff\x00")
    assert "bytes.py" in refused(tmp_path / "bytes.py")


def test_two_files_with_the_same_name_for_an_operation(write):
    text = f"@operation(column='number')\ndef f(cells):\n{SAYS}    return 1\n"
    files = write(text, "one.py"), write(text, "two.py")
    with pytest.raises(NeuralProgrammerError, match=r"'f' is defined twice, in one.py, line 4 and in two.py, line 4"):
        own.given(files)
    for file in files:
        assert [entry.name for entry in own.given([file])] == ["f"]


@pytest.mark.parametrize("waits", ["time.sleep(3)", "while time.monotonic() < END: pass"])
def test_what_does_not_come_to_an_end(write, monkeypatch, waits):
    monkeypatch.setattr(own, "SECONDS", 0.3)
    path = write("END = time.monotonic() + 3\n" + op("column='number'", waits))
    expected = "the operation 'f' (mine.py, line 5) did not come to an end within 0.3 seconds; mend it"
    assert refused(path) == expected
    said = []
    thread = threading.Thread(target=lambda: said.append(refused(path)))  # in any thread
    thread.start()
    thread.join(30)
    assert said == [expected]


def test_a_file_that_does_not_come_to_an_end(write, monkeypatch):
    monkeypatch.setattr(own, "LOADING", 0.3)
    assert refused(write("time.sleep(3)\n")).endswith("mine.py did not come to an end within 0.3 seconds; mend it")


def test_what_goes_wrong_on_some_cells_only(write):
    """It is said when it happens."""
    path = write(f"@operation(column='number')\ndef picky(cells):\n{SAYS}    return 1 / (float(cells.sum()) - 7)\n")
    mine = own.load(path)
    with pytest.raises(NeuralProgrammerError, match=r"'picky' \(mine.py, line 4\) raised ZeroDivisionError.*in line 7"):
        answer(Step("picky", "price"), table=Table(("price",), (np.array([3.0, 4.0]),)), own=mine)
    asked = Table(("price",), (np.array([3.0, 5.0]),))
    assert answer(Step("picky", "price"), table=asked, own=mine).scalar == 1


# Models that need them.

CONFIG = NetworkConfig(hidden=8, program_steps=3, columns="linked", operations=ALL)


def model_of(*entries, config=CONFIG) -> Model:
    config = config.plus(own=entries)
    words = Vocabulary.of([*PLACEHOLDERS, UNKNOWN])
    return Model(config, words, network.initial(config, len(words), np.random.default_rng(0)))


def test_a_model_needs_its_operations_and_never_brings_their_code(write, tmp_path):
    ran = tmp_path / "ran"
    path = write(f"import pathlib\npathlib.Path({str(ran)!r}).touch()\n" + MY_OPS.read_text())
    model_of(*[entry for entry in own.load(path) if entry.name != "different"]).save(tmp_path / "model.safetensors")
    ran.unlink()
    said = (
        f"{tmp_path / 'model.safetensors'}: this model uses the operation 'middle', which is not one of this program: "
        "give the file that defines it with --operations"
    )
    with pytest.raises(NeuralProgrammerError) as error:
        api.load(tmp_path / "model.safetensors")
    assert str(error.value) == said
    assert not ran.exists()
    loaded = api.load(tmp_path / "model.safetensors", [path])
    assert loaded.config.operations == (*ALL, "middle", "above_average")
    assert ran.exists()


def test_the_command_line_says_what_is_missing(write, tmp_path, capsys):
    model_of(MIDDLE).save(tmp_path / "model.safetensors")
    (tmp_path / "t.csv").write_text("price\n1\n2\n")
    asked = ["ask", str(tmp_path / "t.csv"), "sum price", "--model", str(tmp_path / "model.safetensors")]
    for more, said in (
        ([], "this model uses the operation 'middle', which is not one of this program"),
        (["--operations", str(tmp_path / "no.py")], "no file of operations at"),
        (["--operations", str(write("x = 1 / 0\n"))], "mine.py, line 4 raised ZeroDivisionError"),
    ):
        with pytest.raises(SystemExit) as left:
            main([*asked, *more])
        assert left.value.code == 2
        shown = capsys.readouterr()
        assert said in shown.err
        assert len(shown.err.splitlines()) == 1
    main([*asked, "--operations", str(MY_OPS), "--json"])
    assert json.loads(capsys.readouterr().out)["question"] == "sum price"


def test_training_that_cannot_use_them_is_refused_before_anything_is_written(tmp_path, capsys):
    for more, said in (
        ([], "the operation 'middle' (my_ops.py, line 8) has no soft definition, which this way of training"),
        (["--model", "lstm"], "an LSTM selects no operations; leave out --operations"),
    ):
        asked = [
            "train",
            "--task",
            "single-column-scalars",
            "--operations",
            str(MY_OPS),
            "--out",
            str(tmp_path / "run"),
        ]
        with pytest.raises(SystemExit) as left:
            main([*asked, *more])
        assert left.value.code == 2
        assert said in capsys.readouterr().err
        assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return [[1], [1, 2]]", "raised ValueError"),
        ("raise type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})()", "raised Odd in line 7"),
        ("raise type('Rude', (BaseException,), {})('leave me')", "raised Rude: leave me"),
    ],
)
def test_whatever_they_do_is_said_in_a_sentence(write, body, said):
    assert said in refused(write(f"@operation(column='number')\ndef odd(cells):\n{SAYS}    {body}\n"))


# SQL.


def test_without_sql_small_tables_are_answered_and_large_ones_refused(write, monkeypatch, capsys):
    mine = own.load(write(f"@operation(column='number')\ndef final(cells):\n{SAYS}    return cells[-1]\n"))
    model = Fake({"q": (Step("final", "a"),)}, own=mine)
    with open_source({"a": [1.0, 2.0]}) as source:
        found = ask(model, source, "q")
        assert (found.scalar, found.sql, found.cells) == (2, "", ((0, "a"), (1, "a")))
        show.answer(replace(found, confidence=0.9))
        assert "that there is none" not in capsys.readouterr().out
    assert IN_MEMORY > 2
    monkeypatch.setattr(asking, "IN_MEMORY", 1)
    said = r"the operation 'final' \(mine.py, line 4\) has no SQL, so that it answers small tables alone: give it one"
    with open_source({"a": [1.0, 2.0]}) as source, pytest.raises(NeuralProgrammerError, match=said):
        ask(model, source, "q")


def test_large_tables_are_answered_with_sql(write, monkeypatch):
    mine = own.load(
        write(
            "@operation(column='number', sql=lambda q: q.aggregate('MAX', q.column, q.row_select_1)"
            " / q.aggregate('MIN', q.column, q.row_select_1))\n"
            f"def ratio(cells):\n{SAYS}    return cells.max() / cells.min()\n"
        )
    )
    program = (Step("greater", "a", 1.0), Step("ratio", "a"))
    model = Fake({"q": program}, own=mine)
    with open_source({"a": [1.0, 2.0, 5.0, None]}) as source:
        assert ask(model, source, "q").scalar == 2.5
        assert duck.answer(Program(program, mine), source)[0].scalar == 2.5


def test_the_unit_is_that_of_numbers():
    model = Fake({"middle": (Step("middle", "price"),), "different": (Step("different", "price"),)}, own=MINE)
    with open_source({"price": ["$4", "$6", "$6"]}) as source:
        assert str(ask(model, source, "middle")) == "$6"
        assert str(ask(model, source, "different")).strip() == "2"


# Soft definitions.


def test_without_a_soft_definition_training_that_needs_one_is_refused():
    chosen = task("single-column")
    config = chosen.network.plus(own=[MIDDLE])
    for objective in ("soft", "marginal"):
        with pytest.raises(NeuralProgrammerError, match=r"'middle' \(my_ops.py, line 8\) has no soft definition"):
            learner_of(chosen, config, TrainingConfig(), objective)


def test_built_in_operations_without_one_are_to_be_left_out():
    chosen = task("single-column")
    said = "the operation 'whether' has no soft definition, which this way of training computes with: leave it out"
    for objective in ("soft", "marginal"):
        with pytest.raises(NeuralProgrammerError) as error:
            learner_of(chosen, chosen.network.plus(("whether",)), TrainingConfig(), objective)
        assert str(error.value) == said


def test_soft_definitions_with_hard_selections_give_what_the_interpreter_gives():
    """A scalar of one's own, and a condition; and those that have none leave the others as they are."""

    @operation(
        column="number",
        about="greatest less least",
        soft=lambda memory, column, argument: maximum(memory, column, None) - minimum(memory, column, None),
    )
    def spread(cells):
        return np.ptp(cells)

    @operation(
        column="number", updates="rows", argument="number", about="near", soft=lambda cell, n: abs(cell - n) <= 20
    )
    def around(cells, number):
        return abs(cells - number) <= 20

    mine = own.given([spread, around])
    config = NetworkConfig(hidden=8).plus(ALL, [*mine, MIDDLE])
    parameters = network.initial(config, len(VOCABULARY), np.random.default_rng(0))
    generator = np.random.default_rng(4)
    met = set()
    for _ in range(80):
        table = random_table(generator, texts=True, everything=True)
        question = linked(table)
        program = random_program(generator, table, 4, per_step=True, operations=ALL, question=question, own=mine)
        expected = run(program, table)
        execution = execute_forced(parameters, config, forcing(program, table, config, question=question))
        for row_select, step in zip(execution.trace.row_select, expected.steps, strict=True):
            np.testing.assert_array_equal(row_select[: table.rows], step.row_select)
        if expected.answer.kind == "scalar":
            np.testing.assert_allclose(execution.scalar_answer, expected.answer.scalar, rtol=1e-4, atol=1e-3)
        met |= {step.operation for step in program.steps}
    assert met >= {"spread", "around"}


def test_a_network_is_not_given_an_operation_twice():
    assert CONFIG.plus(own=[MIDDLE]).plus(("middle", "sum"), [MIDDLE]).operations == (*ALL, "middle")
    assert CONFIG.plus(()) is CONFIG
    with pytest.raises(NeuralProgrammerError, match="an operation stands twice among sum, sum"):
        replace(CONFIG, operations=("sum", "sum"))

"""Each room of the package imports only from those above it, and no two modules import each other."""

import importlib.util
import re
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

from rooms import IMPORTED, MODULES, level_of

ROOT = Path(__file__).parent.parent
SPEC = importlib.util.spec_from_file_location("drawing", ROOT / "scripts" / "rooms.py")


@pytest.mark.parametrize("module", MODULES)
def test_nothing_is_imported_from_a_room_below(module):
    below = {name for name in IMPORTED[module] if level_of(name) > level_of(module)}
    assert not below, f"{module} imports {', '.join(sorted(below))}"


def test_no_modules_import_each_other():
    try:
        TopologicalSorter(IMPORTED).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))


def test_the_picture_of_the_rooms_is_that_of_the_code():
    drawing = importlib.util.module_from_spec(SPEC)
    SPEC.loader.exec_module(drawing)
    kept = drawing.PICTURE.read_text(encoding="utf-8")
    assert kept == drawing.picture(drawing.rooms_imported()), "draw it again: python scripts/rooms.py"


def test_an_import_that_is_reached_through_another_has_no_arrow():
    drawing = importlib.util.module_from_spec(SPEC)
    SPEC.loader.exec_module(drawing)
    imports = {0: set(), 1: {0}, 2: {0, 1}, 3: {0, 2}}
    assert drawing.arrows(imports) == [(1, 0), (2, 1), (3, 2)]
    assert drawing.picture(imports) != drawing.picture({**imports, 3: {2}})  # the table beside the arrows has it


def test_the_functions_of_the_two_walks_are_there():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    walks = page.partition("## Two walks")[2].partition("\n## ")[0]
    hops = re.findall(r"^\| (\d+) \| (.*?) \|", walks, re.MULTILINE)
    assert [int(number) for number, _ in hops] == [*range(1, 12), *range(1, 11)]
    named = re.findall(r"`((?:\w+\.)+\w+)`", walks.replace("`tests/test_rooms.py`", "").replace("`runs/mine`", ""))
    for name in named:
        if name.endswith((".csv", ".jsonl")):
            continue
        module = max((each for each in MODULES if f"{name}.".startswith(f"{each}.") and each), key=len)
        found = import_module(f"neural_programmer.{module}")
        for part in name.removeprefix(module).strip(".").split("."):
            found = getattr(found, part)

"""Each room of the package imports only from those above it, and no two modules import each other."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "neural_programmer"
ROOMS = (  # from the ground up; what is on one level may not import each other's files in a circle either
    ["errors"],
    *(
        [room]
        for room in "base tables questions programs candidates network engines answering data learning paper".split()
    ),
    ["front", "api", ""],
    ["page"],
    ["cli", "__main__"],
)
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").rstrip(".")


MODULES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imported(path: Path) -> set[str]:
    """The modules that a file imports, in its functions too; what is imported for annotations alone is left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hints = {
        node
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
        for node in ast.walk(branch)
    }
    found = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.ImportFrom)
            and node not in hints
            and (node.module or "").startswith("neural_programmer")
        ):
            base = (node.module or "").removeprefix("neural_programmer").lstrip(".")
            names = {f"{base}.{alias.name}".lstrip(".") for alias in node.names}
            found |= {name if name in MODULES else base for name in names}
        elif isinstance(node, ast.Import) and node not in hints:
            names = {alias.name for alias in node.names if alias.name.split(".")[0] == "neural_programmer"}
            found |= {name.removeprefix("neural_programmer").lstrip(".") for name in names}
    return found & set(MODULES)


IMPORTED = {module: imported(path) for module, path in MODULES.items()}


@pytest.mark.parametrize("module", MODULES)
def test_nothing_is_imported_from_a_room_below(module):
    level = LEVEL[module.split(".")[0]]
    below = {name for name in IMPORTED[module] if LEVEL[name.split(".")[0]] > level}
    assert not below, f"{module} imports {', '.join(sorted(below))}"


def test_no_modules_import_each_other():
    try:
        TopologicalSorter(IMPORTED).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))

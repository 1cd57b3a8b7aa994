"""The rooms of the package and what each file imports, read from the source; scripts/rooms.py draws them."""

import ast
from pathlib import Path

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
    """Return the name of a file's module within the package: tables.source, and nothing for the package itself."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").rstrip(".")


MODULES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, in its functions too; imports for annotations alone are left out."""
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


def level_of(module: str) -> int:
    """Return the level of the room that a module is in."""
    return LEVEL[module.split(".")[0]]

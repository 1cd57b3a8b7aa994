"""What the documentation says is so: files, links, the first answer of README.md, the questions of the demo."""

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from neural_programmer.cli import main

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "neural_programmer"


def test_every_file_of_the_package_is_in_the_documentation():
    said = set(re.findall(r"`([\w/]+(?:\.py|/))`", (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")))
    there = {str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py") if path.name != "__init__.py"}
    folders = {name for name in said if name.endswith("/") and name.count("/") > 1}
    assert {name for name in there if name not in said and not any(name.startswith(f) for f in folders)} == set()
    assert {
        name
        for name in said
        if name.endswith(".py") and not name.startswith("tests/") and not name.endswith("__init__.py")
    } <= there


def test_what_the_paper_is_computed_by_is_there():
    rows = re.findall(r"^\|.*\|.*\|(.*)\|$", (ROOT / "docs" / "paper.md").read_text(encoding="utf-8"), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`((?:\w+\.)+\w+)`", row) if not name.endswith(".py")}
    assert len(named) > 15
    for name in named:
        room, module, *parts = name.split(".")
        found = import_module(f"neural_programmer.{room}.{module}")
        for part in parts:
            found = getattr(found, part)


DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "MODEL_CARD.md", "CONTRIBUTING.md")),
    *(path for path in (ROOT / "docs").glob("*.md") if path.name != "log.md"),  # which tells what was
    ROOT / "data" / "written" / "README.md",
    *ROOT.glob("examples/*/README.md"),
]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_files_that_are_named_are_there(document):
    text = document.read_text(encoding="utf-8")
    links = {link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link}
    assert not {link for link in links if link and not (document.parent / link).exists()}
    named = set(re.findall(r"`([\w/]+/[\w/]+\.py)`", text))
    assert not {name for name in named if not any((root / name).exists() for root in (ROOT, PACKAGE))}


def test_the_first_answer_of_the_readme_is_what_the_command_says(capsys, monkeypatch):
    """On the first screen, with its output; and no page of text before it."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 150
    start = next(place for place, line in enumerate(lines) if line.startswith("$ neural-programmer ask"))
    output = lines[start + 1 : lines.index("```", start)]
    assert start + len(output) < 30
    assert said(lines[start], capsys, monkeypatch) == output


def test_the_questions_of_the_demo_are_answered(capsys, monkeypatch):
    commands = re.findall(r"^\t\$\(BIN\)/(neural-programmer ask .*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    answers = [["3"], ["K2"], ["Cho Oyu", "Broad Peak", "Gasherbrum II"]]
    for command, answer in zip(commands, answers, strict=True):
        lines = said(command, capsys, monkeypatch)
        assert lines[: len(answer)] == answer
        assert "SELECT" in lines


def said(command, capsys, monkeypatch):
    """What a command prints, line by line, where it is given in the folder of the repository."""
    monkeypatch.chdir(ROOT)
    main(shlex.split(command.removeprefix("$ "))[1:])
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]

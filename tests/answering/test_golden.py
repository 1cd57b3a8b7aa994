"""What the models decide is what was kept, on a sample; scripts/golden.py compares all of it and tells what changed."""

import importlib.util
import re
from dataclasses import replace
from pathlib import Path

import pytest

from neural_programmer.learning.questions import measured
from neural_programmer.programs.operations import BUILT_IN
from wikitable_files import there

ROOT = Path(__file__).parent.parent.parent
SPEC = importlib.util.spec_from_file_location("golden", ROOT / "scripts" / "golden.py")
golden = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(golden)

ONE_OF = {"soft/single-column": 20}  # test sets; else questions
QUESTIONS = 50
DECIDED = golden.Decided("a", "count", 3, 0.9, "", True)


PARTS = [pytest.param(part, marks=there) if part.endswith("/wikitablequestions") else part for part in golden.parts()]


@pytest.mark.parametrize("part", PARTS)
def test_a_sample_is_decided_as_it_was(part):
    """Where a change is meant: look at all of it (golden.py compare), then keep what is decided now (record)."""
    changes, count = golden.changes(part, ONE_OF.get(part, QUESTIONS))
    assert count > 3
    assert not changes, "\n".join(map(golden.told, changes))


def test_every_development_question_is_kept_and_none_that_is_held_out():
    assert not any("test" in part for part in golden.parts())
    for part in golden.parts():
        head, found = golden.kept(part)
        assert len(head["commit"]) == 12, "recorded with changes that are not committed"
        folder = golden.QUESTIONS / part.split("/")[1]
        if folder.is_dir():
            assert found.keys() == {one["id"] for one in measured(folder)}
        else:
            assert len(found) in (500, 460)


def test_nothing_of_the_texts_of_wikitablequestions_is_kept():
    operations = "|".join(sorted(map(re.escape, BUILT_IN), key=len, reverse=True))
    argument = r"#[0-9a-f]{8}( or #[0-9a-f]{8})*|-?[\d.e+-]+|nothing"
    step = re.compile(rf"({operations})( column \d+)?( ({argument}))?")
    for part in golden.parts():
        if part.endswith("/wikitablequestions"):
            for one in golden.kept(part)[1].values():
                assert all(step.fullmatch(said) for said in one.program.split("; ")), one.program
                assert re.fullmatch(r"(#[0-9a-f]{8})?", one.reason)
                said = one.answer["rows"] if isinstance(one.answer, dict) else one.answer
                assert not isinstance(said, str) or re.fullmatch(r"(\d+ values, )?#[0-9a-f]{8}", said)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, None),
        ({"confidence": 0.90009}, None),
        ({"answer": 3.0000000000001}, None),
        ({"confidence": 0.9002}, "less or more sure"),
        ({"answer": 4}, "changed"),
        ({"answer": [3]}, "changed"),
        ({"program": "sum A"}, "changed"),
        ({"reason": "why"}, "changed"),
        ({"answer": 4, "right": False}, "lost"),
    ],
)
def test_what_changed_is_told(monkeypatch, capsys, changes, kind):
    before, now = DECIDED, replace(DECIDED, **changes)
    for one, other, expected in ((before, now, kind), (now, before, {"lost": "gained"}.get(kind, kind))):
        monkeypatch.setattr(golden, "kept", lambda part, one=one: ({"commit": "abc"}, {"a": one}))
        monkeypatch.setattr(golden, "decided", lambda part, every, other=other: iter([(other, "how many?")]))
        assert golden.compare(["some/part"]) is (expected is None)
        said = capsys.readouterr().out
        right = f"right {int(one.right)} at abc, {int(other.right)} now"
        assert f"some/part: 1 asked, {right}; {int(expected is not None)} differ" in said
        assert expected is None or f"  {expected}: a how many?" in said
        assert expected is None or f"1 {expected}" in said.splitlines()[-1]

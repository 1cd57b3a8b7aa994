"""The example of one's own operations as its README tells it: from answers alone to answers that use them."""

import json
import re
import shlex

import pytest

from neural_programmer.cli import main
from own_operations import EXAMPLE


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """The commands of the README, in its folder, with a run elsewhere."""
    monkeypatch.chdir(EXAMPLE)
    found = re.findall(r"^    neural-programmer (.*)$", (EXAMPLE / "README.md").read_text(), re.MULTILINE)
    return [[str(tmp_path / "run") if word == "runs/own" else word for word in shlex.split(each)] for each in found]


@pytest.mark.slow
def test_a_model_learns_to_use_them(commands, capsys):
    fit, ask = commands
    main([*fit, "--json"])
    report = json.loads(capsys.readouterr().out)
    assert report["wrong"] == {"train": [], "validation": []}
    assert report["uncovered"] == []
    main([*ask, "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["answer"] == 46
    assert [step["operation"] for step in answer["program"]] == ["text match", "middle"]
    assert (
        answer["sql"].split()
        == 'SELECT MEDIAN("bottles") AS answer FROM "wines.csv" WHERE "region" = \'Rioja\''.split()
    )
    main(["ask", "wines.csv", "which wine has bottles above average", *ask[3:], "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert sorted(answer["answer"]) == ["Alba", "Brava", "Dorado", "Hiedra", "Jara"]
    assert [step["operation"] for step in answer["program"]] == ["above_average", "assign"]
    with pytest.raises(SystemExit) as left:
        main(ask[:5])
    assert left.value.code == 2
    assert "this model uses the operation 'middle', which is not one of this program" in capsys.readouterr().err

"""The page of results: every section from planted results, numbers never rounded up, pictures that are pictures."""

import json
import re
from pathlib import Path

import pytest

from neural_programmer import api
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.evaluation import percent
from neural_programmer.paper.report import check_page, read, write_report


def planted(name, task, accuracies, model="NetworkConfig", **more):
    """A result as `measure` writes it, with these accuracies on a thousand questions."""
    curve = [
        {"step": 100, "seconds": 5.0, "loss": [1.0] * len(accuracies), "accuracy": [0.5] * len(accuracies)},
        {"step": 200, "seconds": 9.0, "loss": [0.5] * len(accuracies), "accuracy": accuracies},
    ]
    restarts = [
        {
            "accuracy": accuracy,
            "wrong": round(1000 * (1 - accuracy)),
            "seen": accuracy,
            "unseen": None,
            "validation": accuracy,
            "steps_to_100": 200 if accuracy == 1 else None,
            "seconds_to_100": 9.0 if accuracy == 1 else None,
        }
        for accuracy in accuracies
    ]
    return {
        "experiment": name,
        "circumstances": {"devices": ["cpu"], "cpu_cores": 2},
        "task": task,
        "model": model,
        "network": {"heads": 5, "table_first": True},
        "test_questions": 1000,
        "at_100": sum(accuracy == 1 for accuracy in accuracies),
        "restarts": restarts,
        "curve": curve,
        "failing": [],
        "ranges": {},
        "seconds": 12.0,
        "memory_mb": 900,
        **more,
    }


def page_of(tmp_path, *results):
    for result in results:
        (tmp_path / f"{result['experiment']}.json").write_text(json.dumps(result))
    write_report(tmp_path, tmp_path / "docs" / "page.md")
    return (tmp_path / "docs" / "page.md").read_text()


def test_nothing_is_rounded_up_to_100():
    assert [percent(value) for value in (1.0, 23_999 / 24_000, 0.99999999, 0.5, None)] == [
        "100.00",
        "99.99",
        "99.99",
        "50.00",
        "-",
    ]


def test_the_papers_table_has_both_objectives(tmp_path):
    wrong = {"restart": 1, "question": "sum A", "program": "count", "right_program": "sum A"}
    page = page_of(
        tmp_path,
        planted("soft-five-columns", "five-columns", [0.9, 0.7]),
        planted("marginal-five-columns", "five-columns", [1.0, 0.999], failing=[wrong]),
        planted("marginal-unseen-names", "unseen-names", [1.0, 1.0]),
    )
    assert "| five-columns | 99.11 | 0 of 2 | 90.00 | 80.00 | 70.00 | 1 of 2 | 100.00 | 99.95 | 99.90 |" in page
    assert (
        "| unseen-names | none | not tried | not tried | not tried | not tried | 2 of 2 | 100.00 | 100.00 | 100.00 |"
        in page
    )
    assert "on 1 of the paper's eight settings: **1 of 2** restarts at 100 %" in page
    assert "- five-columns, restart 1: `sum A` answered by `count`; right is `sum A`" in page
    assert "| five-columns | 200 | 200 | 9 | 12 | 900 | 2 | 2 CPU cores |" in page


def test_grid_noise_and_lstm(tmp_path):
    page = page_of(
        tmp_path,
        planted("grid-with-noise", "single-column", [0.6, 0.65]),
        planted("grid-without-noise", "single-column", [0.8, 0.6]),
        planted("noise-with-noise", "five-columns", [0.6]),
        planted("noise-without-noise", "five-columns", [0.7]),
        planted("lstm-5-heads-table-first", "single-column-scalars", [0.8], "LstmConfig", ranges={"50": [0.3]}),
        planted("marginal-single-column-scalars", "single-column-scalars", [1.0], ranges={"50": [1.0]}),
    )
    assert "| published, with noise | 9 of 216 |" in page
    assert "| here, without noise | 0 of 2 | 80.00 | 70.00 | 60.00 |" in page
    assert "| with noise | 1 | 60.00 | 60.00 |" in page
    assert "| LSTM, 5 heads, table before the question | 1 | 200 | 80.00 | 80.00 | 30.00 |" in page
    assert "| Neural Programmer, marginal | 1 | 200 | 100.00 | 100.00 | 100.00 |" in page
    pictures = re.findall(r"\((plots/.*?)\)", page)
    assert set(pictures) == {"plots/noise.png", "plots/marginal.png"}
    for picture in pictures:
        assert (tmp_path / "docs" / picture).read_bytes().startswith(b"\x89PNG")


def test_sizes_and_programs(tmp_path):
    score = {"correct": 49, "total": 50}
    page = page_of(
        tmp_path,
        planted(
            "marginal-ten-columns",
            "ten-columns",
            [1.0, 1.0],
            exactly=[score, score],
            invariance=[{"rows": rows, "restarts": [score, score]} for rows in (12, 1200, 12000)],
            programs=[{"question": "sum A", "program": "reset; reset; reset; sum A", "answer": "1"}],
        ),
    )
    assert "| ten-columns | 98 of 100 | 98 of 100 | 98 of 100 | 98 of 100 |" in page
    assert "| `sum A` | `reset; reset; reset; sum A` |" in page


@pytest.mark.parametrize(
    "broken",
    [{"restarts": 5}, {"restarts": []}, {"curve": None}, {"at_100": "many"}, {"circumstances": {}}, {"failing": 3}],
)
def test_results_that_are_not_as_they_should_be_are_refused(tmp_path, broken):
    with pytest.raises(NeuralProgrammerError, match=r"is not as reproduce writes them .*; move it away"):
        page_of(tmp_path, {**planted("marginal-ten-columns", "ten-columns", [1.0]), **broken})


def test_a_result_counts_under_its_own_name_only(tmp_path):
    """An older one, kept beside the new one under another name, is not shown."""
    old = planted("marginal-ten-columns", "ten-columns", [0.1])
    (tmp_path / "marginal-ten-columns_old.json").write_text(json.dumps(old))
    assert "| 1 of 1 | 100.00 |" in page_of(tmp_path, planted("marginal-ten-columns", "ten-columns", [1.0]))


def test_where_the_page_may_be_written(tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder.md").mkdir()
    for page in ("result.json", "folder.md", "file/page.md"):
        with pytest.raises(NeuralProgrammerError, match=r"NAME.md|no folder that can be written to"):
            check_page(tmp_path / page)
    check_page(tmp_path / "new" / "page.md")
    assert (tmp_path / "file").read_text() == "mine"


def test_results_of_other_kinds_are_left_alone_and_broken_ones_named(tmp_path):
    with pytest.raises(NeuralProgrammerError, match="no results in"):
        read(tmp_path)
    (tmp_path / "other.json").write_text('{"experiment": "another"}')
    (tmp_path / "list.json").write_text("[1]")
    with pytest.raises(NeuralProgrammerError, match="no results in"):
        read(tmp_path)
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(NeuralProgrammerError, match=r"cannot read the result .*broken.json"):
        read(tmp_path)


def test_a_page_of_ones_own_is_not_lost(tmp_path):
    notes = tmp_path / "notes.md"
    notes.write_text("# Notes\nmine")
    with pytest.raises(NeuralProgrammerError, match="is not a page of results and would be lost"):
        check_page(notes)
    assert notes.read_text() == "# Notes\nmine"


def test_broken_results_are_said_before_training(tmp_path, monkeypatch):
    (tmp_path / "other.json").write_text("{")
    monkeypatch.setattr("neural_programmer.paper.reproduce.run", lambda *_: pytest.fail("it was trained"))
    with pytest.raises(NeuralProgrammerError, match=r"cannot read the result .*other.json"):
        api.reproduce(["single-column"], results=tmp_path, runs=tmp_path / "runs")


def test_the_page_stands_beside_results_that_are_elsewhere():
    assert api.page_of("results") == Path("docs/results.md")
    assert api.page_of("try/it") == Path("try/it/results.md")


def test_the_soft_ways_their_tests_and_pictures(tmp_path):
    """The best network of a task, tested in full, every way of its group, and of other groups."""
    looks = [{"step": step, "accuracy": [0.5, 0.6, 0.7], "length": [9.0, 8.0, 7.0]} for step in (100, 200)]
    ways = {"runs": ["bent", "bent", "again"], "best": [0.5, 0.6, 1.0], "stopped_at": 200, "curve": looks}
    for name in ("last-five-columns", "more-five-columns", "three"):
        task = "five-columns" if "five" in name else "three-columns"
        told = {"experiment": f"ways-{name}", "task": task, **ways}
        if "five" in name:
            told["test"] = {"accuracy": [0.4, 0.5, 1.0]}
        (tmp_path / f"ways-{name}.json").write_text(json.dumps(told))
    test = {"network": "more-five-columns-1-run-2", "overall": {"accuracy": 0.95, "correct": 19, "total": 20}}
    (tmp_path / "ways-tests.json").write_text(json.dumps({"tests": {"five-columns": test}}))
    page = page_of(tmp_path)
    assert "| five-columns | 99.11 | 95.00 | 19 of 20 | 6 | more | again |" in page
    assert "| five-columns | bent | 2 | 200 | 60.00 | 55.00 | 50.00 | 0 | 50.00 | 45.00 |" in page
    assert "| five-columns | again | 1 | 200 | 100.00 | 100.00 | 100.00 | 1 | 100.00 | 100.00 |" in page
    assert "| more-five-columns | five-columns | again | 1 | 200 | 100.00 | 100.00 | 100.00 | 1 | 100.00 |" in page
    assert "| three | three-columns | bent | 2 | 200 | 60.00 | 55.00 | 50.00 | 0 | not tested |" in page
    assert (tmp_path / "docs" / "plots" / "paper-tasks.png").read_bytes().startswith(b"\x89PNG")

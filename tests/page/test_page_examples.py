"""Questions that are offered: of the table's own columns, and such as are answered."""

import duckdb
import pytest

from neural_programmer import asking
from neural_programmer.page import examples
from neural_programmer.page.sessions import EXAMPLE_TABLES, WRITTEN
from neural_programmer.source import open_source


@pytest.mark.parametrize("name", EXAMPLE_TABLES)
def test_tables_that_are_offered_have_questions_that_are_answered(name, model):
    opened = asking.Opened(open_source(WRITTEN / name))
    found = examples.questions(model, opened, 10)
    assert len(found) == len(set(found)) == examples.SHOWN
    for question in found:
        assert asking.ask(model, opened, question).kind != "none"
    assert found == examples.questions(model, opened, 10)


def test_what_was_found_in_time_is_kept(model, monkeypatch):
    answered, left = asking.answered, iter(range(2))

    def slower(*arguments):
        if next(left, None) is None:
            raise duckdb.InterruptException("time is up")
        return answered(*arguments)

    opened = asking.Opened(open_source(WRITTEN / EXAMPLE_TABLES[0]))
    found = examples.questions(model, opened, 10)
    monkeypatch.setattr(asking, "answered", slower)
    assert 1 <= len(shorter := examples.questions(model, opened, 10)) <= 2
    assert shorter == found[: len(shorter)]


@pytest.mark.parametrize("content", ["a\n", "a\n1\n", "only text\nx\ny\n", "d\n2024-01-01\n", "t\ntrue\nfalse\n"])
def test_any_table_will_do(content, model, tmp_path):
    (tmp_path / "a.csv").write_text(content)
    found = examples.questions(model, asking.Opened(open_source(tmp_path / "a.csv")), 10)
    assert len(found) <= examples.SHOWN

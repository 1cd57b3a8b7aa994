"""What questions may refer to, in small tables and in those that nobody reads whole."""

import duckdb
import numpy as np
import pytest

from neural_programmer.questions import cell_texts, indexing
from neural_programmer.questions.index import Index
from neural_programmer.questions.indexing import indexed, known
from neural_programmer.questions.link import link
from neural_programmer.tables import books
from neural_programmer.tables.source import open_source
from queries import random_table, source_of

CITIES = ("Paris", "New York", "São Paulo", "Oslo")


def large(path, rows=200_000):
    """A Parquet file with few cities but for one that comes up once, numbers of customers, and many names."""
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT CASE WHEN i = 77777 THEN 'Reykjavík' ELSE (['Paris', 'New York', 'São Paulo', 'Oslo'])"
            f"[1 + i % 4] END AS city, 'C-' || lpad(CAST(i AS VARCHAR), 6, '0') AS customer,"
            f" CASE WHEN i % 3 > 0 THEN 'Name ' || chr(CAST(65 + i % 26 AS INTEGER)) || CAST(i // 2 AS VARCHAR) END"
            f" AS name, i AS amount, i % 2 = 0 AS paid, DATE '2020-01-01' + CAST(i % 900 AS INTEGER) AS day"
            f" FROM range({rows}) t(i)) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 20000)"
        )
    return path


@pytest.fixture(scope="module")
def parquet(tmp_path_factory):
    return large(tmp_path_factory.mktemp("large") / "a.parquet")


@pytest.fixture
def source(parquet, monkeypatch):
    monkeypatch.setattr(books, "PARQUET_LIMIT", 0)
    with open_source(parquet) as source:
        yield source


def texts(index, question):
    found = link(question, index, {"how", "many", "total"})
    return [
        {index.columns[place].name: text for place, text in each.texts.items()} for each in found.links if not each.near
    ]


def test_a_small_table_is_known_as_it_is_in_memory():
    generator = np.random.default_rng(0)
    for _ in range(20):
        with source_of(random_table(generator)) as source:
            found, expected = known(source), Index.of(source.table())
            assert found.partly == frozenset()
            for one, other, column in zip(found.index.columns, expected.columns, source.columns, strict=True):
                assert (one.name, one.kind, one.different) == (
                    other.name,
                    column.kind,
                    other.different and one.kind == "text",
                )
                assert set(one.texts) == set(other.texts) if one.kind == "text" else set(other.texts) <= set(one.texts)


@pytest.mark.parametrize("few", [0, 5_000])
def test_the_order_of_rows_does_not_matter(few, monkeypatch):
    monkeypatch.setattr(indexing, "FEW_ROWS", few)
    rows = ["b", "a", "c", "B", "b", "a", "x"]
    indexes = []
    for order in (rows, rows[::-1], sorted(rows)):
        with open_source({"t": order}) as source:
            indexes.append(known(source).index)
    assert indexes[0] == indexes[1] == indexes[2]
    assert indexes[0].columns[0].texts == ("a", "b", "B", "c", "x")


@pytest.mark.parametrize("few", [0, 5_000])
def test_texts_that_are_all_different(few, monkeypatch):
    monkeypatch.setattr(indexing, "FEW_ROWS", few)
    with open_source({"name": ["a", "b", ""], "city": ["a", "a", "b"], "none": ["", "", ""]}) as source:
        assert [column.different for column in known(source).index.columns] == [True, False, False]


def test_a_large_table_is_known_in_part(source):
    found = known(source)
    city, customer, name, amount, paid, day = found.index.columns
    assert set(city.texts) == set(CITIES)
    assert [column.kind for column in (amount, paid, day)] == ["number", "boolean", "date"]
    assert (city.different, customer.different, name.different) == (False, True, True)
    assert found.partly == {0, 1, 2}
    assert [place for place, _ in found.shapes] == [1]
    assert found.texts is not None
    assert len(found.texts.numbers) == 5 + 200_000 + 133_333
    assert texts(found.index, "how many in new york") == [{"city": "New York"}]


@pytest.mark.parametrize("cells", [indexing.INDEXED_CELLS, 0])
@pytest.mark.parametrize(
    ("question", "linked"),
    [
        ("total amount of C-123457", [{"customer": "C-123457"}]),
        ("total amount of c-123457?", [{"customer": "C-123457"}]),
        ("total amount of customer 'C-000000'", [{"customer": "C-000000"}]),
        ("how many in Oslo", [{"city": "Oslo"}]),
        ("how many in reykjavik", [{"city": "Reykjavík"}]),
        ("how many of Name A13000", [{"name": "Name A13000"}]),
        ("how many of name a13000's", [{"name": "Name A13000"}]),
        ("how many of nobody", []),
        ("how many of '; DROP TABLE data; --", []),
    ],
)
def test_what_a_question_mentions_is_looked_up(source, question, linked, cells, monkeypatch):
    monkeypatch.setattr(indexing, "INDEXED_CELLS", cells)
    index = indexed(source, known(source), question, {"how", "many", "total"})
    assert [found for found in texts(index, question) if found] == linked
    assert source.rows == 200_000


def test_nothing_is_looked_up_where_all_is_known(monkeypatch):
    with open_source({"city": ["Paris", "Oslo"]}) as source:
        found = known(source)
        monkeypatch.setattr(type(source), "fetched", None)
        assert indexed(source, found, "how many in Rome") is found.index


def test_a_column_of_very_many_texts_is_known_in_part(monkeypatch):
    monkeypatch.setattr(indexing, "PREPARED_TEXTS", 40)
    monkeypatch.setattr(indexing, "SHAPED_TEXTS", 5)
    words = [f"word {chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(100)]
    with open_source({"a": words, "b": ["x"] * 100}) as source:
        found = known(source)
        assert [len(column.texts) for column in found.index.columns] == [20, 1]
        assert found.partly == {0}
        assert texts(indexed(source, found, "how many word zc"), "how many word zc") == [{"a": "word zc"}]


@pytest.mark.parametrize("cells", [indexing.INDEXED_CELLS, 0])
def test_phrases_are_looked_up_in_many_columns(monkeypatch, cells):
    monkeypatch.setattr(indexing, "INDEXED_CELLS", cells)
    monkeypatch.setattr(indexing, "PREPARED_TEXTS", 40)
    monkeypatch.setattr(indexing, "SHAPED_TEXTS", 2)
    words = [f"word {chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(100)]
    names = [f'column "{place}"' for place in range(2 * cell_texts.TOGETHER + 1)]
    other = [[f"{'ab'[place // 26]}{chr(97 + place % 26)} {word}" for word in words] for place in range(len(names))]
    with open_source(dict(zip(names, other, strict=True))) as source:
        found = indexed(source, known(source), 'say "bo word zc"')
        assert texts(found, 'say "bo word zc"') == [{names[40]: "bo word zc"}]


def test_of_texts_of_digits_only_those_that_are_there_are_meant(monkeypatch):
    monkeypatch.setattr(indexing, "INDEXED_CELLS", 0)
    monkeypatch.setattr(indexing, "PREPARED_TEXTS", 40)
    with open_source({"code": [f"{place:05}" for place in range(0, 20_000, 2)]}) as source:
        found = known(source)
        assert [place for place, _ in found.shapes] == [0]
        for code, linked in (("10008", [{"code": "10008"}]), ("10009", [])):
            question = f"how many have {code}"
            assert texts(indexed(source, found, question, {"have"}), question) == linked


def test_every_text_of_a_large_table_is_found(source):
    found = known(source)
    everybody = {"how", "many", "total", "of"}
    for text in ("C-000000", "c-199999", "Name H99999", "name z38", "REYKJAVÍK"):
        (each,) = texts(indexed(source, found, f"total of {text}", everybody), f"total of {text}")
        assert [said.casefold() for said in each.values()] == [text.casefold()]
    assert "C-200000" not in found.index.texts
    assert texts(indexed(source, found, "total of C-200000", everybody), "total of C-200000") == []


def test_what_was_not_looked_for_in_time_is_said(source, monkeypatch):
    def over(*_):
        raise duckdb.InterruptException("time is up")

    monkeypatch.setattr(indexing, "INDEXED_CELLS", 0)
    monkeypatch.setattr(cell_texts, "within", over)
    found, everybody = known(source), {"how", "many", "total", "green"}
    assert indexed(source, found, "how many of Name A13000 or Zoe", everybody).missed == ("A13000", "Zoe")
    assert indexed(source, found, "how many in Oslo with an amount over 5000", everybody).missed == ()
    index = indexed(source, found, "how many are green", everybody)
    assert index.missed == ()
    assert index.wider is not None
    assert index.wider().missed == ("green",)


def test_a_file_that_cannot_be_searched_by_row_is_known_by_its_first_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(books, "STORED_LIMIT", 0)
    monkeypatch.setattr(indexing, "ALL_ROWS", 10)
    (tmp_path / "a.csv").write_text("a,b\n" + "\n".join(f"x{i % 3},{i}" for i in range(100)))
    with open_source(tmp_path / "a.csv") as source:
        assert not source.seekable
        assert known(source).index.columns[0].texts == ("x0", "x1", "x2")

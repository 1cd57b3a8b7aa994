"""The report of a fit: what stands in it, and that its page is whole, needs no script and escapes every text."""

import json
from html.parser import HTMLParser

import pytest

from neural_programmer.learning.fit_report import FitReport, Lucky
from neural_programmer.learning.judgement import Uncovered, Verdict

EVIL = "<script>alert('x')</script> & \"quoted\""
ABOUT = {"data": EVIL, "split": "by table", "start": "ask", "objective": "marginal", "repeated": 0, "skipped": [EVIL]}
CURVE = tuple({"step": 20 * n, "loss": 1 / n, "accuracy": n / 4, "best": n / 4} for n in (1, 2, 3))


def verdict(kind, right, said=1, wanted=2):
    return Verdict(EVIL, "line 3", wanted, said, EVIL, 0.25, right, kind)


@pytest.fixture
def report():
    return FitReport(
        ABOUT,
        CURVE,
        train=(verdict("count", True), verdict("count", True), verdict("sum", False, None, ["a", EVIL])),
        validation=(verdict("count", False),),
        lucky=(Lucky(EVIL, "line 4", EVIL, "count"),),
        uncovered=(Uncovered("median", "a number", (EVIL, "other")),),
    )


class Page(HTMLParser):
    """Tags that are open, all that were met, and the texts between them."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.texts, self.links = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_the_numbers_of_a_report(report):
    content = report.to_dict()
    assert content["accuracy"]["train"] == {"correct": 2, "total": 3, "accuracy": 2 / 3}
    assert content["kinds"]["count"]["validation"]["accuracy"] == 0
    assert content["kinds"]["sum"]["validation"]["accuracy"] is None
    assert [len(content["wrong"][part]) for part in ("train", "validation")] == [1, 1]
    assert list(content["kinds"]) == ["count", "sum"]


def test_the_page_is_whole_and_every_text_is_escaped(report, tmp_path):
    report.write(tmp_path)
    assert json.loads((tmp_path / "report.json").read_text()) == json.loads(json.dumps(report.to_dict()))
    page = Page()
    page.feed((tmp_path / "report.html").read_text())
    assert page.open == []
    assert "script" not in page.tags
    assert page.links == []  # it needs nothing else
    assert page.tags.count("svg") == 2
    assert page.texts.count(EVIL) >= 7
    text = " ".join(page.texts)
    for said in ("66.66 % of 3", "0.00 % of 1", "by table", "median", "no answer", "25%", "2 of 2", "step 60", "none"):
        assert said in text, said


def test_an_empty_report_is_a_page_too(tmp_path):
    FitReport({**ABOUT, "skipped": []}, (), (), (), (), ()).write(tmp_path)
    page = Page()
    page.feed((tmp_path / "report.html").read_text())
    assert page.open == []


def test_of_long_lists_the_page_shows_the_first(report, tmp_path):
    many = FitReport(ABOUT, CURVE, (verdict("count", False),) * 500, (), (), ())
    many.write(tmp_path)
    assert "and 300 more in report.json" in (tmp_path / "report.html").read_text()
    assert len(json.loads((tmp_path / "report.json").read_text())["wrong"]["train"]) == 500

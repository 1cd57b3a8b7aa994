"""In a real browser: how it thought, a choice forced, a training started, seen and stopped."""

import re
from pathlib import Path

import pytest

from page.conftest import WIDTHS, browser_only, fits, outside

BOOKS = Path(__file__).parent.parent / "questions" / "development" / "books.csv"
ASKED = "/?table=example-1&question=average+price+of+books+with+more+than+300+pages"
LONG = 600_000  # milliseconds: a training compiles before its first curve
pytestmark = browser_only


@pytest.fixture
def address(start):
    return start((str(BOOKS),))[0]


@pytest.mark.parametrize("width", WIDTHS)
def test_how_it_thought_and_a_forced_choice(page, address, faults, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(address + ASKED)
    page.get_by_text("How it thought").click()
    page.get_by_role("heading", name="Step 1: greater pages 300").wait_for()
    warm = page.locator("li.chip.chosen", has_text=re.compile(r"^300 \d+ %$")).first
    assert re.search(r"heat-([5-9]|10)\b", warm.get_attribute("class"))
    cold = page.locator("li.chip.heat-0").first
    shades = [each.evaluate("element => getComputedStyle(element).backgroundColor") for each in (warm, cold)]
    assert shades[0] != shades[1]
    assert fits(page)
    assert outside(page) == []
    form = page.get_by_role("form", name="Force step 1")
    form.get_by_label("operation").select_option("lesser")
    form.get_by_role("button").click()
    page.get_by_role("heading", name="Step 1: lesser pages 300").wait_for()
    assert "it would answer 17.3" in " ".join(page.locator(".forced").inner_text().split())
    assert page.get_by_role("form", name="Force step 1").get_by_label("operation").input_value() == "lesser"
    assert fits(page)
    page.get_by_role("link", name="Let it decide again").click()
    page.get_by_role("heading", name="Step 1: greater pages 300").wait_for()
    assert page.locator(".forced").count() == 0
    assert faults == []


def test_what_cannot_be_forced_is_said_and_can_be_mended(page, address):
    page.goto(address + ASKED)
    page.get_by_text("How it thought").click()
    form = page.get_by_role("form", name="Force step 2")
    form.get_by_label("operation").select_option("sum")
    form.get_by_label("column").select_option("author")
    form.get_by_role("button").click()
    page.get_by_role("alert").get_by_text("step 2 sum cannot have the column 'author'; choose one of").wait_for()
    form = page.get_by_role("form", name="Force step 2")  # and the thought is still there
    form.get_by_label("operation").select_option("sum")
    form.get_by_role("button").click()
    page.get_by_role("heading", name="Step 2: sum price").wait_for()
    assert page.get_by_role("alert").count() == 0


@pytest.mark.slow
def test_a_training_is_started_seen_and_stopped(page, address, faults):
    """While it trains, questions are answered."""
    page.goto(address + "/learn")
    page.get_by_label("Restarts").fill("2")
    page.get_by_role("button", name="Train").click()
    page.locator('#training[data-state="running"]').wait_for()
    page.get_by_text("Drawing questions and compiling").first.wait_for()
    page.locator("svg.curves polyline").first.wait_for(timeout=LONG)  # nobody touches the page: it looks by itself
    assert page.locator("svg.curves").count() == 2
    assert page.get_by_text("Programs found so far").first.is_visible()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert fits(page), width
        assert outside(page) == [], width
    other = page.context.new_page()
    other.goto(address + ASKED)
    other.get_by_text("19.75").first.wait_for()
    other.close()
    page.get_by_role("button", name="Stop").click()
    page.locator('#training[data-state="stopped"]').wait_for()
    assert page.locator("svg.curves polyline").count() >= 2  # what was learnt is still there
    page.get_by_role("button", name="Reset").click()
    page.get_by_text("Nothing is being trained").wait_for()
    assert faults == []

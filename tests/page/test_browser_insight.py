"""In a real browser: how it thought, a choice forced, a training started, seen and stopped."""

import re
import shutil
import threading
import time
from pathlib import Path

import pytest
import uvicorn

from neural_programmer.config import PageConfig
from neural_programmer.model import load_shipped
from neural_programmer.page.app import application

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
BOOKS = Path(__file__).parent.parent / "questions" / "development" / "books.csv"
ASKED = "/?table=example-1&question=average+price+of+books+with+more+than+300+pages"
SECONDS = 600_000  # milliseconds: a training compiles before its first curve
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium: make browser installs one")


@pytest.fixture(scope="session")
def browser_type_launch_args():
    return {"executable_path": CHROMIUM, "args": ["--no-sandbox"]}


@pytest.fixture(scope="module")
def address():
    """A server beside the test, as people have it."""
    server = uvicorn.Server(
        uvicorn.Config(application(load_shipped(), PageConfig(), (str(BOOKS),)), port=0, log_level="error")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(30)


@pytest.fixture
def faults(page):
    """What the browser complains of: a blocked style or script among it."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_how_it_thought_and_a_forced_choice(page, address, faults, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(address + ASKED)
    page.get_by_text("How it thought").click()
    page.get_by_role("heading", name="Step 1: greater pages 300").wait_for()
    warm = page.locator("li.chip", has_text=re.compile(r"^300 98 %$")).first
    assert "heat-10" in warm.get_attribute("class")
    cold = page.locator("li.chip.heat-0").first
    shades = [each.evaluate("element => getComputedStyle(element).backgroundColor") for each in (warm, cold)]
    assert shades[0] != shades[1]
    assert fits(page)
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


def test_a_training_is_started_seen_and_stopped(page, address, faults):
    """While it trains, questions are answered."""
    page.goto(address + "/learn")
    page.get_by_label("Restarts").fill("2")
    page.get_by_role("button", name="Train").click()
    page.locator('#training[data-state="running"]').wait_for()
    page.get_by_text("Drawing questions and compiling").first.wait_for()
    page.locator("svg.curves polyline").first.wait_for(timeout=SECONDS)  # nobody touches the page: it looks by itself
    assert page.locator("svg.curves").count() == 2
    assert page.get_by_text("Programs found so far").first.is_visible()
    assert fits(page)
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

"""In a real browser: upload, ask, click through steps, page, download, error states, keyboard alone, all widths."""

import re

import pytest
from playwright.sync_api import expect

from page.conftest import SALES, TOKEN, WIDTHS, browser_only, fits, outside

pytestmark = browser_only
ROWS = "number,name,group\n" + "".join(f"{n},name {n},{'even' if n % 2 == 0 else 'odd'}\n" for n in range(1, 301))


@pytest.fixture
def sales(tmp_path):
    (tmp_path / "sales.csv").write_text(SALES)
    return tmp_path / "sales.csv"


def ask(page, question: str) -> None:
    page.get_by_label("Your question").fill(question)
    page.get_by_role("button", name="Ask").click()


def test_upload_ask_and_click_through_the_steps(page, start, faults, sales):
    address, _ = start()
    page.goto(address)
    page.get_by_label("Drop a table here, or choose a file").set_input_files(sales)
    expect(page.get_by_role("heading", name="sales.csv")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(3)
    ask(page, "total revenue in Europe")
    expect(page.locator(".said")).to_have_text("$1,207")
    expect(page.locator(".sure")).to_contain_text("confidence")
    steps = page.locator(".steps a")
    expect(steps).to_have_count(2)
    expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    expect(page.locator("mark")).to_have_text(["1200", "7"])
    steps.nth(0).click()
    expect(page.locator(".above p")).to_have_text("Step 1 selects 2 of 3 rows")
    expect(steps.nth(0)).to_have_attribute("aria-current", "step")
    expect(steps.nth(1)).not_to_have_attribute("aria-current", "step")
    expect(page.locator("tr.selected")).to_have_count(2)
    page.get_by_role("link", name="Only these").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    page.get_by_role("link", name="All rows").click()
    expect(page.locator("tbody tr")).to_have_count(3)
    expect(page.locator(".asked")).to_contain_text("total revenue in Europe")
    assert faults == []


def test_examples_and_history_are_asked_with_a_click(page, start, faults):
    address, _ = start()
    page.goto(f"{address}/?table=example-1")
    first = page.locator(".chips a").first
    question = first.inner_text()
    first.click()
    expect(page.locator(".answer")).to_be_visible()
    expect(page.get_by_label("Your question")).to_have_value(question)
    ask(page, "how many countries are there")
    expect(page.locator(".said")).to_have_text("17")
    page.locator(".asked a", has_text=question).click()
    expect(page.get_by_label("Your question")).to_have_value(question)
    expect(page.locator(".asked a").first).to_have_text(question)
    assert faults == []


def test_a_question_can_be_come_back_to(page, start, faults):
    """By a reload, by going back and forth, and with the step that was looked at; asked again it is not twice there."""
    address, _ = start()
    page.goto(f"{address}/?table=example-1")
    said, question = page.locator(".said"), page.get_by_label("Your question")
    ask(page, "how many countries are there")
    expect(said).to_have_text("17")
    expect(page).to_have_url(f"{address}/?table=example-1&question=how+many+countries+are+there")
    expect(page).to_have_title("how many countries are there · countries.csv · Neural Programmer")
    ask(page, "average GDP per head of landlocked countries")
    expect(said).to_have_text("28,261.67")
    places = page.evaluate("history.length")
    ask(page, "average GDP per head of landlocked countries")
    expect(page.locator(".ask.htmx-request")).to_have_count(0)
    page.locator(".steps a").first.click()
    expect(page.locator(".above p")).to_contain_text("Step 1 selects 6 of 17 rows")
    assert page.evaluate("history.length") == places
    page.reload()
    expect(said).to_have_text("28,261.67")
    expect(page.locator(".above p")).to_contain_text("Step 1 selects 6 of 17 rows")
    question.fill("something that is not asked")
    page.go_back()
    expect(said).to_have_text("17")
    expect(question).to_have_value("how many countries are there")
    page.go_forward()
    expect(said).to_have_text("28,261.67")
    expect(question).to_have_value("average GDP per head of landlocked countries")
    page.go_back()
    expect(said).to_have_text("17")
    page.go_back()
    expect(said).to_have_count(0)
    expect(question).to_have_value("")
    assert faults == []


def test_back_is_heard_while_the_page_is_still_loading(page, start, faults):
    address, _ = start()
    page.goto(f"{address}/?table=example-1")
    for question, said in (("how many countries are there", "17"), ("how many countries are in Asia", "4")):
        ask(page, question)
        expect(page.locator(".said")).to_have_text(said)
    held = []
    page.route("**/htmx.min.js", lambda route: route.continue_() if held else held.append(route))
    page.reload(wait_until="commit")
    expect(page.locator(".said")).to_have_text("4")
    page.evaluate("history.back()")
    expect(page).to_have_url(re.compile("are\\+there"))
    held[0].continue_()
    expect(page.locator(".said")).to_have_text("17")
    assert faults == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_column_of_a_step_is_brought_into_sight(page, start, faults, tmp_path, width):
    names = [f"reading {number}" for number in range(1, 20)]
    rows = "".join(f"station {n},{','.join(str(n + m) for m in range(19))}\n" for n in range(60))
    (tmp_path / "wide.csv").write_text(f"station,{','.join(names)}\n{rows}")
    address, _ = start((str(tmp_path / "wide.csv"),))
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{address}/?table=example-1")
    ask(page, "average reading 3 where reading 17 is more than 55")
    for clicked, step, column in ((False, 2, "reading 3"), (True, 1, "reading 17"), (True, 2, "reading 3")):
        if clicked:
            page.locator(".steps a").nth(step - 1).click()
        expect(page.locator(".above p")).to_contain_text(f"Step {step} ")
        expect(page.locator("th.acts")).to_contain_text(column)
        around, head, number, row = (
            page.locator(f"#rows {each}").first.bounding_box()
            for each in (".scroll", "th.acts", "tbody th", "tr.selected")
        )
        assert number["x"] == pytest.approx(around["x"], abs=2), "the numbers of the rows stay"
        assert number["x"] + number["width"] <= head["x"] + 1
        assert head["x"] + head["width"] <= around["x"] + around["width"] + 1
        assert head["y"] + head["height"] <= row["y"] + 1
        assert row["y"] + row["height"] <= around["y"] + around["height"]
    assert faults == []


def test_large_tables_are_paged(page, start, faults, tmp_path):
    (tmp_path / "rows.csv").write_text(ROWS)
    address, _ = start((str(tmp_path / "rows.csv"),))
    page.goto(f"{address}/?table=example-1")
    expect(page.locator("tbody tr")).to_have_count(50)
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".pager span").last).to_have_text("51 to 100 of 300")
    expect(page.locator("tbody th").first).to_have_text("51")
    ask(page, "how many have a number of more than 250?")
    expect(page.locator(".said")).to_have_text("50")
    expect(page.locator(".pager span").last).to_have_text("251 to 300 of 300")
    expect(page.locator("tr.selected")).to_have_count(50)
    assert faults == []


def test_sql_is_copied_and_answers_are_downloaded(page, start, faults):
    address, _ = start()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{address}/?table=example-1&question=which+countries+are+in+Asia")
    page.get_by_text("SQL", exact=True).click()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert "SELECT" in page.evaluate("navigator.clipboard.readText()")
    with page.expect_download() as found:
        page.get_by_role("link", name="Answer as CSV").click()
    assert found.value.suggested_filename == "answer.csv"
    assert found.value.path().read_text().splitlines()[:2] == ["Country", "Japan"]
    with page.expect_download() as found:
        page.get_by_role("link", name="as JSON").click()
    assert '"kind": "lookup"' in found.value.path().read_text()
    assert faults == []


def test_what_goes_wrong_is_said_and_the_page_stays_usable(page, start, tmp_path, sales):
    address, app = start(megabytes=1)
    page.goto(address)
    upload = page.get_by_label("Drop a table here, or choose a file")
    (tmp_path / "large.csv").write_bytes(b"a\n" + b"1\n" * 1_000_000)
    upload.set_input_files(tmp_path / "large.csv")
    expect(page.get_by_role("alert")).to_have_text("large.csv has 3 MB, and 1 MB are allowed; send a part of it")
    (tmp_path / "bad.csv").write_bytes(b"a,b\n1,2,3\n")
    upload.set_input_files(tmp_path / "bad.csv")
    expect(page.get_by_role("alert")).to_contain_text("line 2 has 3 cells and the first row has 2")
    upload.set_input_files(sales)
    expect(page.get_by_role("heading", name="sales.csv")).to_be_visible()
    ask(page, "12")
    expect(page.get_by_role("alert")).to_contain_text("a question needs at least one word")
    ask(page, "what is the name of the king")
    expect(page.locator(".said")).to_contain_text("No answer")
    for person in app.state.reception.sessions._people.values():
        person.used = -1e9
    ask(page, "total revenue")
    expect(page.get_by_role("alert")).to_contain_text(
        "tables are kept for 60 minutes after the last visit; upload it again"
    )
    page.get_by_role("link", name="Choose another table").click()
    expect(page.get_by_role("heading", name="Ask a table")).to_be_visible()
    page.goto(f"{address}/nothing")
    expect(page.get_by_role("alert")).to_have_text("there is no such page; go back to the start")


def test_scripts_in_tables_do_not_run(page, start, faults, sales):
    address, _ = start((str(sales),))
    page.goto(f"{address}/?table=example-1&question=<script>alert(1)</script>+how+many+rows")
    expect(page.locator("td", has_text="<script>")).to_have_text("<script>alert(1)</script>")
    assert faults == []


def test_a_server_that_is_gone_is_told(page, start):
    address, _ = start()
    page.goto(f"{address}/?table=example-1")
    page.route("**/ask*", lambda route: route.abort())
    ask(page, "how many rows")
    expect(page.get_by_role("alert")).to_have_text(re.compile("The server does not answer"))


def test_a_token_is_asked_for(page, start):
    address, _ = start(token=TOKEN)
    page.goto(address)
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("alert")).to_contain_text("this is not the token")
    page.get_by_label("Token").fill(TOKEN)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Ask a table")).to_be_visible()
    page.goto(f"{address}/?table=example-1")
    expect(page.get_by_label("Your question")).to_be_visible()


def test_all_of_it_with_the_keyboard_alone(page, start, faults):
    address, _ = start()
    page.goto(address)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    reach(page, "countries.csv")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.type("average GDP per head of landlocked countries")
    page.keyboard.press("Enter")
    expect(page.locator(".said")).to_have_text("28,261.67")
    reach(page, "text match")
    page.keyboard.press("Enter")
    expect(page.locator(".above p")).to_contain_text("Step 1 selects 6 of 17 rows")
    reach(page, "SQL")
    page.keyboard.press("Enter")
    expect(page.locator("#sql")).to_be_visible()
    reach(page, "Only these")
    page.keyboard.press("Enter")
    expect(page.locator("tbody tr")).to_have_count(6)
    expect(page.get_by_role("link", name="All rows")).to_be_focused()
    assert faults == []


def test_a_table_is_brought_asked_forced_and_its_answer_fetched_with_the_keyboard_alone(page, start, faults, sales):
    address, _ = start()
    page.goto(address)
    reach(page, "Drop a table here")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Space")
    chooser.value.set_files(sales)
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.type("total revenue in Europe")
    page.keyboard.press("Enter")
    expect(page.locator(".said")).to_have_text("$1,207")
    reach(page, "Answer as CSV")
    with page.expect_download() as found:
        page.keyboard.press("Enter")
    assert found.value.path().read_text().splitlines()[-1] == "1207"
    reach(page, "How it thought")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Step 1: text match region Europe")).to_be_visible()
    reach(page, "operation")
    page.keyboard.type("text other")
    reach(page, "Force step 1")
    page.keyboard.press("Enter")
    expect(page.locator(".forced")).to_contain_text("it would answer $5,000")
    expect(page.get_by_role("button", name="Force step 1")).to_be_focused()
    assert faults == []


def test_a_training_is_started_and_stopped_with_the_keyboard_alone(page, start, faults):
    address, _ = start()
    page.goto(address)
    reach(page, "How it learns")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="How it learns")).to_be_visible()
    reach(page, "single-column")
    page.keyboard.press("ArrowDown")
    reach(page, "Train")
    page.keyboard.press("Enter")
    expect(page.locator(".state")).to_have_text("Training three-columns, 4 restarts.")
    reach(page, "Stop")
    page.keyboard.press("Enter")
    expect(page.locator(".state")).to_have_text("Stopped three-columns, 4 restarts.")
    reach(page, "Reset")
    page.keyboard.press("Enter")
    expect(page.locator(".state")).to_contain_text("Nothing is being trained")
    assert faults == []


def reach(page, name: str) -> None:
    """Press Tab until what has this text, or is labelled so, is reached."""
    for _ in range(40):
        page.keyboard.press("Tab")
        said = "(document.activeElement.labels?.[0] ?? document.activeElement).textContent"
        if name in (page.evaluate(said) or ""):
            return
    raise AssertionError(f"{name} cannot be reached")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(page, start, faults, width, scheme, tmp_path):
    long = "x" * 300
    (tmp_path / f"{'long' * 15}.csv").write_text(f"{long},b\n{long},{'many words ' * 40}\n")
    address, _ = start((str(tmp_path / f"{'long' * 15}.csv"),))
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    for place in (
        "/",
        "/?table=example-1",
        f"/?table=example-1&question=how+many+{'y' * 300}",
        "/?table=example-2",
        "/learn",
    ):
        page.goto(address + place)
        assert fits(page), place
        assert outside(page) == [], place
    page.goto(f"{address}/?table=example-2&question=which+country+has+the+largest+area")
    expect(page.locator(".said")).to_be_visible()
    assert fits(page)
    assert outside(page) == []
    assert clear(page), "two things stand on each other"
    assert faults == []


def clear(page) -> bool:
    """Whether no two parts of the page that hold text lie on each other."""
    return page.evaluate(
        """() => {
          const parts = [...document.querySelectorAll(".top, h1, .ask, .answer, .above, .scroll, .history")];
          const boxes = parts.map((part) => part.getBoundingClientRect()).filter((box) => box.height > 0);
          return boxes.every((one, i) => boxes.slice(i + 1).every((other) => one.right <= other.left + 1
            || other.right <= one.left + 1 || one.bottom <= other.top + 1 || other.bottom <= one.top + 1));
        }"""
    )


def test_what_is_read_aloud_has_names(page, start):
    address, _ = start()
    page.goto(f"{address}/?table=example-1&question=how+many+countries+in+Asia")
    for role in ("link", "button", "textbox", "region", "meter"):
        for each in page.get_by_role(role).all():
            assert each.evaluate("e => (e.labels?.[0]?.textContent || e.ariaLabel || e.textContent).trim()"), role
    assert page.locator("#answer").get_attribute("aria-live") == "polite"
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("h1").count() == 1

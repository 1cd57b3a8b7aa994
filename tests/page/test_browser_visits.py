"""In a real browser: tables that are served, several at once, a visit without script, and what is meant to do harm."""

import re

import pytest
from playwright.sync_api import expect

from page.conftest import SALES, WIDTHS, browser_only, fits, outside
from page.test_browser import ask

pytestmark = browser_only
STAFF = "name,age,team\n" + "".join(f"person {n},{20 + n * n % 37},{'red' if n % 3 else 'blue'}\n" for n in range(40))
WICKED = '<img src=x onerror="alert(1)">'
LETTERS = "😀‮abc مبيعات שם"  # beside what is read from right to left


@pytest.fixture
def offered(tmp_path):
    (tmp_path / "sales.csv").write_text(SALES)
    (tmp_path / "staff.csv").write_text(STAFF)
    return str(tmp_path / "sales.csv"), str(tmp_path / "staff.csv")


@pytest.fixture
def alarms(page):
    """What a script of somebody else would show."""
    shown: list[str] = []
    page.on("dialog", lambda dialog: (shown.append(dialog.message), dialog.dismiss()))
    return shown


@pytest.mark.parametrize("width", WIDTHS)
def test_the_first_table_is_open_and_the_others_a_click_away(page, start, faults, offered, width):
    address, _ = start(offered)
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(address)
    expect(page.get_by_role("heading", name="sales.csv")).to_be_visible()
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.type("total revenue in Europe")
    page.keyboard.press("Enter")
    expect(page.locator(".said")).to_have_text("$1,207")
    page.get_by_role("navigation", name="Tables").get_by_role("link", name="staff.csv").click()
    expect(page.get_by_role("heading", name="staff.csv")).to_be_visible()
    ask(page, "average age")
    expect(page.locator(".said")).to_have_text("36.775")
    assert fits(page)
    page.go_back()
    expect(page.locator(".said")).to_have_count(0)
    page.go_back()
    expect(page.locator(".said")).to_have_text("$1,207")
    assert faults == []


@pytest.mark.parametrize("width", WIDTHS)
def test_questions_that_are_close_are_answered_when_they_are_clicked(page, start, faults, offered, width):
    address, _ = start(offered[1:])
    page.set_viewport_size({"width": width, "height": 844})
    for place in range(3):
        page.goto(address)
        ask(page, "median age of the red team")
        expect(page.locator(".said")).to_contain_text("No answer: the question asks for a figure")
        expect(page.locator(".taken li")).to_have_text(
            ["age as the column age, of numbers", "red as a cell of team", "team as the column team, of texts"]
        )
        close = page.locator("#answer .chips a")
        expect(close).to_have_count(3)
        assert outside(page) == []
        question = close.nth(place).inner_text()
        close.nth(place).click()
        expect(page.get_by_label("Your question")).to_have_value(question)
        expect(page.locator("#answer .steps")).to_be_visible()
        expect(page.locator(".said")).to_have_text(re.compile(r"^(\d+(\.\d+)?|person \d+)$"))
    assert faults == []


def test_another_file_is_dropped_on_an_open_table(page, start, faults, offered):
    address, _ = start(offered)
    page.goto(address)
    place = page.get_by_text("Drop a table here")
    expect(place).to_be_hidden()
    files = page.evaluate_handle("""() => {
      const brought = new DataTransfer();
      brought.items.add(new File(["city,rent\\nOslo,5\\nRome,7\\n"], "rents.csv"));
      return brought;
    }""")
    page.dispatch_event("#rows table", "dragenter", {"dataTransfer": files})
    expect(place).to_be_visible()
    page.dispatch_event("#rows table", "drop", {"dataTransfer": files})
    expect(page.get_by_role("heading", name="rents.csv")).to_be_visible()
    expect(page.locator(".tabs a")).to_have_text(["rents.csv", "sales.csv", "staff.csv"])
    assert faults == []


def test_two_tabs_do_not_disturb_each_other(page, start, faults, offered):
    address, _ = start(offered)
    other = page.context.new_page()
    page.goto(f"{address}/?table=example-1")
    other.goto(f"{address}/?table=example-2")
    ask(page, "total revenue in Europe")
    ask(other, "average age")
    expect(page.locator(".said")).to_have_text("$1,207")
    expect(other.locator(".said")).to_have_text("36.775")
    page.locator(".steps a").first.click()
    expect(page.locator(".above p")).to_have_text("Step 1 selects 2 of 3 rows")
    assert faults == []


def test_a_question_that_has_no_room_in_the_address_is_told(page, start, faults, offered):
    address, _ = start(offered)
    page.goto(address)
    ask(page, "😀" * 9_000)
    expect(page.get_by_role("alert")).to_have_text("This is too long for a question; shorten it.")
    ask(page, f"how many rows where region is {'Europe ' * 700}")  # as it was pasted, and not a part of it
    expect(page.locator(".said")).to_contain_text("No answer")
    assert len(page.get_by_label("Your question").input_value()) > 4_900
    ask(page, "total revenue in Europe")
    expect(page.locator(".said")).to_have_text("$1,207")
    assert faults == []


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_all_but_the_training_without_script(page, start, offered, tmp_path):
    address, _ = start(offered)
    page.goto(address)
    ask(page, "which note is there where region is Asia")
    ask(page, "total revenue in Europe")
    expect(page.locator(".said")).to_have_text("$1,207")
    page.locator(".steps a").first.click()
    expect(page.locator(".above p")).to_have_text("Step 1 selects 2 of 3 rows")
    page.get_by_role("link", name="Only these").click()
    expect(page.locator("#rows tbody tr")).to_have_count(2)
    page.get_by_text("SQL", exact=True).click()
    expect(page.locator("#sql")).to_contain_text("SELECT")
    expect(page.get_by_role("button", name="Copy")).to_be_hidden()
    with page.expect_download() as found:
        page.get_by_role("link", name="Answer as CSV").click()
    assert found.value.path().read_text().splitlines()[-1] == "1207"
    page.get_by_text("How it thought").click()
    expect(page.get_by_text("Thinking again")).to_be_hidden()
    page.get_by_role("link", name="See it on a page of its own").click()
    form = page.get_by_role("form", name="Force step 1")
    form.get_by_label("operation").select_option("text other")
    form.get_by_role("button").click()
    expect(page.locator(".forced")).to_contain_text("it would answer $5,000")
    page.get_by_role("link", name="Back to the table").click()
    page.get_by_role("link", name="Choose another table").click()
    (tmp_path / "rents.csv").write_text("city,rent\nOslo,5\nRome,7\n")
    page.get_by_label("Drop a table here").set_input_files(tmp_path / "rents.csv")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name="rents.csv")).to_be_visible()
    page.locator(".chips a").first.click()
    expect(page.locator(".said")).to_be_visible()
    ask(page, "who is the king")
    expect(page.locator(".said")).to_contain_text("No answer")
    page.locator("#answer .chips a").first.click()
    expect(page.locator(".said")).not_to_contain_text("No answer")
    page.get_by_role("link", name="How it learns").click()
    expect(page.locator("svg.curves polyline")).to_have_count(8)


@pytest.mark.parametrize("width", WIDTHS)
def test_wicked_names_and_cells_are_texts(page, start, faults, alarms, tmp_path, width):
    """Also where they are long, or read from right to left: nothing runs, and nothing is out of its place."""
    long = f"{'x' * 400} {'many words ' * 60}"
    head = ["name", WICKED, '"><script>alert(2)</script>', LETTERS, long, "{{7*7}}"]
    rows = [[f"row {n} {WICKED}", n, WICKED, LETTERS, long, f"' onclick=alert({n})"] for n in range(4)]
    quoted = [",".join('"' + str(cell).replace('"', '""') + '"' for cell in row) for row in (head, *rows)]
    path = tmp_path / f"<b>{LETTERS}<img src=x onerror=alert(4)>.csv"
    path.write_text("\n".join(quoted) + "\n", encoding="utf-8")
    address, _ = start((str(path),))
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(address)
    for question in (
        f"which name has the highest {WICKED}",
        f'what is the king of {WICKED} "><script>alert(3)</script>',
        f"how many rows where {LETTERS} is {LETTERS}",
        "list all many words",
    ):
        ask(page, question)
        expect(page.locator(".asked a").first).to_have_text(question)
        assert fits(page)
        assert outside(page) == [], question
    page.get_by_text("How it thought").click()
    page.locator(".thoughts").wait_for()
    assert fits(page)
    assert page.locator("main img, main script, main b img").count() == 0
    assert (alarms, faults) == ([], [])


def test_after_a_count_it_is_in_sight_by_what_rows_were_chosen(page, start, faults, tmp_path):
    names = [f"reading {number}" for number in range(1, 20)]
    rows = "".join(f"station {n},{','.join(str(n + m) for m in range(19))}\n" for n in range(60))
    (tmp_path / "wide.csv").write_text(f"station,{','.join(names)}\n{rows}")
    address, _ = start((str(tmp_path / "wide.csv"),))
    page.goto(address)
    ask(page, "how many rows where reading 17 is more than 55")
    expect(page.locator(".said")).to_have_text("20")
    around, head = (page.locator(f"#rows {each}").bounding_box() for each in (".scroll", "th.chosen"))
    assert "reading 17" in page.locator("th.chosen").inner_text()
    assert around["x"] < head["x"] < head["x"] + head["width"] <= around["x"] + around["width"] + 1
    assert faults == []

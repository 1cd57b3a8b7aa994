"""Take the pictures of the page for the README: `python scripts/pictures.py [NAME ...]`, by Debian's chromium.

They go to docs/pictures; look at each of them before it is committed.
"""

import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

import duckdb
from playwright.sync_api import Page, ViewportSize, sync_playwright

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
SALES, COUNTRIES = "example-1", "example-2"
WIDE, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=390, height=844)


def asked(table: str, question: str) -> str:
    return f"/?{urlencode({'table': table, 'question': question})}"


def ask(page: Page) -> None:
    page.goto(asked(SALES, "total revenue where region is Europe and year is greater than 2019"))


def thought(page: Page) -> None:
    page.set_viewport_size({**WIDE, "height": 860})
    page.goto(asked(COUNTRIES, "which country in Europe has the largest area"))
    page.get_by_text("How it thought").click()
    page.locator(".thoughts").wait_for()
    page.locator("#thinking").evaluate("part => scrollTo(0, part.offsetTop - 16)")


def phone(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(PHONE)
    page.goto(asked(COUNTRIES, "which countries are in Asia"))


def learn(page: Page) -> None:
    """The recorded training."""
    page.set_viewport_size({**WIDE, "height": 1420})
    page.goto("/learn")


def main(names: list[str]) -> None:
    taken = {take.__name__: take for take in (ask, thought, phone, learn)}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as browsers:
        path = f"{folder}/sales.csv"
        duckdb.sql(runpy.run_path(str(ROOT / "benchmarks" / "page.py"))["TABLE"].format(path))
        command = [sys.executable, "-m", "neural_programmer.cli", "serve", path, "--port", "0", "--no-browser"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
            said = re.search(r"http://\S+?(?=/ )", server.stderr.readline() if server.stderr else "")
            assert said, "the page says where it is"
            browser = browsers.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            for name in names or taken:
                page = browser.new_page(base_url=said[0], viewport=WIDE, color_scheme="light")
                taken[name](page)
                page.evaluate("document.activeElement.blur()")
                page.screenshot(path=PICTURES / f"{name}.png")
                page.close()
            browser.close()
            server.terminate()


if __name__ == "__main__":
    main(sys.argv[1:])

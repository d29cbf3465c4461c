"""A headless browser with the network cut, for the tests that open pages."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Opener = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A running browser."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium to open pages in")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def show(browser: Browser) -> Iterator[Opener]:
    """Opens a page and, at the end, insists that it was silent and fetched nothing."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []
    requests: list[str] = []

    def open_page(
        path: Path,
        *,
        width: int = 1200,
        scheme: Literal["light", "dark"] = "light",
        scripts: bool = True,
    ) -> Page:
        context = browser.new_context(
            offline=True,
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            java_script_enabled=scripts,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri())
        if scripts:
            page.wait_for_selector("html[data-figures]", state="attached", timeout=60_000)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith("file://")] == []


_MISPLACED = """
() => [...document.querySelectorAll('.picture > svg')].flatMap((picture) => {
  const whole = picture.getBoundingClientRect();
  if (!whole.width || getComputedStyle(picture).display === 'none') return [];
  const texts = [...picture.querySelectorAll('text')]
    .filter((each) => each.textContent.trim() && each.getClientRects().length)
    .map((each) => [each.textContent, each.getBoundingClientRect()]);
  const name = picture.closest('figure').id;
  const slack = 1;
  const cut = texts.filter(([, box]) => box.left < whole.left - slack
    || box.right > whole.right + slack || box.bottom > whole.bottom + slack)
    .map(([text]) => `${name}: ${text} is cut`);
  const over = texts.flatMap(([one, a], i) => texts.slice(i + 1)
    .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4)
    .map(([other]) => `${name}: ${one} lies over ${other}`));
  return [...cut, ...over];
})
"""


def misplaced_texts(page: Page) -> list[str]:
    """Texts of the visible figures that are cut, or that lie over each other."""
    found: list[str] = page.evaluate(_MISPLACED)
    return found

"""The report in a real browser with the network cut: figures, tables, colours, paper."""

from __future__ import annotations

import struct
import zlib
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.report.figures.text import text_width
from heorot.report.page import write_report
from tests.end_to_end.browser.conftest import misplaced_texts
from tests.unit.report.samples import MACHINE_ROWS, make_evaluation

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.end_to_end.browser.conftest import Opener

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PICTURES = ".picture > svg"

PAPER_WIDTH = 695
"""What the margins leave of A4 [px]."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(make_evaluation(), path, machine_rows=MACHINE_ROWS)
    return path


def unfold(page: Page) -> Page:
    """Open all programs, as a reader would one by one."""
    for fold in ("programs", "program"):
        for summary in page.locator(f"details.{fold} > summary").all():
            summary.click()
    return page


def count_colours(png: bytes) -> int:
    """How many different bytes a picture has; a blank one has a handful."""
    place, compressed = 8, b""
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        if kind == b"IDAT":
            compressed += png[place + 8 : place + 8 + length]
        place += 12 + length
    return len(set(zlib.decompress(compressed)))


def test_all_figures_are_drawn(show: Opener, report: Path) -> None:
    page = unfold(show(report))
    assert page.locator(PICTURES).count() == 9
    assert page.locator(f"{PICTURES}:visible").count() == 9
    assert page.locator("#fig-compute_vector_kernels-0 .marks .curve").count() == 53
    assert page.locator("#fig-memory_stream-0 .marks .bar").count() == 12
    assert page.locator("#fig-memory_stream-0 .marks .hollow").count() == 1  # the perturbed one
    assert count_colours(page.screenshot()) > 50


def test_programs_are_folded_until_they_are_wanted(show: Opener, report: Path) -> None:
    page = show(report)
    programs = page.locator("details.program")
    assert programs.count() == 5
    assert page.locator("details.program[open]").count() == 0
    assert page.locator(f"details.program {PICTURES}:visible").count() == 0
    page.locator("#f-memory details.programs > summary").click()
    programs.nth(2).locator("summary").first.click()
    assert page.locator("details.program[open]").count() == 1
    assert page.locator("details.program[open] table").first.is_visible()


def test_values_behind_bars_are_whole(show: Opener, report: Path) -> None:
    page = unfold(show(report))
    sizes = page.evaluate(
        "() => [...document.querySelectorAll('#fig-compute_peak-0 .bar-value')].map((each) =>"
        " [each, each.ownerSVGElement].map((one) => one.getBoundingClientRect().right))"
    )
    assert len(sizes) == 4
    assert all(end <= edge for end, edge in sizes)


@pytest.mark.parametrize("width", [1000, 1280, 1920])
def test_no_text_of_a_figure_is_cut_or_lies_over_another(
    show: Opener, report: Path, width: int
) -> None:
    page = unfold(show(report, width=width))
    assert misplaced_texts(page) == []
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER_WIDTH, "height": 900})
    assert page.locator(f"{PICTURES}:visible").count() == 9
    assert misplaced_texts(page) == []


def test_texts_are_no_wider_than_was_assumed_for_paper(show: Opener, report: Path) -> None:
    page = unfold(show(report, scripts=False))
    texts = page.evaluate(
        "() => [...document.querySelectorAll('.picture > svg text')].map((each) => "
        "[each.getAttribute('class') || 'tick', each.firstChild.data, "
        "each.getComputedTextLength()])"
    )
    assert len(texts) > 100
    assert [text for css, text, width in texts if width > text_width(text, css) + 0.5] == []


@pytest.mark.parametrize("width", [1200, 400])
def test_the_page_is_as_wide_as_the_window(show: Opener, report: Path, width: int) -> None:
    page = show(report, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    unfold(page)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.set_viewport_size({"width": 700, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") == 700


def test_tables_sort_both_ways(show: Opener, report: Path) -> None:
    page = unfold(show(report))
    heading = page.locator("#t-memory_stream thead th", has_text="median")

    def medians() -> list[float]:
        cells = page.locator("#t-memory_stream tbody tr td[data-c*='B/s']")
        return [float((cell.get_attribute("data-c") or "nan").split()[0]) for cell in cells.all()]

    assert medians() != sorted(medians())
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert medians() == sorted(medians())
    heading.locator("button").press("Enter")
    assert heading.get_attribute("aria-sort") == "descending"
    assert medians() == sorted(medians(), reverse=True)
    assert page.locator("#live").inner_text() == "Sorted by median, descending"


def test_long_tables_unfold_filter_and_copy(show: Opener, report: Path) -> None:
    page = unfold(show(report))
    table = page.locator("#t-compute_vector_kernels")
    details = page.locator("details.table", has=table)
    details.locator("> summary").click()
    assert table.locator("tbody tr").count() == 40
    details.locator("button.unfold").click()
    page.wait_for_selector("#t-compute_vector_kernels tbody tr:nth-child(2173)", state="attached")
    details.locator("input[type=search]").fill("axpy indirect derived")
    assert table.locator("tbody tr:visible").count() == 1
    details.locator("input[type=search]").fill("")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    details.locator("button.copy").click()
    page.wait_for_selector("button.copy:has-text('Copied')")
    lines = page.evaluate("navigator.clipboard.readText()").strip().split("\n")
    assert len(lines) == 2174
    assert {line.count("\t") for line in lines} == {lines[0].count("\t")}
    assert "median\tunit\tci_low\tci_high" in lines[0]


def test_evidence_opens_what_it_points_to(show: Opener, report: Path) -> None:
    page = show(report)
    page.locator("#findings .evidence a").first.click()
    page.wait_for_function("() => document.querySelector('details.table:has(:target)')?.open")
    assert page.locator("tr:target").is_visible()
    # A row that is only in a packed table is unfolded first.
    hidden = page.evaluate(
        "() => [...document.querySelectorAll('#marked a')]"
        ".map((a) => a.hash).find((hash) => !document.querySelector(hash))"
    )
    page.locator("details.table:has(#marked) > summary").click()
    page.locator(f"#marked a[href='{hidden}']").click()
    page.wait_for_selector(f"{hidden}:target", state="visible")


def test_colours_follow_the_system_and_the_button(show: Opener, report: Path) -> None:
    def paper(page: Page) -> str:
        return str(page.evaluate("() => getComputedStyle(document.body).backgroundColor"))

    def first_line(page: Page) -> str:
        line = page.locator("#fig-messages_pingpong-0 .marks .curve").first
        return str(line.evaluate("(each) => getComputedStyle(each).stroke"))

    light, dark = unfold(show(report)), unfold(show(report, scheme="dark"))
    assert paper(light) != paper(dark)
    assert first_line(light) != first_line(dark)
    light.locator("#theme").click()
    assert paper(light) == paper(dark)
    assert first_line(light) == first_line(dark)
    dark.emulate_media(color_scheme="light")
    assert paper(dark) != paper(light)


def test_paper_shows_figures_and_what_is_open(show: Opener, report: Path, tmp_path: Path) -> None:
    page = show(report)
    page.get_by_role("button", name="Unfold all").click()
    printed = page.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True)
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") >= 8
    page.emulate_media(media="print")
    assert page.locator(f"{PICTURES}:visible").count() == 9
    assert page.locator("nav.top").is_hidden()
    assert page.locator("button.copy:visible").count() == 0
    assert page.locator("#plan").is_visible()


def test_without_scripts_the_page_is_complete(show: Opener, report: Path) -> None:
    page = unfold(show(report, scripts=False))
    assert page.locator(f"{PICTURES}:visible").count() == 9
    assert page.locator("button.copy:visible").count() == 0
    assert page.locator("#t-memory_stream tbody tr").count() == 12
    assert count_colours(page.screenshot()) > 50


def test_keyboard_reaches_the_report_first(show: Opener, report: Path) -> None:
    page = show(report)
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    headings = page.locator("h1, h2, h3, h4").evaluate_all(
        "(all) => all.map((each) => Number(each.tagName[1]))"
    )
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(headings))

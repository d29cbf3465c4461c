"""The map of nodes in a real browser: legible, in both colours, on paper, with its table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.report.page import write_report
from tests.end_to_end.browser.conftest import misplaced_texts
from tests.unit.analyse.nodes.cluster import Cluster, evaluate, names

if TYPE_CHECKING:
    from tests.end_to_end.browser.conftest import Opener

pytestmark = pytest.mark.browser

PAPER_HEIGHT = 1017
"""What the margins leave of A4 [px]."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nodes") / "report.html"
    hosts = names(64)
    cluster = Cluster([hosts[:48], hosts[48:]], n_programs=60, speed={"n17": 0.5})
    write_report(evaluate(cluster), path, machine_rows=())
    return path


def test_the_map_is_legible(show: Opener, report: Path) -> None:
    page = show(report)
    assert misplaced_texts(page) == []
    picture = page.locator("#fig-nodes-map svg")
    assert picture.is_visible()
    sizes = picture.locator("text").evaluate_all(
        "(all) => all.map((each) => parseFloat(getComputedStyle(each).fontSize))"
    )
    box = picture.bounding_box()
    assert box is not None
    assert min(sizes) * box["width"] / 760 >= 11.0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fields_that_stand_out_contrast_with_those_that_do_not(
    show: Opener, report: Path, scheme: str
) -> None:
    page = show(report, scheme=scheme)
    light = {
        name: page.locator(f"#fig-nodes-map .{name}").first.evaluate(_LUMINANCE)
        for name in ("d0", "d4", "d7")
    }
    for strong in ("d0", "d7"):
        high, low = max(light[strong], light["d4"]), min(light[strong], light["d4"])
        assert (high + 0.05) / (low + 0.05) >= 3.0  # WCAG 2.1, 1.4.11


def test_the_table_behind_it_is_sorted_by_keyboard(show: Opener, report: Path) -> None:
    page = show(report)
    page.locator("summary", has_text="Every node").press("Enter")
    heading = page.locator("#node-table thead button", has_text="median of its speeds")
    heading.press("Enter")
    first = page.locator("#node-table tbody tr").first
    assert first.locator("th").inner_text() == "n17"


def test_the_map_fits_a_page_of_paper(show: Opener, report: Path) -> None:
    page = show(report, width=695)
    page.emulate_media(media="print")
    box = page.locator("#fig-nodes-map").bounding_box()
    assert box is not None
    assert box["height"] <= PAPER_HEIGHT


_LUMINANCE = """
(field) => {
  const fill = getComputedStyle(field).fill.match(/[\\d.]+/g);
  const parts = fill.slice(0, 3).map((each) => each / 255);
  const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
"""

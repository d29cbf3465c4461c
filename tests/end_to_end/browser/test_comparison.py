"""The comparison of two runs in a real browser with the network cut."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.report.page import write_comparison
from tests.unit.report.sample_comparison import make_marked_comparison
from tests.unit.report.sample_statements import make_comparison

if TYPE_CHECKING:
    from collections.abc import Callable

    from heorot.model.analysis.comparison import Comparison
    from tests.end_to_end.browser.conftest import Opener

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("width", [1280, 1920])
@pytest.mark.parametrize("make", [make_comparison, make_marked_comparison])
def test_no_column_is_cut(
    show: Opener, tmp_path: Path, make: Callable[[], Comparison], width: int
) -> None:
    path = tmp_path / "comparison.html"
    write_comparison(make(), path)
    page = show(path, width=width)
    for summary in page.locator("details > summary").all():
        summary.click()
    cut = page.evaluate(
        "() => [...document.querySelectorAll('.table-scroll')]"
        ".filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel)"
    )
    assert cut == []


def test_comparison_opens_too(show: Opener, tmp_path: Path) -> None:
    path = tmp_path / "comparison.html"
    write_comparison(make_comparison(), path)
    page = show(path)
    assert page.locator("#groups svg.ratio").count() == 5
    page.locator("#groups thead th", has_text="ratio").first.locator("button").click()
    assert page.locator("#groups tbody tr").first.inner_text().startswith("memory/stream")
    assert page.evaluate("document.documentElement.scrollWidth") == 1200

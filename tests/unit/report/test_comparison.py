"""The page of a comparison: no verdict on disturbed rows without its mark, nothing hidden."""

from __future__ import annotations

import re

import pytest

from heorot.report.comparison import format_comparison
from tests.unit.report.sample_comparison import make_marked_comparison
from tests.unit.report.sample_statements import make_comparison


@pytest.fixture(scope="module")
def page() -> str:
    return format_comparison(make_marked_comparison())


def text_of(page: str, identifier: str) -> list[str]:
    """The rows of a table as text, cells divided by bars."""
    body = page.partition(f'<table id="{identifier}"')[2].partition("</table>")[0]
    rows = re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    return [re.sub(r"<[^>]+>", "", re.sub(r"</t[dh]>", "|", row)) for row in rows]


def test_what_differs_stands_on_top(page: str) -> None:
    top = page.partition("</header>")[0]
    assert "Differs besides the machine: compiler (GNU 12.2.0 / GNU 13.1.0), flags." in top
    assert any("-O3 -march=native|-O2 &lt;b&gt;|" in row for row in text_of(page, "differences"))


def test_rows_say_what_differs_and_which_side_was_disturbed(page: str) -> None:
    rows = text_of(page, "differing")
    stream = [row for row in rows if row.startswith("memory/stream")]
    others = [row for row in rows if row.startswith("messages/pingpong")]
    assert stream
    assert others
    assert all("|worse (B disturbed); compiler, flags|" in row for row in stream)
    assert all("|better; compiler, flags|" in row for row in others)


def test_no_verdict_on_disturbed_rows_stands_without_its_mark(page: str) -> None:
    n = sum(metric.benchmark == "memory/stream" for metric in make_comparison(2).metrics)
    assert f"{n} worse ({n} disturbed)" in page.partition("</header>")[0]
    assert re.search(rf"memory/stream is \d\.\d % worse \({n} of {n} disturbed\): ratio", page)
    (group,) = [row for row in text_of(page, "groups") if row.startswith("memory/stream")]
    assert f"|worse ({n} of {n} disturbed)|" in group


def test_what_was_not_compared_is_listed_by_reason_with_its_layout(page: str) -> None:
    assert "<summary>Only in second: 2</summary>" in page
    assert "npb/ep 1x8x1 (2)" in page
    assert "<summary>Not the same work: 1</summary>" in page
    assert "<code>npb/ep:B</code>: operations 1 / 2" in page
    assert "Several cases" not in page


def test_marks_are_copied_beside_the_verdict(page: str) -> None:
    assert 'data-c="worse (B disturbed)\tcompiler, flags"' in page


def test_without_marks_nothing_is_said_of_them() -> None:
    page = format_comparison(make_comparison(2))
    assert "Differs besides" not in page
    assert "disturbed)" not in page
    assert any("|better|" in row for row in text_of(page, "differing"))

"""The page of a comparison: no verdict on disturbed rows without its mark, nothing hidden."""

from __future__ import annotations

import re

import pytest

from heorot.model.analysis.comparison import Comparison
from heorot.model.analysis.disturbance import Disturbances
from heorot.report.comparison import format_comparison
from heorot.report.sections.difference import say
from tests.unit.report.sample_comparison import make_marked_comparison, make_untested_comparison
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
    verdict = page.partition('id="verdict"')[2].partition("</section>")[0]
    assert re.search(rf"{n} of \d+ metrics compared rest on disturbed samples\.", verdict)
    assert re.search(r"Conclude nothing about memory/stream \(ratio 0\.\d+ \[[^]]+\]\)", verdict)
    assert "B is worse in" not in verdict
    (group,) = [row for row in text_of(page, "groups") if row.startswith("memory/stream")]
    assert f"|worse ({n} of {n} disturbed)|" in group


def test_what_was_not_compared_is_listed_by_reason_with_its_layout(page: str) -> None:
    assert "<summary>Only in second: 2</summary>" in page
    assert "npb/ep 1x8x1 (2)" in page
    assert "<summary>Not the same work: 1</summary>" in page
    assert "<code>npb/ep:B:ep[]:rate@1x8x1/gnu-12</code>: operations 1 / 2" in page
    assert "Several cases" not in page


def test_marks_are_copied_beside_the_verdict(page: str) -> None:
    assert 'data-c="worse (B disturbed)\tcompiler, flags"' in page


def test_without_marks_nothing_is_said_of_them() -> None:
    page = format_comparison(make_comparison(2))
    assert "Differs besides" not in page
    assert "disturbed)" not in page
    assert any("|better|" in row for row in text_of(page, "differing"))


def test_what_was_not_tested_has_a_ratio_and_says_that_its_interval_is_unknown() -> None:
    comparison = make_untested_comparison()
    page = format_comparison(comparison)
    n = len(comparison.metrics)
    assert f"{n} untested" in page.partition("</header>")[0]
    assert "<li>B: source &lt;b&gt; of [bold]1994[/]</li>" in page
    assert "No program was tested." in page
    rows = [row for row in text_of(page, "differing") if "untested" in row]
    assert len(rows) == n
    for row in rows:
        assert "interval unknown|" in row
        assert "\nunknown|" in row
        note = "interval of B unknown; a note [/] of &lt;i&gt;somebody&lt;/i&gt;"
        assert f"|untested ({note})|not tested" in row
        assert "nan" not in row
        assert "None" not in row
    assert verdict_of(comparison) == [
        f"The interval of one side is unknown for {n} metrics: no verdict.",
        f"Of {n} metrics: 0 worse, 0 better, 0 indistinguishable, {n} untested.",
    ]


def verdict_of(comparison: Comparison) -> list[str]:
    return [text for text, _ in say(comparison)]


def test_the_verdict_says_what_changed_by_how_much_and_what_stayed() -> None:
    worse, better, stayed, tally = verdict_of(make_comparison(2))
    assert re.match(
        r"B is worse in memory/stream by \d\.\d % \(ratio 0\.9\d+ \[.*\] over 12", worse
    )
    assert worse.count("by ") == 1
    assert better.startswith("B is better in messages/pingpong by ")
    assert stayed.startswith("B cannot be told from A in compute/peak, compute/vector_kernels and ")
    assert re.fullmatch(r"Of \d+ metrics: 12 worse, \d+ better, \d+ indistinguishable\.", tally)


def test_a_verdict_against_its_interval_gives_the_reason_everywhere() -> None:
    plain = make_comparison(2)
    lacking = {
        "geometric_mean_ratio": 0.370,
        "low": 0.239,
        "high": 0.574,
        "verdict": "indistinguishable",
        "lacks": "p = 0.03 after adjustment, 0.02 would be needed",
    }
    groups = tuple(
        group.model_copy(update=lacking if group.name == "memory/stream" else {})
        for group in plain.groups
    )
    comparison = plain.model_copy(update={"groups": groups})
    reason = "memory/stream (ratio 0.370 [0.239, 0.574], but p = 0.03 after adjustment"
    assert any(reason in text for text in verdict_of(comparison))
    (row,) = [
        row
        for row in text_of(format_comparison(comparison), "groups")
        if row.startswith("memory/stream")
    ]
    assert "|indistinguishable (p = 0.03 after adjustment, 0.02 would be needed)|" in row


def test_the_verdict_on_many_programs_is_short() -> None:
    plain = make_comparison(2)
    worse = next(group for group in plain.groups if group.verdict == "worse")
    groups = tuple(worse.model_copy(update={"name": f"a/p{n}"}) for n in range(60))
    texts = verdict_of(plain.model_copy(update={"groups": groups}))
    assert len(texts) == 2
    assert texts[0].endswith("and 56 more.")


def test_nothing_in_common_is_no_verdict() -> None:
    assert say(make_comparison(2).model_copy(update={"metrics": (), "groups": ()})) == []


def test_a_run_that_was_disturbed_throughout_decides_nothing() -> None:
    heavy = Disturbances(n_launches=51, n_disturbed=47, n_repeated=2, n_results=422, n_spoilt=51)
    light = Disturbances(n_launches=51, n_disturbed=3, n_repeated=3, n_results=422)
    plain = make_comparison(2)
    first, *_ = verdict_of(plain.model_copy(update={"disturbances": (light, heavy)}))
    assert first == (
        "Run A: 3 of 51 launches were disturbed, 3 of them repeated undisturbed; every measured "
        "result rests on undisturbed samples; run B: 47 of 51 launches were disturbed, 2 of them "
        "repeated undisturbed; 51 of 422 measured results rest on disturbed samples. Conclude "
        "nothing from this comparison before measuring again."
    )
    first, *_ = verdict_of(plain.model_copy(update={"disturbances": (light, light)}))
    assert "Conclude nothing" not in first

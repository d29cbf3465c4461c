"""The page of a comparison: no verdict on perturbed rows without its mark, nothing hidden."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from heorot.model.analysis.comparison import Comparison
from heorot.model.analysis.disturbance import Disturbances
from heorot.report.comparison import format_comparison
from heorot.report.sections.difference import say
from tests.unit.report.sample_comparison import make_marked_comparison, make_untested_comparison
from tests.unit.report.sample_statements import make_comparison
from tests.unit.report.screens.sentences import excess


@pytest.fixture(scope="module")
def page() -> str:
    return format_comparison(make_marked_comparison())


def text_of(page: str, identifier: str) -> list[str]:
    """The rows of a table as text, cells divided by bars."""
    body = page.partition(f'<table id="{identifier}"')[2].partition("</table>")[0]
    rows = re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    return [re.sub(r"<[^>]+>", "", re.sub(r"</t[dh]>", "|", row)) for row in rows]


def test_that_builds_differ_stands_on_the_first_screen(page: str) -> None:
    assert '<span class="warn">differs: compiler, flags</span>' in first_screen(page)
    assert any("-O3 -march=native|-O2 &lt;b&gt;|" in row for row in text_of(page, "differences"))


def test_rows_say_what_differs_and_which_side_was_disturbed(page: str) -> None:
    rows = text_of(page, "differing")
    stream = [row for row in rows if row.startswith("memory/stream")]
    others = [row for row in rows if row.startswith("messages/pingpong")]
    assert stream
    assert others
    assert all("|worse (B perturbed); compiler, flags|" in row for row in stream)
    assert all("|better; compiler, flags|" in row for row in others)


def test_no_verdict_on_disturbed_rows_stands_without_its_mark(page: str) -> None:
    n = sum(metric.benchmark == "memory/stream" for metric in make_comparison(2).metrics)
    first = first_screen(page)
    assert re.search(rf"{n} of \d+ metrics rest on perturbed samples\.", first)
    assert "times A; perturbed samples decide it." in first
    verdict = page.partition('id="verdict"')[2].partition("</section>")[0]
    assert re.search(
        r"Perturbed samples decide memory/stream \(0\.\d+ .* times A\): measure", verdict
    )
    assert "B is worse at" not in verdict
    (group,) = [row for row in text_of(page, "groups") if row.startswith("memory/stream")]
    assert f"|worse ({n} of {n} perturbed)|" in group


def test_what_was_not_compared_is_listed_by_reason_with_its_layout(page: str) -> None:
    assert "<summary>Only in second: 2</summary>" in page
    assert "npb/ep 1x8x1 (2)" in page
    assert "<summary>Not the same work: 1</summary>" in page
    assert "<code>npb/ep:B:ep[]:rate@1x8x1/gnu-12</code>: operations 1 / 2" in page
    assert "Several cases" not in page


def test_marks_are_copied_beside_the_verdict(page: str) -> None:
    assert 'data-c="worse (B perturbed)\tcompiler, flags"' in page


def test_without_marks_nothing_is_said_of_them() -> None:
    page = format_comparison(make_comparison(2))
    assert "builds not recorded" in first_screen(page)
    assert "perturbed)" not in page
    assert any("|better|" in row for row in text_of(page, "differing"))


def test_what_was_not_tested_has_a_ratio_and_says_that_its_interval_is_unknown() -> None:
    comparison = make_untested_comparison()
    page = format_comparison(comparison)
    n = len(comparison.metrics)
    assert f"{n} of {n} metrics have no interval on one side" in first_screen(page)
    assert "<li>B: source &lt;b&gt; of [bold]1994[/]</li>" in page
    assert "No program was tested." in page
    rows = [row for row in text_of(page, "differing") if "untested" in row]
    assert len(rows) == n
    for row in rows:
        assert "interval unknown|" in row
        assert "\nunknown|" in row
        note = "interval of B unknown; a note [/] of &lt;i&gt;a user&lt;/i&gt;"
        assert f"|untested ({note})|not tested" in row
        assert "nan" not in row
        assert "None" not in row
    assert verdict_of(comparison) == [
        f"{n} metrics without an interval on one side: no verdict.",
    ]


def first_screen(page: str) -> str:
    """The first screen, its numbers bound to their units by plain blanks."""
    own = page.partition('<section id="summary"')[2].partition("</section>")[0]
    return own.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")


def verdict_of(comparison: Comparison) -> list[str]:
    return [text for text, _ in say(comparison)]


def test_the_verdict_says_what_changed_by_how_much_and_what_stayed() -> None:
    worse, better, stayed = verdict_of(make_comparison(2))
    assert re.fullmatch(
        r"B is worse at memory/stream \(0\.9\d+ \[0\.\d+, 0\.\d+\] times A\)\.", worse
    )
    assert better.startswith("B is better at messages/pingpong (")
    assert stayed.startswith("B does not differ significantly from A at compute/peak, compute/")
    page = format_comparison(make_comparison(2))
    assert re.search(r"<b>12</b> <span class=.unit.>of \d+", first_screen(page))


def test_a_verdict_against_its_interval_is_named_and_the_table_has_the_reason() -> None:
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
    undecided = "Too few launches to decide memory/stream (0.370 [0.239, 0.574] times A)."
    assert undecided in verdict_of(comparison)
    (row,) = [
        row
        for row in text_of(format_comparison(comparison), "other-groups")
        if row.startswith("memory/stream")
    ]
    assert "|indistinguishable (p = 0.03 after adjustment, 0.02 would be needed)|" in row


def test_the_verdict_on_many_programs_is_short() -> None:
    plain = make_comparison(2)
    worse = next(group for group in plain.groups if group.verdict == "worse")
    groups = tuple(worse.model_copy(update={"name": f"a/p{n}"}) for n in range(60))
    texts = verdict_of(plain.model_copy(update={"groups": groups}))
    (text,) = texts
    assert text.endswith(", a/p1, a/p2 and 57 more.")
    assert not excess(text)


def test_nothing_in_common_is_no_verdict() -> None:
    assert say(make_comparison(2).model_copy(update={"metrics": (), "groups": ()})) == []


def test_a_run_that_was_disturbed_throughout_decides_nothing() -> None:
    heavy = Disturbances(n_launches=51, n_disturbed=47, n_repeated=2, n_results=422, n_spoilt=51)
    light = Disturbances(n_launches=51, n_disturbed=3, n_repeated=3, n_results=422)
    plain = make_comparison(2)
    noisy = plain.model_copy(update={"disturbances": (light, heavy)})
    first, *_ = verdict_of(noisy)
    assert first == "Most launches of run B were perturbed: conclude nothing."
    page = first_screen(format_comparison(noisy))
    assert "A: 3 of 51 launches perturbed, 3 repeated" in page
    assert "B: 47 of 51 launches perturbed, 2 repeated" in page
    assert "Most launches of B were perturbed: measure again." in page
    first, *_ = verdict_of(plain.model_copy(update={"disturbances": (light, light)}))
    assert "conclude nothing" not in first


@pytest.mark.parametrize("make", [make_marked_comparison, make_untested_comparison])
def test_sentences_of_the_verdict_are_short(make: Callable[[], Comparison]) -> None:
    for comparison in (make(), make_comparison(2)):
        texts = verdict_of(comparison)
        assert len(texts) <= 7
        assert [text for text in texts if excess(text)] == []


def test_no_metric_stands_on_the_page_twice() -> None:
    page = format_comparison(make_comparison(2))
    differing, alike = text_of(page, "differing")[1:], text_of(page, "everything")[1:]
    assert differing
    assert alike
    assert not {*differing} & {*alike}

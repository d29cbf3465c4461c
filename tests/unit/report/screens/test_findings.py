"""Many findings of one kind are shown as one, and none is lost."""

from __future__ import annotations

import re

from heorot.model.analysis.result import Finding, Severity
from heorot.report.page import format_report
from heorot.report.screens.findings import group_findings
from heorot.report.screens.first_screen import heaviest
from tests.unit.report.samples import MACHINE_ROWS, make_evaluation


def finding(kind: str, text: str, severity: Severity = "warning") -> Finding:
    return Finding(kind=kind, text=text, severity=severity)


def shown(*findings: Finding) -> list[tuple[int, str, int]]:
    return [(one.number, one.text, len(one.members)) for one in group_findings(findings)]


def test_three_of_a_kind_stand_apart_and_four_together() -> None:
    three = [finding("run/late", f"late {i}") for i in range(3)]
    assert [text for _, text, _ in shown(*three)] == ["late 0", "late 1", "late 2"]
    many = [*three, finding("run/late", "late 3")]
    assert shown(*many) == [(0, "late 0, and 3 more of this kind", 4)]


def test_the_most_severe_of_a_kind_comes_first_and_gives_the_group_its_place() -> None:
    findings = [
        *(finding("run/late", f"late {i}") for i in range(3)),
        finding("run/other", "other"),
        finding("run/late", "late and wrong", "error"),
    ]
    assert shown(*findings) == [
        (4, "late and wrong, and 3 more of this kind", 4),
        (3, "other", 1),
    ]


def test_findings_without_a_kind_are_never_put_together() -> None:
    assert len(shown(*(finding("", f"f{i}") for i in range(9)))) == 9


def test_the_first_screen_has_room_for_other_kinds() -> None:
    many = [*(finding("a", f"a{i}") for i in range(17)), finding("b", "b0"), finding("c", "c0")]
    found = [(one.text, one.target) for one in heaviest(many)]
    assert found == [
        ("a0, and 16 more of this kind", "finding-0"),
        ("b0", "finding-17"),
        ("c0", "finding-18"),
    ]


def test_the_page_has_each_of_them_behind_one_line() -> None:
    evaluation = make_evaluation(2)
    findings = tuple(finding("a", f"late case {i}", "warning") for i in range(17))
    changed = evaluation.analysis.model_copy(update={"findings": findings})
    page = format_report(
        type(evaluation)(**{**evaluation.__dict__, "analysis": changed}), MACHINE_ROWS
    )
    listed = page.partition('id="findings"')[2].partition("</section>")[0]
    assert len(re.findall("<li ", listed)) == 1
    summary = listed.partition("<summary>")[2].partition("</summary>")[0]
    assert "late case 0, and 16 more of this kind" in summary
    assert all(f"<p>late case {i}" in listed.replace(f' id="finding-{i}"', "") for i in range(17))
    assert all(listed.count(f'id="finding-{i}"') == 1 for i in range(17))

"""The report of sixty programs in nine families on 64 nodes: small, quick, folded, complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.report.page import write_report
from tests.unit.report.many_programs import N_PROGRAMS, TITLES, make_cluster_evaluation
from tests.yardstick import processor_time

pytestmark = pytest.mark.slow


def test_sixty_programs_make_a_page_that_can_be_mailed_and_read(tmp_path: Path) -> None:
    evaluation = make_cluster_evaluation()
    path = tmp_path / "report.html"
    with processor_time(5.0):
        write_report(evaluation, path, machine_rows=())
    assert path.stat().st_size <= 4_000_000
    text = path.read_text()
    assert text.count('<details class="program"') == N_PROGRAMS
    assert '<details class="program" open' not in text
    for number, title in enumerate(TITLES):
        assert f'<section id="f-family{number}"' in text
        assert f">{title}</h2>" in text
    assert 5 <= len(evaluation.analysis.verdict) <= 10
    said = {sentence.family for sentence in evaluation.analysis.verdict}
    assert said >= {f"family{number}" for number in range(len(TITLES))}

"""Two stored runs, from their directories to the page: what differs and was disturbed is found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from heorot.session.verification import compared
from tests.end_to_end.synthetic_run import write_run
from tests.unit.analyse.builders import QUIET
from tests.unit.analyse.synthesis import Synthesis


@pytest.mark.slow
def test_stored_runs_of_other_sources_cores_and_a_disturbed_program(tmp_path: Path) -> None:
    four, eight = (Synthesis(seed=n, n_samples=8, n_cores=n) for n in (4, 8))
    noisy = QUIET.model_copy(update={"sentinel_after": 2.0})
    eight.series = [
        replace(one, disturbance=noisy) if one.benchmark == "memory/stream" else one
        for one in eight.series
    ]
    write_run(tmp_path / "four", four)
    directory = write_run(tmp_path / "eight", eight)
    directory.write_facts(directory.facts().model_copy(update={"source_digest": "1"}))
    comparison = compared.compare(tmp_path / "four", tmp_path / "eight")
    assert comparison.differs == "sources"
    assert {metric.differs for metric in comparison.metrics} == {("sources",)}
    assert {m.benchmark for m in comparison.metrics if m.disturbed == ("B",)} == {"memory/stream"}
    assert {(row.why, row.setup.layout) for row in comparison.uncompared} == {
        ("only in A", "1x4x1"),
        ("only in A", "1x1x4"),
        ("only in B", "1x8x1"),
        ("only in B", "1x1x8"),
    }
    compared.write_comparison(comparison, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Differs besides the machine: sources." in page
    assert "(6 of 6 disturbed)" in page

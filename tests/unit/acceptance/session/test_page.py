"""The page of an acceptance test: every verdict with its evidence, foreign texts escaped."""

from __future__ import annotations

from pathlib import Path

from heorot.acceptance.report import write_acceptance
from heorot.model.batch.acceptance import STATUSES, WORDS, Acceptance, CheckedJob, Verdict


def test_a_page_has_all_of_it(tmp_path: Path) -> None:
    verdicts = tuple(
        Verdict(
            feature=f"feature-{status}",
            question="Does it?",
            status=status,
            text="it does <b>so</b>",
            evidence=("job 7: <script>",),
            jobs=("7",),
        )
        for status in STATUSES
    )
    jobs = (
        CheckedJob(feature="latency", name="hc1-1", number="7", submitted=1001.0, own_start=1002.5,
                   own_end=1003.0, hosts=("n1", "n2"), nodes=2),
        CheckedJob(feature="latency", name="hc1-2"),
    )  # fmt: skip
    found = Acceptance(
        system="slurm", heorot_version="1", hostname="login", queue="main", nodes=4, begun=1000.0,
        ended=1060.0, policy={"SchedulerType": "sched/backfill"}, verdicts=verdicts, jobs=jobs,
        cleaned=("cancelled job 3",),
    )  # fmt: skip
    page = tmp_path / "acceptance.html"
    write_acceptance(found, page)
    text = page.read_text()
    for verdict in verdicts:
        assert verdict.feature in text
        assert f"Features {WORDS[verdict.status]}</a>" in text
    assert "it does &lt;b&gt;so" in text
    assert "job 7: <script>" not in text
    assert "2.500 s" in text
    assert "sched/backfill" in text
    assert "cancelled job 3" in text
    assert found.code == 1
    first = text.partition('<section id="summary"')[2].partition("</section>")[0]
    assert "feature-failed: it does" in first.partition("Not covered")[0]
    assert "feature-untested: it does" in first.partition("Not covered")[2]
    assert "feature-passed" not in first
    for said in ("1 of 4 features passed.", "Failed: feature-failed.", "Absent: feature-absent."):
        assert f"<p>{said}</p>" in text


def test_no_verdict_is_a_page_too(tmp_path: Path) -> None:
    found = Acceptance(system="pbs", heorot_version="1", begun=1000.0, ended=1000.0)
    write_acceptance(found, tmp_path / "page.html")
    assert "Acceptance test of pbs" in (tmp_path / "page.html").read_text()
    assert found.code == 0

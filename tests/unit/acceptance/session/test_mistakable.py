"""Observations with several possible causes: other users, clocks, lost nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.feature import UntestedError
from heorot.acceptance.session.probe import ProbeJob
from heorot.jobs.facts import QueueState
from heorot.model.batch.acceptance import Verdict
from heorot.model.machine.site import SiteBatch
from heorot.process import Finished
from tests.unit.acceptance.session.pretended.actors import Actor
from tests.unit.acceptance.session.pretended.pretend import Pretend

Judge = Callable[..., Verdict]


def test_others_on_all_nodes_are_no_verdict(judge: Judge, pretend: Pretend, tmp_path: Path) -> None:
    script = tmp_path / "others.sh"
    script.write_text("#!/bin/bash\n#SBATCH --time=9\n#SBATCH --nodelist=n3\nsleep 30\n")
    pretend.send(pretend.dialect.submit(script, "others"), tmp_path)
    pretend.clock.sleep(1.0)
    assert pretend.tasks[0].state == "RUNNING"
    verdict = judge("backfill")
    assert (verdict.status, verdict.text) == ("untested", "other users have n3")


def test_an_unreported_node_is_lost(judge: Judge, pretend: Pretend) -> None:
    pretend.faults.add("forgets a node")
    verdict = judge("nodes-well", before="latency")
    assert verdict.status == "failed"
    assert "n3 is not reported" in verdict.evidence


def test_what_was_seen_counts_although_it_cannot_be_ended(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit = FeatureContext.submit

    def only_two(context: FeatureContext, body: str, **more: Any) -> ProbeJob:
        if body.startswith("kill"):
            raise UntestedError("no more")
        return submit(context, body, **more)

    monkeypatch.setattr(FeatureContext, "submit", only_two)
    verdict = judge("leftovers", "dirty")
    assert verdict.status == "failed", verdict.text


def test_a_clock_that_is_behind_is_reported(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProbeJob, "start", property(lambda _: 1.0))
    verdict = judge("latency")
    assert (verdict.status, "contradicts" in verdict.text) == ("untested", True)


def test_a_node_that_was_lost_is_no_limit(
    judge: Judge, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = QueueState("ended", "node_fail", "NODE_FAIL")
    monkeypatch.setattr(pretend, "account", lambda _job: lost)
    assert "lost its node" in judge("memory-limit").text


def test_memory_that_a_slow_node_has_late_counts(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    have = Actor._have

    def late(actor: Actor) -> Iterator[float]:
        yield 40.0
        yield from have(actor)

    monkeypatch.setattr(Actor, "_have", late)
    verdict = judge("memory-limit", "memory")
    assert (verdict.status, verdict.text) == ("failed", "a job has more memory than it may")


def test_interactive_jobs_have_the_options_of_the_site(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Sequence[str]] = []
    run = Pretend.run

    def note(self: Pretend, words: Sequence[str], seconds: float) -> Finished:
        asked.append(words)
        return run(self, words, seconds)

    monkeypatch.setattr(Pretend, "run", note)
    site = SiteBatch(
        system="slurm", constraint="fast", directives=("--qos=high", "-w 'n1'", "--comment='a")
    )
    monkeypatch.setattr("tests.unit.acceptance.session.conftest.SiteBatch", lambda **_: site)
    assert judge("interactive").status == "passed"
    assert {"--constraint=fast", "--qos=high", "-w", "n1", "--comment='a"} <= set(asked[0])


def test_a_command_that_hangs_is_no_verdict(
    judge: Judge, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    hung = Finished(124, "", "")
    run = pretend.run

    def answer(words: Any, seconds: float) -> Finished:
        return hung if "exit" in words[-1] else run(words, seconds)

    monkeypatch.setattr(pretend, "run", answer)
    verdict = judge("interactive")
    assert (verdict.status, "no answer came" in verdict.text) == ("untested", True)

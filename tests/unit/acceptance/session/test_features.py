"""Each feature of a batch system passes if it works, and does not if it is broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.model.batch.acceptance import FeatureStatus, Verdict
from tests.unit.acceptance.session.pretended.pretend import Pretend

Judge = Callable[..., Verdict]

SOUND = (
    "latency",
    "rates",
    "exit-codes",
    "environment",
    "output",
    "cancel",
    "hold",
    "dependency",
    "arrays",
    "time-limit",
    "memory-limit",
    "backfill",
    "priority",
    "node-sharing",
    "odd-shape",
    "exclusive",
    "leftovers",
    "node-failure",
    "drain",
    "nodes-well",
    "interactive",
    "queues",
    "reasons",
)
# Feature, fault, resulting status, and a part of the text.
BROKEN: tuple[tuple[str, str, FeatureStatus, str], ...] = (
    ("exit-codes", "codes", "failed", "reported wrongly"),
    ("exit-codes", "silent", "failed", "does not report"),
    ("environment", "environment", "failed", "did not arrive"),
    ("output", "output", "failed", "missing"),
    ("cancel", "survivors", "failed", "still runs"),
    ("cancel", "silent", "failed", "not reported as cancelled"),
    ("hold", "hold", "failed", "was submitted held, and started"),
    ("dependency", "dependency", "failed", "started before"),
    ("arrays", "arrays", "failed", "did not run each"),
    ("time-limit", "time", "failed", "after its limit"),
    ("time-limit", "wrong state", "failed", "reported otherwise"),
    ("time-limit", "still running", "failed", "reported otherwise"),
    ("memory-limit", "memory", "failed", "more memory than it may"),
    ("backfill", "no backfill", "failed", "does not overtake"),
    ("priority", "priority", "absent", "order of submission"),
    ("priority", "last first", "failed", "another order"),
    ("node-sharing", "cores", "failed", "share cores"),
    ("node-sharing", "fewer cpus", "failed", "fewer processors"),
    ("odd-shape", "hosts", "failed", "got 1"),
    ("odd-shape", "fewer cpus", "failed", "got 5"),
    ("exclusive", "exclusive", "failed", "had exclusively"),
    ("leftovers", "dirty", "failed", "leaves behind: the file in"),
    ("node-failure", "blind", "failed", "still reported to run"),
    ("node-failure", "requeue", "failed", "does not begin again"),
    ("drain", "drain kills", "failed", "affected"),
    ("reasons", "hold", "failed", "not reported as pending"),
    ("reasons", "mute about reasons", "absent", "without a reason"),
    ("unlike-nodes", "", "failed", "does not start"),
    ("cancel", "cancel refused", "failed", "could not be cancelled: Access denied"),
    ("cancel", "ghosts", "failed", "a waiting job that was cancelled is not gone"),
    ("arrays", "again", "failed", "did not run each"),
    ("queues", "queue limit", "failed", "longer than its queue allows starts"),
    ("arrays", "held task", "untested", "tasks 1, 3 ran, and the others wait"),
    ("hold", "held jobs run", "failed", "was submitted held, and started"),
    ("hold", "release refused", "failed", "could not be released"),
    ("hold", "hold refused", "failed", "could not be held"),
    ("hold", "late hold", "failed", "was held while queued, and started"),
    ("dependency", "ok means any", "failed", "depends on the success"),
    ("time-limit", "early", "failed", "before its limit"),
    ("backfill", "wide waits", "failed", "started late"),
    ("node-sharing", "whole nodes", "passed", "nodes to themselves"),
    ("node-failure", "requeue held", "failed", "did not begin again"),
    ("node-failure", "drain refused", "untested", "cannot be declared dead"),
    ("drain", "drain refused", "untested", "cannot be drained"),
    ("drain", "drain ignored", "failed", "started on a drained node"),
    ("interactive", "interactive", "failed", "ended with 5, and 0 came back"),
    ("latency", "stopped", "untested", "did not start"),
    ("fair-share", "", "absent", "does not count"),
)

# Interval of the scheduler, 0 for none [s], and maximum number of starts in one cycle.
LATE = ((0.0, 1000), (10.0, 1000), (30.0, 1000), (10.0, 1))


@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize("name", SOUND)
def test_what_works_passes(
    judge: Judge, pretend: Pretend, name: str, late: tuple[float, int]
) -> None:
    pretend.machine.round_seconds, pretend.machine.at_once = late
    verdict = judge(name)
    assert (verdict.status, verdict.text) == ("passed", verdict.text), verdict.evidence
    assert verdict.text
    assert verdict.seconds > 0.0 or not verdict.jobs


@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize(("name", "fault", "status", "said"), BROKEN)
def test_what_is_broken_is_reported(
    judge: Judge,
    pretend: Pretend,
    name: str,
    fault: str,
    status: FeatureStatus,
    said: str,
    late: tuple[float, int],
) -> None:
    pretend.machine.round_seconds, pretend.machine.at_once = late
    if fault == "queue limit":
        pretend.settings["limits"] = "yes"
    verdict = judge(name, fault)
    assert verdict.status == status, (verdict.text, verdict.evidence)
    assert said in verdict.text


# The batch system starts no waiting job after the first job of the feature.
WAITING = ("cancel", "hold", "dependency", "arrays", "queues", "reasons", "node-sharing",
           "exclusive", "drain", "node-failure", "unlike-nodes")  # fmt: skip


@pytest.mark.parametrize("name", WAITING)
def test_silence_is_no_verdict(judge: Judge, pretend: Pretend, name: str) -> None:
    pretend.settings["limits"] = "yes"
    only = "stopped" if name in {"hold", "queues", "unlike-nodes"} else "one only"
    verdict = judge(name, only, "queue limit")
    assert verdict.status == "untested", (verdict.text, verdict.evidence)
    assert "which was due, did not start within" in verdict.text


def test_a_short_job_has_waited_little_where_all_begin_late(judge: Judge, pretend: Pretend) -> None:
    pretend.machine.round_seconds = 60.0
    verdict = judge("backfill", "no backfill")
    assert (verdict.status, "which is not long" in verdict.text) == ("untested", True)


def test_nothing_is_compared_on_one_node(judge: Judge, pretend: Pretend) -> None:
    pretend.drained |= dict.fromkeys(("n1", "n2"), "broken")
    for name in ("exclusive", "node-sharing", "drain"):
        assert judge(name).text == "there is no node but n3 to compare with"


@pytest.mark.parametrize(
    ("fault", "status"),
    [("", "passed"), ("no accounts", "absent"), ("lost account", "failed"),
     ("wrong clock", "failed"), ("late accounts", "passed"), ("dumb accounts", "untested")],
)  # fmt: skip
def test_accounts_are_held_against_clocks(judge: Judge, fault: str, status: FeatureStatus) -> None:
    verdict = judge("accounting", fault, before="latency")
    assert verdict.status == status, (verdict.text, verdict.evidence)


def test_accounts_of_no_jobs_are_none(judge: Judge) -> None:
    assert judge("accounting").status == "untested"


def test_backfill_that_is_not_configured_is_absent(judge: Judge, pretend: Pretend) -> None:
    pretend.settings["SchedulerType"] = "sched/builtin"
    verdict = judge("backfill", "no backfill")
    assert verdict.status == "absent"
    assert "SchedulerType is sched/builtin" in verdict.evidence


def test_jobs_are_confined_where_the_queue_has_more_nodes(judge: Judge, pretend: Pretend) -> None:
    assert judge("backfill", granted=2).status == "passed"
    used = {host for task in pretend.tasks for host in task.hosts}
    assert used == {"n1", "n2"}


def test_nodes_that_are_lost_meanwhile_are_reported(judge: Judge, pretend: Pretend) -> None:
    pretend.drained["n3"] = "broken before"
    assert judge("nodes-well").status == "passed"
    assert judge("nodes-well").evidence == ("n3 took no jobs before the check",)


def test_a_limit_of_a_queue_holds(judge: Judge, pretend: Pretend) -> None:
    pretend.settings["limits"] = "yes"
    verdict = judge("queues")
    assert verdict.status == "passed"


def test_one_job_has_unlike_nodes(judge: Judge, pretend: Pretend) -> None:
    pretend.settings["hetero"] = "yes"
    verdict = judge("unlike-nodes")
    assert verdict.status == "passed", verdict.evidence
    assert verdict.evidence == ("job 101, part 0: 2 n1", "job 101, part 1: 1(x2) n2 n3")
    pretend.refusal = "Requested operation not supported on this system"
    assert judge("unlike-nodes").status == "absent"
    assert judge("unlike-nodes", granted=2).status == "untested"


def test_an_epilogue_that_fails_costs_nodes(judge: Judge, pretend: Pretend) -> None:
    verdict = judge("nodes-well", "epilogue", before="latency")
    assert verdict.status == "failed"
    assert "n1: Epilog error" in verdict.evidence
    pretend.drained |= dict.fromkeys(pretend.cores, "broken")
    assert judge("node-sharing").text == "no node is free"
    assert "2 nodes" not in judge("unlike-nodes").text


def test_others_are_not_pushed_aside(judge: Judge, pretend: Pretend, tmp_path: Path) -> None:
    script = tmp_path / "others.sh"
    script.write_text("#!/bin/bash\n#SBATCH --time=9\n#SBATCH --nodelist=n1\nsleep 30\n")
    pretend.drained["n3"] = "broken"
    pretend.send(pretend.dialect.submit(script, "others"), tmp_path)
    pretend.clock.sleep(1.0)
    assert pretend.tasks[0].state == "RUNNING"
    verdict = judge("priority", granted=2)
    assert (verdict.status, verdict.text) == ("untested", "other users have n1")
    assert pretend.cancelled == []


def test_a_node_of_one_core_cannot_be_shared(judge: Judge, pretend: Pretend) -> None:
    pretend.cores |= dict.fromkeys(pretend.cores, 1)
    assert "has one core" in judge("exclusive").text
    assert judge("node-sharing").status == "passed"


def test_fair_shares_that_are_configured_are_reported(judge: Judge, pretend: Pretend) -> None:
    pretend.settings |= {
        "PriorityType": "priority/multifactor",
        "PriorityWeightFairshare": "1000",
    }
    verdict = judge("fair-share")
    assert verdict.status == "passed"
    assert "it was not observed" in verdict.text


def test_a_refusal_is_no_verdict(judge: Judge, pretend: Pretend) -> None:
    pretend.refusal = "Invalid account"
    verdict = judge("output")
    assert verdict.status == "untested"
    assert "Invalid account" in verdict.text


def test_jobs_wait_in_vain_where_no_node_takes_them(judge: Judge, pretend: Pretend) -> None:
    pretend.drained |= dict.fromkeys(pretend.cores, "epilog error")
    verdict = judge("exit-codes")
    assert verdict.status == "untested"

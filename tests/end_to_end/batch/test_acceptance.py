"""The acceptance of a real Slurm, in labs: its working and missing features are distinguished."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from heorot.model.batch.acceptance import Acceptance
from heorot.process import Finished, run
from heorot.session.laboratory import site_file
from tests.end_to_end.labs import slurm_lab
from tests.end_to_end.running import heorot, start
from tests.waiting import wait_until

# A check submits some dozens of jobs to a real batch system and waits for each.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

QUICK = ("latency", "exit-codes", "output", "cancel", "hold", "dependency", "arrays",
         "memory-limit", "backfill", "node-sharing", "odd-shape", "exclusive", "leftovers", "drain",
         "reasons", "nodes-well", "accounting")  # fmt: skip
# Slurm looks at what waits every ten seconds and at no other time.
LATE = "SchedulerParameters=defer,sched_interval=-1,bf_interval=10"
# What each command of a broken system does before the real one; sbatch has the script last.
FAULTS = {
    "sbatch": "sed -i -E '/^#SBATCH --(hold|exclusive)$/d; s/--time=70$/--time=9/' \"${@: -1}\"",
    "scontrol": "[[ $* == *State=DRAIN* ]] && exit 0",
}

Lab = Callable[..., str]


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """Makes labs of three nodes with Slurm; they go with the test."""
    with ExitStack() as labs:

        def make(*options: str) -> str:
            words = ("--nodes", "3", "--cpus", "2", "--shared", tmp_path)
            return labs.enter_context(slurm_lab(*words, *options))

        yield make


def check(lab: str, out: Path, *words: str, cache: Path) -> Finished:
    """Check the batch system of a lab."""
    site = ("--site", f"lab:{lab}", "--yes", "--out", str(out))
    return heorot("batch", "check", *site, *words, XDG_CACHE_HOME=str(cache))


def only(*names: str) -> list[str]:
    """Options that choose features."""
    return [word for name in names for word in ("--only", name)]


def read(out: Path) -> Acceptance:
    """The result of the acceptance."""
    return Acceptance.model_validate(json.loads((out / "acceptance.json").read_text()))


def test_a_good_system_passes(lab: Lab, tmp_path: Path) -> None:
    name = lab("--epilogue", "clean", "--limits", "all")
    out = tmp_path / "good"
    done = check(name, out, *only(*QUICK), cache=tmp_path / "cache")
    found = read(out)
    statuses = {verdict.feature: verdict.status for verdict in found.verdicts}
    assert set(statuses.values()) == {"passed"}, done.out
    assert set(statuses) == set(QUICK)
    assert done.code == 0
    assert "node minutes" in done.err
    page = (out / "acceptance.html").read_text()
    assert "a short job overtakes a wide pending one" in page
    assert all(verdict.jobs for verdict in found.verdicts if verdict.feature == "backfill")
    # Nothing is left, and nothing is kept for a later check.
    commands = site_file(name).parent / "bin"
    assert run([commands / "squeue", "-h"]).out == ""
    assert not list((tmp_path / "cache/heorot/acceptance").iterdir())


def test_a_bad_one_is_told_apart(lab: Lab, tmp_path: Path) -> None:
    name = lab("--epilogue", "broken", "--limits", "time", "--scheduler", "builtin")
    out = tmp_path / "bad"
    chosen = only("leftovers", "unlike-nodes", "fair-share", "exit-codes")
    done = check(name, out, *chosen, cache=tmp_path / "cache")
    verdicts = {verdict.feature: verdict for verdict in read(out).verdicts}
    assert done.code == 1
    assert verdicts["leftovers"].status == "failed"
    assert "the file in /dev/shm, the process" in verdicts["leftovers"].text
    assert verdicts["unlike-nodes"].status == "absent"
    assert verdicts["exit-codes"].status == "passed"


def test_a_broken_one_does_not_pass_because_its_jobs_begin_late(lab: Lab, tmp_path: Path) -> None:
    name = lab("--slurm-conf", LATE)
    commands = site_file(name).parent / "bin"
    for command, fault in FAULTS.items():
        sound = (commands / command).rename(commands / f"{command}.sound")
        (commands / command).write_text(f'#!/bin/bash\n{fault}\nexec {sound} "$@"\n')
        (commands / command).chmod(0o700)
    assert run([commands / "scontrol", "update", "PartitionName=lab", "MaxTime=10"]).ok
    chosen = ("hold", "exclusive", "queues", "drain")
    done = check(name, tmp_path / "late", *only(*chosen), cache=tmp_path / "cache")
    statuses = {v.feature: v.status for v in read(tmp_path / "late").verdicts}
    assert statuses == dict.fromkeys(chosen, "failed"), done.out


def test_an_epilogue_that_fails_costs_the_nodes(lab: Lab, tmp_path: Path) -> None:
    name = lab("--epilogue", "failing")
    out = tmp_path / "failing"
    done = check(name, out, *only("latency", "nodes-well"), cache=tmp_path / "cache")
    verdict = next(v for v in read(out).verdicts if v.feature == "nodes-well")
    assert done.code == 1
    assert verdict.status == "failed"
    assert any("Epilog error" in line for line in verdict.evidence)


def test_a_killed_check_is_cleaned_up_behind(lab: Lab, tmp_path: Path) -> None:
    name = lab()
    commands = site_file(name).parent / "bin"

    def squeue(*words: str) -> str:
        return run([commands / "squeue", "-h", "-o", "%j %T", *words]).out

    other = tmp_path / "other.sh"
    other.write_text("#!/bin/bash\nsleep 300\n")
    assert run([commands / "sbatch", "-n1", "-o", "/dev/null", "--job-name=others", other]).ok
    site = ("--site", f"lab:{name}", "--yes", "--only", "time-limit")
    os.environ["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    try:
        killed = start("batch", "check", *site, "--out", tmp_path / "killed")
    finally:
        del os.environ["XDG_CACHE_HOME"]
    wait_until(lambda: "hc" in squeue("-t", "running"), seen=squeue)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert "hc" in squeue("-t", "running")
    done = check(name, tmp_path / "again", *only("fair-share"), cache=tmp_path / "cache")
    assert "left by an earlier check" in done.err
    wait_until(lambda: "hc" not in squeue(), 20.0, squeue)
    assert squeue() == "others RUNNING\n"
    assert not list((tmp_path / "cache/heorot/acceptance").iterdir())

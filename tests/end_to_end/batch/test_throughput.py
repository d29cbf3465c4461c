"""A throughput test on a real Slurm, with failures of all kinds: final states are correct."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from heorot.lab.storage import directory_of
from tests.end_to_end.labs import slurm_lab
from tests.end_to_end.running import command_line, heorot
from tests.waiting import text_of, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.waiting, pytest.mark.timeout(600)]

JOBS = """
jobs:
  good: {command: [bash, -c, "sleep 1; echo done >result"], output: [result]}
  dies: {command: [bash, -c, "echo no such file >&2; exit 3"]}
  hangs: {command: [sleep, "1000"], time_limit: 3}
  deletes: {command: [bash, -c, "echo x >result; rm result"], output: [result]}
  whole:
    parts:
      - {name: first, command: [sleep, "0.2"]}
      - {name: second, command: ["false"]}
      - {name: third, command: [sleep, "0.2"]}
  victim: {command: [sleep, "300"]}
  doomed: {command: [sleep, "300"], exclusive: true}
  late: {command: [sleep, "0.1"], after: [good]}
  short: {command: ["true"]}
interactive:
  - {name: look, command: [ls, /], think_time: 0.5}
  - {name: login, command: ["true"], think_time: 1, where: job}
"""
SCHEDULE = """# jobs with failures
0: 1 * doomed_run
0: 1 * victim_run
0: 2 * good_run
0: 1 * dies_run
0: 1 * hangs_run
0: 1 * deletes_run
1: 1 * whole_run
1: 1 * late_run
2: 3 * short_run
"""

FATES = {
    "doomed1": "node_fail",
    "victim1": "cancelled",
    "good1": "ok",
    "good2": "ok",
    "dies1": "failed",
    "hangs1": "timeout",
    "deletes1": "failed",
    "whole1": "failed",
    "late1": "ok",
    "short1": "ok",
    "short2": "ok",
    "short3": "ok",
}


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """A lab with Slurm; it goes with the test."""
    with slurm_lab("--nodes", "3", "--cpus", "2", "--shared", tmp_path, nodes_die=True) as name:
        yield name


def _runs(job: Path) -> bool:
    return '"start"' in text_of(job / "status.jsonl")


def _batch(job: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((job / "batch.json").read_text())
    return found


def _begin(lab: str, tmp_path: Path, out: Path) -> None:
    """Begin a throughput test, and kill its conductor once the first jobs run."""
    (tmp_path / "jobs.yaml").write_text(JOBS)
    (tmp_path / "day.schedule").write_text(SCHEDULE)
    words = (
        *("throughput", tmp_path / "day.schedule", "--jobs", tmp_path / "jobs.yaml"),
        *("--site", f"lab:{lab}", "--alone", "0", "--out", out),
    )
    said = tmp_path / "said"
    with said.open("wb") as output:
        first = subprocess.Popen(
            command_line(*words), stdout=output, stderr=output, start_new_session=True
        )
    jobs = [out / "jobs/J0001", out / "jobs/J0002"]
    try:
        wait_until(
            lambda: first.poll() is not None or all(map(_runs, jobs)), 240.0, lambda: text_of(said)
        )
        assert first.poll() is None, text_of(said)
    finally:
        with suppress(ProcessLookupError):  # it has ended by itself, which it should not
            os.killpg(first.pid, signal.SIGKILL)
        first.wait()


def test_every_fate_is_told_though_heorot_is_killed(lab: str, tmp_path: Path) -> None:
    out = tmp_path / "day"
    _begin(lab, tmp_path, out)
    # Without a conductor, another user cancels a job, and a node dies.
    doomed, victim = out / "jobs/J0001", out / "jobs/J0002"
    commands = directory_of(lab) / "bin"
    subprocess.run([commands / "scancel", _batch(victim)["id"]], check=True)
    node = json.loads(doomed.joinpath("status.jsonl").read_text().splitlines()[0])["hosts"][0]
    assert heorot("lab", "kill", "--name", lab, node).ok
    done = heorot("throughput", "--resume", out, timeout_seconds=240.0)
    assert done.code == 1, done.err
    assert "6 of 12 jobs completed" in done.out
    recorded = json.loads((out / "settled.json").read_text())
    assert {job["label"]: job["fate"] for job in recorded["jobs"]} == FATES
    _check_reasons(recorded)
    # No job ran twice.
    for job in recorded["jobs"]:
        status = (out / f"jobs/J{job['serial']:04d}/status.jsonl").read_text()
        assert status.count('"event":"job"') == 1
    answered = [each for each in recorded["responses"] if each["code"] == 0]
    measured = {(each["name"], each["loaded"]) for each in answered}
    assert measured >= {("look", True), ("look", False), ("login", False)}
    page = (out / "report.html").read_text()
    assert "12 jobs" in page
    assert "sched/backfill" in page
    again = heorot("report", out)
    assert (again.code, again.out.strip()) == (1, str(out / "report.html"))


def _check_reasons(recorded: dict[str, Any]) -> None:
    jobs = {job["label"]: job for job in recorded["jobs"]}
    assert jobs["dies1"]["why"] == "exit code 3: no such file"
    assert jobs["deletes1"]["why"] == "it has not written result"
    assert "second: exit code 1" in jobs["whole1"]["why"]
    assert [part["fate"] for part in jobs["whole1"]["parts"]] == ["ok", "failed", "ok"]
    assert jobs["late1"]["own_start"] > jobs["good2"]["own_end"]

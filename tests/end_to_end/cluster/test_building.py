"""Nodes with a processor unknown to compilers build their programs themselves."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from heorot.jobs.facts import read_facts
from tests.end_to_end.cluster.site import Cluster, Run
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.slow,
    pytest.mark.waiting,
    pytest.mark.timeout(600),
]

MODEL = "Heorot Test 9000"
# An unknown vendor, family and model; the processor's features stay.
NUMBERS = {"vendor_id": "HeorotLab", "cpu family": "99", "model": "7", "model name": MODEL}
ARGUMENTS = ("evaluate", "--nodes", "1", "--launches", "1", "--profile", "smoke", "--only=npb/ep")


@pytest.fixture
def unknown(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    """The cluster, each of its nodes with another processor than here; nothing is built."""
    lines = []
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        key = line.partition(":")[0].strip()
        lines.append(f"{key}\t: {NUMBERS[key]}" if key in NUMBERS else line)
    if not any(line.startswith("model name") for line in lines):
        pytest.skip("processors have no names here")
    file = cluster.base / "cpuinfo"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    cluster.on("all", "mount", "--bind", str(file), "/proc/cpuinfo")
    # Where compilers keep what they have compiled before stays where it is.
    monkeypatch.setenv(
        "CCACHE_DIR", os.environ.get("CCACHE_DIR", str(Path.home() / ".cache/ccache"))
    )
    monkeypatch.setenv("XDG_CACHE_HOME", str(cluster.base / "cache"))
    return cluster


def stages(run: Run) -> list[object]:
    """The stages of the build that have begun."""
    files = run.path.glob("jobs/B*/status.jsonl")
    events = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    return [one["step"] for one in events if one["event"] == "start"]


def test_what_is_interrupted_is_cancelled_and_gone_on_with(unknown: Cluster) -> None:
    with unknown.started("built", *ARGUMENTS) as (run, child):
        wait_until(lambda: stages(run), 60.0)
        child.send_signal(signal.SIGTERM)  # as Ctrl-C, which a job of a shell may not hear
        said, _ = child.communicate(timeout=60.0)
        assert child.returncode == 130, said
    assert unknown.slurm("squeue", "--noheader") == ""
    assert unknown.processes_left() == []
    done = unknown.heorot("evaluate", "--resume", run.path)
    assert done.code == 0, done.err
    (place,) = run.directory.build_jobs()
    facts = read_facts(place)
    assert facts is not None
    (host,) = (place / "hosts").read_text().split()
    assert f"building 1 program on {host} (job {facts.id})" in done.err
    assert (facts.state, facts.attempt) == ("ok", 2)
    # The flags are those requested, and the page states where they were evaluated.
    (chain,) = run.directory.facts().toolchains
    assert chain.built_on.startswith(f"{MODEL} ")
    assert "native" in chain.cxx.flags
    assert {one.state for one in run.outcomes()} == {"completed"}
    assert all(one.run and chain.cxx.flags in one.run.flags for one in run.outcomes())
    assert f"builds on a node: {chain.built_on}" in (run.path / "report.html").read_text()
    assert unknown.processes_left() == []
    # It is kept.
    again = unknown.heorot(*ARGUMENTS, "--out", unknown.base / "again")
    assert again.code == 0, again.err
    assert "building" not in again.err


def test_a_cache_that_no_node_sees_is_one_line(
    unknown: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = unknown.base / "unseen"
    done = unknown.heorot(*ARGUMENTS, "--quiet", "--out", path)
    assert done.code == 2
    reason, hint = done.err.splitlines()
    assert reason.startswith("heorot: programs cannot be built on a node: n")
    assert reason.endswith(", where builds are kept")
    assert f" does not see {tmp_path}/heorot/builds/" in reason
    assert hint == "hint: set XDG_CACHE_HOME to a directory that all nodes see"
    assert not path.exists()

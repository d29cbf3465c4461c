"""The shared file system runs full: reported in one line, and the run resumes afterwards."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from heorot.jobs.events import last_complaint
from tests.end_to_end.cluster.site import Cluster, Run
from tests.end_to_end.running import heorot
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.slow,
    pytest.mark.waiting,
    pytest.mark.timeout(600),
]

RUN = ("run", "npb/ep", "--set", "class=B", "--ranks", "2", "--nodes", "2", "--per-node", "1")


@contextmanager
def full(place: Path, but_bytes: int = 0) -> Iterator[None]:
    """Fill a file system except for some space."""
    fill = place / "fill"
    try:
        with fill.open("wb", buffering=0) as file:
            while file.write(bytes(1 << 16)):
                pass
    except OSError as error:
        assert error.errno == errno.ENOSPC  # noqa: PT017 - that is what is wanted
    with fill.open("r+b") as file:
        file.truncate(fill.stat().st_size - but_bytes)
    try:
        yield
    finally:
        fill.unlink()


@pytest.mark.parametrize("but_bytes", [0, 40_000], ids=["nothing", "a little"])
def test_a_run_that_has_no_space_leaves_none_behind(cluster: Cluster, but_bytes: int) -> None:
    path = cluster.base / "small" / "run"
    with full(path.parent, but_bytes):
        done = cluster.heorot(*RUN, "--out", path)
    assert done.code == 2
    lines = [line for line in done.err.splitlines() if "describing " not in line]
    assert len(lines) == 2, done.err
    assert "cannot write" in lines[0]
    assert "o space left" in lines[0]
    assert lines[1] == "hint: free some space, or choose another directory with --out"
    assert not path.exists()


def goes_on_to_its_end(cluster: Cluster, run: Run) -> None:
    """With space again, steps that found none are repeated, and each step ends once."""
    # Heorot may find no space before the job does, which then still runs.
    wait_until(lambda: cluster.slurm("squeue", "--noheader") == "", 60.0)
    done = heorot("evaluate", "--resume", run.path)
    assert done.code == 0, done.err
    assert (run.path / "report.html").exists()
    assert {one.state for one in run.outcomes()} == {"completed"}
    assert set(run.exits().values()) == {1}
    shutil.rmtree(run.path)  # there is no space for two


def test_a_record_that_finds_no_space_is_told_and_its_step_repeated(cluster: Cluster) -> None:
    words = ("run", "messages/pingpong", "--ranks", "2", "--nodes", "2", "--per-node", "1")
    with cluster.started("small/record", *words) as (run, child):
        record = run.path / "jobs" / "J0001" / "records" / "S0001.jsonl"
        # Its first line is there, and with many more to come it takes more than one block.
        wait_until(lambda: record.exists() and record.stat().st_size > 0, 60.0)
        with full(run.path.parent):
            said, _ = child.communicate(timeout=60.0)
    assert child.returncode == 2, said
    assert "o space left" in said
    assert not run.exits()
    complaint = last_complaint(run.directory.job(1))
    assert complaint.startswith("job J0001 stopped: cannot write the record"), said
    assert "stopped" in heorot("status", run.path).out
    goes_on_to_its_end(cluster, run)


def test_what_finds_no_space_amid_a_step_is_told_and_gone_on_with(cluster: Cluster) -> None:
    name = "small/amid"
    with cluster.started(name, *RUN) as (run, child):
        wait_until(run.has_begun, 60.0)
        with full(run.path.parent):
            said, _ = child.communicate(timeout=60.0)
    assert child.returncode == 2, said
    assert "Traceback" not in said
    assert "o space left" in said
    goes_on_to_its_end(cluster, run)
    assert cluster.processes_left() == []
    assert cluster.files_left() == []

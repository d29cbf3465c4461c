"""Other users of a test's nodes: queried with every poll, read at the end of the test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heorot.errors import UsageError
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.batch.slurm import Slurm
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.site import Site, SiteBatch
from heorot.throughput.session.schedulers.scheduler import Change
from heorot.throughput.session.schedulers.watched_scheduler import (
    FILE,
    WatchedScheduler,
    read_occupancy,
    require_no_other,
    watched_scheduler,
    watching,
)
from heorot.throughput.session.work import Work
from tests.unit.turned import TurnedClock

_COMMANDS = {
    "sinfo": 'cat "$(dirname "$0")/nodes"',
    "squeue": '[ ! -e "$(dirname "$0")/silent" ] && cat "$(dirname "$0")/jobs"',
}


class _NoJobs:
    """A scheduler without jobs."""

    def submit(self, work: Work) -> None:
        """Nothing."""

    def poll(self) -> list[Change]:
        """Nothing."""
        return []

    def cancel_all(self) -> None:
        """Nothing."""


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """Commands that print the files next to them."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in _COMMANDS.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    (folder / "nodes").write_text("n1|allocated|4||main\nn2|mixed|4||main\nn3|down*|4||main\n")
    (folder / "jobs").write_text("1|RUNNING|4|n1|J0001-aaaaaaaaaaaa\n2|RUNNING|1|n2|secret\n")
    return folder


def _own(directory: Path, name: str) -> None:
    job = directory / "jobs" / name
    job.mkdir(parents=True)
    (job / "batch.json").write_text(json.dumps({"system": "slurm", "name": name, "id": "1"}))


def _watch(commands: Path, directory: Path, n: int) -> TurnedClock:
    clock = TurnedClock()
    scheduler = WatchedScheduler(_NoJobs(), BatchClient(Slurm(), commands), directory / FILE, clock)
    for _ in range(n):
        scheduler.poll()
        clock.sleep(2.0)
    return clock


@pytest.mark.waiting
def test_jobs_of_others_and_lost_nodes_are_kept(commands: Path, tmp_path: Path) -> None:
    _own(tmp_path, "J0001-aaaaaaaaaaaa")
    _watch(commands, tmp_path, 5)
    seen = read_occupancy(tmp_path)
    assert seen is not None
    ((begin, end),) = seen.watched
    assert end - begin == pytest.approx(8.0)
    held = {(hold.node, hold.by, hold.share) for hold in seen.holds}
    assert held == {("n2", "others", 0.25), ("n3", "state", 1.0)}
    assert [hold.end - hold.begin for hold in seen.holds] == pytest.approx([8.0, 8.0])
    assert (seen.jobs, seen.tests) == (("2",), ())
    assert "secret" not in (tmp_path / FILE).read_text()
    assert len((tmp_path / FILE).read_text().splitlines()[-1]) < 60  # unchanged parts are left out
    assert {hold.node for hold in read_occupancy(tmp_path, ["n2"]).holds} == {"n2"}  # type: ignore[union-attr]


@pytest.mark.waiting
def test_a_load_is_watched_from_its_begin_to_its_end(commands: Path, tmp_path: Path) -> None:
    clock = TurnedClock()
    scheduler = WatchedScheduler(_NoJobs(), BatchClient(Slurm(), commands), tmp_path / FILE, clock)
    with watching(scheduler):
        clock.sleep(1.0)
        scheduler.poll()
        clock.sleep(0.5)
    seen = read_occupancy(tmp_path)
    assert seen is not None
    ((begin, end),) = seen.watched
    assert end - begin == pytest.approx(1.5)
    with watching(_NoJobs()):  # nothing to watch with
        pass


@pytest.mark.waiting
def test_a_job_of_another_run_is_named(commands: Path, tmp_path: Path) -> None:
    _watch(commands, tmp_path, 2)  # without jobs of ours both belong to other users
    seen = read_occupancy(tmp_path)
    assert seen is not None
    assert seen.tests == ("J0001-aaaaaaaaaaaa",)


@pytest.mark.waiting
def test_nodes_whose_jobs_are_hidden_are_held_all_the_same(commands: Path, tmp_path: Path) -> None:
    (commands / "jobs").write_text("")
    _watch(commands, tmp_path, 2)
    seen = read_occupancy(tmp_path)
    assert seen is not None
    hidden = {hold.node for hold in seen.holds if not hold.is_seen}
    assert hidden == {"n1", "n2"}


@pytest.mark.waiting
def test_silence_is_not_watching(commands: Path, tmp_path: Path) -> None:
    (commands / "silent").touch()
    _watch(commands, tmp_path, 3)
    seen = read_occupancy(tmp_path)
    assert seen is not None
    assert (seen.watched, seen.holds, seen.n_silent) == ((), (), 3)
    (tmp_path / FILE).unlink()
    assert read_occupancy(tmp_path) is None


def test_torn_lines_and_pauses_are_no_sight(tmp_path: Path) -> None:
    look = {"time": 100.0, "jobs": [{"id": "2", "cores": {"n1": 2}}], "states": {}, "cores": {}}
    lines = [look, {"time": 110.0}, {"time": 500.0}, {"time": 502.0}]
    (tmp_path / FILE).write_text("\n".join([*map(json.dumps, lines), '{"time":5']))
    seen = read_occupancy(tmp_path)
    assert seen is not None
    assert seen.watched == ((100.0, 110.0), (500.0, 502.0))
    assert [(hold.begin, hold.end) for hold in seen.holds] == [(100.0, 110.0), (500.0, 502.0)]


def test_a_node_whose_job_has_just_ended_belongs_to_nobody_else(tmp_path: Path) -> None:
    # Of Flux, whose nodes were queried a second before its jobs.
    names = "J0006-24d4b7f4801e", "J0007-7b8ead95b459"
    all_three = dict.fromkeys(("n1", "n2", "n3"), "allocated")
    looks = [
        {"time": 931.0, "jobs": [_job(names[0], *all_three)], "states": all_three},
        {"time": 937.0, "answered": False},
        {"time": 951.0, "jobs": [_job(names[1], "n1")]},
        {"time": 957.0},
        {"time": 966.0, "states": {"n1": "allocated"}},
    ]
    (tmp_path / FILE).write_text("\n".join(map(json.dumps, looks)))
    for name in names:
        _own(tmp_path, name)
    seen = read_occupancy(tmp_path)
    assert seen is not None
    # Later it is still allocated, and none of our jobs is there.
    assert [(hold.node, hold.begin, hold.end) for hold in seen.holds] == [
        ("n2", 957.0, 966.0),
        ("n3", 957.0, 966.0),
    ]


def _job(name: str, *nodes: str) -> dict[str, object]:
    return {"id": name, "name": name, "cores": dict.fromkeys(nodes, 2)}


def _target(commands: Path) -> ExecutionTarget:
    adapter, batch = BatchAdapter(Slurm(), commands), SiteBatch(system="slurm", commands=commands)
    return ExecutionTarget(adapter, Site(), 2, adapter.client, batch)


@pytest.mark.waiting
def test_another_run_in_the_queue_is_refused_and_named(commands: Path) -> None:
    with pytest.raises(UsageError, match=r"1 \(J0001-aaaaaaaaaaaa\)") as raised:
        require_no_other(_target(commands), ())
    assert "--anyway" in raised.value.hint
    require_no_other(_target(commands), ["J0001-aaaaaaaaaaaa"])


def test_without_a_batch_system_there_is_no_query(tmp_path: Path) -> None:
    target = ExecutionTarget(LocalAdapter(), Site(), 1)
    scheduler = _NoJobs()
    assert watched_scheduler(scheduler, target, tmp_path) is scheduler
    require_no_other(target, ())

"""A controller is killed repeatedly just after it took a job: ids are given to other users' jobs.

It loses jobs that it has not saved and continues to count from the last id that it has. So a job of
another user gets an id of ours, and must be neither followed nor reported nor cancelled for ours.
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from heorot.jobs.facts import BatchFacts, read_facts
from heorot.jobs.marked_processes import signal_marked
from heorot.lab.storage import MARK, directory_of, mark_of
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.watch import Patience
from heorot.launch.batch.dialect import Wants
from heorot.launch.batch.slurm import Slurm
from heorot.launch.command import StepCommand
from heorot.launch.job import Job, write_job
from heorot.process import run
from tests.end_to_end.labs import slurm_lab
from tests.end_to_end.running import heorot
from tests.waiting import text_of, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.waiting]

_PATIENCE = Patience(
    ask_seconds=0.5,
    most_ask_seconds=2.0,
    silent_seconds=2.0,
    grace_seconds=4.0,
    settle_seconds=2.0,
    vanish_seconds=40.0,
)
_STRANGER = """#!/bin/bash
trap 'echo ended >>"{said}"; exit 1' TERM
echo began >>"{said}"
until [[ -e "{over}" ]]; do sleep 0.2; done
echo well >>"{said}"
"""


class Cluster:
    """A lab whose controller dies.

    Args:
        name: of the lab.
        base: directory that all its nodes see.
    """

    def __init__(self, name: str, base: Path) -> None:
        self.name, self.base = name, base
        self.commands = directory_of(name) / "bin"
        self.adapter = BatchAdapter(Slurm(), self.commands, patience=_PATIENCE)
        self.over = base / "over"
        self.strangers: dict[str, str] = {}

    def call(self, command: str, *words: str | Path) -> str:
        """Call a command of Slurm as soon as it answers."""
        answers = [run([self.commands / command, *words])]

        def answered() -> bool:
            if not answers[-1].ok:
                answers.append(run([self.commands / command, *words]))
            return answers[-1].ok

        wait_until(answered, 60.0, lambda: answers[-1].err)
        return answers[-1].out.strip()

    def make(self, number: int) -> Job:
        """Write a job of ours; every other one is at its end before the controller is back."""
        directory = self.base / "jobs" / f"J{number:04d}"
        command = StepCommand(
            step="S0001",
            argv=("sleep", "0.1" if number % 2 else "6"),
            cwd=self.base,
            timeout_seconds=300.0,
            record=directory / "records" / "S0001.jsonl",
        )
        wants = Wants(cores_per_node=1, limit_seconds=60.0, exclusive=False)
        return write_job(directory, [command], Slurm().job_environment(wants))

    def kill_controller(self) -> None:
        """Kill it with no time to write anything down."""
        mark = f"{MARK}={mark_of(directory_of(self.name))}".encode()
        for entry in os.scandir("/proc"):
            if entry.name.isdigit() and text_of(Path(entry.path, "comm")).strip() == "slurmctld":
                signal_marked(int(entry.name), mark, signal.SIGKILL)

    def add_strangers(self) -> None:
        """Submit jobs of another user, and let the controller save them."""
        self._add_stranger()
        self._add_stranger()
        state, now = directory_of(self.name) / "slurm/state/job_state", time.time()
        wait_until(lambda: _written(state) > now, 60.0)

    def _add_stranger(self) -> None:
        name = f"stranger-{len(self.strangers) + 1}"
        script = self.base / f"{name}.sh"
        script.write_text(_STRANGER.format(said=self.base / f"{name}.txt", over=self.over))
        words = ("--parsable", f"--job-name={name}", "--output=/dev/null", "--time=10", script)
        self.strangers[name] = self.call("sbatch", *words)

    def require_strangers_well(self) -> None:
        """Let the jobs of others come to their ends, and require that they do.

        Where a node still ends the lost job of an id, Slurm holds the one that has got the id.
        """
        self.over.touch()
        queue = self.call("squeue", "-h", "-t", "all", "-o", "%j|%T|%r").splitlines()
        rows = {name: rest for name, _, rest in (line.partition("|") for line in queue)}
        held = {name for name in self.strangers if "launch failed" in rows[name]}
        assert {rows[name].partition("|")[0] for name in held} <= {"PENDING"}
        said = [self.base / f"{name}.txt" for name in self.strangers if name not in held]

        def texts() -> list[list[str]]:
            return [text_of(file).split() for file in said]

        wait_until(lambda: all("well" in text or "ended" in text for text in texts()), 120.0, texts)
        assert all(text == ["began", "well"] for text in texts())

    def facts(self, job: Job) -> BatchFacts:
        """The facts about a job."""
        facts = read_facts(job.directory)
        assert facts is not None
        return facts


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A lab of its own; it goes with the test."""
    with slurm_lab("--nodes", "3", "--cpus", "16", "--shared", tmp_path) as name:
        yield Cluster(name, tmp_path)


def _written(state: Path) -> float:
    """When a file was written, Unix time [s]; 0 while another takes its place."""
    try:
        return state.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _exits(job: Job) -> int:
    return text_of(job.status).count('"event":"exit"')


@pytest.mark.parametrize(
    "n_kills",
    [
        pytest.param(2, marks=pytest.mark.timeout(600)),
        pytest.param(10, marks=[pytest.mark.nightly, pytest.mark.timeout(1800)]),
    ],
)
def test_no_stranger_is_touched_and_every_job_is_accounted_once(
    cluster: Cluster, n_kills: int, record_property: Callable[[str, object], None]
) -> None:
    jobs, delays = list[Job](), list[float]()
    for number in range(1, n_kills + 1):
        job = cluster.make(number)
        cluster.adapter.start(job)
        submitted = time.monotonic()
        cluster.kill_controller()
        delays.append(time.monotonic() - submitted)
        jobs.append(job)
        assert heorot("lab", "heal", "--name", cluster.name, "head").ok
        cluster.add_strangers()
    taken = {cluster.facts(job).id for job in jobs} & set(cluster.strangers.values())
    assert taken, "no id was given to a stranger: this shows nothing"
    with ThreadPoolExecutor(len(jobs)) as pool:
        for _ in pool.map(lambda job: cluster.adapter.follow(job, lambda _: None), jobs):
            pass
    states = [cluster.facts(job).state for job in jobs]
    lost = [job for job, state in zip(jobs, states, strict=True) if state != "ok"]
    for job, state in zip(jobs, states, strict=True):
        assert _exits(job) == (1 if state == "ok" else 0), cluster.adapter.complaint(job)
        if state == "vanished" and cluster.facts(job).id in taken:
            assert "given its id to another job" in cluster.adapter.complaint(job)
        cluster.adapter.cancel(job)
    for job in lost:  # as a resume does
        cluster.adapter.start(job)
        cluster.adapter.follow(job, lambda _: None)
    assert {cluster.facts(job).state for job in jobs} == {"ok"}
    assert [_exits(job) for job in jobs] == [1] * n_kills
    cluster.require_strangers_well()
    counts = (n_kills, max(delays), len(taken), dict(Counter(states)))
    record_property("kills, latest of them [s], ids taken, states", counts)

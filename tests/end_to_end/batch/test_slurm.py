"""Jobs in a real Slurm, in a lab of four nodes: every final state is reported correctly."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from heorot.errors import SetupError
from heorot.jobs.events import StepEvent
from heorot.jobs.facts import BatchFacts, read_facts
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.choose import find_inside
from heorot.launch.adapters.watch import Patience
from heorot.launch.batch.dialect import Part, Wants
from heorot.launch.batch.slurm import Slurm
from heorot.launch.command import StepCommand
from heorot.launch.job import Job, write_job
from heorot.process import Finished, run
from tests.end_to_end.labs import slurm_lab
from tests.end_to_end.running import heorot
from tests.waiting import text_of, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.waiting, pytest.mark.timeout(600)]

PATIENCE = Patience(
    ask_seconds=0.5, most_ask_seconds=2.0, silent_seconds=2.0, grace_seconds=4.0, settle_seconds=2.0
)


class Cluster:
    """A lab with Slurm, and jobs for it.

    Args:
        name: of the lab.
        base: directory that all its nodes see.
    """

    def __init__(self, name: str, base: Path) -> None:
        self.name, self.base = name, base
        site = next(
            Path(word)
            for line in self.lab("status").out.splitlines()
            for word in line.split()[1:]
            if line.startswith("site")
        )
        self.commands = site.parent / "bin"
        self.lines: list[str] = []
        self.adapter = BatchAdapter(
            Slurm(),
            self.commands,
            patience=PATIENCE,
            on_state=lambda _job, line: self.lines.append(line),
        )
        self._made = 0

    def lab(self, command: str, *words: str) -> Finished:
        """Call a command of the lab."""
        return heorot("lab", command, "--name", self.name, *words)

    def call(self, command: str, *words: str) -> str:
        """Call a command of Slurm."""
        answer = run([self.commands / command, *words])
        assert answer.ok, answer.err
        return answer.out.strip()

    def facts(self, job: Job) -> BatchFacts:
        """The facts about a job."""
        facts = read_facts(job.directory)
        assert facts is not None
        return facts

    def folders(self, job: Job, node: str) -> list[str]:
        """Files of a job in a node's own folder for temporary files."""
        said = self.lab("run", "--nodes", node, "--", "ls", "/tmp").out.split()  # noqa: S108
        return [name for name in said if job.marker in name]

    def make(self, *scripts: str, wants: Wants | None = None) -> Job:
        """Write a job with one step for each shell command."""
        self._made += 1
        directory = self.base / "jobs" / f"J{self._made:04d}"
        commands = [
            StepCommand(
                step=f"S{number:04d}",
                argv=("bash", "-c", script),
                cwd=self.base,
                timeout_seconds=300.0,
                record=directory / "records" / f"S{number:04d}.jsonl",
            )
            for number, script in enumerate(scripts, start=1)
        ]
        asked = wants or Wants(cores_per_node=1, limit_seconds=60.0)
        return write_job(directory, commands, Slurm().job_environment(asked))

    def during(self, job: Job, act: Callable[[], object]) -> list[StepEvent]:
        """Follow a job to its end while `act` runs in a thread."""
        seen: list[StepEvent] = []
        actor = threading.Thread(target=act)
        actor.start()
        self.adapter.follow(job, seen.append)
        actor.join()
        return seen


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A lab of its own; it goes with the tests."""
    base = tmp_path_factory.mktemp("slurm")
    with slurm_lab("--nodes", "4", "--shared", base) as name:
        yield Cluster(name, base)


def started(job: Job, step: str = "S0001") -> None:
    """Wait until a step has started."""
    line = f'"start","step":"{step}"'
    wait_until(lambda: line in text_of(job.status), 20.0, lambda: text_of(job.status))


@pytest.fixture(scope="module", autouse=True)
def limited(cluster: Cluster) -> Job:
    """A job amid its second step whose time is up; Slurm looks for such twice a minute."""
    # Where no other test wants a node of its own.
    wants = Wants(cores_per_node=1, limit_seconds=60.0, directives=("--nodelist=n3",))
    job = cluster.make("true", f"[[ -e {cluster.base}/go ]] || sleep 300", wants=wants)
    cluster.adapter.start(job)
    started(job, "S0002")
    # Limits are whole minutes; an end may be any second.
    cluster.call("scontrol", "update", f"JobId={cluster.facts(job).id}", "EndTime=now+1seconds")
    return job


def test_a_job_runs_on_its_nodes(cluster: Cluster) -> None:
    wants = Wants(parts=(Part(nodes=3),), cores_per_node=1, limit_seconds=60.0)
    job = cluster.make("hostname", "exit 3", wants=wants)
    cluster.adapter.start(job)
    seen = cluster.during(job, lambda: None)
    assert [event.code for event in seen if event.event == "exit"] == [0, 3]
    facts = cluster.facts(job)
    assert (facts.state, facts.queue) == ("ok", "lab")
    assert 0.0 < (facts.wait_seconds or 0.0) < 20.0
    assert facts.started is not None
    assert facts.own_start == pytest.approx(facts.started, abs=3.0)
    hosts = (job.directory / "hosts").read_text().split()
    assert len(hosts) == 3
    assert (job.directory / "outputs/S0001.txt").read_text().strip() == hosts[0]


def test_every_host_is_reached_and_reads_its_input(cluster: Cluster) -> None:
    words = Slurm().job_environment(Wants()).on_host
    command = r"read -r word; echo $word on $HOSTNAME; exit 7"
    script = "".join(
        f"printf '%s\\n' {command!r} hello | {words} {host} bash -s 2>/dev/null; echo code $?; "
        for host in ("n1", "n2")
    )
    wants = Wants(
        parts=(Part(nodes=2),), cores_per_node=1, limit_seconds=60.0, directives=("-w n[1-2]",)
    )
    job = cluster.make(script, wants=wants)
    cluster.adapter.start(job)
    cluster.adapter.follow(job, lambda _: None)
    output = (job.directory / "outputs/S0001.txt").read_text()
    assert output.split("\n")[:4] == ["hello on n1", "code 7", "hello on n2", "code 7"]


def test_a_reason_is_told_and_nothing_is_cancelled_for_it(cluster: Cluster) -> None:
    cluster.call("scontrol", "update", "NodeName=n4", "State=DRAIN", "Reason=test")
    job = cluster.make("true", wants=Wants(limit_seconds=60.0, directives=("--nodelist=n4",)))
    cluster.adapter.start(job)

    def act() -> None:
        try:
            wait_until(lambda: "Unavail" in cluster.facts(job).reason, 20.0)
        finally:
            cluster.call("scontrol", "update", "NodeName=n4", "State=RESUME")

    cluster.during(job, act)
    assert any("ReqNodeNotAvail, UnavailableNodes:n4" in line for line in cluster.lines)
    assert cluster.facts(job).state == "ok"


def test_cancellation_by_other_users_is_reported(cluster: Cluster) -> None:
    job = cluster.make("true", "sleep 300")
    cluster.adapter.start(job)
    number = cluster.facts(job).id or ""
    started(job, "S0002")
    seen = cluster.during(job, partial(cluster.call, "scancel", number))
    assert [event.step for event in seen if event.event == "exit"] == ["S0001"]
    assert (
        cluster.adapter.complaint(job) == f"job {number} was cancelled by another user (CANCELLED)"
    )
    assert not cluster.adapter.alive(job)


def test_a_refusal_is_reported(cluster: Cluster) -> None:
    job = cluster.make("true", wants=Wants(queue="nowhere"))
    with pytest.raises(
        SetupError, match="the job was refused by slurm: Invalid partition name"
    ) as caught:
        cluster.adapter.start(job)
    assert "site file" in caught.value.hint


def test_a_job_whose_submission_was_killed_is_found(cluster: Cluster) -> None:
    commands = cluster.base / "commands"
    shutil.copytree(cluster.commands, commands)
    sbatch = commands / "sbatch"
    cut = f'#!/bin/sh\n{cluster.commands}/sbatch "$@" >/dev/null\n'
    sbatch.write_text(cut + "kill -9 $(ps -o ppid= -p $PPID) $PPID $$\n")
    job = cluster.make("sleep 1")
    adapter = BatchAdapter(Slurm(), commands, patience=replace(PATIENCE))
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    assert (cluster.facts(job).state, cluster.facts(job).attempt) == ("ok", 1)
    name = cluster.call("squeue", "-h", "-t", "all", "-o", "%j", f"--name={job.marker}")
    assert name == job.marker


def test_queues_and_nodes_are_known(cluster: Cluster) -> None:
    ask = cluster.adapter.client.ask
    (queue,) = ask(Slurm().queues())
    assert (queue.name, queue.is_default, queue.accepts, queue.n_nodes) == ("lab", True, True, 4)
    nodes = ask(Slurm().nodes())
    assert [node.name for node in nodes] == ["n1", "n2", "n3", "n4"]
    assert all(node.cores for node in nodes)


def test_an_allocation_that_we_are_in_is_found(cluster: Cluster) -> None:
    output = cluster.call("salloc", "-N2", "-t", "5", "env")
    environment = dict(
        line.split("=", 1) for line in output.splitlines() if line.startswith("SLURM_")
    )
    inside = find_inside(dict(os.environ, **environment), cluster.commands)
    assert inside is not None
    assert (inside.system, len(inside.hosts)) == ("slurm", 2)
    assert find_inside({}, cluster.commands) is None


def test_ending_leaves_nothing_on_any_node(cluster: Cluster) -> None:
    wants = Wants(parts=(Part(nodes=2),), limit_seconds=300.0, directives=("-w n[1-2]",))
    job, waiting = (cluster.make("sleep 300", wants=wants) for _ in range(2))
    cluster.adapter.start(job)
    cluster.adapter.start(waiting, after=job)
    started(job)
    assert cluster.folders(job, "n2")
    cluster.adapter.cancel(waiting)
    cluster.adapter.cancel(job)
    states = cluster.call("squeue", "-h", "-t", "all", "-o", "%j %T").splitlines()
    assert f"{job.marker} FAILED" in states  # it was asked to end, and has
    assert f"{waiting.marker} CANCELLED" in states
    assert not waiting.status.exists()
    assert not cluster.folders(job, "n1") + cluster.folders(job, "n2")


def test_a_job_at_its_limit_is_told_and_resumed(cluster: Cluster, limited: Job) -> None:
    job = limited
    facts = cluster.facts(job)
    cluster.during(job, lambda: None)
    said = f"job {facts.id} reached its time limit of 1 min"
    assert cluster.adapter.complaint(job) == said
    (cluster.base / "go").touch()
    cluster.adapter.start(job)
    seen = cluster.during(job, lambda: None)
    assert [event.step for event in seen if event.event == "exit"] == ["S0001", "S0002"]
    again = cluster.facts(job)
    assert (again.state, again.attempt, again.earlier) == ("ok", 2, (facts.id,))


# Last, as a controller that starts begins to count its half a minute anew.


def test_a_job_outlives_the_controller(cluster: Cluster) -> None:
    job = cluster.make("sleep 6", "true")
    cluster.adapter.start(job)
    started(job)
    waiting = cluster.make("true", wants=Wants(limit_seconds=60.0, directives=("--nodelist=n1",)))
    cluster.adapter.start(waiting)

    def act() -> None:
        # Killed at once, it would forget the waiting job, which it has not saved yet.
        assert cluster.lab("run", "--", "pkill", "-TERM", "-x", "slurmctld").ok
        time.sleep(PATIENCE.silent_seconds)  # without an answer
        assert cluster.lab("heal", "head").ok

    seen = cluster.during(job, act)
    assert [event.code for event in seen if event.event == "exit"] == [0, 0]
    cluster.adapter.follow(waiting, lambda _: None)
    for one in (job, waiting):
        assert cluster.facts(one).state == "ok", cluster.adapter.complaint(one)

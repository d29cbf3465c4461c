"""Jobs in a real Slurm with a data base: its accounts have all states, and outlive the head."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from heorot.jobs.facts import BatchFacts, QueueState, read_facts
from heorot.lab import storage
from heorot.lab.processes import marked
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.batch_client import BatchClient, BatchJob
from heorot.launch.batch.dialect import Wants
from heorot.launch.batch.slurm import Slurm
from heorot.launch.job import Job
from tests.end_to_end.batch.test_slurm import PATIENCE, Cluster, started
from tests.end_to_end.labs import ACCOUNTS, slurm_lab
from tests.end_to_end.running import heorot
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.waiting, pytest.mark.timeout(600)]

WITH_DATA_BASE = ("--accounting", "slurmdbd")
# Stands for squeue and scontrol: the job ended longer than MinJobAge ago.
FORGETFUL = "#!/bin/sh\necho slurm_load_jobs error: Invalid job id specified >&2\nexit 1\n"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A lab of its own whose Slurm has a data base; it leaves nothing."""
    base = tmp_path_factory.mktemp("accounts")
    words = ("--nodes", "4", *WITH_DATA_BASE, "--shared", base)
    with slurm_lab(*words, needs=ACCOUNTS, nodes_die=True) as name:
        yield Cluster(name, base)
    directory = storage.directory_of(name)
    assert marked(storage.mark_of(directory)) == []
    assert not directory.exists()


@pytest.fixture(scope="module")
def forgetful(cluster: Cluster) -> Path:
    """The commands of a controller that has forgotten every job; the accounts have not."""
    commands = cluster.base / "forgetful"
    shutil.copytree(cluster.commands, commands)
    for name in ("squeue", "scontrol"):
        (commands / name).write_text(FORGETFUL)
    return commands


def on(cluster: Cluster, node: str, *scripts: str) -> Job:
    """Start a job on a node, one step for each shell command."""
    wants = Wants(limit_seconds=60.0, directives=(f"--nodelist={node}",))
    job = cluster.make(*scripts, wants=wants)
    cluster.adapter.start(job)
    return job


def facts_of(job: Job) -> BatchFacts:
    """The adapter's facts about a submitted job."""
    facts = read_facts(job.directory)
    assert facts is not None
    assert facts.id is not None
    return facts


def account(cluster: Cluster, job: Job) -> QueueState:
    """A job's state in the data base, which learns of it late, and at first without names."""
    facts = facts_of(job)
    number = facts.id or ""
    question = Slurm().account([number])[-1]
    assert question.argv[0] == "sacct"

    def named() -> QueueState | None:
        said = (cluster.adapter.client.ask(question) or {}).get(number)
        return said if said and said.name == facts.name else None

    wait_until(named)
    said = named()
    assert said is not None
    return said


@pytest.fixture
def mended(cluster: Cluster) -> Iterator[None]:
    """Afterwards the nodes that a test breaks are well again, and take jobs."""
    yield
    for node in ("n2", "n4"):
        assert cluster.lab("heal", node).ok
    states = ("-h", "-N", "-n", "n[2,4]", "-o", "%T")
    wait_until(
        lambda: cluster.call("sinfo", *states).split() == ["idle", "idle"],
        seen=lambda: cluster.call("sinfo", *states),
    )


@pytest.fixture(scope="module")
def good(cluster: Cluster) -> Job:
    """A job that has come to its end."""
    job = on(cluster, "n1", "true", "exit 3")
    cluster.adapter.follow(job, lambda _: None)
    return job


@pytest.mark.usefixtures("mended")
def test_every_fate_is_told_as_the_data_base_has_it(
    cluster: Cluster, forgetful: Path, good: Job
) -> None:
    late, cancelled = on(cluster, "n3", "sleep 300"), on(cluster, "n2", "sleep 300")
    lost, waiting = on(cluster, "n4", "sleep 300"), on(cluster, "n4", "true")
    started(late)
    # Limits are whole minutes; an end may be any second. Slurm looks for late jobs twice a minute.
    cluster.call("scontrol", "update", f"JobId={facts_of(late).id}", "EndTime=now+1seconds")
    for job in (cancelled, lost):
        started(job)
    assert account(cluster, waiting).phase == "pending"
    assert account(cluster, lost).phase == "running"
    for job in (cancelled, waiting):
        cluster.call("scancel", facts_of(job).id or "")
    assert cluster.lab("kill", "n4").ok
    # It would notice by itself within half a minute.
    cluster.call("scontrol", "update", "NodeName=n4", "State=DOWN", "Reason=died")
    blind = BatchAdapter(Slurm(), forgetful, patience=PATIENCE)
    ends = [(good, "ok"), (late, "timeout"), (cancelled, "cancelled"), (lost, "node_fail")]
    with ThreadPoolExecutor() as pool:
        follows = [pool.submit(cluster.adapter.follow, job, lambda _: None) for job, _ in ends]
        follows.append(pool.submit(blind.follow, waiting, lambda _: None))
        for follow in follows:
            follow.result()
    for job, end in ends:
        facts, said = facts_of(job), account(cluster, job)
        assert (facts.state, said.phase, said.end) == (end, "ended", end)
        assert (said.name, said.queue) == (facts.name, "lab")
        # Whole seconds, of the same clock.
        assert (facts.eligible, facts.started) == (said.eligible, said.started)
        client = BatchClient(Slurm(), forgetful)
        assert client.find(facts.name) == (facts.id, True)
        assert client.account(BatchJob(facts.id or "", facts.name)) == said
    assert facts_of(waiting).state == "cancelled"
    number = facts_of(waiting).id
    assert blind.complaint(waiting) == (
        f"job {number} was cancelled by another user (CANCELLED by 0)"
    )


def test_a_data_base_that_does_not_answer_is_no_news_of_a_job(cluster: Cluster, good: Job) -> None:
    number = facts_of(good).id or ""
    (*_, question) = Slurm().account([number])
    ask = cluster.adapter.client.ask
    assert cluster.lab("run", "--", "pkill", "-x", "slurmdbd").ok
    wait_until(lambda: ask(question) is None)
    assert cluster.lab("heal", "head").out.splitlines()[0] == "head: slurmdbd started"
    assert number in (ask(question) or {})


@pytest.mark.usefixtures("mended")
def test_accounts_outlive_the_head_which_waits_for_no_other_node(
    cluster: Cluster, good: Job
) -> None:
    before = account(cluster, good)
    assert cluster.lab("cut", "n2").ok
    assert cluster.lab("kill", "n4").ok
    assert cluster.lab("kill", "head").ok
    lines = cluster.lab("heal", "head").out.splitlines()
    assert lines[0] == "head: started, mariadbd started, slurmdbd started, slurmctld started"
    assert [line.split(";")[0] for line in lines[1:]] == ["n2 is cut off", "n4 is dead"]
    assert account(cluster, good) == before


def test_nothing_is_left_if_the_supervisor_is_killed() -> None:
    with slurm_lab("--nodes", "1", *WITH_DATA_BASE, needs=ACCOUNTS) as name:
        directory = storage.directory_of(name)
        mark = storage.mark_of(directory)
        (supervisor,) = (pid for pid in marked(mark) if _name_of(pid) == "lab:supervisor")
        os.kill(supervisor, signal.SIGKILL)
        wait_until(lambda: not marked(mark), seen=lambda: marked(mark))
        assert heorot("lab", "down", "--name", name).ok
        assert not directory.exists()


def _name_of(pid: int) -> str:
    """The name of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""

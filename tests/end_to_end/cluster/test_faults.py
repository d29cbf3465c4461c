"""Faults of a cluster during a step: every final state is correct, and nothing hangs."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

import pytest

from heorot.model.run.outcome import Outcome
from tests.end_to_end.cluster.site import Cluster, Run
from tests.end_to_end.running import heorot
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.slow,
    pytest.mark.waiting,
    pytest.mark.timeout(600),
]

# Slurm notices after a while that a node is away, and takes another one to end what runs there.
_MOST_SECONDS = 120.0


class Amid:
    """A run whose step has begun: one sample of seconds on two nodes that talk at its end.

    Attributes:
        output: output of heorot until its end.

    Args:
        run: its directory.
        child: its process.
    """

    def __init__(self, run: Run, child: subprocess.Popen[str]) -> None:
        self.run, self._child = run, child
        self.output = ""
        wait_until(lambda: run.has_begun() or child.poll() is not None, 240.0, self._last_words)
        assert child.poll() is None, child.communicate()

    def _last_words(self) -> str:
        """Output of heorot, which is killed first."""
        self._child.kill()
        return self._child.communicate()[0]

    def end(self, seconds: float = 60.0) -> str:
        """Wait for its end, with a report and a failure; return its findings."""
        if self._child.returncode is None:
            self.output, _ = self._child.communicate(timeout=seconds)
        assert self._child.returncode == 1, self.output
        assert "Traceback" not in self.output
        assert (self.run.path / "report.html").exists()
        return self.run.findings()

    def end_well(self, seconds: float = 120.0) -> str:
        """Wait for its successful end; return its output."""
        said, _ = self._child.communicate(timeout=seconds)
        assert self._child.returncode == 0, said
        return said

    def outcome(self) -> Outcome:
        """How its one step ended."""
        (outcome,) = self.run.outcomes()
        return outcome


@contextmanager
def amid(cluster: Cluster, name: str, nodes: str, size: str = "C") -> Iterator[Amid]:
    """Amid the step of a run on some nodes."""
    site = cluster.write_site(f"{name}.yaml", f"directives: ['-w {nodes}']")
    shape = ("--ranks", "2", "--nodes", "2", "--per-node", "1")
    words = ("run", "npb/ep", "--set", f"class={size}", *shape, "--timeout", "100s")
    with cluster.started(name, *words, site=site) as started:
        yield Amid(*started)


def runs(cluster: Cluster, node: str) -> bool:
    """Whether a rank of the step does on a node."""
    return "ep" in cluster.on(node, "ps", "-eo", "comm=").split()


def freeze(cluster: Cluster, *nodes: str) -> None:
    """Stop a step's ranks, which would take the processors from the other tests."""
    for node in nodes:
        wait_until(partial(runs, cluster, node))
        cluster.on(node, "pkill", "-STOP", "-x", "ep")


# What Slurm takes its time to notice begins first, so that the other tests run meanwhile.


@pytest.fixture(scope="module", autouse=True)
def cut_off(cluster: Cluster) -> Iterator[Amid]:
    """A run on n3 and n4 with n4's link cut."""
    with amid(cluster, "cut", "n[3-4]", size="B") as one:
        cluster.lab("cut", "n4")
        yield one


@pytest.fixture(scope="module", autouse=True)
def limited(cluster: Cluster) -> Iterator[Amid]:
    """A run on n5 and n6 whose job soon receives the signal of its time limit."""
    with amid(cluster, "limit", "n[5-6]", size="D") as one:  # a short job would get no signal
        freeze(cluster, "n5", "n6")
        # Limits are whole minutes, but an end may be any second. Slurm looks every half a minute.
        number = one.run.slurm_facts().id
        cluster.slurm("scontrol", "update", f"JobId={number}", "EndTime=now+65seconds")
        yield one


def test_a_killed_rank_is_a_failure(cluster: Cluster) -> None:
    with amid(cluster, "rank", "n[1-2]") as one:
        wait_until(partial(runs, cluster, "n2"))
        cluster.on("n2", "pkill", "-KILL", "-x", "ep")
        assert "npb/ep (chosen) failed in 1 launch" in one.end()
    outcome = one.outcome()
    assert outcome.state == "failed"
    assert "killed by signal SIGKILL" in outcome.reason
    assert one.run.slurm_facts().state == "ok"


def test_a_node_that_dies_takes_its_step_along_and_comes_back(cluster: Cluster) -> None:
    with amid(cluster, "dead", "n[1-2]") as one:
        cluster.lab("kill", "n2")
        try:
            assert "error: npb/ep (chosen)" in one.end(_MOST_SECONDS)
        finally:
            cluster.lab("heal", "n2")
    state = one.outcome().state
    assert state in {"failed", "lost"}
    # Whatever exit code its launcher made of it.
    assert ("[1/1] npb/ep chosen (2 x 1, launch 1): failed" in one.output) == (state == "failed")
    assert state == "failed" or "[1/1]" not in one.output
    assert "n2" in one.outcome().last_output
    states = ("--noheader", "--nodes=n2", "--format=%T")
    wait_until(lambda: cluster.slurm("sinfo", *states) == "idle", 60.0)
    # And with its nodes whole, the same directory is no obstacle.
    done = cluster.heorot("evaluate", "--resume", one.run.path)
    assert "Traceback" not in done.err


def test_a_job_that_others_cancel_is_lost_and_can_be_gone_on_with(cluster: Cluster) -> None:
    with amid(cluster, "cancelled", "n[1-2]", size="A") as one:
        cluster.slurm("scancel", one.run.slurm_facts().id or "")
        findings = one.end()
    (error,) = [line for line in findings.splitlines() if line.startswith("error: ")]
    assert "it was cancelled by another user (CANCELLED); 1 of its 1 step is lost" in error
    assert one.outcome().state == "lost"
    assert one.run.slurm_facts().state == "cancelled"
    site = cluster.base / "cancelled.yaml"
    site.rename(site.with_name("moved.yaml"))
    done = cluster.heorot("evaluate", "--resume", one.run.path)
    assert done.code == 0, done.err
    assert f"{site} no longer exists: resuming with its copy" in done.err
    assert set(one.run.exits().values()) == {1}
    assert (one.run.slurm_facts().state, one.run.slurm_facts().attempt) == ("ok", 2)


def test_two_do_not_go_on_with_one_run_and_a_third_ends_it(cluster: Cluster) -> None:
    with amid(cluster, "two", "n[1-2]") as one:
        second = heorot("evaluate", "--resume", one.run.path)
        assert second.code == 2
        assert f"another heorot works on {one.run.path}" in second.err
        assert "hint: see how far it is" in second.err
        assert "measuring" in heorot("status", one.run.path).out
        stopped = heorot("stop", one.run.path)
        assert stopped.code == 0, stopped.err
        wait_until(lambda: cluster.slurm("squeue", "--noheader", "--nodelist=n1,n2") == "")
        assert cluster.files_left("n1,n2") == []
    assert one.run.slurm_facts().state == "cancelled"
    assert not one.run.exits()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("queue: nowhere", "slurm has no queue nowhere"),
        ("constraint: gpu", "the job was refused by slurm: Invalid feature specification"),
        ("time_limit_seconds: 60", "a job may take 1 min"),
    ],
)
def test_requests_that_slurm_would_refuse_are_reported(
    cluster: Cluster, line: str, said: str
) -> None:
    path = cluster.base / "refused"
    site = cluster.write_site("refused.yaml", line)
    done = cluster.heorot("run", "compute/peak", "--out", path, site=site)
    assert done.code == 2
    assert said in done.err
    assert "hint: " in done.err
    assert not path.exists()


def test_a_job_at_its_time_limit_is_lost_and_leaves_nothing(
    cluster: Cluster, limited: Amid
) -> None:
    findings = limited.end(_MOST_SECONDS)
    assert "time limit" in findings
    assert limited.outcome().state == "lost"
    assert limited.run.slurm_facts().state == "timeout"
    assert limited.run.events(1)[-1]["cause"] == "time_limit"
    assert cluster.files_left("n5,n6") == []


def test_a_cut_link_is_a_node_that_failed(cluster: Cluster, cut_off: Amid) -> None:
    findings = cut_off.end(_MOST_SECONDS)
    cluster.lab("heal", "n4")
    assert "did not end well: a node of n3, n4 failed; 1 of its 1 step is lost" in findings
    assert cut_off.outcome().state == "lost"
    assert cut_off.run.slurm_facts().state == "node_fail"


def test_a_run_outlives_the_controller(cluster: Cluster) -> None:
    with amid(cluster, "controller", "n[1-2]", size="A") as one:
        cluster.on("head", "pkill", "-TERM", "-x", "slurmctld")
        wait_until(lambda: "slurmctld" not in cluster.on("head", "ps", "-eo", "comm="))
        cluster.lab("heal", "head")
        one.end_well()
    assert {each.state for each in one.run.outcomes()} == {"completed"}
    assert {one.run.slurm_facts(number).state for number in one.run.directory.job_numbers()} == {
        "ok"
    }


def test_no_process_is_left_on_the_nodes(cluster: Cluster, limited: Amid, cut_off: Amid) -> None:
    for one in (limited, cut_off):
        one.end(_MOST_SECONDS)
    cluster.lab("heal", "n4")
    wait_until(lambda: cluster.slurm("squeue", "--noheader") == "", 60.0)
    with suppress(AssertionError):  # the next line lists the rest
        # n4 learns of its peer's end when n3 resends, later for a longer cut of the link, or from
        # Slurm.
        wait_until(lambda: cluster.processes_left() == [], 150.0)
    assert cluster.processes_left() == []

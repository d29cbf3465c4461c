"""Heorot is killed at any moment while Slurm has its jobs: no step is lost, none runs twice."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from contextlib import suppress
from functools import partial

import pytest

from tests.end_to_end.cluster.site import Cluster, Run
from tests.end_to_end.running import N_KILLS_AT_NIGHT, heorot, started
from tests.waiting import text_of, wait_until

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.slow,
    pytest.mark.waiting,
    pytest.mark.race,
    pytest.mark.timeout(600),
]

N_KILLS = 4
ARGUMENTS = ("evaluate", "--nodes", "1,2", "--launches", "2", "--profile", "smoke")
PROGRAMS = ("--only", "npb/ep", "--only", "compute/peak")


def names_of_jobs(cluster: Cluster) -> Counter[str]:
    """How often Slurm was given a job of each name."""
    return Counter(cluster.slurm("sacct", "-X", "-n", "-P", "-o", "jobname").split())


def is_planned_or_ended(run: Run, child: subprocess.Popen[bytes]) -> bool:
    """Whether there is a plan, or will be none any more."""
    return run.directory.has_plan or child.poll() is not None


def kill_and_resume(cluster: Cluster, run: Run, n_kills: int, seed: int) -> int:
    """Kill it `n_kills` times, then let it end; return the number of kills amid the plan.

    At random moments, but for the second kill: on a fast machine all that Slurm was given may have
    ended before a random one.
    """
    moments = random.Random(seed)  # noqa: S311 - moments, not secrets
    n_amid = 0
    for number in range(n_kills):
        begun = (run.path / "run.json").exists()
        first = (*ARGUMENTS, *PROGRAMS, "--site", cluster.site, "--out")
        said = cluster.base / "said"
        words = ("evaluate", "--resume") if begun else first
        with started(*words, run.path, said=said) as child:
            if number == 1:
                wait_until(partial(is_planned_or_ended, run, child), 400.0, partial(text_of, said))
            with suppress(subprocess.TimeoutExpired):
                child.wait(0.0 if number == 1 else moments.uniform(0.2, 3.0))
            if child.returncode is not None:
                assert child.returncode == 0, text_of(said)
                break
        has_plan = run.directory.has_plan
        n_amid += has_plan and len(run.exits()) < len(run.directory.all_steps())
    return n_amid


def test_every_step_runs_exactly_once(cluster: Cluster) -> None:
    run = Run(cluster.base / "killed")
    assert kill_and_resume(cluster, run, N_KILLS, seed=7) > 0
    check_to_its_end(cluster, run)


@pytest.mark.nightly
@pytest.mark.timeout(6 * 3600)
def test_a_hundred_kills(cluster: Cluster) -> None:
    for seed in range(100 * N_KILLS_AT_NIGHT // 1000 // N_KILLS):
        run = Run(cluster.base / f"killed {seed}")
        kill_and_resume(cluster, run, N_KILLS, seed=100 + seed)
        check_to_its_end(cluster, run)


def check_to_its_end(cluster: Cluster, run: Run) -> None:
    """Let a run end: it has done everything once, and nothing of it is left."""
    done = heorot("evaluate", "--resume", run.path)
    assert done.code == 0, done.err
    directory = run.directory
    ids = [step.id for step in directory.all_steps()]
    asked = [step.id for number in directory.job_numbers() for step in directory.steps(number)]
    given_up = [one.step for one in directory.dropped()]
    assert len(set(ids)) == len(ids)
    assert Counter(asked) + Counter(given_up) == Counter(ids)
    assert run.exits() == Counter(asked)
    assert {one.state for one in run.outcomes()} == {"completed"}
    # Slurm was given each job once, and has none of them any more.
    assert set(names_of_jobs(cluster).values()) == {1}
    assert {run.slurm_facts(number).attempt for number in directory.job_numbers()} == {1}
    assert cluster.slurm("squeue", "--noheader") == ""
    assert cluster.processes_left() == []
    assert cluster.files_left() == []

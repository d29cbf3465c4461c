"""A job is submitted once, whoever is killed and whatever gets lost meanwhile."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from contextlib import suppress
from subprocess import PIPE, Popen
from typing import TYPE_CHECKING

import pytest

from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.facts import read_facts

if TYPE_CHECKING:
    from tests.unit.launch.adapters.fake import Fake
    from tests.unit.launch.conftest import Jobs

# A driver imports once and is then forked for every incarnation, so that the kills hit its work.
_DRIVERS = """
import os, sys
from pathlib import Path
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.batch.slurm import Slurm
from heorot.launch.job import read_job
from tests.unit.launch.adapters.conftest import HASTE
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        job = read_job(Path(line.strip()))
        adapter = BatchAdapter(Slurm(), Path(sys.argv[1]), patience=HASTE)
        adapter.start(job)
        adapter.follow(job, lambda event: None)
        os._exit(0)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_every_step_runs_once_however_often_we_are_killed(
    jobs: Jobs, fake: Fake, seed: int
) -> None:
    job = jobs.make(*[f"echo >>{jobs.base}/ran{number}; sleep 0.1" for number in range(12)])
    rng = random.Random(seed)  # noqa: S311
    fake.set("slow", "0.05")
    command = [sys.executable, "-c", _DRIVERS, str(fake.commands)]
    with Popen(command, stdin=PIPE, stdout=PIPE, text=True) as drivers:
        assert drivers.stdin
        assert drivers.stdout
        for _ in range(20):
            drivers.stdin.write(f"{job.directory}\n")
            drivers.stdin.flush()
            pid = int(drivers.stdout.readline())
            time.sleep(rng.uniform(0.0, 0.15))
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            drivers.stdout.readline()
        drivers.stdin.write(f"{job.directory}\n")
        drivers.stdin.flush()
        drivers.stdout.readline()
        assert drivers.stdout.readline() == "0\n"
        drivers.stdin.close()
    assert fake.submitted == 1
    assert len(jobs.exits(job)) == 12
    ran = [(jobs.base / f"ran{number}").read_text() for number in range(12)]
    assert ran == ["\n"] * 12


def test_it_is_submitted_once_however_often_it_is_started(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("sleep 0.5")
    fake.set("slow", "0.2")
    starters = [threading.Thread(target=adapter.start, args=(job,)) for _ in range(4)]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join()
    fake.clear("slow")
    assert adapter.alive(job)
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    assert fake.submitted == 1
    assert len(jobs.exits(job)) == 1


@pytest.mark.parametrize("who", ["all", "the command"])
def test_a_job_whose_submission_was_cut_off_is_found_by_its_name(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake, who: str
) -> None:
    job = jobs.make("true")
    fake.set("hold")
    fake.set("mute", who)
    adapter.start(job)
    fake.clear("hold")
    facts = read_facts(job)
    assert facts is not None
    assert facts.id == "1"
    assert (facts.submit_seconds is None) == (who == "all")
    adapter.follow(job, lambda _: None)
    assert fake.submitted == 1
    assert len(jobs.exits(job)) == 1

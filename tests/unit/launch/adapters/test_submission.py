"""A job is submitted once, whatever is killed or lost meanwhile."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, Popen
from typing import TYPE_CHECKING

import pytest

from heorot.errors import SetupError
from heorot.jobs.facts import read_facts
from heorot.launch.adapters import submission
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.batch.dialect import Dialect
from heorot.launch.batch.flux.flux import Flux
from heorot.launch.batch.lsf import Lsf
from heorot.launch.batch.pbs import Pbs
from heorot.launch.batch.slurm import Slurm
from tests.unit.launch.adapters.conftest import HASTE, USUAL
from tests.unit.turned import TurnedClock
from tests.waiting import wait_until

if TYPE_CHECKING:
    from tests.unit.launch.adapters.fake import Fake
    from tests.unit.launch.conftest import Jobs

pytestmark = pytest.mark.waiting

# A driver imports once and is forked for every incarnation, so that kills hit its work.
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


@pytest.mark.race
@pytest.mark.slow
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


@pytest.mark.slow
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
    facts = read_facts(job.directory)
    assert facts is not None
    assert facts.id == "1"
    assert (facts.submit_seconds is None) == (who == "all")
    adapter.follow(job, lambda _: None)
    assert fake.submitted == 1
    assert len(jobs.exits(job)) == 1


def test_a_job_whose_steps_have_ended_is_not_submitted(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("true")
    for _ in range(2):
        adapter.start(job)
        adapter.follow(job, lambda _: None)
    assert fake.submitted == 1


@pytest.mark.slow
def test_a_batch_system_that_takes_no_jobs_for_long_is_reported(
    adapter: BatchAdapter, turned: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("true")
    fake.set("busy")
    with pytest.raises(SetupError, match="slurm does not take jobs now: Socket timed out") as it:
        turned.start(job)
    assert "nothing is lost" in it.value.hint
    fake.clear("busy")
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    assert fake.submitted == 1
    assert len(jobs.exits(job)) == 1


@pytest.mark.slow
def test_a_submission_that_takes_its_time_is_waited_for(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("sleep 60")
    fake.set("slow", "1")
    starter = threading.Thread(target=adapter.start, args=(job,))
    starter.start()
    wait_until((job.directory / "submit/1.begun").exists)
    assert not adapter.alive(job)
    fake.set("slow", "0")
    adapter.cancel(job)
    starter.join()
    assert fake.submitted == 1
    assert jobs.left(job) == []


@pytest.mark.slow
def test_what_the_submitting_command_leaves_does_not_keep_the_lock(tmp_path: Path) -> None:
    left = "setsid sleep 60 >/dev/null 2>&1 & echo $!"
    words = ["bash", "-c", submission._SUBMIT, "submit", str(tmp_path), "1", "", "bash", "-c", left]
    subprocess.run(words, check=False, timeout=20)
    pid = int((tmp_path / "1.said").read_text())
    free = subprocess.run(["flock", "-n", tmp_path / "lock", "true"], check=False)
    os.kill(pid, signal.SIGKILL)
    assert (tmp_path / "1.answer").read_text().startswith("0 ")
    assert free.returncode == 0


def test_a_submission_of_which_nobody_tells_is_not_cancelled_for_ever(
    jobs: Jobs, fake: Fake
) -> None:
    job, clock = jobs.make("true"), TurnedClock(time.time())
    fake.set("down")
    (job.directory / "submit").mkdir()
    (job.directory / "submit/1.begun").write_text(f"{clock.time() - 1000} 0\n")
    BatchAdapter(Slurm(), fake.commands, patience=USUAL, clock=clock).cancel(job)
    assert 12.0 <= clock.monotonic() < 20.0


_INTERRUPTED = """
import os, signal, sys
from pathlib import Path
from heorot import interruption
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.batch.slurm import Slurm
from heorot.launch.job import read_job
from tests.unit.launch.adapters.conftest import HASTE
signal.signal(signal.SIGINT, signal.default_int_handler)
interruption.listen()
job = read_job(Path(sys.argv[1]))
adapter = BatchAdapter(Slurm(), Path(sys.argv[2]), patience=HASTE)
adapter.start(job)
try:
    adapter.follow(job, lambda event: os.kill(os.getpid(), signal.SIGINT))
except KeyboardInterrupt:
    adapter.cancel(job)
try:
    interruption.raise_if_asked()
except KeyboardInterrupt:
    print("still known")
"""


@pytest.mark.slow
def test_who_is_interrupted_can_still_cancel(jobs: Jobs, fake: Fake) -> None:
    job = jobs.make("sleep 60")
    printed = subprocess.run(
        [sys.executable, "-c", _INTERRUPTED, str(job.directory), str(fake.commands)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert printed.stdout == "still known\n"
    assert fake.state(1) == "FAILED"  # its script ended on request
    assert jobs.left(job) == []


# Effect of each submitting and querying command, in addition to running the job.
_OTHERS: dict[str, tuple[Dialect, dict[str, str]]] = {
    "pbs": (
        Pbs(),
        {
            "qsub": 'echo "$2" >"${0%/*}/name"; '
            'bash "${!#}" </dev/null >/dev/null 2>&1 9>&- & echo 7.srv',
            "qstat": 'printf "Job Id: 7.srv\\n    Job_Name = $(<"${0%/*}/name")\\n"; '
            "printf '    job_state = R\\n    queue = q\\n'",
        },
    ),
    "lsf": (
        Lsf(),
        {
            "bsub": 'echo "$2" >"${0%/*}/name"; '
            "cat >$PWD/got; bash $PWD/got </dev/null >/dev/null 2>&1 9>&- &"
            " echo 'Job <7> is submitted to default queue <q>.'",
            "bjobs": 'echo "7|RUN|-|q|Feb  2 07:39|Feb  2 07:39|-|$(<"${0%/*}/name")|-"',
            "bhist": "",
        },
    ),
    "flux": (
        Flux(),
        {
            "flux": "if [[ $1 == batch ]]; then"
            ' echo "${2#*=}" >"${0%/*}/name";'
            ' bash "${!#}" </dev/null >/dev/null 2>&1 9>&- & echo f8;'
            " elif [[ $1 == jobs ]]; then"
            ' echo "7|RUN||q|1.5|2.5|0.0|60.0||$(<"${0%/*}/name")| "; fi',
        },
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("system", _OTHERS)
def test_other_batch_systems_are_spoken_to_alike(tmp_path: Path, jobs: Jobs, system: str) -> None:
    dialect, scripts = _OTHERS[system]
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, text in scripts.items():
        (commands / name).write_text(f"#!/bin/bash\n{text}\n")
        (commands / name).chmod(0o755)
    adapter = BatchAdapter(dialect, commands, patience=HASTE)
    job = jobs.make("true", "sleep 0.5")
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    facts = read_facts(job.directory)
    assert facts is not None
    assert (facts.id, facts.queue, facts.state) == ("7.srv" if system == "pbs" else "7", "q", "ok")
    assert len(jobs.exits(job)) == 2


def test_others_hints_name_our_own_command(tmp_path: Path, jobs: Jobs) -> None:
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "bsub").write_text(
        "#!/bin/bash\necho 'x: No such queue. Job not submitted.' >&2\nexit 255\n"
    )
    (commands / "bsub").chmod(0o755)
    with pytest.raises(SetupError, match="the job was refused by lsf: x: No such queue") as caught:
        BatchAdapter(Lsf(), commands, patience=HASTE).start(jobs.make("true"))
    assert "machine" in caught.value.hint

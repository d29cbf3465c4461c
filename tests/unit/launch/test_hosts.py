"""Jobs of several hosts: hosts of steps, clean-up on all of them, and dead hosts."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.launch.command import StepCommand
from heorot.launch.job import Job, write_job
from heorot.launch.job_environment import JobEnvironment
from heorot.process import run
from tests.unit.launch.hosts import Hosts
from tests.waiting import text_of, wait_until

if TYPE_CHECKING:
    from tests.unit.launch.conftest import Jobs, Make

pytestmark = pytest.mark.waiting

HERE = os.uname().nodename
# Number of processes of other steps.
_COUNT = "HEOROT_STEP= grep -lzs 'HEOROT_STEP=.*S000[12]' /proc/[0-9]*/environ | wc -l"


def _write(jobs: Jobs, hosts: Hosts, *commands: StepCommand, names: tuple[str, ...]) -> Job:
    job = write_job(jobs.base / "jobs" / "J0001", commands, hosts.job_environment(*names))
    jobs.made.append(job)
    return job


def _starts(jobs: Jobs, job: Job) -> dict[str, list[str]]:
    return {e["step"]: e["hosts"] for e in jobs.events(job) if e["event"] == "start"}


def test_events_and_files_name_the_hosts(jobs: Jobs, hosts: Hosts, make: Make) -> None:
    line = "{host} slots={n}"
    job = _write(
        jobs,
        hosts,
        make("S0001", "true", place=(0, 2), host_line=line, per_node=3),
        make("S0002", "true", place=(1,), host_line="{host}:{n}"),
        make("S0003", "true"),
        names=("n2", "n3", "n2"),
    )
    jobs.run_to_end(job)
    assert jobs.events(job)[0]["hosts"] == [HERE, "n2", "n3"]
    assert (job.directory / "hosts").read_text() == f"{HERE}\nn2\nn3\n"
    assert _starts(jobs, job) == {"S0001": [HERE, "n3"], "S0002": ["n2"], "S0003": [HERE]}
    files = job.directory / "hosts.d"
    assert (files / "S0001").read_text() == f"{HERE} slots=3\nn3 slots=3\n"
    assert (files / "S0002").read_text() == "n2:1\n"
    assert not (files / "S0003").exists()
    # Once before the first step and once after the last: steps do not log in to hosts.
    assert sorted(hosts.asked()) == ["n2", "n2", "n3", "n3"]


def test_a_program_is_taken_to_its_host(
    jobs: Jobs, hosts: Hosts, make: Make, tmp_path: Path
) -> None:
    script = 'printf "%s|" "$(hostname)" "$PWD" "$ONE" "$HEOROT_STEP" "$@"; read -r x || exit 7'
    folder = tmp_path / "a folder 'with' \"quotes\" $HOME\nand lines"
    folder.mkdir()
    words = ("bash", "-c", script, "x", "a b", "'", "$(touch /tmp/oh)", "", "\n")
    more = {"argv": words, "environment": {"ONE": "it's\n1 = 1"}, "cwd": folder, "taken": True}
    job = _write(
        jobs,
        hosts,
        make("S0001", "", place=(1,), **more),
        make("S0002", "", place=(0,), **more),
        names=("n2",),
    )
    jobs.run_to_end(job)
    for step, host in {"S0001": "n2", "S0002": HERE}.items():
        said = jobs.output(job, step).split("|")
        assert said[:4] == [host, str(folder), "it's\n1 = 1", f"{job.marker}/{step}"]
        assert said[4:] == ["a b", "'", "$(touch /tmp/oh)", "", "\n", ""]
    assert [event["code"] for event in jobs.exits(job)] == [7, 7]


def test_temporary_files_have_a_place_on_every_host_until_the_end(
    jobs: Jobs, hosts: Hosts, make: Make
) -> None:
    script = 'echo "$TMPDIR"; touch "$TMPDIR/left" && ls "$TMPDIR"; exit "$CODE"'
    failing = {"taken": True, "environment": {"CODE": "5"}}
    job = _write(
        jobs,
        hosts,
        make("S0001", script, place=(1,), **failing),
        make("S0002", 'ls "$TMPDIR"', place=(1,), taken=True),
        make("S0003", 'ls "$TMPDIR"', place=(2,), taken=True),
        names=("n2", "n3"),
    )
    jobs.run_to_end(job)
    own = hosts.local / f"heorot-{job.marker}"
    assert jobs.output(job, "S0001") == f"{own}\nleft\n"
    assert [event["code"] for event in jobs.exits(job)] == [5, 0, 0]
    assert jobs.output(job, "S0002") == jobs.output(job, "S0003") == ""
    assert not own.exists()
    assert hosts.on("n2", f"ls -A '{hosts.local}'") == ""


def test_a_log_in_that_ends_before_its_shell_begins_leaves_no_directory(
    jobs: Jobs, hosts: Hosts, make: Make
) -> None:
    hosts.fail("n2")
    job = _write(jobs, hosts, make("S0001", "true"), names=("n2",))
    jobs.run_to_end(job)
    hosts.fail("n2", fails=False)
    assert hosts.asked() == ["n2", "n2"]
    assert hosts.on("n2", f"ls -A '{hosts.local}'") == ""


@pytest.mark.slow
def test_what_a_failed_step_leaves_is_killed_on_its_hosts(
    jobs: Jobs, hosts: Hosts, make: Make
) -> None:
    leave = "setsid sleep 100 >/dev/null 2>&1 </dev/null & "
    job = _write(
        jobs,
        hosts,
        make("S0001", leave + "sleep 100", place=(1,), taken=True, timeout_seconds=0.5),
        make("S0002", leave + "exit 3", place=(2,), taken=True),
        make("S0003", _COUNT, place=(1,), taken=True),
        make("S0004", _COUNT, place=(2,), taken=True),
        names=("n2", "n3"),
    )
    jobs.run_to_end(job)
    first, second, *_ = jobs.exits(job)
    assert (first["code"], first["timed_out"]) == (124, True)
    assert (second["code"], second["timed_out"]) == (3, False)
    assert [jobs.output(job, step) for step in ("S0003", "S0004")] == ["0\n", "0\n"]
    assert not jobs.left(job)


def _marked(hosts: Hosts, host: str, job: Job) -> str:
    return hosts.on(host, f"grep -lzs HEOROT_JOB={job.marker} /proc/[0-9]*/environ")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["TERM", "HUP", "USR2", "KILL"])
def test_an_interrupted_job_leaves_nothing_on_any_host(
    jobs: Jobs, hosts: Hosts, make: Make, name: str
) -> None:
    again = "echo ran >>again; [ $(wc -l <again) = 2 ] || { setsid sleep 100 & sleep 100; }"
    job = _write(jobs, hosts, make("S0001", again, place=(1,), taken=True), names=("n2", "n3"))
    jobs.adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    wait_until(lambda: text_of(jobs.base / "again"))
    os.kill(jobs.pid(job), signal.Signals[f"SIG{name}"])
    wait_until(lambda: not jobs.adapter.alive(job))
    assert jobs.exits(job) == []
    if name != "KILL":
        last = jobs.events(job)[-1]
        assert last["event"] == "interrupted"
        assert last.get("cause") == ("time_limit" if name == "USR2" else None)
        assert not jobs.left(job)
        assert not _marked(hosts, "n2", job)
        assert hosts.on("n2", f"ls -A '{hosts.local}'") == ""
    else:
        assert _marked(hosts, "n2", job)
    jobs.run_to_end(job)
    assert [event["code"] for event in jobs.exits(job)] == [0]
    assert not _marked(hosts, "n2", job)
    assert hosts.on("n2", f"ls -A '{hosts.local}'") == ""


_SILENT = {"reach 20 ": "reach 1 ", "reach 10 ": "reach 1 ", "limit=2": "limit=1"}


def _be_impatient(job: Job, limits: dict[str, str]) -> None:
    """Silent hosts delay a job by a second."""
    script = job.script.read_text()
    for limit, shorter in limits.items():
        assert limit in script
        script = script.replace(limit, shorter)
    job.script.write_text(script)


@pytest.mark.slow
def test_a_dead_host_holds_nothing_up_for_long(jobs: Jobs, hosts: Hosts, make: Make) -> None:
    job = _write(
        jobs,
        hosts,
        make("S0001", "exit 1", place=(0, 1), host_line="{host}"),
        make("S0002", "true", place=(2,), taken=True),
        names=("dead1", "n2"),
    )
    _be_impatient(job, {**_SILENT, "reach 12 ": "reach 1 "})
    jobs.run_to_end(job)  # or the test runs out of time: a dead host would take 300 s
    assert [event["code"] for event in jobs.exits(job)] == [1, 0]
    assert "dead1 cannot be reached" in (job.directory / "stderr").read_text()


@pytest.mark.slow
def test_a_host_that_is_back_is_cleaned_up(jobs: Jobs, hosts: Hosts, make: Make) -> None:
    job = _write(jobs, hosts, make("S0001", "sleep 2"), names=("n2",))
    left = hosts.local / f"heorot-{job.marker}"
    hosts.on("n2", f"mkdir '{left}'")
    hosts.be_late("n2", 30)
    _be_impatient(job, _SILENT)
    jobs.adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    hosts.be_late("n2", 2)
    jobs.adapter.follow(job, lambda _: None)
    assert "n2 cannot be reached" in (job.directory / "stderr").read_text()
    assert hosts.on("n2", f"ls -A '{hosts.local}'") == ""


def test_a_host_that_is_not_there_fails_its_step_only(jobs: Jobs, hosts: Hosts, make: Make) -> None:
    job = _write(
        jobs,
        hosts,
        make("S0001", "true", place=(0, 1, 2), host_line="{host}"),
        make("S0002", "true", place=(1,), host_line="{host}"),
        names=("n2",),
    )
    jobs.run_to_end(job)
    assert [event["code"] for event in jobs.exits(job)] == [69, 0]
    said = jobs.output(job, "S0001")
    assert said == "heorot: step S0001 cannot run: it wants host 3 of this job, which has 2\n"
    assert _starts(jobs, job)["S0001"] == [HERE, "n2"]


def test_without_an_agent_no_program_is_taken_anywhere(jobs: Jobs, make: Make) -> None:
    command = make("S0001", "true", place=(1,), taken=True)
    other = JobEnvironment(list_hosts=f"echo {HERE}; echo n2")
    job = write_job(jobs.base / "jobs" / "J0001", [command], other)
    jobs.run_to_end(job)
    assert jobs.exits(job)[0]["code"] == 69
    assert "there is no way to reach n2" in jobs.output(job)


def test_what_lists_the_hosts_may_leave_something_running(jobs: Jobs, make: Make) -> None:
    listed = JobEnvironment(list_hosts=f"sleep 100 & echo {HERE}")
    job = write_job(jobs.base / "jobs" / "J0001", [make("S0001", "true")], listed)
    jobs.run_to_end(job)  # within the time that a test has
    assert (job.directory / "hosts").read_text() == f"{HERE}\n"
    assert not (job.directory / "hosts.told").exists()


@pytest.mark.slow
def test_names_that_a_shell_might_understand_are_refused(jobs: Jobs, make: Make) -> None:
    for name in ("$(touch oh)", "a;b", "-oProxyCommand=x", "a b", "ü"):
        listed = JobEnvironment(list_hosts=f"printf '%s\\n' n2 '{name}'")
        job = write_job(jobs.base / "jobs" / "J0001", [make("S0001", "true")], listed)
        jobs.run_to_end(job)
        assert not job.status.exists()
        assert "no name of a host" in jobs.adapter.complaint(job)


@pytest.mark.slow
def test_every_host_is_described_once(jobs: Jobs, hosts: Hosts, make: Make) -> None:
    text = 'hostname >"$1/name"; cat; [ "$(hostname)" != n3 ] || exit 4'
    around = hosts.job_environment("n2", "n3", describe=text)
    job = write_job(jobs.base / "a 'job' $HOME" / "J0001", [make("S0001", "true")], around)
    jobs.run_to_end(job)
    found = {path.parent.name: path.read_text() for path in job.directory.glob("nodes/*/name")}
    assert found == {HERE: f"{HERE}\n", "n2": "n2\n", "n3": "n3\n"}
    assert jobs.exits(job)[0]["code"] == 0
    (job.directory / "nodes/n2/name").write_text("kept")
    jobs.run_to_end(job)
    assert (job.directory / "nodes/n2/name").read_text() == "kept"


def test_a_batch_system_may_run_a_copy_with_its_header(jobs: Jobs, make: Make) -> None:
    around = JobEnvironment(header=("#SBATCH --nodes=1", "#SBATCH --comment='$(oh)'"))
    job = write_job(jobs.base / "jobs" / "J0001", [make("S0001", "true")], around)
    lines = job.script.read_text().splitlines()
    assert lines[:3] == ["#!/bin/bash", *around.header]
    spool = jobs.base / "spool"
    spool.write_text(job.script.read_text())
    assert run(["bash", spool], cwd=Path("/")).ok
    assert len(jobs.exits(job)) == 1


@pytest.mark.parametrize("line", ["rm -rf x", "#SBATCH a\nrm -rf x", "#SBATCH a\rb"])
def test_a_header_is_nothing_but_comments(line: str) -> None:
    with pytest.raises(ValueError, match="comment of one line"):
        JobEnvironment(header=(line,))

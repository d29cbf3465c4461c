"""Jobs on hosts behind an agent: started once, followed, cancelled; silence is no end."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from heorot.errors import SetupError
from heorot.jobs.events import StepEvent
from heorot.launch.adapters.hosts import HostsAdapter
from heorot.launch.adapters.overdue import processes_of
from heorot.launch.command import StepCommand
from heorot.launch.job import Job, write_job
from tests.unit.launch.runaways import is_there
from tests.unit.turned import TurnedClock
from tests.waiting import text_of, wait_until

pytestmark = pytest.mark.waiting

# Runs its arguments in a shell, as ssh does, on the only host.
_AGENT = '#!/bin/sh\n[ "$1" = here ] || exit 255\nshift\nexec sh -c "$*"\n'


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    file = tmp_path / "agent"
    file.write_text(_AGENT)
    file.chmod(0o755)
    return file


def a_job(directory: Path, *commands: tuple[str, ...]) -> Job:
    return write_job(
        directory / "J 1",
        [
            StepCommand(
                step=f"S{number:04d}",
                argv=argv,
                cwd=directory,
                timeout_seconds=30.0,
                record=directory / "J 1/records/r.jsonl",
            )
            for number, argv in enumerate(commands, start=1)
        ],
    )


def follow(adapter: HostsAdapter, job: Job) -> list[tuple[str, str]]:
    events: list[StepEvent] = []
    adapter.follow(job, events.append)
    return [(event.event, event.step) for event in events]


def test_a_job_runs_there_and_is_followed_to_its_end(agent: Path, tmp_path: Path) -> None:
    adapter, job = HostsAdapter((str(agent),), "here"), a_job(tmp_path, ("true",), ("false",))
    adapter.start(job)
    events = follow(adapter, job)
    assert events == [(event, f"S000{n}") for n in (1, 2) for event in ("start", "exit")]
    assert not adapter.alive(job)
    assert adapter.complaint(job) == ""


@pytest.mark.slow
def test_a_job_that_runs_is_not_started_again(agent: Path, tmp_path: Path) -> None:
    adapter, job = HostsAdapter((str(agent),), "here"), a_job(tmp_path, ("sleep", "30"))
    adapter.start(job)
    assert adapter.alive(job)
    pid = (job.directory / "pid").read_text()
    adapter.start(job)
    assert (job.directory / "pid").read_text() == pid
    adapter.cancel(job)
    assert not adapter.alive(job)
    assert '"interrupted"' in job.status.read_text()


@pytest.mark.slow
def test_a_script_that_was_killed_is_gone(agent: Path, tmp_path: Path) -> None:
    adapter, job = HostsAdapter((str(agent),), "here"), a_job(tmp_path, ("sleep", "1.5"))
    adapter.start(job)
    adapter._ask(f"kill -KILL $(cat '{job.directory}/pid')")
    turned = HostsAdapter((str(agent),), "here", TurnedClock())
    assert follow(turned, job)[-1:] in ([], [("start", "S0001")])


@pytest.mark.parametrize("host", ["nowhere", "here"])
def test_what_cannot_be_started_says_how_to_try(agent: Path, tmp_path: Path, host: str) -> None:
    adapter, job = HostsAdapter((str(agent),), host), a_job(tmp_path, ("true",))
    if host == "here":  # a directory that is not shared
        job = job.model_copy(update={"directory": tmp_path / "elsewhere"})
    with pytest.raises(SetupError, match=f"cannot be started on {host}") as caught:
        adapter.start(job)
    assert f"{agent} {host} ls " in caught.value.hint


def test_an_agent_that_does_not_answer_is_no_end_at_once(agent: Path, tmp_path: Path) -> None:
    clock, job = TurnedClock(), a_job(tmp_path, ("true",))
    assert follow(HostsAdapter((str(agent),), "nowhere", clock), job) == []
    assert 60.0 <= clock.monotonic() < 90.0


@pytest.mark.slow
def test_a_bash_that_begins_too_late_there_is_ended_and_reported(
    agent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, bash = tmp_path / "begun", tmp_path / "bin/bash"
    bash.parent.mkdir()
    late = f"[ $1 = script.sh ] && {{ sleep 60 & echo $! $$ >{begun}; wait; }}"
    bash.write_text(f'#!/bin/bash\n{late}\nexec /bin/bash "$@"\n')
    bash.chmod(0o755)
    monkeypatch.setenv("PATH", str(bash.parent), prepend=os.pathsep)
    clock, job = TurnedClock(), a_job(tmp_path, ("true",))
    clock.after(5.0, lambda: wait_until(lambda: text_of(begun)))
    with pytest.raises(SetupError, match=r"bash has not begun J 1 on here within 30 s$") as caught:
        HostsAdapter((str(agent),), "here", clock).start(job)
    assert "nothing is lost" in caught.value.hint
    assert [pid for pid in map(int, begun.read_text().split()) if is_there(pid)] == []
    assert not job.status.exists()


@pytest.mark.slow
def test_what_an_earlier_copy_wrote_is_no_word_of_this_one(agent: Path, tmp_path: Path) -> None:
    job = a_job(tmp_path, ("true",))
    slow = job.script.read_text().replace("readonly listing=", "readonly listing='sleep 1';: ")
    job.script.write_text(slow)  # it has begun, but has no hosts yet
    job.status.write_text('{"event":"job","time":1}\n{"event":"interrupted","time":2}\n')
    (job.directory / "stderr").write_text("heorot: n2 cannot be reached\n")
    adapter = HostsAdapter((str(agent),), "here")
    adapter.start(job)
    assert adapter.alive(job)
    assert follow(adapter, job) == [("start", "S0001"), ("exit", "S0001")]
    assert not adapter.alive(job)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["cancel", "follow"])
def test_what_a_dead_script_left_there_is_ended(agent: Path, tmp_path: Path, how: str) -> None:
    adapter = HostsAdapter((str(agent),), "here")
    job = a_job(tmp_path, ("bash", "-c", "echo up; exec sleep 100"))
    adapter.start(job)
    pid = int((job.directory / "pid").read_text())
    wait_until(lambda: text_of(job.directory / "outputs/S0001.txt"))  # it stays now
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not is_there(pid))
    assert list(processes_of(job))
    if how == "cancel":
        adapter.cancel(job)
    else:
        follow(adapter, job)
    assert list(processes_of(job)) == []
    assert adapter.complaint(job) == ""


@pytest.mark.slow
def test_no_answer_to_a_request_to_end_is_no_end(agent: Path, tmp_path: Path) -> None:
    clock, job = TurnedClock(), a_job(tmp_path, ("sleep", "100"))
    HostsAdapter((str(agent),), "here").start(job)
    mute = tmp_path / "mute"
    mute.touch()
    agent.write_text(_AGENT.replace("shift", f"[ ! -e '{mute}' ] || exit 255\nshift"))
    clock.after(20.0, mute.unlink)
    HostsAdapter((str(agent),), "here", clock).cancel(job)
    assert not mute.exists()
    assert list(processes_of(job)) == []
    assert '"interrupted"' in job.status.read_text()

"""Jobs on hosts behind an agent: started once, followed, cancelled, told apart from silence."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from heorot.errors import SetupError
from heorot.launch.adapters.adapter import StepEvent
from heorot.launch.adapters.hosts import HostsAdapter
from heorot.launch.command import StepCommand
from heorot.launch.job import Job, write_job

# Runs what it is told in a shell, as ssh does, on the only host there is.
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
    told: list[StepEvent] = []
    adapter.follow(job, told.append)
    return [(event.event, event.step) for event in told]


def test_a_job_runs_there_and_is_followed_to_its_end(agent: Path, tmp_path: Path) -> None:
    adapter, job = HostsAdapter((str(agent),), "here"), a_job(tmp_path, ("true",), ("false",))
    adapter.start(job)
    told = follow(adapter, job)
    assert told == [(event, f"S000{n}") for n in (1, 2) for event in ("start", "exit")]
    assert not adapter.alive(job)
    assert adapter.complaint(job) == ""


def test_a_job_that_runs_is_not_started_again(agent: Path, tmp_path: Path) -> None:
    adapter, job = HostsAdapter((str(agent),), "here"), a_job(tmp_path, ("sleep", "30"))
    adapter.start(job)
    assert adapter.alive(job)
    pid = (job.directory / "pid").read_text()
    adapter.start(job)
    assert (job.directory / "pid").read_text() == pid
    began = time.monotonic()
    adapter.cancel(job)
    assert not adapter.alive(job)
    assert time.monotonic() - began < 20.0
    assert '"interrupted"' in job.status.read_text()


def test_a_script_that_was_killed_is_gone(agent: Path, tmp_path: Path) -> None:
    adapter, job = HostsAdapter((str(agent),), "here"), a_job(tmp_path, ("sleep", "1.5"))
    adapter.start(job)
    adapter._ask(f"kill -KILL $(cat '{job.directory}/pid')")
    assert follow(adapter, job)[-1:] in ([], [("start", "S0001")])


@pytest.mark.parametrize("host", ["nowhere", "here"])
def test_what_cannot_be_started_says_how_to_try(agent: Path, tmp_path: Path, host: str) -> None:
    adapter, job = HostsAdapter((str(agent),), host), a_job(tmp_path, ("true",))
    if host == "here":  # a directory that is not shared
        job = job.model_copy(update={"directory": tmp_path / "elsewhere"})
    with pytest.raises(SetupError, match=f"cannot be started on {host}") as caught:
        adapter.start(job)
    assert f"{agent} {host} ls " in caught.value.hint


def test_an_agent_that_does_not_answer_is_no_end_at_once(
    agent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heorot.launch.adapters.hosts._SELDOM_SECONDS", 0.05)
    monkeypatch.setattr("heorot.launch.adapters.hosts._PATIENCE_SECONDS", 0.5)
    job = a_job(tmp_path, ("true",))
    began = time.monotonic()
    assert follow(HostsAdapter((str(agent),), "nowhere"), job) == []
    assert 0.5 <= time.monotonic() - began < 10.0

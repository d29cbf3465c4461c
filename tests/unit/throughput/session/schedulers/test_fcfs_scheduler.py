"""The queue of this computer: first come, first served, by cores or by nodes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from heorot.clock import SYSTEM_CLOCK, Clock, SystemClock
from heorot.errors import SetupError
from heorot.jobs.events import StepEvent
from heorot.jobs.marked_processes import process_of
from heorot.jobs.status import read_status
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.adapters.overdue import Here, Watchdog
from heorot.launch.job import Job, read_job
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.site import Site
from heorot.throughput.session import load_run
from heorot.throughput.session.job_outcomes import classify_job
from heorot.throughput.session.schedulers.fcfs_scheduler import FcfsScheduler, Runner, read_note
from heorot.throughput.session.schedulers.scheduler import Change
from heorot.throughput.session.work import Work
from tests.unit.session.conftest import kill
from tests.unit.throughput.session.conftest import (
    MACHINE,
    PROGRAMS,
    Make,
    follow,
    make_arrival,
    run_one,
)
from tests.unit.turned import TurnedClock
from tests.waiting import text_of, wait_until


class _Target(ExecutionTarget):
    def adapter_on(self, host: str) -> Any:  # one for all
        del host
        return self.adapter


def _fcfs(
    adapter: Runner | None = None, clock: Clock = SYSTEM_CLOCK, patience: float = 0.0, **hosts: int
) -> FcfsScheduler:
    target = _Target(adapter or LocalAdapter(), Site(), 1)
    fcfs = FcfsScheduler(target, hosts or {"n1": 4}, PROGRAMS, MACHINE, clock)
    fcfs._patience = patience
    return fcfs


@pytest.fixture
def clock() -> TurnedClock:
    return TurnedClock()


def _changes_in(fcfs: FcfsScheduler, clock: TurnedClock, seconds: float) -> list[Change]:
    """All changes in a time."""
    changes: list[Change] = []
    until = clock.monotonic() + seconds
    while clock.monotonic() < until:
        changes += fcfs.poll()
        clock.sleep(0.5)
    return changes


def _await_start(fcfs: FcfsScheduler, work: Work) -> None:
    """Poll until the first program of a job runs."""

    def runs() -> bool:
        started = "P1" in read_status(work.place).started
        if not started:
            fcfs.poll()
        return started

    wait_until(runs, seen=lambda: read_status(work.place))


# Ends by itself, should the test fail.
_UNTIL_LET_GO = (
    "echo again >>../../times; for ((i = 0; i < 1000; i++)); do"
    " [[ -e ../../go ]] && exit; sleep 0.02; done; exit 9"
)


def _seen(changes: list[Change]) -> list[tuple[str, str]]:
    return [(change.work.label, change.phase) for change in changes]


@pytest.mark.waiting
def test_a_job_gets_its_node_and_gives_it_back(make: Make) -> None:
    work, fcfs = make("one1", "echo hello"), _fcfs()
    fcfs.submit(work)
    note = read_note(work)
    assert note is not None
    assert note.started is None
    assert _seen(follow(fcfs, 1)) == [("one1", "pending"), ("one1", "running"), ("one1", "ended")]
    note = read_note(work)
    assert note is not None
    assert note.hosts == ("n1",)
    assert read_status(work.place).ended


class _Scripts:
    """Runs scripts that only begin, until they are ended.

    Attributes:
        unseen: whether jobs are invisible, as on an unreachable host.
        refused: why no job can be started; empty if they can.
    """

    def __init__(self) -> None:
        self.unseen = False
        self.refused = ""

    def start(self, job: Job, after: Job | None = None) -> None:
        """Begin a job."""
        del after
        if self.refused:
            raise SetupError(self.refused, "no hint")
        self._write(job, "job")

    def end(self, work: Work) -> None:
        """End a job."""
        self._write(read_job(work.place), "end")

    def watchdog(self, job: Job) -> Watchdog:
        """A job without delays by its clock."""
        return Watchdog(job, Here(), TurnedClock(), 15.0)

    def alive(self, job: Job) -> bool:
        """Whether the job is visible."""
        del job
        return not self.unseen

    def cancel(self, job: Job) -> None:
        """Interrupt a job."""
        self._write(job, "interrupted")

    def leave(self, job: Job) -> None:
        """Jobs are no children of ours."""

    def follow(self, job: Job, on_event: Callable[[StepEvent], None]) -> None:
        """There is no watchdog."""

    def complaint(self, job: Job) -> str:
        """There is none."""
        del job
        return ""

    def _write(self, job: Job, event: str) -> None:
        with job.status.open("a") as file:
            file.write(json.dumps({"event": event, "time": 9.0}) + "\n")


def test_who_does_not_fit_waits_and_who_comes_later_waits_behind_it(make: Make) -> None:
    wide = make("wide1", "true", nodes=2)
    first, last = make("one1", "true", exclusive=True), make("one2", "true")
    scripts = _Scripts()
    fcfs = _fcfs(scripts, n1=4, n2=4)
    for work in (first, wide, last):
        fcfs.submit(work)
    waiting = [(work.label, "pending") for work in (first, wide, last)]
    assert _seen(fcfs.poll()) == [*waiting, ("one1", "running")]
    assert fcfs.poll() == []
    scripts.end(first)
    assert _seen(fcfs.poll()) == [("one1", "ended"), ("wide1", "running"), ("one2", "running")]
    scripts.end(last)
    scripts.end(wide)
    assert len(fcfs.poll()) == 2


def test_jobs_share_a_node_while_it_has_cores(make: Make) -> None:
    scripts = _Scripts()
    fcfs = _fcfs(scripts, n1=2)
    works = [make(f"one{n}", "true") for n in (1, 2, 3)]
    for work in works:
        fcfs.submit(work)
    running = [label for label, standing in _seen(fcfs.poll()) if standing == "running"]
    assert running == ["one1", "one2"]
    scripts.end(works[1])
    assert _seen(fcfs.poll()) == [("one2", "ended"), ("one3", "running")]


def test_a_script_that_is_out_of_sight_for_a_while_keeps_its_nodes(
    make: Make, clock: TurnedClock
) -> None:
    first, second, scripts = make("one1", "true"), make("one2", "true"), _Scripts()
    fcfs = _fcfs(scripts, clock, patience=60.0, n1=1)
    for work in (first, second):
        fcfs.submit(work)
    fcfs.poll()
    scripts.unseen = True
    assert _changes_in(fcfs, clock, 55.0) == []
    scripts.unseen = False
    assert _changes_in(fcfs, clock, 1000.0) == []
    scripts.unseen = True
    (ended, begun) = _seen(_changes_in(fcfs, clock, 75.0))
    assert (ended, begun) == (("one1", "ended"), ("one2", "running"))
    assert "its script is silent since 1970" in classify_job(first, make_arrival(), 0.0).why


def test_why_a_script_cannot_be_started_is_reported(make: Make, clock: TurnedClock) -> None:
    work, scripts = make("one1", "true"), _Scripts()
    scripts.refused, scripts.unseen = "one1 cannot be started on n1: no route to host", True
    fcfs = _fcfs(scripts, clock)
    fcfs.submit(work)
    assert _seen(_changes_in(fcfs, clock, 30.0))[-1] == ("one1", "ended")
    job = classify_job(work, make_arrival(), 0.0)
    assert (job.fate, job.why) == ("vanished", scripts.refused)


@pytest.mark.waiting
def test_a_running_job_is_resumed_and_an_ended_one_is_not_started_again(make: Make) -> None:
    work = make("one1", _UNTIL_LET_GO)
    adapter = LocalAdapter()  # whose child the script is
    first = _fcfs(adapter)
    first.submit(work)
    first.poll()
    second = _fcfs(adapter)  # after a kill of the process that conducted the test
    second.submit(work)
    (work.place / "go").touch()
    follow(second, 1)
    third = _fcfs()
    third.submit(work)
    follow(third, 1)
    assert (work.place / "times").read_text() == "again\n"


@pytest.mark.race
@pytest.mark.waiting
def test_a_script_that_is_gone_without_a_record_is_lost(make: Make, clock: TurnedClock) -> None:
    work, fcfs = make("one1", "sleep 20"), _fcfs(clock=clock)
    fcfs.submit(work)
    _await_start(fcfs, work)
    kill(read_job(work.place))
    assert _seen(_changes_in(fcfs, clock, 12.0)) == [("one1", "ended")]
    job = classify_job(work, make_arrival(), 0.0)
    assert job.fate == "vanished"
    assert job.parts[0].fate == "lost"
    assert job.submitted is not None


def test_what_waits_never_starts_after_all_were_cancelled(make: Make) -> None:
    fcfs = _fcfs(_Scripts(), n1=1)
    runs, waits = make("one1", "true"), make("one2", "true")
    for work in (runs, waits):
        fcfs.submit(work)
    assert _seen(fcfs.poll())[-1] == ("one1", "running")
    fcfs.cancel_all()
    assert _seen(fcfs.poll()) == [("one1", "ended")]
    assert fcfs.poll() == []
    assert not (waits.place / "script.sh").exists()
    assert classify_job(runs, make_arrival(), 0.0).fate == "cancelled"
    never = classify_job(waits, make_arrival(), 0.0)
    assert (never.fate, never.why) == ("unfinished", "it never began")


@pytest.mark.waiting
def test_a_dedicated_job(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load_run, "_LOOK_SECONDS", 0.01)
    work = make("one1", "exit 3")
    run_one(_fcfs(), work)
    job = classify_job(work, make_arrival(), 0.0)
    assert (job.fate, job.why) == ("failed", "exit code 3")


class _FastWhileStopped(SystemClock):
    """A clock that runs two hundred times as fast while the script of a job is suspended."""

    def __init__(self, work: Work) -> None:
        self._pid, self._ahead, self._last = work.place / "pid", 0.0, super().monotonic()

    def monotonic(self) -> float:
        now, pid = super().monotonic(), text_of(self._pid).strip()
        script = process_of(int(pid)) if pid else None
        if script is not None and script.state == "T":
            self._ahead += 199.0 * (now - self._last)
        self._last = now
        return now + self._ahead


@pytest.mark.waiting
@pytest.mark.slow
def test_a_program_that_stops_its_script_does_not_keep_the_node(make: Make) -> None:
    work = make(
        "one1",
        "kill -STOP $(cut -d' ' -f4 /proc/$PPID/stat); exec sleep 100",
        time_limit_seconds=0.5,
    )
    clock = _FastWhileStopped(work)
    fcfs = _fcfs(LocalAdapter(clock), clock)
    fcfs.submit(work)
    assert _seen(follow(fcfs, 1))[-1] == ("one1", "ended")
    status = read_status(work.place)
    assert [ended.timed_out for ended in status.exits.values()] == [True]
    assert status.ended

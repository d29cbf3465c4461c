"""The queue of this computer: first come, first served, by cores or by nodes."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from heorot.collect.status import read_status
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.surroundings import Surroundings
from heorot.session.day.desks import own as own_desk
from heorot.session.day.desks.desk import Change
from heorot.session.day.desks.own import OwnDesk, read_note
from heorot.session.day.settle import settle
from heorot.session.day.work import Work
from tests.unit.session.day.conftest import MACHINE, PROGRAMS, Make, make_arrival, run_one


def _desk(adapter: LocalAdapter | None = None, **hosts: int) -> OwnDesk:
    own = adapter or LocalAdapter()
    return OwnDesk(hosts or {"n1": 4}, lambda _: own, lambda _: Surroundings(), PROGRAMS, MACHINE)


def _follow(desk: OwnDesk, n: int) -> list[Change]:
    """All changes until so many jobs have ended."""
    changes: list[Change] = []
    deadline = time.monotonic() + 20.0
    while sum(change.standing == "ended" for change in changes) < n:
        assert time.monotonic() < deadline
        changes += desk.look()
        time.sleep(0.01)
    return changes


def _await_start(desk: OwnDesk, work: Work) -> None:
    """Look until the first program of a job runs."""
    deadline = time.monotonic() + 20.0
    while "P1" not in read_status(work.place).started:
        desk.look()
        time.sleep(0.01)
        assert time.monotonic() < deadline


def _told(changes: list[Change]) -> list[tuple[str, str]]:
    return [(change.work.label, change.standing) for change in changes]


def test_a_job_gets_its_node_and_gives_it_back(make: Make) -> None:
    work, desk = make("one1", "echo hello"), _desk()
    desk.hand_in(work)
    note = read_note(work)
    assert note is not None
    assert note.started is None
    assert _told(_follow(desk, 1)) == [("one1", "waiting"), ("one1", "running"), ("one1", "ended")]
    note = read_note(work)
    assert note is not None
    assert note.hosts == ("n1",)
    assert read_status(work.place).ended


def test_who_does_not_fit_waits_and_who_comes_later_waits_behind_it(make: Make) -> None:
    wide = make("wide1", "true", nodes=2)
    first, last = make("one1", "sleep 0.3", exclusive=True), make("one2", "true")
    desk = _desk(n1=4, n2=4)
    for work in (first, wide, last):
        desk.hand_in(work)
    told = _told(_follow(desk, 3))
    begun = [label for label, standing in told if standing == "running"]
    assert begun == ["one1", "wide1", "one2"]
    assert told.index(("one1", "ended")) < told.index(("wide1", "running"))


def test_jobs_share_a_node_while_it_has_cores(make: Make) -> None:
    desk = _desk(n1=2)
    works = [make(f"one{n}", "sleep 0.3") for n in (1, 2, 3)]
    for work in works:
        desk.hand_in(work)
    told = _told(_follow(desk, 3))
    assert told.index(("one2", "running")) < told.index(("one1", "ended"))
    third = told.index(("one3", "running"))
    assert third > min(told.index(("one1", "ended")), told.index(("one2", "ended")))


def test_one_that_runs_is_gone_on_with_and_one_that_ended_is_not_begun_again(make: Make) -> None:
    work = make("one1", "echo again >>../../times; sleep 0.5")
    adapter = LocalAdapter()  # whose child the script is
    first = _desk(adapter)
    first.hand_in(work)
    first.look()
    second = _desk(adapter)  # whoever conducted the day was killed
    second.hand_in(work)
    _follow(second, 1)
    third = _desk()
    third.hand_in(work)
    _follow(third, 1)
    assert (work.place / "times").read_text() == "again\n"


def test_a_script_that_is_gone_without_a_word_has_vanished(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_desk, "_SILENT_SECONDS", 0.05)
    work, desk = make("one1", "sleep 20"), _desk()
    desk.hand_in(work)
    _await_start(desk, work)
    _kill(work.place)
    assert _told(_follow(desk, 1))[-1] == ("one1", "ended")
    job = settle(work, make_arrival(), 0.0)
    assert job.fate == "vanished"
    assert job.parts[0].fate == "lost"
    assert job.submitted is not None


def _kill(place: Path) -> None:
    """Kill all processes of a job at once, as a node that loses its power does."""
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                environ = Path(f"/proc/{entry.name}/environ").read_bytes()
                own = Path(f"/proc/{entry.name}/cwd").readlink()
            except OSError:
                continue
            if b"HEOROT_JOB=" in environ and own.is_relative_to(place):
                os.kill(int(entry.name), signal.SIGKILL)


def test_what_waits_never_starts_after_all_were_cancelled(make: Make) -> None:
    desk = _desk(n1=1)
    runs, waits = make("one1", "sleep 20"), make("one2", "true")
    for work in (runs, waits):
        desk.hand_in(work)
    _await_start(desk, runs)
    desk.cancel_all()
    _follow(desk, 1)
    assert not (waits.place / "script.sh").exists()
    assert settle(runs, make_arrival(), 0.0).fate == "cancelled"
    never = settle(waits, make_arrival(), 0.0)
    assert (never.fate, never.why) == ("unfinished", "it never began")


def test_a_job_alone(make: Make) -> None:
    work = make("one1", "exit 3")
    run_one(_desk(), work)
    job = settle(work, make_arrival(), 0.0)
    assert (job.fate, job.why) == ("failed", "exit code 3")

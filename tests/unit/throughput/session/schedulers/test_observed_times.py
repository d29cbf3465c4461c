"""The clock is set during a test: arrivals and durations stay the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.throughput.model.throughput import PartEnd, ThroughputJob
from heorot.throughput.session.load_run import LoadRun
from heorot.throughput.session.schedulers.observed_times import (
    ObservedTimes,
    by_steady_clock,
    read_seen,
)
from heorot.throughput.session.work import Work
from tests.unit.throughput.session.conftest import Make, Seen, make_arrival
from tests.unit.throughput.session.test_load_run import _Scheduler
from tests.unit.turned import TurnedClock

BEGUN = 1_764_000_000.0
STEPS = [5.0, -5.0, 3600.0, -3600.0]


def _reported(
    clock: TurnedClock, moments: ObservedTimes, place: Path, *, set_by: float, at: int
) -> ThroughputJob:
    """A job whose script records times, with the clock set before one of them."""
    times = []
    for number, what in enumerate(("handed_in", "running", "part", "part", "ended")):
        if number == at:
            clock.set_by += set_by
        times.append(clock.time())
        if what != "part":
            moments.note(place, what)  # type: ignore[arg-type]
        clock.sleep(10.0)
    submitted, start, began, ended, end = times
    if at == 3:  # as its script does: both are by the clock at its end
        began += set_by
    return ThroughputJob(
        serial=1,
        label="a1",
        kind="a",
        nodes=1,
        cores=1,
        scheduled=BEGUN,
        submitted=submitted,
        allocated=float(int(start)),
        own_start=start,
        application_start=began,
        application_end=ended,
        own_end=end,
        parts=(PartEnd(name="a", started=began, ended=ended, fate="ok", seconds=ended - began),),
    )


@pytest.mark.parametrize("set_by", STEPS)
@pytest.mark.parametrize("at", [0, 1, 2, 3, 4])
def test_all_times_of_a_job_are_by_the_clock_of_the_begin(
    tmp_path: Path, set_by: float, at: int
) -> None:
    clock = TurnedClock(BEGUN)
    moments = ObservedTimes([tmp_path], BEGUN, clock)
    job = _reported(clock, moments, tmp_path, set_by=set_by, at=at)
    steady = by_steady_clock(job, read_seen(tmp_path))
    assert steady.submitted == pytest.approx(BEGUN)
    assert steady.start == pytest.approx(BEGUN + 10.0)
    assert steady.allocated == pytest.approx(BEGUN + 10.0)
    assert steady.application_start == pytest.approx(BEGUN + 20.0)
    assert steady.application_end == pytest.approx(BEGUN + 30.0)
    assert steady.end == pytest.approx(BEGUN + 40.0)
    assert steady.parts[0].started == steady.application_start


def test_nothing_changes_while_the_clock_is_not_set(tmp_path: Path) -> None:
    clock = TurnedClock(BEGUN)
    moments = ObservedTimes([tmp_path], BEGUN, clock)
    job = _reported(clock, moments, tmp_path, set_by=0.0, at=0)
    clock.set_by = 0.4  # as one that is continuously corrected
    assert by_steady_clock(job, read_seen(tmp_path)) is job
    assert by_steady_clock(job, None) is job


@pytest.mark.parametrize("set_by", STEPS)
def test_a_resumed_test_knows_when_it_began(tmp_path: Path, set_by: float) -> None:
    clock = TurnedClock(BEGUN)
    first = ObservedTimes([tmp_path], BEGUN, clock)
    first.note(tmp_path, "handed_in")
    clock.sleep(100.0)
    clock.set_by = set_by  # between two polls
    second = ObservedTimes([tmp_path], BEGUN, clock)
    assert second.begun == pytest.approx(first.begun)
    second.note(tmp_path, "handed_in")
    second.note(tmp_path, "running")
    seen = read_seen(tmp_path)
    assert seen is not None
    assert seen.handed_in == pytest.approx(BEGUN)
    assert seen.running == pytest.approx(BEGUN + 100.0)


@pytest.mark.parametrize("set_by", STEPS)
def test_jobs_are_submitted_by_the_monotonic_clock(make: Make, set_by: float) -> None:
    clock = TurnedClock(BEGUN)
    scheduler = _Scheduler(clock)
    arrivals = [make_arrival(1), make_arrival(2, at_seconds=30.0)]
    works: dict[int, Work] = {each.serial: make(each.label, "true") for each in arrivals}
    for work in works.values():
        work.place.mkdir(parents=True, exist_ok=True)
    clock.after(10.0, lambda: setattr(clock, "set_by", set_by))
    LoadRun(
        arrivals, works, scheduler, Seen(), begun=BEGUN, describe=lambda _: (True, "ok"),
        expected={}, n_nodes=2, clock=clock,
    ).carry_out()  # fmt: skip
    seen = [read_seen(work.place) for work in works.values()]
    submitted = [each.handed_in for each in seen if each]
    assert submitted == [pytest.approx(BEGUN), pytest.approx(BEGUN + 30.0, abs=0.2)]
    assert [each.shifts for each in seen if each] == [(0.0,), (0.0, pytest.approx(set_by))]

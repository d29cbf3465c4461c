"""Times of submission, progress, and the estimate of the rest."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from heorot.jobs.batch_states import Phase
from heorot.monitoring.model import Monitoring
from heorot.throughput.model.kinds import Arrival
from heorot.throughput.session.load_run import LoadRun, run_alone
from heorot.throughput.session.schedulers.scheduler import Change
from heorot.throughput.session.work import Work
from tests.unit.throughput.session.conftest import Make, Seen, make_arrival
from tests.unit.turned import TurnedClock


class _Scheduler:
    """Runs each job for a given number of polls.

    Attributes:
        handed: labels and times, in the order of submission.
    """

    def __init__(self, clock: TurnedClock, looks: int = 1) -> None:
        self._clock = clock
        self.handed: list[tuple[str, float]] = []
        self._looks = looks
        self._left: dict[str, tuple[Work, int]] = {}

    def submit(self, work: Work) -> None:
        """Take it."""
        self.handed.append((work.label, self._clock.time()))
        self._left[work.label] = (work, self._looks)

    def poll(self) -> list[Change]:
        """Each job moves on by one phase."""
        changes = []
        for label, (work, left) in list(self._left.items()):
            phase: Phase = "running" if left else "ended"
            changes.append(Change(work, phase))
            self._left[label] = (work, left - 1)
            if not left:
                del self._left[label]
        return changes

    def cancel_all(self) -> None:
        """Nothing runs."""


def _well(work: Work) -> tuple[bool, str]:
    return work.label != "two1", "ok"


@pytest.fixture
def clock() -> TurnedClock:
    return TurnedClock()


def _run(
    make: Make,
    arrivals: Sequence[Arrival],
    scheduler: _Scheduler,
    view: Seen,
    clock: TurnedClock,
    **kinds: float,
) -> tuple[LoadRun, float]:
    works = {each.serial: make(each.label, "true", think_seconds=200.0) for each in arrivals}
    begun = clock.time()
    run = LoadRun(
        arrivals,
        works,
        scheduler,
        view,
        begun=begun,
        describe=_well,
        expected=kinds,
        n_nodes=2,
        clock=clock,
    )
    return run, begun


def test_every_job_is_submitted_at_its_time(make: Make, clock: TurnedClock) -> None:
    scheduler, view = _Scheduler(clock), Seen()
    arrivals = [make_arrival(1), make_arrival(2, at_seconds=400.0), make_arrival(3, kind="two")]
    arrivals[2] = arrivals[2].model_copy(update={"label": "two1"})
    run, begun = _run(make, arrivals, scheduler, view, clock)
    run.carry_out()
    handed = dict(scheduler.handed)
    assert list(handed) == ["one1", "two1", "one2"]
    assert 400.0 <= handed["one2"] - begun < 400.2
    assert [label for label, _ in view.ends] == ["one1", "two1", "one2"]
    last = view.glimpses[-1]
    assert last.ended == (("one1", True), ("two1", False), ("one2", True))
    assert (last.later, last.waiting, last.running, last.n_jobs) == ((), (), (), 3)


@pytest.mark.parametrize("seconds", [3600.0, -3600.0])
def test_a_clock_that_is_set_moves_no_job(make: Make, clock: TurnedClock, seconds: float) -> None:
    scheduler = _Scheduler(clock)
    arrivals = [make_arrival(1), make_arrival(2, at_seconds=400.0)]
    run, begun = _run(make, arrivals, scheduler, Seen(), clock)
    clock.after(100.0, lambda: setattr(clock, "set_by", seconds))
    run.carry_out()
    assert 400.0 <= dict(scheduler.handed)["one2"] - seconds - begun < 400.2


def test_the_view_is_reported_what_the_nodes_do(make: Make, clock: TurnedClock) -> None:
    view = Seen()
    works = {1: make("one1", "true")}
    seen = Monitoring()
    run = LoadRun(
        [make_arrival(1)],
        works,
        _Scheduler(clock, looks=30),
        view,
        begun=clock.time(),
        describe=_well,
        expected={},
        n_nodes=1,
        look=lambda: seen,
        clock=clock,
    )
    run.carry_out()
    assert view.loads == [seen] * 2  # at once, and each time two seconds have passed


def test_who_waits_for_another_thinks_first(make: Make, clock: TurnedClock) -> None:
    scheduler, view = _Scheduler(clock, looks=3), Seen()
    arrivals = [make_arrival(1), make_arrival(2, after=(1,))]
    run, _ = _run(make, arrivals, scheduler, view, clock)
    run.carry_out()
    (_, first), (_, second) = scheduler.handed
    assert 200.3 <= second - first < 200.6


def test_what_is_left_is_the_longest_job_or_all_the_work(make: Make, clock: TurnedClock) -> None:
    scheduler, view = _Scheduler(clock, looks=1), Seen()
    arrivals = [make_arrival(n) for n in (1, 2, 3, 4)]
    run, _ = _run(make, arrivals, scheduler, view, clock, one=100.0)
    assert run.load_state().left_seconds == pytest.approx(200.0)
    late = [make_arrival(1, at_seconds=500.0)]
    run, _ = _run(make, late, scheduler, view, clock, one=100.0)
    assert run.load_state().left_seconds == pytest.approx(600.0)
    run, _ = _run(make, late, scheduler, view, clock)
    assert run.load_state().left_seconds is None


def test_an_unknown_kind_has_no_estimate(make: Make, clock: TurnedClock) -> None:
    scheduler, view = _Scheduler(clock, looks=2), Seen()
    run, _ = _run(make, [make_arrival(1)], scheduler, view, clock, other=1.0)
    run.carry_out()
    assert {load_state.left_seconds for load_state in view.glimpses[:-1]} == {None}


def test_dedicated_runs_are_sequential(make: Make, clock: TurnedClock) -> None:
    scheduler, view = _Scheduler(clock, looks=2), Seen()
    run_alone([make("one1", "true"), make("one2", "true")], scheduler, view, _well, clock)
    (_, first), (_, second) = scheduler.handed
    assert second - first == pytest.approx(0.2)  # as many polls as it runs for
    assert view.ends == [("one1", "ok"), ("one2", "ok")]
    assert view.glimpses[0].later == ("one2",)

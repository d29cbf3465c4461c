"""Submits the jobs of a test when they are due, follows all of them, reports progress."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from heorot import interruption
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.jobs.batch_states import Phase
from heorot.monitoring.model import Monitoring
from heorot.throughput.model.kinds import Arrival
from heorot.throughput.session.schedulers.observed_times import ObservedTimes
from heorot.throughput.session.schedulers.scheduler import Change, Scheduler
from heorot.throughput.session.view import LoadState, ThroughputView
from heorot.throughput.session.work import Work

# Polling interval [s]: as fine as the resolution of start times, with a negligible load.
_LOOK_SECONDS = 0.1
# Interval between two reads of the node samples [s].
_NODES_SECONDS = 2.0

Describe = Callable[[Work], tuple[bool, str]]
"""Whether a job ended well, and its outcome in a few words."""


def run_alone(
    works: Sequence[Work],
    scheduler: Scheduler,
    view: ThroughputView,
    describe: Describe,
    clock: Clock = SYSTEM_CLOCK,
    *,
    expected: Mapping[str, float] | None = None,
) -> None:
    """Run dedicated jobs, one after the other.

    Args:
        expected: estimated run time by job class, where known [s].
    """
    known = dict(expected or {})
    for number, work in enumerate(works, start=1):
        begun = clock.monotonic()
        scheduler.submit(work)
        phase: Phase = "pending"
        while phase != "ended":
            interruption.raise_if_asked()
            for change in scheduler.poll():
                phase = change.phase
            seconds = clock.monotonic() - begun
            view.seen(
                LoadState(
                    seconds=seconds,
                    n_jobs=len(works),
                    later=tuple(each.label for each in works[number:]),
                    waiting=(work.label,) if phase == "pending" else (),
                    running=((work.label, seconds),) if phase == "running" else (),
                    ended=tuple((each.label, True) for each in works[: number - 1]),
                    left_seconds=_left(works[number - 1 :], known, seconds),
                )
            )
            if phase != "ended":
                clock.sleep(_LOOK_SECONDS)
        known[work.name] = clock.monotonic() - begun
        view.settled(work.label, describe(work)[1])


def _left(works: Sequence[Work], known: Mapping[str, float], ran: float) -> float | None:
    """Time to the end of the last job, of which the first has run for `ran`; None unknown [s]."""
    if any(work.name not in known for work in works):
        return None
    first, *others = (known[work.name] for work in works)
    return max(0.0, first - ran) + sum(others)


class LoadRun:
    """The load: submits every job at its time.

    Args:
        arrivals: the jobs, in the order of their serial numbers.
        works: jobs to submit, by serial number.
        begun: start of the test, Unix time [s].
        expected: run time by job class, as far as known [s].
        look: reads the latest samples of the nodes; None for no monitoring.
    """

    def __init__(
        self,
        arrivals: Sequence[Arrival],
        works: Mapping[int, Work],
        scheduler: Scheduler,
        view: ThroughputView,
        *,
        begun: float,
        describe: Describe,
        expected: Mapping[str, float],
        n_nodes: int,
        look: Callable[[], Monitoring] | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._clock = clock
        self._look, self._looked = look, -math.inf
        self._works, self._scheduler, self._view = works, scheduler, view
        self._describe, self._expected, self._n_nodes = describe, expected, n_nodes
        # From here on by the monotonic clock.
        self._moments = ObservedTimes((work.place for work in works.values()), begun, clock)
        self._begun = self._moments.begun
        self._later = list(arrivals)
        self._serials = {work.place: serial for serial, work in works.items()}
        self._waiting: dict[int, None] = {}
        self._running: dict[int, float] = {}
        self._ended: dict[int, float] = {}
        self._well: dict[int, bool] = {}
        # Run times of ended jobs: under load, and dedicated [s].
        self._took = self._alone = 0.0

    def carry_out(self) -> None:
        """Submit and follow jobs until all have ended.

        Raises:
            KeyboardInterrupt: the user interrupted it.
            SetupError: a file cannot be written, or the batch system does not answer.
        """
        while self._later or self._waiting or self._running:
            interruption.raise_if_asked()
            self._submit_due()
            for change in self._scheduler.poll():
                self._note(change)
            self._view.seen(self.load_state())
            self._look_at_nodes()
            if self._later or self._waiting or self._running:
                self._clock.sleep(_LOOK_SECONDS)

    def _look_at_nodes(self) -> None:
        if self._look and self._clock.monotonic() - self._looked > _NODES_SECONDS:
            self._looked = self._clock.monotonic()
            self._view.loaded(self._look())

    def _submit_due(self) -> None:
        now = self._clock.monotonic()
        for arrival in list(self._later):
            due = self._due(arrival)
            if due is None or due > now:
                continue
            self._later.remove(arrival)
            self._waiting[arrival.serial] = None
            work = self._works[arrival.serial]
            self._scheduler.submit(work)
            self._moments.note(work.place, "handed_in")

    def _due(self, arrival: Arrival) -> float | None:
        """When a job is to be submitted; None if one of its predecessors has not ended [s]."""
        due = self._begun + arrival.at_seconds
        think = self._works[arrival.serial].kind.think_seconds
        for serial in arrival.after:
            if serial not in self._ended:
                return None
            due = max(due, self._ended[serial] + think)
        return due

    def _note(self, change: Change) -> None:
        serial = self._serials[change.work.place]
        self._waiting.pop(serial, None)
        if change.phase == "pending":
            self._waiting[serial] = None
        elif change.phase == "running":
            self._running[serial] = self._clock.monotonic()
            self._moments.note(change.work.place, "running")
        else:
            self._moments.note(change.work.place, "ended")
            since = self._running.pop(serial, None)
            self._ended[serial] = self._clock.monotonic()
            if since is not None and (alone := self._expected.get(change.work.name)):
                self._took += self._clock.monotonic() - since
                self._alone += alone
            self._well[serial], text = self._describe(change.work)
            self._view.settled(change.work.label, text)

    def load_state(self) -> LoadState:
        """The state of the load."""
        now = self._clock.monotonic()
        labels = {serial: work.label for serial, work in self._works.items()}
        return LoadState(
            seconds=now - self._begun,
            n_jobs=len(self._works),
            later=tuple(arrival.label for arrival in self._later),
            waiting=tuple(labels[serial] for serial in self._waiting),
            running=tuple((labels[serial], now - since) for serial, since in self._running.items()),
            ended=tuple((labels[serial], well) for serial, well in self._well.items()),
            left_seconds=self._left(now),
        )

    def _left(self, now: float) -> float | None:
        """Time to the end of the last job: the rest of the schedule or of the work, if longer.

        None if the run time of a job class is unknown.
        """
        area = latest = 0.0
        # At least 1: short jobs end first, and their ratio does not apply to the rest.
        pace = max(1.0, self._took / self._alone) if self._alone else 1.0
        for serial in (*self._waiting, *self._running):
            work = self._works[serial]
            seconds = self._expected.get(work.name)
            if seconds is None:
                return None
            ran = now - self._running.get(serial, now)
            rest = max(0.0, seconds * pace - ran)
            area += rest * work.kind.nodes
            latest = max(latest, rest)
        for arrival in self._later:
            seconds = self._expected.get(arrival.kind)
            if seconds is None:
                return None
            seconds *= pace
            area += seconds * self._works[arrival.serial].kind.nodes
            wait = self._begun + arrival.at_seconds - now
            latest = max(latest, max(0.0, wait) + seconds)
        return max(latest, area / self._n_nodes)

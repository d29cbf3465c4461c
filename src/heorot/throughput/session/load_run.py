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
from heorot.throughput.session.view import Glimpse, ThroughputView
from heorot.throughput.session.work import Work

# Between two looks [s]: as fine as starts of jobs are told, and no load.
_LOOK_SECONDS = 0.1
# Between two looks at what the nodes do [s].
_NODES_SECONDS = 2.0

Describe = Callable[[Work], tuple[bool, str]]
"""Whether a job that has ended is well, and how it ended in a few words."""


def run_alone(
    works: Sequence[Work],
    scheduler: Scheduler,
    view: ThroughputView,
    describe: Describe,
    clock: Clock = SYSTEM_CLOCK,
    *,
    expected: Mapping[str, float] | None = None,
) -> None:
    """Run jobs one after the other, each with the system to itself.

    Args:
        expected: run time by kind, as far as it is foreseen [s].
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
                Glimpse(
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
    """Until the last of these has ended, the first of which has run so long; None unknown [s]."""
    if any(work.name not in known for work in works):
        return None
    first, *others = (known[work.name] for work in works)
    return max(0.0, first - ran) + sum(others)


class LoadRun:
    """The load: every job at its time.

    Args:
        arrivals: the jobs, in the order of their serial numbers.
        works: what to hand in, by serial number.
        begun: when the day began, Unix time [s].
        expected: run time by kind, as far as known [s].
        look: what the nodes did in the last moments; None if nobody wants to know.
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
        # From here on by the clock that nobody sets.
        self._moments = ObservedTimes((work.place for work in works.values()), begun, clock)
        self._begun = self._moments.begun
        self._later = list(arrivals)
        self._serials = {work.place: serial for serial, work in works.items()}
        self._waiting: dict[int, None] = {}
        self._running: dict[int, float] = {}
        self._ended: dict[int, float] = {}
        self._well: dict[int, bool] = {}
        # What has ended under load took so long, and takes so long alone [s].
        self._took = self._alone = 0.0

    def carry_out(self) -> None:
        """Hand in and follow until every job has ended.

        Raises:
            KeyboardInterrupt: the user asked for the end.
            SetupError: nothing can be written, or the batch system does not answer.
        """
        while self._later or self._waiting or self._running:
            interruption.raise_if_asked()
            self._hand_in_due()
            for change in self._scheduler.poll():
                self._note(change)
            self._view.seen(self.glimpse())
            self._look_at_nodes()
            if self._later or self._waiting or self._running:
                self._clock.sleep(_LOOK_SECONDS)

    def _look_at_nodes(self) -> None:
        if self._look and self._clock.monotonic() - self._looked > _NODES_SECONDS:
            self._looked = self._clock.monotonic()
            self._view.loaded(self._look())

    def _hand_in_due(self) -> None:
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
        """When a job is to be handed in; None if something it waits for has not ended [s]."""
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

    def glimpse(self) -> Glimpse:
        """How the day stands."""
        now = self._clock.monotonic()
        labels = {serial: work.label for serial, work in self._works.items()}
        return Glimpse(
            seconds=now - self._begun,
            n_jobs=len(self._works),
            later=tuple(arrival.label for arrival in self._later),
            waiting=tuple(labels[serial] for serial in self._waiting),
            running=tuple((labels[serial], now - since) for serial, since in self._running.items()),
            ended=tuple((labels[serial], well) for serial, well in self._well.items()),
            left_seconds=self._left(now),
        )

    def _left(self, now: float) -> float | None:
        """Until the last job ends: what is left of the schedule, or of the work, whatever is more.

        None if a kind's run time is not known.
        """
        area = latest = 0.0
        # At least 1: what has ended early says little of what has not.
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

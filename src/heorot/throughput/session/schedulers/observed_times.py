"""Heorot's own observations of jobs: phases by the monotonic clock, and manual interventions.

Scripts and batch systems report Unix times. If the clock is set during a test, times before and
after do not compare. Heorot's own observations, by the monotonic clock, show which are which: all
times of a job are converted to the clock as it was at the start of the test.

A hold that ends before the next query of the queue is missed; a change of priority always is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from heorot.clock import Clock
from heorot.files import read_regular
from heorot.jobs.facts import BY_US, BatchFacts
from heorot.jobs.outcome import JobEnd
from heorot.model.base import Record, UnixTime
from heorot.throughput.model.throughput import PartEnd, ThroughputJob
from heorot.writing import append, write

_FILE = "seen.json"
_BOOT = Path("/proc/sys/kernel/random/boot_id")
# Larger jumps of the clock between two polls are settings, not corrections [s].
_SET_SECONDS = 0.5
# The longest time by which a part may seem to begin before its job [s].
_TOGETHER_SECONDS = 0.5
What = Literal["handed_in", "running", "ended"]


class Seen(Record):
    """Heorot's observations of a job; `seen.json` of its directory.

    Attributes:
        handed_in, running, ended: Unix times by the clock at the start of the test [s].
        shifts: offsets of the clock from that one during the test, the first 0 [s].
        offset: Unix time less monotonic time when this was written [s].
        boot: boot of the machine that the monotonic time counts from.
    """

    handed_in: UnixTime | None = None
    running: UnixTime | None = None
    ended: UnixTime | None = None
    shifts: tuple[float, ...] = (0.0,)
    offset: float = 0.0
    boot: str = ""


class ObservedTimes:
    """Detects settings of the clock, and records the phases of jobs.

    Args:
        places: directories of all jobs, which an earlier process may have observed.
        begun: start of the test, Unix time [s].
    """

    def __init__(self, places: Iterable[Path], begun: float, clock: Clock) -> None:
        self._clock, self._zero = clock, begun
        self._boot = _boot()
        self._offset = self._now()
        self._shifts: tuple[float, ...] = (0.0,)
        earlier = [seen for seen in map(read_seen, places) if seen and seen.boot == self._boot]
        if earlier:
            last = max(earlier, key=lambda seen: len(seen.shifts))
            self._offset, self._shifts = last.offset, last.shifts
            self.look()
        self.begun = begun - (self._offset - self._shifts[-1])
        """Start of the test, by the monotonic clock [s]."""

    def _now(self) -> float:
        return self._clock.time() - self._clock.monotonic()

    def look(self) -> None:
        """Check whether the clock was set since the last call."""
        offset = self._now()
        if abs(offset - self._offset) > _SET_SECONDS:
            self._shifts = (*self._shifts, self._shifts[-1] + offset - self._offset)
        self._offset = offset

    def note(self, place: Path, what: What) -> None:
        """Record that a job enters a phase now."""
        self.look()
        moment = self._zero + self._clock.monotonic() - self.begun
        seen = read_seen(place) or Seen()
        update: dict[str, object] = {
            "shifts": self._shifts,
            "offset": self._offset,
            "boot": self._boot,
        }
        # A resumed test reports again the phases of earlier jobs.
        if what == "ended" or getattr(seen, what) is None:
            update[what] = moment
        changed = seen.model_copy(update=update)
        with suppress(OSError):  # a full disk is reported where it matters
            write(place / _FILE, changed.model_dump_json().encode() + b"\n")


def _boot() -> str:
    with suppress(OSError):
        return read_regular(_BOOT).decode(errors="replace").strip()
    return ""


def read_seen(place: Path) -> Seen | None:
    """The observations of a job; None if there are none."""
    try:
        return Seen.model_validate_json(read_regular(place / _FILE))
    except (OSError, ValueError):
        return None


def by_steady_clock(job: ThroughputJob, seen: Seen | None) -> ThroughputJob:
    """A job with all times converted to the clock at the start of the test.

    Args:
        seen: Heorot's observations; without a setting of the clock nothing changes.
    """
    if seen is None or len(seen.shifts) == 1:
        return job
    shifts = seen.shifts
    start = _steady(job.own_start, seen.running, shifts)
    end = _steady(job.own_end, seen.ended, shifts)
    submitted = _steady(job.submitted, seen.handed_in, shifts)
    parts = tuple(_part(part, start, end, shifts) for part in job.parts)
    starts = [part.started for part in parts if part.started is not None]
    ends = [part.ended for part in parts if part.ended is not None]
    return job.model_copy(
        update={
            "parts": parts,
            "own_start": start,
            "own_end": end,
            "submitted": submitted,
            "eligible": _steady(job.eligible, submitted, shifts),
            "allocated": _steady(job.allocated, seen.running, shifts),
            "batch_end": _steady(job.batch_end, seen.ended, shifts),
            "application_start": min(starts, default=None),
            "application_end": max(ends, default=None),
        }
    )


def _steady(moment: float | None, about: float | None, shifts: Sequence[float]) -> float | None:
    """A time by the clock at the start: of all shifts the one nearest to the observation."""
    if moment is None or about is None:
        return moment
    return moment - min(shifts, key=lambda shift: abs(moment - shift - about))


def _part(
    part: PartEnd, start: float | None, end: float | None, shifts: Sequence[float]
) -> PartEnd:
    """A part of a job within these times, with both its times by the clock at the start."""

    def within(moment: float | None) -> float | None:
        if moment is None or start is None:
            return moment
        most = math.inf if end is None else end
        ways = (moment - shift for shift in reversed(shifts))
        near = (way for way in ways if start - _TOGETHER_SECONDS <= way <= most + _TOGETHER_SECONDS)
        return next(near, _steady(moment, end or start, shifts))

    ended = within(part.ended)
    if ended is None or part.started is None or part.ended is None:
        return part.model_copy(update={"started": within(part.started), "ended": ended})
        # Both are by the clock at its end.
    return part.model_copy(update={"started": ended - (part.ended - part.started), "ended": ended})


# JobHeldUser and JobHeldAdmin of Slurm; other systems have sentences of their own.
_HELD = re.compile(r"\bheld\b|JobHeld", re.IGNORECASE)
_BY_HAND = "interventions"


def is_held(facts: BatchFacts) -> bool:
    """Whether a waiting job is held."""
    return facts.waits and bool(_HELD.search(facts.reason))


def note_intervention(place: Path, what: str) -> None:
    """Record an intervention on a job, one word; on a full disk it is dropped."""
    with suppress(OSError):
        append(place / _BY_HAND, f"{what}\n")


def interventions_of(end: JobEnd) -> tuple[str, ...]:
    """Interventions on a job, in the order of their observation."""
    try:
        seen = (
            read_regular(end.status.directory / _BY_HAND, 1 << 16).decode(errors="replace").split()
        )
    except OSError:
        seen = []
    seen += ["resubmitted"] * (len(end.status.hosts) - 1)
    update = end.facts.state if end.facts and end.facts.raw != BY_US else None
    return (*seen, *(("cancelled",) if update == end.state == "cancelled" else ()))

"""What Heorot saw of jobs: when they moved on by a clock nobody sets, and what was done by hand.

Scripts and batch systems tell Unix times. If somebody sets the clock while a day goes on, those
before and after do not compare. What Heorot itself saw, by the monotonic clock, tells which is
which: all times of a job are then told by the clock as it was when the day began.

A hold that ends before the queue is asked again is not seen; a change of priority never is.
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
# Nobody corrects a clock by as much between two looks without setting it [s].
_SET_SECONDS = 0.5
# A part may seem to begin so long before its job [s].
_TOGETHER_SECONDS = 0.5
What = Literal["handed_in", "running", "ended"]


class Seen(Record):
    """What Heorot saw of a job; `seen.json` of its directory.

    Attributes:
        handed_in, running, ended: when, Unix time by the clock as it was when the day began [s].
        shifts: by how much the clock was ahead of that in the course of the day, at first 0 [s].
        offset: Unix time less monotonic time when this was written [s].
        boot: of the machine since which the latter counts.
    """

    handed_in: UnixTime | None = None
    running: UnixTime | None = None
    ended: UnixTime | None = None
    shifts: tuple[float, ...] = (0.0,)
    offset: float = 0.0
    boot: str = ""


class ObservedTimes:
    """Sees whether the clock is set, and keeps when jobs moved on.

    Args:
        places: directories of all jobs, which an earlier process may have seen.
        begun: when the day began, Unix time [s].
    """

    def __init__(self, places: Iterable[Path], begun: float, clock: Clock) -> None:
        self._clock, self._day = clock, begun
        self._boot = _boot()
        self._offset = self._now()
        self._shifts: tuple[float, ...] = (0.0,)
        earlier = [seen for seen in map(read_seen, places) if seen and seen.boot == self._boot]
        if earlier:
            last = max(earlier, key=lambda seen: len(seen.shifts))
            self._offset, self._shifts = last.offset, last.shifts
            self.look()
        self.begun = begun - (self._offset - self._shifts[-1])
        """When the day began, by the monotonic clock [s]."""

    def _now(self) -> float:
        return self._clock.time() - self._clock.monotonic()

    def look(self) -> None:
        """See whether the clock was set since the last look."""
        offset = self._now()
        if abs(offset - self._offset) > _SET_SECONDS:
            self._shifts = (*self._shifts, self._shifts[-1] + offset - self._offset)
        self._offset = offset

    def note(self, place: Path, what: What) -> None:
        """Keep that a job moved on now."""
        self.look()
        moment = self._day + self._clock.monotonic() - self.begun
        seen = read_seen(place) or Seen()
        update: dict[str, object] = {
            "shifts": self._shifts,
            "offset": self._offset,
            "boot": self._boot,
        }
        # A process that goes on with a day hears again of what began before.
        if what == "ended" or getattr(seen, what) is None:
            update[what] = moment
        changed = seen.model_copy(update=update)
        with suppress(OSError):  # a full disk is told of by whoever needs more than this
            write(place / _FILE, changed.model_dump_json().encode() + b"\n")


def _boot() -> str:
    with suppress(OSError):
        return read_regular(_BOOT).decode(errors="replace").strip()
    return ""


def read_seen(place: Path) -> Seen | None:
    """What was seen of a job; None if nothing was."""
    try:
        return Seen.model_validate_json(read_regular(place / _FILE))
    except (OSError, ValueError):
        return None


def by_steady_clock(job: ThroughputJob, seen: Seen | None) -> ThroughputJob:
    """A job with all times by the clock as it was when the day began.

    Args:
        seen: what Heorot saw of it; if the clock was not set by then, nothing changes.
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
    """A moment by the clock of the begin: whichever comes nearest to what was seen."""
    if moment is None or about is None:
        return moment
    return moment - min(shifts, key=lambda shift: abs(moment - shift - about))


def _part(
    part: PartEnd, start: float | None, end: float | None, shifts: Sequence[float]
) -> PartEnd:
    """A part of a job that began and ended then, with both times by the clock of the begin."""

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
    # Both are by the clock of its end.
    return part.model_copy(update={"started": ended - (part.ended - part.started), "ended": ended})


# JobHeldUser and JobHeldAdmin of Slurm; others say it in their own sentences.
_HELD = re.compile(r"\bheld\b|JobHeld", re.IGNORECASE)
_BY_HAND = "interventions"


def is_held(facts: BatchFacts) -> bool:
    """Whether somebody holds a job that waits."""
    return facts.waits and bool(_HELD.search(facts.reason))


def note_by_hand(place: Path, what: str) -> None:
    """Keep what was done to a job, one word; on a full disk it is forgotten."""
    with suppress(OSError):
        append(place / _BY_HAND, f"{what}\n")


def interventions_of(end: JobEnd) -> tuple[str, ...]:
    """What was done to a job by hand, in the order in which it was seen."""
    try:
        seen = (
            read_regular(end.status.directory / _BY_HAND, 1 << 16).decode(errors="replace").split()
        )
    except OSError:
        seen = []
    seen += ["resubmitted"] * (len(end.status.hosts) - 1)
    update = end.facts.state if end.facts and end.facts.raw != BY_US else None
    return (*seen, *(("cancelled",) if update == end.state == "cancelled" else ()))

"""Values in Slurm's accounting: job ids, times, durations, sizes of memory, states.

Source: https://slurm.schedmd.com/sacct.html, job_array.html, heterogeneous_jobs.html.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from heorot.jobs.batch_states import STATES, meaning_of, state_word
from heorot.throughput.model.workload import UNKNOWN
from heorot.throughput.workload.reading import LONGEST_SECONDS, shown

_JOB = re.compile(r"([0-9]{1,18})(?:_(?:([0-9]{1,18})|\[([^\]]{1,4000})\]))?(?:\+([0-9]{1,9}))?")
_STEP = re.compile(r"[0-9][^.|]*\.[A-Za-z0-9_+]+")
_TASKS = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9})(?::([0-9]{1,9}))?)?")
_MOST_TASKS = 100_000
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}")
_EPOCH = re.compile(r"[0-9]{1,11}")
_ELAPSED = re.compile(r"(?:(?:([0-9]{1,9})-)?([0-9]{2,9}):)?([0-9]{2}):([0-9]{2}(?:\.[0-9]{1,9})?)")
_MEMORY = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([KMGTP]?)([cn]?)")
_COUNT = re.compile(r"([0-9]{1,15})(?:\.[0-9]{1,3})?([KMG]?)")
_KIB = {"": 1024.0, "K": 1.0, "M": 1024.0, "G": 1024.0**2, "T": 1024.0**3, "P": 1024.0**4}
_THOUSANDS = {"": 1, "K": 1000, "M": 1000_000, "G": 1000_000_000}
_NEVER = frozenset({"", "Unknown", "None", "N/A", "INVALID"})
_NO_LIMIT = frozenset({"", "UNLIMITED", "Partition_Limit", "INVALID", "NOT_SET"})
# As in SWF: 1 completed, 5 cancelled, 0 failed for all other ends.
_ENDED = {"ok": 1, "cancelled": 5}
# Values in accounts repeat.
_REMEMBERED = lru_cache(maxsize=1 << 12)
UNDER_WAY = frozenset(word for word, (phase, _) in STATES["slurm"].items() if phase != "ended")


@dataclass(frozen=True)
class JobName:
    """A parsed job id.

    Attributes:
        base: number of the job, or of its array, or of the whole heterogeneous job.
        component: number of the component of a heterogeneous job; None for other jobs.
        tasks: number of jobs: the waiting tasks of an array, else one.
    """

    base: str
    component: int | None
    tasks: int


def is_step(text: str) -> bool:
    """Whether an id is that of a step, such as `12.batch`, `12_3.0`, `12+1.extern`."""
    return _STEP.fullmatch(text) is not None


def job_name(text: str) -> JobName:
    """Read `12`, `12_3`, `12_[4-9%2]`, `12+1`.

    Raises:
        ValueError: it is no id of a job.
    """
    match = _JOB.fullmatch(text)
    if match is None:
        raise ValueError(f"`{shown(text)}` is no job")
    job, task, waiting, component = match.groups()
    base = f"{job}_{task}" if task else job
    tasks = _n_tasks(waiting) if waiting else 1
    return JobName(base, int(component) if component else None, tasks)


def _n_tasks(text: str) -> int:
    """Number of waiting tasks of an array: `4-9%2`, `1,3,7-20:2`; the list may end in `...`."""
    total = 0
    for piece in text.partition("%")[0].split(","):
        match = _TASKS.fullmatch(piece)
        if match is None and piece != "...":
            raise ValueError(f"`{shown(text)}` is no list of tasks")
        if match is not None:
            first, last, step = (int(each) if each else None for each in match.groups())
            total += 1 if last is None else max(0, last - (first or 0)) // (step or 1) + 1
    if not 1 <= total <= _MOST_TASKS:
        raise ValueError(f"`{shown(text)}` stands for {total} tasks")
    return total


@_REMEMBERED
def moment(text: str) -> float | None:
    """A local time, taken as UTC, or a Unix time [s]; None if it has not come.

    Raises:
        ValueError: it is no time.
    """
    if text in _NEVER:
        return None
    if _EPOCH.fullmatch(text):
        return float(text)
    if not _ISO.fullmatch(text):
        raise ValueError(f"`{shown(text)}` is no time")
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise ValueError(f"`{shown(text)}` is no time") from None


@_REMEMBERED
def elapsed(text: str) -> float | None:
    """Read `1-02:03:04`, `02:03:04`, `03:04.567` [s]; None if empty.

    Raises:
        ValueError: it is no length of time.
    """
    if text in _NEVER:
        return None
    match = _ELAPSED.fullmatch(text)
    if match is None:
        raise ValueError(f"`{shown(text)}` is no length of time")
    days, hours, minutes, seconds = match.groups()
    total = 86400.0 * int(days or 0) + 3600.0 * int(hours or 0) + 60.0 * int(minutes)
    return _reasonable(total + float(seconds), text)


def seconds(text: str) -> float | None:
    """Whole seconds, as in `ElapsedRaw`; None if empty.

    Raises:
        ValueError: it is no number.
    """
    if text in _NEVER:
        return None
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise ValueError(f"`{shown(text)}` is no number of seconds")
    return _reasonable(float(text), text)


def limit(text: str) -> float | None:
    """A time limit, `02:00:00` [s]; None if there is none.

    Raises:
        ValueError: it is no length of time.
    """
    return None if text in _NO_LIMIT else elapsed(text)


@_REMEMBERED
def limit_minutes(text: str) -> float | None:
    """A time limit in minutes, as in `TimelimitRaw` [s]; None if there is none.

    Raises:
        ValueError: it is no number.
    """
    minutes = None if text in _NO_LIMIT else seconds(text)
    return None if minutes is None else _reasonable(60.0 * minutes, text)


def _reasonable(value: float, text: str) -> float:
    if value >= LONGEST_SECONDS:
        raise ValueError(f"`{shown(text)}` is too long")
    return value


@_REMEMBERED
def count(text: str) -> int:
    """Number of processors or nodes, `128`, `1.5K`; 0 if empty.

    Raises:
        ValueError: it is no number.
    """
    if text in _NEVER:
        return 0
    match = _COUNT.fullmatch(text)
    if match is None:
        raise ValueError(f"`{shown(text)}` is no number of processors or nodes")
    number = text.removesuffix(match[2])
    return int(float(number) * _THOUSANDS[match[2]]) if match[2] else int(match[1])


def memory_kib(text: str, processors: int, nodes: int) -> float:
    """Requested memory, `4821M`, `2Gc`, `8Gn`, for each processor [KiB]; -1 if empty.

    Args:
        text: with suffix `c` per processor, `n` per node, else for the job.

    Raises:
        ValueError: it is no amount.
    """
    if text in _NEVER or text in {"0", "0n", "0c"}:
        return UNKNOWN
    match = _MEMORY.fullmatch(text)
    if match is None:
        raise ValueError(f"`{shown(text)}` is no amount of memory")
    # Without a unit it is in megabytes, as everywhere in Slurm.
    amount = float(match[1]) * _KIB[match[2]]
    if match[3] == "c":
        return amount
    if match[3] == "n":
        amount *= max(nodes, 1)
    return amount / max(processors, 1)


@_REMEMBERED
def status(text: str) -> tuple[int, str]:
    """The final state of a job as in SWF, and Slurm's word for it.

    Args:
        text: such as `COMPLETED`, `CANCELLED by 1000`.

    Raises:
        ValueError: there is no such word.
    """
    word = state_word(text)
    phase, end = meaning_of("slurm", text)
    if phase == "unknown":
        raise ValueError(f"`{shown(text)}` is no state")
    return (_ENDED.get(end or "", 0) if phase == "ended" else UNKNOWN), word

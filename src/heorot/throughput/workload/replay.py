"""Makes runnable jobs of a recorded or synthetic workload, scaled to this machine.

Size      A job gets the share of this machine's processors that it had of the recorded one's,
          rounded to the nearest processor and at least one, on as few nodes as hold them.
Times     Submission, run time and think time are multiplied by the time scale. Limits are, too, and
          get a minute more: start-up times do not scale.
Programs  A job whose executable has a class in the file of jobs is of that class, with the sizes
          given there. Any other computes for as long as the recorded job ran.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from heorot.errors import UsageError
from heorot.throughput.model.kinds import Arrival, JobKind, JobsFile, Part
from heorot.throughput.model.timeline import Integers
from heorot.throughput.model.workload import UNKNOWN, Jobs, Workload
from heorot.throughput.workload.arrivals import label_of
from heorot.units import plural

# Every rank runs an empty loop until its time is up; `timeout` then ends with 124.
_BUSY = "timeout {seconds} bash -c 'while :; do :; done'; test $? -eq 124"
_SPARE_SECONDS = 60.0
_SHORTEST_SECONDS = 0.001
# Number of distinguishable colours; of more programs the rest are one class.
_MOST_KINDS = 16
_OTHERS = "job"


@dataclass(frozen=True)
class Replay:
    """A workload as runnable jobs.

    Attributes:
        notes: on scaling and omitted jobs, in sentences.
    """

    arrivals: tuple[Arrival, ...]
    jobs: JobsFile
    notes: tuple[str, ...]


def arrivals_from_workload(
    workload: Workload,
    jobs: JobsFile | None,
    *,
    n_nodes: int,
    cores_per_node: int,
    time_scale: float = 1.0,
    most: int | None = None,
) -> Replay:
    """Make runnable jobs of a workload.

    Args:
        jobs: classes by the names of executables, or by `e7` for number 7; None for none.
        most: maximum number of jobs, the first ones.

    Raises:
        UsageError: no job is left.
    """
    size, run = _sizes(workload.jobs), workload.jobs["run"]
    limits = workload.jobs["requested_seconds"]
    usable = (run > 0) & (size > 0)
    usable_places = np.flatnonzero(usable)
    chosen = usable_places[:most]
    if not len(chosen):
        hint = "a job needs a run time and a number of processors"
        raise UsageError(f"no job of {workload.source or 'the workload'} can be run", hint)
    there = _processors_there(workload, size)
    here = n_nodes * cores_per_node
    ranks = np.clip(np.floor(size * here / there + 0.5), 1, here).astype(np.int64)
    kinds = _kind_names(workload, jobs, chosen)
    known = set(jobs.jobs) if jobs else set()
    arrivals = _arrivals(workload.jobs, chosen, kinds, time_scale)
    sized = tuple(
        arrival
        if arrival.kind in known
        else arrival.model_copy(
            update={
                "ranks": int(ranks[place]),
                "nodes": -(-int(ranks[place]) // cores_per_node),
                "run_seconds": max(_SHORTEST_SECONDS, float(run[place]) * time_scale),
                "limit_seconds": _limit(float(limits[place]), time_scale),
            }
        )
        for arrival, place in zip(arrivals, chosen, strict=True)
    )
    notes = [f"{there} processors there, {here} here: sizes are multiplied by {here / there:g}"]
    notes.append(f"times are multiplied by {time_scale:g}; limits get a minute more")
    if n_unusable := int(np.count_nonzero(~usable)):
        notes.append(_left_out(n_unusable, "without run time or processors"))
    if n_later := len(usable_places) - len(chosen):
        notes.append(_left_out(n_later, f"after the first {len(chosen)}"))
    return Replay(sized, _with_kinds(jobs, kinds), tuple(notes))


def _left_out(n: int, which: str) -> str:
    return f"{plural(n, 'job')} {which} {'is' if n == 1 else 'are'} left out"


def _sizes(jobs: Jobs) -> Integers:
    """Processors of each job: allocated, else requested."""
    size: Integers = np.where(
        jobs["processors"] > 0, jobs["processors"], jobs["requested_processors"]
    )
    return size


def _processors_there(workload: Workload, size: Integers) -> int:
    """Processors of the machine of a workload, by its header; else of its largest job."""
    largest = int(size.max())
    for key, each in (("MaxProcs", 1), ("MaxNodes", workload.processors_per_node)):
        match = re.match(r"[0-9]{1,9}\b", workload.header.get(key, ""))
        if match and int(match[0]) * each >= largest:
            return int(match[0]) * each
    return largest


def _kind_names(workload: Workload, jobs: JobsFile | None, chosen: Integers) -> list[str]:
    """The class of each job that is to run."""
    names = workload.names.get("executable", {})
    numbers = workload.jobs["executable"][chosen].tolist()
    by_number = {number: _kind_name(number, names.get(number, ""), jobs) for number in set(numbers)}
    known = set(jobs.jobs) if jobs else set()
    kinds = [by_number[number] for number in numbers]
    often = Counter(kind for kind in kinds if kind not in known)
    shown = {kind for kind, _ in often.most_common(_MOST_KINDS)} if len(often) > 1 else set(often)
    return [kind if kind in known or kind in shown else _OTHERS for kind in kinds]


def _kind_name(number: int, name: str, jobs: JobsFile | None) -> str:
    plain = re.sub(r"[^A-Za-z0-9_+#-]", "_", name)[:50]
    if jobs:
        for each in (name, plain, f"e{number}"):
            if each in jobs.jobs:
                return each
    if number == UNKNOWN and not name:
        return _OTHERS
    return plain or f"e{number}"


def _with_kinds(jobs: JobsFile | None, kinds: list[str]) -> JobsFile:
    """The classes of a file of jobs, and those of jobs without one there."""
    own = dict(jobs.jobs) if jobs else {}
    part = Part(name="busy", command=("bash", "-c", _BUSY), launcher=True)
    for kind in dict.fromkeys(kinds):
        own.setdefault(kind, JobKind(parts=(part,)))
    return jobs.model_copy(update={"jobs": own}) if jobs else JobsFile(jobs=own)


def _arrivals(jobs: Jobs, chosen: Integers, kinds: list[str], time_scale: float) -> list[Arrival]:
    """The jobs with their times and predecessors."""
    submit = (jobs["submit"][chosen] - jobs["submit"][chosen[0]]) * time_scale
    numbers = jobs["number"][chosen].tolist()
    preceding = jobs["preceding"][chosen].tolist()
    think = jobs["think_seconds"][chosen]
    serials: dict[int, int] = {}
    times: Counter[str] = Counter()
    arrivals = []
    for place, kind in enumerate(kinds):
        times[kind] += 1
        before = serials.get(preceding[place])
        waits = before is not None and think[place] > 0
        arrivals.append(
            Arrival(
                serial=place + 1,
                label=label_of(kind, times[kind]),
                kind=kind,
                at_seconds=float(submit[place]),
                after=() if before is None else (before,),
                think_seconds=float(think[place]) * time_scale if waits else None,
            )
        )
        serials.setdefault(numbers[place], place + 1)
    return arrivals


def _limit(limit: float, time_scale: float) -> float | None:
    return None if limit <= 0 else limit * time_scale + _SPARE_SECONDS

"""How long the steps of a job's way take, and how fast the system answers beside the load."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from heorot.analyse.statistics.summary import median_interval, quantile
from heorot.throughput.model.day import Day, DayJob, Response
from heorot.throughput.model.story import Delay, Responses

_STEPS: dict[str, Callable[[DayJob], tuple[float | None, float | None]]] = {
    "submitting command": lambda job: (0.0, job.submit_seconds),
    "nodes given to script begun": lambda job: (job.allocated, job.own_start),
    "script begun to program begun": lambda job: (job.own_start, job.application_start),
    "program ended to script ended": lambda job: (job.application_end, job.own_end),
    "script ended to batch system done": lambda job: (job.own_end, job.batch_end),
}


def find_delays(jobs: Iterable[DayJob]) -> tuple[Delay, ...]:
    """Each step that is known of any job.

    Batch systems tell whole seconds, and their clock need not be that of the nodes: what would be
    negative counts as none.
    """
    every, found = list(jobs), []
    for name, ends in _STEPS.items():
        known = [(a, b) for a, b in map(ends, every) if a is not None and b is not None]
        if known:
            took = np.maximum(0.0, [b - a for a, b in known])
            median, p95 = (float(x) for x in np.quantile(took, (0.5, 0.95)))
            delay = Delay(name=name, n=took.size, median=median, p95=p95, maximum=float(took.max()))
            found.append(delay)
    return tuple(found)


def find_responses(day: Day) -> tuple[Responses, ...]:
    """Response times of each interactive work, empty system first.

    Args:
        day: with what was measured beside it.
    """
    names = dict.fromkeys(each.name for each in day.responses)
    found = []
    for name in names:
        for loaded in (False, True):
            ours = [each for each in day.responses if (each.name, each.loaded) == (name, loaded)]
            found.append(_measure(ours))
    return tuple(each for each in found if each)


def _measure(all_of_it: list[Response]) -> Responses | None:
    if not all_of_it:
        return None
    well = [each.seconds for each in all_of_it if each.code == 0]
    counted = Responses(
        name=all_of_it[0].name,
        loaded=all_of_it[0].loaded,
        n=len(all_of_it),
        n_failed=len(all_of_it) - len(well),
    )
    if not well:
        return counted
    interval = median_interval(well)
    return counted.model_copy(
        update={
            "median": quantile(well, 0.5),
            "low": interval.low,
            "high": interval.high,
            "p95": quantile(well, 0.95),
            "p99": quantile(well, 0.99),
            "maximum": max(well),
        }
    )

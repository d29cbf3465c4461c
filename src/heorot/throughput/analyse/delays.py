"""Delays between the steps of a job, and response times of interactive commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from heorot.throughput.analyse.whole.classes import spread_of
from heorot.throughput.model.explanation import Delay, Responses
from heorot.throughput.model.throughput import ThroughputJob, ThroughputTest

_STEPS: dict[str, Callable[[ThroughputJob], tuple[float | None, float | None]]] = {
    "submitting command": lambda job: (0.0, job.submit_seconds),
    "nodes allocated to script start": lambda job: (job.allocated, job.own_start),
    "script start to program start": lambda job: (job.own_start, job.application_start),
    "program end to script end": lambda job: (job.application_end, job.own_end),
    "script end to end in the batch system": lambda job: (job.own_end, job.batch_end),
}


def find_delays(jobs: Iterable[ThroughputJob]) -> tuple[Delay, ...]:
    """Delays of each step with known times.

    Batch systems report whole seconds, and their clock may differ from that of the nodes: negative
    delays count as 0.
    """
    every, found = list(jobs), []
    for name, ends in _STEPS.items():
        known = [(a, b) for a, b in map(ends, every) if a is not None and b is not None]
        if known:
            found.append((name, spread_of(np.maximum(0.0, [b - a for a, b in known]))))
    return tuple(Delay(name=name, took=took) for name, took in found if took is not None)


def find_responses(test: ThroughputTest) -> tuple[Responses, ...]:
    """Response times of each interactive command, empty system first."""
    found = []
    for name in dict.fromkeys(each.name for each in test.responses):
        for loaded in (False, True):
            ours = [each for each in test.responses if (each.name, each.loaded) == (name, loaded)]
            well = [each.seconds for each in ours if each.code == 0]
            n_failed, times = len(ours) - len(well), spread_of(np.array(well, dtype=float))
            one = Responses(name=name, loaded=loaded, n=len(ours), n_failed=n_failed, times=times)
            found.append(one)
    return tuple(one for one in found if one.n)

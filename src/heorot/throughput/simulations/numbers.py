"""Metrics of simulations: policies compared over all seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from heorot.analyse.statistics.summary import Interval, median, median_interval
from heorot.throughput.analyse.measures import TAU
from heorot.throughput.model.measures import ThroughputMeasures
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.simulate.setting import Policy, Setting

FILTER = (
    "Queue waits are of all jobs that started, slowdowns of all that completed; early and late "
    f"jobs count, too. Bounded slowdown: max(1, (wait + run) / max(run, {TAU:g} s))."
)
"""Jobs in the statistics."""


@dataclass(frozen=True, eq=False)
class Simulated:
    """One simulation."""

    setting: Setting
    seed: int
    timeline: Timeline
    measures: ThroughputMeasures


@dataclass(frozen=True)
class Row:
    """The metrics of a policy: by seed, with median and interval.

    Attributes:
        values: by name of the quantity, one for each seed.
    """

    policy: Policy
    values: Mapping[str, tuple[float, ...]]

    def median(self, name: str) -> float:
        """Over the seeds with a value; NaN if none has one."""
        known = [value for value in self.values[name] if np.isfinite(value)]
        return median(known) if known else float("nan")

    def interval(self, name: str) -> Interval | None:
        """Interval of the median; None with one seed."""
        known = [value for value in self.values[name] if np.isfinite(value)]
        return median_interval(known) if len(known) > 1 else None


def rows_of(simulated: Sequence[Simulated]) -> list[Row]:
    """The policies in the order of their simulation."""
    by_policy: dict[str, list[Simulated]] = {}
    for each in simulated:
        by_policy.setdefault(each.setting.policy.name, []).append(each)
    return [
        Row(
            group[0].setting.policy,
            {
                name: tuple(quantities(each.measures)[name] for each in group)
                for name in quantities(group[0].measures)
            },
        )
        for group in by_policy.values()
    ]


def quantities(measures: ThroughputMeasures) -> dict[str, float]:
    """Metrics of a simulation, by name; times in seconds, shares from 0 to 1."""
    nothing = float("nan")
    wait, slowdown, use = measures.wait, measures.slowdown, measures.use
    held = use.utilisation_held if use.unit == "node" else use.utilisation_cores
    return {
        "started": float(measures.n_started),
        "wait_mean_seconds": wait.mean if wait else nothing,
        "wait_median_seconds": wait.median if wait else nothing,
        "wait_p95_seconds": wait.p95 if wait else nothing,
        "slowdown_mean": slowdown.mean if slowdown else nothing,
        "slowdown_median": slowdown.median if slowdown else nothing,
        "utilisation": nothing if held is None else held,
        "makespan_seconds": use.makespan,
        "efficiency": nothing if use.efficiency is None else use.efficiency,
        "overtaking_share": measures.overtaking_share,
    }

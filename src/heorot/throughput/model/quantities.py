"""Quantities of a whole test, in the order of tables and comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from heorot.throughput.model.measures import Course, ThroughputMeasures
from heorot.throughput.model.spread import Spread

Form = Literal["duration", "share", "ratio", "whole"]
"""Format of a quantity: a time [s], a share [1], a plain ratio [1], a count."""
Better = Literal["lower", "higher", ""]


class Quantity(NamedTuple):
    """One quantity of a test.

    Attributes:
        better: direction of improvement; empty if it has none by itself.
        of: computes its value; None if unknown.
    """

    name: str
    form: Form
    better: Better
    of: Callable[[ThroughputMeasures], float | None]


def _wait(of: Callable[[Spread], float]) -> Callable[[ThroughputMeasures], float | None]:
    return lambda m: of(m.wait) if m.wait else None


def _slowdown(of: Callable[[Spread], float]) -> Callable[[ThroughputMeasures], float | None]:
    return lambda m: of(m.slowdown) if m.slowdown else None


def _most(course: Course) -> float:
    return float(max(course.values, default=0.0))


def _unused(measures: ThroughputMeasures) -> float | None:
    """Unrequested cores on nodes that jobs had to themselves; None if nodes were shared.

    A request of three nodes with two ranks each leaves cores idle that no other job can use.
    """
    use = measures.use
    if use.unit != "node" or use.utilisation_held is None or use.utilisation_cores is None:
        return None
    return max(0.0, use.utilisation_held - use.utilisation_cores)


def _mean_active(measures: ThroughputMeasures) -> float | None:
    """Running jobs, averaged over the makespan."""
    makespan = measures.use.makespan
    return float(np.nansum(measures.jobs.run)) / makespan if makespan else None


MAKESPAN, MEAN_WAIT = "Makespan", "Queue wait, mean"
CORRECTED = "Makespan including missing work"
"""Makespan with the work of jobs that did not complete."""
_EFFICIENCY, _IDLE = "Scheduling efficiency: lower bound / makespan", "Idle while jobs waited"
_MEDIAN_WAIT, _SLOWDOWN = "Queue wait, median", "Bounded slowdown, median"

HEADLINES = (MAKESPAN, CORRECTED, MEAN_WAIT, _EFFICIENCY, _MEDIAN_WAIT, _SLOWDOWN, _IDLE)
"""Quantities on the first screen of a comparison, the most informative first."""

QUANTITIES = (
    Quantity("Jobs completed", "whole", "", lambda m: m.n_ok),
    Quantity("Node time of other users", "share", "", lambda m: m.use.others),
    Quantity("Node time down or drained", "share", "", lambda m: m.use.out),
    Quantity(MAKESPAN, "duration", "lower", lambda m: m.use.makespan),
    Quantity("Lower bound of the makespan", "duration", "", lambda m: m.use.bound),
    Quantity(_EFFICIENCY, "share", "higher", lambda m: m.use.efficiency),
    Quantity(
        "ESP efficiency: work / (machine x makespan)",
        "share",
        "higher",
        lambda m: m.use.esp_efficiency,
    ),
    Quantity("Node utilisation", "share", "", lambda m: m.use.utilisation_held),
    Quantity("Core utilisation", "share", "", lambda m: m.use.utilisation_cores),
    Quantity("Core time allocated and not used", "share", "", _unused),
    Quantity("Core time with a program running", "share", "", lambda m: m.use.utilisation_busy),
    Quantity("Running jobs, mean", "ratio", "", _mean_active),
    Quantity("Running jobs, maximum", "whole", "", lambda m: _most(m.active)),
    Quantity(_IDLE, "share", "lower", lambda m: m.use.loss_any),
    Quantity(
        "Idle while a waiting job fitted",
        "share",
        "lower",
        lambda m: m.use.loss_fitting,
    ),
    Quantity(MEAN_WAIT, "duration", "lower", _wait(lambda wait: wait.mean)),
    Quantity(_MEDIAN_WAIT, "duration", "lower", _wait(lambda wait: wait.median)),
    Quantity("Queue wait, 95th percentile", "duration", "lower", _wait(lambda wait: wait.p95)),
    Quantity("Queue wait, maximum", "duration", "lower", _wait(lambda wait: wait.maximum)),
    Quantity("Bounded slowdown, mean", "ratio", "lower", _slowdown(lambda each: each.mean)),
    Quantity(_SLOWDOWN, "ratio", "lower", _slowdown(lambda each: each.median)),
    Quantity(
        "Bounded slowdown, 95th percentile", "ratio", "lower", _slowdown(lambda each: each.p95)
    ),
    Quantity("Bounded slowdown, maximum", "ratio", "lower", _slowdown(lambda each: each.maximum)),
    Quantity(
        "Jobs that overtook an earlier one (backfilled)", "share", "", lambda m: m.overtaking_share
    ),
    Quantity("Pairs out of order", "share", "", lambda m: m.inversion_share),
    Quantity("Queue length, maximum", "whole", "", lambda m: _most(m.queue)),
    Quantity(
        "Gap between jobs of a node, median",
        "duration",
        "lower",
        lambda m: m.dead.median if m.dead else None,
    ),
)

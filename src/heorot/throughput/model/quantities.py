"""The numbers of a whole test, in the order in which tables and comparisons show them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from heorot.throughput.model.measures import Course, DayMeasures
from heorot.throughput.model.story import Spread

Form = Literal["duration", "share", "ratio", "whole"]
"""How a number is worded: a time [s], a share [1], a plain ratio [1], a count."""
Better = Literal["lower", "higher", ""]


class Quantity(NamedTuple):
    """One number of a test.

    Attributes:
        better: which way it is better; empty if that cannot be said of it alone.
        of: what it is; None if it is not known.
    """

    name: str
    form: Form
    better: Better
    of: Callable[[DayMeasures], float | None]


def _wait(of: Callable[[Spread], float]) -> Callable[[DayMeasures], float | None]:
    return lambda m: of(m.wait) if m.wait else None


def _slowdown(of: Callable[[Spread], float]) -> Callable[[DayMeasures], float | None]:
    return lambda m: of(m.slowdown) if m.slowdown else None


def _most(course: Course) -> float:
    return float(max(course.values, default=0.0))


def _unused(measures: DayMeasures) -> float | None:
    """Cores of nodes that jobs had to themselves and asked no rank for; None if nodes were shared.

    Requests such as three nodes with two ranks each leave cores idle that nobody else can have.
    """
    use = measures.use
    if use.unit != "node" or use.utilisation_held is None or use.utilisation_cores is None:
        return None
    return max(0.0, use.utilisation_held - use.utilisation_cores)


def _mean_active(measures: DayMeasures) -> float | None:
    """Jobs that ran at once, averaged over the makespan."""
    makespan = measures.use.makespan
    return float(np.nansum(measures.jobs.run)) / makespan if makespan else None


MAKESPAN, MEAN_WAIT = "Makespan", "Wait, mean"
CORRECTED = "Makespan with the missing work"
"""What the makespan would be with the work of jobs that did not end well."""

QUANTITIES = (
    Quantity("Jobs that ended well", "whole", "", lambda m: m.n_ok),
    Quantity("Node time held by others", "share", "", lambda m: m.use.others),
    Quantity("Node time of nodes that took no jobs", "share", "", lambda m: m.use.out),
    Quantity(MAKESPAN, "duration", "lower", lambda m: m.use.makespan),
    Quantity("No schedule is shorter than", "duration", "", lambda m: m.use.bound),
    Quantity("Efficiency: bound / makespan", "share", "higher", lambda m: m.use.efficiency),
    Quantity(
        "ESP efficiency: work / (machine x makespan)",
        "share",
        "higher",
        lambda m: m.use.esp_efficiency,
    ),
    Quantity("Node time held by jobs", "share", "", lambda m: m.use.utilisation_held),
    Quantity("Core time of jobs", "share", "", lambda m: m.use.utilisation_cores),
    Quantity("Core time that jobs held and did not use", "share", "", _unused),
    Quantity("Core time in which programs ran", "share", "", lambda m: m.use.utilisation_busy),
    Quantity("Jobs active at once, mean", "ratio", "", _mean_active),
    Quantity("Jobs active at once, most", "whole", "", lambda m: _most(m.active)),
    Quantity("Idle while any job waited", "share", "lower", lambda m: m.use.loss_any),
    Quantity(
        "Idle while a job waited that needed no more",
        "share",
        "lower",
        lambda m: m.use.loss_fitting,
    ),
    Quantity(MEAN_WAIT, "duration", "lower", _wait(lambda wait: wait.mean)),
    Quantity("Wait, median", "duration", "lower", _wait(lambda wait: wait.median)),
    Quantity("Wait, 95 % less than", "duration", "lower", _wait(lambda wait: wait.p95)),
    Quantity("Wait, longest", "duration", "lower", _wait(lambda wait: wait.maximum)),
    Quantity("Bounded slowdown, mean", "ratio", "lower", _slowdown(lambda each: each.mean)),
    Quantity("Bounded slowdown, median", "ratio", "lower", _slowdown(lambda each: each.median)),
    Quantity(
        "Bounded slowdown, 95 % less than", "ratio", "lower", _slowdown(lambda each: each.p95)
    ),
    Quantity("Bounded slowdown, largest", "ratio", "lower", _slowdown(lambda each: each.maximum)),
    Quantity("Jobs that overtook an earlier one", "share", "", lambda m: m.overtaking_share),
    Quantity("Pairs in the other order", "share", "", lambda m: m.inversion_share),
    Quantity("Longest queue", "whole", "", lambda m: _most(m.queue)),
    Quantity(
        "Pause between jobs of a node, median",
        "duration",
        "lower",
        lambda m: m.dead.median if m.dead else None,
    ),
)

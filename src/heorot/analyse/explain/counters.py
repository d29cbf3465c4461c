"""Rows of what the counters of whole hosts told while a region warmed up and was sampled."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from heorot.analyse.results import make_row
from heorot.analyse.statistics.summary import summarise
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Metric
from heorot.model.run.records import Disturbance

Quantities = Iterable[tuple[Metric, NDArray[np.float64]]]

# Counters are brought up to date every millisecond; in less than this what lies around the samples
# weighs too much.
_LEAST_SECONDS = 0.05


def rows_of(context: Context, run: str, quantities: Callable[[Group], Quantities]) -> list[Result]:
    """Rows of all regions.

    Args:
        quantities: the metrics of a region, with one value per launch; none if it has none.
    """
    system = context.machine.system
    rows = []
    for group in context.groups:
        for metric, values in quantities(group):
            summary = summarise([np.array([value]) for value in values])
            rows.append(make_row(group, metric, summary, run, system, derived=True))
    return rows


def mean_rates(
    group: Group, counted: Callable[[Disturbance], float | None]
) -> NDArray[np.float64] | None:
    """What was counted in a second, in every launch; None if one is short or has no counters.

    A counter that stands still does not count, as in some guests.
    """
    windows = [one.disturbance for one in group.series]
    if any(window.window_seconds < _LEAST_SECONDS for window in windows):
        return None
    told = np.array([counted(window) or 0.0 for window in windows])
    if np.any(told <= 0.0):
        return None
    seconds = np.array([window.window_seconds for window in windows])
    rates: NDArray[np.float64] = told / seconds
    return rates


def body_seconds(group: Group) -> NDArray[np.float64]:
    """How long a body takes, the median of every launch [s]."""
    return np.array([np.median(one.body_seconds) for one in group.series])

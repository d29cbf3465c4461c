"""What really went through the memory while a program worked, where the controllers tell.

Programs count the bytes that their algorithm has to move. The counters see all of it: lines that
are fetched to be overwritten, what is fetched in vain or twice, what others move; and nothing of
what caches serve. They are those of whole hosts, and run on while a region warms up and is
sampled, so what a body moves is the mean rate over the region for as long as the body takes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from heorot.analyse.results import make_row
from heorot.analyse.statistics.summary import summarise
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Metric

TRAFFIC = Metric(name="memory_traffic", unit="B/s", better="higher")
OVER_COUNTED = Metric(name="traffic_over_counted", unit="1", better="lower")

# In less, what others move and what lies around the samples weighs too much.
_LEAST_SECONDS = 0.05
_BYTES = "bytes"


def explain(context: Context, run: str) -> list[Result]:
    """Rows of every region that was long enough, and whose hosts have counters.

    Args:
        context: the run.
        run: its name.
    """
    system = context.machine.system
    rows = []
    for group in context.groups:
        for metric, values in _quantities(group):
            summary = summarise([np.array([value]) for value in values])
            rows.append(make_row(group, metric, summary, run, system, derived=True))
    return rows


def _quantities(group: Group) -> Iterator[tuple[Metric, NDArray[np.float64]]]:
    """The metrics, with one value per launch; none if any launch has no counters."""
    windows = [one.disturbance for one in group.series]
    if any(window.window_seconds < _LEAST_SECONDS for window in windows):
        return
    moved = np.array([window.memory_bytes or 0.0 for window in windows])
    # A memory that nobody uses is a counter that does not count, as some guests have.
    if np.any(moved <= 0.0):
        return
    rate = moved / np.array([window.window_seconds for window in windows])
    yield TRAFFIC, rate
    counted = np.array([one.counts.get(_BYTES, 0.0) for one in group.series])
    if np.all(counted > 0.0):
        body_seconds = np.array([np.median(one.body_seconds) for one in group.series])
        yield OVER_COUNTED, rate * body_seconds / counted

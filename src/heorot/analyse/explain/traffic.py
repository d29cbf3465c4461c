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

from heorot.analyse.explain.counters import body_seconds, mean_rates, rows_of
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Metric

TRAFFIC = Metric(name="memory_traffic", unit="B/s", better="higher")
OVER_COUNTED = Metric(name="traffic_over_counted", unit="1", better="lower")

_BYTES = "bytes"


def explain(context: Context, run: str) -> list[Result]:
    """Rows of every region that was long enough, and whose hosts have counters."""
    return rows_of(context, run, _quantities)


def _quantities(group: Group) -> Iterator[tuple[Metric, NDArray[np.float64]]]:
    """The metrics, with one value per launch; none if any launch has no counters."""
    rate = mean_rates(group, lambda window: window.memory_bytes)
    if rate is None:
        return
    yield TRAFFIC, rate
    counted = np.array([one.counts.get(_BYTES, 0.0) for one in group.series])
    if np.all(counted > 0.0):
        yield OVER_COUNTED, rate * body_seconds(group) / counted

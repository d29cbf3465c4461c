"""Percentiles of operations on files, where samples are single operations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from heorot.analyse.rows import derive
from heorot.families.storage.latency import LATENCY, TAILS
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result

# So many operations must lie beyond a percentile.
_LEAST_BEYOND = 1


def explain(context: Context) -> list[Result]:
    """Percentiles of all launches together, and their range over the launches."""
    return [row for measured in context.rows for row in _tails(context, measured)]


def _tails(context: Context, row: Result) -> Iterator[Result]:
    if row.benchmark != LATENCY.name or row.metric != "latency" or row.derived:
        return
    group = next((one for one in context.groups if one.first.key == row.key), None)
    if group is None or any(series.repetitions != 1 for series in group.series):
        return
    launches = [series.seconds for series in group.series]
    every = np.concatenate(launches)
    for name, share in TAILS.items():
        if share < 1.0 and every.size * (1.0 - share) < _LEAST_BEYOND:
            continue
        ends = [float(np.quantile(each, share, method="higher")) for each in launches]
        centre = float(np.quantile(every, share, method="higher"))
        values = (centre, min(*ends, centre), max(*ends, centre))
        yield derive([row], name, "s", "lower", values, point=row.point)

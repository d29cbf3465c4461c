"""Hardware counters of whole hosts: memory traffic, power, energy, flops per joule.

They count while a region warms up and is sampled. So a rate or a power is the mean over the region,
idle parts of the hosts included, and the traffic or energy of a body is that mean times its
duration. Programs count the bytes that their algorithm has to move. Memory controllers count all
traffic, including write-allocate lines, useless or repeated fetches and traffic of other processes,
but nothing that caches serve.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from heorot.analyse.results import make_row
from heorot.analyse.rows import best
from heorot.analyse.statistics.summary import summarise_values
from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import differ
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.node_roofline.node_roofline import DEPTH
from heorot.model.analysis.result import Result, Sentence
from heorot.model.catalogue.labels import label_of
from heorot.model.catalogue.metrics import Metric
from heorot.model.run.records import Disturbance

TRAFFIC = Metric(name="memory_traffic", unit="B/s", better="higher")
OVER_COUNTED = Metric(name="traffic_over_counted", unit="1", better="lower")
POWER = Metric(name="power", unit="W", better="lower")
ENERGY = Metric(name="energy", unit="J", better="lower")
EFFICIENCY = Metric(name="flops_per_joule", unit="flop/J", better="higher")
_BYTES, _FLOPS, _PEAK = "bytes", "flops", "flop_peak"

Quantities = Iterable[tuple[Metric, NDArray[np.float64]]]

# Counters are updated every millisecond; in shorter regions, time around the samples weighs too
# much.
_LEAST_SECONDS = 0.05


def _rows_of(context: Context, run: str, quantities: Callable[[Group], Quantities]) -> list[Result]:
    """Rows of all regions.

    Args:
        quantities: the metrics of a region, with one value per launch; none if it has none.
    """
    system = context.machine.system
    rows = []
    for group in context.groups:
        for metric, values in quantities(group):
            summary = summarise_values(values)
            rows.append(make_row(group, metric, summary, run, system, derived=True))
    return rows


def _mean_rates(
    group: Group, counted: Callable[[Disturbance], float | None]
) -> NDArray[np.float64] | None:
    """The count per second, in every launch; None if a region is short or has no counters.

    A counter that never changes does not count, as in some guests.
    """
    windows = [one.disturbance for one in group.series]
    if any(window.window_seconds < _LEAST_SECONDS for window in windows):
        return None
    counts = np.array([counted(window) or 0.0 for window in windows])
    if np.any(counts <= 0.0):
        return None
    seconds = np.array([window.window_seconds for window in windows])
    rates: NDArray[np.float64] = counts / seconds
    return rates


def _body_seconds(group: Group) -> NDArray[np.float64]:
    """Duration of a body, the median of every launch [s]."""
    return np.array([np.median(one.body_seconds) for one in group.series])


def explain_traffic(context: Context, run: str) -> list[Result]:
    """Memory traffic of regions that were long enough and have counters."""
    return _rows_of(context, run, _traffic)


def _traffic(group: Group) -> Iterator[tuple[Metric, NDArray[np.float64]]]:
    """The metrics, with one value per launch; none if any launch has no counters."""
    rate = _mean_rates(group, lambda window: window.memory_bytes)
    if rate is None:
        return
    yield TRAFFIC, rate
    counted = np.array([one.counts.get(_BYTES, 0.0) for one in group.series])
    if np.all(counted > 0.0):
        yield OVER_COUNTED, rate * _body_seconds(group) / counted


def explain_power(context: Context, run: str) -> list[Result]:
    """Power and energy of hosts, for regions that were long enough and have counters."""
    return _rows_of(context, run, _powers)


def _powers(group: Group) -> Iterator[tuple[Metric, NDArray[np.float64]]]:
    """The metrics, with one value per launch; none if any launch has no counters."""
    power = _mean_rates(group, lambda window: window.energy_joules)
    if power is None:
        return
    energy = power * _body_seconds(group)
    yield POWER, power
    yield ENERGY, energy
    flops = group.first.counts.get(_FLOPS, 0.0)
    if flops > 0.0:
        yield EFFICIENCY, flops / energy


def power_sentences(context: Context) -> list[Sentence]:
    """Flops per joule of the most efficient program, with those at the peak; none if unknown."""
    known = [row for row in context.rows if row.metric == EFFICIENCY.name and row.ranked]
    most = best(known)
    if most is None:
        return []
    of_peak = {(row.benchmark, row.region) for row in context.references.find(_PEAK)}
    peak = best([row for row in known if (row.benchmark, row.region) in of_peak])
    region = "" if most.benchmark.endswith(f"/{most.region}") else f" ({label_of(most.region)})"
    return [
        templates.ENERGY(
            family=DEPTH,
            program=f"{context.display_name(most.benchmark)}{region}",
            alike=any(row.benchmark != most.benchmark and not differ(most, row) for row in known),
            value=most,
            is_peak=peak is most,
            peak=None if peak is most else peak,
        )
    ]

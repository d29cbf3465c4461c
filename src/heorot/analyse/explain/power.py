"""What hosts draw while a program works, where their counters tell: power, energy, flops per joule.

The counters are those of whole hosts, and run on while a region warms up and is sampled. So the
power is the mean over the region, idle parts of the hosts included, and the energy of a body is
that power for as long as the body takes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from heorot.analyse.explain.counters import body_seconds, mean_rates, rows_of
from heorot.analyse.rows import best
from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import differ
from heorot.model.analysis.context import Context
from heorot.model.analysis.depth.depth import DEPTH
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result, Sentence
from heorot.model.catalogue.metrics import Metric

POWER = Metric(name="power", unit="W", better="lower")
ENERGY = Metric(name="energy", unit="J", better="lower")
EFFICIENCY = Metric(name="flops_per_joule", unit="flop/J", better="higher")

_FLOPS = "flops"
_PEAK = "flop_peak"


def explain(context: Context, run: str) -> list[Result]:
    """Rows of every region that was long enough, and whose hosts have counters."""
    return rows_of(context, run, _quantities)


def _quantities(group: Group) -> Iterator[tuple[Metric, NDArray[np.float64]]]:
    """The metrics, with one value per launch; none if any launch has no counters."""
    power = mean_rates(group, lambda window: window.energy_joules)
    if power is None:
        return
    energy = power * body_seconds(group)
    yield POWER, power
    yield ENERGY, energy
    flops = group.first.counts.get(_FLOPS, 0.0)
    if flops > 0.0:
        yield EFFICIENCY, flops / energy


def tell(context: Context) -> list[Sentence]:
    """What the most efficient program computes for its energy, beside the peak; none unknown.

    Args:
        context: the run, with the rows of `explain`.
    """
    known = [row for row in context.rows if row.metric == EFFICIENCY.name and row.ranked]
    most = best(known)
    if most is None:
        return []
    of_peak = {(row.benchmark, row.region) for row in context.references.find(_PEAK)}
    peak = best([row for row in known if (row.benchmark, row.region) in of_peak])
    region = "" if most.benchmark.endswith(f"/{most.region}") else f" ({most.region})"
    return [
        templates.ENERGY(
            family=DEPTH,
            program=f"{context.spoken(most.benchmark)}{region}",
            alike=any(row.benchmark != most.benchmark and not differ(most, row) for row in known),
            value=most,
            is_peak=peak is most,
            peak=None if peak is most else peak,
        )
    ]

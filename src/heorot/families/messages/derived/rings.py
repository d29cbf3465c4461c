"""Explains b_eff: the values that HPC Challenge reports, from its pairs and rings.

The better way counts for each pattern, and random patterns by their geometric mean; of pairs the
smallest, the mean and the largest.

Source: R. Rabenseifner, S. R. Tiyyagura, M. Mueller, Network bandwidth measurements and ratio
analysis with the HPC Challenge benchmark suite, EuroPVM/MPI 2005.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from heorot.analyse.rows import best, derive
from heorot.families.messages.among_all.b_eff import B_EFF, ORDERS, PAIRS, WAYS
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.grouping import group_by

_Mean = Callable[[Sequence[float]], float]
_KINDS = ("latency", "bandwidth")


def explain(context: Context) -> list[Result]:
    """Derived rows of each toolchain, case and length of messages."""
    derived: list[Result] = []
    for kind in _KINDS:
        for order in ORDERS:
            found = [
                row
                for way in WAYS
                for row in context.rows.find(B_EFF.name, f"{order}_{way}", f"ring_{kind}")
            ]
            derived += [_ring(rows, f"{order}_ring_{kind}") for rows in _apart(found)]
        for rows in _apart(context.rows.find(B_EFF.name, PAIRS, kind)):
            derived += _pairs(rows, kind)
    return derived


def _apart(rows: Sequence[Result]) -> list[list[Result]]:
    """The rows of each toolchain, case, number of ranks and length by themselves."""
    kept = group_by(
        rows, lambda row: (row.stack, row.case, row.nodes, row.ranks, row.point["bytes"])
    )
    return list(kept.values())


def _ring(rows: list[Result], metric: str) -> Result:
    """The geometric mean over the patterns of the better way; one pattern if it is natural."""
    patterns = group_by(rows, lambda row: row.point.get("pattern"))
    better = [one for ways in patterns.values() if (one := best(ways)) is not None]
    return _combine(rows, better, metric, _geometric_mean)


def _pairs(rows: list[Result], kind: str) -> list[Result]:
    ordered = sorted(rows, key=lambda row: row.median)
    return [
        _combine(rows, chosen, f"{end}_pair_{kind}", _mean)
        for end, chosen in (("min", ordered[:1]), ("avg", ordered), ("max", ordered[-1:]))
    ]


def _combine(
    sources: Sequence[Result], chosen: Sequence[Result], metric: str, mean: _Mean
) -> Result:
    """A mean of rows. The mean of all ends encloses it, whatever their errors have in common."""
    one = sources[0]
    values = (
        mean([row.median for row in chosen]),
        mean([row.ci_low for row in chosen]),
        mean([row.ci_high for row in chosen]),
    )
    point = {"bytes": one.point["bytes"]}
    return derive(sources, metric, one.unit, one.better, values, point=point)


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def _geometric_mean(values: Sequence[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))

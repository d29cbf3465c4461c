"""Explains message times: Hockney's latency, asymptotic bandwidth and half-performance length.

Source: R. W. Hockney, Performance parameters and benchmarking of supercomputers, Parallel
Computing 17 (1991).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from heorot.analyse.rows import best, derive, rename
from heorot.analyse.statistics.fits import HockneyFit, fit_hockney
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Better
from heorot.model.run.records import Point

_NAME = PINGPONG.name
REGION = "pingpong"
_MINIMUM_SIZES = 4


def explain(context: Context) -> list[Result]:
    """Derived rows, one set per toolchain and case: inside a node and between nodes apart.

    Hockney's law over all sizes has no coordinates; where the times show two protocols, each has
    rows of its own with the sizes it holds for. The largest bandwidth keeps the size it was seen
    at.

    Args:
        context: the run.
    """
    rows = context.rows
    curves: dict[tuple[str, str], list[Group]] = {}
    for group in context.groups:
        one = group.first
        if one.benchmark == _NAME and one.region == REGION and group.verified == "passed":
            curves.setdefault((one.toolchain, one.case), []).append(group)
    derived: list[Result] = []
    for (toolchain, case), members in curves.items():
        latencies = _of_case(rows.find(_NAME, REGION, "latency", toolchain=toolchain), case)
        if len(latencies) >= _MINIMUM_SIZES and len(members) >= _MINIMUM_SIZES:
            fitted = fit(members, context.seed)
            derived += _rows(latencies, fitted, {})
            for part in fitted.ranges:
                sizes = {
                    "from_bytes": int(part.smallest_bytes),
                    "to_bytes": int(part.largest_bytes),
                }
                derived += _rows(latencies, part, dict(sizes))
        top = best(_of_case(rows.find(_NAME, REGION, "bandwidth", toolchain=toolchain), case))
        if top is not None:
            derived.append(rename(top, "peak_bandwidth", top.point, top.share_of_ceiling))
    return derived


def _of_case(rows: Sequence[Result], case: str) -> list[Result]:
    return [row for row in rows if row.case == case]


def fit(groups: Sequence[Group], seed: int) -> HockneyFit:
    """Hockney's law over the half round-trip times of all sizes."""
    ordered = sorted(groups, key=lambda group: float(group.first.point["bytes"]))
    sizes = [float(group.first.point["bytes"]) for group in ordered]
    times = [
        np.concatenate([one.body_seconds / one.counts["messages"] for one in group.series])
        for group in ordered
    ]
    return fit_hockney(sizes, times, seed=seed)


def _rows(sources: Sequence[Result], fitted: HockneyFit, point: Point) -> list[Result]:
    latency = (fitted.latency_seconds, fitted.latency_low, fitted.latency_high)
    rate = (fitted.r_inf_bytes_per_second, fitted.r_inf_low, fitted.r_inf_high)
    # Their errors are correlated, so the product of the ends encloses the interval of the product.
    half = (
        fitted.n_half_bytes,
        fitted.latency_low * fitted.r_inf_low,
        fitted.latency_high * fitted.r_inf_high,
    )
    quantities: tuple[tuple[str, str, Better, tuple[float, float, float]], ...] = (
        ("fitted_latency", "s", "lower", latency),
        ("r_inf", "B/s", "higher", rate),
        ("n_half", "B", "lower", half),
    )
    inside = [
        row
        for row in sources
        if fitted.smallest_bytes <= float(row.point["bytes"]) <= fitted.largest_bytes
    ]
    return [
        derive(inside, metric, unit, better, values, point=point)
        for metric, unit, better, values in quantities
        if inside and all(math.isfinite(value) for value in values)
    ]

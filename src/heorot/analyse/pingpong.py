"""Explains message times: Hockney's latency, asymptotic bandwidth and half-performance length.

Source: R. W. Hockney, Performance parameters and benchmarking of supercomputers, Parallel
Computing 17 (1991).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from heorot.analyse.fits import HockneyFit, fit_hockney
from heorot.analyse.results import Group
from heorot.analyse.rows import derive
from heorot.model.benchmark import Better
from heorot.model.result import Result

NAME = "messages/pingpong"
REGION = "pingpong"
_MINIMUM_SIZES = 4


def explain(groups: Sequence[Group], results: Sequence[Result], seed: int) -> list[Result]:
    """Derived rows, one set per toolchain and layout.

    Args:
        groups: all groups of the run.
        results: all rows so far.
        seed: of the bootstrap.
    """
    rows = {
        (row.toolchain, row.case): row
        for row in results
        if row.benchmark == NAME and row.region == REGION and row.metric == "latency" and row.ranked
    }
    curves: dict[tuple[str, str], list[Group]] = {}
    for group in groups:
        one = group.first
        if one.benchmark == NAME and one.region == REGION and group.verified == "passed":
            curves.setdefault((one.toolchain, one.case), []).append(group)
    derived: list[Result] = []
    for key, members in curves.items():
        if key in rows and len(members) >= _MINIMUM_SIZES:
            derived += _rows(rows[key], fit(members, seed), len(members))
    return derived


def fit(groups: Sequence[Group], seed: int) -> HockneyFit:
    """Hockney's law over the half round-trip times of all sizes."""
    ordered = sorted(groups, key=lambda group: float(group.first.point["bytes"]))
    sizes = [float(group.first.point["bytes"]) for group in ordered]
    times = [
        np.concatenate([one.body_seconds / one.counts["messages"] for one in group.series])
        for group in ordered
    ]
    return fit_hockney(sizes, times, seed=seed)


def _rows(source: Result, fitted: HockneyFit, n: int) -> list[Result]:
    latency = (fitted.latency_seconds, fitted.latency_low, fitted.latency_high)
    rate = (fitted.r_inf_bytes_per_second, fitted.r_inf_low, fitted.r_inf_high)
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
    return [
        derive(source, metric, unit, better, values, point={}, n=n)
        for metric, unit, better, values in quantities
        if all(math.isfinite(value) for value in values)
    ]

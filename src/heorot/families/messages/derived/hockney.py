"""Explains message times: Hockney's latency, asymptotic bandwidth and half-performance length.

Besides the fit there is what the measured curve itself says: the sizes between which its law
changes, because the library sends longer messages in another way or because a cache ends, the
smallest size that reaches half of the largest rate, and how many numbers travel in the time of the
shortest message, which is why algorithms that differ by fewer of them take the same time.

Source: R. W. Hockney, Performance parameters and benchmarking of supercomputers, Parallel
Computing 17 (1991).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from heorot.analyse.rows import best, derive, rename
from heorot.analyse.statistics.fits import HockneyFit, fit_hockney
from heorot.analyse.statistics.lines import resample_medians
from heorot.analyse.statistics.summary import FloatArray, quantile
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Better
from heorot.model.run.records import Point

_NAME = PINGPONG.name
REGION = "pingpong"
MINIMUM_SIZES = 4
"""Fewer are not fitted."""
_DOUBLE_BYTES = 8


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
        if len(latencies) >= MINIMUM_SIZES and len(members) >= MINIMUM_SIZES:
            fitted = fit(members, context.seed)
            derived += _rows(latencies, fitted, {})
            derived += _switches(latencies, fitted)
            derived += _lengths(latencies, _Curve.of(members), context.seed)
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
    curve = _Curve.of(groups)
    return fit_hockney(curve.sizes, curve.times, seed=seed)


@dataclass(frozen=True)
class _Curve:
    """Half round-trip times over the message size, in ascending order.

    Attributes:
        sizes: [B], shape (n,).
        times: samples of each [s].
    """

    sizes: FloatArray
    times: list[FloatArray]

    @classmethod
    def of(cls, groups: Sequence[Group]) -> _Curve:
        """The curve of one region in one case."""
        ordered = sorted(groups, key=lambda group: float(group.first.point["bytes"]))
        return cls(
            np.array([float(group.first.point["bytes"]) for group in ordered]),
            [
                np.concatenate([one.body_seconds / one.counts["messages"] for one in group.series])
                for group in ordered
            ],
        )


def _switches(sources: Sequence[Result], fitted: HockneyFit) -> list[Result]:
    """Between which sizes one law ends and the next begins: the geometric mean, and both."""
    rows: list[Result] = []
    for number, (before, after) in enumerate(pairwise(fitted.ranges), start=1):
        low, high = before.largest_bytes, after.smallest_bytes
        ends = [row for row in sources if low <= float(row.point["bytes"]) <= high]
        if ends:
            values = (math.sqrt(low * high), low, high)
            point: Point = {"switch": number}
            rows.append(derive(ends, "protocol_switch", "B", "higher", values, point=point))
    return rows


def _lengths(sources: Sequence[Result], curve: _Curve, seed: int) -> list[Result]:
    """Two lengths with 95 % intervals by a bootstrap over the samples of each size."""
    generator = np.random.default_rng(seed)
    drawn = np.stack([resample_medians(np.sort(one), generator) for one in curve.times], axis=1)
    medians = np.array([float(np.median(one)) for one in curve.times])
    rows: list[Result] = []
    kinds: tuple[tuple[str, str, Better, Callable[[FloatArray, FloatArray], float]], ...] = (
        ("half_rate_size", "B", "lower", half_rate_size),
        ("items_per_latency", "element", "lower", items_per_latency),
    )
    for metric, unit, better, length in kinds:
        centre = length(curve.sizes, medians)
        values = np.array([length(curve.sizes, times) for times in drawn])
        low, high = min(centre, quantile(values, 0.025)), max(centre, quantile(values, 0.975))
        rows.append(derive(sources, metric, unit, better, (centre, low, high), point={}))
    return rows


def half_rate_size(sizes: FloatArray, times: FloatArray) -> float:
    """The smallest size [B] with half of the largest rate; times grow linearly between two sizes.

    Args:
        sizes: in ascending order [B], shape (n,).
        times: of one message [s], shape (n,).
    """
    half = 0.5 * float(np.max(sizes / times))
    i = int(np.argmax(sizes >= half * times))
    if i == 0 or sizes[i] == half * times[i]:
        return float(sizes[i])
    # n = half t(n) on the line through both sizes.
    slope = (times[i] - times[i - 1]) / (sizes[i] - sizes[i - 1])
    return float(half * (times[i - 1] - slope * sizes[i - 1]) / (1.0 - half * slope))


def items_per_latency(sizes: FloatArray, times: FloatArray) -> float:
    """Doubles of 8 B that travel at the largest rate in the time of the shortest message.

    Args:
        sizes: in ascending order [B], shape (n,).
        times: of one message [s], shape (n,).
    """
    return float(times[0] * np.max(sizes / times)) / _DOUBLE_BYTES


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

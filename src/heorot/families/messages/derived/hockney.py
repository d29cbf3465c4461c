"""Explains message times: Hockney's latency, asymptotic bandwidth and half-performance length.

Besides the fit, three values are read from the measured curve: the sizes between which its law
changes, because the library switches protocols or because a cache ends; the smallest size that
reaches half of the largest rate; and the number of doubles that travel in the time of the shortest
message, below which differences between algorithms do not matter. Each launch counts by the medians
of its samples.

Where the time jumps from one size to the next no single law holds: there is none over all sizes
then. A half-performance length of one law that is not where half of the largest rate was measured
is left out as well.

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
from heorot.analyse.statistics.summary import FloatArray, summarise_values
from heorot.analyse.statistics.switches import find_jumps
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Better
from heorot.model.point import Point
from heorot.model.run.identity import Stack

_NAME = PINGPONG.name
REGION = "pingpong"
MINIMUM_SIZES = 4
"""Fewest sizes for a fit."""
JUMP = "time_jump"
"""The metric of the time ratio of two neighbouring sizes at a jump."""
_DOUBLE_BYTES = 8
# Half-performance lengths within this factor agree.
_AGREE = 1.5


def explain(context: Context) -> list[Result]:
    """Derived rows, one set per toolchain and case: inside a node and between nodes separately.

    Hockney's law over all sizes has no coordinates, and is left out where a time jumps; where the
    times show two protocols, each has rows of its own with its range of sizes. The largest
    bandwidth keeps its size.
    """
    rows = context.rows
    curves: dict[tuple[Stack, str], list[Group]] = {}
    for group in context.groups:
        one = group.first
        if one.benchmark == _NAME and one.region == REGION and group.verified == "passed":
            curves.setdefault((one.stack, one.case), []).append(group)
    derived: list[Result] = []
    for (stack, case), members in curves.items():
        latencies = _of_case(rows.find(_NAME, REGION, "latency", stack=stack), case)
        if len(latencies) >= MINIMUM_SIZES and len(members) >= MINIMUM_SIZES:
            fitted, curve = fit(members, context.seed), _Curve.of(members)
            jumps, lengths = _jumps(latencies, curve), _lengths(latencies, curve)
            if not jumps:
                law = _rows(latencies, fitted, Point())
                derived += [row for row in law if row.metric != "n_half" or _agree(row, lengths[0])]
            derived += [*_switches(latencies, fitted), *jumps, *lengths]
            for part in fitted.ranges:
                sizes = {
                    "from_bytes": int(part.smallest_bytes),
                    "to_bytes": int(part.largest_bytes),
                }
                derived += _rows(latencies, part, Point(sizes))
        top = best(_of_case(rows.find(_NAME, REGION, "bandwidth", stack=stack), case))
        if top is not None:
            derived.append(rename(top, "peak_bandwidth", top.point, top.share_of_ceiling))
    return derived


def _of_case(rows: Sequence[Result], case: str) -> list[Result]:
    return [row for row in rows if row.case == case]


def fit(groups: Sequence[Group], seed: int) -> HockneyFit:
    """Hockney's law over the half round-trip times of all sizes."""
    curve = _Curve.of(groups)
    times = [each[np.isfinite(each)] for each in curve.launches.T]
    return fit_hockney(curve.sizes, times, seed=seed)


@dataclass(frozen=True)
class _Curve:
    """Half round-trip times over the message size, in ascending order.

    Attributes:
        sizes: [B], shape (n,).
        launches: medians of the samples, shape (n_launches, n), NaN where a launch has none [s].
    """

    sizes: FloatArray
    launches: FloatArray

    @classmethod
    def of(cls, groups: Sequence[Group]) -> _Curve:
        """The curve of one region in one case."""
        ordered = sorted(groups, key=lambda group: float(group.first.point["bytes"]))
        numbers = sorted({one.launch for group in groups for one in group.series})
        launches = np.full((len(numbers), len(ordered)), np.nan)
        for j, group in enumerate(ordered):
            for one in group.series:
                seconds = float(np.median(one.body_seconds)) / one.counts["messages"]
                launches[numbers.index(one.launch), j] = seconds
        return cls(np.array([float(group.first.point["bytes"]) for group in ordered]), launches)

    @property
    def medians(self) -> FloatArray:
        """Median of the launches at each size, shape (n,) [s]."""
        return np.asarray(np.nanmedian(self.launches, axis=0))


def _switches(sources: Sequence[Result], fitted: HockneyFit) -> list[Result]:
    """The sizes between which one law ends and the next begins: the geometric mean, and both."""
    rows: list[Result] = []
    for number, (before, after) in enumerate(pairwise(fitted.ranges), start=1):
        low, high = before.largest_bytes, after.smallest_bytes
        ends = [row for row in sources if low <= float(row.point["bytes"]) <= high]
        if ends:
            values = (math.sqrt(low * high), low, high)
            point = Point({"switch": number})
            rows.append(derive(ends, "protocol_switch", "B", "higher", values, point=point))
    return rows


def _jumps(sources: Sequence[Result], curve: _Curve) -> list[Result]:
    """The time ratio of two neighbouring sizes at a jump."""
    rows: list[Result] = []
    for right in find_jumps(curve.sizes, curve.launches):
        low, high = (int(size) for size in curve.sizes[right - 1 : right + 1])
        ends = [row for row in sources if row.point["bytes"] in {low, high}]
        growth = curve.launches[:, right] / curve.launches[:, right - 1]
        known = growth[np.isfinite(growth)]
        if ends and known.size:
            found = summarise_values(known)
            values = (found.median, found.ci_low, found.ci_high)
            point = Point({"from_bytes": low, "to_bytes": high})
            rows.append(derive(ends, JUMP, "", "lower", values, point=point))
    return rows


def _agree(row: Result, other: Result) -> bool:
    """Whether two lengths are equal, or may be."""
    meet = row.ci_low <= other.ci_high and other.ci_low <= row.ci_high
    return meet or max(row.median, other.median) <= _AGREE * min(row.median, other.median)


def _lengths(sources: Sequence[Result], curve: _Curve) -> list[Result]:
    """Two lengths; each launch has its own, if it has all sizes."""
    whole = [each for each in curve.launches if np.all(np.isfinite(each))] or [curve.medians]
    rows: list[Result] = []
    kinds: tuple[tuple[str, str, Better, Callable[[FloatArray, FloatArray], float]], ...] = (
        ("half_rate_size", "B", "lower", half_rate_size),
        ("items_per_latency", "element", "lower", items_per_latency),
    )
    for metric, unit, better, length in kinds:
        found = summarise_values(length(curve.sizes, times) for times in whole)
        values = (found.median, found.ci_low, found.ci_high)
        rows.append(derive(sources, metric, unit, better, values, point={}))
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
    # Their errors are correlated, so the product of the ends encloses the interval of the product.
    low, high = (fitted.latency[end] * fitted.r_inf[end] for end in (1, 2))
    quantities: tuple[tuple[str, str, Better, tuple[float, float, float]], ...] = (
        ("fitted_latency", "s", "lower", fitted.latency),
        ("r_inf", "B/s", "higher", fitted.r_inf),
        ("n_half", "B", "lower", (fitted.n_half_bytes, low, high)),
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

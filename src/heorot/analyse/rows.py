"""Finds rows among results, and makes the rows that come from fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from heorot.model.benchmark import Better
from heorot.model.records import Scalar
from heorot.model.result import Result


def find(
    results: Sequence[Result],
    benchmark: str,
    region: str,
    metric: str,
    *,
    point: Mapping[str, Scalar] | None = None,
    cores: int | None = None,
    toolchain: str | None = None,
) -> list[Result]:
    """Trustworthy rows of one metric of one region, in the order of the results.

    Args:
        results: where to look.
        benchmark: the program.
        region: the region.
        metric: the metric.
        point: coordinates that must agree; others are free.
        cores: cores used, if it matters.
        toolchain: name of the toolchain, if it matters.
    """
    return [
        row
        for row in results
        if row.benchmark == benchmark
        and row.region == region
        and row.metric == metric
        and row.ranked
        and (cores is None or row.cores == cores)
        and (toolchain is None or row.toolchain == toolchain)
        and all(row.point.get(name) == value for name, value in (point or {}).items())
    ]


def best(rows: Sequence[Result]) -> Result | None:
    """The best of comparable rows by their median; None of none."""
    if not rows:
        return None
    choose: Callable[..., Result] = max if rows[0].better == "higher" else min
    return choose(rows, key=lambda row: row.median)


def largest(rows: Sequence[Result], coordinate: str) -> Result | None:
    """The row at the largest value of a coordinate; None of none."""
    return max(rows, key=lambda row: float(row.point.get(coordinate, 0)), default=None)


def derive(
    source: Result,
    metric: str,
    unit: str,
    better: Better,
    values: tuple[float, float, float],
    *,
    point: Mapping[str, Scalar],
    n: int,
    share: float | None = None,
) -> Result:
    """A row that a fit yields: it has the standing of the rows it was fitted to.

    Args:
        source: any of the rows it rests on.
        metric: name of the quantity.
        unit: its SI unit.
        better: its direction.
        values: centre, lower and upper end of its interval.
        point: its coordinates.
        n: number of values fitted.
        share: share of its ceiling, if it has one.
    """
    centre, low, high = values
    return source.model_copy(
        update={
            "metric": metric,
            "unit": unit,
            "better": better,
            "median": centre,
            "ci_low": low,
            "ci_high": high,
            "q10": low,
            "q90": high,
            "min": low,
            "max": high,
            "n": n,
            "point": dict(point),
            "derived": True,
            "share_of_ceiling": share,
            "plausible": None,
        }
    )

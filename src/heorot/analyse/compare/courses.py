"""Two runs compared over the sizes of one quantity: which is better where, and the crossover.

Source: a comparison of clusters in an evaluation of 2004; exchange times cross at 128 to 8192
bytes, differences are in percent for each size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from heorot.analyse.statistics.crossings import alike_from, changes, distance
from heorot.model.analysis.comparison import ComparedMetric, MetricVerdict
from heorot.model.analysis.extremes import Ends, overlap
from heorot.model.analysis.studies.courses import Course, CoursePoint, Crossing
from heorot.model.point import Options
from heorot.model.run.identity import Key

_LEAST_VALUES = 4
# Closer than this, two machines are equal in practice.
_ALIKE = 1.1
_WINNERS: dict[MetricVerdict, int] = {"better": 1, "worse": -1, "indistinguishable": 0}


def find_courses(metrics: Iterable[ComparedMetric]) -> list[Course]:
    """A course for every quantity with enough values of a coordinate that is a count.

    Untested quantities have no course: their crossover is unknown.
    """
    found: dict[tuple[Key, str, str], list[ComparedMetric]] = {}
    for metric in (one for one in metrics if one.ends is not None):
        for coordinate, value in metric.point.items():
            if isinstance(value, int) and not isinstance(value, bool):
                layout = metric.key.only("benchmark", "nodes", "ranks", "threads", "per_node")
                where = layout.but(
                    region=metric.region,
                    point=metric.point.without(coordinate),
                    options=Options({"star": True}) if metric.is_star else Options(),
                )
                found.setdefault((where, metric.metric, coordinate), []).append(metric)
    return [
        _course(coordinate, sorted(members, key=lambda each: float(each.point[coordinate])))
        for (_, _, coordinate), members in found.items()
        if len(members) >= _LEAST_VALUES
    ]


def _apart(metric: ComparedMetric) -> Ends:
    """The smallest and the largest distance between both sides, whichever is better."""
    low, high = metric.ends or (0.0, math.inf)
    least, most = sorted(distance(end) if end > 0.0 else math.inf for end in (low, high))
    return (1.0 if low < 1.0 < high else least), most


def _course(coordinate: str, metrics: Sequence[ComparedMetric]) -> Course:
    first = metrics[0]
    values = [float(metric.point[coordinate]) for metric in metrics]
    ratios = [metric.ratio for metric in metrics]
    most = max(range(len(ratios)), key=lambda i: distance(ratios[i]))
    n_alike = sum(overlap(_apart(metrics[most]), _apart(metric)) for metric in metrics)
    alike = alike_from(ratios, _ALIKE)
    return Course(
        key=first.key.but(point=first.point.without(coordinate)),
        metric=first.metric,
        coordinate=coordinate,
        smallest=values[0],
        largest=values[-1],
        n=len(metrics),
        crossings=tuple(_crossings(values, metrics)),
        most_ratio=ratios[most],
        most_at=values[most] if n_alike == 1 else None,
        # Courses that are equal everywhere have no crossover.
        alike_from=values[alike] if alike else None,
        points=tuple(map(_point, values, metrics)),
    )


def _point(at: float, metric: ComparedMetric) -> CoursePoint:
    low, high = metric.ends or (metric.ratio, metric.ratio)
    return CoursePoint(
        at=at,
        ratio=metric.ratio,
        low=low,
        high=high,
        launches=min(metric.a_launches, metric.b_launches),
        disturbed=bool(metric.disturbed),
    )


def _crossings(values: Sequence[float], metrics: Sequence[ComparedMetric]) -> list[Crossing]:
    """The sizes at which the better side changes."""
    winners = [_WINNERS[metric.verdict] for metric in metrics]
    return [
        Crossing(
            below=values[left],
            above=values[right],
            better_above="B" if metrics[right].verdict == "better" else "A",
        )
        for left, right in changes(winners)
    ]

"""How two runs compare over the sizes of one quantity: who is better where, and where that changes.

Source: the comparison of clusters whose exchange times cross at 128 to 8192 bytes, with the
differences in percent for each size, told in an evaluation of 2004.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from heorot.model.analysis.comparison import ComparedMetric, Course, Crossing, Letter
from heorot.model.run.records import Scalar

_LEAST_VALUES = 4
# Nearer than this two machines are alike for whoever chooses between them.
_ALIKE = 1.1

_Key = tuple[str, str, str, str, str, str]


def find_courses(metrics: Iterable[ComparedMetric]) -> list[Course]:
    """A course for every quantity with enough values of a coordinate that counts something.

    Args:
        metrics: all that was compared.
    """
    found: dict[_Key, list[ComparedMetric]] = {}
    for metric in metrics:
        for coordinate, value in metric.point.items():
            if isinstance(value, int) and not isinstance(value, bool):
                others = str(_others(metric, coordinate))
                where = (metric.benchmark, metric.region, metric.metric, metric.layout)
                found.setdefault((*where, coordinate, others), []).append(metric)
    return [
        _course(key[4], sorted(members, key=lambda each: float(each.point[key[4]])))
        for key, members in found.items()
        if len(members) >= _LEAST_VALUES
    ]


def _others(metric: ComparedMetric, coordinate: str) -> dict[str, Scalar]:
    return {name: value for name, value in metric.point.items() if name != coordinate}


def _course(coordinate: str, metrics: Sequence[ComparedMetric]) -> Course:
    first = metrics[0]
    values = [float(metric.point[coordinate]) for metric in metrics]
    most = max(range(len(metrics)), key=lambda i: _distance(metrics[i]))
    return Course(
        benchmark=first.benchmark,
        region=first.region,
        metric=first.metric,
        layout=first.layout,
        point=_others(first, coordinate),
        coordinate=coordinate,
        smallest=values[0],
        largest=values[-1],
        n=len(metrics),
        crossings=tuple(_crossings(values, metrics)),
        most_ratio=metrics[most].ratio,
        most_at=values[most],
        alike_from=_alike_from(values, metrics),
    )


def _distance(metric: ComparedMetric) -> float:
    """How many times the better side is better."""
    return max(metric.ratio, 1.0 / metric.ratio)


def _crossings(values: Sequence[float], metrics: Sequence[ComparedMetric]) -> list[Crossing]:
    """Where the better side changes; values without a better one lie between."""
    decided: list[tuple[float, Letter]] = [
        (value, "B" if metric.verdict == "better" else "A")
        for value, metric in zip(values, metrics, strict=True)
        if metric.verdict != "indistinguishable"
    ]
    return [
        Crossing(below=left, above=right, better_above=winner)
        for (left, loser), (right, winner) in itertools.pairwise(decided)
        if loser != winner
    ]


def _alike_from(values: Sequence[float], metrics: Sequence[ComparedMetric]) -> float | None:
    """From which value on both stay alike, if they differ before it."""
    alike: float | None = None
    for value, metric in zip(reversed(values), reversed(metrics), strict=True):
        if _distance(metric) > _ALIKE:
            return alike
        alike = value
    return None

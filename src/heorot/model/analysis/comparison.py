"""What a comparison of two runs says, metric by metric and group by group."""

from __future__ import annotations

from typing import Literal

from heorot.model.base import Record
from heorot.model.catalogue.benchmark import Better
from heorot.model.run.records import Point

ComparisonVerdict = Literal["better", "worse", "indistinguishable"]


class ComparedMetric(Record):
    """One number measured in both runs.

    Attributes:
        benchmark: the program.
        region: the region.
        point: coordinates.
        metric: name of the metric.
        unit: SI unit of the medians and intervals.
        better: direction.
        layout: nodes x ranks x threads, such as `1x2x1`.
        a_median: centre in the first run.
        a_low: lower end of its 95 % interval.
        a_high: upper end.
        b_median: centre in the second run.
        b_low: lower end of its 95 % interval.
        b_high: upper end.
        ratio: oriented so that more than 1 means that the second run is better.
        ratio_low: lower end of its 95 % interval.
        ratio_high: upper end.
        p_value: of the hypothesis that nothing changed, adjusted for the number of metrics.
        effect_size: Cliff's delta over all samples, -1 to 1, positive if the second run is better;
            it describes and decides nothing.
        verdict: of the second run.
    """

    benchmark: str
    region: str
    point: Point
    metric: str
    unit: str
    better: Better
    layout: str = ""
    a_median: float
    a_low: float
    a_high: float
    b_median: float
    b_low: float
    b_high: float
    ratio: float
    ratio_low: float
    ratio_high: float
    p_value: float
    effect_size: float
    verdict: ComparisonVerdict


class ComparedGroup(Record):
    """All metrics of a program or a family together.

    Attributes:
        name: a benchmark or a family.
        geometric_mean_ratio: over its metrics; more than 1 means that the second run is better.
        low: lower end of its 95 % interval.
        high: upper end.
        verdict: of the second run.
        n: number of metrics.
    """

    name: str
    geometric_mean_ratio: float
    low: float
    high: float
    verdict: ComparisonVerdict
    n: int


class Comparison(Record):
    """Two runs side by side.

    Attributes:
        a_name: the first run, which the ratios divide by.
        b_name: the second run.
        systems: the machines of the first and of the second.
        groups: programs or families.
        metrics: what both have.
        only_in_a: keys of results that only the first has.
        only_in_b: keys of results that only the second has.
    """

    a_name: str
    b_name: str
    systems: tuple[str, str]
    groups: tuple[ComparedGroup, ...]
    metrics: tuple[ComparedMetric, ...]
    only_in_a: tuple[str, ...] = ()
    only_in_b: tuple[str, ...] = ()

"""Turns raw samples into rows: one per case, region, point and metric."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from heorot.analyse.statistics.modes import LEAST_DISTANCE, find_modes
from heorot.analyse.statistics.summary import FloatArray, Summary, summarise
from heorot.analyse.validity.disturbance import Attempt, attempt_of, counted_attempts, reasons
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Mode, Result
from heorot.model.analysis.studies.nodes import is_of_nodes
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.metrics import Metric
from heorot.model.grouping import group_by
from heorot.model.run.identity import Stack
from heorot.model.run.series import Series, Verified


def applies(metric: Metric, series: Series) -> bool:
    """Whether a metric is computed for a series."""
    if metric.regions and series.region not in metric.regions:
        return False
    if metric.over_ranks == "mean" and not series.mean_body_seconds.size:
        return False
    return 0.0 < metric.amount(series.counts) < math.inf


def split_nodes(series: Iterable[Series]) -> tuple[list[Series], list[Series]]:
    """Ordinary series, and series of single nodes and pairs, which are compared with each other.

    The same case on every node would otherwise appear many times in every figure and headline.
    """
    ordinary: list[Series] = []
    of_nodes: list[Series] = []
    for one in series:
        (of_nodes if is_of_nodes(one.point) else ordinary).append(one)
    return ordinary, of_nodes


def group_series(series: Iterable[Series]) -> list[Group]:
    """Bring the launches of a case together, region by region and point by point.

    A repeated launch counts by one of its attempts, with all its regions. A perturbed series counts
    only if its group has no unperturbed one. All samples stay in samples.parquet.
    """
    known = list(series)
    counted = counted_attempts(known)
    groups = group_by(known, lambda one: one.key)
    return [_group(members, counted) for members in groups.values()]


def in_order(groups: Sequence[Group], benchmarks: Mapping[str, Benchmark]) -> list[Group]:
    """Groups in the order of the catalogue: steps ran in shuffled order."""
    place = {name: number for number, name in enumerate(benchmarks)}

    def key(group: Group) -> tuple[int, Stack, int, str]:
        one = group.first
        return place.get(one.benchmark, len(place)), one.stack, one.cores, one.case

    return sorted(groups, key=key)


def _group(members: Sequence[Series], counted: Collection[Attempt]) -> Group:
    ordered = [one for one in members if attempt_of(one) in counted] or members
    clean = [one for one in ordered if not reasons(one)]
    launches = {one.launch: one for one in clean or ordered}
    # A wrong result in any attempt invalidates the group.
    verdicts = {one.verified for one in members}
    verified: Verified = "passed"
    if "failed" in verdicts:
        verified = "failed"
    elif "unchecked" in verdicts:
        verified = "unchecked"
    return Group(
        series=tuple(launches[number] for number in sorted(launches)),
        disturbed=not clean,
        verified=verified,
    )


def make_results(
    groups: Sequence[Group], benchmarks: Mapping[str, Benchmark], *, run: str, system: str
) -> list[Result]:
    """The rows that come straight from samples; bounds are applied later."""
    results = []
    for group in groups:
        benchmark = benchmarks.get(group.first.benchmark)
        if benchmark is None:
            continue
        for metric in benchmark.metrics:
            if applies(metric, group.first):
                samples = group.samples(metric)
                row = make_row(group, metric, summarise(samples), run, system)
                modes = _modes(group, samples) if row.is_wide or _is_spread(row) else ()
                results.append(row.model_copy(update={"modes": modes}) if modes else row)
    return results


def _is_spread(row: Result) -> bool:
    """Whether the samples are spread far enough to be bimodal."""
    return row.q90 > math.exp(LEAST_DISTANCE) * row.q10


def _modes(group: Group, samples: Sequence[FloatArray]) -> tuple[Mode, ...]:
    """The two modes of the samples, with the numbers of the launches."""
    numbers = [one.launch for one in group.series]
    return tuple(
        Mode(
            median=mode.median,
            share=mode.share,
            launches=tuple(numbers[place] for place in mode.launches),
        )
        for mode in find_modes(samples) or ()
    )


def values_of(summary: Summary) -> dict[str, Any]:
    """The values of a row, by its fields."""
    return {
        "median": summary.median,
        "ci_low": summary.ci_low,
        "ci_high": summary.ci_high,
        "q10": summary.q10,
        "q90": summary.q90,
        "min": summary.minimum,
        "max": summary.maximum,
        "n": summary.n,
        "n_launches": summary.n_launches,
    }


def make_row(
    group: Group, metric: Metric, summary: Summary, run: str, system: str, *, derived: bool = False
) -> Result:
    """The row of one metric of a group."""
    one = group.first
    # Built from values computed here: validating every row again would dominate.
    return Result.model_construct(
        run=run,
        system=system,
        key=one.key,
        metric=metric.name,
        unit=metric.unit,
        better=metric.better,
        **values_of(summary),
        verified=group.verified,
        plausible=None,
        disturbed=group.disturbed,
        share_of_ceiling=None,
        derived=derived,
    )

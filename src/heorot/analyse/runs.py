"""Holds two runs against each other, metric by metric and program by program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heorot.analyse.results import applies, group_series
from heorot.analyse.statistics import comparison as test
from heorot.analyse.statistics.significance import adjust_p_values
from heorot.analyse.statistics.summary import FloatArray, summarise
from heorot.model.analysis.comparison import ComparedGroup, ComparedMetric, Comparison
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark, Metric
from heorot.model.run.series import Series

MetricKey = tuple[str, ...]


@dataclass(frozen=True)
class Samples:
    """The samples of one metric of one run, launch by launch."""

    group: Group
    metric: Metric
    launches: list[FloatArray]


@dataclass(frozen=True)
class Side:
    """One of the two runs.

    Attributes:
        name: name of the run.
        system: name of its machine.
        series: its samples.
        results: its rows: only what stands verified and plausible there is compared.
    """

    name: str
    system: str
    series: Sequence[Series]
    results: Sequence[Result]


def compare_runs(a: Side, b: Side, benchmarks: Sequence[Benchmark]) -> Comparison:
    """Compare run b with run a; a ratio above 1 means that b is better.

    Each program is decided by its primary metric, as its others are the same samples in other
    units, and metrics that repeat each other would count their program's evidence twice.

    Args:
        a: the run to compare with.
        b: the run to judge.
        benchmarks: catalogue records.
    """
    chains = [{one.toolchain for one in side.series} for side in (a, b)]
    # With one toolchain on each side these are compared, whatever their names.
    named = any(len(names) > 1 for names in chains)
    first, second = (_collect(side, benchmarks, named) for side in (a, b))
    place = {benchmark.name: number for number, benchmark in enumerate(benchmarks)}
    keys = sorted((key for key in first if key in second), key=lambda key: place[key[0]])
    raw = [
        test.compare(first[key].launches, second[key].launches, better=first[key].metric.better)
        for key in keys
    ]
    moderated = test.moderate(raw)
    verdicts = test.classify(moderated)
    adjusted = adjust_p_values([one.p_value for one in moderated])
    metrics = [
        _metric(first[key], second[key], one, float(p), verdict)
        for key, one, p, verdict in zip(keys, moderated, adjusted, verdicts, strict=True)
    ]
    programs: dict[str, list[test.Comparison]] = {}
    for key, one in zip(keys, raw, strict=True):
        programs.setdefault(key[0], []).append(one)
    return Comparison(
        a_name=a.name,
        b_name=b.name,
        systems=(a.system, b.system),
        groups=tuple(_groups(programs)),
        metrics=tuple(metrics),
        only_in_a=tuple(":".join(key) for key in first if key not in second),
        only_in_b=tuple(":".join(key) for key in second if key not in first),
    )


def _collect(side: Side, benchmarks: Sequence[Benchmark], named: bool) -> dict[MetricKey, Samples]:
    """The primary metric of every region of a run, by what must agree between two runs.

    Args:
        side: the run.
        benchmarks: catalogue records.
        named: whether the toolchain must agree too.
    """
    catalogue = {benchmark.name: benchmark for benchmark in benchmarks}
    refused = {
        (row.benchmark, row.case, row.toolchain, row.region, tuple(row.point.items()))
        for row in side.results
        if not row.ranked and not row.derived
    }
    collected: dict[MetricKey, Samples] = {}
    for group in group_series(side.series):
        one = group.first
        place = (one.benchmark, one.case, one.toolchain, one.region, tuple(one.point.items()))
        benchmark = catalogue.get(one.benchmark)
        if benchmark is None or group.verified != "passed" or place in refused:
            continue
        metric = next((m for m in benchmark.metrics if applies(m, one)), None)
        if metric is not None:
            key = _key(one, metric, named)
            collected[key] = Samples(group, metric, group.samples(metric))
    return collected


def _key(one: Series, metric: Metric, named: bool) -> MetricKey:
    point = ",".join(f"{name}={value}" for name, value in one.point.items())
    layout = f"{one.nodes}x{one.ranks}x{one.threads}"
    key = (one.benchmark, one.case, one.region, point, metric.name, layout)
    return (*key, one.toolchain) if named else key


def _metric(
    a: Samples, b: Samples, one: test.Comparison, p_value: float, verdict: test.Verdict
) -> ComparedMetric:
    series = a.group.first
    left, right = summarise(a.launches), summarise(b.launches)
    ratio = (one.ratio, one.ratio_low, one.ratio_high)
    if one.better == "lower":
        ratio = (1.0 / one.ratio, 1.0 / one.ratio_high, 1.0 / one.ratio_low)
    return ComparedMetric(
        benchmark=series.benchmark,
        region=series.region,
        point=series.point,
        metric=a.metric.name,
        unit=a.metric.unit,
        better=a.metric.better,
        layout=f"{series.nodes}x{series.ranks}x{series.threads}",
        a_median=left.median,
        a_low=left.ci_low,
        a_high=left.ci_high,
        b_median=right.median,
        b_low=right.ci_low,
        b_high=right.ci_high,
        ratio=ratio[0],
        ratio_low=ratio[1],
        ratio_high=ratio[2],
        p_value=p_value,
        effect_size=one.effect_size if one.better == "higher" else -one.effect_size,
        verdict=verdict,
    )


def _groups(programs: Mapping[str, Sequence[test.Comparison]]) -> list[ComparedGroup]:
    """Programs first, then families of more than one program."""
    families: dict[str, list[test.Comparison]] = {}
    members: dict[str, set[str]] = {}
    for name, comparisons in programs.items():
        family = name.partition("/")[0]
        families.setdefault(family, []).extend(comparisons)
        members.setdefault(family, set()).add(name)
    compared = test.compare_groups(programs) if programs else {}
    wide = {family: found for family, found in families.items() if len(members[family]) > 1}
    compared |= test.compare_groups(wide) if wide else {}
    return [
        ComparedGroup(
            name=name,
            geometric_mean_ratio=group.geometric_mean_ratio,
            low=group.low,
            high=group.high,
            verdict=group.verdict,
            n=group.n_metrics,
        )
        for name, group in compared.items()
    ]

"""Statements of an analysis about the synthetic results, and a comparison with a second run."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from heorot.model.analysis.comparison import (
    ComparedGroup,
    ComparedMetric,
    Comparison,
    Uncompared,
)
from heorot.model.analysis.result import Analysis, CrossCheck, Finding, Result, Score, Sentence
from heorot.model.point import Point
from heorot.model.run.identity import Key, Setup
from tests.unit.report.sample_breakdowns import make_attributions, make_breakdowns
from tests.unit.report.sample_results import make_results


def find_row(results: tuple[Result, ...], region: str, metric: str, **wanted: object) -> Result:
    """The last row of that region and metric."""
    return [
        row
        for row in results
        if row.region == region
        and row.metric == metric
        and all(getattr(row, name, row.point.get(name)) == value for name, value in wanted.items())
    ][-1]


def make_scores(results: tuple[Result, ...]) -> tuple[Score, ...]:
    """The score card, half of it with bounds."""
    lines = (
        ("Peak, double precision", find_row(results, "fma_double", "flop_rate", threads=1), ""),
        ("Core clock", find_row(results, "clock_multiply", "clock"), ""),
        (
            "axpy from L1d",
            find_row(results, "axpy", "r_max_l1", access="contiguous"),
            "no core exceeds its FMA peak",
        ),
        (
            "Memory bandwidth, triad",
            find_row(results, "triad", "bandwidth", threads=2),
            "a store first loads its line",
        ),
        ("Message latency, 8 B", find_row(results, "pingpong", "latency", bytes=8), ""),
        (
            "Message bandwidth, 4 MiB",
            find_row(results, "pingpong", "bandwidth"),
            "inside a node a message is at least one copy",
        ),
        ("NPB EP", find_row(results, "ep", "operation_rate"), ""),
    )
    return tuple(
        Score(
            label=label,
            result=row,
            ceiling=why,
            share=row.share_of_ceiling,
            bound="flop peak" if row.share_of_ceiling else "",
        )
        for label, row, why in lines
    )


def make_verdict(scores: tuple[Score, ...]) -> tuple[Sentence, ...]:
    """A sentence on every family, its evidence on the score card."""
    peak, clock, axpy, triad, message, large, ep = (score.result.id for score in scores)
    return (
        Sentence(
            text=(
                "One core multiplies and adds at 107 Gflop/s [106, 107], 98 % of what its clock "
                "of 3.42 GHz allows."
            ),
            evidence=(peak, clock),
        ),
        Sentence(
            text=(
                "Triad runs at 28.5 GB/s [28.4, 28.6] on both cores: 0.14 byte per flop, so "
                "kernels with fewer than 7 flops per byte are bandwidth-bound."
            ),
            evidence=(triad, peak),
        ),
        Sentence(
            text=("From L1d axpy runs at 48.7 Gflop/s, 45 % of peak; from memory at 3.6."),
            evidence=(axpy,),
        ),
        Sentence(
            text=(
                "A message of 8 B takes 0.65 µs one way, one of 4 MiB moves at 12.0 GB/s, 86 % of "
                "a copy in memory."
            ),
            evidence=(message, large),
        ),
        Sentence(
            text="Two cores do 1.99 times the work of one in EP, which needs no communication.",
            evidence=(ep,),
        ),
    )


def make_findings(results: tuple[Result, ...]) -> tuple[Finding, ...]:
    """One of every severity."""
    withheld = [row.id for row in results if row.verified == "failed"]
    spoilt = find_row(results, "add", "bandwidth", threads=2)
    return (
        Finding(
            text=(
                f"Verification failed for {len(withheld)} results of divide with stride 4; the "
                "values are withheld."
            ),
            severity="error",
            evidence=(*withheld, "S0004"),
            affected=("compute/vector_kernels",),
            remedy="Compare with another compiler; report the deviation to its makers.",
        ),
        Finding(
            text="Other processes took 12 % of the processors while add was measured.",
            severity="warning",
            evidence=(spoilt.id,),
            affected=("memory/stream",),
            remedy="Repeat on a quiet machine.",
        ),
        Finding(
            text=(
                "The advertised L3 of 480 MiB is not seen in any sweep: virtual machines "
                "advertise caches they share."
            ),
            severity="note",
            evidence=("unknown key",),
        ),
    )


def make_cross_checks() -> tuple[CrossCheck, ...]:
    """One that agrees and one that does not."""
    return (
        CrossCheck(
            quantity="latency of 8 B",
            first_name="pingpong",
            first=0.65e-6,
            second_name="flag in shared memory, four transfers",
            second=0.61e-6,
            unit="s",
            ratio=0.938,
            allowed=1.5,
        ),
        CrossCheck(
            quantity="length of the sampling loops",
            first_name="monotonic",
            first=12.001,
            second_name="tsc",
            second=13.4,
            unit="s",
            ratio=1.1166,
            allowed=1.01,
        ),
    )


def make_analysis(results: tuple[Result, ...]) -> Analysis:
    """Scores, sentences, findings and cross-checks on the results."""
    scores = make_scores(results)
    return Analysis(
        results=results,
        scores=scores,
        verdict=make_verdict(scores),
        findings=make_findings(results),
        cross_checks=make_cross_checks(),
        breakdowns=make_breakdowns(),
        attributions=make_attributions(scores[-1].result),
    )


def _compared(row: Result, ratio: float) -> ComparedMetric:
    """A row compared with one that is `ratio` times as good."""
    scale = ratio if row.better == "higher" else 1 / ratio
    differs = abs(math.log(ratio)) > 0.03
    return ComparedMetric(
        key=row.key,
        other=row.key,
        metric=row.metric,
        unit=row.unit,
        better=row.better,
        a_median=row.median,
        a_low=row.ci_low,
        a_high=row.ci_high,
        b_median=row.median * scale,
        b_low=row.ci_low * scale,
        b_high=row.ci_high * scale,
        ratio=ratio,
        ratio_low=ratio * 0.985,
        ratio_high=ratio * 1.015,
        p_value=1e-4 if differs else 0.6,
        effect_size=-0.9 if differs else 0.05,
        verdict="indistinguishable" if not differs else "better" if ratio > 1 else "worse",
    )


def _group(name: str, metrics: Sequence[ComparedMetric], factor: float) -> ComparedGroup:
    """A program whose rows differ by about this factor."""
    ratios = [metric.ratio for metric in metrics if metric.benchmark == name]
    mean = math.exp(float(np.mean(np.log(ratios))))
    return ComparedGroup(
        name=name,
        geometric_mean_ratio=mean,
        low=mean * 0.99,
        high=mean * 1.01,
        verdict="indistinguishable" if factor == 1 else "better" if factor > 1 else "worse",
        n=len(ratios),
    )


def make_comparison(n_lengths: int = 40) -> Comparison:
    """The synthetic run against one with a slower memory and a faster message."""
    random = np.random.default_rng(11)
    factors = {"memory/stream": 0.95, "messages/pingpong": 1.08}
    metrics = [
        _compared(row, factors.get(row.benchmark, 1.0) * float(random.normal(1, 0.004)))
        for row in make_results(n_lengths)
        if not row.derived and row.verified != "failed"
    ]
    names = dict.fromkeys(metric.benchmark for metric in metrics)
    return Comparison(
        a_name="first",
        b_name="second",
        systems=("hall-01", "hall-<b>02</b>"),
        groups=tuple(_group(name, metrics, factors.get(name, 1.0)) for name in names),
        metrics=tuple(metrics),
        uncompared=(
            Uncompared(
                why="only in A",
                key=Key(
                    Setup("npb/ep", "A_one_core", "gnu-12+openmpi-5.0.11"),
                    "ep",
                    Point({"class": "A"}),
                ),
                metric="operation_rate",
            ),
        ),
    )

"""Compares a run with another, metric by metric and program by program."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from heorot.analyse.compare.builds import differences
from heorot.analyse.compare.courses import find_courses
from heorot.analyse.compare.pairing import differing_counts, pair_rows
from heorot.analyse.compare.side import Row, Side, rows_of
from heorot.analyse.statistics import comparison as test
from heorot.analyse.statistics.significance import Judged, adjust_p_values
from heorot.model.analysis.comparison import (
    ComparedGroup,
    ComparedMetric,
    Comparison,
    Difference,
)
from heorot.model.analysis.studies.courses import Letter
from heorot.model.analysis.studies.nodes import NODE
from heorot.model.catalogue.benchmark import Benchmark


@dataclass(frozen=True)
class Pair:
    """One metric of both runs, tested.

    Attributes:
        a: its row in the first run.
        b: its row in the second run.
    """

    a: Row
    b: Row
    raw: test.Comparison

    @property
    def disturbed(self) -> tuple[Letter, ...]:
        """The sides that have perturbed samples only."""
        sides: tuple[tuple[Letter, Row], ...] = (("A", self.a), ("B", self.b))
        return tuple(letter for letter, row in sides if row.group.disturbed)

    @property
    def crowded(self) -> tuple[Letter, ...]:
        """The sides whose ranks or threads had to share cores."""
        sides: tuple[tuple[Letter, Row], ...] = (("A", self.a), ("B", self.b))
        return tuple(letter for letter, row in sides if row.crowded)

    @property
    def differs(self) -> tuple[str, ...]:
        """Differences between the two apart from the machine."""
        one, other = self.a.first.setup, self.b.first.setup
        layout = ["layout"] if one.layout != other.layout else []
        if self.a.first.point.get(NODE) != self.b.first.point.get(NODE):
            layout.append("node")
        counts = (f"{name} per body" for name, _, _ in differing_counts(self.a, self.b))
        built = (what for what, _, _ in differences(self.a.build, self.b.build))
        return (*layout, *built, *counts)


def compare_runs(
    a: Side, b: Side, benchmarks: Sequence[Benchmark], *, by_cores: bool = False
) -> Comparison:
    """Compare run b with run a; a ratio above 1 means that b is better.

    Args:
        a: the run to compare with.
        b: the run to judge.
        by_cores: whether rows of other layouts may meet on as many cores.
    """
    first, second = (SideRows(each, rows_of(each, benchmarks)) for each in (a, b))
    return compare_rows(first, second, benchmarks, by_cores=by_cores)


@dataclass(frozen=True)
class SideRows:
    """A run with its rows, reused by several comparisons."""

    side: Side
    rows: Sequence[Row]


def compare_rows(
    first: SideRows,
    second: SideRows,
    benchmarks: Sequence[Benchmark],
    *,
    by_cores: bool,
    bounds: Mapping[str, str] | None = None,
) -> Comparison:
    """The same for known rows.

    Args:
        bounds: the bound of programs, such as `memory-bound`, by name of the program: programs with
            the same bound are also judged together.
    """
    a, b = first.side, second.side
    pairing = pair_rows(first.rows, second.rows, by_cores=by_cores)
    place = {benchmark.name: number for number, benchmark in enumerate(benchmarks)}
    pairs = [
        Pair(x, y, test.compare(x.launches, y.launches, better=x.metric.better))
        for x, y in sorted(pairing.pairs, key=lambda pair: place[pair[0].first.benchmark])
    ]
    moderated = test.moderate([pair.raw for pair in pairs])
    verdicts = test.classify(moderated)
    adjusted = adjust_p_values([one.p_value for one in moderated])
    metrics = [
        _metric(pair, one, float(p), judged)
        for pair, one, p, judged in zip(pairs, moderated, adjusted, verdicts, strict=True)
    ]
    return Comparison(
        a_name=a.name,
        b_name=b.name,
        systems=(a.system, b.system),
        disturbances=(a.disturbances, b.disturbances),
        groups=tuple(_groups(pairs)),
        bounds=tuple(_by_bound(pairs, bounds or {})),
        metrics=tuple(metrics),
        courses=tuple(find_courses(metrics)),
        differences=tuple(_differences(pairs)),
        uncompared=tuple(pairing.uncompared),
    )


def _metric(pair: Pair, one: test.Comparison, p_value: float, judged: Judged) -> ComparedMetric:
    metric = pair.a.metric
    left, right = pair.a.summary, pair.b.summary
    ratio = (one.ratio, one.ratio_low, one.ratio_high)
    if one.better == "lower":
        ratio = (1.0 / one.ratio, 1.0 / one.ratio_high, 1.0 / one.ratio_low)
    return ComparedMetric(
        key=pair.a.first.key,
        other=pair.b.first.key,
        metric=metric.name,
        unit=metric.unit,
        better=metric.better,
        a_median=left.median,
        a_low=left.ci_low,
        a_high=left.ci_high,
        a_n=left.n,
        a_launches=left.n_launches,
        b_median=right.median,
        b_low=right.ci_low,
        b_high=right.ci_high,
        b_n=right.n,
        b_launches=right.n_launches,
        ratio=ratio[0],
        ratio_low=ratio[1],
        ratio_high=ratio[2],
        p_value=p_value,
        effect_size=one.effect_size if one.better == "higher" else -one.effect_size,
        verdict=judged[0],
        lacks=judged[1],
        disturbed=pair.disturbed,
        crowded=pair.crowded,
        differs=pair.differs,
    )


def _differences(pairs: Sequence[Pair]) -> list[Difference]:
    """Everything that differs between the runs, each with the number of metrics it concerns."""
    found: dict[tuple[str, str, str], int] = {}
    for pair in pairs:
        for one in differences(pair.a.build, pair.b.build):
            found[one] = found.get(one, 0) + 1
    return [Difference(what=what, a=a, b=b, n=n) for (what, a, b), n in found.items()]


def _groups(pairs: Sequence[Pair]) -> list[ComparedGroup]:
    """Programs first, then families of more than one program."""
    programs: dict[str, list[Pair]] = {}
    families: dict[str, list[Pair]] = {}
    for pair in pairs:
        name = pair.a.first.benchmark
        programs.setdefault(name, []).append(pair)
        families.setdefault(name.partition("/")[0], []).append(pair)
    wide = {
        family: members
        for family, members in families.items()
        if len({pair.a.first.benchmark for pair in members}) > 1
    }
    return [*_compare_groups(programs), *_compare_groups(wide)]


def _by_bound(pairs: Sequence[Pair], bounds: Mapping[str, str]) -> list[ComparedGroup]:
    """Programs with the same bound, together."""
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        bound = bounds.get(pair.a.first.benchmark)
        if bound:
            groups.setdefault(bound, []).append(pair)
    return _compare_groups(groups)


def _compare_groups(groups: Mapping[str, Sequence[Pair]]) -> list[ComparedGroup]:
    if not groups:
        return []
    raw = {name: [pair.raw for pair in pairs] for name, pairs in groups.items()}
    return [
        ComparedGroup(
            name=name,
            geometric_mean_ratio=group.geometric_mean_ratio,
            low=group.low,
            high=group.high,
            verdict=group.verdict,
            lacks=group.lacks,
            n=group.n_metrics,
            n_by_cores=_tally(groups[name], group.left_out, lambda pair: "layout" in pair.differs),
            n_disturbed=_tally(groups[name], group.left_out, lambda pair: bool(pair.disturbed)),
        )
        for name, group in test.compare_groups(raw).items()
    ]


def _tally(pairs: Sequence[Pair], left_out: Collection[int], counts: Callable[[Pair], bool]) -> int:
    """The number of pairs in a mean that fulfil a condition."""
    return sum(counts(pair) for number, pair in enumerate(pairs) if number not in left_out)

"""Positions of measured regions in the roofline.

A region that counts flops and bytes has an arithmetic intensity: flops per byte that its algorithm
has to move. With a working set resident in a level, its rate is bounded by min(peak, intensity x
bandwidth of the level). Of a sweep over the working set, one size per level becomes a point. Where
memory traffic was counted by hardware, the intensity by that traffic is given as well.

The bytes of a bound are fetched bytes: every loaded or stored byte once, since caches also fetch
lines that are only stored. Beyond L1d, write-backs share the data path: the bound is the highest
measured bandwidth of any loop with both directions counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from heorot.analyse.explain.counters import TRAFFIC
from heorot.analyse.node_roofline.bandwidth_roofs import BandwidthRoofs, WorkingSetBandwidth
from heorot.analyse.node_roofline.curves import others_of
from heorot.analyse.node_roofline.roofs import publishers
from heorot.analyse.node_roofline.working_set_levels import WorkingSetLevels
from heorot.analyse.results import make_row
from heorot.analyse.rows import derive, over
from heorot.analyse.statistics.summary import summarise
from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.node_roofline.levels import LEVELS, MEMORY, SHARE_OF_ROOFLINE, is_finite
from heorot.model.analysis.node_roofline.node_roofline import NodeRoofline
from heorot.model.analysis.node_roofline.roofs import RooflinePoint, Roofs
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.grouping import group_by
from heorot.model.run.identity import Key

_FLOPS = Metric(name="flop_rate", unit="flop/s", better="higher", count="flops")
_MOST_HEADLINES = 3
_MANY_SIZES = 3
# Where bytes are those of loads and stores: L1d, and unknown sets.
_OF_OPERANDS = frozenset({"", LEVELS[0]})


@dataclass(frozen=True)
class FoundPoints:
    """The points of the roofline.

    Attributes:
        points: of all regions, in the order of the catalogue.
        rows: their shares of the roofline.
        n_elsewhere: regions on core counts without roofs.
    """

    points: list[RooflinePoint]
    rows: list[Result]
    n_elsewhere: int


def find_points(
    context: Context, roofs: Sequence[Roofs], levels_of: WorkingSetLevels, run: str
) -> FoundPoints:
    """A point for every region with roofs for its core count."""
    finder = _Finder(context, roofs, levels_of, run)
    own = publishers(context)
    found: list[tuple[RooflinePoint, Result]] = []
    n_elsewhere = 0
    for group in context.groups:
        counts, one = group.first.counts, group.first
        counted = is_finite(counts.get("flops", 0.0), counts.get("bytes", 0.0))
        counted = counted and _computes(context.benchmarks.get(one.benchmark), one.region)
        if not counted or one.benchmark in own or one.nodes > 1:
            continue
        point = finder.place(group)
        if point is not None:
            found.append(point)
        n_elsewhere += finder.roofs_of(group) is None
    kept = _best_of_levels(found)
    chosen = set(_headlines(context, [point for point, _ in kept]))
    return FoundPoints(
        points=[point.model_copy(update={"headline": point.row in chosen}) for point, _ in kept],
        rows=[row for _, row in kept],
        n_elsewhere=n_elsewhere,
    )


class _Finder:
    """Places regions in the roofline."""

    def __init__(
        self, context: Context, roofs: Sequence[Roofs], levels_of: WorkingSetLevels, run: str
    ) -> None:
        self._context, self._levels_of, self._run = context, levels_of, run
        self._depth, self._bandwidths = NodeRoofline(roofs=tuple(roofs)), BandwidthRoofs(context)
        self._rows: dict[Key, list[Result]] = {}
        for row in context.rows:
            if not row.derived or row.metric == TRAFFIC.name:
                self._rows.setdefault(row.key, []).append(row)

    def roofs_of(self, group: Group) -> Roofs | None:
        """The roofs for the core count; None if they were not measured."""
        return self._depth.roofs_of(self._context.uses.computing(group.first), group.first.stack)

    def place(self, group: Group) -> tuple[RooflinePoint, Result] | None:
        """The point of a region, and the row with its share; None if it has none.

        Unverified and implausible results have none, nor have levels without a measured bandwidth.
        """
        roofs = self.roofs_of(group)
        flops = make_row(
            group, _FLOPS, summarise(group.samples(_FLOPS)), self._run, self._context.machine.system
        )
        rows = self._rows.get(flops.key, [])
        if roofs is None or not flops.ranked or any(row.plausible is False for row in rows):
            return None
        size = self._levels_of.working_set(flops)
        level, neighbour = self._resident_levels(flops, size)
        available = self._available(roofs, flops, level, size)
        if available is None:
            return None
        flops_fetched, flops_carried = self._intensities(group, level)
        flop_peak = max(_flop_peak(rows), roofs.highest.most)
        bound = min(flop_peak, flops_fetched * available.fetched, flops_carried * available.carried)
        share = _share(flops, bound)
        point = RooflinePoint(
            key=flops.key,
            of=roofs.of,
            intensity=flops_fetched,
            rate=Middle(median=flops.median, low=flops.ci_low, high=flops.ci_high),
            n_launches=flops.n_launches,
            level=level,
            working_set_bytes=size,
            neighbour=neighbour,
            bandwidth=available.fetched,
            flop_peak=flop_peak,
            bound=bound,
            measured_intensity=_measured_intensity(flops, rows),
            disturbed=flops.disturbed,
            row=share.id,
        )
        return point, share

    def _resident_levels(self, row: Result, size: float | None) -> tuple[str, str]:
        """The level in which a working set is resident, and one that holds a part of it, too."""
        if size is None:
            return "", ""
        point = (row.cores, row.stack)
        return self._bandwidths.resident_levels(
            size, *point, self._levels_of.level_of(size, *point)
        )

    def _intensities(self, group: Group, level: str) -> tuple[float, float]:
        """Flop per fetched byte, and flop per fetched or written-back byte."""
        one = group.first
        counted = one.counts["flops"] / one.counts["bytes"]
        if level in _OF_OPERANDS:
            return counted, counted
        moved = self._context.benchmarks[one.benchmark].moves(one.region)
        return counted / moved.fetched, counted / moved.carried

    def _available(
        self, roofs: Roofs, row: Result, level: str, size: float | None
    ) -> WorkingSetBandwidth | None:
        """The bandwidth for the working set; for an unknown one, the highest bandwidth."""
        if size is None:
            most = max(bandwidth.most for bandwidth in roofs.bandwidths)
            return WorkingSetBandwidth(most, most)
        available = self._bandwidths.bound(size, row.cores, row.stack, level)
        return (
            WorkingSetBandwidth(available.fetched, available.fetched)
            if available and level in _OF_OPERANDS
            else available
        )


def _computes(benchmark: Benchmark | None, region: str) -> bool:
    """Whether a region performs these flops, rather than only counting them for comparison."""
    metrics = benchmark.metrics if benchmark else ()
    regions = [metric.regions for metric in metrics if metric.count == "flops"]
    return not regions or any(not each or region in each for each in regions)


def _measured_intensity(flops: Result, rows: Iterable[Result]) -> float | None:
    """Flop per byte of memory traffic; None if traffic was not counted or is zero."""
    traffic = (row.median for row in rows if row.metric == TRAFFIC.name and row.ranked)
    moved = next(traffic, 0.0)
    return flops.median / moved if is_finite(moved) else None


def _flop_peak(rows: Iterable[Result]) -> float:
    """The flop peak by the program's own rule: higher in single precision."""
    return max(
        (
            row.median / row.share_of_ceiling
            for row in rows
            if row.unit == "flop/s" and row.share_of_ceiling
        ),
        default=0.0,
    )


def _share(flops: Result, bound: float) -> Result:
    values = over(flops, bound)
    share = derive([flops], SHARE_OF_ROOFLINE, "1", "higher", values, point=flops.point)
    return share.model_copy(update={"n": flops.n})


def _best_of_levels(
    found: Sequence[tuple[RooflinePoint, Result]],
) -> list[tuple[RooflinePoint, Result]]:
    """All points but those of long sweeps, of which one per level stays.

    In a cache the fastest one; in memory, or between two levels, the largest, which has the
    smallest part in nearer levels.
    """
    sweeps: dict[Key, list[tuple[RooflinePoint, Result]]] = {}
    for point, row in found:
        sweep = point.key.but(point=others_of(row))
        sweeps.setdefault(sweep, []).append((point, row))
    kept = []
    for members in sweeps.values():
        if len(members) <= _MANY_SIZES:
            kept += members
            continue
        levels: dict[str, tuple[RooflinePoint, Result]] = {}
        for point, row in members:
            rival = levels.get(point.resident_in)
            key = _extent if point.neighbour or point.level in {"", MEMORY} else _rate
            if rival is None or key(point) > key(rival[0]):
                levels[point.resident_in] = (point, row)
        kept += levels.values()
    return kept


def _headlines(context: Context, points: Sequence[RooflinePoint]) -> Iterator[str]:
    """Keys of the points that represent their programs, on each core count.

    Points without a valid bound are left out.
    """
    groups = group_by(
        (point for point in points if point.share is not None),
        lambda point: (point.benchmark, point.stack, point.cores),
    )
    for (name, _, _), members in groups.items():
        whole = [point for point in members if not point.copies] or members
        benchmark = context.benchmarks.get(name)
        chosen = dict.fromkeys(point.row for point in _of_headlines(benchmark, whole))
        yield from [*chosen][:_MOST_HEADLINES] or [max(whole, key=_extent).row]


def _of_headlines(
    benchmark: Benchmark | None, points: Sequence[RooflinePoint]
) -> Iterator[RooflinePoint]:
    """The point of each headline; one without a point takes the next with its label."""
    labels: set[str] = set()
    for headline in benchmark.headlines if benchmark else ():
        fitting = [point for point in points if _stands_for(headline, point)]
        # The number of a headline may be that of one level, which its name then includes.
        level = headline.metric.rpartition("_")[2]
        fitting = [point for point in fitting if point.level.lower() == level] or fitting
        if fitting and headline.label not in labels:
            labels.add(headline.label)
            best = headline.pick == "best"
            yield max(fitting, key=_rate if best else _extent)


def _stands_for(headline: Headline, point: RooflinePoint) -> bool:
    same = all(point.point.get(name) == value for name, value in headline.point.items())
    return headline.region == point.region and same


def _rate(point: RooflinePoint) -> tuple[float, float]:
    return point.rate.median, point.working_set_bytes or 0.0


def _extent(point: RooflinePoint) -> tuple[float, float]:
    return point.working_set_bytes or 0.0, point.rate.median

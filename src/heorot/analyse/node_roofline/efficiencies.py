"""Share of peak of every program: its best rate over the measured flop peak."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import MOST_SHARE, NOMINAL_SHARE
from heorot.model.analysis.node_roofline.node_roofline import NodeRoofline
from heorot.model.analysis.node_roofline.roofs import Roofs
from heorot.model.analysis.node_roofline.shares import Efficiency
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Metric
from heorot.model.grouping import best_of_each, group_by


def find_efficiencies(context: Context, roofs: Sequence[Roofs]) -> Iterator[Efficiency]:
    """The best rate of performed operations of every program, on each core count of a node.

    Copies of a program are included if no single one ran on that many cores.
    """
    same_key = group_by(context.rows, lambda row: row.key)
    measuring = context.references.publisher("flop_peak")
    own = measuring[0] if measuring else ""
    inside = (row for row in context.rows if row.nodes == 1 and row.benchmark != own)
    counted = (row for row in inside if not row.derived and row.ranked)
    rates = best_of_each(
        (row for row in counted if _counts(context, row, "flops")),
        lambda row: (row.stack, row.benchmark, row.cores),
        lambda row: (not row.is_star, row.median),
    )
    depth = NodeRoofline(roofs=tuple(roofs))
    for _, row in sorted(rates.items(), key=lambda each: each[0]):
        share = _share_of_peak(row, depth.roofs_of(context.uses.computing(row), row.stack))
        yield Efficiency(
            key=row.key,
            rate=Middle(median=row.median, low=row.ci_low, high=row.ci_high),
            share_of_peak=_plausible(share),
            nominal_share=_plausible(_nominal_share(context, row, share, same_key[row.key])),
            row=row.id,
        )


def _plausible(share: float | None) -> float | None:
    """A share; None if above 1: operations of a definition need not all be performed."""
    return share if share is not None and share <= MOST_SHARE else None


def _metric(context: Context, row: Result) -> Metric | None:
    benchmark = context.benchmarks.get(row.benchmark)
    return benchmark.metric(row.metric) if benchmark else None


def _counts(context: Context, row: Result, count: str) -> bool:
    """Whether a row is a rate of such operations."""
    metric = _metric(context, row)
    return metric is not None and metric.is_rate and metric.count == count


def _share_of_peak(row: Result, roofs: Roofs | None) -> float | None:
    """Share of the highest roof, or of the program's own bound if higher (single precision)."""
    own = row.median / row.share_of_ceiling if row.share_of_ceiling else 0.0
    peak = max(own, roofs.highest.most if roofs is not None else 0.0)
    return row.median / peak if peak > 0.0 else None


def _nominal_share(
    context: Context, row: Result, share: float | None, same_key: Sequence[Result]
) -> float | None:
    """The rule of the family, or a second rate of the same samples with another flop count."""
    published_share = next((each.median for each in same_key if each.metric == NOMINAL_SHARE), None)
    if published_share is not None or share is None:
        return published_share
    nominal = (
        each.median
        for each in same_key
        if each.unit == row.unit and not each.derived and not _counts(context, each, "flops")
    )
    return next((share * rate / row.median for rate in nominal), None)

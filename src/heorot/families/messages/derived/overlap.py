"""How much of an operation that is only started is hidden behind computation.

Started alone it takes t, the computation alone c, both together T. If nothing is hidden, T = t + c;
if all is, T is the larger of both. The share that is hidden is (t + c - T) / min(t, c).
"""

from __future__ import annotations

from heorot.analyse.rows import derive
from heorot.families.messages.among_all.collectives import (
    COLLECTIVES,
    COMPUTATION,
    COMPUTATION_TIME,
    LATENCY,
    OVERLAP,
    OVERLAPPED,
    TESTED,
)
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Key


def explain(context: Context) -> list[Result]:
    """The hidden share of each operation, size, case and toolchain, with and without tests."""
    found: dict[tuple[Key, str], Result] = {}
    for row in context.rows:
        if row.benchmark == COLLECTIVES.name and row.ranked:
            found[row.key, row.metric] = row
    derived = []
    for (key, metric), together in found.items():
        way = next((end for end in (OVERLAPPED, TESTED) if key.region.endswith(end)), "")
        if metric != LATENCY or not way:
            continue
        name = key.region.removesuffix(way)
        alone = found.get((key.but(region=name), LATENCY))
        computed = found.get((key.but(region=name + COMPUTATION), COMPUTATION_TIME))
        if alone is not None and computed is not None:
            share = _hidden_share(alone, computed, together)
            sources = [together, alone, computed]
            derived.append(derive(sources, OVERLAP, "1", "higher", share, point=together.point))
    return derived


def _hidden_share(alone: Result, computed: Result, together: Result) -> tuple[float, float, float]:
    """The share, and what it is if every median lies at the worse or the better end."""
    most = min(alone.median, computed.median)
    return (
        _within(alone.median + computed.median - together.median, most),
        _within(alone.ci_low + computed.ci_low - together.ci_high, most),
        _within(alone.ci_high + computed.ci_high - together.ci_low, most),
    )


def _within(hidden: float, most: float) -> float:
    return min(1.0, max(0.0, hidden / most)) if most > 0.0 else 0.0

"""Scaling of an operation's time with the ranks: with their logarithm, or with their number.

A tree needs a step for each doubling of the ranks, t = a + b log2 p; a root that serves all ranks
in turn, or all-to-all communication, needs one for each rank, t = a + b p. The better fit
identifies the algorithm, and its slope the cost of further ranks. Ranks of one node and ranks over
nodes have lines of their own: the first step into the network is no scaling.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from heorot.analyse.rows import derive
from heorot.families.messages.among_all.collectives import BASE, COLLECTIVES, LATENCY
from heorot.families.messages.among_all.global_sum import GLOBAL_SUM, OWN_REGIONS
from heorot.families.messages.among_all.startup import STARTUP
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Key

LOGARITHMIC, LINEAR = "logarithmic", "linear"
METRIC = "growth"
# Two points lie on any line.
_LEAST_POINTS = 3
# Times of operations among all ranks, each with the regions whose scaling is of interest.
_TIMES: dict[str, tuple[str, tuple[str, ...]]] = {
    COLLECTIVES.name: (LATENCY, BASE),
    GLOBAL_SUM.name: ("time", ("allreduce", *OWN_REGIONS)),
    STARTUP.name: ("time", ()),
}
_FORMS: dict[str, Callable[[float], float]] = {LOGARITHMIC: math.log2, LINEAR: float}


@dataclass(frozen=True)
class Growth:
    """A line through the times of an operation over its ranks.

    Attributes:
        form: `logarithmic` or `linear`.
        start_seconds: a [s].
        slope_seconds: b, per doubling of the ranks or per rank [s].
        slope_error_seconds: half of its 95 % interval [s].
        misfit: root of the mean square of the relative residuals.
    """

    form: str
    start_seconds: float
    slope_seconds: float
    slope_error_seconds: float
    misfit: float

    def seconds(self, ranks: int) -> float:
        """Time of the line at a number of ranks [s]."""
        return self.start_seconds + self.slope_seconds * _FORMS[self.form](ranks)


def fit_growth(rows: Sequence[Result]) -> Growth | None:
    """The better of both lines; None with fewer than three numbers of ranks.

    Args:
        rows: one operation and size with different numbers of ranks, medians in s.
    """
    by_ranks = {row.ranks: row for row in rows}
    if len(by_ranks) < _LEAST_POINTS:
        return None
    chosen = [by_ranks[ranks] for ranks in sorted(by_ranks)]
    return min((_fit(chosen, form) for form in _FORMS), key=lambda each: each.misfit)


def _fit(rows: Sequence[Result], form: str) -> Growth:
    """Least squares of relative residuals: the relative deviation from the line counts."""
    x = np.array([_FORMS[form](row.ranks) for row in rows])
    t = np.array([row.median for row in rows])
    design = np.stack([1.0 / t, x / t], axis=1)
    (start, slope), *_ = np.linalg.lstsq(design, np.ones_like(t), rcond=None)
    residuals = 1.0 - (start + slope * x) / t
    scatter = float(np.sqrt(np.sum(residuals**2) / (len(rows) - 2)))
    # The residual of the line, or the uncertainty of the medians themselves, whichever is larger.
    known = np.array([(row.ci_high - row.ci_low) / (2.0 * row.median) for row in rows])
    off = max(
        float(scipy.special.stdtrit(len(rows) - 2, 0.975)) * scatter,
        float(np.sqrt(np.mean(known**2))),
    )
    inverse = np.linalg.inv(design.T @ design)
    return Growth(
        form=form,
        start_seconds=float(start),
        slope_seconds=float(slope),
        slope_error_seconds=off * math.sqrt(float(inverse[1, 1])),
        misfit=float(np.sqrt(np.mean(residuals**2))),
    )


def explain(context: Context) -> list[Result]:
    """The scaling of each operation on several numbers of ranks, by size and toolchain."""
    return growth_rows([row for row in context.rows if _is_of_an_operation(row)])


def _is_of_an_operation(row: Result) -> bool:
    metric, regions = _TIMES.get(row.benchmark, ("", ()))
    is_chosen = row.metric == metric and (row.region in regions or not regions)
    return is_chosen and row.ranked and not row.derived and row.median > 0.0


def growth_rows(rows: Sequence[Result]) -> list[Result]:
    """A derived row for each operation, size, toolchain and number of ranks per node.

    Each has the form of its line and the fewest ranks of it as coordinates, and the most as its
    own; the unit is s per doubling of the ranks, or per rank.

    Args:
        rows: times of operations, with the coordinate `bytes` or none [s].
    """
    found: dict[tuple[Key, int], list[Result]] = {}
    for row in rows:
        per_node = row.per_node if row.nodes > 1 else 0
        operation = row.key.only("benchmark", "toolchain", "network", "region", "point")
        found.setdefault((operation, per_node), []).append(row)
    derived = []
    for members in found.values():
        growth = fit_growth(members)
        if growth is not None:
            members.sort(key=lambda row: -row.ranks)
            slope, error = growth.slope_seconds, growth.slope_error_seconds
            values = (slope, slope - error, slope + error)
            point = {**members[0].point, "form": growth.form, "from_ranks": members[-1].ranks}
            derived.append(derive(members, METRIC, "s", "lower", values, point=point))
    return derived

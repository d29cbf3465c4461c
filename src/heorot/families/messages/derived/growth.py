"""How the time of an operation grows with the ranks: with their logarithm, or with their number.

A tree needs a step for each doubling of the ranks, t = a + b log2 p; a root that serves everybody
in turn, or ranks that all talk to each other, need one for each rank, t = a + b p. Which of the two
is nearer to what was measured tells the algorithm, and its slope what the next ranks cost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from heorot.analyse.rows import derive
from heorot.model.analysis.result import Result

LOGARITHMIC, LINEAR = "logarithmic", "linear"
METRIC = "growth"
# Two points lie on any line.
_LEAST_POINTS = 3
_Z95 = 1.959964
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
        largest_ranks: the most ranks of the fit.
    """

    form: str
    start_seconds: float
    slope_seconds: float
    slope_error_seconds: float
    misfit: float
    largest_ranks: int

    def seconds(self, ranks: int) -> float:
        """What the line says for so many ranks [s]."""
        return self.start_seconds + self.slope_seconds * _FORMS[self.form](ranks)


def fit_growth(rows: Sequence[Result]) -> Growth | None:
    """The better of both lines; None of fewer than three numbers of ranks.

    Args:
        rows: one operation and size with different numbers of ranks, medians in s.
    """
    by_ranks = {row.ranks: row for row in rows}
    if len(by_ranks) < _LEAST_POINTS:
        return None
    chosen = [by_ranks[ranks] for ranks in sorted(by_ranks)]
    return min((_fit(chosen, form) for form in _FORMS), key=lambda each: each.misfit)


def _fit(rows: Sequence[Result], form: str) -> Growth:
    """Least squares of relative residuals: what counts is the share by which a line is off."""
    x = np.array([_FORMS[form](row.ranks) for row in rows])
    t = np.array([row.median for row in rows])
    design = np.stack([1.0 / t, x / t], axis=1)
    (start, slope), *_ = np.linalg.lstsq(design, np.ones_like(t), rcond=None)
    residuals = 1.0 - (start + slope * x) / t
    # What the line cannot explain, or what the medians themselves leave open, if that is more.
    known = np.array([(row.ci_high - row.ci_low) / (2.0 * _Z95 * row.median) for row in rows])
    spread = max(
        float(np.sqrt(np.sum(residuals**2) / (len(rows) - 2))), float(np.sqrt(np.mean(known**2)))
    )
    covariance = spread**2 * np.linalg.inv(design.T @ design)
    return Growth(
        form=form,
        start_seconds=float(start),
        slope_seconds=float(slope),
        slope_error_seconds=_Z95 * math.sqrt(float(covariance[1, 1])),
        misfit=float(np.sqrt(np.mean(residuals**2))),
        largest_ranks=rows[-1].ranks,
    )


def growth_rows(rows: Sequence[Result]) -> list[Result]:
    """A derived row for each operation, size, toolchain and number of ranks on a node.

    Args:
        rows: times of operations over nodes, with the coordinate `bytes` or none.
    """
    found: dict[tuple[str, str, str, int, str], list[Result]] = {}
    for row in rows:
        key = (row.benchmark, row.region, row.toolchain, row.per_node, str(row.point))
        found.setdefault(key, []).append(row)
    derived = []
    for members in found.values():
        growth = fit_growth(members)
        if growth is not None:
            most = max(members, key=lambda row: row.ranks)
            others = [row for row in members if row is not most]
            error = growth.slope_error_seconds
            slope = growth.slope_seconds
            values = (slope, slope - error, slope + error)
            point = {**most.point, "form": growth.form}
            derived.append(derive([most, *others], METRIC, "s", "lower", values, point=point))
    return derived

"""The samples of one region at one point in all launches of a case."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heorot.model.catalogue.metrics import Metric
from heorot.model.run.series import Series, Verified


@dataclass(frozen=True)
class Group:
    """The series of one region at one point in all launches of a case.

    Attributes:
        series: the counted series, one per launch, in order of launch.
        disturbed: whether all of them were perturbed; otherwise perturbed ones are left out.
        verified: failed if any attempt failed, unchecked if any is, else passed.
    """

    series: tuple[Series, ...]
    disturbed: bool
    verified: Verified

    @property
    def first(self) -> Series:
        """Any of the series: they share everything but launch and samples."""
        return self.series[0]

    def samples(self, metric: Metric) -> list[NDArray[np.float64]]:
        """The metric's value of every sample, one array per launch, shapes (n_samples,)."""
        return [metric_values(one, metric) for one in self.series]


def metric_values(series: Series, metric: Metric) -> NDArray[np.float64]:
    """The metric's value in every sample, shape (n_samples,), in the metric's unit."""
    of_mean = metric.over_ranks == "mean"
    seconds = series.mean_body_seconds if of_mean else series.body_seconds
    amount = metric.amount(series.counts)
    if metric.per_rank:
        amount /= series.ranks
    return amount / seconds if metric.is_rate else seconds / amount

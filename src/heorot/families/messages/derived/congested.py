"""Slowdown of operations by other traffic: at the median and the tail.

Source: S. Chunduri, T. Groves, P. Mendygral et al., GPCNeT, SC'19.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heorot.analyse.rows import derive
from heorot.analyse.statistics.summary import quantile
from heorot.families.messages.among_all.congestion import CONGESTION, MEDIAN, P99
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result

_ALONE, _CONGESTED = "_alone", "_congested"
# Beyond this percentile there must be at least one sample: else it is the largest sample.
_LEAST_SAMPLES = {MEDIAN: 6, P99: 100}
_QUANTILES = {MEDIAN: 0.5, P99: 0.99}
_N_RESAMPLES = 1000
_TAIL = 0.025


def explain(context: Context) -> list[Result]:
    """Ratios of times with aggressors to times without, one row for each task, case and toolchain.

    The interval is that of a bootstrap over launches and samples of both.
    """
    groups = {
        (one.first.stack, one.first.case, one.first.region): one
        for one in context.groups
        if one.first.benchmark == CONGESTION.name and one.verified == "passed"
    }
    derived: list[Result] = []
    for (stack, case, region), congested in groups.items():
        if not region.endswith(_CONGESTED):
            continue
        alone = groups.get((stack, case, region.removesuffix(_CONGESTED) + _ALONE))
        if alone is None:
            continue
        sources = [
            row
            for name in (region, alone.first.region)
            for row in context.rows.find(CONGESTION.name, name, "latency", stack=stack)
            if row.case == case
        ]
        if not sources:
            continue
        for metric, values in _ratios(congested, alone, context.seed).items():
            derived.append(derive(sources, metric, "1", "lower", values, point=sources[0].point))
    return derived


def _ratios(congested: Group, alone: Group, seed: int) -> dict[str, tuple[float, float, float]]:
    """Ratio with the ends of its interval, for each quantile with enough samples."""
    times = [[one.body_seconds for one in group.series] for group in (congested, alone)]
    fewest = min(sum(one.size for one in launches) for launches in times)
    names = [name for name, least in _LEAST_SAMPLES.items() if fewest >= least]
    if not names:
        return {}
    generator = np.random.default_rng(seed)
    wanted = [_QUANTILES[name] for name in names]
    centre = np.quantile(np.concatenate(times[0]), wanted) / np.quantile(
        np.concatenate(times[1]), wanted
    )
    drawn = np.array(
        [
            np.quantile(_resample(times[0], generator), wanted)
            / np.quantile(_resample(times[1], generator), wanted)
            for _ in range(_N_RESAMPLES)
        ]
    )
    return {
        name: (
            float(centre[i]),
            min(float(centre[i]), quantile(drawn[:, i], _TAIL)),
            max(float(centre[i]), quantile(drawn[:, i], 1.0 - _TAIL)),
        )
        for i, name in enumerate(names)
    }


def _resample(
    launches: list[NDArray[np.float64]], generator: np.random.Generator
) -> NDArray[np.float64]:
    """Launches, then samples within each, drawn with replacement; shape (n,) [s]."""
    chosen = [launches[i] for i in generator.integers(len(launches), size=len(launches))]
    return np.concatenate([one[generator.integers(one.size, size=one.size)] for one in chosen])

"""Arrival times of jobs at a constant rate, or at a rate with a daily cycle.

A Poisson process has independent exponential gaps. The daily cycle is such a process in a time
scaled by the arrival rate of each hour: fast in the afternoon, slow before dawn. Its shape is that
of batch jobs in the model of Lublin and Feitelson: the share of each half hour is the integral of a
gamma density over it, in a 24-hour cycle that begins at 5:30.
Source: U. Lublin, D. G. Feitelson, The workload on parallel supercomputers: modeling the
characteristics of rigid jobs, J. Parallel and Distributed Computing 63 (2003), section on arrivals,
and the program of the authors, lublin99, for parameters and units.
"""

from __future__ import annotations

import numpy as np
import scipy

from heorot.throughput.model.kinds import Arrival, JobsFile
from heorot.throughput.model.timeline import Floats
from heorot.throughput.workload.arrivals import arrivals_at

DAY_SECONDS = 86400.0
N_BUCKETS = 48
BUCKET_SECONDS = DAY_SECONDS / N_BUCKETS
_FIRST_BUCKET = 11
# Shape and scale [half hours] of the gamma distribution of batch jobs over 24 hours.
_SHAPE, _SCALE = 6.1271, 5.2740


def daily_weights() -> Floats:
    """Arrival rate in each half hour from midnight, normalised to mean 1, shape (48,)."""
    number = np.arange(_FIRST_BUCKET, _FIRST_BUCKET + N_BUCKETS)
    below, above = (
        scipy.special.gammainc(_SHAPE, (number + side) / _SCALE) for side in (-0.5, 0.5)
    )
    weights = np.empty(N_BUCKETS)
    weights[(number - 1) % N_BUCKETS] = above - below
    return np.asarray(weights / weights.mean(), dtype=np.float64)


def by_the_clock(units: Floats, weights: Floats | None = None) -> Floats:
    """Times at which the cumulative arrivals reach given amounts [s].

    Args:
        units: cumulative arrivals since midnight, in means of a half hour, ascending, shape (n,).
        weights: rate in each half hour, mean one, shape (48,); by default `daily_weights`.
    """
    each = daily_weights() if weights is None else weights
    total = np.concatenate([[0.0], np.cumsum(each)])
    days = np.floor(units / total[-1])
    rest = units - days * total[-1]
    edges = np.arange(N_BUCKETS + 1) * BUCKET_SECONDS
    moments = days * DAY_SECONDS + np.interp(rest, total, edges)
    return np.asarray(moments, dtype=np.float64)


def _generator(seed: int, number: int) -> np.random.Generator:
    """An independent stream of a seed: gaps must not correlate with sizes or kinds."""
    return np.random.default_rng([seed, number])


def poisson_moments(n_jobs: int, mean_seconds: float, seed: int) -> Floats:
    """Times of a Poisson process, the first after one gap, shape (n_jobs,) [s].

    Args:
        mean_seconds: mean gap between two [s].
    """
    return np.cumsum(_generator(seed, 1).exponential(mean_seconds, n_jobs))


def daily_moments(n_jobs: int, mean_seconds: float, seed: int, start_hour: float = 8.0) -> Floats:
    """Times of a process with a daily cycle, shape (n_jobs,) [s].

    Args:
        mean_seconds: mean gap between two over 24 hours [s].
        start_hour: hour of the clock at which it begins.
    """
    weights = daily_weights()
    total = np.concatenate([[0.0], np.cumsum(weights)])
    start = start_hour % 24.0 * 3600.0
    before = np.interp(start, np.arange(N_BUCKETS + 1) * BUCKET_SECONDS, total)
    gaps = _generator(seed, 1).exponential(mean_seconds / BUCKET_SECONDS, n_jobs)
    moments = by_the_clock(before + np.cumsum(gaps), weights) - start
    return np.maximum.accumulate(np.maximum(moments, 0.0))


def drawn_arrivals(jobs: JobsFile, moments: Floats, seed: int) -> tuple[Arrival, ...]:
    """Jobs of random classes, all equally likely, at given times.

    Args:
        moments: ascending, shape (n,) [s].
    """
    names = sorted(jobs.jobs)
    shares = np.full(len(names), 1.0 / len(names))
    drawn = _generator(seed, 2).choice(len(names), len(moments), p=shares)
    return arrivals_at(moments.tolist(), [names[place] for place in drawn], jobs)

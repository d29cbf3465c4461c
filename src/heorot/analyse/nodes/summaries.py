"""Rows of many groups at once: `summarise` for tens of thousands of groups.

A thousand nodes times sixty programs make far more rows than the rest of a run. All their samples
are in one array, sorted by row and value, so that order statistics are positions in it. The
definitions are those of `statistics.summary`; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from heorot.analyse.results import applies, make_row
from heorot.analyse.statistics.ranks import median_rank
from heorot.analyse.statistics.summary import FloatArray, Summary, launch_intervals
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.metrics import Metric

IntArray: TypeAlias = NDArray[np.int64]

_CONFIDENCE = 0.95
# Samples sorted at a time: 32 MB.
_MOST_SAMPLES = 4_000_000

Wanted: TypeAlias = tuple[Group, Metric, bool]
"""A row to make: group, metric, and whether it is the first of the group's metrics."""


@dataclass(frozen=True)
class NodeRow:
    """A row with the medians of its launches.

    Attributes:
        launches: medians of the launches, shape (n_launches,) [unit of the row].
        is_first: whether it is the first metric of its samples: others are these in other units.
    """

    result: Result
    launches: FloatArray
    is_first: bool


def make_node_rows(
    groups: Sequence[Group], benchmarks: Mapping[str, Benchmark], *, run: str, system: str
) -> list[NodeRow]:
    """The rows of all metrics of all groups, in the order of the groups.

    Args:
        benchmarks: programs by name; groups of other programs have no rows.

    Raises:
        ValueError: for a sample that is NaN or infinite.
    """
    rows: list[NodeRow] = []
    for part in _parts(_wanted(groups, benchmarks)):
        summaries, launches = _summarise(part)
        rows += [
            NodeRow(make_row(group, metric, summary, run, system), medians, is_first)
            for (group, metric, is_first), summary, medians in zip(
                part, summaries, launches, strict=True
            )
        ]
    return rows


def _wanted(groups: Sequence[Group], benchmarks: Mapping[str, Benchmark]) -> Iterator[Wanted]:
    for group in groups:
        benchmark = benchmarks.get(group.first.benchmark)
        is_first = True
        for metric in benchmark.metrics if benchmark else ():
            if applies(metric, group.first):
                yield group, metric, is_first
                is_first = False


def _parts(wanted: Iterator[Wanted]) -> Iterator[list[Wanted]]:
    """Rows in pieces that fit comfortably into memory."""
    part: list[Wanted] = []
    n_samples = 0
    for each in wanted:
        part.append(each)
        n_samples += sum(one.seconds.size for one in each[0].series)
        if n_samples > _MOST_SAMPLES:
            yield part
            part, n_samples = [], 0
    if part:
        yield part


@dataclass(frozen=True)
class _Ordered:
    """Values sorted within segments.

    Attributes:
        values: shape (n_values,), segment behind segment.
        starts: where each begins, shape (n_segments,).
        sizes: how many values each has, shape (n_segments,), at least one.
    """

    values: FloatArray
    starts: IntArray
    sizes: IntArray

    def at(self, places: IntArray) -> FloatArray:
        """The order statistics with these numbers from 0, one of each segment."""
        return np.take(self.values, self.starts + places)

    @property
    def medians(self) -> FloatArray:
        """The medians of the segments."""
        middle: FloatArray = 0.5 * (self.at((self.sizes - 1) // 2) + self.at(self.sizes // 2))
        return middle

    def quantiles(self, q: float) -> FloatArray:
        """Definition 7 of Hyndman and Fan."""
        position = (self.sizes - 1) * q
        below = position.astype(np.int64)
        low, high = self.at(below), self.at(np.minimum(below + 1, self.sizes - 1))
        between: FloatArray = np.minimum(high, low + (position - below) * (high - low))
        return between

    def intervals(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Ends and coverages of the intervals of the medians."""
        known, place = np.unique(self.sizes, return_inverse=True)
        ranks = [median_rank(int(size), _CONFIDENCE) for size in known]
        rank = np.array([each for each, _ in ranks], dtype=np.int64)[place]
        coverage = np.array([each for _, each in ranks])[place]
        return self.at(rank - 1), self.at(self.sizes - rank), coverage


def _order(values: FloatArray, sizes: IntArray) -> _Ordered:
    segments = np.repeat(np.arange(sizes.size), sizes)
    return _Ordered(values[np.lexsort((values, segments))], np.cumsum(sizes) - sizes, sizes)


def _summarise(wanted: Sequence[Wanted]) -> tuple[list[Summary], list[FloatArray]]:
    """Summaries of rows, and the medians of their launches."""
    arrays = [values for group, metric, _ in wanted for values in group.samples(metric)]
    samples = np.concatenate(arrays)
    if not np.isfinite(samples).all():
        raise ValueError("samples must be finite")
    sizes = np.array([array.size for array in arrays], dtype=np.int64)
    n_launches = np.array([len(group.series) for group, _, _ in wanted], dtype=np.int64)
    first = np.cumsum(n_launches) - n_launches
    pooled = _order(samples, np.add.reduceat(sizes, first))
    medians = _order(samples, sizes).medians
    summaries = _columns(pooled, _order(medians, n_launches))
    return [Summary(*fields) for fields in zip(*summaries, strict=True)], list(
        np.split(medians, first[1:])
    )


def _columns(pooled: _Ordered, launches: _Ordered) -> list[list[float]]:
    """The fields of `Summary` in their order, each with a value for every row."""
    low, high, coverage = pooled.intervals()
    for n in np.unique(launches.sizes[launches.sizes > 1]):
        (rows,) = np.nonzero(launches.sizes == n)
        ordered = launches.values[launches.starts[rows][:, None] + np.arange(n)]
        low[rows], high[rows], coverage[rows] = launch_intervals(ordered)
    fields = (
        launches.medians,
        low,
        high,
        pooled.quantiles(0.1),
        pooled.quantiles(0.9),
        pooled.at(np.zeros_like(pooled.sizes)),
        pooled.at(pooled.sizes - 1),
        pooled.sizes,
        launches.sizes,
        coverage,
    )
    return [field.tolist() for field in fields]

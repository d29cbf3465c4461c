"""Finds rows among results, and makes the rows that come from fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Better
from heorot.model.run.records import Scalar

Key = tuple[str, str, str]
# The classes of the NAS Parallel Benchmarks, the smallest first.
CLASSES = "SWABCDEF"


class Rows:
    """Results in their order, found by program, region and metric without a look at all of them.

    Args:
        results: the first rows.
    """

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self._all: list[Result] = []
        self._by_key: dict[Key, list[Result]] = {}
        self.extend(results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._all)

    def extend(self, results: Iterable[Result]) -> None:
        """Add rows behind those that are there."""
        for row in results:
            self._all.append(row)
            self._by_key.setdefault((row.benchmark, row.region, row.metric), []).append(row)

    def find(
        self,
        benchmark: str,
        region: str,
        metric: str,
        *,
        point: Mapping[str, Scalar] | None = None,
        cores: int | None = None,
        toolchain: str | None = None,
    ) -> list[Result]:
        """Trustworthy rows of one metric of one region, in their order.

        Args:
            benchmark: the program.
            region: the region.
            metric: the metric.
            point: coordinates that must agree; others are free.
            cores: cores used, if it matters.
            toolchain: name of the toolchain, if it matters.
        """
        return [
            row
            for row in self._by_key.get((benchmark, region, metric), ())
            if row.ranked
            and (cores is None or row.cores == cores)
            and (toolchain is None or row.toolchain == toolchain)
            and all(row.point.get(name) == value for name, value in (point or {}).items())
        ]


def rates_of_classes(rows: Iterable[Result]) -> Iterator[Result]:
    """The rates of the programs that solve problems of given classes, copies of them left out.

    The first metric of a program counts, as its others are the same samples in other units.

    Args:
        rows: all rows.
    """
    metrics: dict[str, str] = {}
    for row in rows:
        if "class" not in row.point or row.derived or row.is_star or not row.ranked:
            continue
        if row.better == "higher" and metrics.setdefault(row.benchmark, row.metric) == row.metric:
            yield row


def program_name(benchmark: str) -> str:
    """What a program is called in a sentence, such as `NPB BT-MZ` for npb/bt_mz."""
    family, _, name = benchmark.partition("/")
    return f"NPB {name.upper().replace('_', '-')}" if family == "npb" else benchmark


def best(rows: Sequence[Result]) -> Result | None:
    """The best of comparable rows by their median; None of none."""
    if not rows:
        return None
    choose: Callable[..., Result] = max if rows[0].better == "higher" else min
    return choose(rows, key=lambda row: row.median)


def best_on_most_cores(rows: Sequence[Result]) -> Result | None:
    """The best of the rows that used the most cores; None of none."""
    most = max((row.cores for row in rows), default=0)
    return best([row for row in rows if row.cores == most])


def largest(rows: Sequence[Result], coordinate: str) -> Result | None:
    """The row at the largest value of a numeric coordinate; None of none."""
    return max(rows, key=lambda row: float(row.point.get(coordinate, 0)), default=None)


def derive(
    sources: Sequence[Result],
    metric: str,
    unit: str,
    better: Better,
    values: tuple[float, float, float],
    *,
    point: Mapping[str, Scalar],
    share: float | None = None,
) -> Result:
    """A row that a fit yields: it stands as well as the rows it was fitted to.

    Args:
        sources: the rows it rests on, at least one, all of one case.
        metric: name of the quantity.
        unit: its SI unit.
        better: its direction.
        values: centre, lower and upper end of its interval.
        point: its coordinates.
        share: share of its ceiling, if it has one.
    """
    centre, low, high = values
    return sources[0].model_copy(
        update={
            "metric": metric,
            "unit": unit,
            "better": better,
            "median": centre,
            "ci_low": low,
            "ci_high": high,
            "q10": low,
            "q90": high,
            "min": low,
            "max": high,
            "n": len(sources),
            "point": dict(point),
            "derived": True,
            "disturbed": any(row.disturbed for row in sources),
            "share_of_ceiling": share,
            "plausible": None,
        }
    )


def rename(source: Result, metric: str, point: Mapping[str, Scalar], share: float | None) -> Result:
    """A measured row under the name of the quantity it is the answer to."""
    return source.model_copy(
        update={
            "metric": metric,
            "point": dict(point),
            "derived": True,
            "share_of_ceiling": share,
            "plausible": None,
        }
    )

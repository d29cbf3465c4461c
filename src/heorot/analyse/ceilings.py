"""Explains numbers against their ceilings and refuses those that exceed them."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.benchmark import Benchmark, Ceiling
from heorot.model.result import Result

# Two medians of a noisy machine may pass each other by this much without being impossible.
TOLERANCE = 1.05


class CeilingFinder:
    """Finds the measured ceiling of a row.

    Args:
        results: all rows of a run.
        benchmarks: their catalogue records.
    """

    def __init__(self, results: Sequence[Result], benchmarks: Sequence[Benchmark]) -> None:
        self._ceilings = {benchmark.name: benchmark.ceilings for benchmark in benchmarks}
        self._rows: dict[tuple[str, str, str], list[Result]] = {}
        for row in results:
            if row.verified == "passed":
                self._rows.setdefault((row.benchmark, row.region, row.metric), []).append(row)
        self._found: dict[tuple[str, int, str, int], Result | None] = {}

    def rule_for(self, row: Result) -> Ceiling | None:
        """The catalogue's rule for a row, if any."""
        for ceiling in self._ceilings.get(row.benchmark, ()):
            if ceiling.metric == row.metric and (
                not ceiling.regions or row.region in ceiling.regions
            ):
                return ceiling
        return None

    def ceiling_of(self, row: Result) -> tuple[float, Result] | None:
        """The ceiling's value in the row's unit and the row it was measured by."""
        rule = self.rule_for(row)
        if rule is None:
            return None
        measured = self._best(rule, row)
        if measured is None:
            return None
        scale = row.cores / measured.cores if rule.cores == "used" else 1.0
        return measured.median * rule.factor * scale, measured

    def _best(self, rule: Ceiling, row: Result) -> Result | None:
        cores = row.cores if rule.cores == "used" else 1
        key = (row.benchmark, id(rule), row.toolchain, cores)
        if key not in self._found:
            rows = [
                candidate
                for region in rule.by_regions
                for candidate in self._rows.get((rule.by_benchmark, region, rule.by_metric), ())
            ]
            self._found[key] = (
                _highest(rows, row.toolchain, cores)
                or _highest(rows, None, cores)
                or _highest(rows, None, 1)
            )
        return self._found[key]


def _highest(rows: Sequence[Result], toolchain: str | None, cores: int) -> Result | None:
    fitting = [
        row
        for row in rows
        if row.cores == cores and (toolchain is None or row.toolchain == toolchain)
    ]
    return max(fitting, key=lambda row: row.median, default=None)


def apply_ceilings(results: Sequence[Result], benchmarks: Sequence[Benchmark]) -> list[Result]:
    """Give every row its share of the ceiling, and mark the impossible ones.

    A row is implausible if even the low end of its interval lies above the ceiling by more than
    the tolerance: then the counts, the timer or the ceiling is wrong, and that is ours to find.
    """
    finder = CeilingFinder(results, benchmarks)
    judged = []
    for row in results:
        found = finder.ceiling_of(row)
        if found is None:
            judged.append(row)
            continue
        ceiling, _ = found
        update = {
            "share_of_ceiling": row.median / ceiling,
            "plausible": row.ci_low <= TOLERANCE * ceiling,
        }
        judged.append(row.model_copy(update=update))
    return judged

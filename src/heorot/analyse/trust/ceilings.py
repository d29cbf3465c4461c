"""Explains numbers against their ceilings and refuses those that exceed them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark, Ceiling


@dataclass(frozen=True)
class Limit:
    """The ceiling of a row, in the row's unit.

    Attributes:
        rule: the catalogue's rule.
        value: what the row's share is taken of.
        most: what the row cannot exceed; None if the ceiling was measured while something else
            disturbed the machine, because then it is too low to call anything impossible.
    """

    rule: Ceiling
    value: float
    most: float | None


class CeilingFinder:
    """Finds the measured ceiling of a row.

    Args:
        results: all rows of a run; those that are wrong or impossible are no ceilings.
        benchmarks: their catalogue records.
    """

    def __init__(self, results: Iterable[Result], benchmarks: Sequence[Benchmark]) -> None:
        self._rules = {benchmark.name: benchmark.ceilings for benchmark in benchmarks}
        self._rows: dict[tuple[str, str, str], list[Result]] = {}
        for row in results:
            if row.ranked and not row.derived:
                self._rows.setdefault((row.benchmark, row.region, row.metric), []).append(row)
        self._found: dict[tuple[str, str, str, str, int, float], Limit | None] = {}

    def rule_for(self, row: Result) -> Ceiling | None:
        """The catalogue's rule for a row, if any."""
        for rule in self._rules.get(row.benchmark, ()):
            if rule.metric == row.metric and (not rule.regions or row.region in rule.regions):
                return rule
        return None

    def limit_of(self, row: Result) -> Limit | None:
        """The ceiling of a row; None if there is none or it was not measured."""
        rule = self.rule_for(row)
        least = (
            rule.reach[2] * float(row.point.get(rule.reach[0], 0)) if rule and rule.reach else 0.0
        )
        key = (row.benchmark, row.region, row.metric, row.toolchain, row.cores, least)
        if key not in self._found:
            self._found[key] = None if rule is None else self._measure(rule, row, least)
        return self._found[key]

    def _measure(self, rule: Ceiling, row: Result, least: float) -> Limit | None:
        """The best row with as many cores, else the best of one core times the cores.

        Undisturbed rows come before disturbed ones, the same toolchain before others.
        """
        cores = row.cores if rule.cores == "used" else 1
        found = [
            candidate
            for region in rule.by_regions
            for candidate in self._rows.get((rule.by_benchmark, region, rule.by_metric), ())
            if candidate.cores in {1, cores} and _reaches(candidate, rule, least)
        ]
        clean = [candidate for candidate in found if not candidate.disturbed]
        usable = clean or found
        usable = [c for c in usable if c.toolchain == row.toolchain] or usable
        together = [candidate for candidate in usable if candidate.cores == cores]
        if not usable:
            return None
        value = max(_scaled(c, rule, cores, c.median) for c in together or usable)
        # A region that is among its own ceilings cannot vouch for itself.
        witnesses = [c for c in usable if (c.benchmark, c.region) != (row.benchmark, row.region)]
        most = max((_scaled(c, rule, cores, c.ci_high) for c in witnesses), default=None)
        return Limit(rule, value, most if clean else None)


def _reaches(row: Result, rule: Ceiling, least: float) -> bool:
    return rule.reach is None or float(row.point.get(rule.reach[1], 0)) >= least


def _scaled(row: Result, rule: Ceiling, cores: int, value: float) -> float:
    return value * rule.factor * cores / row.cores


def apply_ceilings(results: Sequence[Result], benchmarks: Sequence[Benchmark]) -> list[Result]:
    """Give every row its share of the ceiling, and mark the impossible ones.

    A row is implausible if even the low end of its interval lies above the high end of the
    ceiling's by more than the rule's slack: then the counts, the timer or the ceiling is wrong,
    and that is ours to find. Several cores may exceed what several cores were seen to do, as that
    is easily disturbed, but not what one core does times their number.
    """
    finder = CeilingFinder(results, benchmarks)
    judged = []
    for row in results:
        limit = finder.limit_of(row)
        if limit is None:
            judged.append(row)
            continue
        share = row.median / limit.value
        plausible = None
        if limit.most is not None:
            plausible = row.ci_low <= limit.rule.slack * limit.most
        update = {"share_of_ceiling": share, "plausible": plausible}
        judged.append(row.model_copy(update=update))
    return judged

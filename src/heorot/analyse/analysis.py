"""The whole analysis of a run: rows, explanations, cross-checks, findings, verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heorot.analyse import peak, pingpong, vector_kernels
from heorot.analyse.explain import copies, hybrid, scaling
from heorot.analyse.explain import sizes as classes
from heorot.analyse.explain.phases import attribute, break_down, share_rows
from heorot.analyse.explain.reach import Reach
from heorot.analyse.results import Group, group_series, make_results
from heorot.analyse.rows import Rows, best
from heorot.analyse.trust.ceilings import CeilingFinder, apply_ceilings
from heorot.analyse.trust.cross_checks import cross_check
from heorot.analyse.trust.disturbance import disturbed_steps
from heorot.analyse.trust.findings import find_all
from heorot.analyse.trust.placement import find_misplaced
from heorot.analyse.verdict import make_verdict
from heorot.model.analysis.breakdown import Attribution, Breakdown
from heorot.model.analysis.result import Analysis, Result, Score
from heorot.model.catalogue.benchmark import Benchmark, Headline
from heorot.model.machine.machine import Machine
from heorot.model.run.account import Account
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.model.run.series import Series


def analyse(
    series: Sequence[Series],
    outcomes: Sequence[Outcome],
    steps: Sequence[Step],
    benchmarks: Sequence[Benchmark],
    machine: Machine,
    *,
    run: str,
    seed: int,
    account: Account | None = None,
) -> Analysis:
    """Everything the numbers of a run say.

    Args:
        series: all samples.
        outcomes: how every step ended.
        steps: all steps, repeats included.
        benchmarks: the catalogue's records of the programs.
        machine: where they ran.
        run: name of the run.
        seed: of resampling.
        account: of all steps; None if they were not counted.
    """
    misplaced = find_misplaced(outcomes, steps)
    believed = [replace(one, verified="failed") if one.step in misplaced else one for one in series]
    groups = _in_order(group_series(believed), benchmarks)
    measured = make_results(groups, benchmarks, run=run, system=machine.system)
    # First the peak is held against what any core can do: an impossible one is no ceiling.
    measured, derived = peak.explain(measured, _vector_widths(outcomes, steps))
    rows = Rows(apply_ceilings(measured, benchmarks))
    rows.extend(derived)
    rows.extend(vector_kernels.explain(groups, rows, machine))
    rows.extend(pingpong.explain(groups, rows, seed))
    rows.extend(copies.explain(rows))
    rows.extend(scaling.explain(rows))
    divided = list(break_down(groups))
    for group, _ in divided:
        rows.extend(share_rows(group, run=run, system=machine.system))
    breakdowns = [breakdown for _, breakdown in divided]
    attributions = [
        *attribute(breakdowns, rows),
        *copies.attribute(rows),
        *_scaling(rows, breakdowns, Reach(steps, machine)),
    ]
    checks = cross_check(series, rows)
    findings = find_all(
        rows,
        outcomes,
        steps,
        disturbed_steps(series),
        misplaced,
        checks,
        account=account,
        threads_per_core=machine.node.processor.threads_per_core or 1,
    )
    # Built from values of our own: checking the types of thousands of rows again would dominate.
    return Analysis.model_construct(
        results=tuple(rows),
        scores=tuple(_scores(rows, benchmarks)),
        verdict=tuple(make_verdict(rows, outcomes, findings, checks, attributions)),
        findings=tuple(findings),
        cross_checks=tuple(checks),
        breakdowns=tuple(breakdowns),
        attributions=tuple(attributions),
    )


def _scaling(rows: Rows, breakdowns: Sequence[Breakdown], reach: Reach) -> list[Attribution]:
    """What programs make of more cores, of splits of them, and of larger problems."""
    degradations = {
        (row.benchmark, row.toolchain, str(row.point)): row.median
        for row in rows
        if row.metric == copies.METRIC
    }
    return [
        *scaling.attribute(scaling.find_curves(rows), breakdowns, degradations, reach),
        *hybrid.attribute(hybrid.find_maps(rows)),
        *classes.attribute(rows, breakdowns, reach),
    ]


def _in_order(groups: Sequence[Group], benchmarks: Sequence[Benchmark]) -> list[Group]:
    """Groups in the order of the catalogue: steps ran in a shuffled one."""
    place = {benchmark.name: number for number, benchmark in enumerate(benchmarks)}

    def key(group: Group) -> tuple[int, str, int, str]:
        one = group.first
        return place.get(one.benchmark, len(place)), one.toolchain, one.cores, one.case

    return sorted(groups, key=key)


def _vector_widths(outcomes: Sequence[Outcome], steps: Sequence[Step]) -> dict[str, int]:
    """Vector width by toolchain, as the peak program noted it [B]."""
    toolchains = {step.id: step.toolchain for step in steps if step.benchmark == peak.NAME}
    return {
        toolchains[outcome.step]: int(note.value)
        for outcome in outcomes
        if outcome.step in toolchains
        for note in outcome.notes
        if note.name == "instruction_width_bytes"
    }


def _scores(rows: Rows, benchmarks: Sequence[Benchmark]) -> list[Score]:
    """The headlines; one that could not be measured leaves its place to the next of its label."""
    finder = CeilingFinder(rows, benchmarks)
    scores: dict[str, Score] = {}
    for benchmark in benchmarks:
        for headline in benchmark.headlines:
            row = _pick(rows, benchmark.name, headline)
            if row is not None and headline.label not in scores:
                reason = _reason(finder, row)
                scores[headline.label] = Score(label=headline.label, result=row, ceiling=reason)
    return list(scores.values())


def _pick(rows: Rows, benchmark: str, headline: Headline) -> Result | None:
    every = rows.find(benchmark, headline.region, headline.metric, point=headline.point)
    found = [row for row in every if not row.is_star]
    if headline.pick == "last":
        return found[-1] if found else None
    return best(found)


def _reason(finder: CeilingFinder, row: Result) -> str:
    """What the ceiling of a row is."""
    rule = finder.rule_for(row)
    if row.share_of_ceiling is None:
        return ""
    explained = {peak.NAME: peak.REASON, vector_kernels.NAME: vector_kernels.REASON}
    return rule.reason if rule else explained.get(row.benchmark, "")

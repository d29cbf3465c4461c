"""The whole analysis of a run: rows, explanations, cross-checks, findings, verdict."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse import peak, pingpong, vector_kernels
from heorot.analyse.ceilings import CeilingFinder, apply_ceilings
from heorot.analyse.cross_checks import cross_check
from heorot.analyse.disturbance import disturbed_steps
from heorot.analyse.findings import find_all
from heorot.analyse.results import group_series, make_results
from heorot.analyse.rows import best, find
from heorot.analyse.verdict import make_verdict
from heorot.model.benchmark import Benchmark
from heorot.model.machine import Machine
from heorot.model.outcome import Outcome
from heorot.model.plan import Step
from heorot.model.result import Analysis, Result, Score
from heorot.model.series import Series


def analyse(
    series: Sequence[Series],
    outcomes: Sequence[Outcome],
    steps: Sequence[Step],
    benchmarks: Sequence[Benchmark],
    machine: Machine,
    *,
    run: str,
    seed: int,
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
    """
    groups = group_series(series)
    rows = make_results(groups, benchmarks, run=run, system=machine.system)
    rows = apply_ceilings(rows, benchmarks)
    rows, derived = peak.explain(rows, _vector_widths(outcomes, steps))
    derived += vector_kernels.explain(groups, rows, machine)
    derived += pingpong.explain(groups, rows, seed)
    results = rows + derived
    checks = cross_check(series, results)
    disturbed = disturbed_steps(tuple(series))
    findings = find_all(results, outcomes, steps, disturbed, checks)
    return Analysis.model_construct(
        results=tuple(results),
        scores=tuple(_scores(results, benchmarks)),
        verdict=tuple(make_verdict(results, outcomes, findings)),
        findings=tuple(findings),
        cross_checks=tuple(checks),
    )


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


def _scores(results: Sequence[Result], benchmarks: Sequence[Benchmark]) -> list[Score]:
    finder = CeilingFinder(results, benchmarks)
    scores = []
    for benchmark in benchmarks:
        for headline in benchmark.headlines:
            rows = find(
                results, benchmark.name, headline.region, headline.metric, point=headline.point
            )
            row: Result | None = rows[-1] if rows and headline.pick == "last" else best(rows)
            if row is not None:
                rule = finder.rule_for(row)
                scores.append(
                    Score(label=headline.label, result=row, ceiling=rule.reason if rule else "")
                )
    return scores

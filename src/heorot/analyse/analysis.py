"""The whole analysis of a run: rows, explanations, cross-checks, findings, verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from heorot.analyse.explain import copies, hybrid, scaling, sizes
from heorot.analyse.explain.phases import attribute, break_down, share_rows
from heorot.analyse.explain.reach import Reach
from heorot.analyse.results import group_series, make_results
from heorot.analyse.scores import make_scores
from heorot.analyse.trust.ceilings import apply_ceilings, refuse_impossible
from heorot.analyse.trust.cross_checks import cross_check
from heorot.analyse.trust.disturbance import account, disturbed_steps
from heorot.analyse.trust.doubts import doubt_ceilings
from heorot.analyse.trust.findings import find_all
from heorot.analyse.trust.placement import find_misplaced
from heorot.analyse.verdict import Evidence, make_verdict
from heorot.model.analysis.breakdown import Attribution, Breakdown
from heorot.model.analysis.context import Context, References
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Analysis, CrossCheck, Sentence
from heorot.model.analysis.rows import Rows
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.family import Family
from heorot.model.machine.machine import Machine
from heorot.model.run.collected import Collected
from heorot.model.run.plan import Step


def analyse(
    collected: Collected,
    steps: Sequence[Step],
    families: Sequence[Family],
    machine: Machine,
    *,
    run: str,
    seed: int,
) -> Analysis:
    """Everything the numbers of a run say.

    Args:
        collected: all samples, and how every step ended.
        steps: all steps, repeats included.
        families: what is known of the programs, publishers of references first.
        machine: where they ran.
        run: name of the run.
        seed: of resampling.
    """
    series, outcomes = collected.series, collected.outcomes
    misplaced = find_misplaced(outcomes, steps)
    believed = [replace(one, verified="failed") if one.step in misplaced else one for one in series]
    benchmarks = {one.name: one for family in families for one in family.benchmarks}
    groups = _in_order(group_series(believed), benchmarks)
    rows = Rows(make_results(groups, benchmarks, run=run, system=machine.system))
    context = Context(
        groups=groups,
        rows=rows,
        machine=machine,
        steps=steps,
        outcomes=outcomes,
        seed=seed,
        references=References(benchmarks.values(), rows),
        benchmarks=benchmarks,
    )
    breakdowns = _explain(context, families, run)
    attributions = _attribute(context, breakdowns)
    checks = cross_check(context, series, families)
    evidence = _gather(context, collected, misplaced, checks, attributions)
    verdict, sentences = make_verdict(_say(context, families), evidence)
    # Built from values of our own: checking the types of thousands of rows again would dominate.
    return Analysis.model_construct(
        results=tuple(rows),
        scores=tuple(make_scores(context)),
        verdict=tuple(verdict),
        sentences=tuple(sentences),
        findings=tuple(evidence.findings),
        cross_checks=tuple(checks),
        breakdowns=tuple(breakdowns),
        attributions=tuple(attributions),
        disturbances=evidence.disturbances,
    )


def _gather(
    context: Context,
    collected: Collected,
    misplaced: Mapping[str, str],
    checks: Sequence[CrossCheck],
    attributions: Sequence[Attribution],
) -> Evidence:
    """What speaks for and against the run: its disturbances, doubts and findings."""
    disturbed = disturbed_steps(collected.series)
    sampled = {one.step for one in collected.series}
    measured = [step for step in context.steps if step.id in sampled]
    disturbances = account(measured, disturbed, context.rows)
    doubts = doubt_ceilings(context)
    findings = find_all(
        context.rows,
        context.outcomes,
        context.steps,
        disturbed,
        misplaced,
        checks,
        account=collected.account,
        disturbances=disturbances,
        doubts=doubts,
        threads_per_core=context.machine.node.processor.threads_per_core or 1,
    )
    return Evidence(collected, findings, checks, disturbances, attributions, doubts)


def _explain(context: Context, families: Sequence[Family], run: str) -> list[Breakdown]:
    """Judge the measured rows and add what follows from them; where the time of bodies goes.

    What is impossible comes first, so that it is no ceiling of others.
    """
    rows = context.rows
    rows.replace(refuse_impossible(context))
    for family in families:
        rows.replace(family.judge(context))
    rows.replace(apply_ceilings(context))
    for family in families:
        rows.extend(family.explain(context))
    rows.extend(copies.explain(context))
    rows.extend(scaling.explain(context))
    divided = list(break_down(context.groups))
    for group, _ in divided:
        rows.extend(share_rows(group, run=run, system=context.machine.system))
    return [breakdown for _, breakdown in divided]


def _attribute(context: Context, breakdowns: Sequence[Breakdown]) -> list[Attribution]:
    """What programs lose their time to, and what they make of more cores and larger problems."""
    degradations = {
        (row.benchmark, row.toolchain, str(row.point)): row.median
        for row in context.rows
        if row.metric == copies.METRIC
    }
    reach = Reach(context.steps, context.machine)
    return [
        *attribute(context, breakdowns),
        *copies.attribute(context),
        *scaling.attribute(context, breakdowns, degradations, reach),
        *hybrid.attribute(context),
        *sizes.attribute(context, breakdowns, reach),
    ]


def _say(context: Context, families: Sequence[Family]) -> list[Sentence]:
    """The sentences of all families, each with its name."""
    return [
        sentence.model_copy(update={"family": family.name})
        for family in families
        for sentence in family.sentences(context)
    ]


def _in_order(groups: Sequence[Group], benchmarks: Mapping[str, Benchmark]) -> list[Group]:
    """Groups in the order of the catalogue: steps ran in a shuffled one."""
    place = {name: number for number, name in enumerate(benchmarks)}

    def key(group: Group) -> tuple[int, str, int, str]:
        one = group.first
        return place.get(one.benchmark, len(place)), one.toolchain, one.cores, one.case

    return sorted(groups, key=key)

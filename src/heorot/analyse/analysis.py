"""The whole analysis of a run: rows, explanations, cross-checks, findings, verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

from heorot.analyse.core_kinds.findings import find_kinds
from heorot.analyse.core_kinds.separate import find_foreign, rows_of_kinds, split_kinds
from heorot.analyse.explain import copies, hybrid, scaling, sizes, system_share
from heorot.analyse.explain.counters import power_sentences
from heorot.analyse.explain.phases import attribute
from heorot.analyse.explain.ranks import stragglers
from heorot.analyse.explain.reach import Reach
from heorot.analyse.explain.spread import sentences
from heorot.analyse.node_roofline import sentences as node_sentences
from heorot.analyse.nodes.analysis import analyse_nodes
from heorot.analyse.nodes.networks import analyse_networks, find_elsewhere
from heorot.analyse.nodes.sentences import make_node_findings, make_node_sentences
from heorot.analyse.nodes.summaries import NodeRow, make_node_rows
from heorot.analyse.questions.answers import answer_questions
from heorot.analyse.results import group_series, in_order, make_results, split_nodes
from heorot.analyse.rows import remark_small
from heorot.analyse.scores import make_scores
from heorot.analyse.stages import Explained, explain
from heorot.analyse.toolchains import libraries
from heorot.analyse.toolchains.analysis import Measured, analyse_toolchains
from heorot.analyse.toolchains.sentences import make_toolchain_sentences
from heorot.analyse.validity.availability import availability_rows
from heorot.analyse.validity.cross_checks import cross_check
from heorot.analyse.validity.disturbance import account, disturbed_steps
from heorot.analyse.validity.findings import find_all
from heorot.analyse.validity.line_rates import inside_nodes
from heorot.analyse.validity.lost_jobs import lost_with_jobs
from heorot.analyse.validity.placement import find_misplaced, find_mixed
from heorot.analyse.validity.start_skew import find_late_starts, judge_start_skew
from heorot.analyse.validity.suspect_bounds import find_suspect_bounds, withhold
from heorot.analyse.verdict import Evidence, make_verdict
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Analysis, CrossCheck, Finding, Sentence, Severity
from heorot.model.analysis.rows import Rows
from heorot.model.analysis.studies.answers import Answer
from heorot.model.analysis.studies.nodes import NodeStudy
from heorot.model.analysis.studies.toolchains import ToolchainStudy
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.family import Family
from heorot.model.machine.machine import Machine
from heorot.model.machine.nodes import QuotedNetwork
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.collected import Collected
from heorot.model.run.experiment import Experiment, Question
from heorot.model.run.plan import SkippedCase, Step
from heorot.model.run.series import Series

# Weights of the answers that the verdict may have; a second network weighs less.
_WEIGHTS: Mapping[Question, float] = {
    "spread": 0.75,
    "networks": 0.7,
    "cores": 0.65,
    "nodes": 0.65,
}
_OTHERS = 0.6


def analyse(
    collected: Collected,
    steps: Sequence[Step],
    families: Sequence[Family],
    machine: Machine,
    *,
    run: str,
    seed: int,
    further: Sequence[Finding] = (),
    networks: Sequence[QuotedNetwork] = (),
    toolchains: Sequence[Toolchain] = (),
    skipped: Sequence[SkippedCase] = (),
    experiments: Sequence[Experiment] = (),
) -> Analysis:
    """The analysis of a run from its numbers.

    Args:
        families: of the programs, publishers of references first.
        further: findings that rest on no number of the run, such as nodes that differ.
        networks: those of the site; if it names none, the interfaces that carried bytes.
        toolchains: those of the run; the first one is the baseline.
        experiments: the questions of the plan; none in runs of earlier versions.
    """
    series, outcomes = collected.series, collected.outcomes
    misplaced, counted = _trusted(collected, steps, machine)
    benchmarks = {one.name: one for family in families for one in family.benchmarks}
    ordinary, of_nodes = split_nodes(counted)
    groups, of_kind = split_kinds(in_order(group_series(ordinary), benchmarks))
    rows = Rows(make_results(groups, benchmarks, run=run, system=machine.system))
    context = Context(groups, rows, machine, steps, outcomes, seed, benchmarks)
    node_rows = _node_rows(of_nodes, benchmarks, run, machine.system)
    apart, nodes = rows_of_kinds(of_kind, context, families, run), analyse_nodes(node_rows, machine)
    explained = explain(context, families, run, experiments)
    context, depth, breakdowns = explained.context, explained.depth, explained.breakdowns
    attributions = _attribute(explained)
    checks = cross_check(context, series, families)
    evidence_parts = (checks, attributions, node_rows, nodes)
    context, evidence = _gather(context, collected, misplaced, *evidence_parts)
    measured, starts = analyse_networks(context, series, networks), judge_start_skew(series)
    amiss = [*find_kinds(context, apart), *find_elsewhere(measured), *find_late_starts(starts)]
    evidence = _complete(evidence, context, families, [*amiss, *further])
    chains = _compare_toolchains(context, toolchains, counted, skipped)
    answers = answer_questions(context, experiments, breakdowns)
    claim = _all_sentences(context, families, explained, nodes, node_rows, chains, answers)
    verdict, sentences = make_verdict(claim, evidence)
    # Built from values of this package: validating thousands of rows again would dominate.
    return Analysis.model_construct(
        results=(*context.rows, *apart, *(row.result for row in node_rows)),
        scores=tuple(make_scores(context, depth)),
        verdict=tuple(verdict),
        sentences=tuple(sentences),
        findings=tuple(evidence.findings),
        cross_checks=tuple(checks),
        breakdowns=breakdowns,
        attributions=tuple(attributions),
        disturbances=evidence.disturbances,
        depth=depth,
        nodes=nodes,
        networks=measured,
        toolchains=chains,
        starts=tuple(starts),
        answers=answers,
    )


def _trusted(
    collected: Collected, steps: Sequence[Step], machine: Machine
) -> tuple[dict[str, Claim], list[Series]]:
    """Why steps were misplaced, by step; and all series, those of such steps as failed."""
    outcomes = collected.outcomes
    misplaced = find_misplaced(outcomes, steps) | find_foreign(outcomes, steps, machine)
    return misplaced, [
        replace(one, verified="failed") if one.step in misplaced else one
        for one in collected.series
    ]


def _node_rows(
    series: Sequence[Series], benchmarks: Mapping[str, Benchmark], run: str, system: str
) -> list[NodeRow]:
    """Rates of single nodes and pairs, and how far nodes had their cores."""
    groups = in_order(group_series(series), benchmarks)
    rows = make_node_rows(groups, benchmarks, run=run, system=system)
    return [*rows, *availability_rows(series, run=run, system=system)]


def _compare_toolchains(
    context: Context,
    toolchains: Sequence[Toolchain],
    series: Sequence[Series],
    skipped: Sequence[SkippedCase],
) -> ToolchainStudy | None:
    """All toolchains compared with the first one; None if there are no others."""
    benchmarks = tuple(context.benchmarks.values())
    known = (context.steps, context.outcomes, series, [*context.rows], skipped)
    return analyse_toolchains(Measured(toolchains, benchmarks, *known))


def _complete(
    evidence: Evidence, context: Context, families: Sequence[Family], further: Sequence[Finding]
) -> Evidence:
    """The evidence with the anomalies that families find, and all other findings."""
    amiss = [one for family in families for find in family.analysis().find for one in find(context)]
    findings = [*evidence.findings, *amiss, *further]
    findings.sort(key=lambda finding: get_args(Severity).index(finding.severity))
    return replace(evidence, findings=findings)


def _gather(
    context: Context,
    collected: Collected,
    misplaced: Mapping[str, Claim],
    checks: Sequence[CrossCheck],
    attributions: Sequence[Attribution],
    node_rows: Sequence[NodeRow],
    nodes: NodeStudy | None,
) -> tuple[Context, Evidence]:
    """Evidence for and against the run, and the run without shares above all of a bound."""
    # A bound is questioned before shares far above it are withheld.
    suspects = find_suspect_bounds(context, inside_nodes(context))
    rows, passing = withhold(context.rows)
    context = replace(context, rows=rows)
    disturbed = disturbed_steps(collected.series)
    sampled = {one.step for one in collected.series}
    measured = [step for step in context.steps if step.id in sampled]
    every = (*context.rows, *(row.result for row in node_rows))
    disturbances = account(measured, disturbed, every)
    findings = find_all(
        context.rows,
        context.outcomes,
        context.steps,
        disturbed,
        misplaced,
        checks,
        account=collected.account,
        disturbances=disturbances,
        suspects=suspects,
        passing=passing,
        reported=lost_with_jobs(collected.jobs),
        count_cores=context.machine.node.count_cores,
    )
    findings += system_share.find_system(context)
    findings += find_mixed(context.outcomes, context.steps, context.machine)
    findings += make_node_findings(nodes, context) if nodes else []
    repeats = sum(step.attempt > 1 for step in context.steps)
    evidence = Evidence(collected, findings, checks, disturbances, attributions, suspects, repeats)
    return context, evidence


def _attribute(explained: Explained) -> list[Attribution]:
    """The losses of programs, and their rates for larger problems."""
    context, breakdowns, depth = explained.context, explained.breakdowns, explained.depth
    reach = Reach(context.steps, context.machine)
    found = [
        *attribute(context, breakdowns),
        *node_sentences.attribute(context, depth),
        *copies.attribute(context, depth.contentions),
        *stragglers.attribute(context, explained.lagging),
        *system_share.attribute(context),
        *scaling.attribute(context),
        *hybrid.attribute(context),
        *sizes.attribute(context, breakdowns, reach),
    ]
    return remark_small(context, found)


def _all_sentences(
    context: Context,
    families: Sequence[Family],
    explained: Explained,
    nodes: NodeStudy | None,
    node_rows: Sequence[NodeRow],
    chains: ToolchainStudy | None,
    answers: Sequence[Answer],
) -> list[Sentence]:
    """All sentences, the answers to the questions of the plan among them."""
    return [
        *_family_sentences(context, families),
        *(make_node_sentences(nodes, node_rows, context) if nodes else ()),
        *node_sentences.make_sentences(context, explained.depth),
        *power_sentences(context),
        *make_toolchain_sentences(chains),
        *(
            Sentence.of(each, weight=_weight(answer, each) * (_OTHERS if n else 1.0))
            for answer in answers
            for n, each in enumerate(answer.sentences)
        ),
    ]


def _weight(answer: Answer, claim: Claim) -> float:
    """The weight of an answer in the verdict.

    Zero for scaling if no program lacks efficiency, or some are too small to judge.
    """
    lines = [line for line in answer.lines if line.efficiency]
    if lines and (claim.values.get("n_small") or not any(line.needs_cause for line in lines)):
        return 0.0
    return _WEIGHTS.get(answer.question, 0.0)


def _family_sentences(context: Context, families: Sequence[Family]) -> list[Sentence]:
    """The sentences of all families, and those about their placement, each with its name."""
    placed = sentences.sentences(context)
    return [
        sentence.model_copy(update={"family": family.name})
        for family in families
        for sentence in (
            *libraries.sentences(context, family.benchmarks),
            *(one for make in family.analysis().sentences for one in make(context)),
            *(one for one in placed if one.family == family.name),
        )
    ]

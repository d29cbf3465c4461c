"""Concludes runs and reopens them: collect -> store -> analyse -> report."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from heorot.analyse.analysis import analyse
from heorot.analyse.nodes.differences import find_below_quoted, find_different
from heorot.analyse.nodes.networks import interfaces_seen
from heorot.analyse.validity.costs import cost_jobs, cost_rows
from heorot.analyse.validity.disturbance import disturbed_steps
from heorot.analyse.validity.lost_jobs import find_lost_jobs
from heorot.build.sources import native_directory
from heorot.catalogue.header import read_header
from heorot.collect.collect import collect
from heorot.machine.description.table import summary_rows
from heorot.machine.nodes.node_differences import differences
from heorot.machine.nodes.stated_networks import compare_networks
from heorot.model.analysis.result import Finding, Result
from heorot.model.catalogue.benchmark import Benchmark, Header
from heorot.model.evaluation import Evaluation
from heorot.model.machine.machine import Machine
from heorot.model.machine.nodes import NodeCopy, QuotedNetwork
from heorot.model.machine.site import SiteNetwork
from heorot.model.recipe import Recipe
from heorot.model.run.collected import Collected
from heorot.model.run.series import Series
from heorot.recipes.catalogue import header_of
from heorot.session.cluster.described import node_copies
from heorot.session.external_programs.chosen import families_with, recipes_of
from heorot.session.external_programs.launches import reader
from heorot.session.verification.disagreements import (
    Disagreements,
    conclude_digests,
    find_disagreements,
    refuse_whole,
)
from heorot.session.verification.reported import PAGES
from heorot.store.atomic import explaining
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest


@dataclass(frozen=True)
class Ended:
    """An analysed run.

    Attributes:
        code: exit code: 0 all well, 1 a case failed, a result is impossible, or files of the run
            contradict each other.
    """

    evaluation: Evaluation
    directory: Path
    code: int
    series: tuple[Series, ...] = ()


def conclude(directory: RunDirectory, *, keep: bool = True) -> Ended:
    """Collect all steps of an ended run, store, analyse, report.

    Args:
        keep: whether the run stays; of another one neither results nor a report are written.
    """
    collected = collect_again(directory)
    directory.write_facts(directory.facts().model_copy(update={"ended": time.time()}))
    if not keep:
        return recompute(directory, collected)
    # Both load the database, which a run that is removed does not need.
    from heorot.store.results import write_results  # noqa: PLC0415
    from heorot.store.samples import write_samples  # noqa: PLC0415

    write_samples(directory.samples_file, collected.series)
    ended = recompute(directory, collected)
    write_results(directory.results_file, ended.evaluation.table)
    directory.write_claims(ended.evaluation.analysis)
    conclude_digests(directory, ended.evaluation.steps)
    write_report(ended, None)
    return ended


def reopen(path: Path) -> Ended:
    """Analyse a run again from its records, with a list of its disagreements.

    Raises:
        RunError: it is no run, has not ended, or is damaged.
    """
    directory = RunDirectory.open(path)
    collected = collect_again(directory)
    return _with_disagreements(
        directory, collected, find_disagreements(directory, collected.series)
    )


def reopen_agreeing(path: Path) -> Ended:
    """Analyse the part of a run that agrees with its digests and its stored samples.

    Raises:
        RunError: it is no run, has not ended, is damaged, or does not agree as a whole.
    """
    directory = RunDirectory.open(path)
    collected = collect_again(directory)
    disagreements = find_disagreements(directory, collected.series)
    refuse_whole(directory, disagreements)
    series = (one for one in collected.series if one.setup not in disagreements.cases)
    disagreements = replace(disagreements, lines=(*disagreements.lines, *disagreements.left_out))
    ended = _with_disagreements(directory, replace(collected, series=tuple(series)), disagreements)
    known = ended.evaluation
    left = {step.id: step for step in known.steps if step.setup not in disagreements.cases}
    evaluation = replace(
        known,
        steps=tuple(left.values()),
        outcomes=tuple(each for each in known.outcomes if each.step in left),
        jobs=tuple(each for each in known.jobs if each.id not in disagreements.jobs),
    )
    return replace(ended, evaluation=replace(evaluation, costs=_costs(evaluation)))


def _costs(evaluation: Evaluation) -> tuple[Result, ...]:
    """Costs of the launches and jobs of an evaluation, as rows."""
    name, system = evaluation.facts.name, evaluation.machine.system
    jobs, outcomes, steps = evaluation.jobs, evaluation.outcomes, evaluation.steps
    return tuple(cost_rows(jobs, outcomes, steps, name, system))


def _with_disagreements(
    directory: RunDirectory, collected: Collected, disagreements: Disagreements
) -> Ended:
    ended = recompute(directory, collected)
    evaluation = replace(ended.evaluation, disagreements=disagreements.lines)
    return replace(ended, evaluation=evaluation, code=ended.code if disagreements.agrees else 1)


def recompute(directory: RunDirectory, collected: Collected) -> Ended:
    """Analyse collected data of a run."""
    facts, plan, machine = directory.facts(), directory.plan(), directory.machine()
    steps = directory.all_steps()
    names, recipes = {step.benchmark for step in steps}, recipes_of(directory)
    families = families_with(recipes)
    known = (one for family in families for one in family.benchmarks)
    benchmarks = tuple(one for one in known if one.name in names)
    copies = node_copies(directory)
    networks = _networks(collected, machine, copies)
    analysis = analyse(
        collected,
        steps,
        families,
        machine,
        run=facts.name,
        seed=plan.seed,
        further=[*_about_jobs(directory, collected), *_about_nodes(machine, copies, networks)],
        networks=networks,
        toolchains=facts.toolchains,
        skipped=plan.skipped,
        experiments=plan.experiments,
    )
    evaluation = Evaluation(
        facts=facts,
        machine=machine,
        plan=plan,
        steps=steps,
        outcomes=collected.outcomes,
        account=collected.account,
        disturbed=disturbed_steps(collected.series),
        analysis=analysis,
        families=families,
        benchmarks=benchmarks,
        headers=_headers(benchmarks, recipes),
        dropped=directory.dropped(),
        jobs=collected.jobs,
        job_costs=cost_jobs(collected.jobs, collected.outcomes, steps),
    )
    evaluation = replace(evaluation, costs=_costs(evaluation))
    code = 1 if _has_failed(evaluation) else 0
    return Ended(evaluation, directory.path, code, collected.series)


def _headers(benchmarks: Sequence[Benchmark], recipes: Sequence[Recipe]) -> dict[str, Header]:
    """Header comments of the sources of programs, and the same from recipes."""
    native = native_directory()
    headers = {each.benchmark: header_of(each) for each in recipes}
    return {one.name: headers.get(one.name) or read_header(native, one.name) for one in benchmarks}


def _has_failed(evaluation: Evaluation) -> bool:
    """Whether a case failed or a result is impossible."""
    return (
        evaluation.account.troubled > 0
        or not evaluation.account.balanced
        or any(row.plausible is False for row in evaluation.analysis.results)
        or any(case.failed for case in evaluation.plan.skipped)
    )


def _about_jobs(directory: RunDirectory, collected: Collected) -> list[Finding]:
    """Jobs that did not end well."""
    resume = suggest("evaluate", "--resume", directory.path)
    return find_lost_jobs(collected.jobs, directory.all_steps(), resume)


def _networks(
    collected: Collected, machine: Machine, copies: Sequence[NodeCopy]
) -> tuple[QuotedNetwork, ...]:
    """The site's networks with the negotiated link speeds; else the interfaces in use."""
    nodes = [copy.node for copy in copies] or machine.nodes
    seen = (SiteNetwork(name=each, interface=each) for each in interfaces_seen(collected.outcomes))
    return compare_networks(machine.networks or seen, nodes)


def _about_nodes(
    machine: Machine, copies: Sequence[NodeCopy], networks: Sequence[QuotedNetwork]
) -> list[Finding]:
    """Nodes that differ from the others, and networks that are slower than quoted."""
    known = copies and machine.networks
    return [*find_different(differences(copies)), *(find_below_quoted(networks) if known else ())]


def write_report(ended: Ended, out: Path | None, *, summary: bool = False) -> Path:
    """Write the report of an analysed run; returns its path.

    Args:
        summary: whether to write only its first page.

    Raises:
        SetupError: the file cannot be written.
    """
    # Slow to load, and a single program has no page.
    from heorot.report.page import write_report as write_page  # noqa: PLC0415
    from heorot.report.page import write_summary  # noqa: PLC0415
    from heorot.session.verification.peers import find_peers  # noqa: PLC0415

    evaluation = replace(ended.evaluation, peers=find_peers(ended.directory, ended.evaluation))
    path = out or ended.directory / PAGES[summary]
    with explaining(path):
        if summary:
            write_summary(evaluation, path, report=None if out else PAGES[False])
        else:
            write_page(evaluation, path, machine_rows=summary_rows(evaluation.machine))
    return path


def collect_again(directory: RunDirectory) -> Collected:
    """Read the output of programs and job scripts of a run again, without stored results."""
    read = reader(recipes_of(directory))
    asked = {
        directory.job(number).name: [step.id for step in directory.steps(number)]
        for number in directory.job_numbers()
    }
    return collect(directory.all_steps(), directory.jobs, read, asked)

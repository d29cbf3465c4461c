"""The request of a run, its state, what it covers, and what is not covered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from heorot.model.catalogue.family import Family
from heorot.model.evaluation import Evaluation
from heorot.model.machine.machine import Node
from heorot.model.run.plan import word_reasons
from heorot.report.sections.steps import find_skipped
from heorot.report.wording import count, group_digits
from heorot.units import format_binary, format_duration

_MOST_NAMED = 6


@dataclass(frozen=True)
class Scope:
    """What a run covers.

    Attributes:
        nodes: every kind of node in a line, with how many there are.
        ran: families with the number of their programs that ran, and whether they yielded nothing.
        absent: families of which none ran, each with the reason.
    """

    nodes: tuple[str, ...]
    used: str
    ran: tuple[tuple[str, str], ...]
    absent: tuple[tuple[str, str], ...]
    silent: tuple[str, ...]


def scope_of(evaluation: Evaluation) -> Scope:
    """What a run covers, and what it does not."""
    yielding = {row.benchmark for row in evaluation.analysis.results}
    ran, absent = [], []
    for family in evaluation.families:
        names = {one.name for one in family.benchmarks}
        if names & evaluation.programs_run:
            n_programs = len(names & evaluation.programs_run)
            of_all = f"{n_programs} of {count(len(names), 'program')}"
            ran.append((family.title, of_all if names & yielding else f"{of_all}, no result"))
        else:
            absent.append((family.title, _why_absent(family, evaluation)))
    return Scope(
        nodes=tuple(map(_word_nodes, evaluation.machine.nodes)),
        used=_word_used(evaluation),
        ran=tuple(ran),
        absent=tuple(absent),
        silent=tuple(_silent(evaluation, yielding)),
    )


def _word_nodes(node: Node) -> str:
    """Such as `4 nodes: EPYC 9654, 192 cores, 768 GiB`."""
    processor = node.processor
    parts = [processor.model or processor.microarchitecture or processor.isa]
    if processor.n_cores:
        parts.append(count(processor.n_cores, "core"))
    if node.memory.total_bytes:
        parts.append(format_binary(node.memory.total_bytes))
    return f"{count(len(node.names), 'node')}: {', '.join(parts)}"


def _word_used(evaluation: Evaluation) -> str:
    rows = evaluation.analysis.results
    nodes = max((row.nodes for row in rows), default=0)
    cores = max((row.cores for row in rows), default=0)
    chains = len({row.stack for row in rows})
    if not rows:
        return "no program yielded a result"
    return (
        f"up to {count(nodes, 'node')} and {count(cores, 'core')} at a time, "
        f"{count(chains, 'toolchain')}"
    )


def _why_absent(family: Family, evaluation: Evaluation) -> str:
    names = {benchmark.name for benchmark in family.benchmarks}
    if names & {step.benchmark for step in evaluation.steps}:
        return "planned, but never ran"
    skipped = [case for case in evaluation.plan.skipped if case.benchmark in names]
    if skipped:
        return f"left out: {word_reasons(skipped)}"
    return "not asked for"


def _silent(evaluation: Evaluation, yielding: set[str]) -> Iterable[str]:
    """What no number of the run is about."""
    for family in evaluation.families:
        missing = [one for one in family.benchmarks if one.name not in yielding]
        if len(missing) == len(family.benchmarks):
            yield family.about
        elif missing:
            yield f"{_join(one.display_name for one in missing)} ({family.title})"
    rows = evaluation.analysis.results
    if rows and max(row.nodes for row in rows) == 1:
        yield "anything between nodes: every program ran inside one"
    n_nodes = sum(len(node.names) for node in evaluation.machine.nodes)
    held = evaluation.analysis.nodes is not None
    if rows and not held and n_nodes > max(row.nodes for row in rows):
        yield f"differences among the {n_nodes} nodes, of which no program used all at once"


def _join(words: Iterable[str]) -> str:
    """The first few of a list, and how many more there are."""
    listed = list(words)
    text = ", ".join(listed[:_MOST_NAMED])
    return f"{text} and {len(listed) - _MOST_NAMED} more" if len(listed) > _MOST_NAMED else text


def state_words(evaluation: Evaluation) -> list[tuple[str, str]]:
    """The line of state under the title: text and tone."""
    results, counts = evaluation.analysis.results, evaluation.counts
    withheld = sum(not row.ranked for row in results)
    disturbances = evaluation.analysis.disturbances
    failed = evaluation.account.troubled
    findings = len(evaluation.analysis.findings)
    worst = any(each.severity == "error" for each in evaluation.analysis.findings)
    left_out = len(find_skipped(evaluation))
    words = [(counts.results, "good" if counts.measured else "bad")]
    words += [(f"{group_digits(withheld)} withheld", "bad")] if withheld else []
    words.append((counts.verification, "good" if counts.all_passed else "bad"))
    words.append((count(findings, "finding"), "bad" if worst else "warn" if findings else "good"))
    words.append((disturbances.text, "good" if disturbances.none else "warn"))
    words.append((f"{counts.runs}, {failed or 'none'} failed", "bad" if failed else "good"))
    words.append((counts.programs, "muted"))
    words += [(f"{count(left_out, 'case')} left out", "muted")] if left_out else []
    return words


def question_asked(evaluation: Evaluation) -> str:
    """What was asked of the run, in a sentence."""
    plan = evaluation.plan
    budget = f", within {format_duration(plan.budget_seconds)}" if plan.budget_seconds else ""
    n_programs = count(len(evaluation.benchmarks), "program")
    n_toolchains = count(len(evaluation.facts.toolchains), "toolchain")
    return (
        f"Profile {evaluation.facts.request.profile}: {n_programs} in {evaluation.counts.runs} "
        f"with {n_toolchains}{budget}."
    )

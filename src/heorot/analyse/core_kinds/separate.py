"""Keeps core types apart: each has its own rates and its own bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from heorot.analyse.results import make_results
from heorot.analyse.stages import judge_by_families
from heorot.analyse.templates.validity import OTHER_KIND
from heorot.analyse.validity.ceilings import apply_ceilings, refuse_impossible
from heorot.analyse.validity.suspect_bounds import withhold
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.analysis.rows import Rows
from heorot.model.catalogue.family import Family
from heorot.model.machine.machine import Machine, Node
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.model.run.records import CORE_KIND

UNNAMED = "unknown"
"""Name of a core type without a known name, where several types are listed."""
_UNKNOWN = "CPUs of no known kind"


def split_kinds(groups: Iterable[Group]) -> tuple[list[Group], dict[str, list[Group]]]:
    """Groups of all cores, and groups of each core type that was measured by itself."""
    whole: list[Group] = []
    of_kind: dict[str, list[Group]] = {}
    for group in groups:
        kind = group.first.point.get(CORE_KIND)
        (whole if kind is None else of_kind.setdefault(str(kind), [])).append(group)
    return whole, of_kind


def rows_of_kinds(
    of_kind: Mapping[str, Sequence[Group]],
    context: Context,
    families: Sequence[Family],
    run: str,
) -> list[Result]:
    """The rows of core types, each judged by measurements on its own type alone."""
    found: list[Result] = []
    for groups in of_kind.values():
        rows = Rows(
            make_results(groups, context.benchmarks, run=run, system=context.machine.system)
        )
        # The processor's published facts are those of its first core type.
        node = context.machine.node
        unnamed = node.processor.model_copy(update={"microarchitecture": None, "signature": None})
        nodes = (node.model_copy(update={"processor": unnamed}), *context.machine.nodes[1:])
        own = replace(
            context,
            groups=groups,
            rows=rows,
            machine=context.machine.model_copy(update={"nodes": nodes}),
        )
        own = judge_by_families(own.replacing(refuse_impossible(own)), families)
        own = own.replacing(apply_ceilings(own))
        found += withhold(own.rows)[0]
    return found


def find_foreign(
    outcomes: Iterable[Outcome], steps: Iterable[Step], machine: Machine
) -> dict[str, Claim]:
    """Steps that did not run on the core type that they were planned for, with the reason."""
    wanted = {step.id: step.kind for step in steps if step.kind}
    found = {}
    for outcome in outcomes:
        kind = wanted.get(outcome.step)
        if kind is None or outcome.run is None:
            continue
        had = kinds_had(outcome, machine)
        if had != {kind}:
            where = sorted(had) or [_UNKNOWN]
            found[outcome.step] = OTHER_KIND.claim(where=where, kind=kind)
    return found


def kinds_had(outcome: Outcome, machine: Machine) -> set[str]:
    """The core types that the ranks of a step were bound to; empty if not known."""
    had: set[str] = set()
    for place in outcome.run.placement if outcome.run else ():
        named = (node for node in machine.nodes if place.host in node.names)
        of_cpu = kind_of_cpu(next(named, machine.node))
        had |= {of_cpu.get(cpu, _UNKNOWN) for cpu in place.cpus}
    return had


def kind_of_cpu(node: Node) -> dict[int, str]:
    """The core type of each allowed hardware thread; unknown for some."""
    return {cpu: core.kind or UNNAMED for core in node.usable_cores for cpu in core.cpus}

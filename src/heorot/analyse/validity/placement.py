"""Judges the real placement of ranks: shared cores, unused nodes, unbound ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from heorot.analyse.templates import validity as templates
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.result import Finding
from heorot.model.grouping import group_by
from heorot.model.machine.cpulist import format_cpulist
from heorot.model.machine.machine import Machine
from heorot.model.run.identity import Setup
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.model.run.records import Placement, RunLine


def find_misplaced(outcomes: Sequence[Outcome], steps: Iterable[Step]) -> dict[str, Claim]:
    """Steps whose ranks ran on fewer nodes than their figure claims, with the reason."""
    by_id = {step.id: step for step in steps}
    found = {}
    for outcome in outcomes:
        step = by_id.get(outcome.step)
        if outcome.run is None or step is None:
            continue
        # In earlier runs external programs recorded no placement; with one node there is no choice.
        if not outcome.run.placement and step.nodes == 1:
            continue
        ranks_on = Counter(place.host for place in outcome.run.placement)
        if len(ranks_on) < step.nodes:
            found[step.id] = templates.ON_FEWER_NODES.claim(
                n=len(ranks_on), n_nodes=step.nodes, hosts=[*ranks_on]
            )
        elif step.nodes > 1 and max(ranks_on.values()) > step.per_node:
            host, n_ranks = ranks_on.most_common(1)[0]
            found[step.id] = templates.CROWDED.claim(n=n_ranks, host=host, per_node=step.per_node)
    return found


def find_shared(
    run: RunLine, count_cores: Callable[[Sequence[int]], int]
) -> dict[str, tuple[Placement, ...]]:
    """Ranks that had to share cores, by host and CPU list.

    Ranks bound to the same CPUs share cores if together they have more threads than these CPUs
    have cores.

    Args:
        count_cores: number of cores that hardware threads belong to.
    """
    bound = group_by(run.placement, lambda place: (place.host, place.cpus))
    return {
        f"{host} CPU {format_cpulist(cpus)}": tuple(places)
        for (host, cpus), places in bound.items()
        if cpus and len(places) * run.threads > count_cores(cpus)
    }


def binding(outcomes: Iterable[Outcome], machine: Machine) -> dict[str, bool]:
    """Whether the ranks of each step were bound to fewer CPUs than they were allowed, by step.

    Args:
        outcomes: how the steps ended; steps without recorded placement are left out.
    """
    found = {}
    for outcome in outcomes:
        places = outcome.run.placement if outcome.run else ()
        if places and all(place.cpus for place in places):
            found[outcome.step] = any(
                len(place.cpus) < _allowed(machine, place.host) for place in places
            )
    return found


def _allowed(machine: Machine, host: str) -> int:
    """Number of CPUs that an unbound rank may use on a host; 0 if unknown."""
    node = next((node for node in machine.nodes if host in node.names), machine.node)
    return node.limits.n_allowed_cpus or node.processor.n_threads or 0


def find_mixed(
    outcomes: Iterable[Outcome], steps: Iterable[Step], machine: Machine
) -> list[Finding]:
    """One finding about cases with bound and unbound launches."""
    keys = {step.id: step.setup for step in steps}
    bound: dict[Setup, list[bool]] = {}
    for step, was_bound in binding(outcomes, machine).items():
        if step in keys:
            bound.setdefault(keys[step], []).append(was_bound)
    mixed = {key: each for key, each in bound.items() if len(set(each)) > 1}
    if not mixed:
        return []
    return [
        templates.MIXED_BINDING(
            affected=[setup.benchmark for setup in mixed],
            rows=(
                (
                    one.benchmark,
                    one.case,
                    str(one.stack),
                    *map(str, (sum(each), len(each) - sum(each))),
                )
                for one, each in mixed.items()
            ),
            n=len(mixed),
        )
    ]

"""Judges where ranks really ran: cores that several shared, nodes that were not used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from heorot.model.machine.cpulist import format_cpulist
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.model.run.records import Placement, RunLine


def find_misplaced(outcomes: Sequence[Outcome], steps: Iterable[Step]) -> dict[str, str]:
    """Steps whose ranks ran on fewer nodes than their figure claims, with the reason.

    Args:
        outcomes: how the steps ended.
        steps: all steps, repeats included.
    """
    by_id = {step.id: step for step in steps}
    found = {}
    for outcome in outcomes:
        step = by_id.get(outcome.step)
        if outcome.run is None or step is None:
            continue
        # A program of others does not say where its ranks ran; on one node there is no choice.
        if not outcome.run.placement and step.nodes == 1:
            continue
        ranks_on = Counter(place.host for place in outcome.run.placement)
        if len(ranks_on) < step.nodes:
            found[step.id] = f"ran on {len(ranks_on)} of {step.nodes} nodes ({', '.join(ranks_on)})"
        elif step.nodes > 1 and max(ranks_on.values()) > step.per_node:
            host, n_ranks = ranks_on.most_common(1)[0]
            found[step.id] = f"had {n_ranks} ranks on {host} instead of {step.per_node} per node"
    return found


def find_shared(
    run: RunLine, count_cores: Callable[[Sequence[int]], int]
) -> dict[str, tuple[Placement, ...]]:
    """Ranks that had to share cores, by host and CPU list.

    Ranks bound to the same CPUs share cores if together they have more threads than these CPUs
    have cores.

    Args:
        run: where the ranks ran.
        count_cores: to how many cores hardware threads belong.
    """
    bound: dict[tuple[str, tuple[int, ...]], list[Placement]] = {}
    for place in run.placement:
        bound.setdefault((place.host, place.cpus), []).append(place)
    return {
        f"{host} CPU {format_cpulist(cpus)}": tuple(places)
        for (host, cpus), places in bound.items()
        if cpus and len(places) * run.threads > count_cores(cpus)
    }

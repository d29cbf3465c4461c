"""Which classes and layouts of an NPB program a profile runs over several nodes.

On n nodes of c cores each a class runs with c ranks on each node, with c/n where that is whole,
with one rank on each, and with one rank of c threads on each. So every number of nodes occurs with
equal ranks per node, with the ranks of one full node, and with full nodes both as ranks and as
threads. Requested numbers of ranks per node replace c, c/n and one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heorot.catalogue.layouts import name_of, ranks_on_each
from heorot.catalogue.sizes import all_cores, memory_bytes, pace
from heorot.families.npb.cases import Layout, case_of, quick_class
from heorot.families.npb.needs import Needs
from heorot.model.catalogue.benchmark import Case, OverNodes, Priority, Profile
from heorot.model.machine.machine import Machine

_LARGEST = {"standard": "B", "full": "D"}
# A launch takes at most this, or its class is too large for few nodes [s].
_LONGEST: dict[Profile, float] = {"standard": 20.0, "full": 1000.0}
_N_CLASSES = 2
_SIZES = "WABCD"
_USABLE_MEMORY = 0.8


def over_nodes_of(needs: Needs, *, quick: str) -> OverNodes:
    """The cases of a program on several nodes, for the catalogue."""

    def cases(
        machine: Machine, profile: Profile, nodes: int, per_node: Sequence[int] = ()
    ) -> tuple[Case, ...]:
        found: dict[tuple[str, int, int], Case] = {}
        sizes = _classes(needs, machine, profile, nodes, quick)
        for size in sizes:
            for layout in _layouts(needs, size, machine, nodes, per_node):
                key = (size, layout.ranks, layout.threads)
                priority = _priority(layout, profile, nodes, all_cores(machine))
                found.setdefault(key, case_of(needs, size, layout, profile, machine, priority))
        return tuple(found.values())

    return cases


def _classes(
    needs: Needs, machine: Machine, profile: Profile, nodes: int, quick: str
) -> Sequence[str]:
    """The two largest classes that fit the nodes' memory and whose launch ends in time."""
    if profile in {"smoke", "quick"}:
        # That of one node, so that both can be compared.
        return ("S",) if profile == "smoke" else (quick_class(needs, machine, quick),)
    cores = nodes * all_cores(machine)
    usable = _USABLE_MEMORY * nodes * memory_bytes(machine)
    fitting = [
        size
        for size in _SIZES[: _SIZES.index(_LARGEST[profile]) + 1]
        if needs.memory_bytes(size, nodes) <= usable
        and needs.launch_seconds(needs.body_seconds(size, cores, pace(machine)), 0.0, pace(machine))
        <= _LONGEST[profile]
    ]
    return fitting[-_N_CLASSES:] or _SIZES[:1]


def _layouts(
    needs: Needs, size: str, machine: Machine, nodes: int, per_node: Sequence[int]
) -> Iterator[Layout]:
    """Numbers of ranks per node, in turn; for one, also with a thread on every core."""
    most = needs.ranks_at_most(size)
    numbers = ranks_on_each(machine, per_node, sharing=nodes)
    threaded = [(1, all_cores(machine))] if 1 in numbers else []
    for each, threads in [*((each, 1) for each in numbers), *threaded]:
        if nodes * each <= most:
            name = f"{name_of(nodes, each)}x{threads}"
            yield Layout(name, nodes * each, threads, nodes=nodes)


def _priority(layout: Layout, profile: Profile, nodes: int, cores: int) -> Priority:
    """Full nodes as ranks first; other layouts only on two nodes in longer profiles."""
    if layout.ranks == nodes * cores:
        return "main"
    return "main" if nodes == 2 and profile in {"standard", "full"} else "detail"  # noqa: PLR2004

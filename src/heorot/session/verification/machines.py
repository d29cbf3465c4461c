"""The machine of a run as its nodes described it: facts to compare, and shared cores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from heorot.analyse.validity.placement import find_shared
from heorot.machine.nodes.node_facts import NO_ANSWER, facts_of
from heorot.model.machine.machine import Machine
from heorot.model.machine.nodes import Fact, NodeCopy
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import RunLine
from heorot.session.cluster.described import node_copies
from heorot.store.directory import RunDirectory
from heorot.units import format_binary

# Of adapters and interfaces: names are not comparable between machines.
_OF_ADAPTERS: frozenset[Fact] = frozenset(
    {
        *("network adapter", "network link", "largest packet", "driver", "firmware"),
        "PCIe link",
    }
)


@dataclass(frozen=True)
class Described:
    """A machine, and the descriptions of its nodes.

    Attributes:
        copies: of the nodes; empty for a machine described on the host of Heorot.
    """

    machine: Machine
    copies: Sequence[NodeCopy] = ()

    @property
    def facts(self) -> Mapping[str, str]:
        """All facts compared between machines; empty without descriptions.

        Facts that differ between nodes are listed with all values.
        """
        itself = NodeCopy(name=self.machine.hostname, node=self.machine.node)
        copies = self.copies or (itself,)
        found: dict[str, dict[str, None]] = {
            "number of nodes": {str(len(copies)): None},
            "memory": {},
        }
        for copy in copies:
            known = facts_of(copy)
            down = {
                part
                for (fact, part), text in known.items()
                if fact == "network link" and text.lower().endswith("down")
            }
            size = copy.node.memory.total_bytes
            found["memory"][format_binary(size, 2) if size else ""] = None
            for (fact, part), text in known.items():
                if part not in down:
                    named = f"{fact}: {part}" if part and fact not in _OF_ADAPTERS else fact
                    found.setdefault(named, {})["" if text == NO_ANSWER else text] = None
        return {name: " | ".join(sorted(filter(None, texts))) for name, texts in found.items()}

    def crowded(self, outcomes: Iterable[Outcome]) -> frozenset[str]:
        """Ids of the steps whose ranks and threads shared cores.

        Nodes with one kernel are one computer: those of a cluster in a box have their cores in
        common.
        """
        boots = {each.name: each.state.boot_id for each in self.copies if each.state.boot_id}
        count_cores = self.machine.node.count_cores
        return frozenset(
            outcome.step
            for outcome in outcomes
            if outcome.run and find_shared(_on_computers(outcome.run, boots), count_cores)
        )


def describe(directory: RunDirectory) -> Described:
    """The machine of a run."""
    return Described(directory.machine(), node_copies(directory))


def _on_computers(run: RunLine, boots: Mapping[str, str]) -> RunLine:
    """The record with the computer of each rank as its host, where known."""
    placement = tuple(
        place.model_copy(update={"host": boots.get(place.host, place.host)})
        for place in run.placement
    )
    return run.model_copy(update={"placement": placement})

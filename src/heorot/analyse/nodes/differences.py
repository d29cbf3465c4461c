"""Findings on nodes that differ from the expected, and on networks slower than quoted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from heorot.analyse.templates import nodes as templates
from heorot.analyse.templates.quantities import exactly
from heorot.model.analysis.result import Finding, Severity
from heorot.model.grouping import group_by
from heorot.model.machine.nodes import Fact, NodeDifference, QuotedNetwork

_IMAGE = "start all nodes from the same image, or measure those that differ apart from the others"
_SETTING = "give all nodes the same setting, and measure again"
_HARDWARE = "have the hardware of these nodes looked at, and leave them out until then"
# Remedy for a fact that differs between nodes, and whether it affects their speed.
_ADVICE: dict[Fact, tuple[Severity, str]] = {
    "processor": ("warning", "measure the kinds of nodes one after the other, not together"),
    "microcode": (
        "warning",
        "bring the firmware or the microcode package of all nodes to one state",
    ),
    "cores": ("warning", _HARDWARE),
    "clock range": ("warning", "compare the power settings in the firmware of the nodes"),
    "governor": ("warning", _SETTING),
    "frequency driver": ("warning", _SETTING),
    "boost": ("warning", _SETTING),
    "SMT": ("warning", _SETTING),
    "caches": ("warning", _HARDWARE),
    "NUMA nodes": ("warning", "compare the memory settings in the firmware of the nodes"),
    "memory": ("warning", "look for a failed or a missing memory module"),
    "swap": ("note", _SETTING),
    "huge pages": ("warning", _SETTING),
    "huge page defrag": ("note", _SETTING),
    "memory modules": ("warning", "compare the modules and their configured speed in the firmware"),
    "limits": ("warning", "ask for whole nodes, without binding the step that describes them"),
    "computer": ("note", "measure the kinds of nodes one after the other, not together"),
    "firmware of the computer": ("note", "bring the firmware of all nodes to one version"),
    "hypervisor": ("warning", "measure virtual and real nodes apart"),
    "container": ("note", "start the job in the same container everywhere"),
    "kernel": ("warning", _IMAGE),
    "distribution": ("warning", _IMAGE),
    "clock source": ("warning", "look in the kernel's log for why it does not trust the usual one"),
    "NUMA balancing": ("warning", _SETTING),
    "mitigations": ("warning", _IMAGE),
    "boot options": ("warning", _SETTING),
    "devices": ("warning", "look for a device that failed, or whose driver is not loaded"),
    "network adapter": ("warning", _HARDWARE),
    "network link": ("warning", "look at cable, port and switch of these nodes"),
    "largest packet": ("warning", "give all interfaces of a network the same MTU"),
    "driver": ("warning", _IMAGE),
    "firmware": ("note", "bring the firmware of all adapters to one version"),
    "PCIe link": ("warning", "seat the adapter anew, or in a slot with all its lanes"),
    "clock": ("warning", "have a time service set the clocks of all nodes"),
}


def find_different(found: Iterable[NodeDifference]) -> list[Finding]:
    """One finding for each fact in which nodes differ from the expected."""
    groups = group_by(found, lambda one: (one.fact, one.basis))
    return [_finding(group) for group in groups.values()]


def find_below_quoted(networks: Iterable[QuotedNetwork]) -> list[Finding]:
    """One finding for each network with missing nodes or nodes slower than quoted."""
    return [
        finding
        for network in networks
        for finding in (_slower(network), _unconnected(network))
        if finding is not None
    ]


def _slower(network: QuotedNetwork) -> Finding | None:
    if not network.slower:
        return None
    return templates.BELOW_QUOTED(
        affected=network.slower,
        n=len(network.slower),
        network=network,
        quoted=exactly(network.quoted_bits or math.nan, "bit/s"),
        found=exactly(network.found_bits or math.nan, "bit/s"),
    )


def _unconnected(network: QuotedNetwork) -> Finding | None:
    if not network.missing:
        return None
    missing = network.missing
    return templates.UNCONNECTED(affected=missing, n=len(missing), network=network)


def _finding(group: Sequence[NodeDifference]) -> Finding:
    first = group[0]
    severity, remedy = _ADVICE[first.fact]
    affected = tuple(dict.fromkeys(name for one in group for name in one.names))
    # A sentence has room for one value.
    single = len(group) == 1 and len(first.others) == 1
    rows = (
        (one.part or "node", ", ".join(other.names), other.value, one.expected)
        for one in group
        for other in one.others
    )
    return templates.DIFFERENT[first.basis](
        severity=severity,
        remedy=remedy,
        affected=affected,
        rows=() if single else rows,
        one=first,
        part=first.part if len(group) == 1 else None,
        n=len(affected),
        nodes=affected,
        value=first.others[0].value if single else None,
    )

"""Nodes that are not as expected, and networks slower than quoted, as findings that name them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heorot.model.analysis.result import Finding, Severity
from heorot.model.machine.nodes import Fact, NodeDifference, QuotedNetwork
from heorot.units import format_quantity, plural

_NAMED = 3  # of many nodes, as many are named in a sentence; the table has all
_IMAGE = "start all nodes from the same image, or measure those that differ apart from the others"
_SETTING = "give all nodes the same setting, and measure again"
_HARDWARE = "have the hardware of these nodes looked at, and leave them out until then"
# What to do about a fact that differs between nodes, and whether it changes how fast they are.
_ADVICE: dict[Fact, tuple[Severity, str]] = {
    "processor": ("warning", "measure the kinds of nodes one after the other, not together"),
    "microcode": (
        "warning",
        "bring the firmware or the microcode package of all nodes to one state",
    ),
    "cores": ("warning", _HARDWARE),
    "clock range": ("warning", "compare the power settings in the firmware of the nodes"),
    "governor": ("warning", _SETTING),
    "boost": ("warning", _SETTING),
    "caches": ("warning", _HARDWARE),
    "NUMA nodes": ("warning", "compare the memory settings in the firmware of the nodes"),
    "memory": ("warning", "look for a failed or a missing memory module"),
    "swap": ("note", _SETTING),
    "huge pages": ("warning", _SETTING),
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

_HEADINGS = {"peers": "most others have", "maximum": "is capable of", "clock": "should have"}


def find_different(found: Iterable[NodeDifference]) -> list[Finding]:
    """One finding for each fact in which nodes are not as expected.

    Args:
        found: the differences.
    """
    groups: dict[tuple[Fact, str], list[NodeDifference]] = {}
    for one in found:
        groups.setdefault((one.fact, one.basis), []).append(one)
    return [_finding(group) for group in groups.values()]


def find_below_quoted(networks: Iterable[QuotedNetwork]) -> list[Finding]:
    """One finding for each network on which nodes are missing or slower than was quoted.

    Args:
        networks: quoted beside found.
    """
    return [
        finding
        for network in networks
        for finding in (_slower(network), _unconnected(network))
        if finding is not None
    ]


def _slower(network: QuotedNetwork) -> Finding | None:
    if not network.slower:
        return None
    quoted, found = (_rate(bits) for bits in (network.quoted_bits, network.found_bits))
    return Finding(
        observation=(
            f"{plural(len(network.slower), 'node')} of {network.n_found} negotiated less on "
            f"{network.name} ({network.interface}) than the {quoted} that were quoted, "
            f"{found} at least: {_name(network.slower)}"
        ),
        severity="warning",
        affected=network.slower,
        remedy="look at cable, port and switch of these nodes; check what the site file quotes",
    )


def _unconnected(network: QuotedNetwork) -> Finding | None:
    if not network.missing:
        return None
    return Finding(
        observation=(
            f"{plural(len(network.missing), 'node')} without the interface {network.interface} of "
            f"{network.name}: {_name(network.missing)}"
        ),
        severity="warning",
        affected=network.missing,
        remedy="check its name in the site file, and the adapters of these nodes",
    )


def _finding(group: Sequence[NodeDifference]) -> Finding:
    first = group[0]
    severity, remedy = _ADVICE[first.fact]
    affected = tuple(dict.fromkeys(name for one in group for name in one.names))
    text = f"{_what(group, len(affected))}: {_name(affected)}"
    if len(group) == 1 and len(first.others) == 1:
        # A sentence has room for one value.
        instead = "" if first.basis == "clock" else f" instead of {first.expected}"
        text += f" ({first.others[0].value}{instead})"
        columns: tuple[str, ...] = ()
        rows: tuple[tuple[str, ...], ...] = ()
    else:
        columns = ("of", "nodes", "have", _HEADINGS[first.basis])
        rows = tuple(
            (one.part or "node", ", ".join(other.names), other.value, one.expected)
            for one in group
            for other in one.others
        )
    return Finding(
        observation=text,
        severity=severity,
        affected=affected,
        remedy=remedy,
        columns=columns,
        rows=rows,
    )


def _what(group: Sequence[NodeDifference], n_affected: int) -> str:
    """What is the matter with how many nodes."""
    first = group[0]
    who = f"{plural(n_affected, 'node')} of {first.n_nodes}"
    of = f" of {first.part}" if first.part and len(group) == 1 else ""
    if first.basis == "maximum":
        return f"the {first.fact}{of} is slower than its adapter is capable of on {who}"
    if first.basis == "clock":
        return f"{who} {'does' if n_affected == 1 else 'do'} not keep the time of the job"
    verb = "differs" if n_affected == 1 else "differ"
    return f"{who} {verb} from most others in {first.fact}{of}"


def _name(names: Sequence[str]) -> str:
    """The first few of many nodes."""
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _rate(bits: float | None) -> str:
    return format_quantity(bits, "bit/s")

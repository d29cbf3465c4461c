"""Nodes that differ from the others, from their hardware's capability, or from the job's clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from heorot.machine.description.table import link_text, real_adapters
from heorot.machine.nodes.node_facts import Facts, facts_of
from heorot.machine.nodes.node_kinds import close
from heorot.model.machine.network import Hca, NetworkInterface
from heorot.model.machine.nodes import Fact, NodeCopy, NodeDifference, NodeValue
from heorot.units import format_binary, format_duration

# Any clock service stays within this; with larger offsets times of files and logs mislead.
CLOCK_BOUND_SECONDS = 0.1
_MISSING = "missing"


def differences(copies: Sequence[NodeCopy]) -> tuple[NodeDifference, ...]:
    """Every fact in which nodes differ from the expected value, facts of the whole node first.

    Expected is the most frequent value; of equally frequent ones, that of the first node. A single
    node can still fall behind its own hardware and the job's clock.
    """
    return (
        *_peers(copies),
        *_memories(copies),
        *_slow_links(copies),
        *_clocks(copies),
    )


def _peers(copies: Sequence[NodeCopy]) -> list[NodeDifference]:
    by_node = {copy.name: facts_of(copy) for copy in copies}
    keys = dict.fromkeys(key for facts in by_node.values() for key in facts)
    found = (_compare(key, by_node) for key in keys)
    return [one for one in found if one is not None]


def _compare(key: tuple[Fact, str], by_node: dict[str, Facts]) -> NodeDifference | None:
    fact, part = key
    values = {name: facts[key] for name, facts in by_node.items() if key in facts}
    if fact == "network adapter":
        # Its link and driver are missing, too: one difference rather than five.
        values = {name: values.get(name, _MISSING) for name in by_node}
    return _against_most(fact, part, values, len(by_node))


def _against_most(
    fact: Fact, part: str, values: dict[str, str], n_nodes: int
) -> NodeDifference | None:
    """The nodes whose value is not the most frequent one, None if there are none."""
    ((expected, n_expected),) = Counter(values.values()).most_common(1)
    others = _others({name: text for name, text in values.items() if text != expected})
    if not others:
        return None
    return NodeDifference(
        fact=fact,
        part=part,
        expected=expected,
        n_expected=n_expected,
        n_nodes=n_nodes,
        others=others,
    )


def _others(values: dict[str, str]) -> tuple[NodeValue, ...]:
    """Names by value, in order of the names."""
    names: dict[str, list[str]] = {}
    for name, text in values.items():
        names.setdefault(text, []).append(name)
    return tuple(NodeValue(value=text, names=tuple(of)) for text, of in names.items())


def _memories(copies: Sequence[NodeCopy]) -> list[NodeDifference]:
    """Nodes whose memory differs by more than 1 % from the median."""
    sizes = {copy.name: copy.node.memory.total_bytes or 0 for copy in copies}
    if not sizes:
        return []
    middle = sorted(sizes.values())[len(sizes) // 2]
    off = {name: size for name, size in sizes.items() if not close([size], [middle])}
    if not off:
        return []
    return [
        NodeDifference(
            fact="memory",
            expected=format_binary(middle or None),
            n_expected=len(sizes) - len(off),
            n_nodes=len(sizes),
            others=_others({name: format_binary(size or None) for name, size in off.items()}),
        )
    ]


def _slow_links(copies: Sequence[NodeCopy]) -> list[NodeDifference]:
    """Links in use that negotiated less than the adapter's maximum, by adapter."""
    slow: dict[tuple[str, str], dict[str, str]] = {}
    n_fast: Counter[tuple[str, str]] = Counter()
    for copy in copies:
        for one in real_adapters(copy.node):
            key = (one.name, link_text(one.pcie_width_max, one.pcie_speed_max))
            if is_slow(one):
                text = link_text(one.pcie_width, one.pcie_speed)
                slow.setdefault(key, {})[copy.name] = text
            else:
                n_fast[key] += 1
    return [
        NodeDifference(
            fact="PCIe link",
            part=key[0],
            basis="maximum",
            expected=key[1],
            n_expected=n_fast[key],
            n_nodes=len(copies),
            others=_others(values),
        )
        for key, values in slow.items()
    ]


def is_slow(one: Hca | NetworkInterface) -> bool:
    """Whether the link of an adapter in use negotiated less than its maximum."""
    if isinstance(one, Hca):
        used = any(port.state == "ACTIVE" for port in one.ports)
    else:
        used = one.state == "up"
    pairs = ((one.pcie_width, one.pcie_width_max), (one.pcie_speed, one.pcie_speed_max))
    return used and any(now is not None and most is not None and now < most for now, most in pairs)


def _clocks(copies: Sequence[NodeCopy]) -> list[NodeDifference]:
    """Nodes whose clock is certainly off the job's."""
    offsets = {copy.name: copy.state.clock_offset_seconds for copy in copies}
    off = {
        name: f"{format_duration(abs(seconds))} {'ahead' if seconds > 0.0 else 'behind'} at least"
        for name, seconds in offsets.items()
        if seconds is not None and abs(seconds) > CLOCK_BOUND_SECONDS
    }
    if not off:
        return []
    return [
        NodeDifference(
            fact="clock",
            basis="clock",
            expected="that of the job",
            n_expected=sum(1 for seconds in offsets.values() if seconds is not None) - len(off),
            n_nodes=len(copies),
            others=_others(off),
        )
    ]

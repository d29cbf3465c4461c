"""The facts compared between nodes, as texts: of the node or of one of its adapters."""

from __future__ import annotations

from collections.abc import Callable

from heorot.machine.description.settings import modules_text
from heorot.machine.description.table import devices_text, link_text, processor_text, real_adapters
from heorot.model.machine.machine import Node
from heorot.model.machine.network import Hca, NetworkInterface
from heorot.model.machine.nodes import Fact, NodeCopy
from heorot.units import format_binary, format_quantity

Facts = dict[tuple[Fact, str], str]

NO_ANSWER = "unknown"


def facts_of(copy: NodeCopy) -> Facts:
    """All facts of a node by name and part; missing ones are `unknown`.

    Amounts that differ a little between equal nodes, such as memory, are not included.
    """
    node = copy.node
    facts: Facts = {(fact, ""): ask(copy) or NO_ANSWER for fact, ask in _WHOLE.items()}
    flaws = node.platform.mitigations or {}
    facts |= {("mitigations", flaw): text for flaw, text in flaws.items()}
    for port in node.hcas:
        facts |= {("network adapter", port.name): port.model or NO_ANSWER}
        facts |= {("network link", port.name): _ports(port)}
    for one in node.interfaces:
        if not one.virtual:
            facts |= _interface_facts(one)
    for device in real_adapters(node):
        facts |= _device_facts(device)
    return facts


def _interface_facts(one: NetworkInterface) -> Facts:
    return {
        ("network adapter", one.name): one.kind,
        ("network link", one.name): _join(_rate(one.speed_bits), one.state),
        ("largest packet", one.name): f"{one.mtu_bytes} B" if one.mtu_bytes else NO_ANSWER,
    }


def _device_facts(one: Hca | NetworkInterface) -> Facts:
    return {
        ("driver", one.name): _join(one.driver, one.driver_version),
        ("firmware", one.name): one.firmware or NO_ANSWER,
        ("PCIe link", one.name): link_text(one.pcie_width, one.pcie_speed) or NO_ANSWER,
    }


def _ports(hca: Hca) -> str:
    ports = (
        _join(_rate(port.rate_bits), port.link, port.layer, (port.state or "").lower())
        for port in hca.ports
    )
    return "; ".join(ports) or NO_ANSWER


def _rate(bits: float | None) -> str:
    return format_quantity(bits, "bit/s") if bits else ""


def _clock_range(node: Node) -> str | None:
    low, high = node.processor.min_hz, node.processor.max_hz
    if low is None or high is None:
        return None
    return f"{format_quantity(low, 'Hz')} to {format_quantity(high, 'Hz')}"


def _caches(node: Node) -> str:
    return ", ".join(
        f"L{one.level} {one.kind} {one.n_instances} × {format_binary(one.size_bytes)}"
        for one in node.caches
    )


def _numa(node: Node) -> str:
    """NUMA nodes and their CPUs: the memory of each is compared with a tolerance."""
    parts = (f"{one.number}: CPUs {one.cpus or 'none'}" for one in node.numa)
    return f"{len(node.numa)} ({'; '.join(parts)})" if node.numa else ""


def _limits(node: Node) -> str:
    limits = node.limits
    quota = "" if limits.cpu_quota is None else f"quota of {limits.cpu_quota:.4g} CPUs"
    # The number of a job's CPUs matters, not which ones.
    allowed = f"{limits.n_allowed_cpus} CPUs" if limits.n_allowed_cpus else ""
    of_all = f"memory of {len(node.usable_numa)} of {len(node.numa)} NUMA nodes"
    domains = of_all if node.barred_numa else ""
    return _join(allowed, domains, quota, separator=", ")


def _swap(node: Node) -> str | None:
    amount = node.memory.swap_bytes
    return None if amount is None else ("on" if amount else "off")


def _microcode(node: Node) -> str | None:
    """The microcode of a machine described on itself."""
    return (node.processor.signature or "").rpartition("microcode ")[2] or None


def _modules(node: Node) -> str | None:
    """Type and speed of its memory modules; not comparable without the speed."""
    return modules_text(node) if node.memory.module_transfers else None


def _options(node: Node) -> str | None:
    words = node.platform.boot_options
    return None if words is None else (" ".join(words) or "none")


def _switch(*, on: bool | None) -> str | None:
    return None if on is None else ("on" if on else "off")


def _join(*words: str | None, separator: str = " ") -> str:
    return separator.join(filter(None, words)) or NO_ANSWER


_WHOLE: dict[Fact, Callable[[NodeCopy], str | None]] = {
    "processor": lambda copy: _join(
        copy.node.processor.model or copy.node.processor.signature,
        f"({copy.node.processor.microarchitecture or copy.node.processor.isa})",
    ),
    "microcode": lambda copy: copy.state.microcode or _microcode(copy.node),
    "cores": lambda copy: processor_text(copy.node),
    "governor": lambda copy: copy.node.processor.governor,
    "frequency driver": lambda copy: copy.node.processor.frequency_driver,
    "boost": lambda copy: _switch(on=copy.node.processor.boost),
    "SMT": lambda copy: _switch(on=copy.node.processor.smt),
    "clock range": lambda copy: _clock_range(copy.node),
    "caches": lambda copy: _caches(copy.node),
    "NUMA nodes": lambda copy: _numa(copy.node),
    "swap": lambda copy: _swap(copy.node),
    "huge pages": lambda copy: copy.node.memory.huge_pages,
    "huge page defrag": lambda copy: copy.node.memory.huge_page_defrag,
    "memory modules": lambda copy: _modules(copy.node),
    "limits": lambda copy: _limits(copy.node),
    "devices": lambda copy: devices_text(copy.node),
    "computer": lambda copy: copy.node.platform.product,
    "firmware of the computer": lambda copy: copy.state.bios,
    "hypervisor": lambda copy: copy.node.platform.hypervisor or "none",
    "container": lambda copy: copy.node.platform.container or "none",
    "kernel": lambda copy: _join(copy.node.platform.kernel, copy.node.platform.kernel_version),
    "distribution": lambda copy: copy.node.platform.distribution,
    "clock source": lambda copy: copy.node.platform.clocksource,
    "NUMA balancing": lambda copy: _switch(on=copy.node.platform.numa_balancing),
    "boot options": lambda copy: _options(copy.node),
}

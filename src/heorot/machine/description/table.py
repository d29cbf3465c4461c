"""The machine table of a report: rows of name and text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from heorot.machine.description import settings
from heorot.model.machine.machine import (
    Cache,
    CompilerInstall,
    Hca,
    Machine,
    MpiInstall,
    NetworkInterface,
    Node,
)
from heorot.units import NOTHING, format_binary, format_quantity, plural

Row = tuple[str, str]


def summary_rows(machine: Machine) -> list[Row]:
    """The configuration of a machine, one fact per row.

    The rows are those of the system table in a published cluster evaluation of 2000:
    name, nodes, processors, clock, memory, network, system, batch, compilers, MPI; extended by
    caches, NUMA, virtualisation, limits and file systems.
    """
    rows: list[Row] = [("Name", machine.system)]
    for node in machine.nodes:
        prefix = f"{node.names[0]}: " if len(machine.nodes) > 1 else ""
        rows += [(prefix + name if prefix else name, text) for name, text in node_rows(node)]
    rows += [
        (
            f"File system {place.role}",
            describe_place(place.kind, place.size_bytes, place.free_bytes),
        )
        for place in machine.filesystems
    ]
    batch = (f"{one.name} {one.version or ''}".strip() for one in machine.batch_systems)
    modules = machine.modules
    return [
        *rows,
        ("Batch systems", _join(batch)),
        ("Modules", f"{modules.name} {modules.version or ''}".strip() if modules else NOTHING),
        *([("Loaded modules", _join(modules.loaded))] if modules else []),
        ("Compilers", _join(map(compiler_text, machine.compilers))),
        ("MPI", _join(map(mpi_text, machine.mpis))),
        ("BLAS", _join(f"{one.name} {one.version}".strip() for one in machine.blases)),
    ]


def devices_text(node: Node) -> str:
    """Such as `4 gpus`; `none` without any."""
    return _join(plural(n, kind) for kind, n in node.devices.items()) if node.devices else "none"


def node_rows(node: Node) -> list[Row]:
    """The rows of one type of node."""
    processor, platform = node.processor, node.platform
    model = processor.model or " ".join(filter(None, (processor.vendor, processor.signature)))
    return [
        ("Nodes", str(node.n_nodes)),
        ("Computer", platform.product or NOTHING),
        ("Processor", model or NOTHING),
        ("Microarchitecture", settings.microarchitecture_text(node)),
        ("Processors per node", processor_text(node)),
        *[("Contradiction", doubt) for doubt in node.doubts],
        ("Clock", clock_text(node)),
        ("Governor", settings.governor_text(node)),
        ("Boost", settings.switch_text(on=processor.boost)),
        ("SMT", settings.smt_text(node)),
        *[(f"Cache L{c.level} {c.kind}", cache_text(c)) for c in node.caches],
        ("Memory per node", memory_text(node)),
        ("Memory modules", settings.modules_text(node) or settings.UNKNOWN),
        ("NUMA nodes", numa_text(node)),
        ("NUMA balancing", settings.switch_text(on=platform.numa_balancing)),
        ("Transparent huge pages", settings.huge_pages_text(node)),
        ("Limits", limits_text(node)),
        *([("Devices per node", devices_text(node))] if node.devices else []),
        ("Network", network_text(node)),
        *adapter_rows(node),
        ("Operating system", platform.distribution or NOTHING),
        ("Kernel", platform.kernel or NOTHING),
        ("Kernel command line", settings.boot_text(node)),
        ("Mitigations", settings.mitigations_text(node)),
        ("Virtualisation", _join(filter(None, (platform.hypervisor, platform.container)))),
    ]


def processor_text(node: Node) -> str:
    """Sockets, cores and hardware threads."""
    p = node.processor
    counts = ((p.n_sockets, "socket"), (p.n_cores, "core"), (p.n_threads, "hardware thread"))
    texts = [f"{n} {noun}{'' if n == 1 else 's'}" for n, noun in counts if n is not None]
    kinds: Counter[str] = Counter()
    for group in node.cores:
        kinds[group.kind or "unknown"] += len(group.cpus)
    unlike = [f"{n} of kind {kind}" for kind, n in kinds.items()] if len(kinds) > 1 else []
    return _join([*texts, *unlike])


def numa_text(node: Node) -> str:
    """The number of NUMA nodes with CPUs, and those with memory only, such as that of GPUs."""
    alone = [one for one in node.numa if not one.cpus]
    if not alone:
        return str(len(node.numa)) if node.numa else NOTHING
    size = format_binary(sum(one.memory_bytes or 0 for one in alone))
    return f"{len(node.numa) - len(alone)} with CPUs, {len(alone)} with memory only ({size})"


def clock_text(node: Node) -> str:
    """Base clock and range."""
    p = node.processor
    pieces = [f"{format_quantity(p.nominal_hz, 'Hz')} base"] if p.nominal_hz else []
    if p.min_hz and p.max_hz:
        low, high = format_quantity(p.min_hz, "Hz"), format_quantity(p.max_hz, "Hz")
        pieces.append(f"{low} to {high}")
    return _join(pieces)


def cache_text(cache: Cache) -> str:
    """Size, count, sharing, line and ways."""
    pieces = [f"{cache.n_instances} × {format_binary(cache.size_bytes)}"]
    if cache.n_cpus and cache.n_cpus > 1:
        pieces.append(f"shared by {cache.n_cpus} hardware threads")
    pieces += [f"line {cache.line_bytes} B"] if cache.line_bytes else []
    pieces += [f"{cache.n_ways} ways"] if cache.n_ways else []
    if cache.plausible_bytes < (cache.size_bytes or 0):
        pieces.append(f"plausible up to {format_binary(cache.plausible_bytes)} for its cores")
    return _join(pieces)


def memory_text(node: Node) -> str:
    """Total, available and swap."""
    memory = node.memory
    pieces = [format_binary(memory.total_bytes)]
    if memory.available_bytes is not None:
        pieces.append(f"{format_binary(memory.available_bytes)} available")
    if memory.swap_bytes is not None:
        swap = format_binary(memory.swap_bytes) if memory.swap_bytes else "no"
        pieces.append(f"{swap} swap")
    if node.near_memory_bytes is not None:
        near = format_binary(node.near_memory_bytes)
        pieces.append(f"{near} of it in NUMA nodes with CPUs, the only part used")
    return _join(pieces)


def limits_text(node: Node) -> str:
    """The resources that this process may use."""
    limits = node.limits
    noun = "core" if limits.n_usable_cores == 1 else "cores"
    pieces = [f"{limits.n_usable_cores} {noun} usable"]
    if limits.allowed_cpus:
        pieces.append(f"CPUs {limits.allowed_cpus} allowed")
    if node.barred_numa:
        pieces.append(f"memory of NUMA nodes {limits.allowed_domains} only")
    if limits.cpu_quota is not None:
        pieces.append(f"quota of {limits.cpu_quota:.4g} CPUs")
    if limits.memory_limit_bytes is not None:
        pieces.append(f"{format_binary(limits.memory_limit_bytes)} of memory")
    return _join(pieces)


def network_text(node: Node) -> str:
    """The physical interfaces and adapters with their line rates."""
    pieces = []
    for hca in node.hcas:
        for port in hca.ports:
            rate = f" {format_quantity(port.rate_bits, 'bit/s')}" if port.rate_bits else ""
            link = f" ({port.link})" if port.link else ""
            pieces.append(f"{hca.name}:{port.number}{rate}{link} {(port.state or '').lower()}")
    for one in node.interfaces:
        if not one.virtual:
            rate = f" {format_quantity(one.speed_bits, 'bit/s')}" if one.speed_bits else ""
            driver = f" ({one.driver})" if one.driver else ""
            pieces.append(f"{one.name}{rate}{driver} {one.state or ''}".strip())
    return _join(piece.strip() for piece in pieces)


def real_adapters(node: Node) -> list[Hca | NetworkInterface]:
    """The adapters, and the interfaces with a device."""
    over = {name for hca in node.hcas for name in hca.interfaces}
    own = [one for one in node.interfaces if not one.virtual and one.name not in over]
    return [*node.hcas, *own]


def adapter_rows(node: Node) -> list[Row]:
    """Further facts about each physical adapter."""
    texts = ((f"Adapter {one.name}", adapter_text(one)) for one in real_adapters(node))
    return [(name, text) for name, text in texts if text != NOTHING]


def adapter_text(one: Hca | NetworkInterface) -> str:
    """Driver version, firmware, and the PCIe link, with its maximum if that is higher."""
    now = link_text(one.pcie_width, one.pcie_speed)
    most = link_text(one.pcie_width_max, one.pcie_speed_max)
    link = f"{now} of {most}" if now and most and now != most else now
    pieces = (
        one.driver_version and f"{one.driver or 'driver'} {one.driver_version}",
        one.firmware and f"firmware {one.firmware}",
        link and f"PCIe {link}",
    )
    return _join(filter(None, pieces))


def link_text(width: int | None, transfers: float | None) -> str:
    """A PCIe link, such as `x16 at 16 GT/s`; empty if unknown.

    Args:
        transfers: rate of a lane [transfer/s].
    """
    lanes = f"x{width}" if width else ""
    # Generations of PCIe are known by this number and in this unit.
    rate = f"{transfers / 1e9:g} GT/s" if transfers else ""
    return " at ".join(filter(None, (lanes, rate)))


def describe_place(kind: str | None, size: int | None, free: int | None) -> str:
    """Type, size and free space of a file system."""
    return f"{kind or NOTHING}, {format_binary(size)}, {format_binary(free)} free"


def compiler_text(compiler: CompilerInstall) -> str:
    """Family, version and missing features."""
    without = ", no OpenMP" if compiler.openmp is False else ""
    old = "" if compiler.usable else ", not usable"
    fortran = f", {compiler.fortran.name}" if compiler.fortran else ""
    return f"{compiler.family} {compiler.version} ({compiler.cxx.name}{fortran}{without}{old})"


def mpi_text(mpi: MpiInstall) -> str:
    """Flavour, version and origin."""
    return f"{mpi.flavour} {mpi.version or NOTHING} ({mpi.origin})"


def _join(pieces: Iterable[str]) -> str:
    return ", ".join(pieces) or NOTHING

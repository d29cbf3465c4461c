"""Which CPUs each rank gets: distinct cores when there are enough, else all of them."""

from __future__ import annotations

from heorot.model.machine.machine import Node

CpuSet = tuple[int, ...]


def parse_cpu_list(text: str) -> CpuSet:
    """The numbers of a CPU list.

    Args:
        text: as the kernel writes it, such as `0-3,8,12-14:2`.
    """
    cpus: list[int] = []
    for part in filter(None, text.strip().split(",")):
        span, _, stride = part.partition(":")
        first, _, last = span.partition("-")
        cpus.extend(range(int(first), int(last or first) + 1, int(stride or 1)))
    return tuple(cpus)


def usable_cores(node: Node) -> tuple[CpuSet, ...]:
    """The cores this process may use, each with its allowed hardware threads, in order.

    Hardware threads that share a first-level data cache are one core.

    Args:
        node: the node it runs on.
    """
    allowed = allowed_cpus(node)
    first_level = [
        parse_cpu_list(cpu_set)
        for cache in node.caches
        if cache.level == 1 and cache.kind in {"data", "unified"}
        for cpu_set in cache.cpu_sets
    ]
    cores: list[CpuSet] = []
    placed: set[int] = set()
    for cpu in allowed:
        if cpu not in placed:
            siblings = next((cpus for cpus in first_level if cpu in cpus), (cpu,))
            core = tuple(sibling for sibling in siblings if sibling in allowed)
            cores.append(core)
            placed.update(core)
    return tuple(cores)


def place(node: Node, ranks: int, threads: int) -> tuple[CpuSet, ...]:
    """The CPUs of each rank, in order of ranks; empty if there are not enough cores to bind.

    Args:
        node: the node it runs on.
        ranks: ranks on it.
        threads: threads per rank, a core each.
    """
    cores = usable_cores(node)
    if ranks * threads > min(len(cores), node.limits.n_usable_cores):
        return ()
    return tuple(
        tuple(cpu for core in cores[rank * threads : (rank + 1) * threads] for cpu in core)
        for rank in range(ranks)
    )


def is_restricted(node: Node) -> bool:
    """Whether this process may use only a part of the node's hardware threads.

    Launchers that bind by themselves count from the first core of the node, allowed or not.

    Args:
        node: the node it runs on.
    """
    n_threads = node.processor.n_threads
    return n_threads is not None and len(allowed_cpus(node)) < n_threads


def allowed_cpus(node: Node) -> CpuSet:
    """The hardware threads this process may use, in order.

    Args:
        node: the node it runs on.
    """
    if node.limits.allowed_cpus:
        return parse_cpu_list(node.limits.allowed_cpus)
    return tuple(range(node.processor.n_threads or node.limits.n_usable_cores))

"""Sizes and rates that depend on the machine: of its memory, caches and network links."""

from __future__ import annotations

from collections.abc import Callable

from heorot.model.machine.machine import Machine
from heorot.model.machine.pace import Pace

_MIB = 1 << 20
# Sizes for machines whose memory or caches are unknown.
_UNKNOWN_MEMORY = 1024 * _MIB
_UNKNOWN_CACHE = 32 * _MIB
# Rate of an unknown network: gigabit Ethernet without the overhead of protocols [B/s].
_UNKNOWN_LINE_RATE = 100e6
_BITS_PER_BYTE = 8.0
# Largest working set of a sweep on one core, however large the caches.
_LARGEST_SWEEP = 1024 * _MIB


def all_cores(machine: Machine) -> int:
    """Distinct cores one job may use on a node."""
    return machine.node.limits.n_usable_cores


def memory_bytes(machine: Machine) -> int:
    """Memory one job may use on a node now [B]."""
    known = (machine.node.lasting_memory_bytes, machine.node.memory.available_bytes)
    return min((size for size in known if size), default=_UNKNOWN_MEMORY)


def share_of_memory(machine: Machine, share: float) -> int:
    """A share of the memory one job may use [B]."""
    return int(share * memory_bytes(machine))


def beyond_caches_bytes(machine: Machine, cores: int = 1) -> int:
    """A working set well past the last caches of some cores, within a fifth of the memory [B].

    Four times the largest caches, as far as their size is plausible; the analysis marks the
    plateaus that were really found. The working set is that of all the cores together, since each
    may have a cache of its own.

    Args:
        cores: number of cores that share the working set.
    """
    sizes = [cache.plausible_bytes * min(cores, cache.n_instances) for cache in machine.node.caches]
    wanted = 4 * max([*sizes, _UNKNOWN_CACHE // 4])
    if cores == 1:
        wanted = min(wanted, _LARGEST_SWEEP)
    return min(wanted, share_of_memory(machine, 0.2))


def second_level_bytes(machine: Machine) -> int:
    """The L2 cache of a core, as far as its size is plausible; 0 if unknown [B]."""
    shares = [
        cache.plausible_bytes // machine.node.sharers(cache)
        for cache in machine.node.caches
        if cache.level == 2  # noqa: PLR2004 - the L2 cache
    ]
    return max(shares, default=0)


def pace(machine: Machine) -> Pace:
    """Estimated speeds of the machine; those of a slow machine if they were not measured."""
    return machine.pace or Pace()


def line_rate(machine: Machine) -> float:
    """One-way bandwidth of a node's link: that of the slowest network with a stated rate [B/s]."""
    quoted = [network.rate_bits for network in machine.networks if network.rate_bits]
    return min(quoted) / _BITS_PER_BYTE if quoted else _UNKNOWN_LINE_RATE


def affordable_bytes(wanted: int, takes: Callable[[int], float], seconds: float) -> int:
    """The wanted size, halved until it fits into the time; never halved at 4 MiB or below [B].

    Args:
        wanted: the largest size [B].
        takes: estimated time of a size [s].
        seconds: the time limit [s].
    """
    size = wanted
    while size > 4 * _MIB and takes(size) > seconds:
        size //= 2
    return size

"""The memory of a node: its caches, its NUMA domains, and all of it."""

from __future__ import annotations

from typing import Literal

from heorot.model.base import Count, NonNegative, Record

_MOST_CACHE_OF_A_CORE = 64 << 20


class Cache(Record):
    """All caches of one level and kind and size in a node.

    Attributes:
        level: 1 is closest to the core.
        kind: of its content.
        size_bytes: size of one instance [B].
        line_bytes: cache line [B].
        n_ways: associativity.
        n_cpus: hardware threads that share one instance.
        cpu_sets: CPU list of each instance, such as `0-3,64-67`.
    """

    level: Count
    kind: Literal["data", "instruction", "unified"]
    size_bytes: Count | None = None
    line_bytes: Count | None = None
    n_ways: Count | None = None
    n_instances: Count = 1
    n_cpus: Count | None = None
    cpu_sets: tuple[str, ...] = ()

    @property
    def plausible_bytes(self) -> int:
        """Size that programs can rely on, 0 if unknown [B].

        A virtual machine of two cores may report the last-level cache of its whole host, which it
        shares with other guests. No known core has more than 64 MiB to itself.
        """
        return min(self.size_bytes or 0, _MOST_CACHE_OF_A_CORE * max(1, self.n_cpus or 1))


class NumaNode(Record):
    """A part of the memory and the CPUs near it.

    Attributes:
        number: the kernel's number of it.
        cpus: CPU list; empty for memory without CPUs.
        memory_bytes: its memory [B].
        distances: relative distance to every NUMA node; 10 is local.
    """

    number: Count
    cpus: str = ""
    memory_bytes: Count | None = None
    distances: tuple[Count, ...] = ()


class Memory(Record):
    """The main memory of a node.

    Attributes:
        total_bytes: usable by the kernel [B].
        available_bytes: available for new programs when it was described, on the NUMA nodes that
            this process may use [B].
        swap_bytes: swap space [B].
        huge_pages: policy of transparent huge pages: `always`, `madvise` or `never`.
        huge_page_bytes: sizes of explicit huge pages [B].
        huge_page_defrag: when a page fault waits for memory to be compacted into a huge page:
            `always`, `defer`, `defer+madvise`, `madvise` or `never`.
        module_kind: of its memory modules, such as `DDR5`; None if not readable.
        n_modules: number of fitted modules.
        module_transfers: configured transfer rate of the slowest module [transfer/s].
    """

    total_bytes: Count | None = None
    available_bytes: Count | None = None
    swap_bytes: Count | None = None
    huge_pages: str | None = None
    huge_page_bytes: tuple[Count, ...] = ()
    huge_page_defrag: str | None = None
    module_kind: str | None = None
    n_modules: Count | None = None
    module_transfers: NonNegative | None = None

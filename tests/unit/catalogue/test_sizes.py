"""Sizes that follow from a machine, also from one with unknown properties."""

from __future__ import annotations

import pytest

from heorot.catalogue.sizes import (
    affordable_bytes,
    all_cores,
    beyond_caches_bytes,
    line_rate,
    memory_bytes,
    second_level_bytes,
    share_of_memory,
)
from heorot.machine.description.table import node_rows
from heorot.model.machine.cores import Cores
from heorot.model.machine.machine import (
    Cache,
    Limits,
    Machine,
    Memory,
    Node,
    NumaNode,
    Processor,
)
from heorot.model.machine.site import SiteNetwork

GIB = 1 << 30


def machine(
    memory: Memory | None = None, limits: Limits | None = None, largest_cache: int | None = None
) -> Machine:
    caches = (
        Cache(level=1, kind="data", size_bytes=32 << 10),
        Cache(level=3, kind="unified", size_bytes=largest_cache),
    )
    node = Node(
        names=("here",),
        processor=Processor(isa="x86_64"),
        caches=caches,
        memory=memory or Memory(),
        limits=limits or Limits(),
    )
    return Machine(hostname="here", nodes=(node,))


def test_cores_are_those_that_may_be_used() -> None:
    assert all_cores(machine(limits=Limits(n_usable_cores=3))) == 3


@pytest.mark.parametrize(
    ("memory", "limit", "expected"),
    [
        (Memory(total_bytes=16 * GIB, available_bytes=10 * GIB), None, 10 * GIB),
        (Memory(total_bytes=16 * GIB, available_bytes=10 * GIB), 4 * GIB, 4 * GIB),
        (Memory(total_bytes=16 * GIB), None, 16 * GIB),
        (Memory(), 2 * GIB, 2 * GIB),
        (Memory(), None, GIB),
    ],
)
def test_memory_is_the_least_of_what_is_known(
    memory: Memory, limit: int | None, expected: int
) -> None:
    assert memory_bytes(machine(memory, Limits(memory_limit_bytes=limit))) == expected


def test_a_share_of_the_memory() -> None:
    assert share_of_memory(machine(Memory(total_bytes=10 * GIB)), 0.25) == int(2.5 * GIB)


@pytest.mark.parametrize(
    ("cache", "memory", "expected"),
    [
        (32 << 20, 16 * GIB, 128 << 20),
        (480 << 20, 16 * GIB, 256 << 20),  # of a whole host: a core has no more than 64 MiB
        (480 << 20, GIB, int(0.2 * GIB)),
        (None, 16 * GIB, 32 << 20),
        (1 << 20, 16 * GIB, 32 << 20),
    ],
)
def test_a_sweep_goes_past_the_caches_but_not_past_the_memory(
    cache: int | None, memory: int, expected: int
) -> None:
    here = machine(Memory(total_bytes=memory), largest_cache=cache)
    assert beyond_caches_bytes(here) == expected


@pytest.mark.parametrize(
    ("cores", "memory", "expected"),
    [
        (1, 256, 4 * 96 << 20),
        (3, 256, 4 * 3 * 96 << 20),
        (8, 256, 4 * 8 * 96 << 20),  # beyond where a sweep of one core ends
        (64, 256, 4 * 8 * 96 << 20),
        (64, 10, 2 * GIB),
    ],
)
def test_cores_go_past_the_caches_of_all_of_them(cores: int, memory: int, expected: int) -> None:
    last = Cache(level=3, kind="unified", size_bytes=96 << 20, n_cpus=8, n_instances=8)
    here = machine(Memory(total_bytes=memory * GIB))
    node = here.node.model_copy(update={"caches": (*here.node.caches, last)})
    assert beyond_caches_bytes(here.model_copy(update={"nodes": (node,)}), cores) == expected


@pytest.mark.parametrize(
    ("n_cpus", "plausible"), [(None, 64 << 20), (2, 128 << 20), (8, 480 << 20), (96, 480 << 20)]
)
def test_a_cache_is_believed_as_far_as_its_cores_make_it_plausible(
    n_cpus: int | None, plausible: int
) -> None:
    cache = Cache(level=3, kind="unified", size_bytes=480 << 20, n_cpus=n_cpus)
    assert cache.plausible_bytes == plausible
    assert Cache(level=3, kind="unified", n_cpus=n_cpus).plausible_bytes == 0


def test_the_second_level_is_that_of_a_core_and_not_of_its_hardware_threads() -> None:
    assert second_level_bytes(machine()) == 0
    second = Cache(level=2, kind="unified", size_bytes=1 << 20, n_cpus=2)
    here = machine()
    for cache, expected in (
        (second, 1 << 20),
        (second.model_copy(update={"n_cpus": None}), 1 << 20),
        (second.model_copy(update={"n_cpus": 8, "size_bytes": 4 << 20}), 1 << 20),
    ):
        processor = here.node.processor.model_copy(update={"threads_per_core": 2})
        caches = (*here.node.caches, cache)
        node = here.node.model_copy(update={"caches": caches, "processor": processor})
        assert second_level_bytes(here.model_copy(update={"nodes": (node,)})) == expected


def test_the_second_level_of_cores_without_hardware_threads_is_shared() -> None:
    """As by four E cores: how many threads the P cores have does not matter."""
    shared = Cache(level=2, kind="unified", size_bytes=2 << 20, n_cpus=4, cpu_sets=("4-7",))
    cores = (Cores(cpus=("0-1", "2-3", "4", "5", "6", "7")),)
    processor = Processor(isa="x86_64", threads_per_core=2)
    node = Node(names=("n1",), processor=processor, cores=cores, caches=(shared,))
    assert second_level_bytes(Machine(hostname="n1", nodes=(node,))) == 512 << 10


def test_memory_without_cpus_is_not_counted_on() -> None:
    """As that of GPUs, or beyond CXL, which is part of the node's total."""
    memory = Memory(total_bytes=96 * GIB, available_bytes=90 * GIB)
    near = NumaNode(number=0, cpus="0-3", memory_bytes=32 * GIB)
    far = NumaNode(number=1, memory_bytes=64 * GIB)
    node = Node(names=("n1",), processor=Processor(isa="x86_64"), memory=memory, numa=(near, far))
    assert memory_bytes(Machine(hostname="n1", nodes=(node,))) == 32 * GIB
    alone = node.model_copy(update={"numa": (near,)})
    assert memory_bytes(Machine(hostname="n1", nodes=(alone,))) == 90 * GIB
    rows = dict(node_rows(node))
    assert rows["NUMA nodes"] == "1 with CPUs, 1 with memory only (64 GiB)"
    assert "32 GiB of it in NUMA nodes with CPUs" in rows["Memory per node"]


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [("0", 32), ("0-1", 90), (None, 90), ("1", 64), ("7", 90), ("0,7", 32)],
)
def test_memory_of_numa_nodes_that_are_barred_is_not_counted_on(
    allowed: str | None, expected: int
) -> None:
    """A list without any existing NUMA node is nonsense, and excludes none."""
    memory = Memory(total_bytes=96 * GIB, available_bytes=90 * GIB)
    numa = [
        NumaNode(number=n, cpus=f"{n}", memory_bytes=size * GIB) for n, size in ((0, 32), (1, 64))
    ]
    limits = Limits(allowed_domains=allowed)
    node = Node(
        names=("n1",),
        processor=Processor(isa="x86_64"),
        memory=memory,
        numa=tuple(numa),
        limits=limits,
    )
    assert memory_bytes(Machine(hostname="n1", nodes=(node,))) == expected * GIB
    is_listed = f"memory of NUMA nodes {allowed} only" in dict(node_rows(node))["Limits"]
    assert is_listed == (expected != 90)


def test_barred_memory_of_unknown_size_is_not_guessed() -> None:
    numa = (NumaNode(number=0, cpus="0"), NumaNode(number=1, cpus="1", memory_bytes=64 * GIB))
    limits = Limits(allowed_domains="0")
    node = Node(names=("n1",), processor=Processor(isa="x86_64"), numa=numa, limits=limits)
    assert node.allowed_memory_bytes is None
    # A NUMA node without memory is never excluded.
    none = numa[1].model_copy(update={"memory_bytes": 0})
    assert node.model_copy(update={"numa": (numa[0], none)}).barred_numa == ()


@pytest.mark.parametrize(
    ("seconds", "expected"), [(10.0, 1 << 30), (1.0, 1 << 30), (0.3, 1 << 28), (0.0, 4 << 20)]
)
def test_a_size_is_halved_until_there_is_time_for_it(seconds: float, expected: int) -> None:
    assert affordable_bytes(1 << 30, lambda size: size / (1 << 30), seconds) == expected


def test_a_line_carries_what_the_slowest_network_is_quoted_for() -> None:
    quoted = (SiteNetwork(name="ib", rate_bits=200e9), SiteNetwork(name="lan", rate_bits=1e9))
    several = machine().model_copy(update={"networks": (*quoted, SiteNetwork(name="other"))})
    assert line_rate(several) == 125e6
    assert 10e6 < line_rate(machine()) < 1e9

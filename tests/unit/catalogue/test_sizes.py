"""Sizes that follow from a machine, and from one that tells nothing."""

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
from heorot.model.machine.machine import Cache, Limits, Machine, Memory, Node, Processor
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
        node = here.node.model_copy(update={"caches": (*here.node.caches, cache)})
        assert second_level_bytes(here.model_copy(update={"nodes": (node,)})) == expected


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

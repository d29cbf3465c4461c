"""Bandwidths available to working sets of any size, by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from heorot.analyse.node_roofline.bandwidth_roofs import BandwidthRoofs, WorkingSetBandwidth
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import MEMORY
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Stack
from tests.unit.analyse.builders import a_machine
from tests.unit.analyse.node_roofline.synthetic_node import (
    CHAIN,
    FEEDS,
    MIB,
    TOGETHER,
    a_room,
    cores,
    measured,
    roof_rows,
)


def at_size(size: int, rate: float, region: str = "read", **changes: Any) -> Result:
    fields: dict[str, Any] = {"point": {"working_set_bytes": size}, "derived": False}
    return measured("memory/hierarchy", region, "bandwidth", rate, **(fields | changes))


def a_fall(*more: Result) -> Context:
    sizes = ((8, 80e9), (16, 60e9), (32, 40e9), (64, 20e9))
    return a_room(rows=[*roof_rows(), *(at_size(n * MIB, rate) for n, rate in sizes), *more])


def test_a_working_set_is_fed_by_its_own_size() -> None:
    available = BandwidthRoofs(a_fall()).at(16 * MIB * 2**0.5, 1, Stack(CHAIN), "L3")
    assert available is not None
    assert (available.fetched, available.carried) == pytest.approx((50e9, 50e9))


def test_stores_carry_what_they_fetch_before_and_write_back() -> None:
    bandwidths = BandwidthRoofs(a_fall(at_size(16 * MIB, 50e9, "write")))
    assert bandwidths.at(16 * MIB, 1, Stack(CHAIN), "L3") == WorkingSetBandwidth(60e9, 100e9)


def test_every_loop_has_sizes_of_its_own() -> None:
    """Three arrays of a triad end a little below a size at which one array ends."""
    rows = [
        at_size(size, rate, region)
        for region, sizes in (
            ("read", ((16384, 210e9), (32768, 215e9), (65536, 110e9), (131072, 110e9))),
            ("triad", ((15360, 281e9), (30720, 280e9), (64512, 114e9), (129024, 114e9))),
        )
        for size, rate in sizes
    ]
    available = BandwidthRoofs(a_room(rows=[*roof_rows(), *rows])).at(32768, 1, Stack(CHAIN), "L1")
    assert available is not None
    assert available.fetched == 280e9


def test_of_memory_loops_without_a_size_count_too() -> None:
    stream = measured("memory/stream", "triad", "bandwidth", 24e9, derived=False)
    available = BandwidthRoofs(a_fall(stream)).at(64 * MIB, 1, Stack(CHAIN), MEMORY)
    assert available is not None
    assert (available.fetched, available.carried) == pytest.approx((24e9, 32e9))
    assert BandwidthRoofs(a_fall(stream)).at(
        64 * MIB, 1, Stack(CHAIN), "L3"
    ) == WorkingSetBandwidth(20e9, 20e9)


def test_each_number_of_cores_has_its_own_sizes() -> None:
    copies = at_size(8 * MIB, 70e9, **cores(2))
    bandwidths = BandwidthRoofs(a_fall(copies))
    assert bandwidths.at(9 * MIB, 2, Stack(CHAIN), "L3") == WorkingSetBandwidth(70e9, 70e9)
    threads = [at_size(16 * MIB, 90e9, threads=2), at_size(32 * MIB, 50e9, threads=2)]
    assert BandwidthRoofs(a_fall(*threads)).at(
        8 * MIB, 2, Stack(CHAIN), "L3"
    ) == WorkingSetBandwidth(90e9, 90e9)
    assert BandwidthRoofs(a_fall(*threads)).at(
        16 * MIB, 2, Stack(CHAIN), "L3"
    ) == WorkingSetBandwidth(50e9, 50e9)


def test_where_no_size_was_measured_the_level_feeds() -> None:
    bandwidths = BandwidthRoofs(a_room())
    assert bandwidths.at(MIB, 1, Stack(CHAIN), "L2") == WorkingSetBandwidth(
        FEEDS["l2"], FEEDS["l2"]
    )
    assert bandwidths.at(64 * MIB, 2, Stack(CHAIN), MEMORY) == WorkingSetBandwidth(
        TOGETHER["memory"], TOGETHER["memory"]
    )
    assert bandwidths.at(MIB, 3, Stack(CHAIN), "L2") is None


@pytest.mark.parametrize(
    ("size", "most"),
    [
        (32 * MIB, FEEDS["l3"]),
        (48 * MIB, 1 / (2 / 3 / FEEDS["l3"] + 1 / 3 / FEEDS["memory"])),
        (128 * MIB, FEEDS["memory"]),  # no significant part is held
    ],
)
def test_what_a_cache_may_hold_of_a_larger_set_comes_at_its_rate(size: int, most: float) -> None:
    """32 MiB are resident in the last cache, whatever part the measured loop kept there."""
    rows = [*roof_rows(), at_size(32 * MIB, 20e9), at_size(48 * MIB, 17e9), at_size(64 * MIB, 16e9)]
    available = BandwidthRoofs(a_room(rows=rows)).bound(size, 1, Stack(CHAIN), MEMORY)
    assert available is not None
    assert (available.fetched, available.carried) == pytest.approx((most, most))


def test_the_last_cache_of_a_node_holds_a_part_whichever_it_is() -> None:
    caches = [cache for cache in a_machine(2).node.caches if cache.level < 3]
    rows = [row for row in roof_rows() if "l3" not in row.metric]
    room = replace(a_room(rows=rows), machine=a_machine(2, caches=tuple(caches)))
    available = BandwidthRoofs(room).bound(2 * MIB, 1, Stack(CHAIN), MEMORY)
    half = 2 / (1 / FEEDS["l2"] + 1 / FEEDS["memory"])
    assert available is not None
    assert (available.fetched, available.carried) == pytest.approx((half, half))

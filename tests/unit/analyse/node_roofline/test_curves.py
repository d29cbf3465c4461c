"""Curves over the working set: their plateaus, and the level of each."""

from __future__ import annotations

from heorot.analyse.node_roofline.curves import (
    caches_of,
    curves_of,
    middle_of,
    name_levels,
    on,
    others_of,
    plateaus_of,
)
from heorot.analyse.statistics.fits import Plateau
from heorot.model.analysis.result import Result
from heorot.model.machine.machine import Cache
from tests.unit.analyse.builders import a_machine, a_result

KIB, MIB = 1 << 10, 1 << 20
CACHES = [("L1", 32.0 * KIB), ("L2", 1.0 * MIB), ("L3", 32.0 * MIB)]


def plateau(low: float, high: float) -> Plateau:
    return Plateau(low, high, 1.0)


def never(_: Plateau) -> bool:
    return False


def always(_: Plateau) -> bool:
    return True


def test_every_plateau_is_of_the_cache_that_holds_it() -> None:
    seen = [
        plateau(4 * KIB, 32 * KIB),
        plateau(64 * KIB, MIB),
        plateau(2 * MIB, 24 * MIB),
        plateau(128 * MIB, 512 * MIB),
    ]
    assert list(name_levels(seen, CACHES, never)) == ["L1", "L2", "L3", "memory"]


def test_a_level_without_a_plateau_is_left_out() -> None:
    seen = [plateau(4 * KIB, 32 * KIB), plateau(128 * MIB, 512 * MIB)]
    assert list(name_levels(seen, CACHES, never)) == ["L1", "memory"]


def test_a_guest_that_tells_the_caches_of_its_host_has_memory_behind_its_share() -> None:
    reported = [*CACHES[:2], ("L3", 480.0 * MIB)]
    seen = [plateau(4 * KIB, 32 * KIB), plateau(2 * MIB, 8 * MIB), plateau(64 * MIB, 512 * MIB)]
    assert list(name_levels(seen, reported, always)) == ["L1", "L3", "memory"]
    assert name_levels(seen, reported, always)["memory"] == seen[2]
    assert list(name_levels(seen, reported, never)) == ["L1", "L3"]


def test_of_two_plateaus_of_a_cache_the_first_counts_and_of_memory_the_last() -> None:
    seen = [
        plateau(4 * KIB, 16 * KIB),
        plateau(20 * KIB, 32 * KIB),
        plateau(64 * MIB, 128 * MIB),
        plateau(256 * MIB, 512 * MIB),
    ]
    levels = name_levels(seen, CACHES, never)
    assert (levels["L1"], levels["memory"]) == (seen[0], seen[3])


def sized(size: int, median: float, **changes: object) -> Result:
    point = {"access": "contiguous", "n": size // 8, "working_set_bytes": size}
    return a_result(**({"point": point, "median": median} | changes))


def test_curves_differ_in_more_than_their_size() -> None:
    rows = [sized(1 << k, 1e9) for k in range(14, 10, -1)]
    rows += [sized(1 << k, 2e9, toolchain="other") for k in range(4)]
    rows += [sized(1 << k, 2e9, region="copy") for k in range(2)]  # too few to make a curve
    first, second = sorted(curves_of([*rows, a_result()]), key=len)
    assert [row.point["working_set_bytes"] for row in first] == [2048, 4096, 8192, 16384]
    assert {row.toolchain for row in second} == {"other"}
    assert others_of(first[0]) == {"access": "contiguous"}


def test_a_step_of_a_curve_is_two_plateaus() -> None:
    rates = [8e9] * 4 + [2e9] * 4
    curve = [sized(4 * KIB << k, rate) for k, rate in enumerate(rates)]
    near, far = plateaus_of(curve)
    assert (near.low_bytes, near.high_bytes) == (4 * KIB, 32 * KIB)
    assert middle_of(on(far, curve)) == (2e9, 0.99 * 2e9, 1.01 * 2e9)


def test_times_are_cut_as_the_rates_that_they_make() -> None:
    times = [1e-9] * 4 + [80e-9] * 4
    curve = [
        sized(4 * KIB << k, seconds, better="lower", unit="s") for k, seconds in enumerate(times)
    ]
    assert [round(plateau.high_bytes / KIB) for plateau in plateaus_of(curve)] == [32, 512]


def test_no_core_has_the_cache_of_a_whole_host() -> None:
    host = Cache(level=3, kind="unified", size_bytes=480 * MIB)
    assert caches_of(a_machine(caches=(host,))) == [("L3", 64 * MIB)]


def test_instructions_are_no_data() -> None:
    assert caches_of(a_machine()) == [("L1", 48 * KIB), ("L2", MIB), ("L3", 32 * MIB)]

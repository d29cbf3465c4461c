"""Memory bandwidth of one core by stream and by the longest vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.memory.checks import cross_check
from heorot.families.memory.stream import STREAM

if TYPE_CHECKING:
    from heorot.model.analysis.result import CrossCheck, Result
    from tests.unit.conftest import Kit


def vectors(kit: Kit, region: str, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "compute/vector_kernels",
        "region": region,
        "metric": "memory_bandwidth",
        "point": {"access": "contiguous"},
        "derived": True,
    }
    return kit.result(median=median, **(fields | changes))


def checks(kit: Kit, *rows: Result) -> list[CrossCheck]:
    return cross_check(kit.context(rows))


@pytest.mark.parametrize(("other", "agrees"), [(14e9, True), (150e9, False)])
def test_memory_bandwidth_by_two_programs(kit: Kit, other: float, agrees: bool) -> None:
    (check,) = checks(
        kit,
        kit.result(region="triad", median=15e9),
        kit.result(region="triad", median=28e9, threads=2),
        vectors(kit, "triad", other),
        vectors(kit, "triad", 90e9, point={"access": "stride3"}),
        vectors(kit, "triad", 99e9, metric="bandwidth", derived=False),
    )
    assert (check.first, check.second, check.agrees) == (15e9, other, agrees)
    assert check.quantity == "memory bandwidth of one core"
    assert check.first_name == "memory/stream, triad"
    assert check.second_name == "compute/vector_kernels, longest triad"


def test_reading_has_no_other_witness(kit: Kit) -> None:
    rows = [kit.result(region="read", median=15e9), vectors(kit, "dotproduct", 14e9)]
    assert checks(kit, *rows) == []


def test_vectors_that_stay_in_a_cache_say_nothing_of_memory(kit: Kit) -> None:
    in_cache = vectors(kit, "triad", 60e9, metric="r_max_l3")
    assert checks(kit, kit.result(region="triad", median=15e9), in_cache) == []


def test_toolchains_are_compared_with_themselves_and_named(kit: Kit) -> None:
    rows = []
    for chain, median in (("a", 10e9), ("b", 30e9)):
        rows.append(kit.result(toolchain=chain, median=median))
        rows.append(vectors(kit, "triad", median, toolchain=chain))
    found = checks(kit, *rows)
    assert [(check.quantity[-3:], check.ratio) for check in found] == [(", a", 1.0), (", b", 1.0)]


def test_without_a_publisher_there_is_nothing_to_compare(kit: Kit) -> None:
    rows = [kit.result(), vectors(kit, "triad", 15e9)]
    assert cross_check(kit.context(rows, benchmarks=(STREAM,))) == []

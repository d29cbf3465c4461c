"""Memory bandwidth of one core by stream and by the longest vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.memory.checks import cross_check
from heorot.families.memory.stream import STREAM
from tests.unit.analyse.builders import a_context, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import CrossCheck, Result


def vectors(region: str, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "compute/vector_kernels",
        "region": region,
        "metric": "memory_bandwidth",
        "point": {"access": "contiguous"},
        "derived": True,
    }
    return a_result(median=median, **(fields | changes))


def checks(*rows: Result) -> list[CrossCheck]:
    return cross_check(a_context(rows))


@pytest.mark.parametrize(("other", "agrees"), [(14e9, True), (150e9, False)])
def test_memory_bandwidth_by_two_programs(other: float, agrees: bool) -> None:
    (check,) = checks(
        a_result(region="triad", median=15e9),
        a_result(region="triad", median=28e9, threads=2),
        vectors("triad", other),
        vectors("triad", 90e9, point={"access": "stride3"}),
        vectors("triad", 99e9, metric="bandwidth", derived=False),
    )
    assert (check.first, check.second, check.agrees) == (15e9, other, agrees)
    assert check.quantity == "memory bandwidth of one core"
    assert check.first_name == "memory/stream, triad"
    assert check.second_name == "compute/vector_kernels, longest triad"


def test_reading_has_no_other_witness() -> None:
    rows = [a_result(region="read", median=15e9), vectors("dotproduct", 14e9)]
    assert checks(*rows) == []


def test_vectors_that_stay_in_a_cache_say_nothing_of_memory() -> None:
    in_cache = vectors("triad", 60e9, metric="r_max_l3")
    assert checks(a_result(region="triad", median=15e9), in_cache) == []


def test_toolchains_are_compared_with_themselves_and_named() -> None:
    rows = []
    for chain, median in (("a", 10e9), ("b", 30e9)):
        rows.append(a_result(toolchain=chain, median=median))
        rows.append(vectors("triad", median, toolchain=chain))
    found = checks(*rows)
    assert [(check.quantity[-3:], check.ratio) for check in found] == [(", a", 1.0), (", b", 1.0)]


def test_without_a_publisher_there_is_nothing_to_compare() -> None:
    rows = [a_result(), vectors("triad", 15e9)]
    assert cross_check(a_context(rows, benchmarks=(STREAM,))) == []

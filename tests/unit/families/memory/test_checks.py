"""Memory bandwidth by memory/stream and by other programs, operation by operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from heorot.analyse.validity.cross_checks import find_disagreements
from heorot.families.memory import FAMILY
from heorot.families.memory.derived.disagreements import cross_check
from heorot.families.memory.stream import STREAM
from tests.unit.analyse.builders import a_context, a_measured_context, a_result, a_series

if TYPE_CHECKING:
    from heorot.model.analysis.result import CrossCheck, Finding, Result
    from heorot.model.run.series import Series

MIB = 1 << 20
OPERATIONS = ("read", "copy", "triad")


def swept(region: str, median: float, size: int = 256 * MIB, **changes: Any) -> Result:
    """A row of memory/hierarchy."""
    fields = {"benchmark": "memory/hierarchy", "point": {"working_set_bytes": size}}
    return a_result(region=region, median=median, **(fields | changes))


def vectors(region: str, median: float, **changes: Any) -> list[Result]:
    """The longest vectors, and the row that shows that they come from memory."""
    point = {"access": "contiguous", "n": 1 << 23, "working_set_bytes": 192 * MIB}
    measured = {"benchmark": "compute/vector_kernels", "point": point}
    reported = {"metric": "longest_vectors_bandwidth", "point": {"access": "contiguous"}}
    row = a_result(region=region, median=median, **(measured | changes))
    return [row, row.model_copy(update={**reported, "derived": True})]


def checks(*rows: Result) -> list[CrossCheck]:
    return cross_check(a_context(rows))


def finding(*rows: Result) -> Finding:
    (found,) = find_disagreements(checks(*rows), rows)
    return found


@pytest.mark.parametrize(("other", "agrees"), [(14e9, True), (150e9, False)])
def test_memory_bandwidth_by_two_programs(other: float, agrees: bool) -> None:
    (check,) = checks(
        a_result(region="triad", median=15e9),
        a_result(region="triad", median=28e9, threads=2),
        *vectors("triad", other),
        *vectors("triad", 90e9, point={"access": "stride3", "working_set_bytes": 1 << 30}),
    )
    assert (check.first, check.second, check.agrees) == (15e9, other, agrees)
    assert check.quantity == "memory bandwidth of one core (triad)"
    assert check.first_name == "memory/stream triad"
    assert check.second_name == "compute/vector_kernels triad, 192 MiB"


def test_every_operation_is_held_against_the_same_operation() -> None:
    rows = [a_result(region=each, median=10e9 * i) for i, each in enumerate(OPERATIONS, 1)]
    rows += [swept(each, 11e9 * i) for i, each in enumerate(OPERATIONS, 1)]
    found = checks(*rows, swept("write", 99e9), a_result(region="scale", median=99e9))
    assert [one.quantity for one in found] == [
        f"memory bandwidth of one core ({each})" for each in OPERATIONS
    ]
    assert [one.ratio for one in found] == pytest.approx([1.1] * 3)


def test_copies_are_held_against_threads_on_as_many_cores() -> None:
    star: dict[str, Any] = {"ranks": 2, "case": "all_cores_copies", "options": {"star": True}}
    rows = [a_result(region="read", median=30e9, threads=2), swept("read", 31e9, **star)]
    (check,) = checks(*rows, swept("read", 99e9))
    assert check.quantity == "memory bandwidth of 2 cores (read)"
    assert check.second_name == "memory/hierarchy read, 512 MiB"


def streamed(size: int, rate: float = 20e9) -> list[Series]:
    """Two launches of reading by memory/stream over the given bytes."""
    counts = {"bytes": float(size), "flops": size / 8.0}
    seconds = np.full(10, size / rate)
    fields: dict[str, Any] = {"region": "read", "point": {}, "counts": counts, "repetitions": 1}
    return [
        a_series(step=f"S000{launch}", launch=launch, seconds=seconds, **fields)
        for launch in (1, 2)
    ]


def test_the_witness_is_the_nearest_working_set_that_comes_from_memory() -> None:
    context = a_measured_context(streamed(128 * MIB))
    sizes = (1, 16, 64, 256, 1024)
    context = context.adding(swept("read", 1e9 * size, size * MIB) for size in sizes)
    (check,) = cross_check(context)
    assert check.first_name == "memory/stream read, 128 MiB"
    # 64 and 256 MiB are as near; the faster one counts.
    assert check.second_name == "memory/hierarchy read, 256 MiB"


def test_what_stays_in_a_cache_says_nothing_of_memory() -> None:
    row = a_result(region="triad", median=15e9)
    in_cache = vectors("triad", 60e9)[0]
    assert checks(row, in_cache, swept("triad", 60e9, 8 * MIB)) == []
    assert checks(a_result(region="read"), *vectors("dotproduct", 14e9)) == []


@pytest.mark.parametrize("flaw", [{"disturbed": True}, {"n_launches": 1}])
def test_what_was_perturbed_or_launched_once_is_held_against_nothing(flaw: dict[str, Any]) -> None:
    whole = a_result(region="read"), swept("read", 60e9)
    assert len(checks(*whole)) == 1
    assert checks(whole[0], swept("read", 60e9, **flaw)) == []
    assert checks(a_result(region="read", **flaw), whole[1]) == []


def test_intervals_that_overlap_agree() -> None:
    row = a_result(region="read", median=20e9, ci_low=18e9, ci_high=31e9)
    (check,) = checks(row, swept("read", 30e9))
    assert check.agrees
    (check,) = checks(a_result(region="read", median=20e9), swept("read", 30e9))
    assert not check.agrees


def test_toolchains_are_compared_with_themselves_and_named() -> None:
    rows = []
    for chain, median in (("a", 10e9), ("b", 30e9)):
        rows += [a_result(toolchain=chain, median=median), swept("triad", median, toolchain=chain)]
    found = checks(*rows)
    assert [(check.quantity[-3:], check.ratio) for check in found] == [(", a", 1.0), (", b", 1.0)]


def test_without_a_publisher_there_is_nothing_to_compare() -> None:
    rows = [a_result(), *vectors("triad", 15e9)]
    assert cross_check(a_context(rows, benchmarks=(STREAM,))) == []


def test_what_agrees_is_no_finding() -> None:
    rows = [a_result(region="read"), swept("read", 16e9)]
    assert find_disagreements(checks(*rows), rows) == []


def test_a_disagreement_names_both_rows_and_guesses_no_cause() -> None:
    rows = [a_result(region="triad", median=20e9), swept("triad", 30e9)]
    found = finding(*rows)
    assert found.evidence == (rows[0].id, rows[1].id)
    assert found.text == (
        "two measurements of memory bandwidth of one core (triad) disagree: 20.0 GB/s [19.8…20.2 "
        "in 3 launches] by memory/stream triad, 30.0 GB/s [29.7…30.3 in 3 launches] by "
        "memory/hierarchy triad, 256 MiB, a factor of 1.500 where 1.250 is allowed; the "
        "measurements do not show why"
    )
    assert found.rows[0][-1] == "none"


@pytest.mark.parametrize(("read", "reported"), [(20e9, True), (40e9, False)])
def test_write_allocate_is_the_cause_if_reading_agrees(read: float, reported: bool) -> None:
    """Copy 3/2 and triad 4/3 as fast, as without write-allocate."""
    rows = [a_result(region=each, median=20e9) for each in OPERATIONS]
    rows += [swept("read", read), swept("copy", 30e9), swept("triad", 20e9 * 4 / 3)]
    assert ("write-allocate" in finding(*rows).text) is reported


@pytest.mark.parametrize(("before", "reported"), [(60e9, True), (31e9, False)])
def test_a_working_set_is_the_cause_if_the_rate_still_falls(before: float, reported: bool) -> None:
    context = a_measured_context(streamed(512 * MIB))
    context = context.adding([swept("read", before, 64 * MIB), swept("read", 30e9, 128 * MIB)])
    (found,) = find_disagreements(cross_check(context), context.rows)
    assert ("working sets differ" in found.text) is reported
    assert (swept("read", before, 64 * MIB).id in found.evidence) is reported


def test_disagreements_of_one_subject_are_one_finding_and_no_second_says_so_again() -> None:
    rows = [a_result(region=each, median=20e9) for each in OPERATIONS]
    rows += [swept("read", 20e9), swept("copy", 30e9), swept("triad", 50e9)]
    found = finding(*rows)
    assert found.severity == "warning"
    assert found.text.startswith("two measurements of memory bandwidth of one core (triad)")
    assert found.text.endswith(". 2 of 3 cross-checks of memory bandwidth of one core disagree")
    assert [row[0][-7:] for row in found.rows] == [" (copy)", "(triad)"]
    assert found.evidence == tuple(rows[n].id for n in (1, 4, 2, 5))
    amiss = [one for find in FAMILY.analysis().find for one in find(a_context(rows))]
    assert all("bandwidth" not in one.text for one in amiss)

"""Sentences on the programs of the family memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.memory.sentences import sentences
from tests.unit.analyse.builders import a_context, a_measured_context, a_result, a_series

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def peak(median: float, **changes: Any) -> Result:
    fields = {"benchmark": "compute/peak", "region": "fma_double", "metric": "flop_rate"}
    return a_result(median=median, **(fields | changes))


def test_memory_is_reported_by_triad_on_most_cores_without_a_second_balance() -> None:
    rows = [
        a_result(median=15e9),
        a_result(median=24e9, threads=2),
        peak(100e9),
        peak(200e9, threads=2),
    ]
    (said,) = sentences(a_context(rows))
    assert said.text == (
        "STREAM Triad reaches 24.0 GB/s [23.8…24.2 in 3 launches] on 2 cores, 1.60 [1.57…1.63 in "
        "3 launches] times as much as one core."
    )
    assert said.evidence == (rows[1].id, rows[0].id)


def test_memory_is_reported_with_its_working_set() -> None:
    series = a_series(point={}, counts={"bytes": float(96 << 20)})
    (said,) = sentences(a_measured_context([series]))
    assert said.text.endswith(" on one core over 96 MiB from memory.")


def test_one_core_is_reported_alone() -> None:
    row = a_result(median=15e9)
    (said,) = sentences(a_context([row, peak(200e9, threads=2)]))
    assert said.text == "STREAM Triad reaches 15.0 GB/s [14.8…15.2 in 3 launches] on one core."
    assert said.evidence == (row.id,)


def test_perturbed_numbers_say_so() -> None:
    (said,) = sentences(a_context([a_result(disturbed=True)]))
    assert "(perturbed) on one core" in said.text


@pytest.mark.parametrize("flaw", [{"verified": "failed"}, {"plausible": False}])
def test_refused_numbers_are_not_quoted(flaw: dict[str, Any]) -> None:
    assert sentences(a_context([a_result(**flaw)])) == []


def wait(region: str, metric: str, median: float, **changes: Any) -> Result:
    fields = {"benchmark": "memory/latency", "region": region, "metric": metric, "unit": "s"}
    return a_result(median=median, **(fields | {"better": "lower"} | changes))


def test_latency_is_reported_from_both_ends_with_what_may_wait_together() -> None:
    rows = [
        wait("chase", "latency_l1", 1e-9),
        wait("chase", "latency_memory", 90e-9),
        wait(
            "parallel",
            "parallelism",
            12.0,
            unit="load",
            better="higher",
            point={"working_set_bytes": 1 << 28},
        ),
    ]
    (said,) = sentences(a_context(rows))
    assert said.text == (
        "Load latency: 90.0 ns [89.1…90.9 in 3 launches] from memory, 1.00 ns [0.99…1.01 in 3 "
        "launches] from L1d. Memory-level parallelism (MLP): at most 12.0 [11.9…12.1 in 3 "
        "launches] outstanding loads per core."
    )
    assert said.evidence == (rows[1].id, rows[0].id, rows[2].id)


def test_levels_are_reported_nearest_first() -> None:
    rows = [
        a_result(benchmark="memory/hierarchy", region="read", metric=metric, median=rate)
        for metric, rate in (("bandwidth_memory", 15e9), ("bandwidth_l1", 200e9))
    ]
    (said,) = sentences(a_context(rows))
    assert said.text.startswith(
        "Read bandwidth of one core: 200 GB/s [198…202 in 3 launches] from L1; 15.0 GB/s"
    )
    assert sentences(a_context(rows[:1])) == []


def test_sharing_a_line_is_reported_with_its_price() -> None:
    def bounce(first: int, second: int, seconds: float) -> Result:
        return a_result(
            benchmark="memory/atomics",
            region="bounce",
            metric="transfer_time",
            unit="s",
            better="lower",
            point={"from_cpu": first, "to_cpu": second},
            median=seconds,
        )

    rows = [bounce(0, 1, 40e-9), bounce(0, 2, 120e-9)]
    rows += [
        a_result(
            benchmark="memory/atomics",
            region=region,
            metric="operation_rate",
            unit="op/s",
            point={"adders": adders},
            median=rate,
        )
        for region, adders, rate in (
            ("one_line", 1, 1e9),
            ("one_line", 2, 0.1e9),
            ("own_lines", 1, 1e9),
            ("own_lines", 2, 2e9),
        )
    ]
    (said,) = sentences(a_context(rows))
    assert said.text == (
        "Core-to-core cache-line latency: 40.0 ns [39.6…40.4 in 3 launches] at best, 120 ns "
        "[119…121 in 3 launches] between CPUs 0 and 2. With 2 threads, false sharing limits "
        "additions to 100 Mop/s [99…101 in 3 launches]; separate lines allow 2.00 Gop/s "
        "[1.98…2.02 in 3 launches]."
    )
    (alone,) = sentences(a_context(rows[:1]))
    assert alone.text == ("Core-to-core cache-line latency: 40.0 ns [39.6…40.4 in 3 launches].")

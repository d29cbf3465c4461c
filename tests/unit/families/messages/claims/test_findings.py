"""Findings about messages: rules of collectives, sums of one's own, patterns far below the line."""

from __future__ import annotations

import re
from pathlib import Path

from heorot.families.messages.among_all.collectives import BASE, COLLECTIVES
from heorot.families.messages.among_all.global_sum import GLOBAL_SUM
from heorot.families.messages.among_all.patterns import PATTERNS, PEAK
from heorot.families.messages.claims.findings import find
from heorot.families.messages.over_size.guidelines import RULES
from heorot.model.analysis.result import Result
from tests.unit.analyse.builders import a_context, a_result

RANKS = 4
ROOT = Path(__file__).resolve().parents[5]


def a_time(benchmark: str, region: str, size: int, seconds: float) -> Result:
    return a_result(
        benchmark=benchmark,
        region=region,
        metric="time" if benchmark == GLOBAL_SUM.name else "latency",
        unit="s",
        better="lower",
        ranks=RANKS,
        point={"bytes": size},
        median=seconds,
        ci_low=0.99 * seconds,
        ci_high=1.01 * seconds,
    )


def test_every_rule_is_about_operations_that_are_measured() -> None:
    named = {rule.region for rule in RULES} | {part.region for r in RULES for part in r.parts}
    assert named == {
        "gather", "scatter", "bcast", "allgather", "alltoall", "reduce", "allreduce",
        "reduce_scatter_block", "scan", "exscan",
    }  # fmt: skip
    assert named <= set(BASE)


def test_the_operations_are_those_of_the_program() -> None:
    text = (ROOT / "native/benchmarks/messages/collectives/operations.cpp").read_text()
    text = text.partition("constexpr std::array started")[0]
    named = re.findall(r'Operation\{(?:\s*|\.name = )"(\w+)"', text)
    assert tuple(named) == BASE


def test_a_collective_slower_than_another_with_more_to_do_is_found() -> None:
    rows = [
        a_time(COLLECTIVES.name, "reduce", 4096, 12e-6),
        a_time(COLLECTIVES.name, "allreduce", 4096, 6e-6),
        a_time(COLLECTIVES.name, "gather", 4096, 3e-6),
        a_time(COLLECTIVES.name, "allgather", 4096, 6e-6),
    ]
    (finding,) = find(a_context(rows))
    assert finding.text.startswith("MPI_Reduce of 4 KiB among 4 ranks")
    assert "2.00 [1.96…2.04 in 3 launches] times as long as MPI_Allreduce" in finding.text


def test_a_longer_message_that_takes_less_time_is_found() -> None:
    rows = [
        a_time(COLLECTIVES.name, "bcast", 4096, 12e-6),
        a_time(COLLECTIVES.name, "bcast", 8192, 6e-6),
    ]
    (finding,) = find(a_context(rows))
    assert "MPI_Bcast among 4 ranks" in finding.text
    assert finding.rows == (("MPI_Bcast", "4 KiB", "8 KiB", "2.00 [1.96…2.04 in 3 launches]"),)
    # A perturbation may be the cause.
    assert find(a_context([row.model_copy(update={"disturbed": True}) for row in rows])) == []


def test_only_operations_that_block_and_keep_their_input_are_judged_by_length() -> None:
    rows = [
        a_time(COLLECTIVES.name, region, size, seconds)
        for region in ("allreduce_in_place", "ibcast", "ibcast_overlapped")
        for size, seconds in ((4096, 9e-6), (8192, 6e-6))
    ]
    assert find(a_context(rows)) == []


def test_a_scan_slower_than_two_exchanges_and_additions_is_found() -> None:
    rows = [
        a_time(COLLECTIVES.name, "scan", 4 * 4096, 30e-6),
        a_time(COLLECTIVES.name, "alltoall", 4096, 3e-6),
        a_time(COLLECTIVES.name, "reduce_scatter_block", 4096, 4e-6),
    ]
    (finding,) = find(a_context(rows))
    assert "in 3 launches] times as long as MPI_Alltoall twice and local additions" in finding.text


def test_a_sum_of_ones_own_that_beats_the_library_is_found() -> None:
    rows = [
        a_time(GLOBAL_SUM.name, region, size, seconds)
        for region, size, seconds in (
            ("allreduce", 8, 1e-6),
            ("hypercube", 8, 2e-6),
            ("allreduce", 65536, 60e-6),
            ("hypercube", 65536, 50e-6),
            ("ring", 65536, 20e-6),
            ("allreduce_in_place", 65536, 10e-6),
        )
    ]
    (finding,) = find(a_context(rows))
    assert "for vectors of 64 KiB among 4 ranks" in finding.text
    assert "3.00 [2.94…3.06 in 3 launches] times as long as the algorithm 'ring'" in finding.text


def test_a_library_that_is_as_fast_is_no_finding() -> None:
    rows = [
        a_time(GLOBAL_SUM.name, "allreduce", 8, 1.05e-6),
        a_time(GLOBAL_SUM.name, "ring", 8, 1e-6),
        a_time(COLLECTIVES.name, "reduce", 8, 1e-6),
        a_time(COLLECTIVES.name, "allreduce", 8, 1e-6),
    ]
    assert find(a_context(rows)) == []


def test_patterns_far_below_the_line_are_named() -> None:
    rows = [
        a_result(
            benchmark=PATTERNS.name,
            region=region,
            metric=PEAK,
            unit="B/s",
            nodes=4,
            point={},
            share_of_ceiling=share,
            median=share * 1e9,
            derived=True,
        )
        for region, share in (("pingpong", 0.94), ("transposition", 0.2), ("broadcast", 0.6))
    ]
    (finding,) = find(a_context(rows))
    assert "transposition 20.0 % [19.8…20.2 in 3 launches]" in finding.text
    assert "broadcast" not in finding.text

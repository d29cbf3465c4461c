"""Choices in sentences: libraries, layouts, the order of ranks, ranks that share a line."""

from __future__ import annotations

import re

from heorot.families.messages.among_all.b_eff import B_EFF
from heorot.families.messages.among_all.patterns import PATTERNS
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.families.messages.claims.comparisons import compare
from heorot.model.analysis.result import Result
from tests.unit.analyse.builders import a_context, a_result
from tests.unit.model.keys import but

SIZES = (8, 1024, 65536)


def pingpongs(toolchain: str, *seconds: float, nodes: int = 1) -> list[Result]:
    return [
        a_result(
            benchmark=PINGPONG.name,
            case="two_nodes" if nodes > 1 else "two_ranks",
            region="pingpong",
            metric="latency",
            unit="s",
            better="lower",
            toolchain=toolchain,
            nodes=nodes,
            ranks=2,
            point={"bytes": size},
            median=value,
            ci_low=0.99 * value,
            ci_high=1.01 * value,
        )
        for size, value in zip(SIZES, seconds, strict=True)
    ]


def test_who_is_fastest_where_and_by_how_much() -> None:
    rows = [
        *pingpongs("open", 0.2e-6, 0.5e-6, 9e-6),
        *pingpongs("mpich", 0.3e-6, 0.5e-6, 6e-6),
    ]
    (sentence,) = compare(a_context(rows))
    assert "ranks): open up to 8 B, mpich from 64 KiB. " in sentence.text
    # As far apart at 8 B as at 64 KiB: neither is where they differ most.
    assert "One of the largest differences is at " in sentence.text
    assert re.search(r"where (open|mpich) takes 1.50 \[1.47.* times as long", sentence.text)
    assert len(sentence.evidence) == 4
    # They differ most at a size beyond those between which the winner changes.
    far = [but(row, point={"bytes": 1 << 20}) for row in (rows[2], rows[5])]
    far[1] = far[1].model_copy(update={"median": 2e-6, "ci_low": 1.98e-6, "ci_high": 2.02e-6})
    (sentence,) = compare(a_context([*rows, *far]))
    assert "The largest difference is at 1 MiB, where open takes 4.50 [" in sentence.text
    assert {row.id for row in far} <= set(sentence.evidence)


def test_cases_that_differ_in_their_sizes_have_one_sentence() -> None:
    rows = [
        *pingpongs("open", 0.2e-6, 0.5e-6, 9e-6),
        *pingpongs("mpich", 0.3e-6, 0.5e-6, 6e-6),
    ]
    fewer = [but(row, case="fine") for row in rows if row.point["bytes"] != 1024]
    (sentence,) = compare(a_context([*fewer, *rows]))
    assert all("two_ranks" in key for key in sentence.evidence)


def test_a_library_that_wins_everywhere_needs_no_sentence() -> None:
    rows = [
        *pingpongs("open", 0.2e-6, 0.5e-6, 9e-6),
        *pingpongs("mpich", 0.3e-6, 0.6e-6, 12e-6),
    ]
    assert compare(a_context(rows)) == []


def test_messages_between_nodes_and_inside_one_converge() -> None:
    rows = [
        *pingpongs("open", 0.2e-6, 0.5e-6, 9e-6),
        *pingpongs("open", 2.0e-6, 2.5e-6, 9.1e-6, nodes=2),
    ]
    (sentence,) = compare(a_context(rows))
    assert "10.0 [" in sentence.text
    assert "From 64 KiB they agree within 10 %" in sentence.text


def test_what_the_order_of_ranks_costs() -> None:
    rows = [
        a_result(
            benchmark=B_EFF.name,
            metric=f"{order}_ring_bandwidth",
            unit="B/s",
            ranks=64,
            median=rate,
            ci_low=0.99 * rate,
            ci_high=1.01 * rate,
            derived=True,
        )
        for order, rate in (("natural", 4e9), ("random", 1e9))
    ]
    (sentence,) = compare(a_context(rows))
    assert "in random rings 25.0 %" in sentence.text
    assert compare(a_context(rows[:1])) == []


def test_what_a_second_rank_on_a_node_costs() -> None:
    rows = [
        a_result(
            benchmark=PATTERNS.name,
            case=f"4_nodes_{per_node}",
            region="bisection_regular_both",
            metric="port_bandwidth",
            unit="B/s",
            nodes=4,
            ranks=4 * per_node,
            per_node=per_node,
            point={"bytes": size},
            median=rate,
            ci_low=0.99 * rate,
            ci_high=1.01 * rate,
        )
        for per_node, size, rate in ((1, 8, 1e6), (2, 8, 1e6), (1, 4096, 1e8), (2, 4096, 5e7))
    ]
    (sentence,) = compare(a_context(rows))
    assert sentence.text == (
        "Bisection of 4 nodes: one rank per node gets 100 MB/s [99…101 in 3 launches], each of 2 "
        "ranks per node 0.500 [0.490…0.510 in 3 launches] times as much (gnu-12)."
    )
    rows[-1] = rows[-1].model_copy(update={"median": 1e8, "ci_low": 0.9e8, "ci_high": 1.1e8})
    (sentence,) = compare(a_context(rows))
    assert "2 ranks per node as much (no difference that 3 launches can show)" in sentence.text

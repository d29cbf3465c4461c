"""The roofs of one core and of all, and the machine balance."""

from __future__ import annotations

import pytest

from heorot.analyse.node_roofline.roofs import (
    carried,
    fetched,
    find_balances,
    find_roofs,
    first_stack,
    line_bytes,
    published,
    publishers,
)
from heorot.model.analysis.node_roofline.levels import FLOPS_PER_BYTE
from heorot.model.machine.machine import Cache
from heorot.model.resource import CORES, ONE_CORE
from heorot.model.run.identity import Stack
from tests.unit.analyse.builders import a_machine
from tests.unit.analyse.node_roofline.synthetic_node import (
    CHAIN,
    FEEDS,
    LATENCY,
    MIB,
    PEAK,
    TOGETHER,
    a_room,
    built_by,
    measured,
    roof_rows,
    spread,
)


def test_roofs_of_one_core_and_of_all() -> None:
    one, every = find_roofs(a_room())
    assert (one.of, every.of, one.stack) == (ONE_CORE, CORES.of(2), Stack(CHAIN))
    assert [(peak.vector_bytes, peak.rate) for peak in one.peaks] == [
        (64, PEAK),
        (32, PEAK / 2),
        (16, PEAK / 4),
    ]
    assert [bandwidth.rate for bandwidth in one.bandwidths] == list(FEEDS.values())
    # triad is half as fast, and carries a third more: reading carries most
    assert [bandwidth.carried for bandwidth in one.bandwidths] == list(FEEDS.values())
    assert [bandwidth.level for bandwidth in every.bandwidths] == ["L1", "L2", "L3", "memory"]
    assert every.highest.rate == 2 * PEAK
    assert one.waiting is not None
    assert one.waiting.rate == pytest.approx(64 / LATENCY)


def test_the_best_loop_of_memory_counts() -> None:
    rows = roof_rows()
    stream = measured("memory/stream", "triad", "bandwidth", 24e9, derived=False)
    (one, _) = find_roofs(a_room(rows=[*rows, stream]))
    assert one.bandwidths[-1].rate == 24e9
    assert one.bandwidths[-1].row == stream.id
    # a third more moves, as stores fetch their lines before
    assert one.bandwidths[-1].carried == pytest.approx(32e9)
    assert one.bandwidths[-1].kernel == "triad"
    assert one.bandwidths[-1].traffic == pytest.approx(4 / 3)


def test_the_roof_is_the_best_kernel_past_the_caches_too() -> None:
    past = measured("memory/stream", "nontemporal_triad", "bandwidth", 30e9, derived=False)
    through = measured("memory/stream", "triad", "bandwidth", 21e9, derived=False)
    context = a_room(rows=[*roof_rows(), past, through])
    (one, _) = find_roofs(context)
    roof = one.bandwidths[-1]
    assert (roof.rate, roof.row, roof.kernel) == (30e9, past.id, "nontemporal_triad")
    # All that it moves is counted, and a third of it is not fetched.
    assert (roof.traffic, roof.carried) == (1.0, 30e9)
    assert fetched(context, past) == pytest.approx(20e9)
    assert carried(context, through) == pytest.approx(28e9)


def test_without_a_peak_or_a_bandwidth_there_are_no_roofs() -> None:
    rows = roof_rows()
    assert find_roofs(a_room(rows=[row for row in rows if row.metric != "flop_rate"])) == []
    peaks = [row for row in rows if row.metric == "flop_rate"]
    assert find_roofs(a_room(rows=peaks)) == []


def test_every_number_of_cores_that_has_a_peak_has_roofs() -> None:
    copies = {"case": "4_copies", "ranks": 4, "options": {"star": True}}
    more = [
        measured("memory/hierarchy", "read", "bandwidth_memory", 24e9, **copies),
        measured("compute/peak", "fma_double", "flop_rate", 4 * PEAK, derived=False, **copies),
    ]
    found = find_roofs(a_room(rows=[*roof_rows(), *more]))
    assert [roofs.of.n for roofs in found] == [1, 2, 4]
    assert found[-1].bandwidths[-1].rate == 24e9


def test_a_toolchain_without_a_peak_of_its_own_has_no_roofs_of_its_own() -> None:
    rows = roof_rows()
    loops = [row for row in rows if row.metric != "flop_rate"]
    context = a_room(rows=[*rows, *built_by("gnu-12+blis", *loops)])
    assert {roofs.stack for roofs in find_roofs(context)} == {Stack(CHAIN)}
    context = a_room(rows=[*rows, *built_by("clang", *rows)])
    assert [(each.stack.toolchain, each.of.n) for each in find_roofs(context)] == [
        (CHAIN, 1),
        (CHAIN, 2),
        ("clang", 1),
        ("clang", 2),
    ]


def test_what_a_toolchain_did_not_measure_the_first_one_did() -> None:
    rows = roof_rows()
    context = a_room(rows=[*rows, *built_by("clang", *rows)])
    for toolchain, whose in (("clang", "clang"), ("gnu-12+blis", CHAIN)):
        assert {row.toolchain for row in published(context, "flop_peak", Stack(toolchain))} == {
            whose
        }
    assert first_stack(context) == Stack(CHAIN)
    assert first_stack(a_room(rows=[])) is None


def test_whoever_measures_roofs_stands_below_none() -> None:
    assert publishers(a_room()) == {"compute/peak", "memory/hierarchy", "memory/stream"}


def test_lines_are_as_long_as_the_machine_tells() -> None:
    cache = Cache(level=2, kind="unified", size_bytes=MIB, line_bytes=256)
    assert line_bytes(a_machine(caches=(cache,))) == 256
    assert line_bytes(a_machine()) == 64


def test_the_wall_is_peak_over_bandwidth() -> None:
    context = a_room(rows=list(map(spread, roof_rows())))
    pairs = list(find_balances(find_roofs(context), context.rows))
    balances = {(balance.of.n, balance.level): balance for balance, _ in pairs}
    assert balances[1, "memory"].flops_per_byte.median == pytest.approx(PEAK / FEEDS["memory"])
    assert balances[1, "memory"].flops_per_double.median == pytest.approx(32.0)
    assert balances[1, "memory"].flops_per_double.low < 32.0
    far = 2 * PEAK / TOGETHER["memory"]
    assert balances[2, "memory"].flops_per_byte.median == pytest.approx(far)
    # 1 % to both sides of both
    assert balances[2, "memory"].flops_per_byte.low == pytest.approx(far * 0.99 / 1.01)
    row = pairs[3][1]
    assert (row.metric, row.unit, dict(row.point)) == (
        FLOPS_PER_BYTE,
        "flop/B",
        {"level": "memory"},
    )
    assert row.id == balances[1, "memory"].row

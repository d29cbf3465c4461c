"""Sentences on the roofline analysis of a node."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heorot.analyse.explain.copies import METRIC, explain
from heorot.analyse.node_roofline.analysis import analyse_node
from heorot.analyse.node_roofline.sentences import attribute, make_sentences, word_roofline_point
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.node_roofline import DEPTH, NodeRoofline
from heorot.model.catalogue.metrics import Contribution, Reference
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_benchmark, a_machine, a_result
from tests.unit.analyse.node_roofline.synthetic_node import (
    MIB,
    MILL,
    a_room,
    copies_of,
    grinding,
    measured,
    roof_rows,
    spread,
)


def with_losses(context: Context) -> Context:
    """The run with the losses of copies."""
    return context.adding(explain(context))


def studied(*series: Series) -> tuple[NodeRoofline, list[str]]:
    """The roofline analysis, and its sentences."""
    context = with_losses(a_room(*series))
    depth, rows = analyse_node(context, METRIC, "test")
    context = context.adding(rows)
    said = make_sentences(context, depth)
    assert {one.family for one in said} == {DEPTH}
    keys = {row.id for row in context.rows}
    assert all(set(one.evidence) <= keys for one in said)
    assert all(set(one.evidence) <= keys for one in attribute(context, depth))
    return depth, [one.text for one in said]


def test_who_is_fed_by_memory() -> None:
    depth, said = studied(grinding(2.6e-4, 128 * MIB))
    assert said[1] == (
        "On one core Mill (grind) reaches 6.01 % [1 launch] of peak and is bandwidth-bound: 96.2 % "
        "[1 launch] of the roofline (0.250 flop/B, 128 MiB from memory)."
    )
    assert said[2] == (
        "Of 1 kernel on one core, 1 is bandwidth-bound (60 % or more of the roofline: Mill "
        "(grind))."
    )
    assert len(depth.balances) == 8


def test_the_memory_wall() -> None:
    _, said = studied(grinding(2.6e-4, 128 * MIB))
    assert said[0].startswith(
        "Machine balance of 2 cores: 51.2 flop [51.2…51.2 in 3 launches] per double from memory. "
        "By level: one core 0.250 flop/B [0.250…0.250 in 3 launches] from L1, 1.00 "
        "flop/B [1.00…1.00 in 3 launches] from L2"
    )


def test_who_is_limited_by_the_units() -> None:
    depth, said = studied(grinding(2e-5, 128 * MIB, moved=1e4))
    assert word_roofline_point(depth.points[0], depth).text == (
        "reaches 78.1 % [1 launch] of peak and is partly compute-bound (100 flop/B)"
    )
    assert "is compute-bound (60 % or more of the peak: Mill" in said[-1]
    depth, said = studied(grinding(1.7e-5, 128 * MIB, moved=1e4))
    assert word_roofline_point(depth.points[0], depth).text.endswith(
        " and is compute-bound (100 flop/B)"
    )
    assert "is compute-bound (60 % or more of the peak: Mill" in said[-1]
    depth, _ = studied(grinding(2e-4, 128 * MIB, moved=1e4))
    assert (
        ": limited by dependencies or its instruction mix"
        in word_roofline_point(depth.points[0], depth).text
    )


def test_who_waits() -> None:
    # a line of 64 bytes per 100 ns is 0.64 GB/s: 0.16 Gflop/s at 0.25 flop/B
    depth, said = studied(grinding(5e-3, 128 * MIB))
    assert (
        "latency-bound, at no more than 2 times the rate of dependent loads"
        in word_roofline_point(depth.points[0], depth).text
    )
    assert "1 is neither (" in said[-1]
    depth, _ = studied(grinding(1e-3, 128 * MIB))
    assert word_roofline_point(depth.points[0], depth).text.endswith(
        "limited by latency or dependencies"
    )


def test_of_what_passes_its_bound_no_sentence_speaks() -> None:
    depth, said = studied(grinding(1.25e-4, 128 * MIB))
    assert word_roofline_point(depth.points[0], depth).text == "reaches 12.5 % [1 launch] of peak"
    assert [text for text in said if "Mill" in text or "kernel" in text] == []
    context = a_room(grinding(1.25e-4, 128 * MIB))
    assert attribute(context, depth) == []


def test_what_is_reached_in_part_is_a_cause_in_part() -> None:
    depth, said = studied(grinding(4e-4, 128 * MIB))  # 2.5 of 4 Gflop/s
    assert "of peak and is partly bandwidth-bound: 62.5 % [1 launch] of the roofline" in said[1]
    depth, _ = studied(grinding(3e-4, 128 * MIB))
    assert (
        "of peak and is bandwidth-bound: 83.3 %" in word_roofline_point(depth.points[0], depth).text
    )


def test_all_of_what_a_level_gives_is_not_more_than_all() -> None:
    depth, _ = studied(grinding(2.4e-4, 128 * MIB))
    assert "bandwidth-bound: all of the roofline (0.250 flop/B" in (
        word_roofline_point(depth.points[0], depth).text
    )


@pytest.mark.parametrize(
    ("rate", "times"), [(1e9, "2.00 [1.98, 2.02]"), (2e9, ""), (8e9, "0.250 [0.248, 0.253]")]
)
def test_kernels_are_no_bound(rate: float, times: str) -> None:
    kernel = spread(
        measured(
            "works/kernels",
            "turn",
            "flop_rate",
            rate,
            unit="flop/s",
            point={"working_set_bytes": 128 * MIB},
            derived=False,
        )
    )
    speed = Reference(name="turn_speed", metric="flop_rate", regions=("turn",))
    turning = a_benchmark("works/kernels", metrics=MILL.metrics, publishes=(speed,))
    part = Contribution(kernel="turn_speed", title="turn", share=1.0)
    mill = replace(MILL, contributions=(part,))
    context = a_room(
        grinding(5e-4, 128 * MIB), rows=[*roof_rows(), kernel], benchmarks=(turning, mill)
    )
    depth, _ = analyse_node(context, METRIC, "test")
    said = [one.text for one in make_sentences(context, depth) if "kernels" in one.text]
    text = "Compared with unblocked kernels, Mill (grind) runs"
    assert said == ([f"{text} {times} times as fast (turn)."] if times else [])


def test_the_clearest_case_is_one_that_its_level_limits() -> None:
    # the other reaches a lower share of peak, but only 62 % of its bandwidth roof
    _, said = studied(grinding(2.6e-4, 128 * MIB), grinding(4e-4, 128 * MIB, case="x"))
    assert said[1].startswith(
        "On one core Mill (grind) reaches 6.01 % [1 launch] of peak and is bandwidth-bound"
    )


def test_sentences_speak_of_the_first_stack() -> None:
    series = grinding(2.5e-4, 128 * MIB)
    other = grinding(2.6e-4, 128 * MIB, toolchain="gnu-12+blis")
    _, alone = studied(series, copies_of(series, slower=1.6))
    depth, said = studied(
        series, copies_of(series, slower=1.6), other, copies_of(other, slower=4.0)
    )
    assert said == alone
    assert {place.toolchain for place in depth.points} == {"gnu-12", "gnu-12+blis"}


def test_some_of_all_cores_are_not_all() -> None:
    series = grinding(2.5e-4, 128 * MIB)
    context = a_room(series, copies_of(series, slower=1.6))
    depth, _ = analyse_node(with_losses(context), METRIC, "test")
    larger = replace(context, machine=a_machine(4))
    (*_, contention) = make_sentences(larger, depth)
    assert contention.text.startswith("Contention with 2 copies at once: a core loses up to 37.5 %")


def test_programs_are_reported_on_one_core_and_on_most() -> None:
    rows = roof_rows()
    copies = {"case": "4_copies", "ranks": 4, "options": {"star": True}}
    rows += [
        measured("memory/hierarchy", "read", "bandwidth_memory", 24e9, **copies),
        measured("compute/peak", "fma_double", "flop_rate", 256e9, derived=False, **copies),
    ]
    series = grinding(2.5e-4, 128 * MIB)
    every = (series, copies_of(series, slower=1.6), copies_of(series, n=4, slower=3.0))
    context = a_room(*every, rows=rows)
    depth, _ = analyse_node(with_losses(context), METRIC, "test")
    assert [place.cores for place in depth.points] == [1, 2, 4]
    reported = attribute(context, depth)
    assert [" at once" in one.text for one in reported] == [False, True]
    assert "4 copies" in reported[1].text


def test_contention() -> None:
    series = grinding(2.5e-4, 128 * MIB)
    _, said = studied(series, copies_of(series, slower=1.6))
    assert said[-1].startswith(
        "Contention with all 2 cores busy: a core loses up to 37.5 % [1 launch]. The largest loss "
        "is that of Mill (grind): memory gives each copy 10.0 GB/s"
    )
    _, said = studied(series, copies_of(series, slower=1.01))
    assert [text for text in said if "copies" in text or "busy" in text] == []


def test_contention_begins_with_the_largest_loss() -> None:
    """Also programs that measure shared resources, which lose most of them."""
    most = a_result(
        benchmark="memory/hierarchy",
        region="read",
        case="2_copies",
        metric=METRIC,
        median=0.46,
        unit="1",
        ranks=2,
        options={"star": True},
        derived=True,
    )
    series = grinding(2.5e-4, 128 * MIB)
    context = with_losses(a_room(series, copies_of(series, slower=1.01)))
    context = context.adding([most])
    depth, _ = analyse_node(context, METRIC, "test")
    (text,) = [one.text for one in make_sentences(context, depth) if "busy" in one.text]
    assert text.startswith("Contention with all 2 cores busy: a core loses up to 46.0 % [")
    assert ", half of 2 programs at most 0.990 % [1 launch]. The largest loss is that of" in text
    assert "that of bandwidth sweep (read)" in text
    context = with_losses(a_room(series, copies_of(series, slower=0.99)))
    context = context.adding([most])
    depth, _ = analyse_node(context, METRIC, "test")
    (said,) = [one for one in make_sentences(context, depth) if "busy" in one.text]
    assert ", half of 2 programs nothing beyond noise. The largest loss is" in said.text
    assert len(said.evidence) == 2


def test_nothing_measured_nothing_said() -> None:
    context = a_room(rows=[])
    depth, rows = analyse_node(context, METRIC, "test")
    assert (rows, make_sentences(context, depth), depth.empty) == ([], [], True)


def test_a_loss_that_another_may_equal_is_not_the_most() -> None:
    series = grinding(2.5e-4, 128 * MIB)
    alike = a_result(
        benchmark="memory/hierarchy",
        region="read",
        case="2_copies",
        metric=METRIC,
        median=0.38,
        ci_low=0.36,
        ci_high=0.4,
        unit="1",
        ranks=2,
        options={"star": True},
        derived=True,
    )
    context = with_losses(a_room(series, copies_of(series, slower=1.6)))
    context = context.adding([alike])
    depth, _ = analyse_node(context, METRIC, "test")
    (text,) = [one.text for one in make_sentences(context, depth) if "busy" in one.text]
    assert "One of the largest losses is that of bandwidth sweep (read)" in text

"""Bars of stacked figures: their order and their names."""

from __future__ import annotations

from heorot.families.npb.programs import EP
from heorot.report.figures.stacks import choose_bars, in_order, name_bars
from tests.unit.model.keys import but
from tests.unit.report.figures.pictures import drawn
from tests.unit.report.sample_breakdowns import make_breakdown, make_breakdowns


def test_problems_come_from_small_to_large_with_their_names() -> None:
    found = in_order(
        [
            make_breakdown("A_one_core", 1, 1, (1.0, 0.0, 0.0), size="A", seconds=9.0),
            make_breakdown("W_one_core", 1, 1, (1.0, 0.0, 0.0)),
            make_breakdown("A_ranks", 2, 1, (1.0, 0.0, 0.0), size="A", seconds=5.0),
            make_breakdown("W_copies", 2, 1, (1.0, 0.0, 0.0), copies=2),
        ]
    )
    assert name_bars(found) == [
        "class W, 1 rank × 1 thread",
        "class W, 2 copies",
        "class A, 1 rank × 1 thread",
        "class A, 2 ranks × 1 thread",
    ]


def test_names_are_unique_even_of_equal_layouts() -> None:
    found = [make_breakdown(case, 2, 1, (1.0, 0.0, 0.0)) for case in ("x", "y")]
    assert name_bars(found) == ["2 ranks × 1 thread, x", "2 ranks × 1 thread, y"]


def test_programs_keep_together_and_are_named() -> None:
    breakdowns = [
        but(
            make_breakdown(size, 1, 1, (1.0, 0.0, 0.0), size=size, seconds=seconds),
            benchmark=name,
        )
        for name, factor in (("npb/ep", 1.0), ("npb/cg", 0.1))
        for size, seconds in (("A", 9.0 * factor), ("W", 2.0 * factor))
    ]
    assert name_bars(in_order(breakdowns)) == [
        "npb/ep, class W",
        "npb/ep, class A",
        "npb/cg, class W",
        "npb/cg, class A",
    ]


def test_nothing_to_trust_makes_no_bars() -> None:
    passed, *_, failed = make_breakdowns()
    assert choose_bars([failed]) is None
    bars = choose_bars([failed, passed])
    assert bars
    assert (bars.names, bars.n_withheld) == (["1 rank × 1 thread"], 1)


def test_too_many_bars_are_counted() -> None:
    passed, *_ = make_breakdowns()
    many = [but(passed, case=f"c{n}") for n in range(75)]
    bars = choose_bars(many)
    assert bars
    assert (len(bars.breakdowns), len(bars.names), bars.n_beyond) == (60, 60, 15)
    drawing = drawn(EP.figures[2], breakdowns=many)
    assert drawing.omitted == "15 more bars are in the table only."

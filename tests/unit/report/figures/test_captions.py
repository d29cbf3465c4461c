"""Captions of figures: how to read them, and what they omit."""

from __future__ import annotations

import re

from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.captions import name_omitted
from tests.unit.report.figures.pictures import drawn
from tests.unit.report.sample_results import Rows, pingpong_rows

CURVE = Figure(title="t", kind="curve", metric="latency", x="bytes", x_label="size [B]")


def test_the_ends_are_named_with_their_place() -> None:
    rows = [
        Rows().make("a/b", "far_end", "latency", "s", value, point={"bytes": n}, ranks=2)
        for n, value in ((8, 1e-6), (16, 2e-6))
    ]
    summary = drawn(CURVE, rows).summary
    assert summary.startswith("Latency over size [B]: 2 values. Highest 2.0")
    assert "], far end at size 16 B, 2 ranks × 1 thread; lowest 1.0" in summary


def test_an_end_that_others_may_equal_is_nobody_s() -> None:
    """A highest value by its median only is chance, and is not attributed."""
    first, second, third = (
        Rows()
        .make("a/b", "r", "latency", "s", 1e-6, point={"bytes": n})
        .model_copy(update={"median": value, "ci_low": low, "ci_high": high})
        for n, value, low, high in ((8, 3.0, 2.0, 4.0), (16, 2.9, 2.5, 3.1), (32, 1.0, 0.9, 1.1))
    )
    summary = drawn(CURVE, [first, second, third]).summary
    assert re.search(r"Highest 3\.00 s \[2\.00[^]]*\], which another may equal; lowest", summary)
    assert "], r at size 32 B, 1 rank × 1 thread." in summary
    alike = [each.model_copy(update={"ci_low": 0.9}) for each in (first, second, third)]
    assert drawn(CURVE, alike).summary.count("which 2 others may equal") == 2


def test_one_value_has_no_lowest() -> None:
    row = Rows().make("a/b", "r", "latency", "s", 1e-6, point={"bytes": 8})
    assert "lowest" not in drawn(CURVE, [row]).summary


def test_among_programs_a_region_is_named_with_its_program() -> None:
    rows = [
        Rows().make(f"a/{name}", region, "latency", "s", value, point={"bytes": 8})
        for name, region, value in (("b", "b", 1e-6), ("c", "far", 2e-6))
    ]
    summary = drawn(CURVE, rows).summary
    assert ": 2 values of 2 programs for b, far. " in summary
    assert "], a/c far at size 8 B" in summary
    assert "], a/b at size 8 B" in summary


def test_what_a_logarithmic_axis_cannot_show_is_said() -> None:
    drawing = drawn(PINGPONG.figures[0], pingpong_rows(Rows()))
    assert all(isinstance(x, int) and x > 0 for line in drawing.lines for x in line.x)
    assert drawing.omitted.startswith(
        "Not on the logarithmic axis: size 0 B, 2 ranks × 1 thread, gnu-12+openmpi-5.0.11, "
    )


def test_many_lost_values_are_counted_and_named_with_their_program() -> None:
    lost = [Rows().make(f"a/b{i}", "r", "latency", "s", 1e-6, point={"bytes": 0}) for i in range(5)]
    text = name_omitted(2, lost, 1)
    assert text.startswith("2 values not drawn: verification failed, or above the bound; ")
    assert [f"axis: a/b{i}, size 0 B" in text for i in range(5)] == [True] * 3 + [False] * 2
    assert text.endswith("2 more, see the table; 1 more panel is in the table only.")


def test_nothing_left_out_is_nothing_said() -> None:
    assert name_omitted(0, [], 0) == ""

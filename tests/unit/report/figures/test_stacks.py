"""Stacked figures of the parts of a body's time, and the tables behind them."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from heorot.model.analysis.breakdown import Breakdown
from heorot.model.catalogue.benchmark import Figure
from heorot.report.figures.axis import value_axis
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.plotly import plotly_figure
from heorot.report.figures.stacks import draw_stacks, in_order, name_bars
from heorot.report.figures.svg import static_figure
from heorot.report.render import has_ceiling, key_pattern
from heorot.report.tables.breakdowns import breakdown_tables
from heorot.report.tables.table import Allowance
from tests.unit.report.sample_breakdowns import HOSTILE_PHASE, make_breakdown, make_breakdowns

SHARES = Figure(title="Shares", kind="shares")
PHASES = Figure(title="Phases", kind="phases")
SVG = "{http://www.w3.org/2000/svg}"


def drawn(figure: Figure, breakdowns: tuple[Breakdown, ...] | None = None) -> Drawing:
    drawing = draw_stacks(figure, breakdowns or make_breakdowns(), "f")
    assert drawing is not None
    return drawing


def svg_of(drawing: Drawing) -> ET.Element:
    text = str(static_figure(drawing)).replace(
        "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1
    )
    return ET.fromstring(text)  # noqa: S314 - our own picture


def test_shares_of_a_bar_add_up_to_one() -> None:
    drawing = drawn(SHARES)
    for i in range(len(drawing.ends)):
        assert sum(line.y[i] for line in drawing.lines) == pytest.approx(1.0)


def test_parts_can_be_told_apart_without_colours() -> None:
    drawing = drawn(SHARES)
    assert len({line.pattern for line in drawing.lines}) == 3
    assert len({line.style for line in drawing.lines}) == 3
    assert [key_pattern(drawing, style) for _, style in drawing.keys] == ["", "dots", "lines"]


def test_what_failed_is_not_drawn_and_said_so() -> None:
    drawing = drawn(SHARES)
    assert drawing.lines[0].x == ("1 rank × 1 thread", "2 ranks × 1 thread", "1 rank × 2 threads")
    assert drawing.omitted == "1 bar not drawn: verification failed."
    assert draw_stacks(SHARES, [make_breakdowns()[-1]], "f") is None
    assert draw_stacks(SHARES, [], "f") is None


def test_the_time_of_a_body_stands_at_its_end() -> None:
    assert drawn(SHARES).ends == ("2.00 s", "1.20 s", "1.10 s")
    assert plotly_figure(drawn(SHARES))["ends"] == ["2.00 s", "1.20 s", "1.10 s"]


def test_the_summary_has_the_worst_bar_in_words() -> None:
    summary = drawn(SHARES).summary
    assert "3 bars" in summary
    assert "Least computing: 70.0 %, with 12.0 % waiting and 18.0 % communicating" in summary
    assert summary.endswith("2 ranks × 1 thread.")


def test_phases_have_a_colour_and_their_communication_a_pattern() -> None:
    drawing = drawn(PHASES)
    found = [(line.name, line.style, line.pattern) for line in drawing.lines]
    assert found == [
        ("pairs", 0, ""),
        (HOSTILE_PHASE, 1, ""),
        (f"{HOSTILE_PHASE}, communicating", 1, "lines"),
        ("rest", 7, ""),
    ]
    assert drawing.keys == (("pairs", 0), (HOSTILE_PHASE, 1), ("rest", 7))
    assert key_pattern(drawing, 1) == ""
    assert drawing.lines[0].texts[1] == "56.0 %, 672 ms"


def test_more_phases_than_colours_are_the_rest() -> None:
    phases = tuple((f"p{i}", 0.01 * (i + 1), 0.0) for i in range(12))
    drawing = drawn(PHASES, (make_breakdown("c", 2, 1, (0.78, 0.22, 0.0), phases=phases),))
    assert [name for name, _ in drawing.keys] == [
        "p5",
        "p6",
        "p7",
        "p8",
        "p9",
        "p10",
        "p11",
        "rest",
    ]
    assert drawing.lines[-1].y[0] == pytest.approx(0.01 * (1 + 2 + 3 + 4 + 5))
    assert sum(line.y[0] for line in drawing.lines) == pytest.approx(0.78)


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


def test_the_axis_goes_to_the_whole() -> None:
    axis = value_axis(drawn(PHASES), 6)
    assert (axis.low, axis.high) == (0.0, 1.0)
    assert [text for _, text in axis.ticks][-1] == "100 %"
    assert not has_ceiling(drawn(PHASES))


def test_plotly_gets_one_trace_for_each_part() -> None:
    figure = plotly_figure(drawn(SHARES))
    assert (figure["kind"], figure["nBars"]) == ("shares", 3)
    assert [trace["meta"]["pattern"] for trace in figure["traces"]] == ["", "dots", "lines"]
    assert all(trace["y"] == [0, 1, 2] for trace in figure["traces"])
    assert figure["traces"][0]["meta"]["disturbed"] == [False, True, False]
    phases = plotly_figure(drawn(PHASES))
    assert "<img" not in str(phases)


def test_the_picture_has_every_segment_in_its_place() -> None:
    picture = svg_of(drawn(SHARES))
    segments = [r for r in picture.iter(f"{SVG}rect") if "segment" in r.attrib["class"]]
    patterns = [r for r in picture.iter(f"{SVG}rect") if "pattern" in r.attrib["class"]]
    assert (len(segments), len(patterns)) == (9, 6)
    second = segments[3:6]
    whole = float(segments[0].attrib["width"])
    widths = [float(each.attrib["width"]) for each in second]
    assert [width / whole for width in widths] == pytest.approx([0.7, 0.12, 0.18], abs=1e-3)
    starts = [float(each.attrib["x"]) for each in second]
    assert starts[1] == pytest.approx(starts[0] + widths[0], abs=0.2)
    assert all("hollow" in each.attrib["class"] for each in second)


def test_tables_hold_all_and_mark_what_failed() -> None:
    shares, phases = breakdown_tables("t", "npb/ep", make_breakdowns(), Allowance(), "export")
    assert [row.tone for row in shares.rows].count("bad") == 1
    assert len(shares.rows) == 4
    assert len(phases.rows) == 12
    assert shares.rows[1].cells[0].text == "2 ranks × 1 thread, disturbed"
    assert shares.rows[3].cells[0].text == "2 copies, check failed"
    assert shares.rows[1].cells[4].text == "18.0 % [17.1, 18.9]"
    assert {len(row.cells) for row in shares.rows} == {len(shares.columns)}
    assert {len(row.cells) for row in phases.rows} == {len(phases.columns)}
    assert breakdown_tables("t", "npb/ep", (), Allowance(), "export") == ()

"""What the figures show: lines, panels, axes, and what they leave out."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.families.compute.peak import PEAK
from heorot.families.compute.vector_kernels import VECTOR_KERNELS
from heorot.families.memory.stream import STREAM
from heorot.families.messages.pingpong import PINGPONG
from heorot.families.npb.programs import EP
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Figure
from heorot.report.figures.axis import common_ceiling, coordinate_axis, value_axis
from heorot.report.figures.drawing import MAXIMUM_LINES, Drawing, draw
from heorot.report.figures.plotly import plotly_figure
from heorot.report.figures.svg import static_figure
from tests.unit.report.sample_results import (
    ACCESS,
    OPERATIONS,
    PEAK_FLOPS,
    Rows,
    ep_rows,
    peak_rows,
    pingpong_rows,
    stream_rows,
    vector_rows,
)


def drawn(figure: Figure, rows: object) -> Drawing:
    drawing = draw(figure, list(rows), "f")  # type: ignore[call-overload]
    assert drawing is not None
    return drawing


@pytest.fixture
def vectors() -> Drawing:
    return drawn(VECTOR_KERNELS.figures[0], vector_rows(Rows()))


def test_many_lines_become_panels_of_few(vectors: Drawing) -> None:
    assert [panel.title for panel in vectors.panels] == list(OPERATIONS)
    assert [name for name, _ in vectors.keys] == list(ACCESS)
    assert max(len(panel.lines) for panel in vectors.panels) <= MAXIMUM_LINES


def test_every_ranked_row_is_drawn_once_and_no_other(vectors: Drawing) -> None:
    rows = [row for row in vector_rows(Rows()) if row.metric == "flop_rate"]
    assert sum(len(line.x) for line in vectors.lines) == sum(row.ranked for row in rows)
    withheld = sum(not row.ranked for row in rows)
    assert withheld > 0
    assert vectors.omitted.startswith(f"{withheld} values not drawn")


def test_equal_style_means_equal_line_in_all_panels(vectors: Drawing) -> None:
    styles = dict(vectors.keys)
    assert all(line.style == styles[line.name] for line in vectors.lines)


def test_curves_are_sorted_by_their_coordinate(vectors: Drawing) -> None:
    assert all(list(line.x) == sorted(line.x, key=float) for line in vectors.lines)


def test_disturbed_points_are_marked(vectors: Drawing) -> None:
    marked = {line.name for line in vectors.lines if any(line.disturbed)}
    assert marked == {"contiguous"}
    traces = plotly_figure(vectors)["traces"]
    symbols = [t["marker"]["symbol"] for t in traces if isinstance(t["marker"]["symbol"], list)]
    assert any("circle-open" in each for each in symbols)
    assert "ring" in static_figure(vectors)


def test_what_a_logarithmic_axis_cannot_show_is_said() -> None:
    drawing = drawn(PINGPONG.figures[0], pingpong_rows(Rows()))
    assert all(min(line.x) > 0 for line in drawing.lines)  # type: ignore[operator]
    assert "No place on a logarithmic axis for size 0 B" in drawing.omitted


def test_undeclared_dimensions_keep_points_apart() -> None:
    figure = PINGPONG.figures[0].model_copy(update={"series": ("region",)})
    drawing = drawn(figure, pingpong_rows(Rows()))
    assert [name for name, _ in drawing.keys] == ["gnu-12+openmpi-5.0.11", "gnu-12+mpich-5.0.2"]
    assert all(len(set(line.x)) == len(line.x) for line in drawing.lines)


def test_bars_of_a_single_region_are_named_by_layout() -> None:
    drawing = drawn(EP.figures[0], ep_rows(Rows()))
    assert [line.x for line in drawing.lines] == [
        ("1 rank × 1 thread", "2 ranks × 1 thread", "1 rank × 2 threads")
    ]


def test_bars_start_at_zero_and_hold_their_ceilings() -> None:
    drawing = drawn(STREAM.figures[0], stream_rows(Rows()))
    axis = value_axis(drawing, 7)
    limits = [c for line in drawing.lines for c in line.ceilings if c is not None]
    assert axis.low == 0.0
    assert axis.high > max(limits)
    assert plotly_figure(drawing)["nBars"] == 12


def test_common_ceiling_only_if_all_have_it() -> None:
    exact = [
        row.model_copy(update={"share_of_ceiling": row.median / PEAK_FLOPS})
        for row in vector_rows(Rows())
    ]
    drawing = drawn(VECTOR_KERNELS.figures[0], exact)
    assert common_ceiling(drawing) == pytest.approx(PEAK_FLOPS)
    assert plotly_figure(drawing)["ceiling"] == pytest.approx(PEAK_FLOPS)
    assert common_ceiling(drawn(PINGPONG.figures[0], pingpong_rows(Rows()))) is None


def test_nothing_to_draw_is_no_figure() -> None:
    failed = [row.model_copy(update={"verified": "failed"}) for row in peak_rows(Rows())]
    assert draw(PEAK.figures[0], failed, "f") is None
    assert draw(PEAK.figures[0], [], "f") is None


def test_hostile_names_are_text_in_both_drawings() -> None:
    rows = [
        row.model_copy(update={"region": f"<img src=x onerror=alert({i})>"})
        for i, row in enumerate(peak_rows(Rows()))
    ]
    drawing = drawn(PEAK.figures[0], rows)
    assert "<img" not in str(static_figure(drawing))
    assert "<img" not in str(plotly_figure(drawing))


@pytest.mark.parametrize(
    ("figure", "rows"),
    [
        (PEAK.figures[0], peak_rows),
        (VECTOR_KERNELS.figures[0], vector_rows),
        (STREAM.figures[0], stream_rows),
        (PINGPONG.figures[0], pingpong_rows),
        (PINGPONG.figures[1], pingpong_rows),
        (EP.figures[0], ep_rows),
    ],
)
def test_static_pictures_are_well_formed_and_inside_their_frame(
    figure: Figure, rows: object
) -> None:
    drawing = drawn(figure, rows(Rows()))  # type: ignore[operator]
    picture = ET.fromstring(str(static_figure(drawing)))  # noqa: S314 (our own)
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    assert picture.attrib["aria-label"] == drawing.summary
    texts = picture.findall("text")
    assert texts
    for text in texts:
        assert 0 <= float(text.attrib["x"]) <= width
        assert 0 <= float(text.attrib["y"]) <= height
    lines = picture.findall("polyline")
    assert len(lines) == (len(drawing.lines) if figure.kind == "curve" else 0)
    for line in lines:
        for point in line.attrib["points"].split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height


@given(
    low=st.floats(1e-9, 1e9),
    factor=st.floats(1.001, 1e9),
    log_y=st.booleans(),
    n_ticks=st.integers(3, 10),
)
def test_axes_have_few_ticks_inside_their_ends(
    low: float, factor: float, log_y: bool, n_ticks: int
) -> None:
    figure = Figure(title="t", kind="curve", metric="m", x="bytes", log_x=True, log_y=log_y)
    rows = Rows()
    results = [
        rows.make("a/b", "r", "m", "s", value, point={"bytes": size})
        for value, size in ((low, 1), (low * factor, 1 << 20))
    ]
    drawing = drawn(figure, results)
    for axis in (coordinate_axis(drawing, n_ticks), value_axis(drawing, n_ticks)):
        assert 1 <= len(axis.ticks) <= n_ticks + 1
        assert all(-1e-6 <= axis.place(value) <= 1 + 1e-6 for value, _ in axis.ticks)
        assert len({text for _, text in axis.ticks}) == len(axis.ticks)
    places = [value_axis(drawing, n_ticks).place(row.median) for row in results]
    assert all(0 <= place <= 1 and math.isfinite(place) for place in places)


def scaled(ranks: int, threads: int, rate: float) -> Result:
    size = "A" if rate > 1e9 else "W"
    return Rows().make(
        "npb/ep", "ep", "operation_rate", "op/s", rate * ranks * threads, ranks=ranks,
        threads=threads, case=f"{size}_{ranks}x{threads}", point={"class": size},
    )  # fmt: skip


def test_rates_over_the_cores_have_a_line_for_every_way() -> None:
    figure = next(each for each in EP.figures if each.x == "cores")
    layouts = ((1, 1), (2, 1), (4, 1), (1, 4), (2, 2))
    rows = [scaled(*layout, rate) for rate in (2e9, 1e8) for layout in layouts]
    drawing = drawn(figure, rows)
    lines = {line.name: line.x for line in drawing.lines}
    assert lines["A, ranks"] == lines["W, ranks"] == (1, 2, 4)
    assert lines["A, threads"] == lines["A, ranks of 2 threads"] == (4,)
    assert draw(figure, [row for row in rows if row.cores < 4], "f") is None


def test_copies_are_a_layout_of_their_own() -> None:
    alone = next(row for row in ep_rows(Rows()) if row.metric == "operation_rate")
    copies = alone.model_copy(update={"ranks": 2, "case": "W_copies", "options": {"star": True}})
    drawing = drawn(EP.figures[0], [alone, copies])
    assert drawing.lines[0].x == ("1 rank × 1 thread", "2 copies")

"""Figures of several systems: a colour for each in all of them, rows that meet by cores."""

from __future__ import annotations

import pytest

from heorot.families.memory.stream import STREAM
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.families.npb.programs import EP
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.courses import Crossing
from heorot.model.analysis.studies.systems import MOST_SYSTEMS
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.show import write_picture
from heorot.report.systems.courses import draw_courses
from heorot.report.systems.figures import draw, draw_advantages, draw_families
from tests.unit.analyse.synthesis import SOME_FAMILIES
from tests.unit.report.systems.sample_systems import make_systems, on_more_nodes

OVER_CORES = next(figure for figure in EP.figures if figure.kind == "inside")


def drawn(figure: Figure, rows: list[Result], n: int = 3) -> Drawing:
    drawing = draw(figure, rows, make_systems(n)[0].labels, "figure")
    assert drawing is not None
    return drawing


def rows_of(benchmark: str, n: int = 3) -> list[Result]:
    return [row for row in make_systems(n)[1] if row.benchmark == benchmark]


@pytest.mark.parametrize("n", [3, pytest.param(MOST_SYSTEMS, marks=pytest.mark.slow)])
def test_a_system_has_its_colour_in_every_figure(n: int) -> None:
    side, rows = make_systems(n)
    families = draw_families(SOME_FAMILIES, rows, side.labels)
    drawings = [each for _, found in families for each in found]
    assert len(drawings) > 4
    for drawing in drawings:
        assert drawing.keys == tuple((label, i) for i, label in enumerate(side.labels))
        assert {(line.name, line.style) for line in drawing.lines} == set(drawing.keys)


def test_pingpong_has_a_line_for_each_system_on_logarithmic_axes() -> None:
    (figure, *_) = PINGPONG.figures
    drawing = drawn(figure, rows_of("messages/pingpong"))
    assert figure.log_x
    assert figure.log_y
    for panel in drawing.panels:
        assert len(panel.lines) == 3
    first = drawing.panels[0].lines[0]
    values = {
        row.point["bytes"]: row.median
        for row in rows_of("messages/pingpong")
        if row.system == first.name and row.region == "pingpong" and row.metric == figure.metric
    }
    assert dict(zip(first.x, first.y, strict=True)) == {x: values[x] for x in first.x}


def test_values_without_a_place_on_a_logarithmic_axis_are_named_with_their_system() -> None:
    (figure, *_) = PINGPONG.figures
    rows = rows_of("messages/pingpong")
    first = [row for row in rows if row.point["bytes"] == rows[0].point["bytes"]]
    empty = [
        row.model_copy(update={"key": row.key.but(point=row.point | {"bytes": 0})}) for row in first
    ]
    text = drawn(figure, [*rows, *empty]).omitted
    assert "size 0 B, system " in text
    assert ", cores used 2 ranks, " in text


def test_bars_lie_beside_each_other_by_operation() -> None:
    drawing = drawn(STREAM.figures[0], rows_of("memory/stream"))
    assert {"copy", "scale", "add", "triad"} <= set(drawing.bars)
    assert [panel.title for panel in drawing.panels] == ["1 rank", "2 threads"]
    assert str(write_picture(drawing)).count('class="bar"') == sum(
        len(line.x) for line in drawing.lines
    )


def test_rows_of_other_layouts_meet_by_cores() -> None:
    """One box of several cores and the same number of boxes with one core."""
    rows = rows_of("npb/ep")
    first, *others = make_systems(3)[0].labels
    boxes = on_more_nodes([row for row in rows if row.system != first])
    figure = OVER_CORES.model_copy(update={"least_values": 2})
    drawing = drawn(figure, [*(row for row in rows if row.system == first), *boxes])
    (ranks,) = [panel for panel in drawing.panels if "ranks" in panel.title]
    assert [line.name for line in ranks.lines] == [first, *others]
    assert {line.x for line in ranks.lines} == {(1, 2)}


def test_of_several_layouts_the_one_on_fewest_nodes_is_drawn_and_the_others_are_counted() -> None:
    rows = rows_of("npb/ep")
    figure = OVER_CORES.model_copy(update={"least_values": 2})
    plain = drawn(figure, rows)
    spread = [row for row in on_more_nodes(rows) if row.nodes > 1 and row.metric == figure.metric]
    both = drawn(figure, [*spread, *rows])
    assert [line.y for line in both.lines] == [line.y for line in plain.lines]
    assert f"{len(spread)} values on more or other nodes" in both.omitted


def test_of_nodes_by_themselves_the_middle_one_is_drawn_and_no_pair_of_nodes() -> None:
    rows = rows_of("memory/stream")
    first = make_systems(3)[0].labels[0]
    mine = [row for row in rows if row.system == first]
    nodes = [
        row.model_copy(
            update={
                "key": row.key.but(point=row.point | where),
                **{name: factor * getattr(row, name) for name in ("median", "ci_low", "ci_high")},
            }
        )
        for where, factor in (
            ({"node": "n1"}, 0.5),
            ({"node": "n2"}, 1.0),
            ({"node": "n3"}, 1.5),
            ({"pair": "n1/n2"}, 9.0),
        )
        for row in mine
    ]
    figure = STREAM.figures[0]
    plain = drawn(figure, rows)
    apart = drawn(figure, [*nodes, *(row for row in rows if row.system != first)])
    assert [line.y for line in apart.lines] == [line.y for line in plain.lines]
    assert [panel.title for panel in apart.panels] == [panel.title for panel in plain.panels]


def test_what_only_one_system_has_is_no_figure() -> None:
    side, rows = make_systems(3)
    alone = [row for row in rows if row.system == side.labels[0]]
    assert draw(STREAM.figures[0], alone, side.labels, "x") is None


def test_the_advantage_has_a_panel_for_each_problem_and_a_line_for_each_other_system() -> None:
    side, _ = make_systems(3)
    drawing = draw_advantages(side)
    assert drawing is not None
    ep = next(panel for panel in drawing.panels if panel.title.startswith("npb/ep class A, ranks"))
    assert [line.style for line in ep.lines] == [1, 2]
    # Slower by a tenth and by two, whatever the cores.
    assert ep.lines[0].y[0] == pytest.approx(-0.1, abs=0.03)
    assert "npb/ep" in drawing.panels[-1].title
    assert str(write_picture(drawing)).startswith("<svg")


def test_courses_have_a_panel_for_each_quantity_and_a_line_for_each_other_system() -> None:
    side, _ = make_systems(3)
    by_size = next(one for one in draw_courses(side) if one.figure.x == "bytes")
    assert by_size.figure.log_x
    assert by_size.keys == tuple((label, i) for i, label in enumerate(side.labels) if i)
    panel = next(one for one in by_size.panels if one.title.startswith("messages/pingpong"))
    assert [(line.name, line.style) for line in panel.lines] == [*by_size.keys]
    course = next(
        one for one in side.comparisons[0].courses if panel.title.startswith(one.benchmark)
    )
    assert panel.lines[0].x == tuple(point.at for point in course.points if point.at > 0.0)
    assert len(by_size.panels) <= 24
    assert str(write_picture(by_size)).startswith("<svg")


def test_quantities_whose_better_side_changes_are_drawn_first() -> None:
    side, _ = make_systems(3)
    first, second = side.comparisons
    *others, last = first.courses
    turned = last.model_copy(
        update={"crossings": (Crossing(below=8.0, above=16.0, better_above="B"),)}
    )
    changed = first.model_copy(update={"courses": (*others, turned)})
    drawings = draw_courses(side.model_copy(update={"comparisons": (changed, second)}))
    mine = next(one for one in drawings if one.figure.x == last.coordinate)
    assert mine.panels[0].title.startswith(f"{last.benchmark} ")
    assert last.setup.layout in mine.panels[0].title

"""The roofline: roofs, points, and labels that hide neither."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from heorot.model.analysis.node_roofline.node_roofline import NodeRoofline
from heorot.model.analysis.node_roofline.roofs import RooflinePoint
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.kinds.roofline import numbered
from heorot.report.figures.show import draw, kind_of, write_picture
from heorot.report.figures.svg.labels import Spot, place_labels
from tests.unit.analyse.node_roofline.synthetic_node import FEEDS, PEAK
from tests.unit.model.keys import but
from tests.unit.report.figures.pictures import of_class, picture_of, tips, visible_text
from tests.unit.report.sections.node_roofline.deep_node import ALONE, analysis_of

FIGURE = Figure(title="Roofline", kind="roofline", x="intensity", log_x=True, log_y=True)


def a_roofline() -> Drawing:
    depth, _ = analysis_of(*ALONE)
    places = tuple(
        place.model_copy(update={"headline": True}) for place in depth.points if place.cores == 1
    )
    drawing = draw(FIGURE, Material(depth=NodeRoofline(roofs=depth.roofs[:1], points=places)), "r")
    assert drawing is not None
    return drawing


def test_places_that_may_be_as_near_to_their_bounds_are_not_named() -> None:
    depth, _ = analysis_of(*ALONE)
    one = next(place for place in depth.points if place.cores == 1)
    rate = one.rate
    wide = rate.model_copy(update={"low": 0.9 * rate.median, "high": 1.1 * rate.median})
    changes = {"headline": True, "rate": wide, "n_launches": 3}
    pair = [but(one, region=name, **changes) for name in ("a", "b")]
    drawing = draw(
        FIGURE, Material(depth=NodeRoofline(roofs=depth.roofs[:1], points=tuple(pair))), "r"
    )
    assert drawing is not None
    assert drawing.summary.count("], which another may equal") == 2


def test_every_level_slopes_until_the_units_are_the_limit() -> None:
    drawing = a_roofline()
    roofs = {line.name: line for line in drawing.lines if line.shape == "bare"}
    memory = roofs["memory, up to 16.0 GB/s (read, all traffic)"]
    assert memory.x[1] == pytest.approx(PEAK / FEEDS["memory"])
    assert memory.y[1] == pytest.approx(PEAK)
    assert memory.y[0] == pytest.approx(FEEDS["memory"] * float(memory.x[0]))
    flat = [line for line in drawing.lines if line.labels and line.shape == "bare"]
    assert [(line.labels[1], line.y) for line in flat] == [
        ("vectors of 64 bytes", (PEAK, PEAK)),
        ("vectors of 32 bytes", (PEAK / 2, PEAK / 2)),
        ("vectors of 16 bytes", (PEAK / 4, PEAK / 4)),
    ]
    assert [style for _, style in drawing.keys] == [0, 1, 2, 3, 4, 7]


def test_points_have_the_style_of_their_level_and_a_number() -> None:
    drawing = a_roofline()
    points = {line.style: line for line in drawing.lines if line.shape == ""}
    assert set(points) == {0, 3}  # one in L1, two in memory
    assert sorted(label for line in points.values() for label in line.labels) == ["1", "2", "3"]
    assert (
        points[0]
        .texts[0]
        .endswith("0.250 flop/B, 10.0 Gflop/s [1 launch], 15.6 % [1 launch] of its bound")
    )
    assert "Numbers: see the table." in kind_of(drawing).read(drawing)
    assert drawing.summary.startswith("3 problems on 1 core below a peak of 64.0 Gflop/s")


def test_numbers_follow_the_intensity() -> None:
    depth, _ = analysis_of(*ALONE)
    places = [place.model_copy(update={"headline": True}) for place in depth.points]
    intensities = [place.intensity for _, place in numbered(places)]
    assert intensities == sorted(intensities)
    assert [number for number, _ in numbered(places)] == [1, 2, 3]


def test_the_picture_for_paper_is_whole() -> None:
    text = str(write_picture(a_roofline()))
    tree = ET.fromstring(text)  # noqa: S314 - our own text
    assert tree.tag == "svg"
    assert text.count("<polyline") == 4 + 3 + 1 + 3
    assert "memory, up to 16.0 GB/s (read, all traffic)" in text
    assert len(re.findall(r'class="curve m\d"', text)) == 3


def test_roofs_have_no_markers_and_points_a_number_and_words() -> None:
    drawing = a_roofline()
    picture = picture_of(drawing)
    roofs = [each for each in of_class(picture, "curve") if each.attrib["class"] == "curve"]
    assert len(roofs) == 8
    assert sorted(map(visible_text, of_class(picture, "bar-value"))) == ["1", "2", "3"]
    words = {text for line in drawing.lines for text in line.texts}
    assert words <= set(tips(picture))
    assert "vectors of 64 bytes" in tips(picture)
    assert "memory, up to 16.0 GB/s (read, all traffic)" in tips(picture)


def drawn_with(*places: RooflinePoint) -> Drawing:
    """Points below the roofs of one core."""
    depth, _ = analysis_of(*ALONE)
    shown = tuple(place.model_copy(update={"headline": True}) for place in places)
    drawing = draw(FIGURE, Material(depth=NodeRoofline(roofs=depth.roofs[:1], points=shown)), "r")
    assert drawing is not None
    return drawing


def test_without_roofs_there_is_no_figure() -> None:
    depth, _ = analysis_of(*ALONE)
    assert draw(FIGURE, Material(), "r") is None
    assert draw(FIGURE, Material(depth=NodeRoofline(points=depth.points)), "r") is None


def test_roofs_are_drawn_without_points() -> None:
    drawing = drawn_with()
    assert len([line for line in drawing.lines if line.shape == "bare"]) == 4 + 3 + 1
    assert all(float(line.x[0]) < float(line.x[-1]) for line in drawing.lines)
    assert drawing.summary == (
        "Of 1 core a peak of 64.0 Gflop/s and 4 bandwidths; no problem that stands for a program "
        "was placed below them."
    )
    assert "Numbers" not in kind_of(drawing).read(drawing)
    assert "<svg" in str(write_picture(drawing))


def test_every_style_has_a_key() -> None:
    depth, _ = analysis_of(*ALONE)
    place = depth.points[0]
    blind = place.model_copy(update={"level": ""})
    elsewhere = place.model_copy(update={"level": "L4"})
    keys = dict(drawn_with(place, blind).keys)
    assert keys["level unknown"] == 5
    assert "level unknown" not in dict(drawn_with(place).keys)
    assert dict(drawn_with(elsewhere).keys)["L4, bandwidth not measured"] == 5


def test_what_memory_moved_is_a_ring_beside_the_point() -> None:
    depth, _ = analysis_of(*ALONE)
    place = depth.points[0]
    moved = place.model_copy(update={"measured_intensity": 2.0 * place.intensity})
    drawing = drawn_with(moved, depth.points[1])
    (ring,) = [line for line in drawing.lines if line.shape == "hollow"]
    (point,) = [line for line in drawing.lines if line.shape == "" and line.style == ring.style]
    assert ring.x == (2.0 * place.intensity,)
    assert (ring.y, ring.labels) == (point.y, point.labels)
    assert ring.texts[0].endswith("0.500 flop/B by measured memory traffic")
    assert "Rings with a dot" in kind_of(drawing).read(drawing)
    assert "Rings" not in kind_of(drawn_with(place)).read(drawn_with(place))
    assert 'r="4"' in str(write_picture(drawing))


def test_points_say_which_toolchain_built_them() -> None:
    depth, _ = analysis_of(*ALONE)
    other = but(depth.points[0], toolchain="clang")
    (line,) = [line for line in drawn_with(other).lines if line.shape == ""]
    assert "works/mill grind, clang in memory" in line.texts[0]


def test_labels_move_out_of_the_way() -> None:
    ((first, second),) = place_labels([[Spot(100.0, 100.0, "12"), Spot(104.0, 98.0, "13")]])
    assert first != second
    ((alone,),) = place_labels([[Spot(10.0, 10.0, "1")]])
    assert alone == ("start", 7.0, -3.0)


def test_where_everything_is_taken_a_label_stands_where_it_would() -> None:
    crowd = [Spot(100.0 + i % 3, 100.0 + i // 3, "99") for i in range(9)]
    (placed,) = place_labels([crowd])
    assert placed[-1] == ("start", 7.0, -3.0)

"""Plateaus under curves."""

from __future__ import annotations

from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw, kind_of
from tests.unit.analyse.node_roofline.synthetic_node import KIB
from tests.unit.report.figures.pictures import of_class, picture_of, tips
from tests.unit.report.sections.node_roofline.deep_node import SWEEP, analysis_of

FIGURE = Figure(
    title="Speed",
    kind="curve",
    metric="flop_rate",
    regions=("sweep",),
    x="working_set_bytes",
    log_x=True,
    log_y=True,
)


def a_curve(*, marked: bool = True, x: str = FIGURE.x) -> Drawing:
    depth, rows = analysis_of(*SWEEP)
    figure = FIGURE.model_copy(update={"x": x})
    drawing = draw(figure, Material(rows, depth=depth if marked else None), "c")
    assert drawing is not None
    return drawing


def test_a_broad_stroke_lies_under_each_plateau() -> None:
    drawing = a_curve()
    strokes = [line for line in drawing.lines if line.shape == "wide"]
    assert [(line.x, line.y[0]) for line in strokes] == [
        ((4 * KIB, 512 * KIB), 1e10),
        ((1024 * KIB, 128 * 1024 * KIB), 1e9),
    ]
    assert drawing.lines.index(strokes[0]) == 0
    assert strokes[0].texts[0] == "L2, 4 KiB to 512 KiB: 10.0 Gflop/s"
    assert kind_of(drawing).read(drawing).endswith("Broad strokes: plateaus.")


def test_the_picture_has_the_strokes_and_their_words() -> None:
    drawing = a_curve()
    picture = picture_of(drawing)
    assert len(of_class(picture, "plateau")) == 2
    assert "L2, 4 KiB to 512 KiB: 10.0 Gflop/s" in tips(picture)


def test_without_plateaus_a_curve_is_what_it_was() -> None:
    drawing = a_curve(marked=False)
    assert all(not line.shape for line in drawing.lines)
    assert "plateaus" not in kind_of(drawing).read(drawing)

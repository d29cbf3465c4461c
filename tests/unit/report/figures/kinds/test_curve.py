"""Curves: lines and panels, sorted, marked where perturbed, in equal styles."""

from __future__ import annotations

import re

import pytest

from heorot.families.compute.vectors.vector_kernels import VECTOR_KERNELS
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.families.npb.programs import EP
from heorot.model.analysis.result import Result
from heorot.model.catalogue.labels import label_of
from heorot.report.figures.axis import Axis
from heorot.report.figures.dimensions import MAXIMUM_LINES
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from heorot.report.figures.svg.curves import frame
from heorot.report.figures.text import text_width
from tests.unit.report.figures.pictures import drawn, of_class, picture_of, tips
from tests.unit.report.sample_results import (
    ACCESS,
    OPERATIONS,
    Rows,
    pingpong_rows,
    vector_rows,
)


@pytest.fixture(scope="module")
def vectors() -> Drawing:
    return drawn(VECTOR_KERNELS.figures[0], vector_rows(Rows()))


def test_many_lines_become_panels_of_few(vectors: Drawing) -> None:
    assert [panel.title for panel in vectors.panels] == [label_of(each) for each in OPERATIONS]
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
    curves = [
        (group.attrib["class"], each.attrib["class"])
        for group in picture_of(vectors).iter("g")
        for each in group
        if each.tag == "polyline"
    ]
    assert curves == [(f"s{line.style}", f"curve m{line.style}") for line in vectors.lines]


def test_curves_are_sorted_by_their_coordinate(vectors: Drawing) -> None:
    assert all(list(line.x) == sorted(line.x, key=float) for line in vectors.lines)


def test_disturbed_points_are_marked(vectors: Drawing) -> None:
    marked = {line.name for line in vectors.lines if any(line.perturbed)}
    assert marked == {"contiguous"}
    n_marked = sum(sum(line.perturbed) for line in vectors.lines)
    picture = picture_of(vectors)
    assert len(of_class(picture, "ring")) == n_marked
    assert sum(text.endswith("] perturbed") for text in tips(picture)) == n_marked


def test_the_picture_has_a_curve_and_a_title_for_each(vectors: Drawing) -> None:
    picture = picture_of(vectors)
    assert picture.attrib["aria-labelledby"] == f"fig-{vectors.id}-summary"
    assert len(of_class(picture, "curve")) == len(vectors.lines)
    titles = [title.text for title in of_class(picture, "panel-title")]
    assert titles == [panel.title for panel in vectors.panels]


def test_undeclared_dimensions_keep_points_apart() -> None:
    figure = PINGPONG.figures[0].model_copy(update={"series": ("region",)})
    drawing = drawn(figure, pingpong_rows(Rows()))
    assert [name for name, _ in drawing.keys] == ["gnu-12+openmpi-5.0.11", "gnu-12+mpich-5.0.2"]
    assert all(len(set(line.x)) == len(line.x) for line in drawing.lines)


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
    assert draw(figure, Material([row for row in rows if row.cores < 4]), "f") is None


def test_ticks_of_panels_side_by_side_keep_to_their_panels() -> None:
    axis = Axis("log", 4.5, 8.2, ((32768.0, "32 KiB"), (134217728.0, "128 MiB")))
    rates = Axis("linear", 0.0, 1.0, ())
    boxes = [(100.0, 20.0, 200.0, 100.0), (312.0, 20.0, 200.0, 100.0)]
    left = "".join(frame(boxes[0], axis, rates, end=306.0))
    right = "".join(frame(boxes[1], axis, rates, with_y=False))
    ends = [
        float(x) + side * 0.5 * text_width(text)
        for part, text, side in ((left, "128 MiB", 1), (right, "32 KiB", -1))
        for x in re.findall(rf'x="([\d.]+)"[^>]*>{text}<', part)
    ]
    assert len(ends) == 2
    assert ends[0] - 0.1 <= 306.0 <= ends[1] + 0.1

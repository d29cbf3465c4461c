"""The map of pairs: best and worst fields, numbers where there is room, and its frame."""

from __future__ import annotations

import pytest

from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw, kind_of, write_picture
from tests.unit.analyse.builders import a_result
from tests.unit.report.figures.pictures import drawn, of_class, picture_of, visible_text

PAIRS = Figure(
    title="a line",
    kind="matrix",
    metric="transfer_time",
    x="to_cpu",
    x_label="to CPU",
    series=("from_cpu",),
    least_values=2,
)


def pair(first: int, second: int, seconds: float, **changes: object) -> Result:
    return a_result(
        metric="transfer_time",
        unit="s",
        better="lower",
        point={"from_cpu": first, "to_cpu": second},
        median=seconds,
        **changes,
    )


def test_one_pair_is_no_map() -> None:
    assert draw(PAIRS, Material([pair(0, 1, 4e-8)]), "f") is None
    assert draw(PAIRS, Material([a_result()]), "f") is None


def test_near_is_cool_and_far_is_warm() -> None:
    drawing = drawn(PAIRS, [pair(0, 1, 4e-8), pair(0, 2, 40e-8), pair(1, 2, 4.1e-8)])
    picture = picture_of(drawing)
    # The legend has one of each.
    assert [len(of_class(picture, f"d{n}")) for n in range(8)] == [2, 1, 1, 1, 1, 1, 1, 3]
    numbers = [visible_text(text) for group in of_class(picture, "on-field") for text in group]
    assert numbers == ["40.0 ns", "400 ns", "41.0 ns"]
    assert drawing.summary == "a line: 3 pairs, from 40.0 ns to 400 ns."
    assert "Lines: from cpu; columns: to CPU." in kind_of(drawing).read(drawing)


def test_lines_and_columns_follow_numbers_not_letters() -> None:
    drawing = drawn(PAIRS, [pair(10, 9, 1e-8), pair(2, 10, 1e-8)])
    assert [line.name for line in drawing.lines] == ["2", "10"]
    assert drawing.bars == ["9", "10"]


def test_of_two_the_faster_is_shown_and_disturbed_ones_are_hatched() -> None:
    rows = [pair(0, 1, 4e-8), pair(0, 1, 3e-8, disturbed=True), pair(0, 2, 3e-8)]
    drawing = drawn(PAIRS, rows)
    assert drawing.lines[0].labels == ("30.0 ns", "30.0 ns")
    assert all(text.startswith("30.0 ns [") for text in drawing.lines[0].texts)
    assert len(of_class(picture_of(drawing), "pattern")) == 1
    assert "Hatched" in kind_of(drawing).read(drawing)


@pytest.mark.parametrize("n", [2, 8, 64, pytest.param(192, marks=pytest.mark.slow)])
def test_everything_stays_inside_its_frame(n: int) -> None:
    rows = [pair(i, j, 1e-8 * (1 + abs(i - j))) for i in range(n) for j in range(i + 1, n)]
    rows += [pair(0, n, 1e-7)]
    drawing = drawn(PAIRS, rows)
    picture = picture_of(drawing)
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    for field in picture.iter("rect"):
        assert float(field.attrib["width"]) > 0
        assert 0 <= float(field.attrib["x"]) <= width - float(field.attrib["width"]) + 0.1
        assert 0 <= float(field.attrib["y"]) <= height - float(field.attrib["height"])
    assert bool(of_class(picture, "on-field")) == (n <= 8)
    assert len(str(write_picture(drawing))) < 4_000_000

"""Attributes of pictures for the page's script: values, intervals and launches, and axes."""

from __future__ import annotations

import pytest

from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.captions import word_values
from heorot.report.figures.show import write_picture
from tests.unit.report.figures.pictures import drawn, of_class, picture_of, tips
from tests.unit.report.sample_programs import family_rows
from tests.unit.report.sample_results import Rows, pingpong_rows


@pytest.mark.parametrize("kind", ["curve", "multiples", "bars"])
def test_every_value_is_told_once_with_interval_and_launches(kind: str) -> None:
    figure = Figure(title="t", kind=kind, metric="flop_rate", x="" if kind == "bars" else "cores")
    drawing = drawn(figure, family_rows(["ep", "cg"]))
    wanted = [text for line in drawing.lines for text in word_values(line, drawing.unit)]
    texts = tips(picture_of(drawing))
    assert len(texts) == len(wanted)
    assert [text.partition(": ")[2] for text in texts] == wanted
    assert all("flop/s [" in text and "launches]" in text for text in texts)


def test_a_curve_has_a_text_for_each_of_its_points() -> None:
    drawing = drawn(PINGPONG.figures[0], pingpong_rows(Rows()))
    curves = of_class(picture_of(drawing), "curve")
    assert len(curves) == len(drawing.lines)
    for curve, line in zip(curves, drawing.lines, strict=True):
        texts = curve.attrib["data-t"].split("|")
        assert len(texts) == len(curve.attrib["points"].split()) == len(line.x)
        assert texts[0].startswith("1 B: ")


def test_every_panel_says_where_it_is_and_all_share_their_axes() -> None:
    figure = Figure(title="t", kind="multiples", metric="flop_rate", x="cores", log_x=True)
    picture = picture_of(drawn(figure, family_rows(["ep", "cg", "is"])))
    panels = of_class(picture, "panel")
    assert len(panels) == 3
    for panel in panels:
        left, top, width, height = map(float, panel.attrib["data-box"].split())
        for curve in of_class(panel, "curve"):
            for point in curve.attrib["points"].split():
                x, y = map(float, point.split(","))
                assert left <= x <= left + width + 0.1
                assert top <= y <= top + height + 0.1
    assert picture.attrib["data-x"].startswith("log|")
    assert picture.attrib["data-y"].startswith("linear|0|")


def test_bars_have_one_axis() -> None:
    picture = picture_of(drawn(Figure(title="t", kind="bars", metric="m"), [a_row()]))
    assert "data-x" in picture.attrib
    assert "data-y" not in picture.attrib


def test_disturbed_values_say_so() -> None:
    [text] = tips(picture_of(drawn(Figure(title="t", kind="bars", metric="m"), [a_row()])))
    assert text.endswith("] perturbed")


def test_separators_in_names_separate_nothing() -> None:
    figure = Figure(title="t", kind="curve", metric="m", x="access")
    rows = [Rows().make("a/b", "r", "m", "s", 2.0, point={"access": name}) for name in "|<"]
    drawing = drawn(figure, rows)
    assert len(tips(picture_of(drawing))) == 2
    assert 'data-t="¦: ' in str(write_picture(drawing))
    assert "|&lt;: " in str(write_picture(drawing))


def a_row() -> Result:
    return Rows().make("a/b", "r", "m", "s", 2.0, disturbed=True)

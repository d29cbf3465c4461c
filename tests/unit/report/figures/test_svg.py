"""Parts of static pictures: texts that fit, room for names and values."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from heorot.report.figures.svg.parts import WIDTH, bar_columns, count_ticks, fit_text, write_text
from heorot.report.figures.text import text_width


def parse(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 (our own)


def test_texts_are_escaped() -> None:
    element = parse(write_text(1.0, 2.0, "<b> & c", "end"))
    assert element.text == "<b> & c"
    assert element.attrib == {"x": "1", "y": "2", "text-anchor": "end"}


def test_what_goes_without_saying_is_not_written() -> None:
    assert parse(write_text(1.0, 2.0, "a", "start")).attrib == {"x": "1", "y": "2"}
    element = parse(write_text(1.0, 2.0, "a", "middle", "bar-name"))
    assert (element.get("class"), element.get("text-anchor")) == ("bar-name", "middle")


@pytest.mark.parametrize(
    ("fitting", "written", "tooltip"),
    [("<12 45>", "<12 45>", None), ("<12 4…", "<12 4…", "<12 45>"), ("<12 …", "<12…", "<12 45>")],
)
def test_what_is_too_long_is_cut_and_whole_in_its_tooltip(
    fitting: str, written: str, tooltip: str | None
) -> None:
    room = text_width(fitting, "bar-name")
    element = parse(fit_text(0.0, 0.0, "<12 45>", "end", "bar-name", room))
    assert element.text == written
    assert element.findtext("title") == tooltip


def test_bars_have_room_between_names_and_values_however_long_these_are() -> None:
    short, wide = bar_columns(["a"], ["1.00 s"])
    left, width = bar_columns(["a" * 200], ["1.00 s"])
    assert short < left < WIDTH / 2
    assert width < wide
    assert width > WIDTH / 4


def test_narrow_axes_have_fewer_ticks() -> None:
    assert [count_ticks(width) for width in (30.0, 330.0, 600.0)] == [2, 4, 6]

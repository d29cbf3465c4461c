"""The room that texts of static pictures are given."""

from __future__ import annotations

import pytest

from heorot.report.figures.text import cut_text, text_width, widest


def test_a_text_is_as_wide_as_its_letters() -> None:
    assert text_width("") == 0.0
    assert text_width("il") < text_width("MW")
    assert text_width("8.5 GB/s", "bar-value") > text_width("8.5 GB/s", "bar-name")
    assert text_width("算", "bar-name") == pytest.approx(12.0)


def test_digits_have_the_room_that_the_widest_common_font_needs() -> None:
    # DejaVu Sans Bold: 0.696 of the size.
    assert text_width("0123456789", "bar-value") >= 10 * 0.696 * 12.0


def test_the_widest_counts() -> None:
    assert widest(()) == 0.0
    assert widest(["a", "bbb", "cc"]) == text_width("bbb")


@pytest.mark.parametrize("room", [0.0, 5.0, 20.0, 50.0, 500.0])
def test_what_is_cut_fits_if_anything_does(room: float) -> None:
    text = "one very long name of a bar"
    cut = cut_text(text, "bar-name", room)
    assert text_width(cut, "bar-name") <= max(room, text_width("o…", "bar-name"))
    assert (cut == text) == (text_width(text, "bar-name") <= room)

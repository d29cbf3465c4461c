"""Stacked phases of a body: colours, hatched communication, the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot import report
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.show import kind_of, write_picture
from tests.unit.report.figures.pictures import drawn, of_class, picture_of
from tests.unit.report.sample_breakdowns import HOSTILE_PHASE, make_breakdown, make_breakdowns

PHASES = Figure(title="Phases", kind="phases")


def test_phases_have_a_colour_and_their_communication_a_pattern() -> None:
    drawing = drawn(PHASES, (), make_breakdowns())
    found = [(line.name, line.style, line.pattern) for line in drawing.lines]
    assert found == [
        ("pairs", 0, ""),
        (HOSTILE_PHASE, 1, ""),
        (f"{HOSTILE_PHASE}, communicating", 1, "lines"),
        ("rest", 7, ""),
    ]
    assert drawing.keys == (("pairs", 0), (HOSTILE_PHASE, 1), ("rest", 7))
    assert drawing.key_pattern(1) == ""
    assert drawing.lines[0].texts[1] == "56.0 % [53.2…58.8 in 3 launches], 672 ms"


def test_more_phases_than_colours_are_the_rest() -> None:
    phases = tuple((f"p{i}", 0.01 * (i + 1), 0.0) for i in range(12))
    drawing = drawn(PHASES, (), (make_breakdown("c", 2, 1, (0.78, 0.22, 0.0), phases=phases),))
    assert [name for name, _ in drawing.keys] == [
        "p4",
        "p5",
        "p6",
        "p7",
        "p8",
        "p9",
        "p10",
        "p11",
        "rest",
    ]
    assert drawing.lines[-1].y[0] == pytest.approx(0.01 * (1 + 2 + 3 + 4))
    assert sum(line.y[0] for line in drawing.lines) == pytest.approx(0.78)


def test_eight_phases_have_colours_of_their_own_beside_the_rest() -> None:
    phases = (*((f"p{i}", 0.05, 0.0) for i in range(8)), ("rest", 0.4, 0.0))
    drawing = drawn(PHASES, (), (make_breakdown("c", 2, 1, (0.8, 0.2, 0.0), phases=phases),))
    assert [name for name, _ in drawing.keys] == [*(f"p{i}" for i in range(8)), "rest"]
    styles = [style for _, style in drawing.keys]
    assert len({*styles}) == 9
    css = (Path(report.__file__).parent / "assets/report.css").read_text()
    for style in styles:
        assert css.count(f"--s{style}: #") == 3  # on paper, and in the dark, chosen or found
        assert f".s{style} {{ --c: var(--s{style}); }}" in css


def test_hostile_phases_are_text_in_the_picture() -> None:
    drawing = drawn(PHASES, (), make_breakdowns())
    assert "<img" not in str(write_picture(drawing))
    assert [each.tag for each in picture_of(drawing).iter() if each.tag == "img"] == []


def test_the_summary_has_the_largest_phase_in_words() -> None:
    summary = drawn(PHASES, (), make_breakdowns()).summary
    assert summary.startswith("Phases as shares of the time of a body, 3 bars of pairs, ")
    # 76 % of the third bar may be as much.
    assert summary.endswith("Largest: pairs, 80.0 %, which another may equal.")


def test_the_bar_of_the_largest_phase_is_named_if_no_other_has_as_much() -> None:
    summary = drawn(PHASES, (), make_breakdowns()[:2]).summary
    assert summary.endswith("Largest: pairs, 80.0 %, 1 rank × 1 thread.")


def test_of_two_phases_that_may_be_as_large_none_is_named() -> None:
    phases = (("near", 0.41, 0.0), ("far", 0.4, 0.0))
    one = make_breakdown("c", 2, 1, (0.81, 0.19, 0.0), phases=phases)
    assert drawn(PHASES, (), (one,)).summary.endswith("Largest: 41.0 %, which another may equal.")


def test_the_hatching_is_explained() -> None:
    drawing = drawn(PHASES, (), make_breakdowns())
    assert "Hatched: communicating" in kind_of(drawing).read(drawing)
    assert len(of_class(picture_of(drawing), "lines")) == len(drawing.bars)

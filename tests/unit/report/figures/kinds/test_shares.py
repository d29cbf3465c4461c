"""Stacked shares of the time of a body: computing, waiting, communicating."""

from __future__ import annotations

import pytest

from heorot.model.catalogue.figure import Figure
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw, kind_of
from tests.unit.report.figures.pictures import drawn, of_class, picture_of, tips, visible_text
from tests.unit.report.sample_breakdowns import make_breakdown, make_breakdowns

SHARES = Figure(title="Shares", kind="shares")


def test_shares_of_a_bar_add_up_to_one() -> None:
    drawing = drawn(SHARES, (), make_breakdowns())
    for i in range(len(drawing.ends)):
        assert sum(line.y[i] for line in drawing.lines) == pytest.approx(1.0)


def test_parts_can_be_told_apart_without_colours() -> None:
    drawing = drawn(SHARES, (), make_breakdowns())
    assert len({line.pattern for line in drawing.lines}) == 3
    assert len({line.style for line in drawing.lines}) == 3
    assert [drawing.key_pattern(style) for _, style in drawing.keys] == ["", "dots", "lines"]


def test_what_failed_is_not_drawn_and_said_so() -> None:
    drawing = drawn(SHARES, (), make_breakdowns())
    assert drawing.lines[0].x == ("1 rank × 1 thread", "2 ranks × 1 thread", "1 rank × 2 threads")
    assert drawing.omitted == "1 bar not drawn: verification failed."
    assert draw(SHARES, Material((), [make_breakdowns()[-1]]), "f") is None


def test_the_time_of_a_body_stands_at_its_end() -> None:
    assert drawn(SHARES, (), make_breakdowns()).ends == ("2.00 s", "1.20 s", "1.10 s")
    ends = of_class(picture_of(drawn(SHARES, (), make_breakdowns())), "bar-value")
    assert list(map(visible_text, ends)) == ["2.00 s", "1.20 s", "1.10 s"]


def test_the_summary_has_the_worst_bar_in_words() -> None:
    summary = drawn(SHARES, (), make_breakdowns()).summary
    assert "3 bars" in summary
    assert "Least computing: 70.0 %, with 12.0 % waiting and 18.0 % communicating" in summary
    assert summary.endswith("2 ranks × 1 thread.")


def test_bars_that_may_be_as_bad_are_not_named() -> None:
    alike = [make_breakdown(f"c{n}", n, 1, (0.5 + 0.01 * n, 0.1, 0.4 - 0.01 * n)) for n in (1, 2)]
    summary = drawn(SHARES, (), (*alike, make_breakdown("c4", 4, 1, (0.9, 0.1, 0.0)))).summary
    assert summary.endswith("Least computing: 51.0 %, which another may equal.")


def test_the_picture_has_every_segment_in_its_place() -> None:
    picture = picture_of(drawn(SHARES, (), make_breakdowns()))
    segments, patterns = of_class(picture, "segment"), of_class(picture, "pattern")
    assert (len(segments), len(patterns)) == (9, 6)
    second = segments[3:6]
    whole = float(segments[0].attrib["width"])
    widths = [float(each.attrib["width"]) for each in second]
    assert [width / whole for width in widths] == pytest.approx([0.7, 0.12, 0.18], abs=1e-3)
    starts = [float(each.attrib["x"]) for each in second]
    assert starts[1] == pytest.approx(starts[0] + widths[0], abs=0.2)
    assert all("hollow" in each.attrib["class"] for each in second)


def test_every_segment_tells_its_share_and_bar() -> None:
    texts = tips(picture_of(drawn(SHARES, (), make_breakdowns())))
    assert len(texts) == 9
    assert texts[3].startswith("computing, 2 ranks × 1 thread: 70.0 % [")
    assert sum(text.endswith(", perturbed") for text in texts) == 3


def test_the_parts_of_a_bar_are_hidden_by_their_colours() -> None:
    picture = picture_of(drawn(SHARES, (), make_breakdowns()))
    stacks = of_class(picture, "stack")
    assert [[part.attrib["class"] for part in stack] for stack in stacks] == [
        ["s0", "s5", "s1"]
    ] * 3


def test_no_ceiling_is_explained() -> None:
    drawing = drawn(SHARES, (), make_breakdowns())
    assert kind_of(drawing).read(drawing) == (
        "Medians over the launches; at the end of a bar the time of one body. Hollow: perturbed."
    )

"""Bars: the row and the origin of each, and its bound."""

from __future__ import annotations

import pytest

from heorot.families.compute.peak import PEAK
from heorot.families.memory.stream import STREAM
from heorot.families.npb.programs import EP
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw, kind_of
from tests.unit.model.keys import but
from tests.unit.report.figures.pictures import drawn, of_class, picture_of, tips, visible_text
from tests.unit.report.sample_programs import family_rows
from tests.unit.report.sample_results import Rows, ep_rows, peak_rows, stream_rows

PROGRAMS = Figure(title="Programs", kind="bars", metric="flop_rate", series=("program", "way"))


def test_bars_of_a_single_region_are_named_by_layout() -> None:
    drawing = drawn(EP.figures[0], ep_rows(Rows()))
    assert [line.x for line in drawing.lines] == [
        ("1 rank × 1 thread", "2 ranks × 1 thread", "1 rank × 2 threads")
    ]


def test_copies_are_a_layout_of_their_own() -> None:
    alone = next(row for row in ep_rows(Rows()) if row.metric == "operation_rate")
    copies = but(alone, ranks=2, case="W_copies", options={"star": True})
    drawing = drawn(EP.figures[0], [alone, copies])
    assert drawing.lines[0].x == ("1 rank × 1 thread", "2 copies")


def test_nothing_to_trust_is_no_figure() -> None:
    failed = [row.model_copy(update={"verified": "failed"}) for row in peak_rows(Rows())]
    assert draw(PEAK.figures[0], Material(failed), "f") is None


def test_every_bar_and_ceiling_tells_what_it_is() -> None:
    texts = tips(picture_of(drawn(STREAM.figures[0], stream_rows(Rows()))))
    ceilings = [text for text in texts if ": bound " in text]
    assert (len(texts), len(ceilings)) == (22, 10)  # reading is a bound itself
    values = [text for text in texts if text not in ceilings]
    assert all("B/s [" in text for text in values)
    assert sum(text.endswith("] perturbed") for text in values) == 1
    assert {text.partition(", ")[2].partition(":")[0] for text in values} == {
        "copy", "scale", "add", "triad", "read", "memcpy"
    }  # fmt: skip


def test_bars_values_and_ceilings_of_a_colour_are_hidden_together() -> None:
    picture = picture_of(drawn(STREAM.figures[0], stream_rows(Rows())))
    found = [
        {each.attrib.get("class", "").split()[0] for each in group}
        for group in of_class(picture, "s1")
    ]
    assert found == [{"bar-value"}, {"bar", "bar-whisker", "limit"}]


def test_the_picture_has_every_bar_its_value_and_its_ceiling() -> None:
    drawing = drawn(STREAM.figures[0], stream_rows(Rows()))
    picture = picture_of(drawing)
    bars = of_class(picture, "bar")
    assert (len(bars), len(of_class(picture, "bar-value"))) == (12, 12)
    assert len(of_class(picture, "limit")) == 10
    assert len(of_class(picture, "hollow")) == 1
    widths = [float(bar.attrib["width"]) for bar in bars]
    values = [y for line in drawing.lines for y in line.y]
    assert [w / max(widths) for w in widths] == pytest.approx(
        [y / max(values) for y in values], abs=1e-3
    )
    assert kind_of(drawing).read(drawing) == (
        "Whiskers: 95 % interval of the median. Upright stroke: measured bound. Hollow: perturbed."
    )


def test_ceilings_far_above_all_bars_are_not_explained() -> None:
    rows = [row.model_copy(update={"share_of_ceiling": 0.01}) for row in stream_rows(Rows())]
    drawing = drawn(STREAM.figures[0], rows)
    assert of_class(picture_of(drawing), "limit") == []
    assert "bound" not in kind_of(drawing).read(drawing)


def test_what_is_negative_goes_the_other_way_from_zero() -> None:
    figure = Figure(title="t", kind="bars", metric="m", series=("layout",))
    rows = Rows()
    values = (-0.02, -0.04, 0.01)
    drawing = drawn(
        figure, [rows.make("a/b", "r", "m", "1", v, ranks=i + 1) for i, v in enumerate(values)]
    )
    ends = [
        (float(bar.attrib["x"]), float(bar.attrib["x"]) + float(bar.attrib["width"]))
        for bar in of_class(picture_of(drawing), "bar")
    ]
    zero = ends[2][0]
    assert [end for _, end in ends[:2]] == pytest.approx([zero, zero], abs=0.2)
    assert ends[1][0] < ends[0][0] < zero < ends[2][1]


def test_programs_have_a_bar_each_in_the_colours_of_what_tells_more_apart() -> None:
    rows = [row for row in family_rows(["ep", "is", "cg"]) if row.cores == 4]
    drawing = drawn(PROGRAMS, rows)
    assert drawing.bars == ["npb/ep", "npb/is", "npb/cg"]
    assert {name for name, _ in drawing.keys} == {"ranks", "threads"}
    assert [panel.title for panel in drawing.panels] == [""]
    assert "6 values of 3 programs for " in drawing.summary
    texts = tips(picture_of(drawing))
    assert all(
        any(text.startswith(f"{key}, {name}: ") for text in texts)
        for name in drawing.bars
        for key, _ in drawing.keys
    )


def test_programs_that_differ_in_nothing_else_have_one_bar_each() -> None:
    rows = [row for row in family_rows(["ep", "is"]) if row.ranks == 8]
    drawing = drawn(PROGRAMS, rows)
    assert drawing.keys == ()
    assert [line.x for line in drawing.lines] == [("npb/ep", "npb/is")]
    assert len(of_class(picture_of(drawing), "bar")) == 2


def test_equal_regions_of_two_programs_are_kept_apart() -> None:
    plain = STREAM.figures[0]
    rows = [row for row in stream_rows(Rows()) if row.threads == 1]
    other = [but(row, benchmark="memory/other") for row in rows]
    drawing = drawn(plain, [*rows, *other])
    assert [name for name, _ in drawing.keys] == ["memory/stream", "memory/other"]


def test_long_names_are_cut_and_whole_in_the_tooltip() -> None:
    names = [f"a_program_{'of_a_very_long_name_' * 4}{i}" for i in range(2)]
    drawing = drawn(PROGRAMS, family_rows(names, [1]))
    labels = of_class(picture_of(drawing), "bar-name")
    assert all(visible_text(label).endswith("…") for label in labels)
    assert [label.findtext("title") for label in labels] == drawing.bars


@pytest.mark.parametrize(("n_programs", "n_beyond"), [(60, 0), (61, 1), (200, 140)])
def test_too_many_bars_are_left_to_the_table(n_programs: int, n_beyond: int) -> None:
    (row,) = [row for row in peak_rows(Rows()) if row.region == "fma_double" and row.threads == 1]
    rows = [but(row, benchmark=f"a/p{n}") for n in range(n_programs)]
    drawing = drawn(PROGRAMS, rows)
    assert len(drawing.bars) == n_programs - n_beyond
    assert drawing.bars[0] == "a/p0"
    expected = {0: "", 1: "1 more bar is in the table only."}
    assert drawing.omitted == expected.get(n_beyond, "140 more bars are in the table only.")


def test_one_place_with_too_many_bars_is_drawn() -> None:
    (row,) = [row for row in peak_rows(Rows()) if row.region == "fma_double" and row.threads == 1]
    rows = [
        but(row, case=f"c{n}", benchmark=benchmark)
        for benchmark in ("a/p", "a/q")
        for n in range(70)
    ]
    assert drawn(PROGRAMS, rows).bars == ["a/p"]

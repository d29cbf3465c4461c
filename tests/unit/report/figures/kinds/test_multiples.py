"""Small multiples: a panel for each program, equal axes, lines that mean the same everywhere."""

from __future__ import annotations

from heorot.model.catalogue.figure import Figure
from heorot.report.figures.dimensions import MAXIMUM_PANELS
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from tests.unit.report.figures.pictures import drawn, of_class, picture_of, visible_text
from tests.unit.report.sample_programs import CORES, family_rows

FIGURE = Figure(
    title="Rates over the cores",
    kind="multiples",
    metric="flop_rate",
    x="cores",
    x_label="cores",
    series=("region", "class", "way"),
    log_x=True,
    log_y=True,
)


def test_every_program_has_a_panel_with_the_same_lines() -> None:
    drawing = drawn(FIGURE, family_rows(["ep", "is", "cg"]))
    assert [panel.title for panel in drawing.panels] == ["npb/ep", "npb/is", "npb/cg"]
    # Each has one region and one class only: those make no lines.
    assert {name for name, _ in drawing.keys} == {"ranks", "threads"}
    styles = dict(drawing.keys)
    assert all(line.style == styles[line.name] for line in drawing.lines)
    assert {line.x for line in drawing.lines} == {CORES, CORES[1:]}


def test_the_caption_names_the_programs() -> None:
    summary = drawn(FIGURE, family_rows(["ep", "cg"])).summary
    assert summary.startswith("Flop rate over cores: 14 values of 2 programs in 2 panels for ")
    assert "npb/cg at class A, 8 ranks × 1 thread; lowest" in summary
    assert summary.endswith("npb/ep at class A, 1 rank × 1 thread.")


def test_a_program_alone_is_named_above_its_panel() -> None:
    drawing = drawn(FIGURE, family_rows(["ep"]))
    [title] = of_class(picture_of(drawing), "panel-title")
    assert visible_text(title) == "npb/ep"


def test_too_many_programs_are_said_to_be_left_out() -> None:
    names = [f"p{i}" for i in range(64)]
    drawing = drawn(FIGURE, family_rows(names))
    assert len(drawing.panels) == MAXIMUM_PANELS
    assert drawing.omitted == "16 more panels are in the table only."
    assert f"of {MAXIMUM_PANELS} programs in {MAXIMUM_PANELS} panels" in drawing.summary
    assert f"npb/p{MAXIMUM_PANELS - 1} at" in drawing.summary
    assert drawn(FIGURE, family_rows(names[:49])).omitted == "1 more panel is in the table only."


def test_lines_of_left_out_programs_have_no_key() -> None:
    names = [f"p{i}" for i in range(MAXIMUM_PANELS + 1)]
    rows = [
        row for row in family_rows(names) if row.threads == 1 or row.benchmark == f"npb/{names[-1]}"
    ]
    assert drawn(FIGURE, rows).keys == (("ranks", 0),)


def test_long_names_are_cut_and_whole_in_the_tooltip() -> None:
    names = [f"program_of_a_very_long_name_{i}" for i in range(4)]
    titles = of_class(picture_of(drawn(FIGURE, family_rows(names))), "panel-title")
    assert all(visible_text(title).endswith("…") for title in titles)
    assert [title.findtext("title") for title in titles] == [f"npb/{name}" for name in names]


def test_too_few_numbers_of_cores_are_no_figure() -> None:
    demanding = FIGURE.model_copy(update={"least_values": 3})
    rows = list(family_rows(["ep", "is"]))
    assert draw(demanding, Material([row for row in rows if row.cores < 4]), "f") is None
    assert draw(demanding, Material(rows), "f") is not None

"""The section about one node in depth."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.node_roofline.node_roofline import NodeRoofline
from heorot.model.evaluation import Evaluation
from heorot.model.resource import CORES
from heorot.report.anchors import Frame, find_anchors
from heorot.report.page import format_report
from heorot.report.sections.node_roofline.section import node_section
from heorot.report.sections.section import Section
from heorot.report.tables.table import Allowance, Table
from tests.unit.analyse.node_roofline.synthetic_node import copies_of
from tests.unit.model.keys import but
from tests.unit.report.sections.node_roofline.deep_node import ALONE, COPIES, SWEEP, evaluate
from tests.unit.report.tables.reading import column_of, lines_of, named

COLUMN_OF_TRAFFIC = "flop/B measured at memory"


def section_of(evaluation: Evaluation) -> Section:
    """The section of an evaluation that has one."""
    anchors = find_anchors(evaluation)
    found = node_section(evaluation, Frame(anchors, Allowance(), "heorot export"))
    assert found is not None
    return found


@cache
def whole() -> Section:
    """The section with all its parts."""
    return section_of(evaluate(*ALONE, *COPIES, *SWEEP))


def table(name: str, section: Section | None = None) -> Table:
    """A table of a section, else of the whole one."""
    return named((section or whole()).tables, f"depth-{name}")


def titles(section: Section) -> list[str]:
    """The headings of its parts."""
    return [part.title for part in section.parts if part.title]


def figures(section: Section) -> list[str]:
    """The names of its figures."""
    return [drawing.id for drawing in section.drawings]


def changed(evaluation: Evaluation, **fields: object) -> Evaluation:
    """The evaluation with other things found in depth."""
    depth = evaluation.analysis.depth.model_copy(update=fields)
    return replace(evaluation, analysis=evaluation.analysis.model_copy(update={"depth": depth}))


def test_the_page_has_the_section_with_its_figures_and_tables() -> None:
    page = format_report(evaluate(*ALONE, *COPIES, *SWEEP), ())
    text = page.partition('<section id="depth"')[2].partition("</section>")[0]
    assert 'href="#depth"' in page
    for name in figures(whole()):
        assert f'id="fig-{name}"' in text
    for each in whole().tables:
        assert f'<table id="{each.id}"' in text
    assert text.index('id="fig-depth-roofline-0"') < text.index('id="depth-places-0"')
    assert text.index('id="depth-places-0"') < text.index('id="fig-depth-roofline-1"')
    assert [f"<h3>{title}</h3>" in text for title in titles(whole())] == [True] * 5


def test_a_run_without_roofs_and_copies_has_no_section() -> None:
    evaluation = evaluate()
    assert figures(section_of(evaluation))  # the roofs alone are something
    bare = replace(
        evaluation, analysis=evaluation.analysis.model_copy(update={"depth": NodeRoofline()})
    )
    assert node_section(bare, Frame(find_anchors(bare), Allowance(), "heorot export")) is None
    assert 'id="depth"' not in format_report(bare, ())


def test_its_parts() -> None:
    assert titles(whole()) == [
        *("Roofline", "Machine balance", "Efficiency", "Contention on a node", "Plateaus"),
    ]


def test_a_figure_and_a_table_for_each_number_of_cores() -> None:
    rooflines = [part for part in whole().parts if part.drawings][:2]
    assert [[drawing.id for drawing in part.drawings] for part in rooflines] == [
        ["depth-roofline-0"],
        ["depth-roofline-1"],
    ]
    assert [[one.id for one in part.tables] for part in rooflines] == [
        ["depth-places-0"],
        ["depth-places-1"],
    ]
    assert [drawing.figure.title for part in rooflines for drawing in part.drawings] == [
        *("Roofline of 1 core", "Roofline of 2 cores"),
    ]
    assert len(table("places-1").rows) == len(COPIES)


def test_places_with_all_that_is_known() -> None:
    drawn, *others = column_of(table("places-0"), "no.")
    assert (drawn, set(others)) == ("1", {"–"})  # one stands for the program in the figure
    assert lines_of(table("places-0"))[0] == {
        "no.": "1",
        "program": "works/mill",
        "region, problem, layout": "grind",
        "resident in": "memory (128 MiB)",
        "flop/B": "0.250",
        "rate": "3.85 Gflop/s [1 launch]",
        "bound": "4.00 Gflop/s",
        "of the bound": "96.2 % [1 launch]",
        "of the peak": "6.01 % [1 launch]",
        "limited by": "memory",
    }


def test_points_above_their_bound_have_neither_bound_nor_share() -> None:
    evaluation = evaluate(*ALONE, *COPIES)
    first, *others = evaluation.analysis.depth.points
    passing = first.model_copy(update={"bound": first.rate.median / 1.94, "headline": False})
    section = section_of(changed(evaluation, points=(passing, *others)))
    line = lines_of(table("places-0", section))[0]
    assert (line["bound"], line["of the bound"], line["limited by"]) == ("–", "withheld", "–")
    assert line["rate"] == "3.85 Gflop/s [1 launch]"
    assert "194" not in str(lines_of(table("places-0", section)))


def test_two_levels_that_hold_a_part_each_are_both_named() -> None:
    evaluation = evaluate(*ALONE, *COPIES)
    first, *others = evaluation.analysis.depth.points
    between = first.model_copy(update={"neighbour": "L3"})
    section = section_of(changed(evaluation, points=(between, *others)))
    line = lines_of(table("places-0", section))[0]
    assert (line["resident in"], line["limited by"]) == ("L3 and memory (128 MiB)", "L3 and memory")
    (figure,) = [one for one in section.drawings if one.id == "depth-roofline-0"]
    assert "two levels hold a part each" in dict(figure.keys)


def test_walls_for_bytes_and_doubles() -> None:
    (wall,) = [
        line
        for line in lines_of(table("walls"))
        if (line["cores"], line["level"]) == ("1", "memory")
    ]
    assert wall["flop/B"] == "4.00 [4.00…4.00 in 3 launches]"
    assert wall["flop per double"] == "32.0 [32.0…32.0 in 3 launches]"


def test_company_with_causes() -> None:
    lines = {line["region, problem"].split(",")[0]: line for line in lines_of(table("company"))}
    assert {line["each loses"] for line in lines.values()} == {"37.5 % [1 launch]"}
    cause = "what by itself would cost much of that"
    assert lines["grind"][cause] == "less bandwidth"
    assert lines["sift"][cause] == "nothing that was measured"


def test_plateaus_by_level() -> None:
    assert column_of(table("plateaus"), "L2") == ["10.0 Gflop/s\n4 KiB to 512 KiB"]


def test_several_numbers_of_copies_make_curves() -> None:
    section = section_of(evaluate(*ALONE, *COPIES, copies_of(ALONE[0], n=4, slower=2.0)))
    (drawing,) = [one for one in section.drawings if one.id == "depth-company"]
    assert drawing.figure.kind == "curve"
    assert drawing.figure.x_label == "copies at once"


def test_plateaus_alone_are_something() -> None:
    evaluation = evaluate(*SWEEP)
    stretches = evaluation.analysis.depth.level_plateaus
    bare = evaluation.analysis.model_copy(update={"depth": NodeRoofline(level_plateaus=stretches)})
    assert titles(section_of(replace(evaluation, analysis=bare))) == ["Plateaus"]


def test_roofs_without_programs_are_drawn() -> None:
    section = section_of(evaluate())
    assert figures(section) == ["depth-roofline-0", "depth-roofline-1"]
    assert "depth-places-0" not in [one.id for one in section.tables]


def test_between_one_core_and_the_most_there_are_tables_only() -> None:
    evaluation = evaluate(*ALONE, *COPIES)
    one, two = evaluation.analysis.depth.roofs
    three = two.model_copy(update={"of": CORES.of(3)})
    section = section_of(changed(evaluation, roofs=(one, two, three)))
    rooflines = [drawing.figure.title for drawing in section.drawings if "roofline" in drawing.id]
    assert rooflines == ["Roofline of 1 core", "Roofline of 3 cores"]
    between = table("places-1", section)
    assert between.caption == "All regions below the roofs of 2 cores"
    assert "no." not in [column.title for column in between.columns]


def test_efficiency_by_cores() -> None:
    assert "toolchain" not in [column.title for column in table("efficiency").columns]
    alone, both = lines_of(table("efficiency"))
    assert alone["best region, problem"] == "press, working set 128 MiB"
    assert (alone["r_max"], alone["of the peak"]) == (
        "50.0 Gflop/s [1 launch]",
        "78.1 % [1 launch]",
    )
    assert both["best region, problem"].endswith("2 copies")


def test_clocks_alone_and_busy() -> None:
    evaluation = evaluate(*ALONE, *COPIES)
    first, *others = evaluation.analysis.depth.contentions
    slower = first.model_copy(update={"clock_alone": 4e9, "clock": 3.2e9})
    section = section_of(changed(evaluation, contentions=(slower, *others)))
    column = "clock, alone → busy"
    assert column_of(table("company", section), column).count("4.00 GHz → 3.20 GHz") == 1
    assert set(column_of(table("company"), column)) == {"–"}


def test_what_loses_nothing_lists_no_cause() -> None:
    evaluation = evaluate(ALONE[0], COPIES[0])
    (only,) = evaluation.analysis.depth.contentions
    unharmed = only.model_copy(update={"lost": Middle(median=0.001, low=-0.01, high=0.01)})
    cause = "what by itself would cost much of that"
    (harmed,) = column_of(table("company", section_of(evaluation)), cause)
    assert harmed.startswith("less bandwidth")
    (said,) = column_of(
        table("company", section_of(changed(evaluation, contentions=(unharmed,)))), cause
    )
    assert "bandwidth" not in said


def test_the_figure_of_company_is_about_the_first_stack() -> None:
    alone, both = ALONE[0], COPIES[0]
    other = [but(series, toolchain="clang") for series in (alone, copies_of(alone, slower=4.0))]
    section = section_of(evaluate(alone, both, *other))
    (drawing,) = [one for one in section.drawings if one.id == "depth-company"]
    drawn = [y for line in drawing.lines for y in line.y]
    assert [round(y, 3) for y in drawn] == [0.375]
    losses = column_of(table("company", section), "each loses")
    assert sorted(loss.split(" [")[0] for loss in losses) == ["37.5 %", "75.0 %"]


def test_what_memory_moved_has_a_column_where_it_was_counted() -> None:
    evaluation = evaluate(*ALONE)
    first, *others = evaluation.analysis.depth.points
    plain = table("places-0", section_of(evaluation))
    assert COLUMN_OF_TRAFFIC not in [column.title for column in plain.columns]
    counted = first.model_copy(update={"measured_intensity": 0.777})
    section = section_of(changed(evaluation, points=(counted, *others)))
    assert column_of(table("places-0", section), COLUMN_OF_TRAFFIC)[0] == "0.777"


def test_several_toolchains_are_told_apart_in_every_table() -> None:
    other = [but(series, toolchain="clang") for series in (*ALONE, *COPIES, *SWEEP)]
    section = section_of(evaluate(*ALONE, *COPIES, *SWEEP, *other))
    # What clang built stands below the only roofs there are.
    assert [name for name in figures(section) if "roofline" in name] == [
        *("depth-roofline-0", "depth-roofline-1"),
    ]
    (drawing,) = [one for one in section.drawings if one.id == "depth-company"]
    assert "worst problem of each program, gnu-12" in drawing.figure.title
    for name in ("places-0", "company", "plateaus", "efficiency"):
        assert set(column_of(table(name, section), "toolchain")) == {"gnu-12", "clang"}, name

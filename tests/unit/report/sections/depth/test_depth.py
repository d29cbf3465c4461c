"""The section about one node in depth."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.depth.depth import Depth
from heorot.model.evaluation import Evaluation
from heorot.report.page import format_report
from tests.unit.analyse.depth.machine_room import copies_of
from tests.unit.report.sections.depth.deep_node import ALONE, COPIES, SWEEP, evaluate


@cache
def section() -> str:
    text = format_report(evaluate(*ALONE, *COPIES, *SWEEP), ())
    found = re.search(r'<section id="depth".*?</section>', text, re.DOTALL)
    assert found is not None
    assert 'href="#depth"' in text
    return found[0]


def test_a_run_without_roofs_and_copies_has_no_section() -> None:
    evaluation = evaluate()
    text = format_report(evaluation, ())
    assert 'id="depth"' in text  # the roofs alone are something
    bare = evaluation.analysis.model_copy(update={"depth": type(evaluation.analysis.depth)()})
    object.__setattr__(evaluation, "analysis", bare)
    assert 'id="depth"' not in format_report(evaluation, ())


def test_its_parts() -> None:
    titles = re.findall(r"<h3>(.*?)</h3>", section())
    assert titles == ["Roofline", "Memory wall", "Efficiency", "Company on a node", "Plateaus"]


def test_a_figure_and_a_table_of_its_points_for_each_number_of_cores() -> None:
    text = section()
    assert text.count('data-figure="depth-roofline-') == 2
    assert "Roofline of 1 core" in text
    assert "Roofline of 2 cores" in text
    assert text.index('id="fig-depth-roofline-0"') < text.index('id="depth-points-0"')
    assert text.index('id="depth-points-0"') < text.index('id="fig-depth-roofline-1"')
    assert 'id="depth-places-1"' in text


def table(name: str, text: str = "") -> str:
    found = re.search(rf'<table id="{name}".*?</table>', text or section(), re.DOTALL)
    assert found is not None
    return re.sub(r"<[^>]*>", "|", found[0])


def test_places_with_all_that_is_known() -> None:
    words = table("depth-places-0")
    for expected in ("works/mill", "grind", "memory (64 MiB)", "0.250", "3.85 Gflop/s", "96.2 %"):
        assert expected in words, expected


def test_walls_for_bytes_and_doubles() -> None:
    words = table("depth-walls")
    assert "4.00 [3.92, 4.08]" in words
    assert "|32.0|" in words


def test_company_with_causes() -> None:
    words = table("depth-company")
    assert "37.5 %" in words
    assert "less bandwidth" in words
    assert "nothing that was measured" in words


def test_plateaus_by_level() -> None:
    words = table("depth-plateaus")
    assert "10.0 Gflop/s\n4 KiB to 512 KiB" in words


def test_several_numbers_of_copies_make_curves() -> None:
    text = format_report(evaluate(*ALONE, *COPIES, copies_of(ALONE[0], n=4, slower=2.0)), ())
    assert "copies at once" in text


def reported(evaluation: Evaluation) -> str:
    """The page of an evaluation."""
    return format_report(evaluation, ())


def changed(evaluation: Evaluation, **fields: object) -> Evaluation:
    """The evaluation with other things found in depth."""
    depth = evaluation.analysis.depth.model_copy(update=fields)
    analysis = evaluation.analysis.model_copy(update={"depth": depth})
    return replace(evaluation, analysis=analysis)


def test_plateaus_alone_are_something() -> None:
    whole = evaluate(*SWEEP)
    stretches = whole.analysis.depth.stretches
    bare = whole.analysis.model_copy(update={"depth": Depth(stretches=stretches)})
    text = reported(replace(whole, analysis=bare))
    assert re.findall(r"<h3>(.*?)</h3>", text[text.index('<section id="depth"') :])[:1] == [
        "Plateaus"
    ]


def test_roofs_without_programs_are_drawn() -> None:
    text = reported(evaluate())
    assert text.count('data-figure="depth-roofline-') == 2
    assert 'id="depth-points-0"' not in text


def test_between_one_core_and_the_most_there_are_tables_only() -> None:
    evaluation = evaluate(*ALONE, *COPIES)
    one, two = evaluation.analysis.depth.roofs
    three = two.model_copy(update={"cores": 3})
    text = reported(changed(evaluation, roofs=(one, two, three)))
    assert "Roofline of 3 cores" in text
    assert "Roofline of 2 cores" not in text
    assert "All regions below the roofs of 2 cores" in text


def test_efficiency_by_cores() -> None:
    words = table("depth-efficiency")
    for expected in ("r_max", "press, working set 64 MiB", "50.0 Gflop/s", "78.1 %", "2 copies"):
        assert expected in words, expected
    assert "toolchain" not in words


def test_clocks_alone_and_busy() -> None:
    evaluation = evaluate(*ALONE, *COPIES)
    first, *others = evaluation.analysis.depth.contentions
    slower = first.model_copy(update={"clock_alone": 4e9, "clock": 3.2e9})
    text = reported(changed(evaluation, contentions=(slower, *others)))
    assert "4.00 GHz → 3.20 GHz" in table("depth-company", text)
    assert "clock, alone → busy" in table("depth-company")
    assert "GHz" not in table("depth-company")


def test_what_loses_nothing_lists_no_cause() -> None:
    evaluation = evaluate(ALONE[0], COPIES[0])
    (only,) = evaluation.analysis.depth.contentions
    unharmed = only.model_copy(update={"lost": Middle(median=0.001, low=-0.01, high=0.01)})
    assert "less bandwidth" in table("depth-company", reported(evaluation))
    text = reported(changed(evaluation, contentions=(unharmed,)))
    assert "less bandwidth" not in table("depth-company", text)


def test_the_figure_of_company_is_about_the_first_toolchain() -> None:
    alone, both = ALONE[0], COPIES[0]
    other = [replace(series, toolchain="clang") for series in (alone, copies_of(alone, slower=4.0))]
    text = reported(evaluate(alone, both, *other))
    figure = text[text.index('id="fig-depth-company"') :]
    assert "75.0 %" not in figure[: figure.index("<table")]
    assert "37.5 %" in figure[: figure.index("<table")]
    assert "75.0 %" in table("depth-company", text)


def test_what_memory_moved_has_a_column_where_it_was_counted() -> None:
    evaluation = evaluate(*ALONE)
    first, *others = evaluation.analysis.depth.places
    assert "measured at memory" not in table("depth-places-0", reported(evaluation))
    counted = first.model_copy(update={"measured_intensity": 0.777})
    words = table("depth-places-0", reported(changed(evaluation, places=(counted, *others))))
    assert "flop/B measured at memory" in words
    assert "0.777" in words


def test_several_toolchains_are_told_apart_in_every_table() -> None:
    other = [replace(series, toolchain="clang") for series in (*ALONE, *COPIES, *SWEEP)]
    text = reported(evaluate(*ALONE, *COPIES, *SWEEP, *other))
    assert "worst problem of each program, gnu-12" in text
    # what clang built stands below the only roofs there are
    assert text.count('data-figure="depth-roofline-') == 2
    for name in ("depth-places-0", "depth-company", "depth-plateaus", "depth-efficiency"):
        words = table(name, text)
        assert "|toolchain|" in words, name
        assert "|clang|" in words, name

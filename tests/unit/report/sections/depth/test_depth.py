"""The section about one node in depth."""

from __future__ import annotations

import re
from functools import cache

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
    assert titles == ["Roofline", "Memory wall", "Company on a node", "Plateaus"]


def test_a_figure_and_a_table_of_its_points_for_each_number_of_cores() -> None:
    text = section()
    assert text.count('data-figure="depth-roofline-') == 2
    assert "Roofline of 1 core" in text
    assert "Roofline of 2 cores" in text
    assert text.index('id="fig-depth-roofline-0"') < text.index('id="depth-points-0"')
    assert text.index('id="depth-points-0"') < text.index('id="fig-depth-roofline-1"')
    assert 'id="depth-places-1"' in text


def table(name: str) -> str:
    found = re.search(rf'<table id="{name}".*?</table>', section(), re.DOTALL)
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

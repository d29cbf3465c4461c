"""Coordinates in which rows differ, and their division into lines and panels."""

from __future__ import annotations

from heorot.model.analysis.result import Result
from heorot.report.figures.dimensions import MAXIMUM_LINES, arrange, dimension, resolve
from tests.unit.report.sample_programs import family_rows
from tests.unit.report.sample_results import Rows

CORES, PROGRAM = dimension("cores"), dimension("program")


def toolchain_rows(n_toolchains: int, n_classes: int) -> list[Result]:
    rows = Rows()
    return [
        rows.make("a/b", "r", "m", "s", 1.0, toolchain=f"t{i}", point={"class": f"c{j}"})
        for i in range(n_toolchains)
        for j in range(n_classes)
    ]


def test_what_never_varies_is_dropped() -> None:
    assert resolve(toolchain_rows(1, 1), CORES, ("region", "toolchain")) == []


def test_what_varies_between_programs_only_is_dropped_within_them() -> None:
    rows = list(family_rows(["ep", "is"]))
    assert [each.name for each in resolve(rows, CORES, ("region", "way"))] == ["region", "way"]
    within = resolve(rows, CORES, ("region", "way"), within=[PROGRAM])
    assert [each.name for each in within] == ["way"]


def test_a_coordinate_of_the_name_of_a_dimension_tells_rows_apart() -> None:
    ways = ("chain", "independent")
    rows = [Rows().make("a/b", "r", "m", "s", 1.0, point={"way": way}) for way in ways]
    found = resolve(rows, dimension("region"), ("region", "way"))
    assert [each.name for each in found] == ["way"]
    assert arrange(rows, dimension("region"), found).keys == (("chain", 0), ("independent", 1))


def test_the_dimension_with_fewest_values_comes_first() -> None:
    found = resolve(toolchain_rows(3, 2), CORES, ())
    assert [each.name for each in found] == ["class", "toolchain"]


def test_regions_that_nobody_declared_are_kept_apart() -> None:
    rows = [Rows().make("a/b", region, "m", "s", 1.0) for region in ("x", "y")]
    assert [each.name for each in resolve(rows, CORES, ())] == ["region"]


def test_the_largest_dimension_makes_panels_where_lines_are_too_many() -> None:
    rows = toolchain_rows(3, 4)
    arrangement = arrange(rows, CORES, resolve(rows, CORES, ()))
    assert [panel.title for panel in arrangement.panels] == ["c0", "c1", "c2", "c3"]
    assert arrangement.keys == (("t0", 0), ("t1", 1), ("t2", 2))


def test_one_dimension_too_large_for_a_panel_makes_panels_without_keys() -> None:
    rows = toolchain_rows(MAXIMUM_LINES + 1, 1)
    arrangement = arrange(rows, CORES, resolve(rows, CORES, ()))
    assert len(arrangement.panels) == MAXIMUM_LINES + 1
    assert arrangement.keys == ()
    assert len(arrangement.rows) == len(rows)

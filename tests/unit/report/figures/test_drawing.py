"""Drawings: lines of all panels, names of bars, patterns of keys."""

from __future__ import annotations

from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing, Line, Panel, Pattern


def line(style: int, x: tuple[str, ...], pattern: Pattern = "", *, disturbed: bool = False) -> Line:
    n = len(x)
    zeros = (0.0,) * n
    return Line("", style, x, zeros, zeros, zeros, (None,) * n, (disturbed,) * n, pattern)


def drawing(*panels: tuple[Line, ...]) -> Drawing:
    return Drawing(
        id="f",
        figure=Figure(title="t", kind="bars"),
        unit="s",
        panels=tuple(Panel("", lines) for lines in panels),
        keys=(),
        summary="",
        omitted="",
    )


def test_bars_of_all_panels_are_named_once() -> None:
    found = drawing((line(0, ("a", "b")), line(1, ("b", "c"))), (line(0, ("d", "a")),))
    assert found.bars == ["a", "b", "c", "d"]
    assert len(found.lines) == 3


def test_a_key_has_a_pattern_only_if_all_it_stands_for_have_it() -> None:
    found = drawing((line(0, ("a",), "dots"), line(1, ("a",)), line(1, ("a",), "lines")))
    assert [found.key_pattern(style) for style in (0, 1, 2)] == ["dots", "", ""]


def test_one_disturbed_value_makes_it_disturbed() -> None:
    assert not drawing((line(0, ("a",)),)).is_perturbed
    assert drawing((line(0, ("a",)), line(1, ("a",), disturbed=True))).is_perturbed

"""A map of pairs: a field for two coordinates, such as the cache-line latency between two cores.

Columns are the coordinate on the horizontal axis, lines the first series. Colours show the
distance from the best field, warm is worst; where there is room, each field has its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.model.point import Scalar
from heorot.report.figures.captions import name_omitted
from heorot.report.figures.drawing import Drawing, Line, Panel
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.rows import select
from heorot.report.figures.svg.fields import svg_fields
from heorot.report.wording import count, split_interval
from heorot.units import format_quantity

# From the worst to the best, so that warm colours are bad: times the best one.
CLASSES: tuple[tuple[float, str], ...] = (
    (0.0, "> 8 ×"),
    (1 / 8, "5–8 ×"),
    (1 / 5, "3–5 ×"),
    (1 / 3, "2–3 ×"),
    (1 / 2, "1.5–2 ×"),
    (1 / 1.5, "1.2–1.5 ×"),
    (1 / 1.2, "1.05–1.2 ×"),
    (1 / 1.05, "the best"),
)
"""Least share of the best speed, and how many times it takes."""


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    selection = select(figure, material.rows)
    by_line = _by_line(figure, selection.shown)
    columns = sorted({x for line in by_line.values() for x in line}, key=_order)
    if sum(map(len, by_line.values())) < max(1, figure.least_values):
        return None
    unit = selection.shown[0].unit
    every = [row for line in by_line.values() for row in line.values()]
    lower = every[0].better == "lower"
    best = (min if lower else max)(row.median for row in every)
    lines = tuple(
        _line(str(name), [fields.get(x) for x in columns], columns, best)
        for name, fields in sorted(by_line.items(), key=lambda pair: _order(pair[0]))
    )
    first, last = (format_quantity(f(row.median for row in every), unit) for f in (min, max))
    return Drawing(
        id=identifier,
        figure=figure,
        unit=unit,
        panels=(Panel("", lines),),
        summary=f"{figure.title}: {count(len(every), 'pair')}, from {first} to {last}.",
        omitted=name_omitted(selection.n_withheld, selection.lost, 0),
    )


def _order(value: Scalar) -> tuple[float, str]:
    return (float(value), "") if isinstance(value, int | float) else (0.0, str(value))


def _by_line(figure: Figure, rows: Sequence[Result]) -> dict[Scalar, dict[Scalar, Result]]:
    """The best row of each pair, by line and column."""
    found: dict[Scalar, dict[Scalar, Result]] = {}
    for row in rows:
        if figure.series[0] not in row.point:
            continue
        line = found.setdefault(row.point[figure.series[0]], {})
        kept = line.setdefault(row.point[figure.x], row)
        if (row.median < kept.median) == (row.better == "lower"):
            line[row.point[figure.x]] = row
    return found


def _line(
    name: str, fields: Sequence[Result | None], columns: Sequence[Scalar], best: float
) -> Line:
    shares = tuple(float("nan") if row is None else _share(row, best) for row in fields)
    return Line.exact(
        name,
        map(str, columns),
        shares,
        perturbed=(row is not None and row.disturbed for row in fields),
        texts=tuple("" if row is None else _word(row) for row in fields),
        labels=tuple(
            "" if row is None else format_quantity(row.median, row.unit) for row in fields
        ),
    )


def _word(row: Result) -> str:
    ends = row.median, row.ci_low, row.ci_high
    return " ".join(split_interval(*ends, row.unit, row.n_launches))


def _share(row: Result, best: float) -> float:
    """The speed of a field relative to the best one [1]."""
    ratio = best / row.median if row.better == "lower" else row.median / best
    return min(ratio, 1.0)


def _read(drawing: Drawing) -> str:
    figure = drawing.figure
    lines, columns = figure.series[0].replace("_", " "), figure.x_label or figure.x
    parts = [f"Lines: {lines}; columns: {columns}. Colours: how many times the best of all."]
    if drawing.is_perturbed:
        parts.append("Hatched: perturbed.")
    return " ".join(parts)


MATRIX = Kind(
    name="matrix",
    draw=_draw,
    read=_read,
    svg=partial(svg_fields, classes=CLASSES, height=22.0, width=64.0),
    keys="parts",
)

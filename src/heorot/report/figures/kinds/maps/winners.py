"""A table of operations and sizes: which toolchain is the fastest at each, and how much faster.

A field has a winner if the interval of its median ends before those of all others begin; it then
has the winner's colour and the factor by which the next one is slower; without a winner, a dot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.model.grouping import group_by
from heorot.model.point import Scalar
from heorot.report.figures.captions import name_omitted
from heorot.report.figures.drawing import Drawing, Line, Panel
from heorot.report.figures.kind import Kind, Material, Picture
from heorot.report.figures.rows import select
from heorot.report.figures.svg.parts import WIDTH, fit_text, group, rectangle, tooltip, write_text
from heorot.report.figures.text import widest
from heorot.report.wording import count, word_name, word_row_layout
from heorot.units import format_binary, format_quantity

MOST_SIZES = 12
_PITCH = 18.0
_MOST_FOR_NAMES = 0.3 * WIDTH
_MARK = 10.0

_Field = tuple[str, Scalar]
"""Region and size."""


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    selection = select(figure, material.rows)
    toolchains = list(dict.fromkeys(str(row.stack) for row in selection.shown))
    if len(toolchains) < max(2, figure.least_values):
        return None
    panels = []
    for title, rows in group_by(selection.shown, word_row_layout).items():
        lines = tuple(_lines(figure, rows, toolchains))
        if lines:
            panels.append(Panel(title, lines))
    if not panels:
        return None
    return Drawing(
        id=identifier,
        figure=figure,
        unit=selection.shown[0].unit,
        panels=tuple(panels if len(panels) > 1 else [Panel("", panels[0].lines)]),
        keys=tuple((name, style) for style, name in enumerate(toolchains)),
        summary=_summarise(panels, toolchains),
        omitted=name_omitted(selection.n_withheld, selection.lost, 0),
    )


def _lines(figure: Figure, rows: Sequence[Result], toolchains: Sequence[str]) -> Iterator[Line]:
    """For every operation a line of the sizes that a toolchain wins, one for each, and the rest."""
    fields: dict[_Field, dict[str, Result]] = {}
    for row in rows:
        best = fields.setdefault((row.region, row.point[figure.x]), {})
        kept = best.setdefault(str(row.stack), row)
        if row.median < kept.median:
            best[str(row.stack)] = row
    contested = {field: found for field, found in fields.items() if len(found) > 1}
    sizes = sorted({size for _, size in contested}, key=float)[:MOST_SIZES]
    for region in dict.fromkeys(region for region, _ in contested):
        won: dict[int, list[Scalar]] = {}
        for size in sizes:
            if (region, size) in contested:
                style = _winner(contested[region, size], toolchains)
                won.setdefault(style, []).append(size)
        for style, of_style in sorted(won.items()):
            yield _line(region, style, of_style, [contested[region, size] for size in of_style])


def _winner(found: Mapping[str, Result], toolchains: Sequence[str]) -> int:
    """The index of the significantly fastest toolchain; their number if there is none."""
    first, second = _two_best(found)
    return toolchains.index(str(first.stack)) if first.ci_high < second.ci_low else len(toolchains)


def _two_best(found: Mapping[str, Result]) -> tuple[Result, Result]:
    first, second, *_ = sorted(found.values(), key=lambda row: row.median)
    return first, second


def _line(
    region: str, style: int, sizes: Sequence[Scalar], fields: Sequence[Mapping[str, Result]]
) -> Line:
    pairs = [_two_best(found) for found in fields]
    margins = tuple(second.median / first.median - 1.0 for first, second in pairs)
    return Line.exact(
        word_name(region),
        sizes,
        margins,
        style=style,
        perturbed=(first.disturbed or second.disturbed for first, second in pairs),
        texts=tuple(
            f"{first.stack} {format_quantity(first.median, first.unit)}, "
            f"{second.stack} {format_quantity(second.median, second.unit)}"
            for first, second in pairs
        ),
    )


def _summarise(panels: Sequence[Panel], toolchains: Sequence[str]) -> str:
    """How many fields each toolchain wins."""
    lines = [line for panel in panels for line in panel.lines]
    won = [
        f"{name} {sum(len(line.x) for line in lines if line.style == style)}"
        for style, name in enumerate(toolchains)
    ]
    n_fields = sum(len(line.x) for line in lines)
    return (
        f"The fastest of {count(len(toolchains), 'toolchain')} at {count(n_fields, 'field')} of "
        f"operation and size: {', '.join(won)}; at the others there is no significant winner."
    )


def _read(drawing: Drawing) -> str:
    parts = ["Fields: the fastest toolchain, and how much longer the next one takes."]
    if any(line.style >= len(drawing.keys) for line in drawing.lines):
        parts.append("Dot: no significant winner.")
    if drawing.is_perturbed:
        parts.append("Hollow: perturbed.")
    return " ".join(parts)


def _svg(drawing: Drawing) -> Picture:
    sizes = sorted({size for line in drawing.lines for size in line.x}, key=float)
    names = [line.name for line in drawing.lines]
    left = min(14 + widest(names, "bar-name"), _MOST_FOR_NAMES)
    pitch = (WIDTH - left) / len(sizes)
    parts: list[str] = []
    top = 14.0
    for j, size in enumerate(sizes):
        parts.append(write_text(left + pitch * j, top, format_binary(float(size)), "start"))
    for panel in drawing.panels:
        if panel.title:
            top += 22.0
            parts.append(fit_text(0, top, panel.title, "start", "panel-title", WIDTH))
        for name in dict.fromkeys(line.name for line in panel.lines):
            top += _PITCH
            parts.append(fit_text(left - 8, top, name, "end", "bar-name", left - 12))
            for line in panel.lines:
                if line.name == name:
                    parts += _fields(line, drawing, left, top, pitch, sizes)
    return Picture(parts, top + 10.0)


def _fields(
    line: Line,
    drawing: Drawing,
    left: float,
    base: float,
    pitch: float,
    sizes: Sequence[Scalar],
) -> list[str]:
    """The fields of a toolchain in the row of an operation."""
    parts = []
    for i, (size, margin) in enumerate(zip(line.x, line.y, strict=True)):
        x = left + pitch * sizes.index(size)
        said = tooltip(f"{line.name}, {line.texts[i]}")
        if line.style >= len(drawing.keys):
            dot = f'<circle class="gap" cx="{x + 4:.1f}" cy="{base - 4:.1f}" r="2"/>'
            parts.append(f"<g>{said}{dot}</g>")
            continue
        hollow = " hollow" if line.perturbed[i] else ""
        mark = rectangle(f"bar{hollow}", (x, base - _MARK + 1, _MARK, _MARK), said)
        text = f"+{format_quantity(margin, '%', 2)}"
        beside = fit_text(x + _MARK + 3, base, text, "start", "tick", pitch - _MARK - 4)
        parts += group(line.style, [mark, beside])
    return parts


WINNERS = Kind(name="winners", draw=_draw, read=_read, svg=_svg, keys="bars")

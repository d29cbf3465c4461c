"""A map of nodes and programs: a field for each, coloured by how fast the node runs the program.

Colours diverge from the median of the kind: warm and darker is slower, cool and darker is faster,
so that they differ without hues; in dark mode they grow lighter instead. Slow nodes have a
named as slow has a frame. Many nodes are no map any more: then the slowest are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from heorot.model.analysis.studies.nodes import NodeColumn, NodeLine, NodeStudy, Slow, SlowMetric
from heorot.model.catalogue.figure import Figure
from heorot.model.run.identity import Setup
from heorot.report.figures.drawing import Drawing, Line, Panel
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.svg.fields import class_in, svg_fields
from heorot.report.wording import count
from heorot.units import format_quantity

MOST_NODES = 72
"""More lines fit on no page of paper."""

WORST_NODES = 20
"""So many lines stand for more nodes."""

MOST_COLUMNS = 60
"""More columns leave no room for their names."""

CLASSES: tuple[tuple[float, str], ...] = (
    (0.0, "< 80"),
    (0.80, "80–90"),
    (0.90, "90–95"),
    (0.95, "95–98"),
    (0.98, "98–102"),
    (1.02, "102–105"),
    (1.05, "105–110"),
    (1.10, "> 110 %"),
)
"""Least speed relative to the median, and the words for it [%]."""


def class_of(speed: float) -> int:
    """The class of a speed relative to the median [1]: its place in CLASSES."""
    return class_in(CLASSES, speed)


def name_columns(columns: Sequence[NodeColumn]) -> list[str]:
    """A name for each column, of the parts in which they differ."""
    names = [[each.benchmark] for each in columns]
    for words in ([each.case for each in columns], [str(each.stack) for each in columns]):
        if len(set(map(tuple, names))) < len(names):
            names = [[*name, word] for name, word in zip(names, words, strict=True)]
    return [
        ", ".join([*name, *(["pairs"] if each.of_pairs else [])])
        for name, each in zip(names, columns, strict=True)
    ]


def shown_lines(analysis: NodeStudy) -> list[NodeLine]:
    """The nodes that have a line in the map: all, or the worst of many, by kind."""
    if len(analysis.lines) <= MOST_NODES:
        return list(analysis.lines)
    named = [one.name for one in analysis.slow]
    ranked = sorted(
        analysis.lines,
        key=lambda line: (
            named.index(line.name) if line.name in named else len(named),
            line.typical if line.typical is not None else 1.0,
        ),
    )
    return sorted(ranked[:WORST_NODES], key=lambda line: line.kind)


def column_of(each: NodeColumn | SlowMetric) -> Setup:
    """What names the column that something belongs to."""
    return each.setup


def slow_columns(slow: Iterable[Slow]) -> set[Setup]:
    """The columns in which any of some nodes is slow."""
    return {column_of(each) for one in slow for each in one.metrics}


def shown_columns(analysis: NodeStudy) -> list[int]:
    """Places of the columns that are shown: those in which a node is slow, then the others."""
    slow = slow_columns(analysis.slow)
    places = range(len(analysis.columns))
    ranked = sorted(places, key=lambda j: column_of(analysis.columns[j]) not in slow)
    return sorted(ranked[:MOST_COLUMNS])


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    analysis = material.nodes
    if analysis is None or not analysis.columns:
        return None
    lines, columns = shown_lines(analysis), shown_columns(analysis)
    names = name_columns([analysis.columns[j] for j in columns])
    panels = []
    for number, kind in enumerate(analysis.kinds):
        members = [line for line in lines if line.kind == number]
        if members:
            panels.append(
                Panel(kind.name, tuple(_line(line, analysis, columns, names) for line in members))
            )
    return Drawing(
        id=identifier,
        figure=figure,
        unit="1",
        panels=tuple(panels),
        summary=_summarise(analysis, lines, len(columns)),
        omitted=_omit(analysis, lines, columns),
    )


def _line(
    line: NodeLine, analysis: NodeStudy, columns: Sequence[int], names: Sequence[str]
) -> Line:
    slow = slow_columns(one for one in analysis.slow if one.name == line.name)
    speeds = [line.speeds[j] for j in columns]
    values = tuple(float("nan") if speed is None else speed for speed in speeds)
    return Line.exact(
        line.name,
        names,
        values,
        perturbed=(line.disturbed[j] for j in columns),
        texts=tuple(
            "not measured" if speed is None else format_quantity(speed, "%") for speed in speeds
        ),
        marked=tuple(column_of(analysis.columns[j]) in slow for j in columns),
    )


def _summarise(analysis: NodeStudy, lines: Sequence[NodeLine], n_columns: int) -> str:
    """The caption of the map."""
    shown = count(len(lines), "node")
    if len(lines) < len(analysis.lines):
        shown = f"the {len(lines)} slowest of {count(len(analysis.lines), 'node')}"
    said = f"Speed of {shown} in {count(n_columns, 'case')} of programs, relative to the median of"
    parts = [f"{said} nodes of equal hardware."]
    if analysis.slow:
        named = ", ".join(
            f"{one.name} ({format_quantity(one.speed, '%')})" for one in analysis.slow[:WORST_NODES]
        )
        parts.append(f"Slower than equal hardware beyond chance: {named}.")
    else:
        parts.append("None is slower than equal hardware beyond chance.")
    return " ".join(parts)


def _omit(analysis: NodeStudy, lines: Sequence[NodeLine], columns: Sequence[int]) -> str:
    parts = []
    if len(lines) < len(analysis.lines):
        parts.append(f"{count(len(analysis.lines) - len(lines), 'faster node')} in the table only.")
    beyond = len(analysis.columns) - len(columns)
    if beyond:
        parts.append(f"{count(beyond, 'more case')} of programs only in the export.")
    return " ".join(parts)


def _read(drawing: Drawing) -> str:
    parts = [
        "Fields: speed relative to the median of the kind; stronger colours are further from it."
    ]
    if any(any(line.marked) for line in drawing.lines):
        parts.append("Framed: slower beyond chance.")
    if drawing.is_perturbed:
        parts.append("Hatched: perturbed.")
    if any(value != value for line in drawing.lines for value in line.y):  # noqa: PLR0124 (NaN)
        parts.append("Dot: not measured.")
    return " ".join(parts)


NODE_MAP = Kind(
    name="node_map",
    draw=_draw,
    read=_read,
    svg=partial(svg_fields, classes=CLASSES, height=12.0, width=34.0, bold=True),
    keys="parts",
)

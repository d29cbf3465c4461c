"""A metric over a coordinate: a line for each combination of the other dimensions.

Two more kinds: rows inside a node, with a panel for each program on equal axes, and rows over the
number of nodes, with a line for each layout per node.
"""

from __future__ import annotations

from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.model.point import Point
from heorot.report.figures.axis import common_ceiling
from heorot.report.figures.captions import read_values
from heorot.report.figures.dimensions import arrange, dimension, n_values, resolve
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Draw, Kind, Material
from heorot.report.figures.plateaus import mark_plateaus
from heorot.report.figures.rows import compose, select
from heorot.report.figures.svg.curves import svg_curves

_NODES, _EACH = "nodes", "on each node"


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    """Sorts rows into curves; None if there are none."""
    selection = select(figure, material.rows)
    rows, position = selection.shown, dimension(figure.x)
    panels_by = [dimension(name) for name in figure.panels]
    if n_values(position, rows) < max(1, figure.least_values):
        return None
    others = resolve(rows, position, figure.series, within=panels_by)
    arrangement = arrange(rows, position, others, panels_by=panels_by)
    drawing = compose(figure, selection, arrangement, identifier)
    return mark_plateaus(drawing, rows, material.depth)


def _read(drawing: Drawing) -> str:
    """Explains the marks of curves."""
    text = read_values(drawing, "Dotted line" if common_ceiling(drawing) is not None else "")
    broad = any(line.shape == "wide" for line in drawing.lines)
    return f"{text} Broad strokes: plateaus." if broad else text


def _inside(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    """As many cores of several nodes are another matter."""
    inside = Material(rows=[row for row in material.rows if row.nodes == 1])
    return _draw(figure, inside, identifier)


def _multiples(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    by_program = figure.model_copy(update={"panels": ("program",)})
    return _draw(by_program, material, identifier)


def _over_nodes(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    """Sorts rows by their layout per node; the axis is always the number of nodes.

    A layout that was measured on a single number of nodes has no line.
    """
    found = [
        row
        for row in material.rows
        if row.metric == figure.metric and not row.is_star and row.ranks % row.nodes == 0
    ]
    ways: dict[tuple[str, Point, str], set[int]] = {}
    for row in found:
        ways.setdefault(_way(row), set()).add(row.nodes)
    rows = [_placed(row) for row in found if len(ways[_way(row)]) > 1]
    over = figure.model_copy(
        update={"x": _NODES, "x_label": "nodes", "series": (*figure.series, _EACH)}
    )
    return _draw(over, Material(rows=rows), identifier)


def _way(row: Result) -> tuple[str, Point, str]:
    return row.region, row.point, _word_each(row.ranks // row.nodes, row.threads)


def _placed(row: Result) -> Result:
    """The row with its nodes, and what is on each, as coordinates."""
    each = _word_each(row.ranks // row.nodes, row.threads)
    return row.model_copy(
        update={"key": row.key.but(point=row.point | {_NODES: row.nodes, _EACH: each})}
    )


def _word_each(ranks: int, threads: int) -> str:
    """What runs on each node: `4 ranks each`, `1 rank of 8 threads each`."""
    of_threads = f" of {threads} threads" if threads > 1 else ""
    return f"{ranks} rank{'s' * (ranks != 1)}{of_threads} each"


def _kind(name: str, draw: Draw) -> Kind:
    return Kind(name=name, draw=draw, read=_read, svg=svg_curves, keys="lines")


CURVE = _kind("curve", _draw)
INSIDE = _kind("inside", _inside)
MULTIPLES = _kind("multiples", _multiples)
OVER_NODES = _kind("over_nodes", _over_nodes)

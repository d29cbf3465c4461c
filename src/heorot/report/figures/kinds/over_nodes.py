"""A metric over the number of nodes: a line for each way in which every node is used alike."""

from __future__ import annotations

from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.model.point import Point
from heorot.report.figures.curves.lines import draw_lines, read_lines
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.svg.curves import svg_curves

_NODES, _EACH = "nodes", "on each node"


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    """Sorts rows by how they use a node; the axis is the number of nodes, whatever the figure says.

    A way that was measured on one number of nodes only is no line.
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
    return draw_lines(over, Material(rows=rows), identifier)


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


OVER_NODES = Kind(
    name="over_nodes",
    draw=_draw,
    read=read_lines,
    svg=svg_curves,
    keys="lines",
)

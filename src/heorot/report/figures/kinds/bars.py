"""A bar for each region, layout or program, with its bound; colours distinguish further rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.axis import near_ceilings
from heorot.report.figures.captions import read_values
from heorot.report.figures.dimensions import Dimension, arrange, dimension, n_values, resolve
from heorot.report.figures.drawing import MAXIMUM_BARS, Drawing
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.rows import compose, select
from heorot.report.figures.svg.bars import svg_bars


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    selection = select(figure, material.rows)
    rows = selection.shown
    region, program = dimension("region"), dimension("program")
    if program.name in figure.series and n_values(program, rows) > 1:
        position = program
        others = resolve(rows, position, figure.series, within=[program])
    else:
        position = region
        others = resolve(rows, position, figure.series)
        if n_values(region, rows) == 1 and others:
            position, *others = others
    if n_values(position, rows) < max(1, figure.least_values):
        return None
    rows = _first(rows, position)
    selection = replace(selection, n_beyond=len(selection.shown) - len(rows))
    return compose(figure, selection, arrange(rows, position, others), identifier)


def _first(rows: Sequence[Result], position: Dimension) -> list[Result]:
    """The rows of as many places as there is room for bars, at least of one."""
    tally = Counter(map(position.value, rows))
    totals = dict(zip(tally, accumulate(tally.values()), strict=True))
    kept = {place for place, total in totals.items() if total <= MAXIMUM_BARS} or {*[*tally][:1]}
    return [row for row in rows if position.value(row) in kept]


def _read(drawing: Drawing) -> str:
    return read_values(drawing, "Upright stroke" if near_ceilings(drawing) else "")


BARS = Kind(name="bars", draw=_draw, read=_read, svg=svg_bars, keys="bars")

"""Rows of results as a drawing: those that are drawn, and a note on the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.captions import name_omitted, summarise
from heorot.report.figures.dimensions import Arrangement
from heorot.report.figures.drawing import Drawing


@dataclass(frozen=True)
class Selection:
    """The rows that a figure is about.

    Attributes:
        lost: what a logarithmic axis has no place for.
        n_withheld: values that are not to be trusted.
    """

    shown: list[Result]
    lost: list[Result]
    n_withheld: int
    n_beyond: int = 0


def select(figure: Figure, rows: Sequence[Result]) -> Selection:
    """Finds the rows that the figure shows."""
    wanted = [
        row
        for row in rows
        if row.metric == figure.metric
        and (not figure.regions or row.region in figure.regions)
        and (not figure.x or figure.x in {"cores", *row.point})
    ]
    good = [row for row in wanted if row.ranked]
    return Selection(
        shown=[row for row in good if not _vanishes(figure, row)],
        lost=[row for row in good if _vanishes(figure, row)],
        n_withheld=len(wanted) - len(good),
    )


def compose(
    figure: Figure, selection: Selection, arrangement: Arrangement, identifier: str
) -> Drawing:
    """Makes a drawing of arranged rows.

    Args:
        arrangement: of the rows that are shown, at least one.
    """
    return Drawing(
        id=identifier,
        figure=figure,
        unit=arrangement.rows[0].unit,
        panels=arrangement.panels,
        keys=arrangement.keys,
        summary=summarise(figure, arrangement),
        omitted=name_omitted(
            selection.n_withheld, selection.lost, arrangement.n_omitted, selection.n_beyond
        ),
    )


def _vanishes(figure: Figure, row: Result) -> bool:
    """Whether a logarithmic axis has no place for the row."""
    x = row.point.get(figure.x)
    lost_x = figure.log_x and isinstance(x, int | float) and x <= 0
    return lost_x or (figure.log_y and min(row.median, row.ci_low) <= 0)

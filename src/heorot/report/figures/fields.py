"""What maps of coloured fields share: heads of columns, classes of values and their legend."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from markupsafe import escape

from heorot.report.figures.svg import WIDTH, write_text
from heorot.report.figures.text import cut_text

PITCH = 12.0
"""Height of a line of fields."""

WIDEST_FIELD = 34.0
MOST_FOR_COLUMNS = 150.0
"""What the names of columns, read from below, may take."""

_SWATCH = 72.0

Classes = Sequence[tuple[float, str]]
"""Least value of each of eight colours, and the words for it; the first has no least one."""


def class_in(classes: Classes, value: float) -> int:
    """The place of a value in the classes.

    Args:
        classes: all of them.
        value: not negative [1].
    """
    return bisect_right([least for least, _ in classes], max(0.0, value)) - 1


def write_head(name: str, x: float, room: float) -> str:
    """The name of a column, read from below.

    Args:
        name: of the column.
        x: its middle.
        room: for the name.
    """
    text = escape(cut_text(name, "tick", room))
    return (
        f'<text transform="translate({x + 4:.1f} {room + 2:.1f}) rotate(-90)">{text}'
        f"<title>{escape(name)}</title></text>"
    )


def write_legend(classes: Classes, left: float, top: float) -> list[str]:
    """The colours with what they stand for.

    Args:
        classes: all of them.
        left: where the fields begin.
        top: upper edge.
    """
    start = min(left, WIDTH - _SWATCH * len(classes))
    parts = []
    for number, (_, words) in enumerate(classes):
        x = start + _SWATCH * number
        place = f'x="{x:.1f}" y="{top:.1f}" width="10" height="10"'
        parts.append(f'<rect class="field d{number}" {place}/>')
        parts.append(write_text(x + 13, top + 9, words, "start"))
    return parts

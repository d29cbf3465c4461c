"""The parts of pictures that several layouts share: texts, bars with their axis, panels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import escape

from heorot.report.figures.axis import Axis
from heorot.report.figures.text import Css, cut_text, widest

WIDTH = 760
_MOST_TICKS = 6
_TICK_ROOM = 80.0
_MOST_FOR_NAMES = 0.45 * WIDTH

Box = tuple[float, float, float, float]
"""Left, top, width and height [px]."""


def write_text(x: float, y: float, text: str, anchor: str, css: Css = "tick") -> str:
    """A text as an element.

    Args:
        x: where it is anchored [px].
        y: its base line [px].
        anchor: `start`, `middle` or `end`.
    """
    return _write(x, y, anchor, css, str(escape(text)))


def fit_text(x: float, y: float, text: str, anchor: str, css: Css, room: float) -> str:
    """A text as an element, cut to its room if it is too long; its tooltip then has all of it.

    Args:
        room: width it may have [px].
    """
    cut = cut_text(text, css, room)
    if cut == text:
        return write_text(x, y, text, anchor, css)
    return _write(x, y, anchor, css, f"{escape(cut)}<title>{escape(text)}</title>")


def bar_columns(names: Sequence[str], values: Sequence[str]) -> tuple[float, float]:
    """Where bars between their names and their values begin, and how long they may be [px]."""
    left = min(14 + widest(names, "bar-name"), _MOST_FOR_NAMES)
    return left, WIDTH - left - 18 - widest(values, "bar-value")


def count_ticks(width: float) -> int:
    """How many ticks a horizontal axis of that width [px] has room for."""
    return max(2, min(_MOST_TICKS, int(width / _TICK_ROOM)))


def bar_axis(box: Box, axis: Axis) -> list[str]:
    """The grid under bars with its ticks."""
    left, top, width, height = box
    parts, grid = [], []
    for value, text in axis.ticks:
        x = left + width * axis.place(value)
        grid.append(f"M{pixels(x)} {pixels(top)}V{pixels(top + height)}")
        parts.append(write_text(x, top + height + 15, text, "middle"))
    return [f'<path class="grid" d="{"".join(grid)}"/>', *parts]


def bar_names(box: Box, names: Sequence[str], pitch: float) -> list[str]:
    """The names before bars.

    Args:
        pitch: from one name to the next [px].
    """
    left, top, _, _ = box
    return [
        fit_text(left - 8, top + pitch * (i + 0.5) + 4, name, "end", "bar-name", left - 14)
        for i, name in enumerate(names)
    ]


def panel(
    box: Box, *, axes: Iterable[str], marks: Iterable[str], beside: Iterable[str] = ()
) -> list[str]:
    """A panel as the page's script expects it, which may look closer at the marks.

    In paths of marks, capitals move with the values; small letters are lengths of so many
    pixels long however close one looks.

    Args:
        axes: grid and ticks, which the script writes anew.
    """
    head = f'<g class="panel" data-box="{" ".join(map(pixels, box))}"><g class="axes">'
    return [head, *axes, "</g>", *beside, '<g class="marks">', *marks, "</g></g>"]


def group(style: int, parts: Iterable[str]) -> list[str]:
    """Elements of one colour, which a key hides and shows; nothing of none."""
    inside = "".join(parts)
    return [f'<g class="s{style}">{inside}</g>'] if inside else []


def tooltip(text: str) -> str:
    """What is to be read of an element under the pointer, to stand in it."""
    return f"<title>{escape(text)}</title>"


def rectangle(css: str, box: Box, inside: str = "") -> str:
    """A box as an element."""
    names = ("x", "y", "width", "height")
    place = " ".join(f'{name}="{pixels(each)}"' for name, each in zip(names, box, strict=True))
    return f'<rect class="{css}" {place}{f">{inside}</rect>" if inside else "/>"}'


def _write(x: float, y: float, anchor: str, css: str, content: str) -> str:
    """The element without attributes of default value: a page has thousands."""
    named = f' class="{css}"' if css != "tick" else ""
    anchored = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text{named} x="{pixels(x)}" y="{pixels(y)}"{anchored}>{content}</text>'


def pixels(length: float) -> str:
    """A coordinate, to a tenth of a pixel."""
    return f"{length:.1f}".removesuffix(".0")

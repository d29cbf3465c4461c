"""Widths of texts in static pictures, which no browser has measured yet.

The widths are those of DejaVu Sans, the widest of the fonts that the page asks for or falls back
to, and what a plain Debian has.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

Css = Literal["tick", "axis-title", "bar-name", "bar-value", "panel-title"]

# Width of letters as parts of the size of the font, rounded up; all others are as wide as it.
_REGULAR = {
    0.30: "IJijl",
    0.35: " ,./:;\\|",
    0.40: "()-[]ft",
    0.45: "!r",
    0.50: '"*_`–',
    0.55: "?csz",
    0.60: "FLkvxy",
    0.65: "$0123456789EPSTYabdeghnopqu{}µ",
    0.70: "ABCKRVXZ",
    0.75: "NU",
    0.80: "&DGHOQ",
    0.85: "#+<=>^w~×∞−",
    0.90: "M",
    0.95: "%",
}
_BOLD = {
    0.35: " 'ijl",
    0.40: ",./:;IJ\\|",
    0.45: "-f",
    0.50: "!()[]_`rt–",
    0.55: '"*',
    0.60: "?csz",
    0.65: "Lx",
    0.70: "$0123456789EFTaekovy",
    0.75: "CPSYZbdghnpqu{}µ",
    0.80: "ABKRVX",
    0.85: "#+<=>DGHNOQU^~×∞−",
    0.90: "&",
    0.95: "w",
    1.05: "%m",
    1.15: "W",
}


def _letters(widths: dict[float, str]) -> dict[str, float]:
    return {letter: width for width, letters in widths.items() for letter in letters}


_FONTS: dict[str, tuple[float, dict[str, float]]] = {
    "tick": (11.0, _letters(_REGULAR)),
    "axis-title": (11.0, _letters(_REGULAR)),
    "bar-name": (12.0, _letters(_REGULAR)),
    "bar-value": (12.0, _letters(_BOLD)),
    "panel-title": (12.0, _letters(_BOLD)),
}
"""Size [px] and letters by class, as in report.css."""

ELLIPSIS = "…"
_ROUNDING = 1e-6


def text_width(text: str, css: Css = "tick") -> float:
    """How much room a text takes at most [px]."""
    size, letters = _FONTS[css]
    return size * sum(letters.get(letter, 1.0) for letter in text)


def widest(texts: Iterable[str], css: Css = "tick") -> float:
    """The width of the widest text [px]; 0 of none."""
    return max((text_width(text, css) for text in texts), default=0.0)


def cut_text(text: str, css: Css, room: float) -> str:
    """The text, or as much of its beginning as fits, with an ellipsis behind it.

    Args:
        room: width it may have [px].
    """
    room += _ROUNDING
    if text_width(text, css) <= room:
        return text
    kept = text
    while kept and text_width(kept.rstrip() + ELLIPSIS, css) > room:
        kept = kept[:-1]
    return (kept or text[:1]).rstrip() + ELLIPSIS

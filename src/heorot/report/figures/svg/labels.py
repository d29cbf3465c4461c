"""Positions of short labels near points, without overlaps of labels and points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from heorot.report.figures.text import text_width

_REACH = 7.0
_TALL = 9.0
_POINT = 4.0

Placed = tuple[str, float, float]
"""What of a label stands there, `start`, `middle` or `end`, and how far from its point [px]."""

_SIDES: tuple[Placed, ...] = (
    ("start", _REACH, -3.0),
    ("start", _REACH, _TALL + 3.0),
    ("end", -_REACH, -3.0),
    ("end", -_REACH, _TALL + 3.0),
    ("middle", 0.0, -_REACH),
    ("middle", 0.0, _TALL + _REACH),
)


class Spot(NamedTuple):
    """A point of a picture with its label [px]."""

    x: float
    y: float
    label: str


_Area = tuple[float, float, float, float]


def place_labels(groups: Sequence[Sequence[Spot]]) -> list[list[Placed]]:
    """A side for each label: the first where nothing is yet, or the first of all."""
    taken = [
        (spot.x - _POINT, spot.y - _POINT, spot.x + _POINT, spot.y + _POINT)
        for group in groups
        for spot in group
    ]
    placed = []
    for group in groups:
        sides = []
        for spot in group:
            free = (side for side in _SIDES if not _meets(_area(spot, side), taken))
            side = next(free, _SIDES[0])
            taken.append(_area(spot, side))
            sides.append(side)
        placed.append(sides)
    return placed


def _area(spot: Spot, side: Placed) -> _Area:
    anchor, across, down = side
    width = text_width(spot.label, "bar-value")
    begin = {"start": 0.0, "end": -width, "middle": -width / 2}[anchor]
    left, base = spot.x + across + begin, spot.y + down
    return left, base - _TALL, left + width, base


def _meets(area: _Area, taken: Sequence[_Area]) -> bool:
    left, top, right, bottom = area
    return any(left < r and right > lo and top < b and bottom > t for lo, t, r, b in taken)

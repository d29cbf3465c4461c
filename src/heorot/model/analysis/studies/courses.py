"""One quantity of two runs over the sizes of something, and where the better side changes."""

from __future__ import annotations

from typing import Literal

from heorot.model.base import Record
from heorot.model.run.identity import Key, Measured

Letter = Literal["A", "B"]


class Crossing(Record):
    """Between two values of a coordinate the better side changes.

    Attributes:
        below: the last value at which the other side is better.
        above: the first at which this side is.
    """

    below: float
    above: float
    better_above: Letter


class CoursePoint(Record):
    """The ratio at one value of a coordinate.

    Attributes:
        ratio: more than 1 means that the second run is better.
        launches: that both sides rest on.
        disturbed: whether either side has disturbed samples only.
    """

    at: float
    ratio: float
    low: float
    high: float
    launches: int
    disturbed: bool = False


class Course(Measured, Record):
    """One quantity of both runs over the values of a coordinate, such as the size of messages.

    Attributes:
        most_ratio: the ratio furthest from 1; more than 1 means that the second run is better.
        most_at: at which value that is; None if intervals leave open at which.
        alike_from: from which value on both differ by 10 % at most; None if they always or never
            do.
        points: the smallest value first.
    """

    key: Key
    metric: str
    coordinate: str
    smallest: float
    largest: float
    n: int
    crossings: tuple[Crossing, ...] = ()
    most_ratio: float
    most_at: float | None
    alike_from: float | None = None
    points: tuple[CoursePoint, ...] = ()

"""One quantity of two runs over a size, and the crossover."""

from __future__ import annotations

from typing import Literal

from heorot.model.base import Record
from heorot.model.run.identity import Key, Measured

Letter = Literal["A", "B"]


class Crossing(Record):
    """A crossover lies between two values of a coordinate.

    Attributes:
        below: the last value at which the other side is better.
        above: the first value at which this side is better.
    """

    below: float
    above: float
    better_above: Letter


class CoursePoint(Record):
    """The ratio at one value of a coordinate.

    Attributes:
        ratio: more than 1 means that the second run is better.
        launches: of both sides.
        disturbed: whether either side has perturbed samples only.
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
        most_at: its value of the coordinate; None if intervals leave it open.
        alike_from: the value from which on both differ by 10 % at most; None if they always or
            never do.
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

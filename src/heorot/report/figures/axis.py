"""Axes of figures: their range, and ticks at round values."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from heorot.model.point import Scalar
from heorot.report.figures.drawing import Drawing
from heorot.report.wording import format_coordinate, format_size, format_tick, is_bytes

_MARGIN = 0.035
_DECADE_OF_MANY = 2.2
_MANTISSAS = ((1, 2, 5), (1, 3), (1,))
_DIGITS = 3
_FAR_ABOVE = 30.0
_SAME_CEILING = 1.01

_Printer = Callable[[float, int], str]
"""Prints a value with so many significant digits."""


@dataclass(frozen=True)
class Axis:
    """One axis of a drawing.

    Attributes:
        low: lower end; the exponent of ten on a logarithmic axis.
        high: upper end, likewise.
        names: what stands at the places 0, 1, 2... of a category axis.
    """

    kind: Literal["linear", "log", "category"]
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    names: tuple[Scalar, ...] = ()

    def place(self, value: float) -> float:
        """Where the value lies between the ends, 0 to 1."""
        scaled = math.log10(value) if self.kind == "log" else value
        return (scaled - self.low) / (self.high - self.low)

    def encoded(self) -> str:
        """The axis as the page's script reads it: kind, ends, and ticks as `value=text`."""
        ticks = (f"{value:.9g}={text.replace('|', '¦')}" for value, text in self.ticks)
        return "|".join((self.kind, f"{self.low:.6g}", f"{self.high:.6g}", *ticks))

    def number(self, value: Scalar) -> float:
        """The value as a number: its place in the list on a category axis."""
        return float(self.names.index(value)) if self.kind == "category" else float(value)


def coordinate_axis(drawing: Drawing, n_ticks: int) -> Axis:
    """The axis of the coordinate of a curve."""
    figure = drawing.figure
    values = list(dict.fromkeys(x for line in drawing.lines for x in line.x))
    if not all(isinstance(x, int | float) for x in values):
        step = max(1, math.ceil(len(values) / n_ticks))
        named = [(float(i), format_coordinate(figure.x, x)) for i, x in enumerate(values)]
        ticks = tuple(named[::step])
        return Axis("category", -0.5, len(values) - 0.5, ticks, tuple(values))
    numbers = [float(x) for x in values]
    low, high = min(numbers), max(numbers)
    if not figure.log_x:
        bounds = _widen(low, high)
        return Axis("linear", *bounds, _linear_ticks(*bounds, n_ticks, _printer(figure.x)))
    ends = _widen(math.log10(low), math.log10(high))
    make = _binary_ticks if is_bytes(figure.x) or figure.x == "cores" else _decimal_ticks
    return Axis("log", *ends, make(*ends, n_ticks, _printer(figure.x)))


def value_axis(drawing: Drawing, n_ticks: int, bounds: Sequence[float] = ()) -> Axis:
    """The axis of the metric; a linear one starts at zero.

    Args:
        bounds: values that the axis has to include.
    """
    lines = drawing.lines
    low = min(min((*line.y, *line.low)) for line in lines)
    high = max((*bounds, *(max((*line.y, *line.high)) for line in lines)))
    printer = _value_printer(drawing.unit)
    if drawing.figure.log_y:
        ends = _widen(math.log10(low), math.log10(high))
        return Axis("log", *ends, _decimal_ticks(*ends, n_ticks, printer))
    bottom, top = min(0.0, low * 1.05), max(0.0, high * 1.05)
    if bottom == top:
        top = 1.0
    return Axis("linear", bottom, top, _linear_ticks(bottom, top, n_ticks, printer))


def share_axis(n_ticks: int) -> Axis:
    """The axis of parts of a whole."""
    return Axis("linear", 0.0, 1.0, _linear_ticks(0.0, 1.0, n_ticks, _value_printer("1")))


def near_ceilings(drawing: Drawing) -> list[float]:
    """The bounds close enough to the values to leave these visible."""
    highest = max(max((*line.y, *line.high)) for line in drawing.lines)
    known = [c for line in drawing.lines for c in line.bounds if c]
    return [c for c in known if c < _FAR_ABOVE * highest]


def common_ceiling(drawing: Drawing) -> float | None:
    """The common bound of all curves; None without one, or if it is far above them."""
    near = near_ceilings(drawing)
    n_values = sum(len(line.bounds) for line in drawing.lines)
    if not near or len(near) < n_values or max(near) > _SAME_CEILING * min(near):
        return None
    return near[0]


def _value_printer(unit: str) -> _Printer:
    return lambda value, digits: format_tick(value, unit, digits)


def _printer(name: str) -> _Printer:
    if is_bytes(name):
        return format_size
    return _value_printer("s" if name.endswith("_seconds") else "")


def _widen(low: float, high: float) -> tuple[float, float]:
    span = high - low or abs(high) or 1.0
    return low - _MARGIN * span, high + _MARGIN * span


def _linear_ticks(
    low: float, high: float, n_ticks: int, printer: _Printer
) -> tuple[tuple[float, str], ...]:
    raw = (high - low) / n_ticks
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    largest = max(abs(first), abs(last), 1)
    # Ticks close together at a large value need more digits to differ.
    digits = max(_DIGITS, math.floor(math.log10(largest)) + 2)
    return tuple((i * step, printer(i * step, digits)) for i in range(first, last + 1))


def _decimal_ticks(
    low: float, high: float, n_ticks: int, printer: _Printer
) -> tuple[tuple[float, str], ...]:
    if high - low < 0.5:  # noqa: PLR2004 (less than half a decade: it is as good as linear)
        return _linear_ticks(10.0**low, 10.0**high, n_ticks, printer)
    decades = range(math.floor(low), math.ceil(high) + 1)
    values: list[float] = []
    for mantissas in _MANTISSAS if high - low <= _DECADE_OF_MANY else _MANTISSAS[-1:]:
        every = [m * 10.0**e for e in decades for m in mantissas]
        values = [value for value in every if low <= math.log10(value) <= high]
        if len(values) <= n_ticks:
            break
    return _thin(values, n_ticks, printer)


def _binary_ticks(
    low: float, high: float, n_ticks: int, printer: _Printer
) -> tuple[tuple[float, str], ...]:
    base = math.log10(2.0)
    powers = [2.0**e for e in range(math.ceil(low / base), math.floor(high / base) + 1)]
    if not powers:
        return _decimal_ticks(low, high, n_ticks, printer)
    return _thin(powers, n_ticks, printer)


def _thin(
    values: Sequence[float], n_ticks: int, printer: _Printer
) -> tuple[tuple[float, str], ...]:
    step = max(1, math.ceil(len(values) / n_ticks))
    return tuple((value, printer(value, _DIGITS)) for value in values[::step])

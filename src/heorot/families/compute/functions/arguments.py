"""Kinds of arguments of elementary functions: what makes one hard, told by its value."""

from __future__ import annotations

import math

_NEAR = 1e-6
_NEAR_ONE = 2.0**-4
_TINY, _LARGE = 2.0**-10, 2.0**10
_SMALLEST_NORMAL = {"double": 2.0**-1022, "single": 2.0**-126}
_PERIODIC = ("sin", "cos", "tan")
_ZERO_AT_ONE = ("log", "pow")


def kind_of_argument(function: str, precision: str, x: float) -> str:
    """What is special about an argument, in two or three words; `ordinary` if nothing is.

    Args:
        function: its name; of one with two arguments it is the first.
        precision: `double` or `single`.
        x: the argument [1].
    """
    size = abs(x)
    kinds = (
        (size < _SMALLEST_NORMAL[precision], "subnormal"),
        (function in _ZERO_AT_ONE and abs(x - 1.0) < _NEAR_ONE, "near 1"),
        (size < _TINY, "tiny"),
        (size > _LARGE, "large"),
        (function in _PERIODIC and _is_near_zero(x), "near a multiple of pi/2"),
    )
    return next((kind for holds, kind in kinds if holds), "ordinary")


def _is_near_zero(x: float) -> bool:
    """Whether x lies next to a multiple of pi/2 other than 0."""
    return abs(math.remainder(x, math.pi / 2)) < _NEAR * abs(x)

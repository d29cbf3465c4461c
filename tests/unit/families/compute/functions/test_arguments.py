"""The kind of an argument, by its value."""

from __future__ import annotations

import math

import pytest

from heorot.families.compute.functions.accuracy import kind_of_argument


@pytest.mark.parametrize(
    ("function", "precision", "x", "kind"),
    [
        ("exp", "double", -3.0, "ordinary"),
        ("log", "double", 1.0 + 2.0**-40, "near 1"),
        ("exp", "double", 1.0, "ordinary"),
        ("sqrt", "double", 2.0**-1030, "subnormal"),
        ("sqrt", "single", 2.0**-130, "subnormal"),
        ("sqrt", "double", 2.0**-130, "tiny"),
        ("sin", "double", -1e22, "large"),
        ("tan", "double", -3 * math.pi / 2, "near a multiple of pi/2"),
        ("cos", "single", 1.57079637050628662109375, "near a multiple of pi/2"),
        ("atan", "double", math.pi, "ordinary"),
        ("sin", "double", 1.0, "ordinary"),
        ("sin", "double", 1e-12, "tiny"),
    ],
)
def test_kinds(function: str, precision: str, x: float, kind: str) -> None:
    assert kind_of_argument(function, precision, x) == kind

"""Algorithms: what a node makes of dense and sparse matrices, transforms, grids and lists."""

from __future__ import annotations

from heorot.model.catalogue.family import Family

FAMILY = Family(
    name="algorithms",
    title="Algorithms",
    about="how fast a node runs the algorithms that applications are made of",
    benchmarks=(),
)

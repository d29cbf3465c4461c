"""The families: the only place that lists them, publishers before those who refer to them."""

from __future__ import annotations

from heorot.families import algorithms, compute, memory, messages, npb
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.family import Family

FAMILIES: tuple[Family, ...] = (
    compute.FAMILY,
    memory.FAMILY,
    algorithms.FAMILY,
    messages.FAMILY,
    npb.FAMILY,
)
BENCHMARKS: tuple[Benchmark, ...] = tuple(
    benchmark for family in FAMILIES for benchmark in family.benchmarks
)

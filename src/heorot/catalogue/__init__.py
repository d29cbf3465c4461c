"""The catalogue: which programs there are and how to use them, readable before any build."""

from __future__ import annotations

from heorot.catalogue import compute, memory, messages, npb
from heorot.model.catalogue.benchmark import Benchmark

BENCHMARKS: tuple[Benchmark, ...] = (
    compute.PEAK,
    compute.VECTOR_KERNELS,
    memory.STREAM,
    messages.PINGPONG,
    *npb.BENCHMARKS,
)

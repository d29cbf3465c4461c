"""The NAS Parallel Benchmarks."""

from __future__ import annotations

from heorot.catalogue.npb.programs import BT, BT_MZ, CG, EP, FT, IS, LU, LU_MZ, MG, SP, SP_MZ
from heorot.model.catalogue.benchmark import Benchmark

BENCHMARKS: tuple[Benchmark, ...] = (EP, IS, CG, MG, FT, LU, SP, BT, BT_MZ, SP_MZ, LU_MZ)

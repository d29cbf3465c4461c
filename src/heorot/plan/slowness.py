"""How much longer programs take with some toolchains than estimates say, which are of fast code."""

from __future__ import annotations

import re

from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.machine.toolchain import Toolchain

_LEVEL = re.compile(r"(?<!\S)-O(\S*)")
# Of whole launches in the middle of programs: 3 to 50, and 1 to 5.
_UNOPTIMISED = 8.0
_REFERENCE_BLAS = 3.0
_REFERENCE = re.compile(r"reference\b", re.IGNORECASE)


def slowness(benchmark: Benchmark, toolchain: Toolchain) -> float:
    """How many times as long as its estimate a launch may take."""
    levels = _LEVEL.findall(toolchain.flags_of(benchmark.name))
    factor = 1.0
    # The last level counts; compilers that are told none do not optimise.
    if not levels or levels[-1] == "0":
        factor *= _UNOPTIMISED
    if benchmark.uses_blas and _REFERENCE.match(toolchain.blas):
        factor *= _REFERENCE_BLAS
    return factor

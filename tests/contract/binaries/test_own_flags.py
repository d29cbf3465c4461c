"""Flags of a program of its own reach every kernel of it, in whichever library that lies."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.builds import ROOT, TOOLS
from tests.contract.binaries.test_native import call, must

FLAG = "-DHEOROT_OF_ITS_OWN=1"
# One with parts that need others, one with those of its family, one with numerics alone.
PROGRAMS = ("npb/bt", "memory/latency", "algorithms/fft")
KERNELS = {
    "npb/bt": ("npb/bt/solver.cpp", "npb/flow/rhs.cpp", "numerics/random.cpp"),
    "memory/latency": ("memory/latency/latency.cpp", "memory/chains/cycle.cpp"),
    "algorithms/fft": ("fft/known.cpp", "numerics/transforms/passes.cpp"),
}


@pytest.mark.slow
def test_all_but_the_harness_is_compiled_with_them(tmp_path: Path) -> None:
    own = ";".join(f"{program}={FLAG}" for program in PROGRAMS)
    must(
        call(
            *(TOOLS / "cmake", "-S", ROOT / "native", "-B", tmp_path, "-G", "Ninja"),
            *(f"-DCMAKE_MAKE_PROGRAM={TOOLS / 'ninja'}", f"-DHEOROT_PROGRAM_FLAGS={own}"),
            *("-DHEOROT_TESTS=OFF", "-DHEOROT_FORTRAN=OFF"),
            timeout_seconds=120,
        )
    )
    for program in PROGRAMS:
        words = ("-C", tmp_path, "-t", "commands", program.replace("/", "_"))
        commands = call(TOOLS / "ninja", *words, timeout_seconds=60)
        compiled = re.findall(r"^.* -c (\S+\.cpp)$", must(commands), re.MULTILINE)
        with_flag = re.findall(rf"^.* {FLAG} .* -c (\S+\.cpp)$", commands.stdout, re.MULTILINE)
        without = set(compiled) - set(with_flag)
        assert all("/native/harness/" in source for source in without)
        assert without
        for kernel in KERNELS[program]:
            assert any(source.endswith(kernel) for source in with_flag)

"""The machine code of compute/peak: its multiply-adds have all operands in registers."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.contract.binaries.test_native import must

ROOT = Path(__file__).resolve().parents[3]
NATIVE = ROOT / "native"

# How a build is made for an instruction set, and the registers of its vectors, narrowest first.
INSTRUCTION_SETS = {
    "sse2": ("-march=x86-64", ("xmm",)),
    "avx2": ("-march=haswell", ("xmm", "ymm")),
    "avx512": ("-march=skylake-avx512", ("xmm", "ymm", "zmm")),
}
N_CHAINS = {"sse2": 12, "avx2": 12, "avx512": 24}
_LABEL = re.compile(r"^(\.L\w+):")
_JUMP = re.compile(r"^\s+j\w+\s+(\.L\w+)")
_ARITHMETIC = re.compile(r"^\s+(v?fn?madd\d+|v?mul|v?add)p([sd])\s+(.*)")


def innermost_loops(assembly: str) -> list[list[str]]:
    """Instructions of the loops that have no loop inside, comments and directives left out."""
    lines = [line.split("#")[0].rstrip() for line in assembly.splitlines()]
    labels = {
        found[1]: number for number, line in enumerate(lines) if (found := _LABEL.match(line))
    }
    loops = [
        (labels[found[1]], number)
        for number, line in enumerate(lines)
        if (found := _JUMP.match(line)) and labels.get(found[1], number) < number
    ]
    return [
        [line for line in lines[start : stop + 1] if re.match(r"\s+[a-z]", line)]
        for start, stop in loops
        if not any(
            start <= other and end <= stop and (other, end) != (start, stop) for other, end in loops
        )
    ]


def chain_loops(assembly: str, n_chains: int) -> list[list[str]]:
    """The loops in which every chain makes a step."""
    return [
        loop
        for loop in innermost_loops(assembly)
        if sum(bool(_ARITHMETIC.match(line)) for line in loop) >= n_chains
    ]


def assembly_of(compiler: str, source: Path, flag: str, folder: Path) -> str:
    """The assembler text that a compiler makes of a source, optimised as programs are."""
    out = folder / "out.s"
    options = ["-std=c++20", "-O3", flag, "-fopenmp", f"-I{NATIVE}"]
    argv = [compiler, *options, "-S", str(source), "-o", str(out)]
    must(subprocess.run(argv, capture_output=True, text=True, check=False))
    return out.read_text()


def compiler_called(name: str) -> str:
    """Path of g++, or of a clang that is new enough."""
    if name == "gcc":
        found = shutil.which("g++")
    else:
        done = subprocess.run([ROOT / "tools/clang"], capture_output=True, text=True, check=False)
        found = done.stdout.strip() if done.returncode == 0 else None
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="reads machine code of x86-64")
@pytest.mark.parametrize("instruction_set", INSTRUCTION_SETS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_multiply_adds_in_registers(compiler: str, instruction_set: str, tmp_path: Path) -> None:
    flag, registers = INSTRUCTION_SETS[instruction_set]
    source = NATIVE / "benchmarks/compute/peak.cpp"
    text = assembly_of(compiler_called(compiler), source, flag, tmp_path)
    loops = chain_loops(text, N_CHAINS[instruction_set])
    seen = set()
    for loop in loops:
        found = [match for line in loop if (match := _ARITHMETIC.match(line))]
        kinds = {
            (match[2], register) for match in found for register in re.findall("[xyz]mm", match[3])
        }
        assert len(kinds) == 1, loop
        seen |= kinds
        assert not [line for line in loop if "(" in line], loop
    assert seen == {(precision, register) for precision in "sd" for register in registers}
    assert len(loops) == len(seen)


def test_an_operand_in_memory_is_found() -> None:
    text = ".L1:\n\tvfmadd132pd\t64(%rsp), %zmm0, %zmm1\n\taddl\t$1, %eax\n\tjne\t.L1\n"
    (loop,) = chain_loops(text, 1)
    assert [line for line in loop if "(" in line]


def test_of_nested_loops_the_inner_one_counts() -> None:
    text = ".L1:\n\tmovq (%rax), %rbx\n.L2:\n\taddpd\t%xmm1, %xmm0\n\tjne\t.L2\n\tjne\t.L1\n"
    (loop,) = innermost_loops(text)
    assert loop == ["\taddpd\t%xmm1, %xmm0", "\tjne\t.L2"]

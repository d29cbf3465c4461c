"""Counts the floating-point operations that a program executes, instruction by instruction.

Valgrind's callgrind counts the executions of each instruction of an unmodified program; the
disassembly gives its operations. The program's own counts are not used. The program must be built
for SSE2, which callgrind knows in every version and which has no fused operations.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from heorot import process

# Marks of tests that count instructions.
COUNTED_HERE = [
    pytest.mark.slow,
    pytest.mark.timeout(900),  # the first may have to build
    pytest.mark.skipif(
        not (shutil.which("valgrind") and shutil.which("objdump")),
        reason="valgrind and objdump count instructions: apt-get install valgrind binutils",
    ),
    pytest.mark.skipif(
        platform.machine() != "x86_64", reason="the names of instructions are those of x86-64"
    ),
]

# Everything that is timed happens in this function of the harness: with one sample, one body.
_MEASURING = "*take_samples*"
_ONE_BODY = ("--samples-min", "1", "--samples-max", "1", "--budget", "1e-6")
_FLOPS = {
    f"{operation}{kind}": flops
    for operation in ("add", "sub", "mul", "div", "sqrt")
    for kind, flops in (("sd", 1), ("pd", 2), ("ss", 1), ("ps", 4))
}
_INSTRUCTION = re.compile(r"^\s+([0-9a-f]+):\s+(\w+)", re.MULTILINE)
# Names of files are written once, with a number that stands for them later.
_OBJECT = re.compile(r"c?ob=\((\d+)\)(?: (.*))?")


@dataclass(frozen=True)
class Run:
    """One body of a program.

    Attributes:
        executed: floating-point operations executed, `prepare` included.
        counts: those of the program's record.
    """

    executed: int
    counts: dict[str, float]


def run_one_body(program: Path, *options: str, record: Path) -> Run:
    """Run a program under callgrind.

    Args:
        program: the executable, built for SSE2 without MPI.
        options: of the program.
        record: file for what callgrind writes.
    """
    command: list[str | Path] = [
        "valgrind",
        "--tool=callgrind",
        "--dump-instr=yes",
        f"--toggle-collect={_MEASURING}",
        f"--callgrind-out-file={record}",
        program,
        *options,
        *_ONE_BODY,
    ]
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    done = process.run(command, timeout_seconds=300, environment=environment)
    assert done.ok, done.err
    lines = [json.loads(line) for line in done.out.splitlines() if line.startswith("{")]
    (region,) = [line for line in lines if line["type"] == "region"]
    assert len(region["seconds"]) == 1
    flops = _flops_by_address(program)
    executed = sum(n * flops.get(address, 0) for address, n in _executions(record, program))
    return Run(executed=executed, counts=region["counts"])


def _flops_by_address(program: Path) -> dict[int, int]:
    done = process.run(["objdump", "-d", "--no-show-raw-insn", program])
    assert done.ok, done.err
    return {
        int(address, 16): _FLOPS[name]
        for address, name in _INSTRUCTION.findall(done.out)
        if name in _FLOPS
    }


def _executions(record: Path, program: Path) -> Iterator[tuple[int, int]]:
    """Address of every instruction of the program itself, and how often it ran."""
    names: dict[str, str] = {}
    address, is_own, is_call = 0, False, False
    with record.open(encoding="utf-8") as lines:
        for line in lines:
            if named := _OBJECT.match(line):
                names.setdefault(named[1], named[2] or "")
                if line.startswith("ob="):
                    is_own = Path(names[named[1]]).name == program.name
            elif line.startswith("calls="):
                is_call = True  # the next line has the cost of what was called
            elif line[0] in "0123456789+-*":
                place, _, *cost = line.split()
                address = _moved(address, place)
                if is_own and not is_call and cost:
                    yield address, int(cost[0])
                is_call = False


def _moved(address: int, place: str) -> int:
    """An address as callgrind abbreviates it: anew, by its distance from the last, or the same."""
    if place == "*":
        return address
    return address + int(place, 0) if place[0] in "+-" else int(place, 0)

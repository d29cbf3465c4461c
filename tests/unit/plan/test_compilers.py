"""A program is skipped if the toolchain lacks a compiler that it needs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from heorot.model.machine.toolchain import Compiler
from heorot.model.run.request import Request
from heorot.plan.planner import make_plan
from tests.unit.plan.test_planner import ROOM, WITH_MPI, candidate


def test_a_program_is_left_out_without_its_compiler() -> None:
    plain = candidate("x")
    one = replace(plain, benchmark=replace(plain.benchmark, compilers=(("c++", "device"),)))
    plan = make_plan([candidate("a"), one], (), ROOM, Request(), seed=1)
    (skipped,) = plan.skipped
    assert skipped.reason == "the toolchain has no C++ compiler for devices"
    assert {step.benchmark for step in plan.steps} == {"family/a"}
    device = Compiler(language="c++", target="device", command=Path("nvcc"))
    able = replace(one, toolchain=WITH_MPI.with_compiler(device))
    assert make_plan([able], (), ROOM, Request(), seed=1).skipped == ()

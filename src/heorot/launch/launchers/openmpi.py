"""Open MPI's mpiexec: version 4 with its own runtime, from version 5 on with PRRTE."""

from __future__ import annotations

import os
from collections.abc import Mapping

from heorot.launch.launchers.launcher import INSIDE_SLURM, MARKS, Launch, Launcher
from heorot.model.machine.machine import Node

# Open MPI probes for fabrics in every process: a second with the wheel's libfabric, 0.2 s with
# Debian's 4.1, on a machine that has none. What is left out here could not be used there; the
# point-to-point layer it chooses on one node stays the same. The lists replace those of a site's
# openmpi-mca-params.conf, therefore they name everything that drives a fabric.
# The `hash` store saves 50 ms of setting up shared memory between launcher and ranks.
_WITHOUT_FABRIC = {
    "OMPI_MCA_btl": "^ofi,openib,uct,usnic",
    "OMPI_MCA_mtl": "^ofi,psm,psm2",
    "PMIX_MCA_gds": "hash",
}
# Between nodes UCX and libfabric would offer themselves for plain Ethernet, too: slower than what
# Open MPI does there itself, after probing for as long.
_BETWEEN_NODES = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_osc": "^ucx"}
# Hosts of an allocation that we were started in may be more than the job needs.
_MOST_HOSTS = 1_000_000
_FABRIC_DRIVERS = ("cxi", "efa", "hfi1")
# Open MPI itself hands these to all ranks.
_OWN_VARIABLES = ("OMPI_", "PMIX_", "PRTE_", "SLURM_")


class OpenMpi(Launcher):
    """Open MPI's own launcher."""

    local_rank = "OMPI_COMM_WORLD_LOCAL_RANK"

    def words(self, launch: Launch, environment: Mapping[str, str]) -> tuple[str, ...]:
        start = (str(launch.mpiexec), "-n", str(launch.step.ranks))
        if launch.hosts is None:
            return (*start, *_mapping(""))
        names = [name for name in environment if not name.startswith(_OWN_VARIABLES)]
        return (
            *start,
            *("--hostfile", str(launch.hosts)),
            *_agent(launch),
            # A launcher named by its whole path looks for its own files in the same place of the
            # other hosts. What it starts there is started by a shell that knows nothing of us.
            *(word for name in (*MARKS, *names) for word in ("-x", name)),
            *_mapping(f"ppr:{launch.local}:node"),
        )

    def environment(self, launch: Launch) -> dict[str, str]:
        """Variables that let the launcher run as root and speed up the start."""
        environment: dict[str, str] = {}
        if os.geteuid() == 0:
            environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        if not _has_fabric(launch.allocation.node):
            environment |= _WITHOUT_FABRIC
            environment |= _BETWEEN_NODES if launch.step.nodes > 1 else {}
        if launch.hosts is not None:
            # Slots beyond what the job asked of Slurm, such as one task on each host, it would not
            # use, whatever the file of hosts says.
            tasks = f"{_slots(launch)}(x{_MOST_HOSTS})"
            environment |= {"SLURM_TASKS_PER_NODE": tasks, **INSIDE_SLURM}
        return environment

    def host_line(self, launch: Launch) -> str:
        """A host takes one rank unless its number of slots is given."""
        return f"{{host}} slots={_slots(launch)}"


def _slots(launch: Launch) -> int:
    """Slots of a host: ranks let each other run only where there are more of them than slots."""
    if launch.cpus:
        return launch.local
    return min(launch.local, launch.allocation.node.limits.n_usable_cores)


def _has_prrte(launch: Launch) -> bool:
    major = launch.version.partition(".")[0]
    return major.isdecimal() and int(major) >= 5  # noqa: PLR2004 (its first version with PRRTE)


def _agent(launch: Launch) -> tuple[str, ...]:
    if launch.allocation.agent is None:
        return ()
    agent = str(launch.allocation.agent)
    if _has_prrte(launch):
        return ("--prtemca", "plm", "ssh", "--prtemca", "plm_ssh_agent", agent)
    return ("--mca", "plm", "rsh", "--mca", "plm_rsh_agent", agent)


def _mapping(unit: str) -> tuple[str, ...]:
    return ("--map-by", f"{unit}:OVERSUBSCRIBE", "--bind-to", "none")


def _has_fabric(node: Node) -> bool:
    """Whether the node has a network that only special drivers use well."""
    return bool(node.hcas) or any(
        interface.kind == "infiniband" or (interface.driver or "").startswith(_FABRIC_DRIVERS)
        for interface in node.interfaces
    )

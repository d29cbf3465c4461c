"""Open MPI's mpiexec: version 4 with its own runtime, from version 5 on with PRRTE."""

from __future__ import annotations

import os
from collections.abc import Mapping

from heorot.launch.launchers.launcher import INSIDE_SLURM, MARKS, Launch, Launcher
from heorot.model.machine.machine import Node

# Open MPI probes for fabrics in every process: 1 s with the wheel's libfabric, 0.2 s with Debian's
# 4.1, on a machine without one. The components excluded here are unusable there; the point-to-point
# layer on one node stays the same. The lists replace those of a site's openmpi-mca-params.conf, so
# they name every component that drives a fabric.
# The `hash` store saves 50 ms of set-up of shared memory between launcher and ranks.
_WITHOUT_FABRIC = {
    "OMPI_MCA_btl": "^ofi,openib,uct,usnic",
    "OMPI_MCA_mtl": "^ofi,psm,psm2",
    "PMIX_MCA_gds": "hash",
}
# Between nodes UCX and libfabric would also run over plain Ethernet: slower than Open MPI's TCP,
# after probing for as long.
_BETWEEN_NODES = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_osc": "^ucx"}
# The allocation around this process may have more hosts than the job needs.
_MOST_HOSTS = 1_000_000
_FABRIC_DRIVERS = ("cxi", "efa", "hfi1")
# Open MPI passes these to all ranks itself.
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
            # A launcher called by its full path expects its files at the same path on other hosts.
            # Its daemons there are started by a shell without our environment.
            *(word for name in (*MARKS, *names) for word in ("-x", name)),
            *_mapping(f"ppr:{launch.local}:node"),
        )

    def environment(self, launch: Launch) -> dict[str, str]:
        """Variables that let the launcher run as root and start faster."""
        environment: dict[str, str] = {}
        if os.geteuid() == 0:
            environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        if not _has_fabric(launch.allocation.node):
            environment |= _WITHOUT_FABRIC
            environment |= _BETWEEN_NODES if launch.step.nodes > 1 else {}
        if launch.hosts is not None:
            # It would not use slots beyond the job's request to Slurm, such as one task per host,
            # whatever the file of hosts lists.
            tasks = f"{_slots(launch)}(x{_MOST_HOSTS})"
            environment |= {"SLURM_TASKS_PER_NODE": tasks, **INSIDE_SLURM}
        return environment

    def host_line(self, launch: Launch) -> str:
        """A host takes one rank unless its number of slots is given."""
        return f"{{host}} slots={_slots(launch)}"


def _slots(launch: Launch) -> int:
    """Slots of a host: ranks yield only if there are more of them than slots."""
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
    """Whether the node has a network that needs special drivers."""
    return bool(node.hcas) or any(
        interface.kind == "infiniband" or (interface.driver or "").startswith(_FABRIC_DRIVERS)
        for interface in node.interfaces
    )

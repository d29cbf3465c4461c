"""The texts that configure Slurm on a lab."""

from __future__ import annotations

import os
from pathlib import Path

from heorot.lab.model import Accounting, Laboratory

FOLDER = "slurm"
PARTITION = "lab"
# Jobs that a dead node had are noticed after this long [s].
_NODE_TIMEOUT_SECONDS = 10
_KILL_WAIT_SECONDS = 5

# What differs from the defaults of 22.05, and why where it is not plain.
_SETTINGS = """\
ClusterName={name}
SlurmctldHost={head}({address})
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
# A node's own, so that it forgets its jobs when it dies, as one without a disk does.
SlurmdSpoolDir=/tmp/slurmd
SlurmdPidFile=/tmp/slurmd.pid
# All nodes are one computer, which has other processors than they claim.
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5
SlurmdTimeout={node_timeout}
KillWait={kill_wait}
MinJobAge=300
ReturnToService=2
MpiDefault=none
UsePAM=0
JobAcctGatherType=jobacct_gather/none
"""
_ACCOUNTING: dict[Accounting, str] = {
    "file": """\
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/jobs.txt
""",
    "slurmdbd": """\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost={head}
# For slurmdbd, what AuthInfo is for all else.
AccountingStoragePass=socket={folder}/munge.socket
JobCompType=jobcomp/none
""",
}
_DAEMON_SETTINGS = """\
DbdHost={head}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
PidFile={folder}/slurmdbd.pid
LogFile={folder}/slurmdbd.log
StorageType=accounting_storage/mysql
# By the socket that its environment names.
StorageHost=localhost
StorageUser=root
StorageLoc=slurm
"""


def environment(directory: Path) -> dict[str, str]:
    """Variables by which Slurm's commands find this lab's configuration.

    Args:
        directory: of the lab.
    """
    return {"SLURM_CONF": str(directory / FOLDER / "slurm.conf")}


def slurm_conf(laboratory: Laboratory, directory: Path, memory_bytes: float) -> str:
    """The text of slurm.conf.

    Args:
        laboratory: the lab.
        directory: of the lab.
        memory_bytes: of the real computer, which the nodes share out [B].
    """
    settings = (_SETTINGS + _ACCOUNTING[laboratory.accounting]).format(
        name=laboratory.name,
        head=laboratory.head.name,
        address=laboratory.head.address,
        folder=directory / FOLDER,
        node_timeout=_NODE_TIMEOUT_SECONDS,
        kill_wait=_KILL_WAIT_SECONDS,
    )
    mebibytes = max(1, int(memory_bytes / (len(laboratory.nodes) + 1)) >> 20)
    nodes = "".join(
        f"NodeName={node.name} NodeAddr={node.address} CPUs={laboratory.cpus_per_node}"
        f" RealMemory={mebibytes} State=UNKNOWN\n"
        for node in laboratory.nodes
    )
    partition = f"PartitionName={PARTITION} Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
    return settings + nodes + partition


def slurmdbd_conf(laboratory: Laboratory, directory: Path) -> str:
    """The text of slurmdbd.conf.

    Args:
        laboratory: the lab.
        directory: of the lab.
    """
    return _DAEMON_SETTINGS.format(head=laboratory.head.name, folder=directory / FOLDER)


def real_memory() -> float:
    """Memory of the real computer [B]."""
    return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))

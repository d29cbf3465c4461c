"""The configuration files of Slurm on a lab."""

from __future__ import annotations

import os
from pathlib import Path

from heorot.lab.model import Laboratory
from heorot.lab.quantities import Accounting, Epilogue, Limits
from heorot.lab.slurm.users import JOBS, folder_of
from heorot.writing import write

FOLDER = "slurm"
PARTITION = "lab"
# Time until jobs of a dead node are detected [s].
_NODE_TIMEOUT_SECONDS = 10
_KILL_WAIT_SECONDS = 5

# Differences from the defaults of 22.05, with reasons where not obvious.
_SETTINGS = """\
ClusterName={name}
SlurmctldHost={head}({address})
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={seen}/munge.socket
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
# In a node's own directory, so that it forgets its jobs when it dies, like a diskless node.
SlurmdSpoolDir=/tmp/slurmd
# In a directory where jobs cannot place a link.
SlurmdPidFile={folder}/%n.pid
# All nodes are on one computer, which has other processors than they report.
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/{scheduler}
SchedulerParameters=bf_interval=5
SlurmdTimeout={node_timeout}
KillWait={kill_wait}
MinJobAge=300
ReturnToService=2
MpiDefault=none
UsePAM=0
JobAcctGatherType=jobacct_gather/none
"""
# Without control groups, memory is watched by accounting; limits of memory exist only where memory
# is allocated like processors.
_LIMITS: dict[Limits, str] = {
    "time": "",
    "all": """\
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherParams=OverMemoryKill
JobAcctGatherFrequency=task=2
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU={memory_per_cpu}
""",
    "none": "OverTimeLimit=UNLIMITED\n",
}
_EPILOGUE = "epilogue.sh"
# A node of a lab has a /tmp of its own, with the daemon's files, which is checked before anything
# is removed. Processes have the job's id in their environment, whatever their parent.
_EPILOGUES: dict[Epilogue, str] = {
    "clean": r"""#!/bin/bash
# Ends processes left by a job on this node, and removes its user's files unless he has another job.
[[ $(stat -c %d /tmp) != "$(stat -c %d /)" ]] || exit 0
others=
for process in /proc/[0-9]*; do
    number=${process#/proc/}
    job=$(tr '\0' '\n' 2>/dev/null <"$process/environ" | sed -n 's/^SLURM_JOB_ID=//p')
    [[ $job && $number != $$ && $(ps -o ppid= -p "$number") -ne $$ ]] || continue
    if [[ $job == "$SLURM_JOB_ID" ]]; then kill -9 "$number"; else others=$job; fi
done 2>/dev/null
[[ $others ]] || find /tmp /dev/shm -xdev -type f -user "$SLURM_JOB_UID" \
    -not -path '/tmp/slurmd*' -delete
exit 0
""",
    "broken": """#!/bin/bash
# Should clean up after a job, but searches files where there are none.
rm -rf "/scratch/$SLURM_JOB_USER/$SLURM_JOB_ID"
exit 0
""",
    "failing": """#!/bin/bash
# Should clean up after a job, but fails: the node is drained.
echo "no such command: tidy" >&2
exit 1
""",
}
_ACCOUNTING: dict[Accounting, str] = {
    "file": """\
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={seen}/{jobs}
""",
    "none": """\
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
""",
    "slurmdbd": """\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost={head}
# The counterpart of AuthInfo for slurmdbd.
AccountingStoragePass=socket={seen}/munge.socket
JobCompType=jobcomp/none
""",
}
_DAEMON_SETTINGS = """\
DbdHost={head}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={seen}/munge.socket
PidFile={folder}/slurmdbd.pid
LogFile={folder}/slurmdbd.log
StorageType=accounting_storage/mysql
# By the socket in its environment.
StorageHost=localhost
StorageUser=root
StorageLoc=slurm
"""


def seen(directory: Path, laboratory: Laboratory) -> Path:
    """The folder that every user of Slurm needs: its configuration and munge's socket.

    Args:
        laboratory: the lab; the folder of an open one is readable for other users.
    """
    return folder_of(directory) if laboratory.is_open else directory / FOLDER


def environment(directory: Path, laboratory: Laboratory) -> dict[str, str]:
    """Variables by which Slurm's commands find this lab's configuration."""
    return {"SLURM_CONF": str(seen(directory, laboratory) / "slurm.conf")}


def slurm_conf(laboratory: Laboratory, directory: Path, memory_bytes: float) -> str:
    """The text of slurm.conf.

    Args:
        memory_bytes: memory of the computer, divided among the nodes [B].
    """
    mebibytes = max(1, int(memory_bytes / (len(laboratory.nodes) + 1)) >> 20)
    policy = laboratory.policy
    settings = (_SETTINGS + _ACCOUNTING[laboratory.accounting]).format(
        name=laboratory.name,
        head=laboratory.head.name,
        address=laboratory.head.address,
        folder=directory / FOLDER,
        seen=seen(directory, laboratory),
        jobs=JOBS,
        node_timeout=_NODE_TIMEOUT_SECONDS,
        kill_wait=_KILL_WAIT_SECONDS,
        scheduler=policy.scheduler,
    )
    memory_per_cpu = max(1, mebibytes // laboratory.cpus_per_node)
    changes = _LIMITS[policy.limits].format(memory_per_cpu=memory_per_cpu)
    if policy.epilogue != "none":
        changes += f"Epilog={directory / FOLDER / _EPILOGUE}\n"
    settings = _changed(settings, changes, "\n".join(policy.settings))
    nodes = "".join(
        f"NodeName={node.name} NodeAddr={node.address} CPUs={laboratory.cpus_per_node}"
        f" RealMemory={mebibytes} State=UNKNOWN\n"
        for node in laboratory.nodes
    )
    partition = f"PartitionName={PARTITION} Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
    return settings + nodes + partition


def _changed(settings: str, *changes: str) -> str:
    """Settings with changed lines: of lines with the same key, the last one remains."""
    lines: dict[str, str] = {}
    for line in "\n".join([settings, *changes]).splitlines():
        if line and not line.startswith("#"):
            lines[line.partition("=")[0].lower()] = line
    return "".join(f"{line}\n" for line in lines.values())


def write_epilogue(laboratory: Laboratory, directory: Path) -> None:
    """Write the epilogue of jobs, if there is one."""
    if text := _EPILOGUES.get(laboratory.policy.epilogue):
        write(directory / FOLDER / _EPILOGUE, text, 0o700)


def slurmdbd_conf(laboratory: Laboratory, directory: Path) -> str:
    """The text of slurmdbd.conf."""
    return _DAEMON_SETTINGS.format(
        head=laboratory.head.name,
        folder=directory / FOLDER,
        seen=seen(directory, laboratory),
    )


def real_memory() -> float:
    """Memory of the computer [B]."""
    return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))

"""Controls of Slurm: scontrol, srun.

Source: https://slurm.schedmd.com/sbatch.html, scontrol.html, srun.html, slurm.conf.html,
heterogeneous_jobs.html.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from heorot.launch.batch.controls import (
    Action,
    Controls,
    Holding,
    Option,
    Policy,
    read_split_reasons,
)
from heorot.launch.batch.dialect import Question
from heorot.launch.batch.parsing import count, moment, one_line, whole
from heorot.process import Finished

_TIME = "%Y-%m-%dT%H:%M:%S"
# Settings of priorities, of the scheduler and of limits.
_SETTINGS = (
    "SLURM_VERSION",
    "SchedulerType",
    "SchedulerParameters",
    "SelectType",
    "SelectTypeParameters",
    "PriorityType",
    "PriorityWeightFairshare",
    "PriorityWeightAge",
    "PreemptType",
    "EnforcePartLimits",
    "OverTimeLimit",
    "KillWait",
    "Epilog",
    "ProctrackType",
    "TaskPlugin",
    "JobAcctGatherType",
    "JobAcctGatherParams",
    "AccountingStorageType",
    "JobRequeue",
    "MaxArraySize",
    "SlurmdTimeout",
)


_UPDATE = ("scontrol", "update", "NodeName=@")
_COMMANDS: dict[Action, tuple[str, ...]] = {
    "hold": ("scontrol", "hold", "@"),
    "release": ("scontrol", "release", "@"),
    "drain": (*_UPDATE, "State=DRAIN", "Reason=heorot-check"),
    "fail": (*_UPDATE, "State=DOWN", "Reason=heorot-check"),
    "resume": (*_UPDATE, "State=RESUME"),
}
_DIRECTIVES: dict[Option, str] = {
    "held": "--hold",
    "after ok": "--dependency=afterok:@",
    "after any": "--dependency=afterany:@",
    "array": "--array=1-@",
    "memory": "--mem=@M",
    "less urgent": "--nice=1000",
    "later": "--begin=now+3600",
    "requeue": "--requeue",  # of two options that contradict each other, the later one counts
    "nodes": "--nodelist=@",
    "apart": "#SBATCH hetjob",  # started by the backfill scheduler only
}


class SlurmControls(Controls):
    """Controls of Slurm."""

    index = "SLURM_ARRAY_TASK_ID"
    granted = "$SLURM_JOB_CPUS_PER_NODE"
    parts = (
        "for part in 0 1; do list=SLURM_JOB_NODELIST_HET_GROUP_$part; "
        "cpus=SLURM_JOB_CPUS_PER_NODE_HET_GROUP_$part; [[ ${!list:-} ]] || continue; "
        'record part "$part" "${!cpus:-}" $(scontrol show hostnames "${!list}"); done'
    )

    def __init__(self) -> None:
        super().__init__(_COMMANDS, _DIRECTIVES)

    def reasons(self) -> Question[tuple[str, ...]]:
        return Question(("sinfo", "-h", "-R", "-o", "%N|%E"), read_split_reasons)

    def holding(self, job: str) -> Question[Holding]:
        return Question(("scontrol", "-o", "show", "job", job), read_holding)

    def interactive(
        self, name: str, options: Sequence[str], asked: Sequence[str]
    ) -> tuple[str, ...]:
        del asked
        return ("srun", f"--job-name={name}", "--nodes=1", "--ntasks=1", "--time=1", *options)

    def policy(self) -> Question[Policy]:
        return Question(("scontrol", "show", "config"), read_policy)


def read_holding(answer: Finished) -> Holding:
    """Nodes and processors in the output of scontrol -o show job; the first component counts."""
    if not answer.ok:
        return Holding()

    def field(name: str) -> str:
        match = re.search(rf"(?:^|\s){name}=(\S+)", answer.out)
        return match[1] if match else ""

    waits = field("JobState") == "PENDING"
    return Holding(
        nodes=count(field("NumNodes").partition("-")[0]),
        cpus=count(field("NumCPUs").partition("-")[0]),
        planned=moment(field("StartTime"), _TIME) if waits else None,
        restarts=whole(field("Restarts")),
    )


def read_policy(answer: Finished) -> Policy:
    """The scheduling settings in the output of scontrol show config."""
    settings: dict[str, str] = {}
    for line in answer.out.splitlines():
        key, equals, value = line.partition("=")
        if equals and key.strip() in _SETTINGS:
            settings[key.strip()] = one_line(value)
    if not settings:
        return Policy()
    weight = count(settings.get("PriorityWeightFairshare", "0").split(" ")[0]) or 0
    return Policy(
        lines=settings,
        backfills=settings.get("SchedulerType", "").endswith("backfill"),
        fair_share=settings.get("PriorityType", "").endswith("multifactor") and weight > 0,
    )

"""Slurm: sbatch, squeue, sacct, scontrol, sinfo.

Written against 22.05; the requested formats are the same from 17.11 to 24.11.
Limits are whole minutes, times whole seconds of the local clock. Steps of a job have all devices
that it requested, but not those that it has only by `--exclusive`.
Source: https://slurm.schedmd.com/sbatch.html, squeue.html, sacct.html, scancel.html, gres.html,
job_reason_codes.html.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from heorot.errors import UsageError
from heorot.jobs.facts import States
from heorot.launch.batch.dialect import Dialect, NodeState, Question, Queue, Submission, Wants
from heorot.launch.batch.parsing import directive, expression, minutes, plain, read_text, rounded_up
from heorot.launch.batch.slurm_answers import (
    read_accounts,
    read_cancel,
    read_jobs,
    read_nodes,
    read_partitions,
    read_policy,
    read_queue,
    read_submission,
)
from heorot.launch.job_environment import JobEnvironment

# A signal precedes the time limit: at the limit, the script can no longer reach the other hosts.
# "Due to the resolution of event handling by Slurm, the signal may be sent up to 60 seconds earlier
# than specified" (sbatch.html, `--signal`), too much for a short job [s].
_NOTICE_SECONDS = 30
_EARLIER_SECONDS = 60
_SHORT_SECONDS = 300.0
# The reason comes last: it may contain the separator.
_QUEUE_FORMAT = "%i|%T|%P|%V|%S|%l|%j|%r"
_SACCT = (
    "sacct",
    "-n",
    "-P",
    "-X",
    "-o",
    "JobIDRaw,State,ExitCode,Submit,Eligible,Start,End,Partition,JobName",
)
# The nodes in the order of the parts: Slurm sorts them by name.
_BY_FEATURE = (
    'scontrol show hostnames "$SLURM_JOB_NODELIST" | while read -r host; do '
    "features=,$(sinfo -h -N -n \"$host\" -o '%%f' | head -n 1),; "
    "part=0; for feature in %s; do [[ $features == *,$feature,* ]] && break; ((part += 1)); done; "
    'echo "$part $host"; done | sort -s -n -k 1,1 | while read -r part host; do echo "$host"; done'
)


class Slurm(Dialect):
    """The dialect of Slurm."""

    system: Final = "slurm"
    needs: Final = ("sbatch", "squeue", "scancel", "sinfo", "scontrol")
    mark: Final = "#SBATCH"
    own_id: Final = "$SLURM_JOB_ID"
    device_words: Final = MappingProxyType({"gpu": "gpu"})
    # SBATCH_ACCOUNT, SBATCH_PARTITION, SBATCH_QOS and SBATCH_RESERVATION are left to the user.
    mute: Final = (
        "SQUEUE_",
        "SINFO_",
        "SACCT_",
        "SCANCEL_",
        "SLURM_TIME_FORMAT",
        "SBATCH_TIMELIMIT",
        "SBATCH_JOB_NAME",
        "SBATCH_EXCLUSIVE",
        "SBATCH_ARRAY_INX",
        "SBATCH_REQUEUE",
        "SBATCH_WAIT",
        "SBATCH_OUTPUT",
        "SBATCH_ERROR",
        "SBATCH_INPUT",
        "SBATCH_DEBUG",
        "SBATCH_OPEN_MODE",
        "SBATCH_EXPORT",
    )

    def header(self, wants: Wants) -> tuple[str, ...]:
        """Directive lines.

        Raises:
            UsageError: a request that its options cannot express.
        """
        options = [f"--nodes={wants.nodes}", "--no-requeue"]
        if wants.cores_per_node is not None:
            options.append(f"--ntasks-per-node={wants.cores_per_node}")
        if wants.devices:
            asked = (f"{expression(w, 'a device')}:{n}" for w, n in wants.devices.items())
            options.append(f"--gres={','.join(asked)}")
        if wants.exclusive:
            options.append("--exclusive")
        if wants.limit_seconds is not None:
            options.append(f"--time={minutes(wants.limit_seconds)}")
            if self.notice_seconds(wants.limit_seconds):
                options.append(f"--signal=B:USR2@{_NOTICE_SECONDS}")
        if wants.queue:
            options.append(f"--partition={plain(wants.queue, 'the queue')}")
        if wants.account:
            options.append(f"--account={plain(wants.account, 'the account')}")
        if constraint := _constraint(wants):
            options.append(f"--constraint={constraint}")
        options += [directive(text) for text in wants.directives]
        return tuple(f"{self.mark} {option}" for option in options)

    def notice_seconds(self, limit_seconds: float) -> float:
        return _NOTICE_SECONDS + _EARLIER_SECONDS if limit_seconds >= _SHORT_SECONDS else 0.0

    def job_environment(self, wants: Wants) -> JobEnvironment:
        hosts = 'scontrol show hostnames "$SLURM_JOB_NODELIST"'
        features = [plain(part.feature or "", "the feature") for part in wants.parts[:-1]]
        if features:
            hosts = _BY_FEATURE % " ".join(features)
        return JobEnvironment(
            header=self.header(wants),
            limit_seconds=rounded_up(wants.limit_seconds, 60.0),
            list_hosts=hosts,
            on_host="srun --overlap --mpi=none --cpu-bind=none --quiet"
            " --nodes=1 --ntasks=1 --ntasks-per-node=1 --nodelist",
        )

    def submit(self, script: Path, name: str, after: str | None = None) -> Question[Submission]:
        dependency = (f"--dependency=afterany:{after}",) if after else ()
        # A `%` in a file name is a replacement symbol, and a backslash is removed.
        output = str(script.with_suffix(".out")).replace("%", "%%")
        output = "/dev/null" if "\\" in output else output
        argv = ("sbatch", "--parsable", f"--job-name={name}", f"--output={output}", *dependency)
        return Question((*argv, str(script)), read_submission)

    def query(self, ids: Sequence[str]) -> Question[States]:
        return Question(_squeue(f"--jobs={','.join(ids)}"), read_queue)

    def find(self, name: str) -> tuple[Question[States], ...]:
        ours = (f"--name={name}", f"--user={os.getuid()}")
        sacct = (*_SACCT, "--starttime=now-30days", *ours)
        return Question(_squeue(*ours), read_queue), Question(sacct, read_accounts)

    def account(self, ids: Sequence[str]) -> tuple[Question[States], ...]:
        """Query the controller, which keeps jobs for some minutes, then the accounts."""
        shows = [Question(("scontrol", "-o", "show", "job", one), read_jobs) for one in ids]
        return (*shows, Question((*_SACCT, f"--jobs={','.join(ids)}"), read_accounts))

    def interrupt(self, job: str) -> Question[str]:
        """Signal a job's script only; fails for a pending job."""
        return Question(("scancel", "--batch", "--signal=TERM", job), read_cancel)

    def cancel(self, job: str) -> Question[str]:
        return Question(("scancel", job), read_cancel)

    def only(self, name: str) -> tuple[str, ...]:
        return (f"--name={name}",)

    def queues(self) -> Question[tuple[Queue, ...]]:
        return Question(("scontrol", "-o", "show", "partition"), read_partitions)

    def nodes(self) -> Question[tuple[NodeState, ...]]:
        argv = ("sinfo", "-h", "-a", "-N", "-o", "%N|%T|%c|%f|%R")
        return Question(argv, read_nodes)

    def policy(self) -> tuple[Question[str], ...]:
        return (
            Question(("scontrol", "show", "partition"), read_text),
            Question(("scontrol", "show", "config"), read_policy),
        )

    def inside(self, environment: Mapping[str, str]) -> str | None:
        job = environment.get("SLURM_JOB_ID", "")
        return job if job.isdigit() and environment.get("SLURM_JOB_NODELIST") else None


def _squeue(*which: str) -> tuple[str, ...]:
    return ("squeue", "-h", "-a", "-t", "all", "-o", _QUEUE_FORMAT, *which)


def _constraint(wants: Wants) -> str:
    common = expression(wants.constraint, "the constraint") if wants.constraint else ""
    if len(wants.parts) == 1:
        feature = wants.parts[0].feature
        own = expression(feature, "the feature") if feature else ""
        return f"({common})&{own}" if common and own else common or own
    terms = []
    for part in wants.parts:
        if not part.feature:
            raise UsageError(
                "Slurm distinguishes node types of one job by features, and one part has none",
                "name a feature for every part; sinfo -o '%N %f' lists them",
            )
        own = expression(part.feature, "the feature")
        terms.append(f"({common}&{own})*{part.nodes}" if common else f"{own}*{part.nodes}")
    return f"[{'&'.join(terms)}]"

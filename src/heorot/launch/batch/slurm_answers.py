"""Reads the answers of Slurm's commands.

Source: https://slurm.schedmd.com/squeue.html ("JOB STATE CODES"), sinfo.html ("NODE STATE CODES").
"""

from __future__ import annotations

import re

from heorot.jobs.batch_states import meaning_of
from heorot.jobs.facts import QueueState, States
from heorot.launch.batch.dialect import NodeState, NodeWord, Queue, Submission
from heorot.launch.batch.parsing import (
    complaint_of,
    count,
    duration,
    jobs_in,
    moment,
    odd_job,
    odd_node,
    one_line,
    read_text,
    submission_of,
    whole,
)
from heorot.printable import printable
from heorot.process import Finished

_TIME = "%Y-%m-%dT%H:%M:%S"
_PREFIXES = ("sbatch: error: ", "Batch job submission failed: ", "scancel: error: ")
# The controller was unreachable, or did not report its result in time.
_UNCLEAR = re.compile(
    r"Unable to contact|[Ss]ocket timed out|Connection (?:refused|reset|timed out)|"
    r"Transport endpoint|[Zz]ero Bytes|Message receive failure|Temporarily unable|"
    r"temporarily|Unspecified error|Slurm backup controller|in standby|Protocol auth"
)
_UNKNOWN_JOB = re.compile(r"Invalid job id specified")
_NO_ACCOUNTS = re.compile(r"accounting storage is disabled|Slurm accounting_storage", re.IGNORECASE)
_NODE_WORDS: dict[str, NodeWord] = {
    **dict.fromkeys(("idle", "planned", "plnd", "powered_down", "pow_dn"), "idle"),
    **dict.fromkeys(("powering_up", "pow_up"), "idle"),
    **dict.fromkeys(("mixed", "mix"), "mixed"),
    **dict.fromkeys(("allocated", "alloc", "completing", "comp", "perfctrs", "npc"), "allocated"),
    **dict.fromkeys(("drained", "drain", "draining", "drng", "maint"), "drained"),
    **dict.fromkeys(("reserved", "resv", "blocked", "reboot_requested", "resume"), "drained"),
    **dict.fromkeys(("down", "fail", "failing", "failg", "error", "no_respond", "inval"), "down"),
    **dict.fromkeys(("future", "futr", "powering_down", "pow_dng", "powerdown"), "down"),
    **dict.fromkeys(("reboot", "reboot_issued", "unknown", "unk"), "down"),
}
# Flags after the state. Powered down on demand, planned, to be powered down, to reboot: it takes
# jobs. Not responding, powering down, rebooting: it takes none.
_FLAGS: dict[str, NodeWord] = {"*": "down", "%": "down", "^": "down", "$": "drained"}
_ALL_FLAGS = "*%^$~#!@-+"
_POLICY = re.compile(
    r"(?:Scheduler|Select|Priority|Preempt|FairShare|EnforcePart|Bf_|Accounting(?:Storage(?:Type|"
    r"Enforce))|DefMem|MaxMem|OverTime|KillWait|MinJobAge|JobRequeue|Prolog|Epilog|ProctrackType|"
    r"TaskPlugin|SLURM_VERSION)",
    re.IGNORECASE,
)
_FIELD = re.compile(r"(?:^| )(\w+)=(.*?)(?= +[\w/:]+=|$)")


def read_submission(answer: Finished) -> Submission:
    """The result of sbatch --parsable."""
    message = complaint_of(answer, _PREFIXES)
    lines = [line.strip() for line in answer.out.splitlines()]
    ids = [match[1] for line in lines if (match := re.fullmatch(r"(\d{1,18})(?:;\S*)?", line))]
    return submission_of(answer, ids, _UNCLEAR, message)


def read_queue(answer: Finished) -> States:
    """Jobs as squeue lists them in our format."""
    if not answer.ok:
        return {} if _UNKNOWN_JOB.search(answer.err) else None
    states: dict[str, QueueState] = {}
    for line in answer.out.splitlines():
        fields = line.split("|", 7)
        job = re.fullmatch(r"(\d{1,18})(?:\+(\d+)|_\S+)?", fields[0].strip())
        if job is None or job[1] in states:
            continue
        if len(fields) != 8:  # noqa: PLR2004
            states[job[1]] = odd_job(line)
            continue
        _, word, queue, submitted, started, limit, name, reason = fields
        phase, end = meaning_of("slurm", word)
        states[job[1]] = QueueState(
            phase=phase,
            end=end,
            raw=one_line(word),
            reason="" if reason.strip() == "None" else one_line(reason),
            name=name,
            queue=one_line(queue),
            submitted=moment(submitted, _TIME),
            started=None if phase == "pending" else moment(started, _TIME),
            limit_seconds=duration(limit),
        )
    return states


def read_accounts(answer: Finished) -> States:
    """Jobs as sacct -P lists them in our format."""
    if not answer.ok:
        return {} if _NO_ACCOUNTS.search(answer.err) else None
    return jobs_in(answer.out, 9, _account)


def _account(fields: list[str]) -> QueueState:
    _, word, code, submitted, eligible, started, ended, queue, name = fields
    phase, end = meaning_of("slurm", word)
    return QueueState(
        phase=phase,
        end=end,
        raw=one_line(word),
        name=name,
        queue=one_line(queue),
        code=whole(code.partition(":")[0]),
        submitted=moment(submitted, _TIME),
        eligible=moment(eligible, _TIME),
        started=moment(started, _TIME),
        ended=moment(ended, _TIME) if phase == "ended" else None,
    )


def _fields(line: str) -> dict[str, str]:
    """Fields of one object in the output of scontrol -o; the first of two values counts."""
    found: dict[str, str] = {}
    for match in _FIELD.finditer(line):
        found.setdefault(match[1], match[2].strip())
    return found


def read_jobs(answer: Finished) -> States:
    """Jobs in the output of scontrol -o show job."""
    if not answer.ok:
        return {} if _UNKNOWN_JOB.search(answer.err) else None
    states: dict[str, QueueState] = {}
    for line in answer.out.splitlines():
        fields = _fields(line)
        job = fields.get("HetJobId", fields.get("JobId", ""))
        if not job.isdigit() or job in states:
            continue
        phase, end = meaning_of("slurm", fields.get("JobState", ""))
        reason = fields.get("Reason", "")
        states[job] = QueueState(
            phase=phase,
            end=end,
            raw=one_line(fields.get("JobState", "")),
            reason="" if reason == "None" else one_line(reason),
            name=fields.get("JobName"),
            queue=one_line(fields.get("Partition", "")),
            code=whole(fields.get("ExitCode", "").partition(":")[0]),
            submitted=moment(fields.get("SubmitTime", ""), _TIME),
            eligible=moment(fields.get("EligibleTime", ""), _TIME),
            started=None if phase == "pending" else moment(fields.get("StartTime", ""), _TIME),
            ended=moment(fields.get("EndTime", ""), _TIME) if phase == "ended" else None,
            limit_seconds=duration(fields.get("TimeLimit", "")),
        )
    return states


def read_cancel(answer: Finished) -> str:
    """The complaint of scancel."""
    return "" if answer.ok else complaint_of(answer, _PREFIXES)


def read_partitions(answer: Finished) -> tuple[Queue, ...]:
    """Partitions in the output of scontrol -o show partition."""
    queues = []
    for line in answer.out.splitlines():
        fields = _fields(line)
        if not fields.get("PartitionName"):
            continue
        state = fields.get("State", "")
        queues.append(
            Queue(
                name=one_line(fields["PartitionName"]),
                is_default=fields.get("Default") == "YES",
                accepts=state == "UP",
                state=one_line(state),
                max_seconds=duration(fields.get("MaxTime", "")),
                default_seconds=duration(fields.get("DefaultTime", "")),
                min_nodes=count(fields.get("MinNodes", "")),
                max_nodes=count(fields.get("MaxNodes", "")),
                n_nodes=count(fields.get("TotalNodes", "")),
            )
        )
    return tuple(queues)


def _node_state(raw: str) -> NodeWord:
    """The state of a node, from its state and the flags after it."""
    word = raw.lower().rstrip(_ALL_FLAGS)
    state = _NODE_WORDS.get(word, "unknown")
    if state in {"unknown", "down"}:
        return state
    flags = [_FLAGS[flag] for flag in raw[len(word) :] if flag in _FLAGS]
    return "down" if "down" in flags else flags[0] if flags else state


def read_policy(answer: Finished) -> str:
    """The lines of scontrol show config about scheduling."""
    lines = read_text(answer).splitlines()
    return "\n".join(line for line in lines if _POLICY.match(line))


def read_nodes(answer: Finished) -> tuple[NodeState, ...]:
    """Nodes as sinfo -N lists them in our format."""
    nodes: dict[str, NodeState] = {}
    for line in answer.out.splitlines():
        fields = [printable(field).strip() for field in line.split("|")]
        if len(fields) != 5 or not fields[0]:  # noqa: PLR2004
            nodes |= {line: odd_node(line)} if line.strip() else {}
            continue
        name, raw, cores, features, queue = fields
        seen = nodes.get(name)
        nodes[name] = NodeState(
            name=name,
            state=_node_state(raw),
            raw=one_line(raw),
            cores=count(cores.rstrip("+")),
            features=tuple(f for f in features.split(",") if f and f != "(null)"),
            queues=(*(seen.queues if seen else ()), one_line(queue)),
        )
    return tuple(nodes.values())

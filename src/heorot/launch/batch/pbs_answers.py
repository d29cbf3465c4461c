"""Reads the answers of the commands of OpenPBS, PBS Pro and Torque.

Source: OpenPBS, doc/man1/qstat.1B and src/include/job.h (exit codes below 0, substates);
Torque 6.1.2 Administrator Guide, "Job Exit Status".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from heorot.jobs.batch_states import End, meaning_of, pbs_end
from heorot.jobs.facts import QueueState, States
from heorot.launch.batch.dialect import NodeState, NodeWord, Queue, Submission
from heorot.launch.batch.parsing import (
    complaint_of,
    count,
    duration,
    moment,
    one_line,
    submission_of,
    whole,
)
from heorot.printable import printable
from heorot.process import Finished

TIME = "%a %b %d %H:%M:%S %Y"
_TERMINATED = "91"  # substate of a deleted job
_PREFIXES = ("qsub: ", "qdel: ", "qstat: ")
_UNCLEAR = re.compile(
    r"cannot connect|Connection (?:refused|timed out|reset)|Communication failure|errno=|"
    r"Batch protocol error|End of File|Premature end|Resource temporarily|Time ?out|"
    r"Server (?:is )?(?:shut|down)",
    re.IGNORECASE,
)
_UNKNOWN_JOB = re.compile(r"Unknown Job Id|has finished|not configured to maintain job history")
_JOB = re.compile(r"\d+(?:\[\d*\])?(?:\.[\w.-]+)?")
_NODE_WORDS: dict[str, NodeWord] = {
    "free": "idle",
    "job-busy": "allocated",
    "job-exclusive": "allocated",
    "job-sharing": "mixed",
    "resv-exclusive": "allocated",
    "busy": "allocated",
    "down": "down",
    "offline": "drained",
    "offline_by_mom": "drained",
    "provisioning": "drained",
    "wait-provisioning": "drained",
    "maintenance": "drained",
    **dict.fromkeys(("stale", "Stale"), "down"),
    "unresolvable": "down",
    "state-unknown": "down",
    "sleep": "idle",
}
_WORST: tuple[NodeWord, ...] = ("down", "drained", "unknown", "allocated", "mixed", "idle")


def read_submission(answer: Finished) -> Submission:
    """The result of qsub."""
    message = complaint_of(answer, _PREFIXES)
    ids = [line.strip() for line in answer.out.splitlines() if _JOB.fullmatch(line.strip())]
    return submission_of(answer, ids, _UNCLEAR, message)


def blocks(text: str, opening: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Names and fields in the output of qstat -f.

    Values may contain line breaks: bodies of exported shell functions do. Lines that are no field
    belong to the line before, and the first of two fields of a name counts.
    """
    name, fields, last = "", dict[str, str](), ""
    for line in text.splitlines():
        if line.startswith(opening):
            if name:
                yield name, fields
            name, fields, last = line[len(opening) :].strip(), {}, ""
        elif field := re.match(r" {4}([A-Za-z][\w.]*) = (.*)", line):
            last = "" if field[1] in fields else field[1]
            fields.setdefault(field[1], field[2])
        elif line.startswith("\t") and last:
            fields[last] += line[1:]
    if name:
        yield name, fields


def _end(fields: dict[str, str], code: str) -> End:
    """How a job has ended."""
    used = duration(fields.get("resources_used.walltime", ""))
    limit = duration(fields.get("Resource_List.walltime", ""))
    return pbs_end(
        code,
        torque="Exit_status" not in fields,
        late=used is not None and limit is not None and used >= limit,
        deleted=fields.get("substate") == _TERMINATED,
    )


def read_jobs(ids: Sequence[str], answer: Finished) -> States:
    """Jobs in the output of qstat -f, by the requested ids."""
    asked = {job.partition(".")[0]: job for job in ids}
    states: dict[str, QueueState] = {}
    for job, fields in blocks(answer.out, "Job Id: "):
        number = job.partition(".")[0]
        if number not in asked:
            continue
        letter = fields.get("job_state", "")
        phase, _ = meaning_of("pbs", letter)
        pending = phase == "pending"
        code = fields.get("Exit_status", fields.get("exit_status", "")).split(" ")[0]
        states[asked[number]] = QueueState(
            phase=phase,
            end=_end(fields, code) if phase == "ended" else None,
            raw=one_line(letter),
            reason=one_line(fields.get("comment", "")),
            name=fields.get("Job_Name"),
            queue=one_line(fields.get("queue", "")),
            code=whole(code),
            submitted=moment(fields.get("ctime", ""), TIME),
            eligible=moment(fields.get("etime", ""), TIME),
            started=None
            if pending
            else moment(fields.get("stime", fields.get("start_time", "")), TIME),
            ended=moment(fields.get("obittime", fields.get("comp_time", "")), TIME)
            if phase == "ended"
            else None,
            limit_seconds=duration(fields.get("Resource_List.walltime", "")),
        )
    if states or answer.ok or _only_unknown(answer.err):
        return states
    return None


def _only_unknown(complaints: str) -> bool:
    """Whether all complaints are about jobs that are no longer known."""
    lines = [line for line in complaints.splitlines() if line.strip()]
    return bool(lines) and all(_UNKNOWN_JOB.search(line) for line in lines)


def read_selected(name: str, answer: Finished) -> States:
    """Jobs that qselect lists for a name."""
    if not answer.ok:
        return None
    ids = [line.strip() for line in answer.out.splitlines() if _JOB.fullmatch(line.strip())]
    return {job: QueueState(phase="unknown", name=name) for job in ids}


def read_cancel(answer: Finished) -> str:
    """The complaint of qdel."""
    return "" if answer.ok else complaint_of(answer, _PREFIXES)


def read_queues(answer: Finished) -> tuple[Queue, ...]:
    """Queues in the output of qstat -Q -f; routing queues have no limits."""
    queues = []
    for name, fields in blocks(answer.out, "Queue: "):
        enabled, started = (fields.get(word, "") for word in ("enabled", "started"))
        queues.append(
            Queue(
                name=one_line(name),
                accepts=enabled == "True" and started == "True",
                state=f"enabled={one_line(enabled)} started={one_line(started)}",
                max_seconds=duration(fields.get("resources_max.walltime", "")),
                default_seconds=duration(fields.get("resources_default.walltime", "")),
                min_nodes=count(fields.get("resources_min.nodect", "")),
                max_nodes=count(fields.get("resources_max.nodect", "")),
            )
        )
    return tuple(queues)


def read_nodes(answer: Finished) -> tuple[NodeState, ...]:
    """Nodes as pbsnodes -a lists them; vnodes of one host, such as n1[0] and n1[1], are one.

    A repeated vnode is no further part of its host: the first of two fields of a name counts.
    """
    hosts: dict[str, dict[str, dict[str, str]]] = {}
    fields: dict[str, str] = {}
    for line in answer.out.splitlines():
        if re.fullmatch(r"[\w.\[\]-]+", line):
            fields = hosts.setdefault(line.partition("[")[0], {}).setdefault(line, {})
        elif field := re.match(r"\s+([A-Za-z][\w.-]*) = (.*)", line):
            fields.setdefault(field[1], printable(field[2]).strip())
    return tuple(_node(name, tuple(vnodes.values())) for name, vnodes in hosts.items())


def _node(name: str, vnodes: Sequence[Mapping[str, str]]) -> NodeState:
    """A node made of its vnodes; where it has several, the vnode of the host has no cores."""
    cores = [_cores(one) for one in vnodes]
    parts = [one for one, n in zip(vnodes, cores, strict=True) if n != 0] or list(vnodes)
    states = {_state(one) for one in parts}
    mixed = states == {"allocated", "idle"}
    lists = [[*_words(one, "properties"), *_resources(one)] for one in parts]
    return NodeState(
        name=name,
        state="mixed" if mixed else next(word for word in _WORST if word in states),
        raw=one_line(" ".join(dict.fromkeys(one.get("state", "") for one in parts))),
        cores=sum(n or 0 for n in cores) if any(n is not None for n in cores) else None,
        features=tuple(dict.fromkeys(word for words in lists for word in words)),
        queues=tuple(dict.fromkeys(word for one in parts for word in _words(one, "queue"))),
    )


def _cores(vnode: Mapping[str, str]) -> int | None:
    return count(vnode.get("resources_available.ncpus", vnode.get("np", vnode.get("pcpus", ""))))


def _words(vnode: Mapping[str, str], field: str) -> list[str]:
    return [word.strip() for word in vnode.get(field, "").split(",") if word.strip()]


def _resources(vnode: Mapping[str, str]) -> list[str]:
    """Resources by which jobs request it: `name=value`, or a word that is True; no amounts."""
    found = []
    for name, value in vnode.items():
        word = name.removeprefix("resources_available.")
        if word != name and word not in {"host", "vnode"} and not re.match(r"\d", value):
            found.append(word if value == "True" else f"{word}={value}")
    return found


def _state(vnode: Mapping[str, str]) -> NodeWord:
    """The state of a node; `free` also means partly free."""
    words = {_NODE_WORDS.get(word.strip(), "unknown") for word in vnode.get("state", "").split(",")}
    state = next(word for word in _WORST if word in words)
    used = vnode.get("jobs", "") or count(vnode.get("resources_assigned.ncpus", ""))
    return "mixed" if state == "idle" and used else state

"""What commands of Flux answer: those of 0.88 were met for real.

Source: flux-jobs(1), flux-queue(1), flux-resource(1); RFC 19 (F58), RFC 29 (hostlists).
"""

from __future__ import annotations

import re

from heorot.jobs.facts import QueueState, States
from heorot.jobs.words import meaning_of
from heorot.launch.batch.dialect import (
    NodeState,
    NodeWord,
    Queue,
    Submission,
)
from heorot.launch.batch.words import (
    complaint_of,
    expand_hosts,
    joined,
    number,
    odd_job,
    odd_node,
    one_line,
    submission_of,
    unix_time,
    whole,
)
from heorot.printable import printable
from heorot.process import Finished

# What may hold anything comes last.
FORMAT = (
    "{id.dec}|{status}|{returncode}|{queue}|{t_submit}|{t_run}|{t_inactive}|{duration}|"
    "{contextual_info}|{name}|{exception.type} {exception.note}"
)
_N_FIELDS = 11
QUEUES_FORMAT = (
    "{queue}|{queuem}|{submission}|{scheduling}|{limits.timelimit}|{defaults.timelimit}|"
    "{limits.min.nnodes}|{limits.max.nnodes}"
)
_N_OF_QUEUE = 8
NODES_FORMAT = "{state}|{queue}|{nnodes}|{ncores}|{nodelist}"
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_NODE_WORDS: dict[str, NodeWord] = {
    "free": "idle",
    "up": "idle",
    "allocated": "allocated",
    "down": "down",
}
_UNCLEAR = re.compile(
    r"Unable to connect|[Cc]onnection|timed? ?out|broker|No such file or directory.*socket|"
    r"Function not implemented|ENOSYS"
)
_UNKNOWN_JOB = re.compile(r"unknown|not found|invalid JobID", re.IGNORECASE)


def decimal_id(text: str) -> str | None:
    """A job's id as a decimal number; None for what is no id.

    Args:
        text: decimal, or base 58 behind an f or a florin sign.
    """
    if re.fullmatch(r"\d{1,20}", text, re.ASCII):
        return text
    if not re.fullmatch(rf"[fƒ][{_BASE58}]{{1,12}}", text):
        return None
    value = 0
    for letter in text[1:]:
        value = value * 58 + _BASE58.index(letter)
    return str(value)


def read_submission(answer: Finished) -> Submission:
    """What `flux batch` said."""
    said = complaint_of(answer, ("flux-batch: ERROR: ",))
    ids = [job for line in answer.out.splitlines() if (job := decimal_id(line.strip()))]
    return submission_of(answer, ids, _UNCLEAR, said)


def read_jobs(answer: Finished) -> States:
    """Rows of jobs; of those that wait, why, as far as it is told."""
    states: dict[str, QueueState] = {}
    for line in answer.out.splitlines():
        fields = [field.strip() for field in line.split("|", _N_FIELDS - 1)]
        if not fields[0].isdigit():
            continue
        if len(fields) != _N_FIELDS:
            states[fields[0]] = odd_job(line)
            continue
        job, word, code, queue, submitted, started, ended, limit, waits, name, reason = fields
        phase, end = meaning_of("flux", word)
        states[job] = QueueState(
            phase=phase,
            end=end,
            raw=one_line(word),
            # Of one that runs it would be the hosts.
            reason=one_line(reason) or (one_line(waits) if phase == "pending" else ""),
            name=name,
            queue=one_line(queue),
            # Of one that never began it is no program's.
            code=whole(code) if unix_time(started) else None,
            submitted=unix_time(submitted),
            started=unix_time(started),
            ended=unix_time(ended),
            limit_seconds=number(limit) or None,
        )
    is_silent = _UNCLEAR.search(answer.err)  # the socket of a broker may be "not found", too
    if states or answer.ok or (_UNKNOWN_JOB.search(answer.err) and not is_silent):
        return states
    return None


def read_cancel(answer: Finished) -> str:
    """What a command complained about that ends a job."""
    return "" if answer.ok else complaint_of(answer, ("flux-cancel: ", "flux-shutdown: "))


def read_queues(answer: Finished) -> tuple[Queue, ...]:
    """Rows in our format; a queue without a name is the only one there is."""
    queues = []
    for line in answer.out.splitlines():
        fields = [printable(field).strip() for field in line.split("|")]
        if len(fields) != _N_OF_QUEUE:
            continue
        name, marked, submission, scheduling, limit, default, least, most = fields
        queues.append(
            Queue(
                name=name,
                is_default=not name or marked != name,
                accepts=(submission, scheduling) == ("enabled", "started"),
                state=f"submission {submission}, scheduling {scheduling}",
                max_seconds=number(limit) or None,
                default_seconds=number(default) or None,
                min_nodes=whole(least) or None,
                max_nodes=whole(most),
            )
        )
    return tuple(queues)


def read_nodes(answer: Finished) -> tuple[NodeState, ...]:
    """Rows in our format, or of the table that is the default."""
    nodes: dict[str, NodeState] = {}
    for line in answer.out.splitlines():
        words = line.split()
        if not words or words[0] == "STATE":
            nodes = {} if words else nodes  # what comes before the titles is no row
            continue
        row = _columns(line) if "|" not in line else line.split("|")
        if row is None or len(row) != 5 or whole(row[2]) is None:  # noqa: PLR2004 (as asked)
            nodes[line] = odd_node(line)
            continue
        state, queues, _, n_cores, hosts = (printable(field).strip() for field in row)
        for host in (listed := expand_hosts(hosts)):
            each, rest = divmod(whole(n_cores) or 0, len(listed))
            cores = each if each and not rest else None
            word, named = _NODE_WORDS.get(state, "unknown"), tuple(filter(None, queues.split(",")))
            one = NodeState(host, word, one_line(state), cores, queues=named)
            nodes[host] = joined(nodes[host], one) if host in nodes else one
    return tuple(nodes.values())


def _columns(line: str) -> list[str] | None:
    """A row of the table; QUEUE and PROPERTIES may be empty, and are not told apart then."""
    match = re.fullmatch(r"\s*(\S+).*?((?:\s+\d+){2,3})(?:\s+(\D\S*))?\s*", line)
    return match and [match[1], "", *match[2].split()[:2], match[3] or ""]

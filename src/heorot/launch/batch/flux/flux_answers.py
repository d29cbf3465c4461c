"""Reads the answers of Flux's commands, tested with those of 0.88.

Source: flux-jobs(1), flux-queue(1), flux-resource(1); RFC 19 (F58), RFC 29 (hostlists).
"""

from __future__ import annotations

import re
from dataclasses import replace

from heorot.jobs.batch_states import meaning_of
from heorot.jobs.facts import QueueState, States
from heorot.jobs.hosts import expand_hosts
from heorot.launch.batch.dialect import NodeState, NodeWord, Queue, Submission
from heorot.launch.batch.parsing import (
    complaint_of,
    count,
    jobs_in,
    joined,
    number,
    odd_node,
    one_line,
    submission_of,
    unix_time,
    whole,
)
from heorot.printable import printable
from heorot.process import Finished

# The last field may contain the separator.
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
# Rows of the state `all` have all cores of a node; other rows count the cores in their state.
NODES_FORMAT = "{state}|{queue}|{nnodes}|{ncores}|{nodelist}|{ranks}|{rlist}"
NODE_STATES = "all,free,allocated,down"
_OF_RANKS = re.compile(r"rank(\d+|\[[\d,-]+\])/core(\d+|\[[\d,-]+\])(?:,\S*)?", re.ASCII)
_MOST_IDS = 1 << 20
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
    """A job's id as a decimal number; None for other texts.

    Args:
        text: decimal, or base 58 after an f or a florin sign.
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
    """The answer of `flux batch`."""
    message = complaint_of(answer, ("flux-batch: ERROR: ",))
    ids = [job for line in answer.out.splitlines() if (job := decimal_id(line.strip()))]
    return submission_of(answer, ids, _UNCLEAR, message)


def read_jobs(answer: Finished) -> States:
    """Rows of jobs; of pending ones with the reason where Flux reports it."""
    states = jobs_in(answer.out, _N_FIELDS, _job)
    is_silent = _UNCLEAR.search(answer.err)  # a broker's socket may be "not found"
    if states or answer.ok or (_UNKNOWN_JOB.search(answer.err) and not is_silent):
        return states
    return None


def _job(fields: list[str]) -> QueueState:
    _, word, code, queue, submitted, started, ended, limit, waits, name, reason = fields
    phase, end = meaning_of("flux", word)
    return QueueState(
        phase=phase,
        end=end,
        raw=one_line(word),
        # Of a running job these are its hosts.
        reason=one_line(reason) or (one_line(waits) if phase == "pending" else ""),
        name=name,
        queue=one_line(queue),
        # The code of a job that never began is not that of a program.
        code=whole(code) if unix_time(started) else None,
        submitted=unix_time(submitted),
        started=unix_time(started),
        ended=unix_time(ended),
        limit_seconds=number(limit) or None,
    )


def read_cancel(answer: Finished) -> str:
    """The complaint of a command that ends a job."""
    return "" if answer.ok else complaint_of(answer, ("flux-cancel: ", "flux-shutdown: "))


def read_queues(answer: Finished) -> tuple[Queue, ...]:
    """Rows in our format; a queue without a name is the only one."""
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
                min_nodes=count(least) or None,
                max_nodes=count(most),
            )
        )
    return tuple(queues)


def read_nodes(answer: Finished) -> tuple[NodeState, ...]:
    """Rows in our format, or of the table that is the default."""
    nodes: dict[str, NodeState] = {}
    whole_nodes: dict[str, int] = {}
    for line in answer.out.splitlines():
        words = line.split()
        if not words or words[0] == "STATE":
            nodes = {} if words else nodes  # lines before the titles are no rows
            continue
        row = _columns(line) if "|" not in line else line.split("|")
        if row is None or len(row) not in {5, 7} or count(row[2]) is None:  # ours, or the default
            nodes[line] = odd_node(line)
        elif row[0] == "all":
            whole_nodes |= _cores(*row[4:])
        else:
            for one in _nodes_of(*row[:5]):
                nodes[one.name] = joined(nodes[one.name], one) if one.name in nodes else one
    return tuple(
        replace(node, cores=whole_nodes[node.name]) if node.name in whole_nodes else node
        for node in nodes.values()
    )


def _nodes_of(state: str, queues: str, _: str, n_cores: str, hosts: str) -> list[NodeState]:
    """The nodes of a row; with cores if they are the same on each, or as far as listed."""
    listed = expand_hosts(printable(hosts).strip())
    each, rest = divmod(count(n_cores) or 0, len(listed) or 1)
    state = printable(state).strip()
    word = _NODE_WORDS.get(state, "unknown")
    named = tuple(filter(None, printable(queues).strip().split(",")))
    cores = each if each and not rest else None
    return [NodeState(host, word, one_line(state), cores, queues=named) for host in listed]


def _cores(hosts: str, ranks: str = "", resources: str = "") -> dict[str, int]:
    """Cores by node; hosts are listed by their ranks, `rank[0-1]/core[0-3] rank2/core[0,2]`."""
    n_cores: dict[int, int] = {}
    for those, cores in _OF_RANKS.findall(resources):
        n_cores |= dict.fromkeys(_ids(those), len(_ids(cores)))
    listed, order = expand_hosts(printable(hosts).strip()), _ids(ranks)
    if len(listed) != len(order):
        return {}
    pairs = zip(listed, order, strict=True)
    return {host: n_cores[rank] for host, rank in pairs if n_cores.get(rank)}


def _ids(text: str) -> list[int]:
    """Numbers such as `[0-2,5]`; none if not understood."""
    found: list[int] = []
    for part in filter(None, text.strip().strip("[]").split(",")):
        first, _, last = part.partition("-")
        low, high = count(first), count(last or first)
        if low is None or high is None or not 0 <= low <= high < low + _MOST_IDS:
            return []
        found += range(low, high + 1)
    return found


def _columns(line: str) -> list[str] | None:
    """A row of the table; empty QUEUE and PROPERTIES cannot be distinguished."""
    match = re.fullmatch(r"\s*(\S+).*?((?:\s+\d+){2,3})(?:\s+(\D\S*))?\s*", line)
    return match and [match[1], "", *match[2].split()[:2], match[3] or ""]

"""Reads the answers of LSF's commands.

Source: IBM Spectrum LSF 10.1 Command Reference, bjobs, bhist, bqueues, bhosts; "LSF job termination
reason logging".
"""

from __future__ import annotations

import re
import time

from heorot.jobs.batch_states import lsf_end, meaning_of
from heorot.jobs.facts import QueueState, States
from heorot.launch.batch.dialect import NodeState, NodeWord, Queue, Submission
from heorot.launch.batch.parsing import (
    complaint_of,
    count,
    jobs_in,
    moment,
    number,
    odd_node,
    one_line,
    submission_of,
    whole,
)
from heorot.process import Finished

# The reason comes last: it may contain the separator.
FIELDS = "jobid stat exit_code queue submit_time start_time finish_time job_name exit_reason"
_N_FIELDS = len(FIELDS.split())
_UNCLEAR = re.compile(
    r"LSF is down|not responding|[Cc]annot connect|Connection|timed? ?out|Please wait|Failed in|"
    r"Communication|LIM is down",
    re.IGNORECASE,
)
_UNKNOWN_JOB = re.compile(r"is not found|No (?:unfinished |matching )?job found|No job found")
_LONG_BREAK = re.compile(r"\n {16,}")
_NODE_WORDS: dict[str, NodeWord] = {
    "ok": "idle",
    **dict.fromkeys(("closed_Full", "closed_full", "closed_Excl", "closed_Busy"), "allocated"),
    "closed_Cu_excl": "allocated",
    **dict.fromkeys(("closed", "closed_Adm", "closed_Lock", "closed_Wind"), "drained"),
    **dict.fromkeys(("closed_EGO", "closed_RC", "closed_RMS"), "drained"),
    **dict.fromkeys(("unavail", "unreach", "unlicensed", "closed_LIM"), "down"),
}


def read_submission(answer: Finished) -> Submission:
    """The result of bsub."""
    ids = re.findall(r"^Job <(\d{1,18})> is submitted", answer.out, re.MULTILINE)
    message = complaint_of(answer).removesuffix(" Job not submitted.")
    return submission_of(answer, ids, _UNCLEAR, message)


def _moment(text: str) -> float | None:
    """The time of `Feb  2 00:46 L`, which has no year: the latest one not in the future."""
    match = re.match(r"\s*([A-Z][a-z]{2})\s+(\d{1,2}) (\d{2}:\d{2})", text)
    if match is None:
        return None
    now = time.time()
    year = time.localtime(now).tm_year
    for one in (year, year - 1):
        found = moment(f"{one} {match[1]} {match[2]} {match[3]}", "%Y %b %d %H:%M")
        if found is not None and found < now + 86400.0:
            return found
    return None


def read_jobs(answer: Finished) -> States:
    """Jobs as bjobs lists them with our fields."""
    states = jobs_in(answer.out, _N_FIELDS, _job)
    if states or answer.ok or _UNKNOWN_JOB.search(answer.err + answer.out):
        return states
    return None


def _job(fields: list[str]) -> QueueState:
    _, word, code, queue, submitted, started, ended, name, reason = (
        "" if field == "-" else field for field in fields
    )
    phase, _ = meaning_of("lsf", word)
    return QueueState(
        phase=phase,
        end=lsf_end(word, whole(code), reason) if phase == "ended" else None,
        raw=one_line(word),
        reason=one_line(reason),
        name=name,
        queue=one_line(queue),
        code=whole(code),
        submitted=_moment(submitted),
        started=None if phase == "pending" else _moment(started),
        ended=_moment(ended) if phase == "ended" else None,
    )


def read_history(answer: Finished) -> States:
    """Jobs that have ended, in the output of bhist -l and bjobs -l."""
    states: dict[str, QueueState] = {}
    # A long line is continued in the next one, within a word, after many blanks.
    text = _LONG_BREAK.sub("", answer.out)
    for block in re.split(r"^(?=Job <\d)", text, flags=re.MULTILINE):
        job = re.match(r"Job <(\d{1,18})>(?:, Job Name <([^>\n]*)>)?", block)
        if job is None:
            continue
        done = re.search(r"Done successfully", block)
        exited = re.search(r"Exited(?: with exit code (\d{1,9})| by signal (\d{1,9}))?", block)
        if not done and not exited:
            continue
        reason = re.search(r"\bTERM_\w+(?:: [^\n]*)?", block)
        code = whole(exited[1] or "") if exited else 0
        queue = re.search(r"Queue <([^>\n]*)>", block)
        word = "DONE" if done else "EXIT"
        states[job[1]] = QueueState(
            phase="ended",
            end=lsf_end(word, code, reason[0] if reason else ""),
            raw=word,
            reason=one_line(reason[0]) if reason else "",
            name=job[2] or "",
            queue=one_line(queue[1]) if queue else "",
            code=code,
        )
    return states


def read_cancel(answer: Finished) -> str:
    """The complaint of bkill."""
    return "" if answer.ok else complaint_of(answer)


def read_queues(answer: Finished) -> tuple[Queue, ...]:
    """Queues in the output of bqueues -l."""
    queues = []
    for block in re.split(r"^(?=QUEUE: )", answer.out, flags=re.MULTILINE):
        name = re.match(r"QUEUE: (\S+)", block)
        if name is None:
            continue
        state = re.search(r"\b(?:Open|Closed):(?:Active|Inact\w*)", block)
        limits = re.split(r"^MAXIMUM LIMITS:", block, maxsplit=1, flags=re.MULTILINE)
        ask = re.split(r"^DEFAULT LIMITS:", limits[0], maxsplit=1, flags=re.MULTILINE)
        queues.append(
            Queue(
                name=one_line(name[1]),
                is_default=re.search(r"This is (?:the|a) default queue", block) is not None,
                accepts=state is not None and state[0] == "Open:Active",
                state=state[0] if state else "",
                # Without a default there is no title above the maximum either.
                max_seconds=_run_limit(limits[1] if len(limits) > 1 else limits[0]),
                default_seconds=_run_limit(ask[1]) if len(ask) > 1 else None,
            )
        )
    return tuple(queues)


def _run_limit(text: str) -> float | None:
    """The run limit of a block of limits [s]."""
    match = re.search(r"^ *RUNLIMIT *\n *(\d+(?:\.\d+)?) min", text, re.MULTILINE)
    value = number(match[1]) if match else None
    return None if value is None else value * 60.0


def read_hosts(answer: Finished) -> tuple[NodeState, ...]:
    """Hosts as bhosts -w lists them; a host with two different rows is unknown."""
    nodes: dict[str, NodeState] = {}
    for line in answer.out.splitlines():
        words = line.split()
        if not words or words[0] == "HOST_NAME":
            continue
        if len(words) < 5:  # noqa: PLR2004 (up to NJOBS)
            nodes.setdefault(line, odd_node(line))
            continue
        used = count(words[4]) or 0
        state = _NODE_WORDS.get(words[1], "unknown")
        node = NodeState(
            name=one_line(words[0]),
            state="mixed" if state == "idle" and used > 0 else state,
            raw=one_line(words[1]),
            cores=count(words[3]),
        )
        if nodes.setdefault(node.name, node) != node:
            raw = f"{nodes[node.name].raw}, {node.raw}"
            nodes[node.name] = NodeState(node.name, "unknown", one_line(raw))
    return tuple(nodes.values())

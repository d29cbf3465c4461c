"""Flux: flux batch, flux jobs, flux queue, flux resource.

Every job is a Flux instance of its own. Ids are kept as decimal numbers, which all commands take.
Limits are seconds, times have fractions.
Source: https://flux-framework.readthedocs.io/projects/flux-core, flux-batch(1), flux-jobs(1),
flux-resource(1), flux-shutdown(1); RFC 19 (F58), RFC 29 (hostlists), RFC 36 (directives).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from heorot.errors import UsageError
from heorot.jobs.facts import QueueState, States
from heorot.jobs.words import meaning_of
from heorot.launch.batch.dialect import (
    Dialect,
    NodeState,
    NodeWord,
    Question,
    Queue,
    Submission,
    Wants,
)
from heorot.launch.batch.words import (
    complaint_of,
    directive,
    expand_hosts,
    expression,
    joined,
    number,
    odd_job,
    odd_node,
    one_line,
    plain,
    read_text,
    rounded_up,
    submission_of,
    unix_time,
    whole,
)
from heorot.launch.surroundings import Surroundings
from heorot.printable import printable
from heorot.process import Finished

# What may hold anything comes last.
_FORMAT = (
    "{id.dec}|{status}|{returncode}|{queue}|{t_submit}|{t_run}|{t_inactive}|{duration}|{name}|"
    "{exception.type} {exception.note}"
)
_N_FIELDS = 10
_NODES_FORMAT = "{state}|{queue}|{nnodes}|{ncores}|{nodelist}"
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
_ON_HOST = (
    "bash -c 'host=$1; shift; exec flux exec --quiet"
    ' -r "$(flux overlay lookup "$host")" "$@"\' on_host'
)


class Flux(Dialect):
    """The dialect of Flux."""

    system: Final = "flux"
    needs: Final = ("flux",)
    mark: Final = "#flux:"
    own_id: Final = "$(flux getattr jobid)"
    mute: Final = ("FLUX_JOBS_", "FLUX_QUEUE_", "FLUX_RESOURCE_")

    def header(self, wants: Wants) -> tuple[str, ...]:
        """Directive lines.

        Args:
            wants: what the job asks for.

        Raises:
            UsageError: something cannot be said; unlike nodes in one job, for one.
        """
        if len(wants.parts) > 1:
            raise UsageError(
                "flux batch gives a job nodes of one kind only",
                "ask for nodes of one kind, or start Heorot inside an allocation of both",
            )
        options = [f"-N {wants.nodes}"]
        if wants.exclusive:
            options.append("--exclusive")
        elif wants.cores_per_node is not None:
            options += [f"-n {wants.nodes}", f"-c {wants.cores_per_node}"]
        if wants.limit_seconds is not None:
            options.append(f"-t {max(1, math.ceil(wants.limit_seconds))}s")
        if wants.queue:
            options.append(f"-q {plain(wants.queue, 'the queue')}")
        if wants.account:
            options.append(f"--bank={plain(wants.account, 'the account')}")
        words = [expression(wants.constraint, "the constraint")] if wants.constraint else []
        words += [expression(f, "the feature") for f in [wants.parts[0].feature] if f]
        if words:
            options.append(f'--requires="{"&".join(words)}"')
        options += [directive(text) for text in wants.directives]
        return tuple(f"{self.mark} {option}" for option in options)

    def surroundings(self, wants: Wants) -> Surroundings:
        """What the job's script needs to know.

        Args:
            wants: what the job asks for.

        Raises:
            UsageError: as `header`.
        """
        hosts = "flux exec --label-io -r all hostname | sort -n | sed 's/^[0-9]*: //'"
        return Surroundings(
            header=self.header(wants),
            limit_seconds=rounded_up(wants.limit_seconds, 1.0),
            list_hosts=hosts,
            on_host=_ON_HOST,
        )

    def submit(self, script: Path, name: str, after: str | None = None) -> Question[Submission]:
        """Submit a script."""
        output = str(script.with_suffix(".out")).replace("{", "{{").replace("}", "}}")
        dependency = (f"--dependency=afterany:{after}",) if after else ()
        argv = ("flux", "batch", f"--job-name={name}", f"--output={output}", *dependency)
        return Question((*argv, str(script)), _read_submission)

    def query(self, ids: Sequence[str]) -> Question[States]:
        """Ask about jobs, those that have ended included."""
        return Question(("flux", "jobs", "-n", "-o", _FORMAT, *ids), _read_jobs)

    def find(self, name: str) -> tuple[Question[States], ...]:
        """Ask for our own jobs with this name."""
        return (
            Question(("flux", "jobs", "-a", "-n", "-o", _FORMAT, f"--name={name}"), _read_jobs),
        )

    def account(self, ids: Sequence[str]) -> tuple[Question[States], ...]:
        """The same question: the queue remembers."""
        return (self.query(ids),)

    def interrupt(self, job: str) -> Question[str]:
        """Shut the job's instance down, which hangs up on its script and waits for its end.

        A signal to the job would end the brokers of its other hosts before.
        """
        return Question(("flux", "shutdown", "--background", job), _read_cancel)

    def cancel(self, job: str) -> Question[str]:
        """Cancel a job."""
        return Question(("flux", "cancel", job), _read_cancel)

    def queues(self) -> Question[tuple[Queue, ...]]:
        """Ask for the queues; their limits are not told by all versions."""
        return Question(("flux", "queue", "status"), _read_queues)

    def nodes(self) -> Question[tuple[NodeState, ...]]:
        """Ask for the nodes: those that are drained or off line are down to the scheduler."""
        return Question(("flux", "resource", "list", "-n", "-o", _NODES_FORMAT), _read_nodes)

    def policy(self) -> tuple[Question[str], ...]:
        """Ask for the queues, and for the configuration."""
        return (
            Question(("flux", "queue", "list"), read_text),
            Question(("flux", "config", "get"), read_text),
        )

    def inside(self, environment: Mapping[str, str]) -> str | None:
        """The allocation that we are in."""
        job = environment.get("FLUX_ENCLOSING_ID", "")
        return job if job and environment.get("FLUX_URI") else None


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


def _read_submission(answer: Finished) -> Submission:
    said = complaint_of(answer, ("flux-batch: ERROR: ",))
    ids = [job for line in answer.out.splitlines() if (job := decimal_id(line.strip()))]
    return submission_of(answer, ids, _UNCLEAR, said)


def _read_jobs(answer: Finished) -> States:
    states: dict[str, QueueState] = {}
    for line in answer.out.splitlines():
        fields = [field.strip() for field in line.split("|", _N_FIELDS - 1)]
        if not fields[0].isdigit():
            continue
        if len(fields) != _N_FIELDS:
            states[fields[0]] = odd_job(line)
            continue
        job, word, code, queue, submitted, started, ended, limit, name, reason = fields
        phase, end = meaning_of("flux", word)
        states[job] = QueueState(
            phase=phase,
            end=end,
            raw=one_line(word),
            reason=one_line(reason),
            name=name,
            queue=one_line(queue),
            code=whole(code),
            submitted=unix_time(submitted),
            started=unix_time(started),
            ended=unix_time(ended),
            limit_seconds=number(limit) or None,
        )
    if states or answer.ok or _UNKNOWN_JOB.search(answer.err):
        return states
    return None


def _read_cancel(answer: Finished) -> str:
    return "" if answer.ok else complaint_of(answer, ("flux-cancel: ", "flux-shutdown: "))


def _read_queues(answer: Finished) -> tuple[Queue, ...]:
    """Lines such as `batch: Job submission is enabled`; without names there is one queue."""
    words: dict[str, list[str]] = {}
    for line in answer.out.splitlines():
        match = re.match(r"(?:([\w.-]+): )?((?:Job submission|Scheduling) is .*)", line)
        if match:
            words.setdefault(match[1] or "", []).append(one_line(match[2]))
    return tuple(
        Queue(
            name=name,
            is_default=not name,
            accepts=not any("disabled" in word or "stopped" in word for word in said),
            state="; ".join(said),
        )
        for name, said in words.items()
    )


def _read_nodes(answer: Finished) -> tuple[NodeState, ...]:
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

"""Flux: flux batch, flux jobs, flux queue, flux resource.

Every job is a Flux instance of its own. Ids are kept as decimal numbers, which all commands take.
Limits are seconds, times have fractions.
Source: https://flux-framework.readthedocs.io/projects/flux-core, flux-batch(1), flux-jobs(1),
flux-resource(1), flux-shutdown(1); RFC 19 (F58), RFC 29 (hostlists), RFC 36 (directives).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from heorot.errors import UsageError
from heorot.jobs.facts import States
from heorot.launch.batch.dialect import Dialect, NodeState, Question, Queue, Submission, Wants
from heorot.launch.batch.flux.flux_answers import (
    FORMAT,
    NODE_STATES,
    NODES_FORMAT,
    QUEUES_FORMAT,
    read_cancel,
    read_jobs,
    read_nodes,
    read_queues,
    read_submission,
)
from heorot.launch.batch.parsing import (
    agent_text,
    directive,
    expression,
    plain,
    read_text,
    rounded_up,
)
from heorot.launch.job_environment import JobEnvironment
from heorot.printable import printable

_GPUS = "gpus"
# Each host of the job is a broker of its instance, with the rank that flux exec takes.
_ON_HOST = (
    "bash -c 'host=$1; shift; exec flux exec --quiet"
    ' -r "$(flux overlay lookup "$host")" "$@"\' on_host'
)
_AGENT = agent_text('flux exec --quiet -r "$(flux overlay lookup "$host")" /bin/bash -c "$*"')


def _gpus(wants: Wants) -> tuple[int, ...]:
    """GPUs per node, if any are requested.

    Raises:
        UsageError: other devices are requested.
    """
    if other := wants.devices.keys() - {_GPUS}:
        raise UsageError(
            f"flux batch asks for gpus only, not for {printable(min(other))}",
            "leave `request` of `devices` out; `constraint` of `batch` asks for nodes",
        )
    return tuple(wants.devices.values())


class Flux(Dialect):
    """The dialect of Flux."""

    system: Final = "flux"
    needs: Final = ("flux",)
    mark: Final = "#flux:"
    own_id: Final = "$(flux getattr jobid)"
    device_words: Final = MappingProxyType({"gpu": _GPUS})
    mute: Final = ("FLUX_JOBS_", "FLUX_QUEUE_", "FLUX_RESOURCE_")

    def header(self, wants: Wants) -> tuple[str, ...]:
        """Directive lines.

        Raises:
            UsageError: a request that its options cannot express, such as different types of nodes.
        """
        if len(wants.parts) > 1:
            raise UsageError(
                "flux batch gives a job nodes of one type only",
                "request nodes of one type, or start Heorot inside an allocation of both",
            )
        options = [f"-N {wants.nodes}"]
        if wants.exclusive:
            options.append("--exclusive")
        elif wants.cores_per_node is not None:
            options += [f"-n {wants.nodes}", f"-c {wants.cores_per_node}"]
        options += [f"-g {n}" for n in _gpus(wants)]  # per slot, one slot per node
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

    def job_environment(self, wants: Wants) -> JobEnvironment:
        hosts = "flux exec --label-io -r all hostname | sort -n | sed 's/^[0-9]*: //'"
        return JobEnvironment(
            header=self.header(wants),
            limit_seconds=rounded_up(wants.limit_seconds, 1.0),
            list_hosts=hosts,
            on_host=_ON_HOST,
            prepare=_AGENT,
        )

    def submit(self, script: Path, name: str, after: str | None = None) -> Question[Submission]:
        output = str(script.with_suffix(".out")).replace("{", "{{").replace("}", "}}")
        dependency = (f"--dependency=afterany:{after}",) if after else ()
        argv = ("flux", "batch", f"--job-name={name}", f"--output={output}", *dependency)
        return Question((*argv, str(script)), read_submission)

    def query(self, ids: Sequence[str]) -> Question[States]:
        """Query jobs, including those that have ended."""
        return Question(("flux", "jobs", "-n", "-o", FORMAT, *ids), read_jobs)

    def find(self, name: str) -> tuple[Question[States], ...]:
        return (Question(("flux", "jobs", "-a", "-n", "-o", FORMAT, f"--name={name}"), read_jobs),)

    def account(self, ids: Sequence[str]) -> tuple[Question[States], ...]:
        """The same query: the queue keeps jobs that have ended."""
        return (self.query(ids),)

    def interrupt(self, job: str) -> Question[str]:
        """Shut the job's instance down, which sends SIGHUP to its script and waits for its end.

        A signal to the job would end the brokers of its other hosts first. The command reaches the
        job's first host by ssh; without ssh it fails, and cancelling the job also sends SIGHUP.
        """
        return Question(("flux", "shutdown", "--background", job), read_cancel)

    def cancel(self, job: str) -> Question[str]:
        return Question(("flux", "cancel", job), read_cancel)

    def queues(self) -> Question[tuple[Queue, ...]]:
        """Query the queues and their limits, as of Flux 0.66."""
        return Question(("flux", "queue", "list", "-n", "-o", QUEUES_FORMAT), read_queues)

    def nodes(self) -> Question[tuple[NodeState, ...]]:
        """Query the nodes: drained and offline nodes are down to the scheduler."""
        words = ("flux", "resource", "list", "-n", "-s", NODE_STATES, "-o", NODES_FORMAT)
        return Question(words, read_nodes)

    def policy(self) -> tuple[Question[str], ...]:
        return (
            Question(("flux", "queue", "list"), read_text),
            Question(("flux", "config", "get"), read_text),
        )

    def inside(self, environment: Mapping[str, str]) -> str | None:
        job = environment.get("FLUX_ENCLOSING_ID", "")
        return job if job and environment.get("FLUX_URI") else None

"""Where a check goes: the batch system, the queue, the nodes it may take, the lab if it is one."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from heorot import process
from heorot.errors import SetupError, UsageError
from heorot.files import real
from heorot.launch.adapters.ask import Caller
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.batch.controls import Controls, Policy
from heorot.launch.batch.dialect import (
    Dialect,
    NodeState,
    Part,
    Question,
    Queue,
    Submission,
    Wants,
)
from heorot.launch.batch.other_controls import controls_of
from heorot.model.machine.site import SiteBatch
from heorot.model.run.request import BatchName, Request
from heorot.process import Finished
from heorot.session import laboratory
from heorot.session.cluster.ground import find_ground
from heorot.session.cluster.sites import read_site_file
from heorot.suggestion import suggest

USABLE = frozenset({"idle", "mixed", "allocated"})
_USUAL_NODES = 4
# What a job's shell is given at its submission, and has to find: nothing in it may be lost.
VARIABLE = "HEOROT_CHECK"
# Of what shells and batch systems split words at.
_ODD = " with 'quotes' and = a\ttab"
_SUBMIT_SECONDS = 60.0
_FED = 'exec "$@" <"$0"'


class TokenCaller(Caller):
    """A caller whose jobs inherit a variable of ours."""

    def __init__(self, caller: Caller, token: str) -> None:
        super().__init__(caller.dialect, caller.commands)
        self.token = token

    def environment(self) -> dict[str, str]:
        """The usual one with the variable."""
        return super().environment() | {VARIABLE: self.token}

    def send(self, question: Question[Submission], folder: Path) -> Submission:
        """Call a submitting command; some read the script from their standard input.

        Args:
            question: what to call.
            folder: where.
        """
        words = self.argv(question.argv)
        if question.stdin is not None:
            words = ("bash", "-c", _FED, str(question.stdin), *words)
        answer = process.run(
            words,
            timeout_seconds=_SUBMIT_SECONDS,
            cwd=folder,
            environment=dict(self.environment(), LC_ALL="C"),
        )
        return question.read(answer)

    def run(self, words: Sequence[str], seconds: float) -> Finished:
        """Run a command of the batch system that one waits for.

        Args:
            words: of it, its name first.
            seconds: after which it is killed [s].
        """
        return process.run(
            self.argv(tuple(words)),
            timeout_seconds=seconds,
            environment=dict(self.environment(), LC_ALL="C"),
        )


@dataclass(frozen=True)
class CheckGround:
    """Where a check goes.

    Attributes:
        caller: puts questions to the batch system.
        controls: what is known of it beyond what every job needs.
        batch: how the site's jobs are submitted.
        queue: that they go to; nameless if the batch system tells none.
        granted: nodes that the check takes at the same time, at most.
        lab: its name if it is a lab; empty otherwise.
        policy: how it schedules, as it says.
    """

    caller: TokenCaller
    controls: Controls
    batch: SiteBatch
    queue: Queue
    granted: int
    lab: str = ""
    policy: Policy = field(default_factory=Policy)

    @property
    def dialect(self) -> Dialect:
        """What the batch system calls things."""
        return self.caller.dialect

    @property
    def is_whole(self) -> bool:
        """Whether the queue has no nodes but those that the check may take."""
        return self.queue.n_nodes is not None and self.queue.n_nodes <= self.granted

    def wants(
        self,
        nodes: int,
        cores: int | None,
        limit_seconds: float,
        *,
        exclusive: bool,
        options: tuple[str, ...],
    ) -> Wants:
        """What a job of the check asks for, with what the site says of all jobs.

        Args:
            nodes: how many.
            cores: of each; None leaves it to the batch system.
            limit_seconds: after which it is to be ended [s].
            exclusive: whether nobody else may use its nodes.
            options: directives, or words of the request for nodes, as `Controls` has them.
        """
        words = [option for option in options if not option.startswith("-")]
        options = tuple(option for option in options if option.startswith("-"))
        return Wants.of_site(
            self.batch,
            parts=_parts(nodes, words),
            cores_per_node=cores,
            limit_seconds=limit_seconds,
            exclusive=exclusive,
            directives=(*self.batch.directives, *options),
        )

    def nodes(self) -> tuple[NodeState, ...]:
        """The nodes of the queue, as the batch system tells now."""
        told = self.caller.ask(self.dialect.nodes())
        own = [node for node in told if not node.queues or self.queue.name in node.queues]
        return tuple(own) if self.queue.name else told


def find_check_ground(
    batch: BatchName | None,
    site: Path | None,
    nodes: int | None,
) -> CheckGround:
    """Where a check goes.

    Args:
        batch: the batch system; None for the site's.
        site: site file.
        nodes: that it may take; None for four, or as many as there are.

    Raises:
        SetupError: the batch system's commands are not there, or it does not answer.
        SiteError: the site file is wrong.
        UsageError: there is no batch system, or it has too few nodes.
    """
    request = Request(batch=batch, site=site, nodes=(nodes or 1,))
    ground = find_ground(request, read_site_file(site).site)
    if ground.batch is None or not isinstance(ground.adapter, BatchAdapter):
        inside = ground.dialect is not None
        raise UsageError(
            "this is inside a job, which cannot test the queue" if inside
            else "there is no batch system to check",
            "call it on a login node" if inside
            else f"name one with --batch, or build one: {suggest('lab', 'up', '--slurm')}",
        )  # fmt: skip
    caller = TokenCaller(ground.adapter.caller, secrets.token_hex(4) + _ODD)
    queues = caller.ask(caller.dialect.queues())
    queue = _chosen(queues, ground.batch.queue)
    if queue.n_nodes is None:
        queue = replace(queue, n_nodes=_n_nodes(caller))
    if not queues and queue.n_nodes is None:
        question = caller.dialect.queues().argv
        raise SetupError(
            f"{caller.dialect.system} does not answer: it tells of no queue and no node",
            f"try: {shlex.join(caller.argv(question))}",
        )
    controls = controls_of(caller.dialect)
    asked = controls.policy()
    granted = nodes or min(_USUAL_NODES, queue.n_nodes or 1, queue.max_nodes or _USUAL_NODES)
    return CheckGround(
        caller=caller,
        controls=controls,
        batch=ground.batch,
        queue=queue,
        granted=granted,
        lab=_lab_of(site),
        policy=caller.ask(asked) if asked else Policy(),
    )


def _parts(nodes: int, words: Sequence[str]) -> tuple[Part, ...]:
    """The nodes of a job, each with its own word where there is one for each."""
    own = next((word.split("+") for word in words if "+" in word), [""] * nodes)
    all_have = [word for word in words if "+" not in word]
    if not words:
        return (Part(nodes=nodes),)
    features = [":".join(filter(None, (word, *all_have))) for word in own]
    if len(set(features)) == 1:
        return (Part(nodes=nodes, feature=features[0]),)
    return tuple(Part(nodes=1, feature=feature) for feature in features)


def _n_nodes(caller: Caller) -> int | None:
    """How many nodes the batch system tells of; None for none."""
    return len({node.name for node in caller.ask(caller.dialect.nodes()) if node.name}) or None


def _chosen(queues: tuple[Queue, ...], name: str | None) -> Queue:
    """The queue that jobs go to; one without a name if none is told."""
    named = [queue for queue in queues if queue.name == name]
    default = [queue for queue in queues if queue.is_default] if not name else []
    return next(iter((*named, *default)), queues[0] if len(queues) == 1 else Queue(name or ""))


def _lab_of(site: Path | None) -> str:
    """The name of the lab that a site file is of; empty for none."""
    if site is None:
        return ""
    place = real(site)
    names = laboratory.names()
    return next((name for name in names if real(laboratory.site_file(name)) == place), "")

"""The target of a check: its batch system, queue, nodes, and lab if it is one."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Sequence
from dataclasses import replace

from heorot.errors import SetupError, UsageError
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.batch.dialect import Part, Wants
from heorot.launch.target import ExecutionTarget
from heorot.model.batch.acceptance import CheckRequest
from heorot.session.cluster.resolve import resolve_target
from heorot.session.cluster.sites import read_site_file
from heorot.suggestion import suggest

_USUAL_NODES = 4
# Value of a variable of the submitting shell, which jobs must receive unchanged.
VARIABLE = "HEOROT_CHECK"
# Characters at which shells and batch systems split words.
_ODD = " with 'quotes' and = a\ttab"


def resolve_checked(request: CheckRequest) -> ExecutionTarget:
    """Resolve the target of a check; its jobs inherit a variable.

    Raises:
        SetupError: the batch system's commands are missing, or it does not answer.
        SiteError: the site file is invalid.
        UsageError: there is no batch system, or it has too few nodes.
    """
    target = resolve_target(request, read_site_file(request.site).site, request.nodes or 1)
    if target.batch is None or target.client is None:
        inside = target.client is not None
        raise UsageError(
            "this is inside a job, which cannot test the queue" if inside
            else "there is no batch system to check",
            "call it on a login node" if inside
            else f"name one with --batch, or build one: {suggest('lab', 'up', '--slurm')}",
        )  # fmt: skip
    dialect, queue = target.client.dialect, target.queue
    if queue.n_nodes is None:
        n_nodes = len({node.name for node in target.node_states() if node.name}) or None
        queue = replace(queue, n_nodes=n_nodes)
    question = dialect.queues()
    if queue.n_nodes is None and not target.client.ask(question):
        raise SetupError(
            f"{dialect.system} does not answer: it lists no queue and no node",
            f"try: {shlex.join(target.client.argv(question.argv))}",
        )
    usual = min(_USUAL_NODES, queue.n_nodes or 1, queue.max_nodes or _USUAL_NODES)
    variables = {VARIABLE: secrets.token_hex(4) + _ODD}
    client = BatchClient(dialect, target.client.commands, variables=variables)
    return replace(target, client=client, queue=queue, nodes=request.nodes or usual)


def wants_of(
    target: ExecutionTarget,
    nodes: int,
    cores: int | None,
    limit_seconds: float,
    options: Sequence[str] = (),
) -> Wants:
    """The request of a job of a check, with the site's directives; it shares its nodes.

    Args:
        cores: of each node; None for the batch system's default.
        limit_seconds: time limit [s].
        options: directives, or words of the request for nodes, as `Controls` has them: with a `+`
            between those of each node.
    """
    words = [option for option in options if not option.startswith("-")]
    directives = [option for option in options if option.startswith("-")]
    return target.wants(
        nodes,
        limit_seconds,
        parts=_parts(nodes, words),
        cores_per_node=cores,
        exclusive=False,
        directives=(*(target.batch.directives if target.batch else ()), *directives),
    )


def _parts(nodes: int, words: Sequence[str]) -> tuple[Part, ...]:
    """The nodes of a job, each with its own word if there is one for each."""
    if not words:
        return (Part(nodes=nodes),)
    own = next((word.split("+") for word in words if "+" in word), [""] * nodes)
    all_have = [word for word in words if "+" not in word]
    features = [":".join(filter(None, (word, *all_have))) for word in own]
    if len(set(features)) == 1:
        return (Part(nodes=nodes, feature=features[0]),)
    return tuple(Part(nodes=1, feature=feature) for feature in features)

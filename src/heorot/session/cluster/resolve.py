"""Resolves the execution target of a run: this machine, hosts of a site, or a batch system."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from heorot.errors import SiteError, UsageError
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.adapters.choose import find_dialect, find_inside
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.batch.dialect import queue_of
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.site import Site, SiteBatch
from heorot.model.run.request import TargetRequest
from heorot.plan.packing import JOB_SECONDS, STEP_SECONDS, JobLimits
from heorot.session import laboratory
from heorot.session.cluster.cores import cores_to_ask
from heorot.session.progress import Progress
from heorot.units import format_duration


def resolve_target(
    request: TargetRequest, site: Site, nodes: int | None, progress: Progress | None = None
) -> ExecutionTarget:
    """Resolve the execution target of a request.

    Args:
        nodes: requested number; None for all.

    Raises:
        SetupError: the batch system's commands are missing.
        SiteError: a value of the site file cannot be written into a job script.
        UsageError: there are fewer nodes than requested.
    """
    inside = find_inside(os.environ) if request.batch != "local" else None
    if inside is not None and request.batch in {None, inside.system}:
        there = len(inside.hosts)
        _require_hosts(nodes or there, there, f"job {inside.id} has")
        client = BatchClient(find_dialect(inside.system))
        return ExecutionTarget(LocalAdapter(), site, nodes or there, client)
    laboratory.require_seen(request.site, request.out or site.work or Path())
    system = request.batch or (site.batch.system if site.batch else "local")
    if system == "local":
        what, there = "the site file lists" if site.hosts else "this machine is", len(site.hosts)
        _require_hosts(nodes or 1, max(1, there), what)
        alone = ExecutionTarget(LocalAdapter(), site, nodes or max(1, there))
        first = next((host.name for host in site.hosts), "")
        return replace(alone, adapter=alone.adapter_on(first))
    batch = site.batch if site.batch and site.batch.system == system else None
    batch = batch or SiteBatch(system=system)
    target = _submitting(batch, site, nodes, progress or Progress())
    _require_words(target, request.site)
    return _within_queue(target, nodes)


def _submitting(
    batch: SiteBatch, site: Site, nodes: int | None, progress: Progress
) -> ExecutionTarget:
    dialect = find_dialect(batch.system, batch.commands)
    adapter = BatchAdapter(
        dialect, batch.commands, on_state=lambda job, line: progress.stage(f"{job.id}: {line}")
    )
    return ExecutionTarget(adapter, site, nodes or 1, adapter.client, batch)


def limits_of(target: ExecutionTarget) -> JobLimits:
    """Limits of jobs of a target."""
    return JobLimits(
        nodes=target.nodes,
        batched=target.batch is not None,
        limit_seconds=target.batch.time_limit_seconds if target.batch else None,
        notice_seconds=target.client.dialect.notice_seconds if target.client else None,
    )


def _within_queue(target: ExecutionTarget, nodes: int | None) -> ExecutionTarget:
    """A target with its queue, the queue's time limit, and the requested nodes.

    A batch system that lists no queues is not checked.

    Raises:
        UsageError: there is no such queue, or its jobs may not have that many nodes.
    """
    batch, client = target.batch, target.client
    if batch is None or client is None:
        return target
    queues = client.ask(client.dialect.queues())
    names = ", ".join(queue.name for queue in queues)
    if queues and batch.queue and batch.queue not in {queue.name for queue in queues}:
        raise UsageError(f"{batch.system} has no queue {batch.queue}", f"it has: {names}")
    queue = queue_of(queues, batch.queue)
    target = replace(target, queue=queue)
    if nodes is None:
        there = {node.name for node in target.node_states() if node.takes_jobs}
        target = replace(target, nodes=max(1, len(there)))
    most = min((n for n in (queue.max_nodes, queue.n_nodes) if n), default=None)
    if most is not None and target.nodes > most:
        raise UsageError(
            f"{target.nodes} nodes are asked for, a job in queue {queue.name} may have {most}",
            f"ask for fewer with --nodes, or name another queue in the site file: {names}",
        )
    limits = [each for each in (batch.time_limit_seconds, queue.max_seconds) if each]
    batch = batch.model_copy(update={"time_limit_seconds": min(limits, default=None)})
    _require_time(batch)
    cores = None
    if client.dialect.counts_cores:
        cores = cores_to_ask(target.node_states(), batch, target.nodes)
    return replace(target, batch=batch, cores_per_node=cores)


def _require_time(batch: SiteBatch) -> None:
    """Refuse a time limit too short for any step: a batch system might queue such jobs for ever."""
    limit, least = batch.time_limit_seconds, JOB_SECONDS + STEP_SECONDS
    if limit is not None and limit <= least:
        raise UsageError(
            f"a job may take {format_duration(limit)}; besides its steps it may need "
            f"{format_duration(least)}",
            "allow more by `time_limit_seconds` of `batch:` in the site file, or name a queue "
            "that does",
        )


def _require_words(target: ExecutionTarget, file: Path | None) -> None:
    """Refuse values of the site file that cannot be written into a job script.

    Raises:
        SiteError: a value is not a single word for every batch system.
    """
    parts = target.batch.parts if target.batch else ()
    devices = {kind: 1 for kind, each in target.site.devices.items() if each.request}
    try:
        target.job_environment(1 + sum(part.nodes or 1 for part in parts), None, devices=devices)
    except UsageError as error:
        if file is None:
            raise
        raise SiteError(str(error), file=file, hint=error.hint) from None


def _require_hosts(wanted: int, there: int, what: str) -> None:
    """Refuse more nodes than available."""
    if wanted <= there:
        return
    raise UsageError(
        f"{wanted} nodes are asked for, {what} {there} node{'s' * (there > 1)}",
        "submit to a batch system: --batch slurm; or list the nodes under `hosts` in a site file: "
        "--site FILE; or build a cluster in this computer: heorot lab up",
    )

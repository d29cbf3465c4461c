"""Placement of jobs: nodes and processors, odd shapes, exclusive nodes, heterogeneous jobs."""

from __future__ import annotations

from heorot.acceptance.session.context import START_SECONDS, FeatureContext
from heorot.acceptance.session.feature import (
    Feature,
    Judged,
    RefusedError,
    UntestedError,
    absent,
    failed,
    passed,
)
from heorot.acceptance.session.probe import ProbeJob
from heorot.acceptance.session.target import wants_of
from heorot.launch.batch.dialect import Part
from heorot.units import format_duration

_UNLIKE_SECONDS = 60.0
_MASK = "record cpus \"$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)\""


def _node(context: FeatureContext) -> tuple[str, int]:
    """The last idle node and its cores: batch systems fill the first ones."""
    context.runner.confine(("n",))
    chosen = context.runner.chosen
    free = [
        node
        for node in context.target.node_states()
        if node.state in {"idle", "mixed"} and (not chosen or node.name in chosen)
    ]
    free.sort(key=lambda node: node.state != "mixed")
    if not free:
        raise UntestedError("no node is free")
    return free[-1].name, free[-1].cores or 1


def overlap(one: ProbeJob, other: ProbeJob) -> float:
    """Time for which two jobs ran simultaneously, by their own clocks [s]."""
    starts = max(one.start or 0.0, other.start or 0.0)
    return max(0.0, min(one.end or 0.0, other.end or 0.0) - starts)


def _sharing(context: FeatureContext) -> Judged:
    """Three jobs that request one core more than a node has, and stay until all that can run do."""
    name, cores = _node(context)
    elsewhere = context.elsewhere(name)
    wanted = [max(1, cores - 1), 1, 1][: 3 if cores > 1 else 2]

    def submit(n: int) -> ProbeJob:
        body, limit = f"{_MASK}; until_released", context.stay_seconds
        return context.submit(body, cores=n, limit_seconds=limit, on=(name,))

    first = submit(wanted[0])
    context.started(first)
    others = [submit(n) for n in wanted[1:]]
    control = context.submit("true", on=(elsewhere,))
    context.decided(control, lambda: all(job.start is not None for job in others))
    jobs = [first, *others]
    for job in jobs:
        job.proceed()
    for job in jobs:
        context.ended(job)
    return _judge_sharing(context, jobs, wanted, (name, cores))


def _judge_sharing(
    context: FeatureContext, jobs: list[ProbeJob], wanted: list[int], node: tuple[str, int]
) -> Judged:
    name, cores = node
    held = [context.holding(job) for job in jobs]
    lines = []
    for job, n, had in zip(jobs, wanted, held, strict=True):
        masks = job.observed("cpus")
        mask = f", bound to cpus {' '.join(masks[0].words)}" if masks else ""
        reported = f"; reported: {had.nodes} node, {had.cpus} cpus" if had.cpus is not None else ""
        lines.append(f"{job.label} requested {n} of {cores} cores of {name}{mask}{reported}")
    by_time = sorted(jobs, key=lambda job: job.start or 0.0)
    together = min(overlap(by_time[i], by_time[-1]) for i in range(len(by_time) - 1))
    side_by_side = max(overlap(a, b) for a in jobs for b in jobs if a is not b)
    lines.append(f"all of them ran at the same time for {format_duration(together)}")
    wrong = [
        had for n, had in zip(wanted, held, strict=True) if had.cpus is not None and had.cpus < n
    ]
    if together > 0.0:
        return failed("jobs share cores: more ran on a node than it has cores for", *lines)
    if wrong:
        return failed("a job got fewer processors than it requested", *lines)
    if side_by_side > 0.0:
        return passed("jobs share nodes, and never cores", *lines)
    return passed("jobs have nodes to themselves: no two ran on one node", *lines)


def _shape(context: FeatureContext) -> Judged:
    """A job of 3 nodes with 2 processors each."""
    cores = max((node.cores or 1 for node in context.target.node_states()), default=1)
    nodes, each = min(3, context.target.nodes), min(2, cores)
    probe = context.submit(f'record granted "{context.controls.granted}"', nodes=nodes, cores=each)
    context.ended(probe)
    had = context.holding(probe)
    seen = probe.first("granted")
    words = " ".join(seen.words) if seen else ""
    lines = [
        f"{probe.label} requested {nodes} x {each} and got {', '.join(probe.hosts)}",
        f"reported: {had.nodes} nodes, {had.cpus} cpus"
        + (f"; in the job: {words}" if words else ""),
    ]
    if len(probe.hosts) != nodes:
        return failed(f"a job of {nodes} nodes got {len(probe.hosts)}", *lines)
    if had.cpus is not None and had.cpus < nodes * each:
        return failed(f"a job of {nodes * each} processors got {had.cpus}", *lines)
    return passed(f"a job of {nodes} nodes with {each} processors each gets them", *lines)


def _exclusive(context: FeatureContext) -> Judged:
    """A job that requests an exclusive node, and one for a processor of that node."""
    name, cores = _node(context)
    if cores < 2:  # noqa: PLR2004 (with one, two jobs never meet)
        raise UntestedError(f"node {name} has one core, which two jobs cannot share")
    elsewhere = context.elsewhere(name)
    alone = context.submit(
        "until_released", limit_seconds=context.stay_seconds, exclusive=True, on=(name,)
    )
    context.started(alone)
    other = context.submit("true", on=(name,))
    control = context.submit("true", on=(elsewhere,))
    early = context.early([other], control)
    alone.proceed()
    context.ended(alone)
    context.ended(other)
    had = context.holding(alone)
    gap = (other.start or 0.0) - (alone.end or 0.0)
    reported = f"; reported: {had.cpus} of {cores} cpus" if had.cpus is not None else ""
    when = "after its end" if gap >= 0 else "BEFORE its end"
    lines = [
        f"{alone.label} requested {name} exclusively{reported}",
        f"{other.label}, for one core of it, started {format_duration(abs(gap))} {when}",
    ]
    if control.start is not None:
        lines.append(f"{control.label}, submitted behind that for {elsewhere}, started meanwhile")
    if early is not None or gap < 0.0:
        return failed("a job ran on a node that another had exclusively", *lines)
    return passed("a job that requests an exclusive node has it", *lines)


def _unlike(context: FeatureContext) -> Judged:
    """One node with more processors, and two with fewer, in one job."""
    if not context.controls.mixes:
        context.known(context.controls.option("apart"), "request different nodes in one job")
    if context.target.nodes < 3:  # noqa: PLR2004 (one and two)
        raise UntestedError("it takes 3 nodes")
    cores = min(2, max((node.cores or 1 for node in context.target.node_states()), default=1))
    try:
        probe = _submit_unlike(context, cores)
    except RefusedError as error:
        return absent("different nodes in one job are refused", error.answer)
    late = context.patience - START_SECONDS
    if not context.wait(lambda: probe.start is not None, _UNLIKE_SECONDS + late):
        # Whether any job starts at all.
        context.decided(context.submit("true"), lambda: probe.start is not None)
    context.wait(lambda: probe.start is None or probe.end is not None, _UNLIKE_SECONDS)
    parts = probe.observed("part")
    lines = [f"{probe.label}, part {e.words[0]}: {' '.join(e.words[1:])}" for e in parts if e.words]
    if probe.start is None:
        word = context.word(probe)
        n_usable = sum(node.takes_jobs for node in context.target.node_states())
        if n_usable < 3:  # noqa: PLR2004 (one and two)
            raise UntestedError(f"{probe.label} needs 3 nodes, {n_usable} take jobs")
        context.runner.cancel(probe)
        text = "a job of different nodes does not start"
        says = f"{probe.label}: {word}"
        return failed(text, says) if context.policy.backfills else absent(text, says)
    n_nodes = [len(event.words) - 2 for event in parts]
    if n_nodes != [1, 2]:
        return failed("a job of different nodes got others than it requested", *lines)
    return passed(f"one job gets a node with {cores} processors and two with 1 each", *lines)


def _submit_unlike(context: FeatureContext, cores: int) -> ProbeJob:
    """Submit one node with `cores` processors and two with one, in the batch system's way.

    Raises:
        RefusedError: it was refused.
    """
    names = context.runner.pick(3)
    body = f"{context.controls.parts}\npause 0.2"
    apart = context.controls.option("apart")
    if apart is None:
        words = "".join(context.runner.confine(names)).split("+")
        features = [word or None for word in words] if names else [None] * 3
        parts = tuple(
            Part(nodes=1, feature=feature, cores=cores if number == 0 else 1)
            for number, feature in enumerate(features)
        )
        return context.submit(body, nodes=3, parts=parts)
    others = context.runner.confine(names[1:])
    wants = wants_of(context.target, 2, 1, 60.0, others)
    more = (apart, *context.client.dialect.header(wants))
    return context.submit(body, cores=cores, on=names[:1], more=more)


FEATURES = (
    Feature(
        "node-sharing", "Do jobs that share a node never share a core?",
        _sharing, jobs=4, nodes=1.5, seconds=15.0, starts=5, busy_seconds=8.0, least=2,
    ),
    Feature(
        "odd-shape", "Does a job get 3 nodes with 2 processors each?",
        _shape, nodes=3, seconds=10.0, busy_seconds=2.0, least=2,
    ),
    Feature(
        "exclusive", "Does a job that requests an exclusive node have it to itself?",
        _exclusive, jobs=3, nodes=1.5, seconds=15.0, starts=4, busy_seconds=6.0, least=2,
    ),
    Feature(
        "unlike-nodes", "Can one job have different nodes?",
        _unlike, jobs=2, nodes=3, seconds=60.0, starts=6, busy_seconds=3.0, least=3,
    ),
)  # fmt: skip

"""Node failure, drained nodes, and the state of all nodes after the check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from heorot import interruption
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
from heorot.jobs.facts import QueueState
from heorot.launch.batch.dialect import Question
from heorot.session import laboratory
from heorot.units import format_duration

_NOTICE_SECONDS = 60.0
# Slurm requeues a job that lost its node after two minutes.
_AGAIN_SECONDS = 150.0
_BEAT_SECONDS = 30.0
_WELL_SECONDS = 10.0


def _failure(context: FeatureContext) -> Judged:
    """A job on a dead node is requeued."""
    requeue = context.known(context.controls.option("requeue"), "requeue a job")
    again = context.submit(
        "beat beat & until_released", limit_seconds=300.0, options=(requeue,), exclusive=True
    )
    context.started(again)
    host = again.hosts[0]
    # Reports from before its start do not count as its end.
    context.wait(lambda: not _is_known(context, again), 20.0)
    with _dead(context, host):
        died = context.clock.time()
        context.wait(lambda: _is_known(context, again), _NOTICE_SECONDS)
        state = context.runner.state(again)
        noticed = context.clock.time() - died
    line = f"{again.label} was on {host}, which died"
    if not _is_known(context, again):
        return failed(f"{format_duration(noticed)} later, its job is still reported to run", line)
    lines = [line, f"after {format_duration(noticed)} it was {context.word(again)}"]
    figures = {"notice_seconds": noticed}
    if state is not None and state.end is not None:
        return failed("a job whose node died does not begin again", *lines, **figures)
    again.proceed()
    if not _begins_again(context, again):
        restarts = context.holding(again).restarts
        lines.append(f"it has not begun again ({context.word(again)}, restarts {restarts})")
        context.runner.cancel(again)
        return failed(
            "a job whose node died was queued, and did not begin again", *lines, **figures
        )
    starts = again.starts
    figures["again_seconds"] = starts[1].time - died
    lines.append(f"it started again on {starts[1].host}, "
                 f"{format_duration(figures['again_seconds'])} after that")  # fmt: skip
    return passed("a job whose node dies is requeued", *lines, **figures)


def _begins_again(context: FeatureContext, again: ProbeJob) -> bool:
    """Whether a job that lost its node starts a second time.

    Raises:
        UntestedError: no job starts.
    """

    def begun() -> bool:
        return len(again.starts) > 1

    seconds = _AGAIN_SECONDS + context.patience - START_SECONDS
    return context.wait(begun, seconds) or context.decided(context.submit("true"), begun)


def _is_known(context: FeatureContext, probe: ProbeJob) -> bool:
    """Whether the batch system reports that a job no longer runs."""
    if len(probe.starts) > 1:
        return True
    state: QueueState | None = context.runner.state(probe)
    return state is not None and state.phase != "running"


@contextmanager
def _dead(context: FeatureContext, host: str) -> Iterator[None]:
    """A node that is killed, or declared dead; it is restored in every case."""
    lab, note = context.runner.lab, context.runner.registry.note
    if not lab:
        fail = context.known(context.controls.act("fail", host), "declare a node dead")
        resume = context.known(context.controls.act("resume", host), "resume a node")
        note("drained", host)
        if refusal := context.ask(fail):
            note("resumed", host)
            raise UntestedError(f"{host} cannot be declared dead: {refusal}")
        try:
            yield
        finally:
            with interruption.finishing():
                _resume(context, host, resume)
        return
    note("killed", host)
    laboratory.kill(lab, host)
    try:
        yield
    finally:
        with interruption.finishing():
            laboratory.heal(lab, host)
            note("healed", host)


def _drain(context: FeatureContext) -> Judged:
    """A running job continues on a drained node, a pending one waits for its return."""
    context.runner.confine(("n",))
    running = context.submit("beat beat & until_released", limit_seconds=context.stay_seconds)
    context.started(running)
    host = running.hosts[0]
    elsewhere = context.elsewhere(host)
    drain = context.known(context.controls.act("drain", host), "drain a node")
    resume = context.known(context.controls.act("resume", host), "resume a node")
    context.runner.registry.note("drained", host)
    refusal = ""
    try:
        if refusal := context.ask(drain):
            raise UntestedError(f"{host} cannot be drained: {refusal}")
        judged = _while_drained(context, running, host, elsewhere)
    finally:
        with interruption.finishing():
            _resume(context, host, resume)
            if refusal:
                context.runner.registry.note("resumed", host)
    return judged()


def _resume(context: FeatureContext, host: str, resume: Question[str]) -> None:
    """Resume a drained node; if this fails, the next check does."""
    refusal = context.ask(resume)
    # Slurm refuses to resume a node that came back by itself.
    usable = {node.name for node in context.target.node_states() if node.takes_jobs}
    if not refusal or host in usable:
        context.runner.registry.note("resumed", host)


def _while_drained(
    context: FeatureContext, running: ProbeJob, host: str, elsewhere: str
) -> Callable[[], Judged]:
    """Observe a drained node; returns the judgement for after its return."""
    try:
        waiting: ProbeJob | None = context.submit("true", on=(host,))
    except RefusedError:
        waiting = None
    control = context.submit("true", on=(elsewhere,)) if waiting else None
    early = context.early([waiting], control) if waiting and control else None
    word = context.word(waiting) if waiting else "refused"
    n_beats = len(running.observed("beat"))
    goes_on = context.wait(lambda: len(running.observed("beat")) > n_beats, _BEAT_SECONDS)
    running.proceed()
    context.wait(lambda: running.end is not None, _BEAT_SECONDS)

    def judge() -> Judged:
        code = str(running.ends[-1].exit_code) if running.ends else "none"
        lines = [
            f"{running.label} ran on {host} while that was drained; exit code {code}",
            f"{waiting.label if waiting else 'a job'} for {host}: {word}",
        ]
        if control is not None and control.start is not None:
            lines.append(f"{control.label}, submitted behind it for {elsewhere}, started")
        if not goes_on or code != "0":
            return failed("draining a node affected a job that ran on it", *lines)
        if early is not None:
            return failed("a job started on a drained node", *lines)
        if waiting is not None:
            context.started(waiting)
            lines.append(f"{waiting.label} started when {host} was back")
        return passed("a drained node takes no jobs, and its running jobs continue", *lines)

    return judge


def _well(context: FeatureContext) -> Judged:
    """All nodes of the queue at the end of the check."""
    question = context.controls.reasons()

    before = {n.name for n in context.runner.first_nodes if not n.takes_jobs}
    well = [n.name for n in context.runner.first_nodes if n.takes_jobs]

    def bad() -> list[str]:
        now = {n.name: n for n in context.target.node_states()}
        reported = {name: now[name].raw if name in now else "not reported" for name in well}
        usable = {name for name in well if name in now and now[name].takes_jobs}
        return [f"{name} is {reported[name]}" for name in well if name not in usable]

    context.wait(lambda: not bad(), max(_WELL_SECONDS, context.runner.lateness))
    lost = bad()
    reasons = context.ask(question) if question else ()
    if lost:
        return failed("nodes that took jobs before the check take none after it", *lost, *reasons)
    known = len(context.runner.first_nodes)
    if not known:
        return absent("the batch system does not report nodes")
    more = [f"{name} took no jobs before the check" for name in sorted(before)]
    return passed(f"all of {known - len(before)} nodes take jobs as before", *more)


FEATURES = (
    Feature(
        "node-failure", "Is a job requeued when its node dies?",
        _failure, jobs=2, nodes=1, seconds=215.0, starts=3, busy_seconds=40.0, admin=True, least=2,
    ),
    Feature(
        "drain", "Can a node be drained without harm to its running jobs?",
        _drain, act="contended", jobs=3, nodes=1.5, seconds=20.0, starts=4, busy_seconds=12.0,
        admin=True, least=2,
    ),
    Feature(
        "nodes-well", "Do all nodes take jobs after the check?",
        _well, act="last", jobs=0, seconds=12.0, busy_seconds=0.0,
    ),
)  # fmt: skip

"""Reports on jobs and queues: accounts, limits of queues, reasons of pending jobs."""

from __future__ import annotations

from heorot.acceptance.session.context import FeatureContext
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
from heorot.jobs.facts import QueueState, States
from heorot.launch.adapters.batch_client import answer_about
from heorot.units import format_duration

# Tolerance: accounts have whole seconds, and nodes are prepared and cleaned up [s].
_EARLY_SECONDS = 1.5
_LATE_SECONDS = 30.0
_PATIENCE_SECONDS = 10.0
_REASONS_SECONDS = 10.0


def _accounting(context: FeatureContext) -> Judged:
    """Accounts of all jobs of this check, compared with the jobs' own records."""
    done = [e for e in context.runner.probes if e.number and e.end and len(e.starts) == 1]
    if not done:
        raise UntestedError("no job of this check has ended")
    ids = [str(probe.number) for probe in done]
    question = context.client.dialect.account(ids)[-1]
    reported: dict[str, QueueState] = {}
    states: States = None
    # Accounts in a database arrive some seconds later.
    for turn in range(1 + int(_PATIENCE_SECONDS)):
        context.wait(lambda: False, min(turn, 1.0))
        states = context.ask(question)
        own = {str(probe.number): answer_about(probe.job, states).state for probe in done}
        reported.update({job: state for job, state in own.items() if state is not None})
        if all(job in reported and reported[job].ended is not None for job in ids):
            break
    if not reported and states is None:
        raise UntestedError(f"{question.argv[0]} did not answer")
    if not reported:
        return absent("no accounts are kept", f"{question.argv[0]} knows none of {len(ids)} jobs")
    missing = [probe.label for probe in done if str(probe.number) not in reported]
    known = [probe for probe in done if str(probe.number) in reported]
    wrong = [text for probe in known if (text := _differs(probe, reported[str(probe.number)]))]
    starts = [abs(lag) for e in known if (lag := _lag(e, reported[str(e.number)])) is not None]
    lines = [f"{len(known)} of {len(done)} jobs are in the accounts"]
    if starts:
        lines.append(
            f"their starts differ from the jobs' own by up to {format_duration(max(starts))}"
        )
    if missing:
        return failed("accounts are not complete", *lines, f"missing: {', '.join(missing[:8])}")
    if wrong:
        return failed("accounts contradict the jobs' own clocks", *lines, *wrong[:8])
    return passed("accounts are complete and agree with the jobs' own clocks", *lines)


def _lag(probe: ProbeJob, reported: QueueState) -> float | None:
    """Start of a job by its own clock - accounted start [s]."""
    if reported.started is None or probe.start is None:
        return None
    return probe.start - reported.started


def _differs(probe: ProbeJob, reported: QueueState) -> str:
    """The difference between a job's account and its own record; empty if there is none."""
    lag = _lag(probe, reported)
    if lag is not None and not -_EARLY_SECONDS <= lag <= _LATE_SECONDS:
        word = "later" if lag > 0 else "earlier"
        return f"{probe.label} started {format_duration(abs(lag))} {word} than accounted"
    if reported.ended is not None and probe.end is not None:
        behind = reported.ended - probe.end
        if not -_EARLY_SECONDS <= behind <= _LATE_SECONDS:
            word = "earlier" if behind > 0 else "later"
            return f"{probe.label} ended {format_duration(abs(behind))} {word} than accounted"
    return ""


def _queues(context: FeatureContext) -> Judged:
    """The table of queues, and a job that exceeds the limit of one."""
    queues = context.ask(context.client.dialect.queues())
    if not queues:
        return failed("no queue is reported")
    lines = []
    for queue in queues:
        longest = "no limit" if queue.max_seconds is None else format_duration(queue.max_seconds)
        accepts = "" if queue.accepts else f", takes no jobs ({queue.state})"
        name, n_nodes = queue.name or "without a name", queue.n_nodes or "?"
        lines.append(f"queue {name}: {n_nodes} nodes, jobs of {longest}{accepts}")
    reported = "1 queue is reported" if len(queues) == 1 else f"{len(queues)} queues are reported"
    longest_seconds = context.target.queue.max_seconds
    if longest_seconds is None:
        return passed(f"{reported}, with limits", *lines)
    try:
        probe = context.submit("true", limit_seconds=longest_seconds + 3600.0)
    except RefusedError as error:
        lines.append(f"a job longer than its queue allows is refused: {error.answer}")
        return passed(f"{reported}, and limits hold", *lines)
    control = context.submit("true")
    early = context.early([probe], control)
    lines.append(f"{probe.label}, longer than its queue allows: {context.word(probe)}")
    context.runner.cancel(probe)
    if early:
        return failed("a job longer than its queue allows starts", *lines)
    lines.append(f"{control.label}, submitted behind it and short, started meanwhile")
    return passed(f"{reported}, and limits hold", *lines)


def _reasons(context: FeatureContext) -> Judged:
    """Jobs pending for different reasons: each is reported as pending, with its reason."""
    controls = context.controls
    holder = context.submit("until_released", limit_seconds=context.stay_seconds)
    options = {
        "held": controls.option("held"),
        "to begin later": controls.option("later"),
        "behind another": controls.option("after any", str(holder.number)),
    }
    waiting = {what: context.submit("true", options=(o,)) for what, o in options.items() if o}
    context.started(holder)
    # The reason of a pending job is known after the first scheduling cycle.
    early = context.early(list(waiting.values()), context.submit("true"))
    context.wait(
        lambda: all(
            (state := context.runner.state(e)) is not None
            and (state.phase != "pending" or bool(state.reason))
            for e in waiting.values()
        ),
        _REASONS_SECONDS,
    )
    lines, wrong, mute = [], [], []
    for what, probe in waiting.items():
        state = context.runner.state(probe)
        line = f"{probe.label}, {what}: {context.word(probe)}"
        lines.append(line)
        if probe is early or state is None or state.phase != "pending":
            wrong.append(line)
        elif not state.reason:
            mute.append(what)
    for probe in waiting.values():
        context.runner.cancel(probe)
    holder.proceed()
    context.ended(holder)
    if wrong:
        return failed("a queued job is not reported as pending", *lines)
    if mute:
        return absent(f"queued jobs are pending without a reason: {', '.join(mute)}", *lines)
    return passed("queued jobs are reported as pending, each with its reason", *lines)


FEATURES = (
    Feature(
        "queues", "Are queues reported, and do their limits hold?",
        _queues, jobs=2, seconds=8.0, starts=2, busy_seconds=1.0,
    ),
    Feature(
        "reasons", "Are reasons of pending jobs reported?",
        _reasons, jobs=5, nodes=1, seconds=15.0, starts=3, busy_seconds=6.0,
    ),
    Feature(
        "accounting", "Are accounts complete, and do they agree with the jobs' own clocks?",
        _accounting, act="last", jobs=0, seconds=12.0, busy_seconds=0.0,
    ),
)  # fmt: skip

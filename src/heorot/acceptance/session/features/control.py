"""Users' control of jobs: cancel, hold, release, dependencies, arrays."""

from __future__ import annotations

from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.feature import Feature, Judged, UntestedError, failed, passed
from heorot.acceptance.session.probe import ProbeJob
from heorot.units import format_duration

_BEAT_SECONDS = 10.0
# Three periods of a beating child.
_BEATS_SECONDS = 1.5
_CANCEL_SECONDS = 45.0
_TASKS = 3


def _cancel(context: FeatureContext) -> Judged:
    """Cancel a running job with a detached child, and a job that waits for its end."""
    running = context.submit(
        "beat beat & disown; until_released", limit_seconds=context.stay_seconds
    )
    context.started(running)
    context.wait(lambda: bool(running.observed("beat")), _BEAT_SECONDS)
    behind = context.controls.option("after any", str(running.number))
    waiting = context.submit("true", options=(behind,)) if behind else None
    control = _listener(context, running, behind) if behind else None
    asked = context.clock.time()
    for probe in filter(None, (waiting, running)):
        if refusal := context.runner.cancel(probe):
            return failed(f"{probe.label} could not be cancelled: {refusal}")
    reported = context.reported_end(running, _CANCEL_SECONDS)
    n_beats = len(running.observed("beat"))
    goes_on = context.wait(lambda: len(running.observed("beat")) > n_beats, _BEATS_SECONDS)
    took = max(0.0, (running.heard or asked) - asked)
    line = (f"{running.label}: {reported.raw if reported else 'still not ended'}, silent "
            f"{format_duration(took)} after it was cancelled")  # fmt: skip
    if reported is None or reported.end not in {"cancelled", "failed"}:
        return failed("a cancelled running job is not reported as cancelled", line)
    if goes_on:
        return failed("a process of a cancelled job still runs", line)
    control = control or _listener(context, running, None)
    early = context.early([waiting] if waiting else [], control, asked)
    context.ended(control)
    if len(running.observed("beat")) > n_beats:
        return failed("a process of a cancelled job still runs", line)
    lines = [line, f"it wrote nothing more while {control.label} ran"]
    return _judge_waiting(context, waiting, early, lines)


def _listener(context: FeatureContext, running: ProbeJob, behind: str | None) -> ProbeJob:
    """A job that beats as often as another's child, on the same node: one that is alive is heard.

    Args:
        behind: directive to wait for the other's end; None if there is none.
    """
    host = running.hosts[:1]
    on = host if context.controls.on_nodes(host) else ()
    return context.submit("beat beat & pause 2", options=(behind,) if behind else (), on=on)


def _judge_waiting(
    context: FeatureContext, waiting: ProbeJob | None, early: ProbeJob | None, lines: list[str]
) -> Judged:
    """The verdict on the cancelled pending job."""
    if waiting is not None:
        reported = context.reported_end(waiting)
        lines.append(
            f"{waiting.label}, which was queued: {reported.raw if reported else 'still queued'}"
        )
        if early is not None or reported is None or reported.end != "cancelled":
            return failed("a waiting job that was cancelled is not gone", *lines)
    return passed("cancelled jobs end with their processes, or never begin", *lines)


def _hold(context: FeatureContext) -> Judged:
    """Hold a job at its submission, and one in the queue."""
    held = context.known(context.controls.option("held"), "submit held jobs")
    first = context.submit("true", options=(held,))
    release = context.known(context.controls.act("release", str(first.number)), "release jobs")
    control = context.submit("true")
    if context.early([first], control):
        return failed(f"{first.label} was submitted held, and started")
    lines = [f"{first.label}, submitted held: {context.word(first)}",
             f"{control.label}, submitted behind it and not held, started meanwhile"]  # fmt: skip
    if refusal := context.act(release, first):
        return failed(f"{first.label} could not be released: {refusal}", *lines)
    released = _began_after(context, first)
    lines.append(f"{first.label} started {format_duration(released)} after its release")
    if context.controls.option("after any", "1") is not None:
        wrong = _hold_waiting(context, lines)
        if wrong:
            return failed(wrong, *lines)
    return passed("held jobs wait until they are released", *lines, release_seconds=released)


def _hold_waiting(context: FeatureContext, lines: list[str]) -> str:
    """Hold a job that waits for another; returns the error, or empty.

    Args:
        lines: receives the observations.
    """
    holder = context.submit("until_released", limit_seconds=context.stay_seconds)
    behind = (str(context.controls.option("after any", str(holder.number))),)
    waiting = context.submit("true", options=behind)
    control = context.submit("true", options=behind)
    hold = context.known(context.controls.act("hold", str(waiting.number)), "hold jobs")
    refusal = context.act(hold, waiting)
    holder.proceed()
    context.ended(holder)
    since = context.clock.time()
    if refusal:
        return f"{waiting.label} could not be held: {refusal}"
    if context.early([waiting], control, since):
        return f"{waiting.label} was held while queued, and started"
    lines += [f"{waiting.label}, held while queued: {context.word(waiting)}",
              f"{control.label}, which waited for the same and was not held, started"]  # fmt: skip
    release = context.known(context.controls.act("release", str(waiting.number)), "release jobs")
    context.act(release, waiting)
    _began_after(context, waiting)
    return ""


def _began_after(context: FeatureContext, probe: ProbeJob) -> float:
    """Time from now to the start of a job [s]."""
    begun = context.clock.monotonic()
    context.started(probe)
    return context.clock.monotonic() - begun


def _dependency(context: FeatureContext) -> Judged:
    """A job that depends on a failed job's success never starts; one after its end does."""
    context.known(context.controls.option("after ok", "1"), "let jobs depend on others")

    def behind(other: ProbeJob, *, ok: bool) -> ProbeJob:
        option = context.controls.option("after ok" if ok else "after any", str(other.number))
        return context.submit("true", options=(str(option),))

    first = context.submit("until_released; exit 3", limit_seconds=context.stay_seconds)
    never = behind(first, ok=True)
    then = behind(first, ok=False)
    last = behind(then, ok=True)
    context.started(first)
    control = context.submit("true")
    if early := context.early([then, never, last], control):
        return failed(f"{early.label} started before {first.label} had ended")
    first.proceed()
    ended = context.ended(first)
    # A started job after the end shows that the failed success was considered, too.
    early = context.early([never], then, context.clock.time())
    began, began_last = context.started(then), context.started(last)
    lines = [
        f"{control.label}, which depends on nothing, started while they waited",
        f"{first.label} ended with code 3",
        f"{then.label}, behind its end, started {format_duration(max(0.0, began - ended))} later",
        f"{last.label}, behind the success of that, started",
        f"{never.label}, behind its success: {context.word(never)}",
    ]
    if began < ended or began_last < (then.end or began):
        return failed("a job started before the one it depends on had ended", *lines)
    if early or never.start is not None:
        return failed("a job that depends on the success of a failed one started", *lines)
    context.runner.cancel(never)
    return passed("jobs wait for the end, or the success, of others", *lines)


def _arrays(context: FeatureContext) -> Judged:
    """Each task starts once, with its own index."""
    option = context.known(context.controls.option("array", _TASKS), "submit arrays")
    probe = context.submit("true", options=(option,))
    control = context.submit("true")
    context.started(probe)
    context.wait(
        lambda: len(probe.ends) >= _TASKS or context.runner.poller.ended(probe.number) is not None,
        context.patience,
    )
    # By now a task that starts twice, or later than the others, has started.
    context.decided(control, lambda: len(probe.starts) > _TASKS)
    indices = sorted(one.words[-1] for one in probe.observed("task") if one.words)
    line = f"{probe.label}: tasks {', '.join(indices)} ran"
    if len(indices) < _TASKS and context.runner.poller.ended(probe.number) is None:
        raise UntestedError(f"{line}, and the others wait ({context.word(probe)})")
    if indices != [str(number) for number in range(1, _TASKS + 1)]:
        return failed(f"an array of {_TASKS} tasks did not run each of them once", line)
    if len(probe.ends) < _TASKS:
        raise UntestedError(f"{line}, and not all of them ended")
    return passed(f"an array of {_TASKS} tasks ran each of them once", line)


FEATURES = (
    Feature(
        "cancel", "Do cancelled jobs end, with all their processes?",
        _cancel, jobs=3, seconds=20.0, starts=3, busy_seconds=12.0,
    ),
    Feature(
        "hold", "Do held jobs wait, and start when they are released?",
        _hold, jobs=5, seconds=15.0, starts=7, busy_seconds=5.0,
    ),
    Feature(
        "dependency", "Do jobs wait for the end or the success of others?",
        _dependency, jobs=5, nodes=1, seconds=15.0, starts=6, busy_seconds=5.0,
    ),
    Feature(
        "arrays", "Does an array run each of its tasks once?",
        _arrays, jobs=2, nodes=1, seconds=10.0, starts=3, busy_seconds=2.0,
    ),
)  # fmt: skip

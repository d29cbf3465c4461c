"""Time limits and memory limits."""

from __future__ import annotations

from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.feature import Feature, Judged, UntestedError, absent, failed, passed
from heorot.units import format_duration

_LIMIT_SECONDS = 60.0
# Latest enforcement of a limit: batch systems check it every half minute, grant half a minute to
# end, and may round it up to a minute [s].
_LATE_SECONDS = 75.0
_EARLY_SECONDS = 2.0
_MEBIBYTES = 64
_USED_MEBIBYTES = 256
_KEEP_SECONDS = 40


def _time(context: FeatureContext) -> Judged:
    """A job without an end."""
    probe = context.submit("trap '' TERM; beat beat", limit_seconds=_LIMIT_SECONDS)
    began = context.started(probe)
    context.reported_end(probe, _LIMIT_SECONDS + _LATE_SECONDS)
    reported = context.runner.state(probe)
    n_beats = len(probe.observed("beat"))
    goes_on = context.wait(lambda: len(probe.observed("beat")) > n_beats, 1.5)
    beats = probe.observed("beat")
    ran = (beats[-1].time if beats else began) - began
    late = ran - _LIMIT_SECONDS
    line = f"{probe.label}, limit {format_duration(_LIMIT_SECONDS)}: {context.word(probe)}"
    if goes_on:
        context.runner.cancel(probe)
        lines = context.policy.lines
        over = f"; OverTimeLimit is {lines['OverTimeLimit']}" if "OverTimeLimit" in lines else ""
        return failed(
            f"a job still ran {format_duration(late)} after its limit",
            line + over,
            late_seconds=late,
        )
    if late < -_EARLY_SECONDS:
        return failed(f"a job was ended {format_duration(-late)} before its limit", line)
    evidence = f"it ran for {format_duration(ran)} by its own clock"
    if reported is None or reported.end != "timeout":
        return failed("a job ended at its limit is reported otherwise", line, evidence)
    return passed(
        f"a job is ended {format_duration(max(0.0, late))} after its limit", line, evidence,
        late_seconds=late,
    )  # fmt: skip


def _memory(context: FeatureContext) -> Judged:
    """A job that allocates four times the requested memory, for a while."""
    option = context.known(context.controls.option("memory", _MEBIBYTES), "limit memory")
    body = (
        f"x=$(head -c {_USED_MEBIBYTES << 20} /dev/zero | tr '\\0' x); record has ${{#x}}; "
        f"for ((i = 0; i < {2 * _KEEP_SECONDS}; i++)); do record beat; sleep 0.5; done; record kept"
    )
    probe = context.submit(body, limit_seconds=120.0, options=(option,))
    context.started(probe)
    context.wait(
        lambda: (
            bool(probe.observed("kept")) or context.runner.poller.ended(probe.number) is not None
        ),
        _KEEP_SECONDS + 30.0,
    )
    reported = context.reported_end(probe)  # on a slow node it takes its memory only now
    asked = f"{probe.label} requested {_MEBIBYTES} MiB"
    has = probe.first("has")
    got = int(has.words[0]) if has and has.words and has.words[0].isdigit() else 0
    if probe.observed("kept") and got < _USED_MEBIBYTES << 20:
        line = f"{asked}, tried to allocate {_USED_MEBIBYTES} MiB and got {got >> 20} MiB"
        return passed("a job never gets more memory than it may have", line)
    if probe.observed("kept"):
        lines = context.policy.lines
        evidence = f"{asked} and had {_USED_MEBIBYTES} MiB for {_KEEP_SECONDS} s"
        more = [f"{key} is {lines[key]}" for key in ("JobAcctGatherType",) if key in lines]
        return failed("a job has more memory than it may", evidence, *more)
    if reported is None:
        raise UntestedError(f"{probe.label} has neither kept its memory nor ended")
    line = f"{asked}, took {_USED_MEBIBYTES} MiB: {reported.raw}, code {reported.code}"
    if reported.end == "node_fail":
        raise UntestedError(f"{probe.label} lost its node ({reported.raw})")
    if reported.end == "ok":
        return absent("the job with too much memory ended well before it had it", line)
    kept = [event.time for event in (*probe.observed("has"), *probe.observed("beat"))]
    lasted = max(kept) - min(kept) if kept else 0.0
    return passed(
        f"a job with more memory than it may have is ended after {format_duration(lasted)}"
        if kept else "a job never gets more memory than it may have, and is ended",
        line, lasted_seconds=lasted,
    )  # fmt: skip


FEATURES = (
    Feature(
        "time-limit", "Is a job ended at its time limit?",
        _time, nodes=0.5, seconds=140.0, busy_seconds=75.0,
    ),
    Feature(
        "memory-limit", "Is a job ended that takes more memory than it may?",
        _memory, nodes=0.5, seconds=75.0, busy_seconds=25.0,
    ),
)  # fmt: skip

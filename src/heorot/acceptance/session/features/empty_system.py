"""Speed of an empty system: latency of one job, rates of many."""

from __future__ import annotations

from statistics import median

from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.feature import Feature, Judged, UntestedError, passed
from heorot.units import format_duration

_TIMES = 3
_MANY = 20


def _latency(context: FeatureContext) -> Judged:
    """One job after another, each on an empty system."""
    before, behind, lines = [], [], []
    for _ in range(_TIMES):
        probe = context.submit("true")
        end = context.ended(probe)
        start = probe.start or end
        if start < probe.submitted:
            raise UntestedError("the clock of the node contradicts ours")
        context.reported_end(probe)
        reported = context.runner.poller.ended(probe.number)
        before.append(start - probe.submitted)
        context.runner.lateness = max(before)
        line = f"{probe.label}: started {format_duration(before[-1])} after it was submitted"
        if reported is not None:
            behind.append(max(0.0, reported - end))
            line += f"; the queue reported its end {format_duration(behind[-1])} later"
        lines.append(line)
    figures = {"start_seconds": median(before)}
    text = f"a job starts {format_duration(median(before))} after it was submitted"
    if behind:
        figures["end_seconds"] = median(behind)
        text += f"; its end is known {format_duration(median(behind))} later"
    return passed(text, *lines, **figures)


def _rates(context: FeatureContext) -> Judged:
    """Many jobs at once."""
    probes = [context.submit("true") for _ in range(_MANY)]
    for probe in probes:
        context.ended(probe)
    submitting = [probe.submit_seconds for probe in probes]
    starts = sorted(probe.start or 0.0 for probe in probes)
    ends = [probe.end or 0.0 for probe in probes]
    span = probes[-1].submitted + submitting[-1] - probes[0].submitted
    whole = max(ends) - probes[0].submitted
    if starts[-1] <= starts[0] or span <= 0.0 or whole <= 0.0:
        raise UntestedError("the clocks of the nodes contradict each other")
    rate = (len(starts) - 1) / (starts[-1] - starts[0])
    return passed(
        f"one client submits {len(probes) / span:.1f} jobs/s, and {rate:.1f} jobs/s start",
        f"{len(probes)} jobs of one processor on {context.target.nodes} nodes; "
        f"the submitting command takes {format_duration(median(submitting))}",
        f"from the first submission to the last end: {format_duration(whole)}",
        submissions_per_second=len(probes) / span,
        starts_per_second=rate,
        submit_seconds=median(submitting),
    )


FEATURES = (
    Feature(
        "latency", "How long does an empty system take to start a job, and to report its end?",
        _latency, act="quiet", jobs=_TIMES, seconds=10.0, starts=_TIMES, busy_seconds=1.0,
    ),
    Feature(
        "rates", "How many jobs does it take and start in a second?",
        _rates, act="quiet", jobs=_MANY, nodes=0, seconds=15.0, busy_seconds=4.0,
    ),
)  # fmt: skip

"""Findings of a throughput test: jobs that did not complete, idle nodes, contention, clocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from heorot.analyse.templates.quantities import exactly
from heorot.analyse.templates.words import fill
from heorot.model.analysis.result import Finding
from heorot.throughput.analyse import templates
from heorot.throughput.model.explanation import JobLifecycle, Missing, ThroughputExplanation
from heorot.throughput.model.measures import ThroughputMeasures
from heorot.throughput.model.throughput import ThroughputJob, ThroughputTest
from heorot.throughput.model.timeline import Timeline
from heorot.units import format_duration

_MOST_ROWS = 40
# Batch systems check limits about once a minute.
_GRACE_SECONDS = 60.0
_GRACE_SHARE = 0.1
_CLOCKS_APART = 5.0
_LATE_SECONDS = 1.0
_UNKNOWN = "unknown"
_MUCH = 0.05
_LITTLE = 0.01
_LEAST_OTHERS = 5e-4
_REMEDIES = {
    "failed": "read the output of these jobs",
    "timeout": "raise their time limits, or find what delayed them",
    "node_fail": "check the nodes allocated to them",
    "rejected": "request only what the batch system has",
    "cancelled": "find out who cancelled them",
    "vanished": "neither batch system nor script reports their end: read its log, check nodes and "
    "file systems",
    "unfinished": "resume the run until they have ended",
}


def find_findings(
    test: ThroughputTest,
    explanation: ThroughputExplanation,
    measures: ThroughputMeasures,
    timeline: Timeline,
    jobs: Sequence[ThroughputJob],
    lifecycles: Sequence[JobLifecycle],
) -> tuple[Finding, ...]:
    """All findings, errors first, those on other users last.

    Args:
        lifecycles: of the jobs, in the same order.
    """
    found = [
        *_missing_jobs(explanation.account.missing),
        *_missing_parts(explanation.account.missing),
        *_not_exclusive(jobs, lifecycles),
        *_beyond_limits(timeline),
        *_interference(explanation),
        *_crowded(measures, timeline),
        *_idle(measures, timeline),
        *_late(jobs, measures),
        *_clocks(jobs),
        *_interventions(explanation),
        *_failed_commands(explanation),
    ]
    ranks = {"error": 0, "warning": 1, "note": 2}
    return (*sorted(found, key=lambda each: ranks[each.severity]), *_others(test))


def _missing_jobs(missing: Sequence[Missing]) -> Iterable[Finding]:
    whole = [each for each in missing if not each.part]
    for state in dict.fromkeys(each.state for each in whole):
        ours = [each for each in whole if each.state == state]
        template = templates.MISSING_JOB if len(ours) == 1 else templates.MISSING_JOBS
        yield template(
            severity="warning" if state == "unfinished" else "error",
            affected=[each.label for each in ours],
            remedy=_REMEDIES.get(state, ""),
            rows=[(one.label, str(one.serial), one.why or _UNKNOWN) for one in ours[:_MOST_ROWS]],
            n=len(ours),
            fate=templates.clause_of(ours[0]) if len(ours) == 1 else templates.STATE_CLAUSES[state],
        )


def _missing_parts(missing: Sequence[Missing]) -> Iterable[Finding]:
    parts = [each for each in missing if each.part]
    if parts:
        yield templates.MISSING_PARTS(
            affected=[each.label for each in parts],
            rows=[
                (
                    each.label,
                    each.part,
                    templates.STATE_CLAUSES.get(each.state, each.state),
                    each.why or _UNKNOWN,
                )
                for each in parts[:_MOST_ROWS]
            ],
            n=len(parts),
        )


def _not_exclusive(
    jobs: Sequence[ThroughputJob], lifecycles: Sequence[JobLifecycle]
) -> Iterable[Finding]:
    broken = [
        (job.label, each.kind, each.share)
        for job, lifecycle in zip(jobs, lifecycles, strict=True)
        if job.exclusive
        for each in lifecycle.sharing
        if each.share > _LITTLE
    ]
    if broken:
        yield templates.COMPANY(
            affected=[label for label, *_ in broken],
            rows=[(label, kind, _percent(share)) for label, kind, share in broken[:_MOST_ROWS]],
            n=len({label for label, *_ in broken}),
        )


def _percent(share: float) -> str:
    return fill("{share:percent}", {"share": exactly(share)})


def _beyond_limits(timeline: Timeline) -> Iterable[Finding]:
    run = timeline.end - timeline.start
    allowed = timeline.limit + np.maximum(_GRACE_SECONDS, _GRACE_SHARE * timeline.limit)
    over = np.flatnonzero(run > allowed)
    if over.size:
        rows = [
            (timeline.labels[i], format_duration(timeline.limit[i]), format_duration(run[i]))
            for i in over.tolist()
        ]
        yield templates.BEYOND_LIMITS(
            affected=[row[0] for row in rows], rows=rows[:_MOST_ROWS], n=int(over.size)
        )


def _interference(explanation: ThroughputExplanation) -> Iterable[Finding]:
    for each in sorted(explanation.interference, key=lambda one: -one.ratio):
        if each.significant:
            yield templates.INTERFERENCE(
                severity="warning" if abs(each.ratio - 1.0) > _MUCH else "note",
                affected=[each.name],
                one=each,
                ratio=templates.ratio_of(each),
                slower=each.ratio > 1.0,
            )


def _crowded(measures: ThroughputMeasures, timeline: Timeline) -> Iterable[Finding]:
    most = float(measures.cores.values.max()) if measures.cores.values.size else 0.0
    capacity = timeline.n_nodes * timeline.cores_per_node
    lasted = np.diff(measures.cores.times)[measures.cores.values[:-1] > capacity].sum()
    # Clocks of nodes and whole seconds of batch systems overlap by a little anyway.
    if lasted > min(_CLOCKS_APART, _LITTLE * measures.use.makespan):
        yield templates.CROWDED(most=exactly(most), cores=capacity)


def _idle(measures: ThroughputMeasures, timeline: Timeline) -> Iterable[Finding]:
    use, dead = measures.use, measures.dead
    if use.loss_fitting is not None and use.loss_fitting > _MUCH:
        share = exactly(use.loss_fitting)
        yield templates.IDLE(share=share, unknown=use.others is None)
    whole = timeline.n_nodes * use.makespan
    lost = float(measures.dead_by_node.sum())
    if dead is not None and whole > 0.0 and lost > _LITTLE * whole:
        yield templates.BETWEEN_JOBS(median=exactly(dead.median, "s"), share=exactly(lost / whole))
    others = np.empty(0) if timeline.taken is None else timeline.taken.node
    free = np.setdiff1d(np.arange(timeline.n_nodes), others)
    unused = np.setdiff1d(free, timeline.places).tolist()
    if unused and _all_placed(timeline):
        yield templates.UNUSED(
            affected=[name for i, name in enumerate(_node_names(timeline)) if i in unused],
            n=len(unused),
        )


def _all_placed(timeline: Timeline) -> bool:
    """Whether there are jobs that started, and the nodes of all of them are known."""
    started = ~np.isnan(timeline.start)
    if not timeline.offsets.size or not started.any():
        return False
    return bool(np.all(np.diff(timeline.offsets)[started] > 0))


def _node_names(timeline: Timeline) -> list[str]:
    """Of every node; numbers if they have no names."""
    numbers = [str(i) for i in range(timeline.n_nodes)]
    return [*timeline.node_names, *numbers[len(timeline.node_names) :]]


def _late(jobs: Sequence[ThroughputJob], measures: ThroughputMeasures) -> Iterable[Finding]:
    """Late submissions change the load."""
    behind = np.array(
        [job.submitted - job.scheduled for job in jobs if job.submitted and not job.depends]
    )
    late = behind > max(_LATE_SECONDS, _LITTLE * measures.use.makespan)
    if late.any():
        took = [job.submit_seconds for job in jobs if job.submit_seconds is not None]
        yield templates.LATE(
            n=int(late.sum()),
            median=exactly(float(np.median(behind[late])), "s"),
            most=exactly(float(behind.max()), "s"),
            took=exactly(float(np.median(took)), "s") if took else None,
        )


def _clocks(jobs: Sequence[ThroughputJob]) -> Iterable[Finding]:
    apart = [
        (job.label, job.own_start - job.allocated)
        for job in jobs
        if job.own_start is not None and job.allocated is not None
        if job.own_start - job.allocated < -_CLOCKS_APART
    ]
    if apart:
        label, seconds = min(apart, key=lambda each: each[1])
        yield templates.CLOCKS(
            affected=[label for label, _ in apart],
            n=len(apart),
            job=label,
            most=exactly(-seconds, "s"),
        )


def _failed_commands(explanation: ThroughputExplanation) -> Iterable[Finding]:
    failed = [each for each in explanation.responses if each.n_failed]
    if failed:
        n, of = sum(each.n_failed for each in failed), sum(each.n for each in explanation.responses)
        yield templates.TYPED_IN_VAIN(
            affected=[each.name for each in failed],
            rows=(
                (each.name, "loaded" if each.loaded else "empty", str(each.n), str(each.n_failed))
                for each in failed
            ),
            n=of,
            failed=n,
            code=0,
        )


def _interventions(explanation: ThroughputExplanation) -> Iterable[Finding]:
    done = explanation.account.interventions
    if done:
        yield templates.BY_HAND(
            affected=[label for label, _ in done], rows=done[:_MOST_ROWS], n=len(done)
        )


def _others(test: ThroughputTest) -> Iterable[Finding]:
    """Other users on nodes of dedicated runs, and other tests of Heorot."""
    seen = test.occupancy
    if seen is None:
        return
    if seen.tests:
        jobs = [*seen.tests]
        yield templates.OTHER_TEST(affected=jobs, n=len(jobs), jobs=jobs)
    begun, nodes = test.facts.begun, set(test.facts.node_names)
    before = [(a, min(b, begun)) for a, b in seen.watched if begun is not None and a < begun]
    watched = sum(b - a for a, b in before) * max(1, len(nodes))
    if not watched or begun is None or not test.alone:
        return
    held = [
        (max(0.0, min(hold.end, begun) - hold.begin) * hold.share, hold.node)
        for hold in seen.holds
        if hold.by == "others" and hold.is_seen
    ]
    share = float(np.sum([seconds for seconds, _ in held])) / watched
    if share > _LEAST_OTHERS:
        yield templates.NOT_ALONE(
            affected=[node for seconds, node in held if seconds > 0.0], share=exactly(share)
        )

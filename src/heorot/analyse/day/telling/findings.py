"""What somebody should look at after a day: what is missing, in the way, or idle in vain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from heorot.analyse.day.telling.others import NOT_WATCHED
from heorot.analyse.day.telling.words import FATES, fate_of, percent, ratio_of
from heorot.model.analysis.result import Finding
from heorot.model.day.day import DayJob
from heorot.model.day.measures import DayMeasures
from heorot.model.day.story import DayStory, JobStory, Missing
from heorot.model.day.timeline import Timeline
from heorot.units import format_duration, plural

_MOST_ROWS = 40
# Batch systems look at limits once a minute or so.
_GRACE_SECONDS = 60.0
_GRACE_SHARE = 0.1
_CLOCKS_APART = 5.0
_LATE_SECONDS = 1.0
_UNKNOWN = "nobody says"
_MUCH = 0.05
_LITTLE = 0.01
_REMEDIES = {
    "failed": "look at the output of these jobs",
    "timeout": "raise their limits, or find out what held them up",
    "node_fail": "look at the nodes they had",
    "rejected": "ask of the batch system only what it has",
    "cancelled": "ask who cancelled them",
    "vanished": "the batch system does not know them any more and their scripts are silent: look "
    "into its log, and at the nodes and file systems",
    "unfinished": "resume the run until they have ended",
}


def find_findings(
    story: DayStory,
    measures: DayMeasures,
    timeline: Timeline,
    jobs: Sequence[DayJob],
    stories: Sequence[JobStory],
) -> tuple[Finding, ...]:
    """All findings, errors first.

    Args:
        story: what is known besides the timeline, still without findings.
        measures: of the timeline.
        timeline: what became of the jobs.
        jobs: in its order.
        stories: of them, in the same order.
    """
    found = [
        *_missing_jobs(story.account.missing),
        *_missing_parts(story.account.missing),
        *_not_exclusive(jobs, stories),
        *_beyond_limits(timeline),
        *_interference(story),
        *_crowded(measures, timeline),
        *_idle(measures, timeline),
        *_late(jobs, measures),
        *_clocks(jobs),
        *_by_hand(story),
        *_typed_in_vain(story),
    ]
    ranks = {"error": 0, "warning": 1, "note": 2}
    return tuple(sorted(found, key=lambda each: ranks[each.severity]))


def _missing_jobs(missing: Sequence[Missing]) -> Iterable[Finding]:
    whole = [each for each in missing if not each.part]
    for fate in dict.fromkeys(each.fate for each in whole):
        ours = [each for each in whole if each.fate == fate]
        first = fate_of(ours[0])
        yield Finding(
            observation=first
            if len(ours) == 1
            else f"{plural(len(ours), 'job')} did not come back well: each {FATES[fate]}",
            severity="warning" if fate == "unfinished" else "error",
            affected=tuple(each.label for each in ours),
            remedy=_REMEDIES.get(fate, ""),
            columns=("job", "serial", "why"),
            rows=tuple(
                (each.label, str(each.serial), each.why or _UNKNOWN) for each in ours[:_MOST_ROWS]
            ),
        )


def _missing_parts(missing: Sequence[Missing]) -> Iterable[Finding]:
    parts = [each for each in missing if each.part]
    if parts:
        yield Finding(
            observation=f"{plural(len(parts), 'program')} inside composite jobs did not end well",
            severity="error",
            affected=tuple(dict.fromkeys(each.label for each in parts)),
            remedy="the totals lack their work; look at the output of these jobs",
            columns=("job", "program", "what became of it", "why"),
            rows=tuple(
                (each.label, each.part, FATES.get(each.fate, each.fate), each.why or _UNKNOWN)
                for each in parts[:_MOST_ROWS]
            ),
        )


def _not_exclusive(jobs: Sequence[DayJob], stories: Sequence[JobStory]) -> Iterable[Finding]:
    broken = [
        (job.label, each.kind, each.share)
        for job, story in zip(jobs, stories, strict=True)
        if job.exclusive
        for each in story.company
        if each.share > _LITTLE
    ]
    if broken:
        yield Finding(
            observation=f"{plural(len({each[0] for each in broken}), 'job')} that asked for nodes "
            "of their own had company there",
            severity="error",
            affected=tuple(dict.fromkeys(label for label, *_ in broken)),
            remedy="look at how the batch system is told to give nodes to one job only",
            columns=("job", "company", "share of its time"),
            rows=tuple((label, kind, percent(share)) for label, kind, share in broken[:_MOST_ROWS]),
        )


def _beyond_limits(timeline: Timeline) -> Iterable[Finding]:
    run = timeline.end - timeline.start
    allowed = timeline.limit + np.maximum(_GRACE_SECONDS, _GRACE_SHARE * timeline.limit)
    over = np.flatnonzero(run > allowed)
    if over.size:
        rows = [
            (timeline.labels[i], format_duration(timeline.limit[i]), format_duration(run[i]))
            for i in over.tolist()
        ]
        yield Finding(
            observation=f"{plural(over.size, 'job')} ran longer than allowed",
            severity="warning",
            affected=tuple(row[0] for row in rows),
            remedy="limits that are not enforced make backfill plan with wrong ends",
            columns=("job", "limit", "ran"),
            rows=tuple(rows[:_MOST_ROWS]),
        )


def _interference(story: DayStory) -> Iterable[Finding]:
    for each in story.interference:
        if each.significant:
            most = f"{percent(each.maximum_deviation)} ({each.worst})"
            yield Finding(
                observation=f"under load {each.name} takes {ratio_of(each)} as long as alone; the "
                f"largest deviation of one run is {most}",
                severity="warning" if abs(each.ratio - 1.0) > _MUCH else "note",
                affected=(each.name,),
                remedy="let it have its nodes to itself, or look at what shares them with it"
                if each.ratio > 1.0
                else "",
            )


def _crowded(measures: DayMeasures, timeline: Timeline) -> Iterable[Finding]:
    most = float(measures.cores.values.max()) if measures.cores.values.size else 0.0
    capacity = timeline.n_nodes * timeline.cores_per_node
    lasted = np.diff(measures.cores.times)[measures.cores.values[:-1] > capacity].sum()
    # Clocks of nodes and whole seconds of batch systems overlap by a little anyway.
    if lasted > min(_CLOCKS_APART, _LITTLE * measures.use.makespan):
        yield Finding(
            observation=f"jobs had {most:.0f} cores at once, and there are {capacity}",
            severity="warning",
            remedy="the batch system gives cores to several jobs, or a job uses more than it asked",
        )


def _idle(measures: DayMeasures, timeline: Timeline) -> Iterable[Finding]:
    use, dead = measures.use, measures.dead
    if use.loss_fitting is not None and use.loss_fitting > _MUCH:
        unknown = f"; {NOT_WATCHED}" if use.others is None else ""
        yield Finding(
            observation=f"in {percent(use.loss_fitting)} of the node time nodes were idle though a "
            f"job waited that needed no more of them{unknown}",
            severity="warning",
            remedy="is backfill on, how often does the scheduler look, do limits keep jobs off?",
        )
    whole = timeline.n_nodes * use.makespan
    lost = float(measures.dead_by_node.sum())
    if dead is not None and whole > 0.0 and lost > _LITTLE * whole:
        yield Finding(
            observation=f"between two jobs of which the second already waited nodes were idle for "
            f"{format_duration(dead.median)} in the median, {percent(lost / whole)} of the node "
            "time in all",
            severity="note",
            remedy="look at prologue, epilogue and the interval of the scheduler",
        )
    others = np.empty(0) if timeline.taken is None else timeline.taken.node
    free = np.setdiff1d(np.arange(timeline.n_nodes), others)
    unused = np.setdiff1d(free, timeline.places).tolist()
    if unused and _all_placed(timeline):
        yield Finding(
            observation=f"{plural(len(unused), 'node')} never had a job",
            severity="warning",
            affected=tuple(name for i, name in enumerate(_node_names(timeline)) if i in unused),
            remedy="are they drained, down, or in no queue that was used?",
        )


def _all_placed(timeline: Timeline) -> bool:
    """Whether there are jobs that started, and the nodes of all of them are known."""
    started = ~np.isnan(timeline.start)
    if not timeline.offsets.size or not started.any():
        return False
    return bool(np.all(np.diff(timeline.offsets)[started] > 0))


def _node_names(timeline: Timeline) -> list[str]:
    """Of every node; numbers where they have no names."""
    numbers = [str(i) for i in range(timeline.n_nodes)]
    return [*timeline.node_names, *numbers[len(timeline.node_names) :]]


def _late(jobs: Sequence[DayJob], measures: DayMeasures) -> Iterable[Finding]:
    """A load that came later than it should is another load."""
    behind = np.array(
        [job.submitted - job.scheduled for job in jobs if job.submitted and not job.depends]
    )
    late = behind > max(_LATE_SECONDS, _LITTLE * measures.use.makespan)
    if late.any():
        took = [job.submit_seconds for job in jobs if job.submit_seconds is not None]
        each = f", each submission took {format_duration(float(np.median(took)))}" if took else ""
        yield Finding(
            observation=f"{plural(int(late.sum()), 'job')} came later than the schedule says, by "
            f"{format_duration(float(np.median(behind[late])))} in the median, "
            f"{format_duration(float(behind.max()))} at most{each}: not the load asked for",
            severity="warning",
            remedy="where the batch system takes jobs too slowly, stretch the schedule "
            "(--time-scale); after an interruption nothing need be done",
        )


def _clocks(jobs: Sequence[DayJob]) -> Iterable[Finding]:
    apart = [
        (job.label, job.own_start - job.allocated)
        for job in jobs
        if job.own_start is not None and job.allocated is not None
        if job.own_start - job.allocated < -_CLOCKS_APART
    ]
    if apart:
        label, seconds = min(apart, key=lambda each: each[1])
        yield Finding(
            observation=f"{plural(len(apart), 'script')} began before the batch system gave its "
            f"nodes, {label} by {format_duration(-seconds)}: clocks differ",
            severity="warning",
            affected=tuple(label for label, _ in apart),
            remedy="let all nodes take their time from one source",
        )


def _typed_in_vain(story: DayStory) -> Iterable[Finding]:
    failed = [each for each in story.responses if each.n_failed]
    if failed:
        n, of = sum(each.n_failed for each in failed), sum(each.n for each in story.responses)
        yield Finding(
            observation=f"of {plural(of, 'interactive command')} {n} did not end with exit code 0; "
            "their times do not count",
            severity="warning",
            affected=tuple(dict.fromkeys(each.name for each in failed)),
            remedy="try them by hand on the empty system",
            columns=("command", "system", "typed", "failed"),
            rows=tuple(
                (each.name, "loaded" if each.loaded else "empty", str(each.n), str(each.n_failed))
                for each in failed
            ),
        )


def _by_hand(story: DayStory) -> Iterable[Finding]:
    done = story.account.interventions
    if done:
        yield Finding(
            observation=f"somebody intervened by hand {plural(len(done), 'time')}",
            severity="note",
            affected=tuple(dict.fromkeys(label for label, _ in done)),
            remedy="with many users an order made by hand is no order: let priorities do it",
            columns=("job", "what"),
            rows=done[:_MOST_ROWS],
        )

"""The order of jobs: backfill, priorities, fair share."""

from __future__ import annotations

import math

from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.feature import Feature, Judged, UntestedError, absent, failed, passed
from heorot.acceptance.session.probe import ProbeJob
from heorot.launch.occupants import occupants
from heorot.units import format_duration

# Slurm's backfill interval is 30 s by default, a minute in other systems [s].
_OVERTAKE_SECONDS = 75.0
_BLOCK_SECONDS = 240.0
_SHORT_SECONDS = 60.0
# Latest start after the end of the blocking job: nodes are cleaned and the queue is scanned in this
# time [s], or in a multiple of the start-up time on an empty system.
_TURN_SECONDS = 60.0
_TIMES_LATENESS = 3.0
# A wait is long if it is this multiple of the start-up time of the other jobs.
_TIMES_SLOWEST = 2.0
_CLEANING_SECONDS = 10.0
# Interval of queries for other users' jobs [s]; tries in case of interference.
_LOOK_SECONDS = 2.0
_TRIES = 3
_MOST_NAMED = 3


def _places(context: FeatureContext) -> tuple[str, ...]:
    """Names of the tested nodes if the queue has others, too; else empty.

    Raises:
        UntestedError: they are not available.
    """
    is_whole = context.runner.is_whole
    names = () if is_whole else context.runner.pick(context.target.nodes)
    if not names and not is_whole:
        raise UntestedError("the queue has more nodes, and jobs cannot be confined to some of them")

    def busy() -> list[str]:
        now = context.target.node_states()
        idle = {node.name for node in now if node.state == "idle"}
        running = [node.name for node in now if node.state in {"mixed", "allocated"}]
        return running if is_whole else [name for name in names if name not in idle]

    # Nodes are cleaned after our own jobs before they are idle.
    if not context.wait(lambda: not busy(), max(_CLEANING_SECONDS, context.runner.lateness)) and (
        left := busy()
    ):
        raise UntestedError(f"other users have {', '.join(left)}")
    return names


class _Strangers:
    """Detects other users' jobs during the test of a feature."""

    def __init__(self, context: FeatureContext) -> None:
        self._context, self._asked = context, -math.inf
        self.ids: dict[str, None] = {}

    def __str__(self) -> str:
        return ", ".join(list(self.ids)[:_MOST_NAMED])

    def look(self) -> None:
        """Query the queue, unless it was queried a moment ago."""
        now = self._context.clock.monotonic()
        if now - self._asked < _LOOK_SECONDS:
            return
        self._asked = now
        probes = self._context.runner.probes
        own = {each.name for each in probes} | {str(each.number) for each in probes}
        found = self._context.ask(occupants(self._context.client.dialect, waiting=True))
        self.ids |= {job.id: None for job in found or () if not {job.id, job.name} & own}


def _backfill(context: FeatureContext) -> Judged:
    """A short job overtakes a wide pending one; repeated if other users' jobs interfered."""
    for _ in range(_TRIES):
        strangers = _Strangers(context)
        try:
            judged = _try_backfill(context, strangers)
        except UntestedError as error:  # some job did not even start
            if not strangers.ids:
                raise
            raise UntestedError(f"{error}; other users' jobs interfered ({strangers})") from None
        if judged.status == "passed" or not strangers.ids:
            return judged
    raise UntestedError(
        f"{judged.text}, and each of {_TRIES} times other users' jobs interfered ({strangers})"
    )


def _try_backfill(context: FeatureContext, strangers: _Strangers) -> Judged:
    """A short job overtakes a wide pending one, without delaying it."""

    def is_over() -> bool:
        strangers.look()
        return short.end is not None

    n = context.target.nodes
    names = _places(context)
    overtake = max(_OVERTAKE_SECONDS, _TIMES_LATENESS * context.runner.lateness)
    blocker = context.submit(
        "until_released",
        nodes=n - 1,
        limit_seconds=max(_BLOCK_SECONDS, 2.0 * overtake),
        exclusive=True,
        on=names[: n - 1],
    )
    context.started(blocker)
    wide = context.submit("true", nodes=n, exclusive=True, on=names)
    context.wait(lambda: context.runner.state(wide) is not None, 10.0)
    short = context.submit("true", limit_seconds=_SHORT_SECONDS, on=names[n - 1 :])
    context.wait(is_over, overtake)
    planned = context.holding(wide).planned
    overtook = short.start is not None and wide.start is None
    word = context.word(short)
    blocker.proceed()
    freed = context.ended(blocker)
    began = context.started(wide)
    context.ended(short)
    strangers.look()
    seen = freed, began, planned, overtook
    try:
        return _judge_backfill(context, (blocker, wide, short), seen, word)
    except UntestedError as error:  # the other jobs may be the cause
        return Judged("untested", str(error))


def _judge_backfill(
    context: FeatureContext,
    jobs: tuple[ProbeJob, ProbeJob, ProbeJob],
    seen: tuple[float, float, float | None, bool],
    word: str,
) -> Judged:
    blocker, wide, short = jobs
    freed, began, planned, overtook = seen
    waited = format_duration(max(0.0, began - freed))
    has = f"{blocker.label} has {blocker.nodes} of {wide.nodes} nodes"
    lines = [f"{has}; {wide.label} needs all and started {waited} after its end"]
    if planned is not None:
        sooner = planned - began
        lines.append(
            f"its reservation was {format_duration(abs(sooner))} "
            f"{'later' if sooner >= 0 else 'EARLIER'} than its start"
        )
    says = context.policy.lines.get("SchedulerType", "")
    lines += [f"SchedulerType is {says}"] if says else []
    if not overtook:
        slowest = max(
            context.runner.lateness, (blocker.start or 0.0) - blocker.submitted, began - freed
        )
        lines.insert(1, _in_vain(short, freed, slowest, word))
        text = "a short job does not overtake a wide pending one"
        claims = context.policy.backfills
        return failed(text, *lines) if claims else absent(text, *lines)
    after = max(0.0, (short.start or 0.0) - short.submitted)
    lines.insert(1, f"{short.label}, short, started on the free node {format_duration(after)} "
                 "after it was submitted, before the wide one")  # fmt: skip
    turn = max(_TURN_SECONDS, _TIMES_LATENESS * context.runner.lateness)
    if began - freed > turn or (planned is not None and began > planned + turn):
        return failed("a wide job that a short one overtook started late", *lines)
    return passed(
        "a short job overtakes a wide pending one, without delaying it",
        *lines,
        overtake_seconds=after,
        wide_wait_seconds=max(0.0, began - freed),
    )


def _in_vain(short: ProbeJob, freed: float, slowest: float, word: str) -> str:
    """Describes how long a short job waited without being backfilled.

    Args:
        freed: end of the blocking job [s].
        slowest: longest start-up time of the other jobs [s].
        word: the batch system's latest report on it.

    Raises:
        UntestedError: the wait was not long compared with the start-up times.
    """
    waited = max(0.0, freed - short.submitted)
    line = f"{short.label}, short and for the free node, waited behind it for"
    line = f"{line} {format_duration(waited)} ({word})"
    if waited < _TIMES_SLOWEST * slowest:
        slow = format_duration(slowest)
        raise UntestedError(f"{line}, which is not long where others take {slow} to start")
    return line


def _priority(context: FeatureContext) -> Judged:
    """Three jobs that each need all nodes: the first has a lower priority than the others."""
    n = context.target.nodes
    names = _places(context)
    nice = context.controls.option("less urgent")
    blocker = context.submit(
        "until_released", nodes=n, exclusive=True, limit_seconds=context.stay_seconds, on=names
    )
    context.started(blocker)
    jobs = [
        context.submit("true", nodes=n, exclusive=True, on=names, options=more)
        for more in (((nice,) if nice else ()), (), ())
    ]
    context.wait(lambda: all(context.runner.state(job) is not None for job in jobs), 10.0)
    blocker.proceed()
    begun = [context.started(job) for job in jobs]
    order = sorted(range(3), key=lambda i: begun[i])
    expected = [1, 2, 0] if nice else [0, 1, 2]
    what = "lower priority" if nice else "first"
    lines = [
        f"submitted: {jobs[0].label} ({what}), {jobs[1].label}, {jobs[2].label}",
        "started: " + ", ".join(jobs[i].label for i in order),
    ]
    if nice is not None and order == [0, 1, 2]:
        return absent("jobs start in the order of submission, whatever their priority", *lines)
    if order != expected:
        return failed("jobs of one shape start in another order than that of priority", *lines)
    if nice is None:
        return passed("jobs of one shape start in the order of submission", *lines)
    return passed("jobs start by priority, equal ones in the order of submission", *lines)


def _fair_share(context: FeatureContext) -> Judged:
    """The configuration of fair share; observing it takes several users and much time."""
    policy = context.policy
    lines = [
        f"{key} is {policy.lines[key]}"
        for key in ("PriorityType", "PriorityWeightFairshare")
        if key in policy.lines
    ]
    if policy.fair_share is None:
        raise UntestedError(
            f"the query for fair share is not known for {context.client.dialect.system}"
        )
    if policy.fair_share:
        text = "past use counts in priorities, as configured; it was not observed"
        return passed(text, *lines)
    return absent("past use does not count in priorities", *lines)


FEATURES = (
    Feature(
        "backfill", "Does a short job overtake a wide pending one, without delaying it?",
        _backfill, act="contended", jobs=3, nodes=0, seconds=100.0, starts=4, busy_seconds=60.0,
        least=2,
    ),
    Feature(
        "priority", "Do jobs of higher priority start first?",
        _priority, act="contended", jobs=4, nodes=0, seconds=40.0, starts=4, busy_seconds=10.0,
    ),
    Feature(
        "fair-share", "Does past use count in priorities?",
        _fair_share, jobs=0, seconds=1.0, busy_seconds=0.0,
    ),
)  # fmt: skip

"""Who comes first: backfill, priorities, fair shares."""

from __future__ import annotations

import math

from heorot.acceptance.session.context import FeatureContext
from heorot.acceptance.session.feature import Feature, Judged, UntestedError, absent, failed, passed
from heorot.acceptance.session.probe import ProbeJob
from heorot.launch.occupants import occupants
from heorot.units import format_duration

# Slurm looks for what fits every 30 s unless it is told otherwise; others do so every minute.
_OVERTAKE_SECONDS = 75.0
_BLOCK_SECONDS = 240.0
_SHORT_SECONDS = 60.0
# From the end of what is in the way to the start of what waits for it: nodes are cleaned, and a
# queue is looked through, in this time, or so many times what a job takes on an empty system [s].
_TURN_SECONDS = 60.0
_TIMES_LATENESS = 3.0
# What a short job waited in vain is long if it is so many times what the others took to begin.
_TIMES_SLOWEST = 2.0
_CLEANING_SECONDS = 10.0
# Others are looked for so often, and what they spoiled is tried so often [s].
_LOOK_SECONDS = 2.0
_TRIES = 3
_MOST_NAMED = 3


def _places(context: FeatureContext) -> tuple[str, ...]:
    """Names of the nodes that are tested, if the queue has others, too; none if it has not.

    Raises:
        UntestedError: they cannot be had.
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

    # Nodes are cleaned behind our own jobs before they are idle.
    if not context.wait(lambda: not busy(), max(_CLEANING_SECONDS, context.runner.lateness)) and (
        left := busy()
    ):
        raise UntestedError(f"others use {', '.join(left)}")
    return names


class _Strangers:
    """Sees jobs of others while a feature is tested."""

    def __init__(self, context: FeatureContext) -> None:
        self._context, self._asked = context, -math.inf
        self.ids: dict[str, None] = {}

    def __str__(self) -> str:
        return ", ".join(list(self.ids)[:_MOST_NAMED])

    def look(self) -> None:
        """Ask for them, unless that was done a moment ago."""
        now = self._context.clock.monotonic()
        if now - self._asked < _LOOK_SECONDS:
            return
        self._asked = now
        probes = self._context.runner.probes
        own = {each.name for each in probes} | {str(each.number) for each in probes}
        found = self._context.ask(occupants(self._context.client.dialect, waiting=True))
        self.ids |= {job.id: None for job in found or () if not {job.id, job.name} & own}


def _backfill(context: FeatureContext) -> Judged:
    """A short job passes a wide one that waits; again if jobs of others came between."""
    for _ in range(_TRIES):
        strangers = _Strangers(context)
        try:
            judged = _try_backfill(context, strangers)
        except UntestedError as error:  # some job did not even begin
            if not strangers.ids:
                raise
            raise UntestedError(f"{error}; jobs of others came between ({strangers})") from None
        if judged.status == "passed" or not strangers.ids:
            return judged
    raise UntestedError(
        f"{judged.text}, and each of {_TRIES} times jobs of others came between ({strangers})"
    )


def _try_backfill(context: FeatureContext, strangers: _Strangers) -> Judged:
    """A short job passes a wide one that waits, which begins no later for it."""

    def is_over() -> bool:
        strangers.look()
        return short.end is not None

    n = context.target.nodes
    names = _places(context)
    overtake = max(_OVERTAKE_SECONDS, _TIMES_LATENESS * context.runner.lateness)
    blocker = context.submit(
        "until_told",
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
    except UntestedError as error:  # the others may have been what was slow
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
    lines = [f"{has}; {wide.label} wants all and started {waited} after its end"]
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
        text = "a short job does not overtake a wide one that waits"
        claims = context.policy.backfills
        return failed(text, *lines) if claims else absent(text, *lines)
    after = max(0.0, (short.start or 0.0) - short.submitted)
    lines.insert(1, f"{short.label}, short, started on the free node {format_duration(after)} "
                 "after it was submitted, before the wide one")  # fmt: skip
    turn = max(_TURN_SECONDS, _TIMES_LATENESS * context.runner.lateness)
    if began - freed > turn or (planned is not None and began > planned + turn):
        return failed("a wide job that a short one overtook started late", *lines)
    return passed(
        "a short job overtakes a wide one that waits, without delaying it",
        *lines,
        overtake_seconds=after,
        wide_wait_seconds=max(0.0, began - freed),
    )


def _in_vain(short: ProbeJob, freed: float, slowest: float, word: str) -> str:
    """How long a short job waited in vain.

    Args:
        freed: when what was in the way ended [s].
        slowest: that any other job took to begin [s].
        word: what the batch system said of it.

    Raises:
        UntestedError: that was not long where jobs begin so late.
    """
    waited = max(0.0, freed - short.submitted)
    line = f"{short.label}, short and for the free node, waited behind it for"
    line = f"{line} {format_duration(waited)} ({word})"
    if waited < _TIMES_SLOWEST * slowest:
        slow = format_duration(slowest)
        raise UntestedError(f"{line}, which is not long where others take {slow} to begin")
    return line


def _priority(context: FeatureContext) -> Judged:
    """Three that each want all nodes: the first is less urgent than the others."""
    n = context.target.nodes
    names = _places(context)
    nice = context.controls.option("less urgent")
    blocker = context.submit(
        "until_told", nodes=n, exclusive=True, limit_seconds=context.stay_seconds, on=names
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
    what = "less urgent" if nice else "first"
    lines = [
        f"submitted: {jobs[0].label} ({what}), {jobs[1].label}, {jobs[2].label}",
        "started: " + ", ".join(jobs[i].label for i in order),
    ]
    if nice is not None and order == [0, 1, 2]:
        return absent("jobs begin in the order of submission: to be less urgent is no use", *lines)
    if order != expected:
        return failed("jobs of one shape begin in another order than that of their urgency", *lines)
    if nice is None:
        return passed("jobs of one shape begin in the order of their submission", *lines)
    return passed("the more urgent begin first, those alike in the order of submission", *lines)


def _fair_share(context: FeatureContext) -> Judged:
    """What is said about it: to see it at work would take days and several users."""
    policy = context.policy
    lines = [
        f"{key} is {policy.lines[key]}"
        for key in ("PriorityType", "PriorityWeightFairshare")
        if key in policy.lines
    ]
    if policy.fair_share is None:
        raise UntestedError(
            f"how to ask for fair shares is not known for {context.client.dialect.system}"
        )
    if policy.fair_share:
        text = "past use counts in priorities, as configured; it was not seen at work"
        return passed(text, *lines)
    return absent("past use does not count in priorities", *lines)


FEATURES = (
    Feature(
        "backfill", "Does a short job overtake a wide one that waits, without delaying it?",
        _backfill, act="contended", jobs=3, nodes=0, seconds=100.0, starts=4, busy_seconds=60.0,
        least=2,
    ),
    Feature(
        "priority", "Do the more urgent begin first?",
        _priority, act="contended", jobs=4, nodes=0, seconds=40.0, starts=4, busy_seconds=10.0,
    ),
    Feature(
        "fair-share", "Does past use count in priorities?",
        _fair_share, jobs=0, seconds=1.0, busy_seconds=0.0,
    ),
)  # fmt: skip

"""Processor time of programs, user and system: rows of whole launches.

The kernel accounts for a whole launch: the time before, between and after timed samples counts,
too, and the number of bodies depends on the time allowed. So times are reported as measured, only
their share is compared, and the user time of one body is prorated from the launch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from heorot.analyse.results import make_row
from heorot.analyse.rows import derive, over
from heorot.analyse.statistics.summary import summarise_values
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.processor_time import (
    SYSTEM_SHARE,
    SYSTEM_TIME,
    USER_SPEEDUP,
    USER_TIME,
    WHOLE_RUN,
)
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Metric
from heorot.model.grouping import best_of_each
from heorot.model.point import Point
from heorot.model.run.identity import Key, Setup
from heorot.model.run.records import EndLine
from heorot.model.run.series import Series, Verified

_TIMES = (
    Metric(name=USER_TIME, unit="s", better="lower"),
    Metric(name=SYSTEM_TIME, unit="s", better="lower"),
)
_SHARE = Metric(name=SYSTEM_SHARE, unit="1", better="lower")
_OF_BODY = Metric(name="user_time_of_body", unit="s", better="lower")


@dataclass(frozen=True)
class Launch:
    """A launch that counts: the attempt of most of its series.

    Attributes:
        series: its series among those that results come from.
        perturbed: whether all of these were perturbed.
    """

    end: EndLine
    series: tuple[Series, ...]
    perturbed: bool


def explain(context: Context, run: str) -> list[Result]:
    """Rows of the processor time of every case that ended; per-node copies have none."""
    rows, of_bodies = [], []
    for launches in _cases(context):
        group = _whole(launches)
        times = np.array([_times(launch.end) for launch in launches])
        together = times.sum(axis=1)
        kinds = [(metric, times[:, k]) for k, metric in enumerate(_TIMES)]
        if np.all(together > 0.0):
            kinds.append((_SHARE, times[:, 1] / together))
        made = [_row(context, group, metric, values, run) for metric, values in kinds]
        rows += made
        seconds = [_user_seconds_of_body(context, launch) for launch in launches]
        known = np.array([each for each in seconds if each is not None])
        if len(known) == len(seconds):
            of_bodies.append(_row(context, group, _OF_BODY, known, run))
    return [*rows, *_speedups(of_bodies)]


def _cases(context: Context) -> Iterator[list[Launch]]:
    """The launches of every case that have an end, in their order."""
    ends = {
        outcome.step: outcome.end
        for outcome in context.outcomes
        if outcome.state == "completed" and outcome.end is not None
    }
    known = context.benchmarks
    everywhere = {step.id for step in context.steps if step.each_node}
    steps: dict[Setup, dict[str, list[tuple[Series, bool]]]] = {}
    for group in context.groups:
        for one in group.series:
            if one.step in ends and one.step not in everywhere and one.benchmark in known:
                attempts = steps.setdefault(one.setup, {})
                attempts.setdefault(one.step, []).append((one, group.disturbed))
    for attempts in steps.values():
        chosen: dict[int, str] = {}
        for step in sorted(attempts, key=lambda step: attempts[step][0][0].attempt):
            number = attempts[step][0][0].launch
            if number not in chosen or len(attempts[step]) > len(attempts[chosen[number]]):
                chosen[number] = step
        yield [
            Launch(
                ends[chosen[number]],
                tuple(one for one, _ in attempts[chosen[number]]),
                all(perturbed for _, perturbed in attempts[chosen[number]]),
            )
            for number in sorted(chosen)
        ]


def _times(end: EndLine) -> tuple[float, float]:
    """User and system seconds of all ranks; the difference of two readings may be negative."""
    return max(0.0, sum(end.user_seconds)), max(0.0, sum(end.system_seconds))


def _whole(launches: Sequence[Launch]) -> Group:
    """The launches as series of the whole run, at the coordinates common to all their points."""
    every = [one for launch in launches for one in launch.series]
    point = Point(
        {
            name: value
            for name, value in every[0].point.items()
            if all(one.point.get(name) == value for one in every)
        }
    )
    key = Key(every[0].setup, WHOLE_RUN, point)
    verdicts = {one.verified for one in every}
    verified: Verified = "failed" if "failed" in verdicts else "passed"
    if verdicts == {"unchecked"}:
        verified = "unchecked"
    return Group(
        series=tuple(replace(launch.series[0], key=key) for launch in launches),
        disturbed=all(launch.perturbed for launch in launches),
        verified=verified,
    )


def _row(
    context: Context, group: Group, metric: Metric, values: Iterable[float], run: str
) -> Result:
    """A row of one value per launch."""
    summary = summarise_values(values)
    return make_row(group, metric, summary, run, context.machine.system, derived=True)


def _user_seconds_of_body(context: Context, launch: Launch) -> float | None:
    """User time of one body on the rank with most of it, prorated from the launch [s].

    Only for programs that measure a single problem with a size, on ranks of one thread.
    """
    one, users = launch.series[0], launch.end.user_seconds
    known = context.benchmarks.get(one.benchmark)
    size = known.size if known else None
    if size is None or size.coordinate not in one.point or len(launch.series) > 1:
        return None
    # An external program has one number for all of its ranks.
    if one.is_star or one.threads > 1 or len(users) != one.ranks or max(users) <= 0.0:
        return None
    if launch.end.elapsed_seconds <= 0.0:
        return None
    return max(users) / launch.end.elapsed_seconds * float(np.median(one.body_seconds))


def _speedups(of_bodies: Sequence[Result]) -> Iterator[Result]:
    """User time on one rank over that on several, of each problem that ran on both."""

    def problem(row: Result) -> Key:
        return row.key.only("benchmark", "toolchain", "network", "point")

    serial = (row for row in of_bodies if row.ranks == 1)
    alone = best_of_each(serial, problem, lambda row: -row.median)
    for row in of_bodies:
        one = alone.get(problem(row))
        if one is not None and row.ranks > 1:
            values = over(one, row)
            yield derive([row, one], USER_SPEEDUP, "", "higher", values, point=row.point)

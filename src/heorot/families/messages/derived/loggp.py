"""Explains messages/loggp: overheads, latency and gaps of the LogGP model by differences of times.

With PRTT(m, d, n) for m messages of n bytes, d seconds of computation between two of them, and one
answer:

    o_s(n) = (PRTT(m, d, n) - PRTT(1, 0, n)) / (m - 1) - d    overhead of the sender
    o_r(n) = (round trip whose answer is late by d) - d - o_s    overhead of the receiver
    g(n) = (PRTT(m, 0, n) - PRTT(1, 0, n)) / (m - 1)    the least time between two messages
    L = PRTT(1, 0, n) / 2 - o_s(n) - o_r(n) at the smallest n    latency of the network
    G = the slope of the ping-pong times, in the range of the longest messages

Each launch has its own d and hence its own differences. None is negative in the model: inside a
node sender and receiver work on a message at the same time, the sum of their overheads exceeds half
a round trip, and L is zero.

Source: T. Hoefler, A. Lichei, W. Rehm, Low-overhead LogGP parameter assessment for modern
interconnection networks, IPDPS 2007; o_r: T. Kielmann, H. E. Bal, K. Verstoep, Fast measurement of
LogP parameters for message passing platforms, IPDPS workshops 2000.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from heorot.analyse.rows import derive
from heorot.analyse.statistics.lines import resample_medians
from heorot.analyse.statistics.summary import FloatArray, quantile, sort_samples
from heorot.families.messages.between_two.loggp import LOGGP
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.families.messages.derived.hockney import MINIMUM_SIZES, REGION, fit
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Stack

_REGIONS = ("round_trip", "train", "delayed", "late_answer", "delay")
# The region that identifies a parameter.
_SHOWN_BY = {"o_s": "delayed", "o_r": "late_answer", "g": "train", "L": "round_trip"}


@dataclass(frozen=True)
class _Link:
    """Where messages travel: rows of one toolchain on equally many nodes are comparable."""

    stack: Stack
    nodes: int
    case: str


def explain(context: Context) -> list[Result]:
    """The parameters of the model, one set per toolchain and case: o_s, o_r, g at every size."""
    places: dict[_Link, dict[float, dict[str, Group]]] = {}
    for group in context.groups:
        one = group.first
        if one.benchmark == LOGGP.name and group.verified == "passed":
            sizes = places.setdefault(_Link(one.stack, one.nodes, one.case), {})
            sizes.setdefault(float(one.point["bytes"]), {})[one.region] = group
    derived: list[Result] = []
    for place, sizes in places.items():
        # If a region failed its checks, its size is dropped.
        whole = {size: groups for size, groups in sizes.items() if len(groups) == len(_REGIONS)}
        for size, groups in whole.items():
            found = parameters(groups, context.seed)
            if size > min(whole):
                found.pop("L", None)
            for name, values in found.items():
                derived += _row(context, place, name, "s", values, size)
        if whole:
            derived += _gap_per_byte(context, place, max(whole))
    return derived


def parameters(groups: Mapping[str, Group], seed: int) -> dict[str, tuple[float, float, float]]:
    """o_s, o_r, g and L at one size, each with its 95 % interval [s].

    The interval is that of a bootstrap over the samples in every launch, whose values are pooled:
    variation between launches widens it.

    Raises:
        KeyError: a region is missing.
    """
    generator = np.random.default_rng(seed)
    common = set.intersection(
        *({one.launch for one in groups[region].series} for region in _REGIONS)
    )
    centres: dict[str, list[float]] = {name: [] for name in _SHOWN_BY}
    drawn: dict[str, list[FloatArray]] = {name: [] for name in _SHOWN_BY}
    for launch in sorted(common):
        medians, resampled, n_messages = {}, {}, 0.0
        for region in _REGIONS:
            (one,) = (each for each in groups[region].series if each.launch == launch)
            ordered = sort_samples(one.body_seconds)
            medians[region] = np.array([float(np.median(ordered))])
            resampled[region] = resample_medians(ordered, generator)
            if region == "train":
                n_messages = one.counts["messages"] - 1.0
        for name, value in _differences(medians, n_messages).items():
            centres[name].append(float(value[0]))
        for name, values in _differences(resampled, n_messages).items():
            drawn[name].append(values)
    return {
        name: _enclose(centres[name], np.concatenate(drawn[name])) for name in centres if common
    }


def _differences(times: Mapping[str, FloatArray], n_messages: float) -> dict[str, FloatArray]:
    """The parameters of many problems at once, shapes (b,), from the times of the regions."""
    one, delay = times["round_trip"], times["delay"]
    send = (times["delayed"] - one) / (n_messages - 1.0) - delay
    receive = times["late_answer"] - delay - send
    gap = (times["train"] - one) / (n_messages - 1.0)
    return {"o_s": send, "o_r": receive, "g": gap, "L": 0.5 * one - send - receive}


def _enclose(centres: Sequence[float], drawn: FloatArray) -> tuple[float, float, float]:
    centre = float(np.median(centres))
    low, high = min(centre, quantile(drawn, 0.025)), max(centre, quantile(drawn, 0.975))
    return max(0.0, centre), max(0.0, low), max(0.0, high)


def _row(
    context: Context,
    place: _Link,
    name: str,
    unit: str,
    values: tuple[float, float, float],
    size: float,
) -> list[Result]:
    """The row of a parameter, with the verification status of all regions at this size."""
    shown_by = _SHOWN_BY.get(name, "train")
    rows = [
        row
        for region in (shown_by, *_REGIONS)
        for metric in LOGGP.metrics
        for row in context.rows.find(
            LOGGP.name, region, metric.name, point={"bytes": int(size)}, stack=place.stack
        )
        if row.case == place.case
    ]
    point = {} if name == "G" else {"bytes": int(size)}
    return [derive(rows, name, unit, "lower", values, point=point)] if rows else []


def _gap_per_byte(context: Context, place: _Link, size: float) -> list[Result]:
    """G, if ping-pong ran at the same place: from the case with most sizes."""
    cases: dict[str, list[Group]] = {}
    for group in context.groups:
        one = group.first
        if (
            (one.benchmark, one.region) == (PINGPONG.name, REGION)
            and (one.stack, one.nodes) == (place.stack, place.nodes)
            and group.verified == "passed"
        ):
            cases.setdefault(one.case, []).append(group)
    groups = max(cases.values(), key=len, default=[])
    if len(groups) < MINIMUM_SIZES:
        return []
    fitted = fit(groups, context.seed)
    longest = fitted.ranges[-1] if fitted.ranges else fitted
    if not all(math.isfinite(value) and value > 0.0 for value in longest.r_inf):
        return []
    centre, high, low = (1.0 / value for value in longest.r_inf)
    return _row(context, place, "G", "s/B", (centre, low, high), size)

"""The record of messages/pingpong: what a message costs."""

from __future__ import annotations

import math

from heorot.catalogue.settings import budget_seconds, number
from heorot.model.catalogue.benchmark import (
    Benchmark,
    Case,
    Ceiling,
    Headline,
    Metric,
    Profile,
    tiny_case,
)
from heorot.model.catalogue.figure import Figure
from heorot.model.machine.machine import Machine

_LARGEST = 4 << 20
# 0 and 1 byte, and the broadcast that 8 bytes are held against
_OTHER_REGIONS = 3
_USED_OF_BUDGET = 0.4
_BUDGET: dict[Profile, float] = {"smoke": 0.05, "quick": 0.1, "standard": 0.5, "full": 1.0}


def _estimate(machine: Machine, case: Case) -> Case:
    """Most regions know their median long before their time is used up."""
    del machine
    largest = int(number(case, "max-bytes", _LARGEST))
    octaves = math.log2(max(2, largest)) * number(case, "points-per-octave", 1.0)
    seconds = (octaves + _OTHER_REGIONS) * _USED_OF_BUDGET * budget_seconds(case)
    return case.model_copy(update={"memory_bytes": 8 * largest, "seconds": seconds})


def _pingpong_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    case = Case(
        name="two_ranks",
        options={"max-bytes": _LARGEST, "budget": _BUDGET[profile]},
        ranks=2,
        needs_cores=2,
        priority="headline",
    )
    return (_estimate(machine, case),)


PINGPONG = Benchmark(
    name="messages/pingpong",
    metrics=(
        Metric(name="latency", unit="s", better="lower", count="messages"),
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes", regions=("pingpong",)),
    ),
    cases=_pingpong_cases,
    estimate=_estimate,
    tiny=tiny_case({"max-bytes": 4096}, ranks=2),
    derived=("fitted_latency", "r_inf", "n_half", "peak_bandwidth"),
    ceilings=(
        Ceiling(
            metric="bandwidth",
            by="copy_bandwidth",
            factor=0.5,
            reach=("bytes", "working_set_bytes", 2.0),
            cores="one",
            reason="inside a node a message is at least one copy of as many bytes, counted twice",
        ),
    ),
    headlines=(
        Headline(
            label="Message latency, 8 B", metric="latency", region="pingpong", point={"bytes": 8}
        ),
        Headline(
            label="Message bandwidth, 4 MiB",
            metric="bandwidth",
            region="pingpong",
            point={"bytes": _LARGEST},
        ),
    ),
    figures=(
        Figure(
            title="Half round-trip time over the message size",
            kind="curve",
            metric="latency",
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "region"),
            log_x=True,
            log_y=True,
        ),
        Figure(
            title="Bandwidth over the message size",
            kind="curve",
            metric="bandwidth",
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "region"),
            log_x=True,
            log_y=True,
        ),
    ),
    needs_mpi=True,
)

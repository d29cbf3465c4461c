"""The record of messages/pingpong: what a message costs."""

from __future__ import annotations

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
# 0, 1, 2, 4 ... 4 MiB, and the broadcast that 8 bytes are held against
_REGIONS = 25
_BUDGET: dict[Profile, float] = {"smoke": 0.05, "quick": 0.1, "standard": 0.5, "full": 1.0}


def _pingpong_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    del machine
    budget = _BUDGET[profile]
    return (
        Case(
            name="two_ranks",
            options={"max-bytes": _LARGEST, "budget": budget},
            ranks=2,
            needs_cores=2,
            memory_bytes=8 * _LARGEST,
            seconds=1.5 * _REGIONS * budget,
            priority="headline",
        ),
    )


PINGPONG = Benchmark(
    name="messages/pingpong",
    metrics=(
        Metric(name="latency", unit="s", better="lower", count="messages"),
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes", regions=("pingpong",)),
    ),
    cases=_pingpong_cases,
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

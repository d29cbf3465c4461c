"""The record of storage/latency: time of small operations on files, and of the slowest."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Options
from heorot.families.storage.places import in_file_system, roles
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.machine.machine import Machine
from heorot.model.resource import FILESYSTEM

APPENDS = ("append_fsync", "append_fdatasync")
TAILS = {"latency_p95": 0.95, "latency_p99": 0.99, "latency_p999": 0.999, "latency_max": 1.0}
"""Derived metrics and the share of the operations that take at most as long."""

_BUDGET: dict[Profile, float] = {"smoke": 0.05, "quick": 0.3, "standard": 2.0, "full": 10.0}
_SAMPLES: dict[Profile, int] = {"smoke": 100, "quick": 1000, "standard": 5000, "full": 20000}
_NAME = "storage/latency"

_count = by_counts(_NAME, Cost("points", 1.3, "budget"))


def _estimate(machine: Machine, case: Case) -> Case:
    return in_file_system(_NAME, machine, _count(machine, case))


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One client on each file system."""
    budget: Options = {
        "budget": _BUDGET[profile],
        "samples-min": 20,
        "samples-max": _SAMPLES[profile],
    }
    # No interval ends the sampling before its time: tails need all operations.
    tails: Options = {"precision": 0.0, "file-bytes": 16 << 20}
    return tuple(
        _estimate(machine, Case(name=role, options=budget | tails | {"directory": role}))
        for role in roles(machine)
    )


LATENCY = Benchmark(
    name=_NAME,
    title="file latency",
    measures="fsync, fdatasync, open, stat, lock: median, tails",
    metrics=(Metric(name="latency", unit="s", better="lower", count="operations", per_rank=True),),
    cases=_cases,
    estimate=_estimate,
    profiles=("standard", "full"),
    tiny=tiny_case({"file-bytes": 65536}),
    derived=tuple(TAILS),
    headlines=(
        Headline(
            label="Append of 4 KiB with fsync",
            metric="latency",
            region="append_fsync",
            each=FILESYSTEM,
        ),
    ),
    figures=(
        Figure.bars(
            "Latency of small operations on files", "latency", ("region", "layout"), least_values=2
        ),
    ),
)

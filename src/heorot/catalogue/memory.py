"""What the memory of a node feeds to its cores."""

from __future__ import annotations

from heorot.catalogue.sizes import all_cores, beyond_caches_bytes, share_of_memory
from heorot.model.benchmark import (
    Benchmark,
    Case,
    Ceiling,
    Figure,
    Headline,
    Metric,
    Profile,
)
from heorot.model.machine import Machine

_KERNELS = 6
_BUDGET = {"smoke": 0.25, "quick": 0.7, "standard": 2.0, "full": 4.0}
_SHARE = {"smoke": 0.2, "quick": 0.2, "standard": 0.4, "full": 0.6}


def _stream_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    cores = all_cores(machine)
    largest = share_of_memory(machine, _SHARE[profile])
    # The program finds the end of the caches by measuring; this bounds what it may need.
    expected = min(largest, 4 * beyond_caches_bytes(machine))
    budget = _BUDGET[profile]
    layouts = [("one_core", 1, 1)]
    if cores > 1:
        layouts.append(("all_cores", 1, cores))
        if profile in {"standard", "full"}:
            layouts.append(("all_cores_ranks", cores, 1))
    return tuple(
        Case(
            name=name,
            options={"max-bytes": largest // ranks, "budget": budget},
            ranks=ranks,
            threads=threads,
            needs_cores=ranks * threads,
            memory_bytes=expected,
            seconds=(_KERNELS + 2) * 1.5 * budget,
        )
        for name, ranks, threads in layouts
    )


_LOOPS = ("copy", "scale", "add", "triad")

STREAM = Benchmark(
    name="memory/stream",
    metrics=(Metric(name="bandwidth", unit="B/s", better="higher", count="bytes"),),
    cases=_stream_cases,
    ceilings=(
        Ceiling(
            metric="bandwidth",
            regions=_LOOPS,
            by_benchmark="memory/stream",
            by_regions=("read",),
            by_metric="bandwidth",
            reason="a store first loads its line, so these loops read as many bytes as they count",
        ),
        Ceiling(
            metric="bandwidth",
            regions=("memcpy",),
            by_benchmark="memory/stream",
            by_regions=("read",),
            by_metric="bandwidth",
            factor=2.0,
            reason="half of the bytes that a copy counts must be read",
        ),
    ),
    headlines=(Headline(label="Memory bandwidth, triad", metric="bandwidth", region="triad"),),
    figures=(
        Figure(
            title="Memory bandwidth by operation",
            kind="bars",
            metric="bandwidth",
            series=("layout",),
        ),
    ),
)

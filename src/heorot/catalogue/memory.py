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
# Before every kernel the arrays are filled, behind it all elements are checked.
_CHECKED_BYTES_PER_SECOND = 2e9
_BUDGET = {"smoke": 0.25, "quick": 0.7, "standard": 2.0, "full": 4.0}
_SHARE = {"smoke": 0.2, "quick": 0.2, "standard": 0.4, "full": 0.6}


def _stream_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    cores = all_cores(machine)
    largest = share_of_memory(machine, _SHARE[profile])
    # The program finds the end of the caches by measuring and stays below the largest size.
    expected = min(largest, 4 * beyond_caches_bytes(machine))
    checking = 2 * _KERNELS * expected / _CHECKED_BYTES_PER_SECOND
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
            memory_bytes=largest,
            seconds=(_KERNELS + 2) * 1.5 * budget + checking / (ranks * threads),
        )
        for name, ranks, threads in layouts
    )


def _limited_by_reading(
    regions: tuple[str, ...], factor: float, slack: float, reason: str
) -> Ceiling:
    return Ceiling(
        metric="bandwidth",
        regions=regions,
        by_benchmark="memory/stream",
        by_regions=("read",),
        by_metric="bandwidth",
        factor=factor,
        slack=slack,
        reason=reason,
    )


_WRITE_ALLOCATE = "a store first loads its line, so these loops read as many bytes as they count"

STREAM = Benchmark(
    name="memory/stream",
    metrics=(Metric(name="bandwidth", unit="B/s", better="higher", count="bytes"),),
    cases=_stream_cases,
    ceilings=(
        # Some processors store full lines without loading them: then a half of what copy and
        # scale count is read, and two thirds of what add and triad do.
        _limited_by_reading(("copy", "scale"), 1.0, 2.1, _WRITE_ALLOCATE),
        _limited_by_reading(("add", "triad"), 1.0, 1.6, _WRITE_ALLOCATE),
        _limited_by_reading(("memcpy",), 2.0, 1.25, "half of the bytes that a copy counts is read"),
        Ceiling(
            metric="bandwidth",
            regions=("read",),
            by_benchmark="compute/vector_kernels",
            by_regions=("dotproduct",),
            by_metric="bandwidth",
            reason="memory cannot be read faster than the first-level cache",
        ),
    ),
    headlines=(Headline(label="Memory bandwidth, triad", metric="bandwidth", region="triad"),),
    figures=(
        Figure(
            title="Memory bandwidth by operation",
            kind="bars",
            metric="bandwidth",
            regions=("copy", "scale", "add", "triad", "memcpy", "read"),
            series=("layout",),
        ),
        Figure(
            title="Where the caches end: reading over the working set of each rank",
            kind="curve",
            metric="bandwidth",
            regions=("caches",),
            x="working_set_bytes",
            x_label="working set [B]",
            series=("layout",),
            log_x=True,
            log_y=True,
        ),
    ),
)

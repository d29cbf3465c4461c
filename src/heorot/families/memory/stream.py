"""The record of memory/stream: what the memory of a node feeds to its cores."""

from __future__ import annotations

from heorot.catalogue.sizes import all_cores, beyond_caches_bytes, share_of_memory
from heorot.model.catalogue.benchmark import (
    Benchmark,
    Case,
    Ceiling,
    Headline,
    Metric,
    Profile,
    Reference,
    tiny_case,
)
from heorot.model.catalogue.figure import Figure
from heorot.model.machine.machine import Machine

_KERNELS = 6
# Before every kernel the arrays are filled, behind it all elements are checked.
_CHECKED_BYTES_PER_SECOND = 5e9
_BUDGET = {"smoke": 0.15, "quick": 0.4, "standard": 2.0, "full": 4.0}
_SHARE = {"smoke": 0.2, "quick": 0.2, "standard": 0.4, "full": 0.6}


def _stream_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    cores = all_cores(machine)
    # The program finds the end of the caches by measuring, and looks for it up to here: far beyond
    # what they claim to be, as far as the memory allows.
    largest = min(share_of_memory(machine, _SHARE[profile]), 4 * beyond_caches_bytes(machine))
    checking = 3 * _KERNELS * largest / _CHECKED_BYTES_PER_SECOND
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
            seconds=(_KERNELS + 4) * 1.2 * budget + checking / (ranks * threads),
            priority="detail" if ranks > 1 else "headline",
        )
        for name, ranks, threads in layouts
    )


_OPERATIONS = ("copy", "scale", "add", "triad", "memcpy", "read")

STREAM = Benchmark(
    name="memory/stream",
    metrics=(Metric(name="bandwidth", unit="B/s", better="higher", count="bytes"),),
    cases=_stream_cases,
    # Beyond caches of nothing: the search for their end runs, too.
    tiny=tiny_case({"max-bytes": 6_000_000}),
    publishes=(
        Reference(name="drawn_bandwidth", metric="bandwidth", regions=_OPERATIONS),
        # What loops draw: memcpy is the library's and may go around the caches.
        Reference(
            name="memory_bandwidth",
            metric="bandwidth",
            regions=tuple(each for each in _OPERATIONS if each != "memcpy"),
        ),
    ),
    ceilings=(
        # What is counted and what moves differ by the loads that a store may cause (a half more
        # for copy and scale, a third for add and triad): the slack leaves room for it.
        Ceiling(
            metric="bandwidth",
            regions=_OPERATIONS,
            by="drawn_bandwidth",
            slack=2.5,
            reason="memory has one bandwidth: the best that any of these operations draws from it",
        ),
    ),
    headlines=(Headline(label="Memory bandwidth, triad", metric="bandwidth", region="triad"),),
    figures=(
        Figure(
            title="Memory bandwidth by operation",
            kind="bars",
            metric="bandwidth",
            regions=_OPERATIONS,
            series=("layout",),
        ),
    ),
)

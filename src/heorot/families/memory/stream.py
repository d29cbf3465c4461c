"""The record of memory/stream: memory bandwidth of a node."""

from __future__ import annotations

import math

from heorot.catalogue.asked import Asked
from heorot.catalogue.layouts import ONE_CORE, Layout, Options, growing_copies
from heorot.catalogue.sizes import (
    affordable_bytes,
    all_cores,
    beyond_caches_bytes,
    pace,
    share_of_memory,
)
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Ceiling, Headline, Reference, Traffic
from heorot.model.catalogue.usual import BANDWIDTH
from heorot.model.machine.machine import Machine

_OPERATIONS = ("copy", "scale", "add", "triad", "memcpy", "read")
_COPIED = ("copy", "triad", "read", "nontemporal_triad")  # whose copies show contention
_LOOPS = ("copy", "scale", "add", "triad")
_NONTEMPORAL = tuple(f"nontemporal_{each}" for each in (*_LOOPS, "fill"))
# In arrays that refuse huge pages; the others ask for them.
BASE_PAGES = "base_pages_"
_IN_BASE_PAGES = tuple(f"{BASE_PAGES}{each}" for each in ("copy", "triad"))
_FIRST_LOOK = (*_OPERATIONS, "nontemporal_copy", "nontemporal_triad", *_IN_BASE_PAGES)
_IN_FORTRAN = tuple(f"fortran_{each}" for each in _LOOPS)
# Every counted byte is fetched, also where it is only stored to (write-allocate). The library's
# memcpy may use non-temporal stores. Non-temporal kernels count all bytes that they move.
_TRAFFIC = (
    Traffic(
        regions=("copy", "scale", "fortran_copy", "fortran_scale", "base_pages_copy"),
        carried=3 / 2,
    ),
    Traffic(
        regions=("add", "triad", "fortran_add", "fortran_triad", "base_pages_triad"),
        carried=4 / 3,
    ),
    Traffic(regions=("nontemporal_copy", "nontemporal_scale"), fetched=1 / 2),
    Traffic(regions=("nontemporal_add", "nontemporal_triad"), fetched=2 / 3),
)
# Before every kernel the arrays are filled, after it all elements are checked, by every core.
_CHECKED_BYTES_PER_SECOND = 5e9
_BUDGET: dict[Profile, float] = {"smoke": 0.1, "quick": 0.4, "standard": 1.0, "full": 4.0}
_SHARE: dict[Profile, float] = {"smoke": 0.2, "quick": 0.2, "standard": 0.4, "full": 0.6}
# Arrays are a multiple of the last-level caches, if time allows [s].
_REACH: dict[Profile, int] = {"smoke": 2, "quick": 4, "standard": 4, "full": 4}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 3.0, "quick": 6.0, "standard": 60.0, "full": 120.0}
_SMALLEST = 1 << 20
# Time that most kernels use, and the sizes of the search for the end of the caches.
_USED_BY_KERNEL, _USED_BY_SIZE = 0.8, 0.5


def _estimate(machine: Machine, case: Case) -> Case:
    """Memory of the arrays of all ranks, at their largest size."""
    asked = Asked("memory/stream", case)
    cores = case.ranks * case.threads
    chosen, largest = asked.number("n") > 0, asked.cost("memory_bytes")
    kernels = len(asked.items("kernels"))
    n_sizes = 0 if chosen else max(1, int(math.log2(largest / case.ranks / 3 / _SMALLEST)) + 1)
    # A third of them is read in the search.
    touched = (2 * kernels + (0 if chosen else 2 / 3)) * largest
    checked = _CHECKED_BYTES_PER_SECOND * cores * pace(machine).speed(cores)
    timed = _USED_BY_KERNEL * kernels + _USED_BY_SIZE * n_sizes
    seconds = touched / min(checked, pace(machine).bandwidth(cores)) + timed * asked.budget_seconds
    return asked.estimated(seconds)


def _layouts(machine: Machine, profile: Profile) -> list[Layout]:
    """One core, threads on all; in longer profiles ranks on all; copies, except in smoke runs."""
    cores = all_cores(machine)
    if cores == 1:
        return [ONE_CORE]
    layouts = [ONE_CORE, Layout("all_cores", threads=cores)]
    if profile in {"standard", "full"}:
        layouts.append(Layout("all_cores_ranks", copies=cores))
    return layouts + ([*growing_copies(machine, profile)] if profile != "smoke" else [])


def _stream_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    def sized(largest: int, layout: Layout) -> Case:
        ranks, together = layout.copies, layout.name == "all_cores_ranks"
        options: Options = {"max-bytes": largest // ranks, "budget": _BUDGET[profile]}
        if ranks > 1 and not together:
            # Each copy would search for the end of the caches by itself, with different results.
            options = {"n": largest // ranks // 24, "budget": _BUDGET[profile]}
        # Ranks add no information about a language to that of threads; short profiles cover
        # memory only.
        if ranks > 1 or profile in {"smoke", "quick"}:
            short = _OPERATIONS if profile == "smoke" else _FIRST_LOOK
            options["kernels"] = ",".join(short if together or ranks == 1 else _COPIED)
        case = layout.case(options, "headline" if ranks == 1 else "main")
        if together:
            case = case.model_copy(update={"options": options, "priority": "detail"})
        return _estimate(machine, case)

    # The program finds the end of the caches by measuring, and searches up to here: far beyond
    # their reported size, as far as memory and time allow. Ranks share the limit of threads.
    def affordable(wanted: int, threads: int) -> int:
        return affordable_bytes(
            min(share_of_memory(machine, _SHARE[profile]), wanted),
            lambda size: sized(size, Layout("all_cores", threads=threads)).needs.seconds,
            _MOST_SECONDS[profile],
        )

    beyond = beyond_caches_bytes(machine)
    alone = affordable(_REACH[profile] * beyond, 1)

    def largest(cores: int) -> int:
        # The capacity of one core times the number of separate caches.
        return affordable(alone * beyond_caches_bytes(machine, cores) // beyond, cores)

    return tuple(sized(largest(layout.cores), layout) for layout in _layouts(machine, profile))


STREAM = Benchmark(
    name="memory/stream",
    title="STREAM",
    measures="STREAM bandwidth: copy, scale, add, triad",
    metrics=(BANDWIDTH,),
    cases=_stream_cases,
    every_node=("all_cores", "one_core"),
    every_kind=("one_core",),
    estimate=_estimate,
    fortran_regions=_IN_FORTRAN,
    # For a machine without known caches: the search for their end runs, too. An odd
    # number of elements.
    suits=("cores", "copies", "equals"),
    tiny=tiny_case({"max-bytes": 6_000_024}),
    derived=("working_set",),
    publishes=(
        Reference(
            name="drawn_bandwidth", metric="bandwidth", regions=(*_OPERATIONS, *_NONTEMPORAL)
        ),
        # Read bandwidth of arrays of every size, from a cache or from memory.
        Reference(name="bandwidth_by_size", metric="bandwidth", regions=("caches",)),
        # Bandwidth of loops: memcpy is the library's and may bypass the caches.
        Reference(
            name="memory_bandwidth",
            metric="bandwidth",
            regions=tuple(each for each in _OPERATIONS if each != "memcpy"),
        ),
        # Without the fill, of which nothing is fetched.
        Reference(name="nontemporal_bandwidth", metric="bandwidth", regions=_NONTEMPORAL[:-1]),
    ),
    ceilings=(
        # Write-allocate is not known for every processor: the slack allows for it.
        Ceiling(
            metric="bandwidth",
            regions=(*_OPERATIONS, *_IN_FORTRAN, *_NONTEMPORAL, *_IN_BASE_PAGES),
            by="drawn_bandwidth",
            carried=True,
            slack=2.5,
            reason="memory has one bandwidth: the highest of these kernels, with write-allocate",
        ),
    ),
    traffic=_TRAFFIC,
    headlines=(
        Headline(label="STREAM Triad", metric="bandwidth", region="triad", tells_level=True),
        Headline(label="Read bandwidth", metric="bandwidth", region="read", tells_level=True),
    ),
    figures=(
        Figure.bars(
            "Memory bandwidth by kernel",
            "bandwidth",
            ("layout",),
            regions=(*_OPERATIONS, *_NONTEMPORAL, *_IN_BASE_PAGES),
        ),
        Figure(
            title="STREAM kernels in C++ and in Fortran",
            kind="bars",
            metric="bandwidth",
            regions=(*_LOOPS, *_IN_FORTRAN),
            # Without Fortran loops the figure would repeat the one above.
            least_values=len(_LOOPS) + 1,
            series=("toolchain", "layout"),
        ),
        Figure.curve(
            "Read bandwidth over the working set",
            "bandwidth",
            "working_set_bytes",
            "working set of each rank [B]",
            regions=("caches",),
            series=("layout",),
        ),
    ),
)

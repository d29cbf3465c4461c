"""The record of algorithms/fft: Fourier transforms, from the first cache to memory."""

from __future__ import annotations

import math

from heorot.catalogue.layouts import Layout, Options, affordable, one_core_and_all
from heorot.catalogue.settings import budget_seconds, number, word
from heorot.catalogue.sizes import (
    beyond_caches_bytes,
    pace,
    share_of_memory,
)
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Ceiling, Headline, Metric
from heorot.model.machine.machine import Machine

OWN = ("complex_1d", "mixed_1d", "real_1d", "complex_2d", "complex_3d")
FFTW = tuple(f"fftw_{region}" for region in OWN)
NEAR = 1024
_BUDGET: dict[Profile, float] = {"smoke": 0.005, "quick": 0.01, "standard": 0.05, "full": 0.2}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 2.0, "quick": 3.0, "standard": 16.0, "full": 90.0}
_DEFAULT_SMALLEST, _DEFAULT_LARGEST = 16, 1 << 20
_MIXED = (60, 1000, 1155, 1536, 10007, 100000)
_BYTES_PER_POINT = 32
# Of lines whose length is a prime, which takes two more of twice the length at least.
_MOST_BYTES_PER_POINT = 160
# How much longer the side of the next square or cube is, as a power of two, and what numbers of
# such sizes there are together, over the largest.
_DIMENSIONS = {"complex_1d": 1, "real_1d": 1, "complex_2d": 2, "complex_3d": 3}
# A point of a transform from memory, of ours and of FFTW's; filling and checking [s].
_SECONDS_PER_POINT = {"complex_2d": 25e-9, "fftw_complex_2d": 200e-9, "fftw_complex_3d": 100e-9}
_USUAL_SECONDS_PER_POINT = 20e-9
_CHECKED_SECONDS_PER_POINT = 120e-9
_USED_OF_BUDGET = 0.8
_LEAST_BODIES = 3


def _points(region: str, smallest: float, largest: float) -> tuple[int, float]:
    """How many transforms a region has, and how many points they have together."""
    kind = region.removeprefix("fftw_")
    if kind == "mixed_1d":
        sizes = [float(n) for n in _MIXED if n <= largest]
    else:
        step = _DIMENSIONS[kind]
        most = int(math.log2(largest)) // step
        least = math.ceil(math.log2(smallest) / step)
        sizes = [float(1 << (step * power)) for power in range(least, most + 1)]
    return len(sizes), sum(sizes)


def _estimate(machine: Machine, case: Case) -> Case:
    """Every transform by its budget, or by the bodies that it needs at least; its check."""
    largest = max(1.0, number(case, "max-n", _DEFAULT_LARGEST))
    smallest = min(max(1.0, number(case, "min-n", _DEFAULT_SMALLEST)), largest)
    wanted = word(case, "regions", "all").split(",")
    with_fftw = case.threads == 1 and word(case, "fftw", "") != "none"
    known = (*OWN, *FFTW) if with_fftw else OWN
    seconds = 0.0
    speed = pace(machine).speed(case.ranks * case.threads)
    for region in (each for each in known if {each, "all"} & {*wanted}):
        transforms, points = _points(region, smallest, largest)
        per_point = _SECONDS_PER_POINT.get(region, _USUAL_SECONDS_PER_POINT)
        bodies = _LEAST_BODIES * points * per_point / speed
        timed = _USED_OF_BUDGET * budget_seconds(case) * transforms
        seconds += timed + bodies + points * _CHECKED_SECONDS_PER_POINT / speed
    return case.model_copy(
        update={
            "memory_bytes": int(case.ranks * _MOST_BYTES_PER_POINT * largest)
            + case.ranks * case.threads * (8 << 20),
            "working_set_bytes": int(case.ranks * _BYTES_PER_POINT * largest),
            "seconds": seconds,
        }
    )


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core with all transforms; in longer profiles all cores, together and with copies."""
    room = share_of_memory(machine, 0.3) * _BYTES_PER_POINT // _MOST_BYTES_PER_POINT
    wanted = min(2 * beyond_caches_bytes(machine), room)

    def sized(total: int, layout: Layout) -> Case:
        n = 1 << (max(1, total // layout.copies // _BYTES_PER_POINT).bit_length() - 1)
        options: Options = {"max-n": max(n, 1 << 12), "budget": _BUDGET[profile]}
        if profile in {"smoke", "quick"}:
            # FFTW's by estimate take several times as long in two and three dimensions.
            options |= {"regions": ",".join((*OWN, FFTW[0]))}
        if layout.copies > 1:
            options |= {"regions": "complex_1d", "min-n": 256}
        if layout.threads > 1:
            options |= {"regions": "complex_2d,complex_3d", "min-n": 4096}
        return _estimate(machine, layout.case(options, "main"))

    return tuple(
        affordable(layout, sized, wanted, _MOST_SECONDS[profile])
        for layout in one_core_and_all(machine, profile)
    )


FFT = Benchmark(
    name="algorithms/fft",
    title="the Fourier transform",
    metrics=(
        Metric(name="nominal_flop_rate", unit="flop/s", better="higher", count="nominal_flops"),
        Metric(name="flop_rate", unit="flop/s", better="higher", count="flops", regions=OWN),
        Metric(name="time", unit="s", better="lower"),
    ),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"max-n": NEAR, "mixed": "7,17,60,1000"}),
    ceilings=(
        Ceiling(
            metric="flop_rate",
            by="flop_peak",
            reason="no core computes faster than its multiply-add units",
            unreached="half of the operations of a transform are additions by themselves, and its "
            "numbers have to be brought into order",
        ),
    ),
    headlines=(
        Headline(
            label="Fourier transform of 1024 complex numbers, nominal",
            metric="nominal_flop_rate",
            region="complex_1d",
            point={"n": NEAR},
        ),
        Headline(
            label="Longest Fourier transform, nominal",
            metric="nominal_flop_rate",
            region="complex_1d",
            pick="last",
        ),
    ),
    figures=(
        Figure(
            title="Fourier transforms by their nominal operations, over the number of points",
            kind="curve",
            metric="nominal_flop_rate",
            x="n",
            x_label="points of the transform",
            series=("region", "layout"),
            panels=("region",),
            log_x=True,
            log_y=True,
        ),
    ),
)

"""The record of algorithms/fft: Fourier transforms, from L1d to memory."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Layout, Options, affordable, one_core_and_all
from heorot.catalogue.sizes import beyond_caches_bytes, share_of_memory
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.library import Library
from heorot.model.catalogue.metrics import Contribution, Headline, Metric, Traffic
from heorot.model.catalogue.usual import TIME, below_peak
from heorot.model.machine.machine import Machine

OWN = tuple(
    f"{kind}_{dimensions}d"
    for kind in ("complex", "real", "mixed", "mixed_real")
    for dimensions in (1, 2, 3)
)
FFTW = tuple(f"fftw_{region}" for region in OWN)
# Transforms of short profiles: one of each kind, and FFTW where it takes no longer.
_BRIEF = ("complex_1d", "complex_2d", "complex_3d", "real_1d", "mixed_1d", "fftw_complex_1d")
_SHARED_BY_THREADS = ("complex_2d", "complex_3d", "real_2d", "real_3d")
NEAR = 1024
_BUDGET: dict[Profile, float] = {"smoke": 0.005, "quick": 0.01, "standard": 0.05, "full": 0.2}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 2.0, "quick": 4.0, "standard": 60.0, "full": 180.0}
_BYTES_PER_POINT = 32
# Lines of prime length need two more transforms of at least twice the length.
_MOST_BYTES_PER_POINT = 160
# Time of a transform from memory over that in one dimension, of Heorot's code and of FFTW.
_SLOWNESS = {"complex_2d": 1.25, "real_2d": 1.25, "mixed_2d": 1.25, "mixed_real_2d": 1.25}
_SLOWNESS |= dict.fromkeys((each for each in FFTW if each.endswith("2d")), 10.0)
_SLOWNESS |= dict.fromkeys((each for each in FFTW if each.endswith("3d")), 5.0)
_estimate = by_counts(
    "algorithms/fft",
    Cost("points", 0.8, "budget"),
    # Planning by measurement, of which FFTW is given 10 budgets at most.
    Cost("points", 6.0, "budget", option="regions", factors=dict.fromkeys(OWN, 0.0)),
    # At least three bodies; threads wait for memory, and for each other.
    Cost("nominal_flops", 3 / 5e9, "core", True, "regions", _SLOWNESS),
    # Filling and checking.
    Cost("nominal_flops", 1 / 0.75e9, "core", alone=True),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core with all transforms; in longer profiles all cores, together and with copies."""
    room = share_of_memory(machine, 0.3) * _BYTES_PER_POINT // _MOST_BYTES_PER_POINT
    wanted = min(2 * beyond_caches_bytes(machine), room)

    def sized(total: int, layout: Layout) -> Case:
        n = 1 << (max(1, total // layout.copies // _BYTES_PER_POINT).bit_length() - 1)
        options: Options = {"max-n": max(n, 1 << 12), "budget": _BUDGET[profile]}
        if profile in {"smoke", "quick"}:
            options |= {"regions": ",".join(_BRIEF)}
        if layout.copies > 1:
            options |= {"regions": "complex_1d", "min-n": 256}
        if layout.threads > 1:
            options |= {"regions": ",".join(_SHARED_BY_THREADS), "min-n": 4096}
        return _estimate(machine, layout.case(options, "main"))

    return tuple(
        affordable(layout, sized, wanted, _MOST_SECONDS[profile])
        for layout in one_core_and_all(machine, profile)
    )


FFT = Benchmark(
    name="algorithms/fft",
    title="FFT",
    measures="FFT in 1, 2, 3 dimensions, FFTW",
    metrics=(
        Metric(name="nominal_flop_rate", unit="flop/s", better="higher", count="nominal_flops"),
        Metric(name="flop_rate", unit="flop/s", better="higher", count="flops", regions=OWN),
        TIME,
    ),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"max-n": NEAR, "mixed": "7,17,60,1000"}),
    ceilings=(below_peak("half of the flops are additions without FMA; data are reordered"),),
    # About a third of the flops of a long line multiply by roots of unity, as rotations do; the
    # others mostly add.
    contributions=(
        Contribution(
            kernel="rotation_rate", title="rotation", share=1 / 3, regions=("complex_1d",)
        ),
        Contribution(kernel="axpy_rate", title="DAXPY", share=2 / 3, regions=("complex_1d",)),
    ),
    # Output is only stored to: it is fetched before (write-allocate), and written back.
    traffic=(Traffic(carried=3 / 2),),
    libraries=(
        Library(
            name="FFTW",
            regions={theirs: (ours,) for theirs, ours in zip(FFTW, OWN, strict=True)},
            note="fftw",
            effort="FFTW_ESTIMATE, one thread",
        ),
    ),
    headlines=(
        Headline(
            label="FFT of 1024 complex doubles, nominal",
            metric="nominal_flop_rate",
            region="complex_1d",
            point={"n": NEAR},
        ),
        Headline(
            label="Longest FFT, nominal",
            metric="nominal_flop_rate",
            region="complex_1d",
            pick="largest",
            by="n",
            tells_level=True,
        ),
    ),
    figures=(
        Figure.curve(
            "FFT nominal flop rate over the number of points",
            "nominal_flop_rate",
            "n",
            "points of the transform",
            panels=("region",),
        ),
    ),
)

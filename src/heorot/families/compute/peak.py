"""The record of compute/peak: the flop peak of the FMA pipes."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import ONE_CORE, Layout, Options, growing_copies
from heorot.catalogue.sizes import all_cores
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Ceiling, Headline, Metric, Reference
from heorot.model.catalogue.usual import FLOP_RATE
from heorot.model.machine.machine import Machine

# The most trustworthy chain first: no known core shortens a chain of multiplications.
CLOCK_REGIONS = ("clock_multiply", "clock_add", "clock_xor")
_MOST_HZ = 7e9
# Share of clock x lanes x 2 x pipes: a lower peak was cut short, a far higher one had another
# frequency than the measured one.
LEAST_SHARE = 0.9
_PEAK_BUDGET: dict[Profile, float] = {"smoke": 0.08, "quick": 0.2, "standard": 1.0, "full": 2.0}

# Most regions reach a precise median long before their time is used up.
_estimate = by_counts("compute/peak", Cost("points", 0.1, "budget"))


def _peak_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    cores = all_cores(machine)
    together = [Layout("all_cores", threads=cores)] if cores > 1 else []
    # A thread measures the clock while the others idle: copies measure that of busy cores.
    busy = growing_copies(machine, profile) if profile != "smoke" else ()
    options: Options = {"budget": _PEAK_BUDGET[profile]}
    cases = [layout.case(options, "headline") for layout in (ONE_CORE, *together)]
    cases += [layout.case(options, "main") for layout in busy]
    return tuple(_estimate(machine, case) for case in cases)


PEAK = Benchmark(
    name="compute/peak",
    title="FMA peak",
    measures="peak flop/s of the FMA pipes, core clock",
    metrics=(
        FLOP_RATE,
        Metric(name="clock", unit="Hz", better="higher", count="cycles", per_rank=True),
    ),
    cases=_peak_cases,
    every_node=("all_cores", "one_core"),
    every_kind=("one_core",),
    estimate=_estimate,
    suits=("cores", "equals"),
    tiny=tiny_case({"steps": 1000}),
    derived=("flops_per_cycle",),
    publishes=(
        Reference(
            name="flop_peak", metric="flop_rate", regions=("fma_double",), least_share=LEAST_SHARE
        ),
        Reference(
            name="core_clock", metric="clock", regions=CLOCK_REGIONS, first=True, of_each=True
        ),
    ),
    ceilings=(
        Ceiling(
            metric="clock",
            most=_MOST_HZ,
            reason="no processor on sale has a higher clock",
        ),
    ),
    headlines=(
        Headline(
            label="FMA peak, double precision",
            metric="flop_rate",
            bound="FMA pipes x clock",
            region="fma_double",
            share_of="the FMA pipes of its kind of core, at the measured clock",
        ),
        Headline(label="Core clock", metric="clock", region="clock_multiply"),
        # If no latency of a multiplication is known reliably, another chain is used.
        Headline(label="Core clock", metric="clock", region="clock_add"),
    ),
    figures=(Figure.bars("FMA peak", "flop_rate", ("layout",)),),
)

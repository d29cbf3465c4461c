"""The record of memory/numa: bandwidth and latency of remote NUMA domains."""

from __future__ import annotations

from heorot.catalogue.asked import Asked
from heorot.catalogue.sizes import all_cores, beyond_caches_bytes, pace
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.catalogue.usual import BANDWIDTH
from heorot.model.machine.cpulist import parse_cpulist
from heorot.model.machine.machine import Machine

_REGIONS = ("bandwidth", "latency", "own_touch", "first_touch")
_PAIRED = 2  # done for every pair of domains
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.1, "standard": 0.5, "full": 1.0}
_LARGEST: dict[Profile, int] = {
    "smoke": 64 << 20,
    "quick": 256 << 20,
    "standard": 1 << 30,
    "full": 1 << 30,
}
# Writing an array, and building and checking a cycle through it, by one core.
_SECONDS_PER_BYTE = 1.5e-9
_LEAST_BODIES = 3


def _pairs(machine: Machine) -> int:
    """Number of pairs of a domain with allowed CPUs and one with usable memory, at least 1."""
    node = machine.node
    allowed = parse_cpulist(node.limits.allowed_cpus)
    # Memory without CPUs, such as that of GPUs, is read but reads nothing.
    lists = [parse_cpulist(one.cpus) for one in node.numa]
    readers = sum(bool(cpus & allowed if allowed else cpus) for cpus in lists)
    memories = sum(one.memory_bytes != 0 for one in node.usable_numa)
    return max(1, readers) * max(1, memories)


def _estimate(machine: Machine, case: Case) -> Case:
    """Every pair of domains: an array and a cycle of its own."""
    asked = Asked("memory/numa", case)
    size = asked.number("bytes")
    n_regions = len(asked.items("regions"))
    pairs = _pairs(machine)
    n = min(n_regions, _PAIRED) * pairs + max(0, n_regions - _PAIRED)
    each = size * (_SECONDS_PER_BYTE + _LEAST_BODIES / pace(machine).bandwidth(1))
    return asked.estimated(n * (asked.budget_seconds + each))


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """All cores; a detail with a single domain."""
    cores = all_cores(machine)
    case = Case(
        name="all_cores",
        options={
            "bytes": min(_LARGEST[profile], beyond_caches_bytes(machine, cores)),
            "budget": _BUDGET[profile],
        },
        threads=cores,
        priority="main" if _pairs(machine) > 1 else "detail",
    )
    return (_estimate(machine, case),)


NUMA = Benchmark(
    name="memory/numa",
    title="NUMA bandwidth",
    measures="bandwidth and latency to each NUMA domain",
    metrics=(
        BANDWIDTH,
        Metric(name="latency", unit="s", better="lower", count="loads", per_rank=True),
    ),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"bytes": 1 << 20}),
    derived=("remote_bandwidth", "remote_latency"),
    # Of the slowest pair of domains: a single domain has none.
    headlines=(
        Headline(label="Remote NUMA bandwidth", metric="remote_bandwidth", region="bandwidth"),
    ),
    figures=(
        Figure.bars(
            "Read bandwidth between NUMA domains",
            "bandwidth",
            ("from_domain", "to_domain"),
            regions=("bandwidth",),
            least_values=2,
        ),
        Figure.bars(
            "Load latency between NUMA domains",
            "latency",
            ("from_domain", "to_domain"),
            regions=("latency",),
            least_values=2,
        ),
    ),
)

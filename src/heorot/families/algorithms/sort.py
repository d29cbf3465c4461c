"""The record of algorithms/sort: keys sorted per second."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Layout, Options, affordable, one_core_and_all
from heorot.catalogue.sizes import beyond_caches_bytes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.library import standard
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.machine.machine import Machine

QUICK, MERGE, LIBRARY = "quick", "merge", "std_sort"
ORDERS = ("random", "ascending", "reversed", "few")
TYPES = ("integers", "doubles")
# Numbers of keys per doubling, and the budget of one region [s].
_SWEEP: dict[Profile, tuple[float, float]] = {
    "smoke": (0.25, 0.005),
    "quick": (0.5, 0.01),
    "standard": (0.5, 0.05),
    "full": (1.0, 0.2),
}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 1.0, "quick": 3.0, "standard": 15.0, "full": 60.0}
_BYTES_PER_KEY = 16
# The case of all orders and types, and its largest number of keys.
_OTHERS = "one_core_orders"
_MOST_OF_OTHERS = 1 << 17

# Time per key of a body with a million random keys; by all threads, or by one [s].
_BY_ALL = {QUICK: 8e-9, MERGE: 0.0, LIBRARY: 0.0}
_BY_ONE = {QUICK: 0.0, MERGE: 30e-9, LIBRARY: 70e-9}
_estimate = by_counts(
    "algorithms/sort",
    Cost("points", 0.4, "budget"),
    Cost("keys", 4.0, "core", option="regions", factors=_BY_ALL),
    Cost("keys", 4.0, "core", option="regions", factors=_BY_ONE, alone=True),
    # Keys are filled and checked; with few keys, several lists.
    Cost("keys", 10e-9, "core", alone=True),
    Cost("points", (1 << 17) * 10e-9, "core", alone=True),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """Random integers on one core; in longer profiles other keys, and all cores, too."""
    per_octave, budget = _SWEEP[profile]

    def sized(total: int, layout: Layout) -> Case:
        options: Options = {
            "max-keys": total // layout.copies // _BYTES_PER_KEY,
            "points-per-octave": per_octave,
            "budget": budget,
            "orders": "random",
            "types": "integers",
        }
        options |= {"regions": QUICK} if layout.cores > 1 else {}
        return _estimate(machine, layout.case(options, "main"))

    def others(total: int, layout: Layout) -> Case:
        options: Options = {
            "max-keys": min(total // _BYTES_PER_KEY, _MOST_OF_OTHERS),
            "points-per-octave": per_octave,
            "budget": budget,
        }
        case = layout.case(options).model_copy(update={"priority": "detail"})
        return _estimate(machine, case)

    wanted, seconds = beyond_caches_bytes(machine), _MOST_SECONDS[profile]
    layouts = one_core_and_all(machine, profile)
    cases = [affordable(layout, sized, wanted, seconds) for layout in layouts]
    if profile in {"standard", "full"}:
        cases.append(affordable(Layout(_OTHERS), others, wanted, seconds))
    return tuple(cases)


SORT = Benchmark(
    name="algorithms/sort",
    title="sorting",
    measures="64-bit keys: quicksort, merge, std::sort",
    metrics=(Metric(name="key_rate", unit="key/s", better="higher", count="keys"),),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    problem=("orders",),
    tiny=tiny_case({"max-keys": 1 << 14}),
    libraries=(standard("std::sort", {LIBRARY: (QUICK, MERGE)}),),
    headlines=(
        Headline(
            label="Vectorised quicksort, random 64-bit integers",
            metric="key_rate",
            region=QUICK,
            point={"type": "integers", "order": "random"},
            pick="largest",
            tells_level=True,
        ),
    ),
    figures=(
        Figure.curve(
            "Sorting rate over the number of keys",
            "key_rate",
            "n",
            "keys",
            series=("region", "order", "type", "layout"),
        ),
    ),
)

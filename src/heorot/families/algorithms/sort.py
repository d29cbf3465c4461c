"""The record of algorithms/sort: how many keys are sorted in a second."""

from __future__ import annotations

import math

from heorot.catalogue.asked import Asked
from heorot.catalogue.layouts import Layout, Options, affordable, one_core_and_all
from heorot.catalogue.sizes import beyond_caches_bytes, pace, second_level_bytes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.catalogue.usual import BANDWIDTH
from heorot.model.machine.machine import Machine

RADIX, MERGE, LIBRARY = "radix", "merge", "std_sort"
# What they take for a random key of a million [s].
_SECONDS_PER_KEY = {RADIX: 20e-9, MERGE: 30e-9, LIBRARY: 70e-9}
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
_CHECKED_SECONDS_PER_KEY = 10e-9
_LEAST_POOL = 1 << 17
_USED_OF_BUDGET = 0.4
_LEAST_BODIES = 4
# So many second-level caches of keys are gathered in lines: where that began to pay, with 1 MiB.
_GATHERED = 8
# The case of all orders and types, and its most keys.
_OTHERS = "one_core_orders"
_MOST_OF_OTHERS = 1 << 17


def _estimate(machine: Machine, case: Case) -> Case:
    """Numbers of keys by their budgets, and what the largest ones need beyond it."""
    asked = Asked("algorithms/sort", case)
    largest = asked.number("max-keys")
    smallest = min(asked.number("min-keys"), largest)
    per_octave = asked.number("points-per-octave")
    points = 1.0 + per_octave * math.log2(largest / smallest)
    regions = asked.items("regions")
    orders, types = (len(asked.items(each)) for each in ("orders", "types"))
    # The sizes grow geometrically: all together are so many times the largest.
    swept = largest / (1.0 - 2.0 ** (-1.0 / per_octave))
    sorted_once = sum(
        _SECONDS_PER_KEY[each] / (case.threads if each == RADIX else 1) for each in regions
    )
    filled = (swept + points * _LEAST_POOL) * _CHECKED_SECONDS_PER_KEY * len(regions)
    speed = pace(machine).speed(case.ranks * case.threads)
    each = (swept * _LEAST_BODIES * sorted_once + filled) / speed
    each += len(regions) * points * _USED_OF_BUDGET * asked.budget_seconds
    return asked.estimated(orders * types * each)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """Random integers on one core; in longer profiles other keys, and all cores, too."""
    per_octave, budget = _SWEEP[profile]
    gathered = _GATHERED * second_level_bytes(machine)
    cache: Options = {"gathered-bytes": gathered} if gathered else {}

    def sized(total: int, layout: Layout) -> Case:
        options: Options = {
            "max-keys": total // layout.copies // _BYTES_PER_KEY,
            "points-per-octave": per_octave,
            "budget": budget,
            "orders": "random",
            "types": "integers",
        }
        options |= cache | ({"regions": RADIX} if layout.cores > 1 else {})
        return _estimate(machine, layout.case(options, "main"))

    def others(total: int, layout: Layout) -> Case:
        options: Options = {
            "max-keys": min(total // _BYTES_PER_KEY, _MOST_OF_OTHERS),
            "points-per-octave": per_octave,
            "budget": budget,
        }
        case = layout.case(options | cache).model_copy(update={"priority": "detail"})
        return _estimate(machine, case)

    wanted, seconds = beyond_caches_bytes(machine), _MOST_SECONDS[profile]
    layouts = one_core_and_all(machine, profile)
    cases = [affordable(layout, sized, wanted, seconds) for layout in layouts]
    if profile in {"standard", "full"}:
        cases.append(affordable(Layout(_OTHERS), others, wanted, seconds))
    return tuple(cases)


SORT = Benchmark(
    name="algorithms/sort",
    metrics=(
        Metric(name="key_rate", unit="key/s", better="higher", count="keys"),
        BANDWIDTH,
    ),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"max-keys": 1000}),
    headlines=(
        Headline(
            label="Random integers sorted",
            metric="key_rate",
            region=RADIX,
            point={"type": "integers", "order": "random"},
            pick="largest",
            tells_level=True,
        ),
    ),
    figures=(
        Figure.curve(
            "Keys that are sorted in a second, over their number",
            "key_rate",
            "n",
            "keys",
            series=("region", "order", "type", "layout"),
        ),
    ),
)

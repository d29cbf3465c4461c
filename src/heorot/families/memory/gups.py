"""The record of memory/gups: GUPS, random updates per second."""

from __future__ import annotations

import math

from heorot.catalogue.asked import Asked
from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import ONE_CORE, Layout, Options, affordable, growing_copies
from heorot.catalogue.sizes import all_cores, beyond_caches_bytes, share_of_memory
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.catalogue.usual import BANDWIDTH
from heorot.model.machine.machine import Machine

_BUDGET: dict[Profile, float] = {"smoke": 0.05, "quick": 0.2, "standard": 1.0, "full": 4.0}
_SHARE: dict[Profile, float] = {"smoke": 0.05, "quick": 0.1, "standard": 0.25, "full": 0.5}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 2.0, "quick": 5.0, "standard": 30.0, "full": 120.0}

_estimate = by_counts(
    "memory/gups",
    Cost("points", 0.6, "budget"),
    # All threads update, one undoes the updates.
    Cost("points", 0.6, "budget", alone=True),
    Cost("updates", 3.0 * 30e-9, "core"),
    Cost("updates", 3.0 * 30e-9, "core", alone=True),
    # Tables are filled and checked, and the largest is touched before.
    Cost("swept_bytes", 2.75 / 2e9, "core", alone=True),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core with tables of all sizes; several and all, each with a table; all with one."""
    cores = all_cores(machine)
    room = share_of_memory(machine, _SHARE[profile])

    def wanted(layout: Layout) -> int:
        # The number of updates of the definition, if time allows, else enough for the same result.
        beyond = beyond_caches_bytes(machine, layout.cores)
        return room if profile == "full" else min(room, beyond)

    def sized(total: int, layout: Layout) -> Case:
        # A power of two, as in the program.
        largest = 1 << ((total // layout.copies).bit_length() - 1)
        alone = layout.cores == 1
        options: Options = {
            "regions": "exact" if layout.threads > 1 else "update",
            "max-bytes": largest,
            "pages": "huge",
            # One thread undoes all updates.
            "budget": round(
                _BUDGET[profile] / (4.0 if alone else max(1.0, layout.threads / 2.0)), 4
            ),
        }
        options |= {} if alone else {"min-bytes": largest}
        return _estimate(machine, layout.case(options, "main"))

    together = [Layout("all_cores", threads=cores)] if cores > 1 else []
    alone, *others = (
        affordable(each, sized, wanted(each), _MOST_SECONDS[profile])
        for each in (ONE_CORE, *together)
    )
    # Copies use a table that one core by itself has, too: the largest that memory and time allow.
    tables = _tables(alone)
    copies = []
    for layout in growing_copies(machine, profile):
        cases = [sized(layout.copies * size, layout) for size in tables]
        fitting = (each for each in cases if each.working_set_bytes <= room)
        in_time = (each for each in fitting if each.needs.seconds <= _MOST_SECONDS[profile])
        copies.append(next(in_time, cases[-1]))
    return alone, *copies, *others


def _tables(case: Case) -> list[int]:
    """The tables of a case [B], the largest first."""
    asked = Asked("memory/gups", case)
    largest = int(asked.number("max-bytes"))
    n_tables = 1 + int(math.log2(largest / asked.number("min-bytes")) / 2.0)
    return [largest >> (2 * k) for k in range(n_tables)]


GUPS = Benchmark(
    name="memory/gups",
    title="GUPS",
    measures="GUPS: random 8-byte updates of memory",
    metrics=(
        Metric(name="update_rate", unit="update/s", better="higher", count="updates"),
        BANDWIDTH,
    ),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    problem=("regions",),
    tiny=tiny_case({"max-bytes": 65536}),
    derived=("updates_under_way",),
    headlines=(
        Headline(
            label="GUPS, largest table",
            metric="update_rate",
            region="update",
            pick="largest",
            tells_level=True,
        ),
    ),
    figures=(
        Figure.curve(
            "GUPS over the table size",
            "update_rate",
            "working_set_bytes",
            "table of each rank [B]",
        ),
    ),
)

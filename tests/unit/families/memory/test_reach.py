"""Extent of working sets: past the caches of all cores in use, and to half of the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.memory.gups import GUPS
from heorot.families.memory.hierarchy import HIERARCHY
from heorot.families.memory.latency import LATENCY
from heorot.families.memory.numa import NUMA
from heorot.families.memory.stream import STREAM
from heorot.model.machine.machine import Cache
from heorot.model.machine.pace import Pace
from tests.unit.analyse.builders import a_machine

if TYPE_CHECKING:
    from heorot.model.catalogue.benchmark import Benchmark, Case, Profile
    from heorot.model.machine.machine import Machine

LAST_BYTES, N_LAST, N_CORES, GIBIBYTES = 32 << 20, 8, 64, 256
FAST = Pace(core_bandwidth=20e9, node_bandwidth=200e9)


def parted() -> Machine:
    """A node with a last cache for every eight of its cores."""
    caches = (
        Cache(level=2, kind="unified", size_bytes=1 << 20, n_instances=N_CORES, n_cpus=1),
        Cache(level=3, kind="unified", size_bytes=LAST_BYTES, n_instances=N_LAST, n_cpus=8),
    )
    machine = a_machine(N_CORES, gibibytes=GIBIBYTES, caches=caches)
    return machine.model_copy(update={"pace": FAST})


def largest(case: Case) -> int:
    """Working set of all ranks of a case [B]."""
    options = case.options
    each = options.get("bytes") or options.get("max-bytes") or 24 * int(options.get("n", 0))
    return case.ranks * int(each)


@pytest.mark.parametrize("profile", ["quick", "standard", "full"])
@pytest.mark.parametrize("program", [STREAM, HIERARCHY, GUPS, LATENCY], ids=lambda one: one.name)
def test_all_cores_go_past_all_their_caches(program: Benchmark, profile: Profile) -> None:
    cases = program.cases(parted(), profile)
    every = [case for case in cases if case.needs_cores == N_CORES]
    assert every
    # Three arrays of stream share this size.
    least = (2 if program is GUPS else 4) * LAST_BYTES * N_LAST
    assert all(largest(case) >= least for case in every)
    assert all(case.needs.memory_bytes < 0.65 * GIBIBYTES * (1 << 30) for case in cases)


def test_readers_of_all_domains_go_past_all_their_caches() -> None:
    (case,) = NUMA.cases(parted(), "standard")
    assert largest(case) == 4 * LAST_BYTES * N_LAST


@pytest.mark.parametrize(("profile", "least"), [("quick", 0.0), ("standard", 0.0), ("full", 0.2)])
@pytest.mark.parametrize("program", [HIERARCHY, GUPS], ids=lambda one: one.name)
def test_the_longest_profile_goes_to_half_of_the_memory_if_there_is_time(
    program: Benchmark, profile: Profile, least: float
) -> None:
    alone = next(case for case in program.cases(a_machine(2), profile) if case.name == "one_core")
    share = largest(alone) / (16 << 30)
    assert least <= share <= 0.5
    assert (share > 0.1) == (profile == "full")

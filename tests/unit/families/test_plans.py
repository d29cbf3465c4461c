"""All programs together: they fit any machine, and profiles take as long as promised."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from heorot.families import BENCHMARKS, FAMILIES
from heorot.model.catalogue.benchmark import PROFILES, Profile
from heorot.model.machine.machine import Cache, Machine
from heorot.model.machine.pace import Pace
from tests.unit.analyse.builders import a_machine
from tests.unit.families.planning import plan_of

# Two ranks of two threads, or two that slow down two others.
MOST_CORES_NEEDED = 4


def too_wide(profile: Profile, n_cores: int, which: Callable[[Iterator[bool]], bool]) -> set[str]:
    """The programs of which any case, or all, need more cores than a machine has."""
    machine = a_machine(n_cores)
    return {
        benchmark.name
        for benchmark in BENCHMARKS
        if profile in benchmark.profiles
        and which(case.needs_cores > n_cores for case in benchmark.cases(machine, profile))
    }


@pytest.mark.slow
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("n_cores", [1, 2, 6, 64])
def test_the_whole_catalogue_fits_any_machine(profile: Profile, n_cores: int) -> None:
    plan = plan_of(BENCHMARKS, profile, n_cores)
    sized = {benchmark.name for benchmark in BENCHMARKS if benchmark.size is not None}
    # Problems of given sizes are what they are: many copies of the large ones fit few machines.
    skipped = {
        case.benchmark
        for case in plan.skipped
        if "does not fit the time of" not in case.reason
        and not (case.benchmark in sized and "of memory" in case.reason)
    }
    assert skipped == too_wide(profile, n_cores, any)
    assert skipped <= {benchmark.name for benchmark in BENCHMARKS if benchmark.needs_mpi}
    assert not skipped or n_cores < MOST_CORES_NEEDED
    keys = [(step.benchmark, step.case, step.launch) for step in plan.steps]
    assert len(set(keys)) == len(keys)


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["smoke", "full"])
@pytest.mark.parametrize("n_cores", [2, 64])
def test_every_program_has_a_case_that_runs(n_cores: int, profile: Profile) -> None:
    plan = plan_of(BENCHMARKS, profile, n_cores)
    wanted = {each.name for each in BENCHMARKS if profile in each.profiles}
    assert wanted - {step.benchmark for step in plan.steps} == too_wide(profile, n_cores, all)


# Two cores of their own; two with the last cache of their whole host on record and half of its
# bandwidth; two that are slow; a node; one with a last cache for every eight cores.
MACHINES = {
    "zen": a_machine(2).model_copy(update={"pace": Pace(core_bandwidth=20e9, node_bandwidth=30e9)}),
    "guest": a_machine(
        2, caches=(Cache(level=3, kind="unified", size_bytes=480 << 20, n_cpus=2),)
    ).model_copy(update={"pace": Pace(vector_speed=2.4, core_bandwidth=10e9, node_bandwidth=15e9)}),
    "slow": a_machine(2).model_copy(
        update={"pace": Pace(scalar_speed=0.3, vector_speed=0.2, core_bandwidth=2e9)}
    ),
    "node": a_machine(64, gibibytes=64).model_copy(
        update={"pace": Pace(core_bandwidth=20e9, node_bandwidth=200e9, busy_share=0.8)}
    ),
    "parted": a_machine(
        64,
        gibibytes=256,
        caches=(
            Cache(level=2, kind="unified", size_bytes=1 << 20, n_instances=64, n_cpus=1),
            Cache(level=3, kind="unified", size_bytes=32 << 20, n_instances=8, n_cpus=8),
        ),
    ).model_copy(update={"pace": Pace(core_bandwidth=20e9, node_bandwidth=200e9, busy_share=0.8)}),
}


@pytest.mark.parametrize("machine", MACHINES.values(), ids=list(MACHINES))
@pytest.mark.parametrize(
    ("profile", "seconds"), [("smoke", 60.0), ("quick", 300.0), ("standard", 3600.0)]
)
def test_profiles_keep_their_promise_on_any_machine(
    machine: Machine, profile: Profile, seconds: float
) -> None:
    plan = plan_of(BENCHMARKS, profile, machine=machine)
    assert plan.seconds <= 0.8 * seconds
    cases = {(step.benchmark, step.case) for step in plan.steps}
    # No headline is missing while anything else runs, and no family at all.
    headlines = {
        (benchmark.name, case.name)
        for benchmark in BENCHMARKS
        if profile in benchmark.profiles
        for case in benchmark.cases(machine, profile)
        if case.priority == "headline"
    }
    assert headlines <= cases or cases <= headlines
    assert {name.partition("/")[0] for name, _ in cases} == {family.name for family in FAMILIES}


@pytest.mark.parametrize("name", ["memory/stream", "compute/vector_kernels"])
def test_a_cache_of_a_whole_host_costs_no_more_time(name: str) -> None:
    (program,) = [benchmark for benchmark in BENCHMARKS if benchmark.name == name]
    shown = MACHINES["guest"]
    modest = shown.model_copy(update={"nodes": MACHINES["zen"].nodes})
    for profile in PROFILES:
        reported, own = (program.cases(each, profile) for each in (shown, modest))
        assert sum(case.needs.seconds for case in reported) <= 2.5 * sum(
            case.needs.seconds for case in own
        )

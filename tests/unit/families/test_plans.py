"""All programs together: they fit any machine, and profiles take as long as promised."""

from __future__ import annotations

import pytest

from heorot.families import BENCHMARKS
from heorot.model.catalogue.benchmark import PROFILES, Profile
from tests.unit.families.planning import plan_of


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("n_cores", [1, 2, 64])
def test_the_whole_catalogue_fits_any_machine(profile: Profile, n_cores: int) -> None:
    plan = plan_of(BENCHMARKS, profile, n_cores)
    sized = {benchmark.name for benchmark in BENCHMARKS if benchmark.size is not None}
    # Problems of given sizes are what they are: many copies of the large ones fit few machines.
    skipped = {
        case.benchmark
        for case in plan.skipped
        if not (case.benchmark in sized and "of memory" in case.reason)
    }
    by_ranks = {benchmark.name for benchmark in BENCHMARKS if benchmark.needs_mpi}
    assert skipped == (by_ranks if n_cores == 1 else set())
    keys = [(step.benchmark, step.case, step.launch) for step in plan.steps]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("n_cores", [2, 64])
def test_every_program_has_a_case_that_runs(n_cores: int) -> None:
    plan = plan_of(BENCHMARKS, "smoke", n_cores)
    assert {step.benchmark for step in plan.steps} == {each.name for each in BENCHMARKS}


@pytest.mark.parametrize(
    ("profile", "seconds"), [("smoke", 60.0), ("quick", 300.0), ("standard", 3600.0)]
)
def test_profiles_take_about_as_long_as_promised(profile: Profile, seconds: float) -> None:
    assert plan_of(BENCHMARKS, profile).seconds < seconds

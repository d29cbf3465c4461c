"""The promise of a profile: kept with sixty programs, with fair turns, launches before cases."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from heorot.model.catalogue.benchmark import PRIORITIES, Case, Priority, Profile
from heorot.model.catalogue.need import Need
from heorot.model.run.request import Request
from heorot.plan.budget import FEWEST_LAUNCHES, LAUNCHES, PROMISED_SECONDS, Width, promised_seconds
from heorot.plan.candidate import Candidate
from heorot.plan.offer import Offer
from heorot.plan.planner import make_plan
from heorot.units import parse_duration
from tests.unit.analyse.builders import a_benchmark
from tests.unit.plan.test_planner import WITH_MPI

N_FAMILIES, N_PROGRAMS = 9, 60
SECONDS: dict[Profile, float] = {"smoke": 0.6, "quick": 2.5, "standard": 9.0, "full": 60.0}
ROOM = Offer(cores=2, memory_bytes=16 << 30)


def case_of(family: int, program: int, priority: Priority, seconds: float) -> Candidate:
    benchmark = a_benchmark(f"family{family}/program{program}")
    case = Case(name=priority, options={}, needs=Need(seconds=seconds), priority=priority)
    return Candidate(benchmark, case, WITH_MPI)


def sixty_programs(profile: Profile) -> list[Candidate]:
    """Each with a headline, which is short, and two other cases; family by family."""
    places = sorted((number % N_FAMILIES, number) for number in range(N_PROGRAMS))
    return [
        case_of(family, program, priority, (1 + i) * SECONDS[profile] * (1 + program % 5) / 3)
        for family, program in places
        for i, priority in enumerate(PRIORITIES)
    ]


@pytest.mark.parametrize("profile", ["smoke", "quick", "standard"])
def test_a_promise_holds_however_many_programs_come(profile: Profile) -> None:
    plan = make_plan(sixty_programs(profile), (), ROOM, Request(profile=profile), seed=1)
    assert 0.7 * PROMISED_SECONDS[profile] < plan.seconds <= 0.8 * PROMISED_SECONDS[profile]
    assert plan.budget_seconds == pytest.approx(0.9 * PROMISED_SECONDS[profile])
    launches = Counter(step.setup for step in plan.steps)
    assert FEWEST_LAUNCHES[profile] in launches.values()
    assert min(launches.values()) == FEWEST_LAUNCHES[profile]
    ran = {step.benchmark.partition("/")[0] for step in plan.steps}
    assert len(ran) == N_FAMILIES
    why = re.compile(
        rf"does not fit the time of {profile}: --budget \S+ has it, with one launch of each"
    )
    assert all(why.match(case.reason) for case in plan.skipped)


def test_quick_runs_headlines_of_all_families_before_anything_else() -> None:
    plan = make_plan(sixty_programs("quick"), (), ROOM, Request(), seed=1)
    cases = {(step.benchmark, step.case) for step in plan.steps}
    assert len(cases) >= 20
    headlines = Counter(name.partition("/")[0] for name, case in cases if case == "headline")
    assert len(headlines) == N_FAMILIES
    assert max(headlines.values()) - min(headlines.values()) <= 2


def test_full_runs_everything_and_takes_as_long_as_that_takes() -> None:
    plan = make_plan(sixty_programs("full"), (), ROOM, Request(profile="full"), seed=1)
    assert len(plan.steps) == 3 * N_PROGRAMS * LAUNCHES["full"]
    assert plan.skipped == ()
    assert plan.budget_seconds is None


def test_launches_are_taken_before_cases_but_not_too_many() -> None:
    four = [case_of(1, program, "headline", 13.0) for program in range(4)]  # 53 s a launch
    plan = make_plan(four, (), ROOM, Request(profile="quick"), seed=1)
    launches = Counter(step.setup for step in plan.steps)
    assert sorted(launches.values()) == [3, 5, 5, 5]
    assert plan.skipped == ()
    six = [case_of(1, program, "headline", 14.0) for program in range(6)]  # 85 s a launch
    plan = make_plan(six, (), ROOM, Request(profile="quick"), seed=1)
    launches = Counter(step.setup for step in plan.steps)
    assert sorted(launches.values()) == [3, 3, 3, 3, 4]
    assert len(plan.skipped) == 1


def test_who_asks_for_more_launches_gets_more_time_and_all_of_them() -> None:
    four = [case_of(1, program, "headline", 11.0) for program in range(4)]
    plan = make_plan(four, (), ROOM, Request(profile="quick", launches=10), seed=1)
    assert {step.launch for step in plan.steps} == {*range(1, 11)}
    assert plan.skipped == ()
    assert plan.budget_seconds == pytest.approx(0.9 * 600.0)
    long = [case_of(1, program, "headline", 20.0) for program in range(4)]  # 81 s a launch
    plan = make_plan(long, (), ROOM, Request(profile="quick", launches=10), seed=1)
    assert {step.launch for step in plan.steps} == {*range(1, 11)}
    assert len(plan.skipped) == 2
    fewer = make_plan(four, (), ROOM, Request(profile="quick", launches=2), seed=1)
    assert {step.launch for step in fewer.steps} == {1, 2}
    assert fewer.budget_seconds == pytest.approx(0.9 * 300.0)


def test_a_budget_replaces_the_promise_and_takes_launches_down_to_one() -> None:
    candidates = [case_of(1, program, "headline", 14.0) for program in range(8)]
    plan = make_plan(candidates, (), ROOM, Request(budget_seconds=100.0), seed=1)
    assert {step.launch for step in plan.steps} == {1}
    assert len(plan.steps) == 7
    assert plan.budget_seconds == 100.0
    assert 0.0 < plan.seconds <= 100.0


def test_nodes_and_networks_add_to_the_promise() -> None:
    one = promised_seconds(Request(profile="standard"))
    assert one == PROMISED_SECONDS["standard"]
    two = Request(profile="standard", nodes=(1, 2, 4))
    assert promised_seconds(two) == pytest.approx(2.0 * one)
    assert promised_seconds(two, Width(networks=2)) == pytest.approx(3.0 * one)
    often = Request(profile="quick", launches=10)
    assert promised_seconds(often, Width(toolchains=2)) == pytest.approx(1200.0)
    assert promised_seconds(Request(profile="full")) is None


def test_the_budget_that_is_named_has_what_was_left_out() -> None:
    candidates = sixty_programs("quick")
    plan = make_plan(candidates, (), ROOM, Request(), seed=1)
    open_ = [one for one in plan.experiments if one.budget_seconds]
    assert open_
    for one in open_[:: len(open_) // 5]:
        asked = Request(budget_seconds=one.budget_seconds)
        ran = {step.setup for step in make_plan(candidates, (), ROOM, asked, seed=1).steps}
        assert set(one.setups) <= ran
    for case in plan.skipped[::20]:
        found = re.search(r"--budget (\S+) has it", case.reason)
        assert found
        seconds = parse_duration(found[1])
        asked = Request(budget_seconds=seconds)
        assert case.setup in {s.setup for s in make_plan(candidates, (), ROOM, asked, seed=1).steps}

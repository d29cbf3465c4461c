"""The plan: blocks and shuffling, what does not fit and why, names that match nothing."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from heorot.model.catalogue.benchmark import PROFILES, Case, Profile
from heorot.model.catalogue.need import Need
from heorot.model.machine.toolchain import Mpi, Toolchain
from heorot.model.run.identity import Setup
from heorot.model.run.plan import Plan, SkippedCase
from heorot.model.run.request import Chosen, Request
from heorot.plan.budget import LAUNCHES
from heorot.plan.candidate import Candidate
from heorot.plan.offer import Offer
from heorot.plan.planner import make_plan
from tests.toolchains import some_compilers
from tests.unit.analyse.builders import a_benchmark

MPI = Mpi(flavour="openmpi", version="5.0.11", cxx=Path("mpicxx"), mpiexec=Path("mpiexec"))
WITH_MPI = Toolchain(
    name="gnu-12+openmpi-5.0.11", compilers=some_compilers("g++", "GNU 12.2.0"), mpi=MPI
)
WITHOUT_MPI = WITH_MPI.model_copy(update={"name": "gnu-12", "mpi": None})
ROOM = Offer(cores=4, memory_bytes=10 << 30)


def candidate(
    name: str,
    seconds: float = 1.0,
    *,
    toolchain: Toolchain = WITH_MPI,
    needs_mpi: bool = False,
    ranks: int = 1,
    threads: int = 1,
    nodes: int = 1,
    memory_bytes: int = 1 << 20,
    working_set_bytes: int = 0,
) -> Candidate:
    case = Case(
        name=f"case_{name}",
        options={"n": 1},
        ranks=ranks,
        threads=threads,
        nodes=nodes,
        needs=Need(memory_bytes=memory_bytes, seconds=seconds),
        working_set_bytes=working_set_bytes,
    )
    return Candidate(a_benchmark(f"family/{name}", needs_mpi=needs_mpi), case, toolchain)


def order(plan: Plan) -> list[str]:
    return [step.benchmark for step in plan.steps]


SIX = [candidate(name) for name in "abcdef"]


def test_every_case_runs_once_in_each_block() -> None:
    plan = make_plan(SIX, (), ROOM, Request(launches=4), seed=1)
    for launch in range(4):
        block = plan.steps[6 * launch : 6 * launch + 6]
        assert {step.launch for step in block} == {launch + 1}
        assert {step.benchmark for step in block} == {f"family/{name}" for name in "abcdef"}


def test_ids_are_unique_and_count_the_order() -> None:
    plan = make_plan(SIX, (), ROOM, Request(launches=3), seed=1)
    assert [step.id for step in plan.steps] == [f"S{n:04d}" for n in range(1, 19)]


def test_the_seed_decides_the_order() -> None:
    first, again, other = (make_plan(SIX, (), ROOM, Request(), seed=seed) for seed in (7, 7, 8))
    assert first == again
    assert first.digest == again.digest
    assert order(first) != order(other)
    assert Counter(order(first)) == Counter(order(other))


def test_blocks_differ_in_their_order() -> None:
    plan = make_plan(SIX, (), ROOM, Request(launches=5), seed=1)
    blocks = {tuple(order(plan)[6 * i : 6 * i + 6]) for i in range(5)}
    assert len(blocks) > 1


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_has_its_launches(profile: Profile) -> None:
    plan = make_plan(SIX, (), ROOM, Request(profile=profile), seed=1)
    assert len(plan.steps) == 6 * LAUNCHES[profile]
    assert plan.profile == profile


def test_the_estimate_is_the_sum_of_the_steps() -> None:
    plan = make_plan(
        [candidate("a", 2.0), candidate("b", 3.5)], (), ROOM, Request(launches=2), seed=1
    )
    assert plan.seconds == pytest.approx(sum(step.seconds for step in plan.steps))
    assert plan.seconds > 2 * 5.5


def test_a_timeout_leaves_room_for_a_slow_machine() -> None:
    plan = make_plan(
        [candidate("a", 0.1), candidate("b", 100.0)], (), ROOM, Request(launches=1), seed=1
    )
    timeouts = {step.benchmark: step.timeout_seconds for step in plan.steps}
    assert timeouts["family/a"] >= 60.0
    assert timeouts["family/b"] >= 500.0


def test_a_step_has_what_its_case_says() -> None:
    one = candidate("a", 2.0036, ranks=2, threads=2, memory_bytes=5, working_set_bytes=4)
    one = replace(one, case=one.case.model_copy(update={"priority": "headline"}))
    (step,) = make_plan([one], (), ROOM, Request(launches=1), seed=1).steps
    assert (step.ranks, step.threads, step.per_node, step.nodes) == (2, 2, 2, 1)
    assert (dict(step.options), step.memory_bytes, step.attempt) == ({"n": 1}, 5, 1)
    assert step.working_set_bytes == 4
    assert step.seconds == 2.22
    assert step.priority == "headline"
    assert step.toolchain == WITH_MPI.name


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (candidate("x", ranks=2, threads=4), "needs 8 cores, 4 may be used: 4 too many"),
        (
            candidate("x", memory_bytes=9 << 30),
            "needs 9 GiB of memory, 8.5 GiB may be used: 512 MiB too much",
        ),
        (candidate("x", toolchain=WITHOUT_MPI, needs_mpi=True), "the toolchain has no MPI"),
        (candidate("x", nodes=2, ranks=8), "needs 2 nodes, 1 may be used: 1 too many"),
        (candidate("x", toolchain=WITHOUT_MPI, ranks=2), "the toolchain has no MPI"),
    ],
)
def test_what_does_not_fit_is_skipped_with_the_reason(one: Candidate, reason: str) -> None:
    plan = make_plan([*SIX, one], (), ROOM, Request(), seed=1)
    (skipped,) = plan.skipped
    assert skipped == SkippedCase(setup=one.setup, reason=reason)
    assert (skipped.case, skipped.toolchain) == ("case_x", one.toolchain.name)
    assert "family/x" not in order(plan)


TWO_NODES = Offer(cores=4, memory_bytes=10 << 30, nodes=2)


def test_ranks_are_spread_over_the_nodes() -> None:
    one = candidate("a", nodes=2, ranks=7, memory_bytes=12 << 30)
    (step,) = make_plan([one], (), TWO_NODES, Request(launches=1), seed=1).steps
    assert (step.nodes, step.ranks, step.per_node) == (2, 7, 4)


@pytest.mark.parametrize(
    ("threads", "gibibytes", "reason"),
    [
        (5, 1, "needs 5 cores on each node, 4 may be used: 1 too many"),
        (1, 18, "needs 9 GiB of memory on each node, 8.5 GiB may be used: 512 MiB too much"),
    ],
)
def test_every_node_must_have_its_share(threads: int, gibibytes: int, reason: str) -> None:
    one = candidate("a", nodes=2, ranks=2, threads=threads, memory_bytes=gibibytes << 30)
    plan = make_plan([one], (), TWO_NODES, Request(), seed=1)
    assert [case.reason for case in plan.skipped] == [reason]


def test_one_rank_needs_no_mpi() -> None:
    plan = make_plan([candidate("a", toolchain=WITHOUT_MPI)], (), ROOM, Request(), seed=1)
    assert plan.skipped == ()


def test_what_was_known_before_stays() -> None:
    known = SkippedCase(setup=Setup(benchmark="b", case="c", toolchain="t"), reason="r")
    assert make_plan(SIX, [known], ROOM, Request(), seed=1).skipped == (known,)


START = candidate("a", 0.0).seconds  # time of starting a program


def test_a_budget_takes_launches_first() -> None:
    cases = [candidate("a", 10.0 - START), candidate("b", 20.0 - START)]  # 30 s a launch
    plan = make_plan(cases, (), ROOM, Request(launches=5, budget_seconds=95.0), seed=1)
    assert {step.launch for step in plan.steps} == {1, 2, 3}
    assert plan.skipped == ()
    assert plan.seconds <= 95.0
    assert plan.budget_seconds == 95.0


def test_what_fills_budget_and_memory_to_the_last_fits() -> None:
    cases = [
        candidate("a", 10.0 - START, memory_bytes=17 << 20),
        candidate("b", 20.0 - START),
    ]  # 30 s a launch
    room = Offer(cores=1, memory_bytes=20 << 20)
    plan = make_plan(cases, (), room, Request(launches=5, budget_seconds=120.001), seed=1)
    assert {step.launch for step in plan.steps} == {1, 2, 3, 4}
    assert plan.skipped == ()


def test_a_budget_that_is_just_enough_is_enough() -> None:
    short, long = candidate("a", 5.0), candidate("b", 50.0)
    plan = make_plan(
        [short], (), ROOM, Request(launches=5, budget_seconds=3 * short.seconds), seed=1
    )
    assert len(plan.steps) == 3
    plan = make_plan(
        [short, long], (), ROOM, Request(launches=1, budget_seconds=short.seconds), seed=1
    )
    assert order(plan) == ["family/a"]


def test_a_small_budget_then_takes_the_longest_cases() -> None:
    cases = [candidate("a", 9.5), candidate("b", 99.8), candidate("c", 19.5)]
    plan = make_plan(cases, (), ROOM, Request(launches=5, budget_seconds=31.0), seed=1)
    assert sorted(order(plan)) == ["family/a", "family/c"]
    (skipped,) = plan.skipped
    assert skipped.benchmark == "family/b"
    assert skipped.reason == (
        "takes about 1 min 40 s; cases of higher priority use the budget of 31 s: --budget "
        "1min50s has it"
    )


def test_a_budget_that_fits_nothing_leaves_nothing() -> None:
    plan = make_plan(SIX, (), ROOM, Request(budget_seconds=0.5), seed=1)
    assert plan.steps == ()
    assert len(plan.skipped) == 6
    assert plan.seconds == 0.0


def test_no_launch_takes_longer_than_forty_minutes_unless_the_user_says_so() -> None:
    cases = [candidate("a", 2400.0 - START), candidate("b", 2500.0)]
    plan = make_plan(cases, (), ROOM, Request(profile="full"), seed=1)
    assert set(order(plan)) == {"family/a"}
    assert {step.timeout_seconds for step in plan.steps} == {2400.0}
    (skipped,) = plan.skipped
    assert skipped.reason == (
        "takes about 41 min 40 s, one launch may take 40 min: 1 min 40 s too long: --timeout"
    )
    patient = Request(profile="full", timeout_seconds=3600.0)
    plan = make_plan(cases, (), ROOM, patient, seed=1)
    assert set(order(plan)) == {"family/a", "family/b"}
    assert {step.timeout_seconds for step in plan.steps} == {3600.0}


def test_what_the_user_chose_runs_however_long_it_takes() -> None:
    one = candidate("a", 5000.0)
    request = Request(launches=1, chosen=Chosen(benchmark=one.benchmark.name, case=one.case))
    (step,) = make_plan([one], (), ROOM, request, seed=1).steps
    assert step.timeout_seconds > 5000.0


def copies(name: str, *rounds: tuple[tuple[int, ...], ...]) -> Candidate:
    one = candidate(name, 2.0)
    case = one.case.model_copy(update={"each_node": True})
    return replace(one, case=case, rounds=rounds)


def test_each_node_runs_a_copy_and_those_of_a_round_share_a_wave() -> None:
    plan = make_plan([copies("a", ((0,), (1,)), ((2,),))], (), ROOM, Request(launches=2), seed=1)
    assert [(step.id, step.place, step.wave) for step in plan.steps] == [
        *(("S0001", (0,), 1), ("S0002", (1,), 1), ("S0003", (2,), 0)),
        *(("S0004", (0,), 4), ("S0005", (1,), 4), ("S0006", (2,), 0)),
    ]
    assert {step.launch for step in plan.steps[:3]} == {1}
    assert all(step.each_node and step.timeout_seconds == 60.0 for step in plan.steps)


def test_copies_that_run_at_the_same_time_cost_as_much_as_one() -> None:
    together, in_turn = (
        make_plan([copies("a", *rounds)], (), ROOM, Request(launches=1), seed=1)
        for rounds in ([((0,), (1,), (2,), (3,))], [((0,),), ((1,),), ((2,),), ((3,),)])
    )
    assert 4 * together.seconds == pytest.approx(in_turn.seconds)
    assert sum(step.seconds for step in together.steps) == pytest.approx(together.seconds, abs=0.1)


@pytest.mark.timed
def test_a_plan_for_a_thousand_nodes_and_sixty_programs_takes_seconds() -> None:
    every = tuple((number,) for number in range(1000))
    programs = [copies(f"p{number}", every) for number in range(60)]
    started = time.process_time()
    plan = make_plan(
        programs, (), Offer(4, 10 << 30, 1000), Request(profile="full", launches=3), seed=1
    )
    assert len(plan.steps) == 180_000
    assert plan.digest
    assert time.process_time() - started < 5.0

"""The cases of the NAS Parallel Benchmarks: classes, layouts, copies, needs."""

from __future__ import annotations

import pytest

from heorot.catalogue.asked import Asked
from heorot.families.npb import FAMILY, needs, programs
from heorot.families.npb.needs import CLASSES, Needs
from heorot.model.catalogue.benchmark import PROFILES, Benchmark, Case, Profile
from heorot.model.machine.pace import Pace
from tests.unit.analyse.builders import a_machine
from tests.unit.families.planning import plan_of

IN_TIME = {"ep", "is", "cg", "mg", "ft"}  # class A, of a quick look on two cores
PROGRAMS: dict[str, tuple[Benchmark, Needs]] = {
    (name := each.name.partition("/")[2]): (each, getattr(needs, name.upper()))
    for each in FAMILY.benchmarks
}

every_program = pytest.mark.parametrize(
    ("benchmark", "need"), PROGRAMS.values(), ids=list(PROGRAMS)
)


@every_program
def test_what_is_needed_is_that_of_the_program(benchmark: Benchmark, need: Needs) -> None:
    assert need.program == benchmark.name


def cases_of(name: str, profile: Profile, n_cores: int = 2) -> dict[str, Case]:
    benchmark, _ = PROGRAMS[name]
    return {case.name: case for case in benchmark.cases(a_machine(n_cores), profile)}


def working_set_bytes(need: Needs, size: str) -> int:
    case = Case(name="x", options={"class": size})
    return Asked(need.program, case).cost("working_set_bytes")


@every_program
def test_a_larger_class_needs_more(benchmark: Benchmark, need: Needs) -> None:
    seconds = [need.body_seconds(size, 1, Pace()) for size in CLASSES]
    assert seconds == sorted(seconds)
    sizes = [need.memory_bytes(size, 1) for size in CLASSES]
    assert sizes == sorted(sizes)
    if benchmark.name != "npb/ep":
        assert sizes[-1] > 1 << 30


@pytest.mark.parametrize(
    ("name", "gibibytes"),
    # Words for every point of a cube of 408 or 1024, bytes of 2^31 points, keys and elements.
    [("mg", 32.2), ("ft", 120.0), ("is", 32.0), ("lu", 15.2), ("cg", 16.5)],
)
def test_memory_of_class_d_by_hand(name: str, gibibytes: float) -> None:
    _, need = PROGRAMS[name]
    assert working_set_bytes(need, "D") / (1 << 30) == pytest.approx(gibibytes, rel=0.02)


@every_program
def test_copies_need_a_problem_each(benchmark: Benchmark, need: Needs) -> None:
    copies = Case(name="x", options={"class": "A", "star": True}, ranks=3)
    three = Asked(need.program, copies).cost("memory_bytes")
    assert three == pytest.approx(3 * need.memory_bytes("A", 1), abs=3)
    assert need.memory_bytes("A", 3) < three
    for case in benchmark.cases(a_machine(3), "standard"):
        own = working_set_bytes(need, str(case.options["class"]))
        assert case.working_set_bytes == own * (case.ranks if case.options.get("star") else 1)
        assert case.working_set_bytes < case.needs.memory_bytes


def test_smoke_runs_class_s_on_all_cores_only() -> None:
    for name in PROGRAMS:
        (case,) = cases_of(name, "smoke").values()
        assert (case.name, case.ranks, case.threads) == ("S_all_cores_ranks", 2, 1)
        (alone,) = cases_of(name, "smoke", 1).values()
        assert (alone.name, alone.ranks) == ("S_one_core", 1)


def test_quick_runs_one_class_in_three_layouts_or_on_all_cores_alone() -> None:
    usual = ["one_core", "all_cores_ranks", "all_cores_threads"]
    for name in PROGRAMS:
        found = [case.partition("_") for case in cases_of(name, "quick")]
        assert {size for size, _, _ in found} == {"A" if name in IN_TIME else "W"}
        assert [each for _, _, each in found] == (usual[1:2] if name == "ep" else usual)


def test_quick_runs_class_a_where_it_fits_the_time() -> None:
    def classes(pace: Pace, n_cores: int = 2) -> dict[str, str]:
        machine = a_machine(n_cores).model_copy(update={"pace": pace})
        return {
            name: str(benchmark.cases(machine, "quick")[0].options["class"])
            for name, (benchmark, _) in PROGRAMS.items()
        }

    here = classes(Pace())
    assert {name for name, size in here.items() if size == "A"} == IN_TIME
    alone = classes(Pace(), 1)
    assert {name for name, size in alone.items() if size == "A"} == IN_TIME - {"ep"}
    assert set(classes(Pace(), 8).values()) == {"A"}
    fast = classes(Pace(scalar_speed=4.0, vector_speed=4.0))
    assert {"ep", "lu"} <= {name for name, size in fast.items() if size == "A"}
    assert set(classes(Pace(scalar_speed=0.04, vector_speed=0.04)).values()) == {"W"}


def test_all_cores_are_ranks_or_threads_of_one() -> None:
    cases = cases_of("cg", "quick", 8)
    layouts = {name: (case.ranks, case.threads) for name, case in cases.items()}
    assert layouts == {
        "A_one_core": (1, 1),
        "A_all_cores_ranks": (8, 1),
        "A_all_cores_threads": (1, 8),
    }


def test_multi_zone_programs_mix_ranks_and_threads() -> None:
    assert "W_2x2" in cases_of("bt_mz", "quick", 4)
    whole = cases_of("lu_mz", "standard", 8)
    layouts = {(case.ranks, case.threads) for case in whole.values() if case.name[0] == "B"}
    assert {(8, 1), (4, 2), (2, 4), (1, 8)} <= layouts
    assert not any("x" in name for name in cases_of("lu", "standard", 8))


def test_no_zone_is_shared_by_ranks() -> None:
    (case,) = cases_of("bt_mz", "smoke", 8).values()
    assert (case.name, case.ranks, case.threads) == ("S_all_cores_hybrid", 4, 2)
    for profile in PROFILES:
        for case in cases_of("lu_mz", profile, 48).values():
            assert case.ranks <= 16 or case.options.get("star")


def test_standard_scales_one_class_over_the_cores() -> None:
    cases = cases_of("mg", "standard", 6)
    scaled = [case for case in cases.values() if case.name[0] == "A" and case.threads == 1]
    assert sorted({case.ranks for case in scaled}) == [1, 2, 4, 6]
    assert {"B_one_core", "A_one_core", "A_all_cores_ranks", "A_all_cores_threads"} <= set(cases)


@every_program
def test_standard_and_full_run_a_copy_on_every_core(benchmark: Benchmark, need: Needs) -> None:
    del need
    for profile in ("standard", "full"):
        cases = benchmark.cases(a_machine(4), profile)
        wide = [case for case in cases if case.name.endswith("_copies") and case.ranks == 4]
        copies = {case.options["class"]: case for case in wide}
        assert copies
        assert all(case.options.get("star") and case.threads == 1 for case in copies.values())
        alone = {case.name: case for case in cases}
        for size, case in copies.items():
            assert case.needs.seconds == pytest.approx(alone[f"{size}_one_core"].needs.seconds)


def test_copies_of_some_programs_grow_with_the_cores() -> None:
    def ranks(name: str, profile: Profile) -> list[int]:
        cases = cases_of(name, profile, 8).values()
        return sorted({case.ranks for case in cases if case.options.get("star")})

    assert ranks("cg", "standard") == ranks("cg", "full") == [2, 4, 8]
    assert ranks("cg", "quick") == []
    assert ranks("mg", "standard") == [8]


def test_what_does_not_fit_is_left_to_the_plan_which_says_why() -> None:
    machine = a_machine(64, gibibytes=64)
    plan = plan_of([programs.FT], "full", machine=machine)
    assert not any(step.case.startswith("D") for step in plan.steps)
    reasons = {one.case: one.reason for one in plan.skipped}
    assert reasons["D_all_cores_ranks"] == (
        "needs 157 GiB of memory, 54.4 GiB may be used: 102 GiB too much"
    )
    large = plan_of([programs.FT], "full", machine=a_machine(64, gibibytes=512))
    assert any(step.case == "D_all_cores_ranks" for step in large.steps)


def counts_of(name: str, profile: Profile, n_cores: int) -> dict[str, list[int]]:
    """The core counts on which each class runs, a body shared by all of them."""
    found: dict[str, set[int]] = {}
    for case in cases_of(name, profile, n_cores).values():
        if not case.options.get("star"):
            found.setdefault(str(case.options["class"]), set()).add(case.ranks * case.threads)
    return {size: sorted(counts) for size, counts in found.items()}


@pytest.mark.parametrize(
    ("name", "n_cores", "counts"),
    [
        ("sp", 2, {"W": [1, 2], "A": [1, 2]}),
        ("sp", 8, {"A": [1, 2, 4, 8], "B": [4, 8]}),
        ("lu", 64, {"A": [1, 64], "B": [1, 2, 4, 8, 16, 32, 64], "C": [4, 8, 16, 32, 64]}),
        ("ep", 2, {"A": [1, 2], "B": [1, 2]}),
    ],
)
def test_the_classes_scaled_follow_the_size_of_the_machine(
    name: str, n_cores: int, counts: dict[str, list[int]]
) -> None:
    assert counts_of(name, "standard", n_cores) == counts


def test_full_scales_three_classes_and_adds_what_only_all_cores_can_do() -> None:
    assert counts_of("sp", "full", 2) == {"A": [1, 2], "B": [1, 2], "C": [1, 2], "D": [2]}
    large = counts_of("sp", "full", 64)
    assert list(large) == ["A", "B", "C", "D", "E"]
    assert (large["D"], large["E"]) == ([32, 64], [64])


def test_a_class_whose_needs_are_not_listed_has_ranks_enough() -> None:
    assert needs.LU_MZ.ranks_at_most("E") == needs.LU_MZ.ranks_at_most("D") == 16
    assert needs.MG.share_out("E", 64) == (64, 1)


@every_program
@pytest.mark.parametrize("n_cores", [1, 2, 3, 7, 48])
def test_layouts_use_no_more_than_there_is(benchmark: Benchmark, need: Needs, n_cores: int) -> None:
    for profile in PROFILES:
        cases = benchmark.cases(a_machine(n_cores), profile)
        assert len({case.name for case in cases}) == len(cases)
        layouts = {(*case.options.values(), case.ranks, case.threads) for case in cases}
        assert len(layouts) == len(cases)
        for case in cases:
            assert case.needs_cores == case.ranks * case.threads <= n_cores
            if not case.options.get("star"):
                assert case.ranks <= need.ranks_at_most(str(case.options["class"]))


@pytest.mark.parametrize(("profile", "seconds"), [("quick", 240.0), ("standard", 2400.0)])
def test_all_programs_together_keep_to_their_time(profile: Profile, seconds: float) -> None:
    plan = plan_of([benchmark for benchmark, _ in PROGRAMS.values()], profile)
    assert plan.skipped == ()
    assert plan.seconds <= seconds


@every_program
def test_a_long_body_is_estimated_in_full(benchmark: Benchmark, need: Needs) -> None:
    for case in benchmark.cases(a_machine(), "standard"):
        body = need.body_seconds(str(case.options["class"]), case.ranks * case.threads, Pace())
        assert case.needs.seconds >= body
        assert case.needs.seconds >= float(case.options["budget"])


@every_program
def test_a_case_of_the_users_own_is_estimated_as_that_of_the_catalogue(
    benchmark: Benchmark, need: Needs
) -> None:
    del need
    assert benchmark.estimate
    for case in benchmark.cases(a_machine(4), "standard"):
        own = Case(name=case.name, options={}, ranks=case.ranks, threads=case.threads)
        own.options.update({name: str(value) for name, value in case.options.items()})
        estimated = benchmark.estimate(a_machine(4), own)
        assert estimated.needs.seconds == pytest.approx(case.needs.seconds)
        assert estimated.needs.memory_bytes == case.needs.memory_bytes
        assert estimated.working_set_bytes == case.working_set_bytes


def test_classes_beyond_all_plans_are_known_by_their_operations() -> None:
    machine = a_machine()
    assert programs.FT.estimate
    largest, larger = (
        programs.FT.estimate(machine, Case(name="x", options={"class": size})) for size in "DE"
    )
    # 2^34 points, not 2^31, and logarithms of them.
    assert larger.needs.seconds == pytest.approx(8 * 34 / 31 * largest.needs.seconds, rel=0.03)
    assert larger.working_set_bytes == 8 * largest.working_set_bytes
    assert larger.needs.memory_bytes > 1 << 40


@pytest.mark.parametrize("size", ["Z", "AB", ""])
def test_of_what_is_no_class_nothing_is_known(size: str) -> None:
    case = Case(name="x", options={"class": size})
    assert programs.EP.estimate
    assert programs.EP.estimate(a_machine(), case) == case


def test_a_faster_machine_needs_less_time() -> None:
    fast = a_machine().model_copy(update={"pace": Pace(vector_speed=2.0)})
    for name, (benchmark, need) in PROGRAMS.items():
        slower, faster = (
            next(case for case in benchmark.cases(each, "standard") if case.name == "A_one_core")
            for each in (a_machine(), fast)
        )
        assert (faster.needs.seconds < slower.needs.seconds) is need.vector, name


def test_the_best_layout_of_the_class_shown_comes_first() -> None:
    for profile, shown in zip(
        PROFILES, ("S", "", "A", "A"), strict=True
    ):  # W is too small to judge by
        found = [one.name for one in cases_of("bt", profile).values() if one.priority == "headline"]
        assert found == ([f"{shown}_all_cores_ranks"] if shown else [])
    (first,) = [one for one in cases_of("cg", "quick").values() if one.priority == "headline"]
    assert first.name == "A_all_cores_ranks"
    (alone,) = cases_of("bt", "quick", 1).values()
    assert (alone.name, alone.priority) == ("W_one_core", "main")

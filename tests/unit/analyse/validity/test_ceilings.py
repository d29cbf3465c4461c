"""Bounds: good results stay plausible, impossible ones do not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.validity.ceilings import apply_ceilings, refuse_impossible
from heorot.model.catalogue.metrics import Ceiling, Reference, Traffic
from heorot.model.resource import ONE_CORE
from tests.unit.analyse.builders import a_benchmark, a_context, a_steady_result, a_step

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result
    from heorot.model.catalogue.benchmark import Benchmark

BY_PEAK = Ceiling(metric="rate", by="peak", reason="nothing computes faster than the peak")


def peak(median: float = 100e9, **changes: Any) -> Result:
    fields = {"benchmark": "units/top", "region": "main", "metric": "rate"}
    return a_steady_result(median=median, **(fields | changes))


def rate(median: float = 20e9, **changes: Any) -> Result:
    fields = {"benchmark": "work/some", "region": "main", "metric": "rate"}
    return a_steady_result(median=median, **(fields | changes))


def run_of(rows: list[Result], *rules: Ceiling) -> Context:
    """A run of a program that publishes its rate as the peak, and of one with these bounds."""
    publishes = (Reference(name="peak", metric="rate", regions=("main", "other")),)
    programs = (
        a_benchmark("units/top", publishes=publishes),
        a_benchmark("work/some", ceilings=rules or (BY_PEAK,)),
    )
    return a_context(rows, benchmarks=programs)


def judge(rows: list[Result], *rules: Ceiling) -> Result:
    """The last row after all are judged."""
    context = run_of(rows, *rules)
    context = context.replacing(refuse_impossible(context))
    context = context.replacing(apply_ceilings(context))
    return list(context.rows)[-1]


def test_the_share_is_of_the_row_with_as_many_cores() -> None:
    judged = judge([peak(), peak(150e9, threads=2), rate(30e9, threads=2)])
    assert judged.share_of_ceiling == pytest.approx(0.2)
    assert judged.plausible is True


def test_without_as_many_cores_one_core_is_scaled() -> None:
    judged = judge([peak(), rate(threads=4)])
    assert judged.share_of_ceiling == pytest.approx(20 / 400)


@pytest.mark.parametrize("clock", [{"ranks": 2}, {"threads": 2}, {}])
def test_what_each_core_does_limits_several_by_as_many(clock: dict[str, int]) -> None:
    """A clock is that of one core, also where copies or idle threads keep others."""
    publishes = (Reference(name="peak", metric="rate", regions=("main",), of_each=True),)
    programs = (
        a_benchmark("units/top", publishes=publishes),
        a_benchmark("work/some", ceilings=(BY_PEAK,)),
    )
    context = a_context([peak(4e9, **clock), rate(7e9, ranks=2)], benchmarks=programs)
    (judged,) = apply_ceilings(context)
    assert judged.share_of_ceiling == pytest.approx(7 / 8)
    assert judged.plausible is True


def test_only_rows_with_a_bound_are_judged() -> None:
    rows = [peak(), rate(), rate(metric="time"), rate(benchmark="work/unknown")]
    assert [row.id for row in apply_ceilings(run_of(rows))] == [rows[1].id]


def test_a_rule_may_be_limited_to_regions() -> None:
    rule = BY_PEAK.model_copy(update={"regions": ("main",)})
    assert judge([peak(), rate()], rule).plausible is True
    assert judge([peak(), rate(region="other")], rule).plausible is None


def test_a_factor_converts() -> None:
    rule = BY_PEAK.model_copy(update={"factor": 0.5})
    assert judge([peak(), rate()], rule).share_of_ceiling == pytest.approx(0.4)


def test_a_limit_of_one_core_is_not_scaled() -> None:
    rule = BY_PEAK.model_copy(update={"of": ONE_CORE})
    rows = [peak(), peak(400e9, threads=4), rate(threads=4)]
    assert judge(rows, rule).share_of_ceiling == pytest.approx(0.2)


def test_only_what_reaches_far_enough_is_a_bound() -> None:
    rule = BY_PEAK.model_copy(update={"reach": ("bytes", "room", 2.0)})
    measured = [peak(400e9, point={"room": 8}), peak(100e9, point={"room": 64})]

    def share(size: int) -> float | None:
        return judge([*measured, rate(point={"bytes": size})], rule).share_of_ceiling

    assert [share(4), share(5), share(33)] == [
        pytest.approx(0.05),
        pytest.approx(0.2),
        None,
    ]


def test_ten_times_the_bound_is_impossible() -> None:
    judged = judge([peak(), rate(1000e9)])
    assert judged.plausible is False
    assert judged.share_of_ceiling == pytest.approx(10.0)
    assert not judged.ranked


@pytest.mark.parametrize(("low", "plausible"), [(104e9, True), (111e9, False)])
def test_the_intervals_of_both_decide(low: float, plausible: bool) -> None:
    row = rate(112e9, ci_low=low, ci_high=120e9)
    assert judge([peak(), row]).plausible is plausible


@pytest.mark.parametrize(("slack", "plausible"), [(1.2, True), (1.05, False)])
def test_slack_leaves_room_for_a_known_reason(slack: float, plausible: bool) -> None:
    rule = BY_PEAK.model_copy(update={"slack": slack})
    assert judge([peak(), rate(115e9)], rule).plausible is plausible


def test_what_only_refuses_yields_no_share() -> None:
    """As eight operations a cycle, which no division approaches."""
    rule = BY_PEAK.model_copy(update={"refuses_only": True, "factor": 8.0})
    judged = judge([peak(), rate()], rule)
    assert (judged.share_of_ceiling, judged.plausible) == (None, True)
    judged = judge([peak(), rate(900e9)], rule)
    assert judged.plausible is False
    assert judged.share_of_ceiling == pytest.approx(9 / 8)


def test_what_stores_fetch_is_carried_too() -> None:
    """In memory a triad carries a third more than it counts, a copy half as much."""
    publishes = (Reference(name="drawn", metric="rate", regions=("read", "copy", "triad")),)
    rule = Ceiling(metric="rate", by="drawn", carried=True, slack=2.5)
    traffic = (Traffic(regions=("copy",), carried=1.5), Traffic(regions=("triad",), carried=4 / 3))
    loops = a_benchmark("units/top", publishes=publishes, ceilings=(rule,), traffic=traffic)
    rows = [peak(24e9, region="read"), peak(20e9, region="copy"), peak(18e9, region="triad")]
    context = a_context(rows, benchmarks=[loops])
    read, copy, triad = apply_ceilings(context)
    assert read.share_of_ceiling == pytest.approx(24 / 30)
    assert (copy.is_ceiling, copy.share_of_ceiling) == (True, None)
    assert triad.share_of_ceiling == pytest.approx(18 * 4 / 3 / 30)


def test_no_measured_bound_means_no_verdict() -> None:
    unpublished = BY_PEAK.model_copy(update={"by": "unheard_of"})
    for judged in (judge([rate()]), judge([peak(), rate()], unpublished)):
        assert judged.plausible is None
        assert judged.share_of_ceiling is None


@pytest.mark.parametrize("flaw", [{"verified": "failed"}, {"plausible": False}])
def test_a_number_that_is_wrong_is_no_bound(flaw: dict[str, Any]) -> None:
    assert judge([peak(**flaw), rate()]).share_of_ceiling is None


def test_a_perturbed_bound_flags_no_result() -> None:
    judged = judge([peak(3e9, disturbed=True), rate()])
    assert judged.plausible is None
    assert judged.share_of_ceiling == pytest.approx(20 / 3)


def test_a_perturbed_bound_gives_way_to_one_core() -> None:
    rows = [peak(), peak(3e9, threads=2, disturbed=True), rate(threads=2)]
    judged = judge(rows)
    assert judged.share_of_ceiling == pytest.approx(0.1)
    assert judged.plausible is True


def test_a_perturbed_bound_that_is_higher_all_the_same_is_the_bound() -> None:
    """Such as the widest vectors, if only narrower ones were measured unperturbed."""
    judged = judge([peak(50e9), peak(100e9, region="other", disturbed=True), rate(95e9)])
    assert judged.share_of_ceiling == pytest.approx(0.95)
    assert judged.plausible is None


def test_a_slow_measurement_of_all_cores_does_not_convict_others() -> None:
    rows = [peak(), peak(3e9, threads=2), rate(threads=2)]
    assert judge(rows).plausible is True


def test_what_any_toolchain_reaches_limits_a_node() -> None:
    rows = [peak(50e9), peak(toolchain="clang-16"), rate()]
    assert judge(rows).share_of_ceiling == pytest.approx(0.2)


def test_between_nodes_the_same_toolchain_comes_first() -> None:
    rows = [peak(50e9), peak(toolchain="clang-16"), rate(nodes=2, ranks=2)]
    assert judge(rows).share_of_ceiling == pytest.approx(0.2)
    assert judge(rows[1:]).share_of_ceiling == pytest.approx(0.1)


def limited_by_itself() -> Benchmark:
    """A program that publishes its limit."""
    return a_benchmark(
        "work/some",
        publishes=(Reference(name="peak", metric="rate", regions=("main", "other")),),
        ceilings=(BY_PEAK,),
    )


def test_what_is_its_own_bound_cannot_vouch_for_itself() -> None:
    own = limited_by_itself()
    rows = [rate(200e9), rate(20e9, region="other")]
    fast, slow = apply_ceilings(a_context(rows, benchmarks=(own,)))
    assert fast.share_of_ceiling == pytest.approx(10.0)
    assert fast.plausible is False
    assert slow.share_of_ceiling == pytest.approx(0.1)
    assert slow.plausible is True
    (alone,) = apply_ceilings(a_context(rows[:1], benchmarks=(own,)))
    assert (alone.share_of_ceiling, alone.plausible, alone.is_ceiling) == (None, None, True)


def test_the_best_of_what_is_its_own_bound_has_no_share_of_itself() -> None:
    own = limited_by_itself()
    rows = [rate(20e9), rate(20.1e9, region="other")]
    second, first = apply_ceilings(a_context(rows, benchmarks=(own,)))
    assert (first.share_of_ceiling, first.plausible, first.is_ceiling) == (None, True, True)
    assert second.share_of_ceiling == pytest.approx(20 / 20.1)
    assert not second.is_ceiling


@pytest.mark.parametrize(("reached", "plausible"), [(0.89, None), (0.95, False), (1.2, None)])
def test_a_bound_far_from_its_own_flags_no_result(reached: float, plausible: bool | None) -> None:
    published = Reference(name="peak", metric="rate", regions=("main",), least_share=0.9)
    programs = (
        a_benchmark("units/top", publishes=(published,)),
        a_benchmark("work/some", ceilings=(BY_PEAK,)),
    )
    rows = [peak(share_of_ceiling=reached), rate(200e9)]
    (judged,) = apply_ceilings(a_context(rows, benchmarks=programs))
    assert judged.plausible is plausible


NEVER = Ceiling(metric="rate", most=30e9, reason="no machine on sale does that")


def test_what_no_machine_does_is_refused_with_its_share() -> None:
    rows = [rate(60e9), rate(20e9, region="other"), rate(60e9, metric="time")]
    (refused,) = refuse_impossible(run_of(rows, NEVER))
    assert (refused.id, refused.plausible) == (rows[0].id, False)
    assert refused.share_of_ceiling == pytest.approx(2.0)


def test_what_may_be_possible_is_not_refused() -> None:
    unsure = rate(60e9, ci_low=29e9)
    assert refuse_impossible(run_of([unsure], NEVER)) == []
    elsewhere = NEVER.model_copy(update={"regions": ("other",)})
    assert refuse_impossible(run_of([rate(60e9)], elsewhere)) == []


def test_what_nothing_is_expected_to_reach_yields_no_share() -> None:
    judged = judge([rate()], NEVER)
    assert (judged.share_of_ceiling, judged.plausible) == (None, None)


def test_a_constant_does_not_hide_what_is_measured() -> None:
    judged = judge([peak(), rate()], NEVER, BY_PEAK)
    assert judged.share_of_ceiling == pytest.approx(0.2)


@pytest.mark.parametrize("disturbed", [False, True])
def test_what_was_refused_stays_refused(disturbed: bool) -> None:
    rows = [peak(disturbed=disturbed), rate(60e9)]
    judged = judge(rows, NEVER, BY_PEAK)
    assert judged.plausible is False
    assert judged.share_of_ceiling == pytest.approx(2.0)


def test_several_nodes_have_so_many_times_the_bound_of_one() -> None:
    full = peak(150e9, threads=2)
    rows = [peak(), full, peak(360e9, threads=4), rate(60e9, ranks=4, nodes=2)]
    assert judge(rows).share_of_ceiling == pytest.approx(60 / (2 * 150))
    both = peak(320e9, threads=2, ranks=2, nodes=2, case="both")
    rows.insert(0, both)
    assert judge(rows).share_of_ceiling == pytest.approx(60 / 320)
    one_each = rate(60e9, ranks=2, nodes=2)
    assert judge([peak(), full, one_each]).share_of_ceiling == pytest.approx(0.3)


def test_the_bound_of_a_network_s_row_is_built_by_its_toolchain() -> None:
    step = a_step(toolchain="gnu", network="ib", nodes=2)
    rows = [
        peak(200e9, toolchain="clang"),
        peak(toolchain="gnu"),
        rate(60e9, ranks=2, nodes=2, toolchain="gnu", network="ib"),
    ]
    context = replace(run_of(rows), steps=[step])
    (judged,) = [row for row in apply_ceilings(context) if row.benchmark == "work/some"]
    assert judged.share_of_ceiling == pytest.approx(0.3)

"""Ceilings: what is healthy stays plausible, what is impossible does not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.trust.ceilings import apply_ceilings, refuse_impossible
from heorot.model.catalogue.metrics import Ceiling, Reference

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result
    from heorot.model.catalogue.benchmark import Benchmark
    from tests.unit.conftest import Kit

BY_PEAK = Ceiling(metric="rate", by="peak", reason="nothing computes faster than the peak")


def peak(kit: Kit, median: float = 100e9, **changes: Any) -> Result:
    fields = {"benchmark": "units/top", "region": "main", "metric": "rate"}
    return kit.result(median=median, **(fields | changes))


def rate(kit: Kit, median: float = 20e9, **changes: Any) -> Result:
    fields = {"benchmark": "work/some", "region": "main", "metric": "rate"}
    return kit.result(median=median, **(fields | changes))


def run_of(kit: Kit, rows: list[Result], *rules: Ceiling) -> Context:
    """A run of a program that publishes its rate as the peak, and of one with these ceilings."""
    publishes = (Reference(name="peak", metric="rate", regions=("main", "other")),)
    programs = (
        kit.benchmark("units/top", publishes=publishes),
        kit.benchmark("work/some", ceilings=rules or (BY_PEAK,)),
    )
    return kit.context(rows, benchmarks=programs)


def judge(kit: Kit, rows: list[Result], *rules: Ceiling) -> Result:
    """The last row as it stands when all are judged."""
    context = run_of(kit, rows, *rules)
    context.rows.replace(refuse_impossible(context))
    context.rows.replace(apply_ceilings(context))
    return list(context.rows)[-1]


def test_the_share_is_of_the_row_with_as_many_cores(kit: Kit) -> None:
    judged = judge(kit, [peak(kit), peak(kit, 150e9, threads=2), rate(kit, 30e9, threads=2)])
    assert judged.share_of_ceiling == pytest.approx(0.2)
    assert judged.plausible is True


def test_without_as_many_cores_one_core_is_scaled(kit: Kit) -> None:
    judged = judge(kit, [peak(kit), rate(kit, threads=4)])
    assert judged.share_of_ceiling == pytest.approx(20 / 400)


def test_only_rows_with_a_ceiling_are_judged(kit: Kit) -> None:
    rows = [peak(kit), rate(kit), rate(kit, metric="time"), rate(kit, benchmark="work/unknown")]
    assert [row.key for row in apply_ceilings(run_of(kit, rows))] == [rows[1].key]


def test_a_rule_may_be_limited_to_regions(kit: Kit) -> None:
    rule = BY_PEAK.model_copy(update={"regions": ("main",)})
    assert judge(kit, [peak(kit), rate(kit)], rule).plausible is True
    assert judge(kit, [peak(kit), rate(kit, region="other")], rule).plausible is None


def test_a_factor_converts(kit: Kit) -> None:
    rule = BY_PEAK.model_copy(update={"factor": 0.5})
    assert judge(kit, [peak(kit), rate(kit)], rule).share_of_ceiling == pytest.approx(0.4)


def test_a_limit_of_one_core_is_not_scaled(kit: Kit) -> None:
    rule = BY_PEAK.model_copy(update={"cores": "one"})
    rows = [peak(kit), peak(kit, 400e9, threads=4), rate(kit, threads=4)]
    assert judge(kit, rows, rule).share_of_ceiling == pytest.approx(0.2)


def test_only_what_reaches_far_enough_is_a_ceiling(kit: Kit) -> None:
    rule = BY_PEAK.model_copy(update={"reach": ("bytes", "room", 2.0)})
    measured = [peak(kit, 400e9, point={"room": 8}), peak(kit, 100e9, point={"room": 64})]

    def share(size: int) -> float | None:
        return judge(kit, [*measured, rate(kit, point={"bytes": size})], rule).share_of_ceiling

    assert [share(4), share(5), share(33)] == [
        pytest.approx(0.05),
        pytest.approx(0.2),
        None,
    ]


def test_ten_times_the_ceiling_is_impossible(kit: Kit) -> None:
    judged = judge(kit, [peak(kit), rate(kit, 1000e9)])
    assert judged.plausible is False
    assert judged.share_of_ceiling == pytest.approx(10.0)
    assert not judged.ranked


@pytest.mark.parametrize(("low", "plausible"), [(104e9, True), (111e9, False)])
def test_the_intervals_of_both_decide(kit: Kit, low: float, plausible: bool) -> None:
    row = rate(kit, 112e9, ci_low=low, ci_high=120e9)
    assert judge(kit, [peak(kit), row]).plausible is plausible


@pytest.mark.parametrize(("slack", "plausible"), [(1.2, True), (1.05, False)])
def test_slack_leaves_room_for_a_known_reason(kit: Kit, slack: float, plausible: bool) -> None:
    rule = BY_PEAK.model_copy(update={"slack": slack})
    assert judge(kit, [peak(kit), rate(kit, 115e9)], rule).plausible is plausible


def test_no_measured_ceiling_means_no_verdict(kit: Kit) -> None:
    unpublished = BY_PEAK.model_copy(update={"by": "unheard_of"})
    for judged in (judge(kit, [rate(kit)]), judge(kit, [peak(kit), rate(kit)], unpublished)):
        assert judged.plausible is None
        assert judged.share_of_ceiling is None


@pytest.mark.parametrize("flaw", [{"verified": "failed"}, {"plausible": False}])
def test_a_number_that_is_wrong_is_no_ceiling(kit: Kit, flaw: dict[str, Any]) -> None:
    assert judge(kit, [peak(kit, **flaw), rate(kit)]).share_of_ceiling is None


def test_a_disturbed_ceiling_convicts_nobody(kit: Kit) -> None:
    judged = judge(kit, [peak(kit, 3e9, disturbed=True), rate(kit)])
    assert judged.plausible is None
    assert judged.share_of_ceiling == pytest.approx(20 / 3)


def test_a_disturbed_ceiling_gives_way_to_one_core(kit: Kit) -> None:
    rows = [peak(kit), peak(kit, 3e9, threads=2, disturbed=True), rate(kit, threads=2)]
    judged = judge(kit, rows)
    assert judged.share_of_ceiling == pytest.approx(0.1)
    assert judged.plausible is True


def test_a_slow_measurement_of_all_cores_does_not_convict_others(kit: Kit) -> None:
    rows = [peak(kit), peak(kit, 3e9, threads=2), rate(kit, threads=2)]
    assert judge(kit, rows).plausible is True


def test_what_any_toolchain_reaches_limits_a_node(kit: Kit) -> None:
    rows = [peak(kit, 50e9), peak(kit, toolchain="clang-16"), rate(kit)]
    assert judge(kit, rows).share_of_ceiling == pytest.approx(0.2)


def test_between_nodes_the_same_toolchain_comes_first(kit: Kit) -> None:
    rows = [peak(kit, 50e9), peak(kit, toolchain="clang-16"), rate(kit, nodes=2, ranks=2)]
    assert judge(kit, rows).share_of_ceiling == pytest.approx(0.2)
    assert judge(kit, rows[1:]).share_of_ceiling == pytest.approx(0.1)


def limited_by_itself(kit: Kit) -> Benchmark:
    """A program that publishes what limits it."""
    return kit.benchmark(
        "work/some",
        publishes=(Reference(name="peak", metric="rate", regions=("main", "other")),),
        ceilings=(BY_PEAK,),
    )


def test_what_is_its_own_ceiling_cannot_vouch_for_itself(kit: Kit) -> None:
    own = limited_by_itself(kit)
    rows = [rate(kit, 200e9), rate(kit, 20e9, region="other")]
    fast, slow = apply_ceilings(kit.context(rows, benchmarks=(own,)))
    assert fast.share_of_ceiling == pytest.approx(200 / 20.2)
    assert fast.plausible is False
    assert slow.share_of_ceiling == pytest.approx(0.1)
    assert slow.plausible is True
    (alone,) = apply_ceilings(kit.context(rows[:1], benchmarks=(own,)))
    assert (alone.share_of_ceiling, alone.plausible, alone.is_ceiling) == (None, None, True)


def test_the_best_of_what_is_its_own_ceiling_has_no_share_of_itself(kit: Kit) -> None:
    own = limited_by_itself(kit)
    rows = [rate(kit, 20e9), rate(kit, 20.1e9, region="other")]
    second, first = apply_ceilings(kit.context(rows, benchmarks=(own,)))
    assert (first.share_of_ceiling, first.plausible, first.is_ceiling) == (None, True, True)
    assert second.share_of_ceiling == pytest.approx(20 / 20.1)
    assert not second.is_ceiling


@pytest.mark.parametrize(("reached", "plausible"), [(0.89, None), (0.95, False), (1.2, None)])
def test_a_ceiling_far_from_its_own_convicts_nobody(
    kit: Kit, reached: float, plausible: bool | None
) -> None:
    published = Reference(name="peak", metric="rate", regions=("main",), least_share=0.9)
    programs = (
        kit.benchmark("units/top", publishes=(published,)),
        kit.benchmark("work/some", ceilings=(BY_PEAK,)),
    )
    rows = [peak(kit, share_of_ceiling=reached), rate(kit, 200e9)]
    (judged,) = apply_ceilings(kit.context(rows, benchmarks=programs))
    assert judged.plausible is plausible


NEVER = Ceiling(metric="rate", most=30e9, reason="no machine on sale does that")


def test_what_no_machine_does_is_refused_with_its_share(kit: Kit) -> None:
    rows = [rate(kit, 60e9), rate(kit, 20e9, region="other"), rate(kit, 60e9, metric="time")]
    (refused,) = refuse_impossible(run_of(kit, rows, NEVER))
    assert (refused.key, refused.plausible) == (rows[0].key, False)
    assert refused.share_of_ceiling == pytest.approx(2.0)


def test_what_may_be_possible_is_not_refused(kit: Kit) -> None:
    unsure = rate(kit, 60e9, ci_low=29e9)
    assert refuse_impossible(run_of(kit, [unsure], NEVER)) == []
    elsewhere = NEVER.model_copy(update={"regions": ("other",)})
    assert refuse_impossible(run_of(kit, [rate(kit, 60e9)], elsewhere)) == []


def test_what_nothing_is_expected_to_reach_yields_no_share(kit: Kit) -> None:
    judged = judge(kit, [rate(kit)], NEVER)
    assert (judged.share_of_ceiling, judged.plausible) == (None, None)


def test_a_constant_does_not_hide_what_is_measured(kit: Kit) -> None:
    judged = judge(kit, [peak(kit), rate(kit)], NEVER, BY_PEAK)
    assert judged.share_of_ceiling == pytest.approx(0.2)


@pytest.mark.parametrize("disturbed", [False, True])
def test_what_was_refused_stays_refused(kit: Kit, disturbed: bool) -> None:
    rows = [peak(kit, disturbed=disturbed), rate(kit, 60e9)]
    judged = judge(kit, rows, NEVER, BY_PEAK)
    assert judged.plausible is False
    assert judged.share_of_ceiling == pytest.approx(2.0)


def test_several_nodes_have_so_many_times_the_ceiling_of_one(kit: Kit) -> None:
    full = peak(kit, 150e9, threads=2)
    rows = [peak(kit), full, peak(kit, 360e9, threads=4), rate(kit, 60e9, ranks=4, nodes=2)]
    assert judge(kit, rows).share_of_ceiling == pytest.approx(60 / (2 * 150))
    both = peak(kit, 320e9, threads=2, ranks=2, nodes=2, case="both")
    rows.insert(0, both)
    assert judge(kit, rows).share_of_ceiling == pytest.approx(60 / 320)
    one_each = rate(kit, 60e9, ranks=2, nodes=2)
    assert judge(kit, [peak(kit), full, one_each]).share_of_ceiling == pytest.approx(0.3)


def test_the_ceiling_of_a_network_s_row_is_built_by_its_toolchain(kit: Kit) -> None:
    step = kit.step(toolchain="gnu", network="ib", nodes=2)
    rows = [
        peak(kit, 200e9, toolchain="clang"),
        peak(kit, toolchain="gnu"),
        rate(kit, 60e9, ranks=2, nodes=2, toolchain=step.label),
    ]
    context = replace(run_of(kit, rows), steps=[step])
    (judged,) = [row for row in apply_ceilings(context) if row.benchmark == "work/some"]
    assert judged.share_of_ceiling == pytest.approx(0.3)

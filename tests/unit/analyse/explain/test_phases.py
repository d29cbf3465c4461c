"""Breakdowns of a body's time: the shares by hand, over launches, in rows and in sentences."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from heorot.analyse.explain.phases import attribute, break_down, share_rows, shares_of
from heorot.analyse.results import group_series
from heorot.model.analysis.breakdown import SHARES, Breakdown
from heorot.model.run.ranks import Phase
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_series
from tests.unit.analyse.explain.problems import SOLVER, a_run_of
from tests.unit.model.keys import but

Seconds = tuple[float, ...]


def phase(name: str, computation: Seconds, communication: Seconds, **changes: Seconds) -> Phase:
    nothing = (0.0,) * len(computation)
    values = {"messages": nothing, "bytes": nothing, "collectives": nothing} | changes
    return Phase(
        name=name,
        computation_seconds=computation,
        communication_seconds=communication,
        messages=values["messages"],
        bytes=values["bytes"],
        collectives=values["collectives"],
    )


# Two ranks, bodies of 10 s: rank 0 computes 6 + 2 = 8 s, rank 1 computes 4 + 0 = 4 s.
BY_HAND = (
    phase("rhs", (6.0, 4.0), (0.5, 2.0), messages=(2.0, 3.0), bytes=(800.0, 1200.0)),
    phase("rest", (2.0, 0.0), (1.5, 4.0), collectives=(1.0, 1.0)),
)


def slow_down(phases: tuple[Phase, ...], factor: float) -> tuple[Phase, ...]:
    """The same with that much more communication, and the rest unchanged."""
    return tuple(
        one.model_copy(
            update={"communication_seconds": tuple(factor * s for s in one.communication_seconds)}
        )
        for one in phases
    )


def series_of(phases: tuple[Phase, ...], **changes: object) -> Series:
    fields = {
        "benchmark": SOLVER.name,
        "case": "W_all_cores_ranks",
        "region": "solve",
        "point": {"class": "W"},
        "counts": {"flops": 1e6},
        "ranks": phases[0].n_ranks if phases else 2,
        "per_node": 2,
        "phases": phases,
    }
    return a_series(**(fields | changes))


def breakdowns_of(*series: Series) -> list[Breakdown]:
    return [breakdown for _, breakdown in break_down(group_series(series))]


def test_shares_by_hand() -> None:
    # mean of 8 and 4 is 6, the most 8, the body 10
    assert shares_of(BY_HAND) == pytest.approx((0.6, 0.2, 0.2))


def test_one_rank_never_waits() -> None:
    alone = (phase("a", (3.0,), (1.0,)), phase("rest", (0.0,), (0.0,)))
    assert shares_of(alone) == pytest.approx((0.75, 0.0, 0.25))


def test_equal_ranks_never_wait() -> None:
    equal = (phase("a", (3.0, 3.0, 3.0), (1.0, 1.0, 1.0)),)
    assert shares_of(equal) == pytest.approx((0.75, 0.0, 0.25))


times = st.floats(min_value=0.0, max_value=1e3, allow_subnormal=False)


@given(
    st.integers(min_value=1, max_value=5).flatmap(
        lambda n_ranks: st.lists(
            st.tuples(*[st.tuples(*[times] * n_ranks)] * 2), min_size=1, max_size=4
        )
    )
)
def test_shares_add_up_to_one(values: list[tuple[Seconds, Seconds]]) -> None:
    phases = [phase(f"p{i}", *each) for i, each in enumerate(values)]
    assume(sum(sum(both) for each in values for both in each) > 1e-3)
    shares = shares_of(phases)
    assert math.fsum(shares) == pytest.approx(1.0)
    assert all(-1e-12 <= share <= 1.0 + 1e-12 for share in shares)


def test_a_breakdown_by_hand() -> None:
    (one,) = breakdowns_of(series_of(BY_HAND))
    assert one.seconds.median == pytest.approx(10.0)
    assert [share.median for share in one.shares] == pytest.approx([0.6, 0.2, 0.2])
    assert one.load_balance.median == pytest.approx(0.75)
    rhs, rest = one.phases
    assert (rhs.name, rest.name) == ("rhs", "rest")
    assert (rhs.computation.median, rhs.computation_most.median) == pytest.approx((5.0, 6.0))
    assert (rhs.communication.median, rhs.communication_most.median) == pytest.approx((1.25, 2.0))
    assert (rhs.messages, rhs.bytes, rest.collectives) == (5.0, 2000.0, 1.0)
    assert (one.ranks, one.copies, one.n_launches) == (2, 0, 1)


def test_launches_have_a_median_and_ends() -> None:
    launches = [
        series_of(slow_down(BY_HAND, factor), launch=launch)
        for launch, factor in enumerate((1.0, 2.0, 4.0), start=1)
    ]
    (one,) = breakdowns_of(*launches)
    # Rank 1 ends last: 4 s of computing and 6, 12 or 24 s of communication.
    ends = [8.0 / 10.0, 8.0 / 16.0, 8.0 / 28.0]
    assert one.communication.low == pytest.approx(1.0 - ends[0])
    assert one.communication.median == pytest.approx(1.0 - ends[1])
    assert one.communication.high == pytest.approx(1.0 - ends[2])
    assert one.n_launches == 3


def test_programs_without_phases_have_no_breakdown() -> None:
    assert breakdowns_of(series_of(())) == []
    mixed = [series_of(BY_HAND), series_of((), launch=2)]
    assert breakdowns_of(*mixed) == []


def test_cases_are_kept_apart() -> None:
    found = breakdowns_of(
        series_of(BY_HAND),
        series_of(BY_HAND, case="W_copies", options={"star": True}),
        series_of(BY_HAND, toolchain="gnu-12+mpich"),
        series_of(BY_HAND, point={"class": "A"}),
    )
    assert len(found) == 4
    assert [one.copies for one in found] == [0, 2, 0, 0]


def test_shares_become_rows() -> None:
    launches = [series_of(BY_HAND, launch=launch) for launch in (1, 2)]
    ((group, _),) = break_down(group_series(launches))
    rows = share_rows(group, run="night", system="here")
    assert [row.metric for row in rows] == list(SHARES)
    assert [row.median for row in rows] == pytest.approx([0.6, 0.2, 0.2])
    assert [row.better for row in rows] == ["higher", "lower", "lower"]
    assert {(row.unit, row.derived, row.n, row.n_launches) for row in rows} == {("1", True, 2, 2)}
    assert len({row.id for row in rows}) == 3


def sentences(*series: Series) -> list[str]:
    divided = list(break_down(group_series(series)))
    rows = [row for group, _ in divided for row in share_rows(group, run="r", system="s")]
    attributions = attribute(a_run_of(*rows), [breakdown for _, breakdown in divided])
    assert all(set(each.evidence) <= {row.id for row in rows} for each in attributions)
    return [each.text for each in attributions]


def test_a_sentence_by_hand() -> None:
    (text,) = sentences(series_of(BY_HAND))
    assert text == (
        "On 2 ranks Solver class W spends 20 % [1 launch] of its time communicating, most of "
        "it outside its named phases, and 20 % [1 launch] waiting for the slowest rank."
    )


def test_waiting_comes_first_where_it_is_worse() -> None:
    uneven = (phase("sweep", (9.0, 1.0), (0.0, 8.5)), phase("rest", (0.5, 0.5), (0.5, 0.0)))
    (text,) = sentences(series_of(uneven, threads=2))
    assert text.startswith(
        "On 2 ranks of 2 threads Solver class W spends 40 % [1 launch] of its time waiting "
        "for the slowest rank and 5.0 % [1 launch] communicating, most of it in sweep"
    )


def test_little_loss_one_rank_and_copies_need_no_sentence() -> None:
    good = (phase("a", (9.5, 9.4), (0.5, 0.6)),)
    alone = (phase("a", (5.0,), (5.0,)),)
    assert sentences(series_of(good)) == []
    assert sentences(series_of(alone)) == []
    assert sentences(series_of(BY_HAND, options={"star": True})) == []
    assert sentences(series_of(BY_HAND, verified="failed")) == []


def test_a_smaller_class_that_loses_far_more_is_named() -> None:
    long = tuple(one.model_copy(update={"computation_seconds": (15.0, 15.0)}) for one in BY_HAND)
    small = series_of(slow_down(BY_HAND, 4.0), case="S_x", point={"class": "S"})
    (text,) = sentences(small, series_of(long, case="A_x", point={"class": "A"}))
    # 6 of 36 s, and 22 of 28 s: rank 1 computes 4 s and communicates 24 s, rank 0 computes 8 s
    assert text == (
        "On 2 ranks Solver class A spends 17 % [1 launch] of its time communicating, most of "
        "it outside its named phases; class S, with less to compute for each message, loses "
        "79 % [1 launch]."
    )


def test_several_nodes_are_named_and_not_compared_with_one() -> None:
    long = tuple(one.model_copy(update={"computation_seconds": (15.0, 15.0)}) for one in BY_HAND)
    apart = series_of(long, case="A_2", point={"class": "A"}, nodes=2)
    inside = series_of(slow_down(BY_HAND, 4.0), case="S_1", point={"class": "S"})
    (text,) = sentences(apart, inside)
    assert text == (
        "On 2 ranks on 2 nodes Solver class A spends 17 % [1 launch] of its time "
        "communicating, most of it outside its named phases."
    )


def launches_of(*both: tuple[float, float]) -> list[Series]:
    """Launches whose bodies of 100 s wait and communicate for the given seconds."""
    return [
        series_of(
            (phase("sweep", (100.0 - w - c - w, 100.0 - c), (2.0 * w + c, c)),), launch=launch
        )
        for launch, (w, c) in enumerate(both, start=1)
    ]


def test_a_share_that_may_be_nothing_is_left_out() -> None:
    (text,) = sentences(*launches_of((0.4, 19.0), (3.6, 21.0), (8.2, 27.0)))
    assert (
        text
        == "On 2 ranks Solver class W spends 21 % [19…27 in 3 launches] of its time communicating."
    )
    # Alone it makes no sentence at all, however large its median is.
    assert sentences(*launches_of((0.4, 0.0), (12.0, 0.0), (14.0, 0.0))) == []


def test_another_point_loses_more_only_if_the_intervals_say_so() -> None:
    long = launches_of((0.0, 12.0), (0.0, 14.0), (0.0, 16.0))
    small = [
        but(one, point={"class": "S"}, case="S", seconds=one.seconds / 10.0)
        for one in launches_of((0.0, 15.0), (0.0, 40.0), (0.0, 45.0))
    ]
    main = [replace(one, phases=slow_down(one.phases, 1.0)) for one in long]
    (text,) = sentences(*main, *small)
    assert "loses" not in text

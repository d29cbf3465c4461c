"""User and system seconds of launches: sums, shares, and what more ranks change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from heorot.analyse.explain.processor_time import explain
from heorot.analyse.results import group_series
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.model.run.records import EndLine
from heorot.model.run.series import Series
from tests.unit.analyse import builders
from tests.unit.analyse.explain.problems import SOLVER

DISTURBED = builders.QUIET.model_copy(update={"sentinel_after": 9.0})


def an_end(user: Sequence[float], system: Sequence[float], elapsed: float = 10.0) -> EndLine:
    return EndLine(
        type="end",
        passed=True,
        checks=1,
        failed=0,
        elapsed_seconds=elapsed,
        user_seconds=tuple(user),
        system_seconds=tuple(system),
        peak_memory_bytes=(1,) * len(user),
        involuntary_switches=(0,) * len(user),
        disturbance=builders.QUIET,
    )


def a_launch(step: int, ranks: int = 2, **changes: Any) -> Series:
    fields: dict[str, Any] = {
        "step": f"S{step:04d}",
        "launch": step,
        "benchmark": SOLVER.name,
        "case": f"W_{ranks}_ranks",
        "region": "solve",
        "point": {"class": "W"},
        "ranks": ranks,
        "per_node": ranks,
        "repetitions": 1,
        "seconds": np.full(5, 2.0),
        "elapsed_seconds": 10.0,
    }
    return builders.a_series(**(fields | changes))


def a_run(
    series: Sequence[Series], ends: Sequence[EndLine | None], steps: Sequence[Step] = ()
) -> Context:
    """A run whose steps, in the order of their series, ended like this."""
    names = dict.fromkeys(one.step for one in series)
    outcomes = [
        Outcome(step=step, state="completed" if end else "failed", end=end)
        for step, end in zip(names, ends, strict=True)
    ]
    return builders.a_context(
        (), group_series(series), steps=steps, outcomes=outcomes, benchmarks=(SOLVER,)
    )


def rows_of(context: Context) -> dict[str, Result]:
    found = explain(context, "r")
    assert len({row.id for row in found}) == len(found)
    return {row.metric: row for row in found}


def test_seconds_of_all_ranks_and_their_share() -> None:
    series = [a_launch(1), a_launch(2), a_launch(3)]
    ends = [an_end([4.0, 5.0], [0.5, 0.5]), an_end([3.0, 3.0], [2.0, 0.0]), an_end([8, 8], [1, 3])]
    rows = rows_of(a_run(series, ends))
    assert list(rows) == ["user_time", "system_time", "system_share"]
    user, system, share = rows.values()
    assert (user.median, user.ci_low, user.ci_high, user.unit) == (9.0, 6.0, 16.0, "s")
    assert (system.median, system.unit) == (2.0, "s")
    assert (share.median, share.ci_low, share.ci_high, share.unit) == (0.2, 0.1, 0.25, "1")
    assert (user.region, dict(user.point), user.case) == ("whole_run", {"class": "W"}, "W_2_ranks")
    assert (user.n, user.n_launches, user.derived, user.ranks) == (3, 3, True, 2)
    assert (user.run, user.verified, user.disturbed, user.plausible) == ("r", "passed", False, None)


def test_of_several_points_the_common_coordinates_stay() -> None:
    series = [
        a_launch(1, point={"class": "W", "n": 1, "m": 5}),
        a_launch(1, point={"class": "W", "n": 2}),
    ]
    rows = rows_of(a_run(series, [an_end([1.0, 1.0], [0.0, 0.0])]))
    assert rows["system_share"].point == {"class": "W"}
    assert rows["system_share"].median == 0.0


def test_what_did_not_come_to_its_end_does_not_count() -> None:
    assert explain(a_run([a_launch(1)], [None]), "r") == []
    assert (
        rows_of(a_run([a_launch(1), a_launch(2)], [an_end([3, 3], [0, 0]), None]))["user_time"].n
        == 1
    )


def test_a_repeated_launch_counts_once_by_its_unperturbed_attempt() -> None:
    series = [
        a_launch(1, disturbance=DISTURBED),
        a_launch(2, launch=1, attempt=2),
        a_launch(3, launch=2),
    ]
    ends = [an_end([9, 9], [0, 0]), an_end([1, 1], [0, 0]), an_end([1, 1], [0, 0])]
    user = rows_of(a_run(series, ends))["user_time"]
    assert (user.median, user.max, user.n_launches, user.disturbed) == (2.0, 2.0, 2, False)
    assert rows_of(a_run(series[:1], ends[:1]))["user_time"].disturbed


def test_copies_of_a_case_on_every_node_have_no_rows() -> None:
    step = builders.a_step(benchmark=SOLVER.name, each_node=True)
    assert explain(a_run([a_launch(1)], [an_end([1, 1], [0, 0])], [step]), "r") == []


def test_a_clock_that_went_backwards_yields_no_share() -> None:
    rows = rows_of(a_run([a_launch(1)], [an_end([-1e-9, 0.0], [0.0, 0.0])]))
    assert list(rows) == ["user_time", "system_time"]
    assert rows["user_time"].median == 0.0


def test_programs_that_are_not_known_have_no_rows() -> None:
    assert explain(a_run([a_launch(1, benchmark="x/y")], [an_end([1, 1], [0, 0])]), "r") == []


@pytest.mark.parametrize("bodies", [1, 7])
def test_user_speedup_is_that_of_a_body(bodies: int) -> None:
    """However many bodies a launch had time for."""
    alone = a_launch(1, 1, seconds=np.full(bodies, 4.0))
    both = a_launch(2, 2, launch=1, seconds=np.full(5, 2.5))
    # A body of 4 s with 90 % in the program, against one of 2.5 s with 80 % on the busier rank.
    ends = [an_end([0.9 * 4.0 * bodies], [0], 4.0 * bodies), an_end([10.0, 9.0], [0, 0], 12.5)]
    (row,) = [row for row in explain(a_run([alone, both], ends), "r") if row.unit == ""]
    assert row.metric == "user_speedup"
    assert row.median == pytest.approx(3.6 / 2.0)
    assert (row.ranks, row.case, row.better, row.derived) == (2, "W_2_ranks", "higher", True)
    assert (row.region, dict(row.point)) == ("whole_run", {"class": "W"})


@pytest.mark.parametrize(
    ("changes", "users"),
    [
        ({"options": {"star": True}}, (4.0, 4.0)),
        ({"threads": 2}, (4.0, 4.0)),
        ({"point": {"class": "A"}}, (4.0, 4.0)),
        ({"toolchain": "other"}, (4.0, 4.0)),
        ({}, (8.0,)),  # a external program: one number for all ranks
    ],
)
def test_what_compares_with_nothing_has_no_user_speedup(
    changes: dict[str, Any], users: tuple[float, ...]
) -> None:
    series = [a_launch(1, 1), a_launch(2, 2, launch=1, **changes)]
    ends = [an_end([9.0], [0.0]), an_end(users, [0.0] * len(users))]
    assert "user_speedup" not in {row.metric for row in explain(a_run(series, ends), "r")}


def test_a_program_of_several_regions_has_no_time_of_a_body() -> None:
    series = [a_launch(1, 1), a_launch(2, 2, launch=1), a_launch(2, 2, launch=1, region="other")]
    ends = [an_end([9.0], [0.0]), an_end([4.0, 4.0], [0.0, 0.0])]
    assert "user_speedup" not in {row.metric for row in explain(a_run(series, ends), "r")}

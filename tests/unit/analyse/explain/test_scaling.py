"""Speedup, efficiency and saturation, on rates chosen by hand."""

from __future__ import annotations

import pytest

from heorot.analyse.explain import scaling
from heorot.analyse.explain.reach import Reach
from heorot.model.analysis.breakdown import Middle
from tests.unit.analyse.explain.problems import (
    BLIND,
    MIB,
    a_division,
    a_machine_with,
    a_rate,
    a_run_of,
    a_step_of,
)
from tests.unit.analyse.templates.claims import value


def test_speedup_and_efficiency_are_ratios_with_enclosing_intervals() -> None:
    one, four = a_rate(1e9), a_rate(3e9, ranks=4)
    derived = {row.metric: row for row in scaling.explain(a_run_of(one, four))}
    speedup, efficiency = derived["speedup"], derived["parallel_efficiency"]
    assert speedup.median == pytest.approx(3.0)
    assert speedup.ci_low == pytest.approx(four.ci_low / one.ci_high)
    assert speedup.ci_high == pytest.approx(four.ci_high / one.ci_low)
    assert efficiency.median == pytest.approx(0.75)
    assert (efficiency.ranks, efficiency.derived) == (4, True)


def test_a_curve_is_one_problem_by_ranks_or_by_threads_alone() -> None:
    context = a_run_of(
        a_rate(1e9),
        a_rate(2e9, ranks=2),
        a_rate(1.9e9, threads=2),
        a_rate(3e9, ranks=2, threads=2),
        a_rate(9e9, ranks=2, case="star", options={"star": True}),
        a_rate(9e9, ranks=2, case="wrong", verified="failed"),
        a_rate(5e9, ranks=2, point={"class": "A"}),
    )
    curves = {curve.way: curve for curve in scaling.find_curves(context)}
    assert [row.median for row in curves["ranks"].rows] == [1e9, 2e9]
    assert [row.median for row in curves["threads"].rows] == [1e9, 1.9e9]
    assert len(curves) == 2


def test_the_regions_of_a_program_are_problems_of_their_own() -> None:
    one, other = a_rate(1e9, region="ep"), a_rate(1e3, region="cg")
    fast, slow = a_rate(2e9, ranks=2, region="ep"), a_rate(1.9e3, ranks=2, region="cg")
    context = a_run_of(one, other, fast, slow)
    curves = [[row.median for row in curve.rows] for curve in scaling.find_curves(context)]
    assert curves == [[1e9, 2e9], [1e3, 1.9e3]]


def test_of_several_cases_on_as_many_cores_the_best_counts() -> None:
    rows = [a_rate(1e9), a_rate(2e9, ranks=2), a_rate(1.5e9, ranks=2, case="again")]
    (curve,) = scaling.find_curves(a_run_of(*rows))
    assert curve.most.median == 2e9


def test_an_efficient_program_needs_no_reason() -> None:
    one, two = a_rate(1e9), a_rate(1.9e9, ranks=2)
    assert scaling.reasons(two, one, a_division(two, 0.2, 0.07), None, BLIND) == []
    # Neither does one that may be efficient.
    wide = a_rate(1.6e9, ranks=2).model_copy(update={"ci_high": 2.0e9})
    assert scaling.reasons(wide, one, a_division(wide, 0.2, 0.07), None, BLIND) == []


def test_losses_are_attributed_to_communication_waiting_and_sharing() -> None:
    one, two = a_rate(1e9), a_rate(1.4e9, ranks=2)
    lost = two.model_copy(update={"median": 0.15, "ci_low": 0.14, "ci_high": 0.16})
    division = a_division(two, 0.2, 0.07)
    talking, waiting, sharing = scaling.reasons(two, one, division, lost, BLIND)
    assert (talking.subject["what"], value(talking, "share")) == ("communication", 0.2)
    assert value(waiting, "share") == 0.07
    assert sharing.text == (
        "copies that do not communicate lose 15.0 % [14.0…16.0 in 3 launches] at once as well"
    )
    _, waits, talks = division.rows
    assert (*talking.evidence, *waiting.evidence) == (talks, waits)
    # What may be nothing is no reason.
    unsure = lost.model_copy(update={"ci_low": -0.06})
    maybe = Middle(median=0.2, low=0.0, high=0.3)
    doubted = division.model_copy(update={"communication": maybe, "imbalance": maybe})
    assert scaling.reasons(two, one, doubted, unsure, BLIND) == []


def test_superlinear_speedup_is_explained_by_the_cache_that_begins_to_fit() -> None:
    one, two = a_rate(1e9), a_rate(2.5e9, ranks=2)
    steps = [a_step_of(one, 24 * MIB), a_step_of(two, 24 * MIB)]
    reach = Reach(steps, a_machine_with((2, MIB, 1, 2), (3, 16 * MIB, 1, 2)))
    (found,) = scaling.reasons(two, one, None, None, reach)
    assert found.text == (
        "its 24 MiB fit the level-3 caches of 2 cores (32 MiB), not that of 1 (16 MiB)"
    )
    shared = Reach(steps, a_machine_with((3, 32 * MIB, 2, 1)))
    (found,) = scaling.reasons(two, one, None, None, shared)
    assert "no cache that the problem began to fit" in found.text


def test_a_step_that_brings_nothing_is_saturation() -> None:
    context = a_run_of(a_rate(1e9), a_rate(2e9, ranks=2), a_rate(2.04e9, ranks=4))
    (said,) = scaling.attribute(context)
    assert said.text == (
        "Solver class W (ranks) is as fast on 4 cores as on 2 (no difference that 3 launches can "
        "show): it is saturated at 2."
    )
    context = a_run_of(a_rate(1e9), a_rate(2e9, ranks=2), a_rate(1.6e9, ranks=4))
    (slower,) = scaling.attribute(context)
    assert slower.text == (
        "Solver class W (ranks) is 0.800 [0.784…0.816 in 3 launches] times as fast on 4 cores as "
        "on 2: it is saturated at 2."
    )
    assert said.lost == pytest.approx(1.0 - 1.02 / 2.0)


def test_several_nodes_are_no_part_of_a_curve_of_cores() -> None:
    inside = [a_rate(1e9), a_rate(1.8e9, ranks=2)]
    several = [a_rate(1.9e9, ranks=2, nodes=2), a_rate(3e9, ranks=4, nodes=2)]
    (curve,) = scaling.find_curves(a_run_of(*inside, *several))
    assert curve.rows == tuple(inside)
    assert scaling.find_curves(a_run_of(inside[0], *several)) == []
    assert scaling.explain(a_run_of(*inside, *several)) == scaling.explain(a_run_of(*inside))

"""Speedup, efficiency and saturation, on rates chosen by hand."""

from __future__ import annotations

import pytest

from heorot.analyse.explain import scaling
from heorot.analyse.explain.reach import Reach
from heorot.model.analysis.breakdown import Middle
from tests.unit.analyse.claims import parts, value
from tests.unit.analyse.explain.problems import (
    BLIND,
    MIB,
    a_division,
    a_machine_with,
    a_rate,
    a_run_of,
    a_step_of,
    of_dust,
)


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
    said = [each.text for each in scaling.attribute(context, [], {}, BLIND)]
    assert [text.split(" runs ")[0] for text in said] == [
        f"{context.spoken(one.benchmark)} ep class W",
        f"{context.spoken(one.benchmark)} cg class W",
    ]


def test_of_several_cases_on_as_many_cores_the_best_counts() -> None:
    rows = [a_rate(1e9), a_rate(2e9, ranks=2), a_rate(1.5e9, ranks=2, case="again")]
    (curve,) = scaling.find_curves(a_run_of(*rows))
    assert curve.most.median == 2e9


def test_an_efficient_program_needs_no_reason() -> None:
    context = a_run_of(a_rate(1e9), a_rate(1.9e9, ranks=2))
    (said,) = scaling.attribute(context, [], {}, BLIND)
    assert said.text == (
        "Solver class W runs 1.90 [1.86…1.94 in 3 launches] times as fast on 2 cores (ranks) "
        "as on one, an efficiency of 95.0 % [93.1…96.9 in 3 launches]."
    )
    assert said.lost == pytest.approx(0.05)


def test_the_largest_problem_on_the_most_cores_speaks_for_a_program() -> None:
    small = [of_dust(1e9, 512), of_dust(1.9e9, 512, ranks=2)]
    large = [of_dust(1e9, 4096), of_dust(1.2e9, 4096, ranks=2)]
    for rows in ([*small, *large], [*large, *small]):
        (said,) = scaling.attribute(a_run_of(*rows), [], {}, BLIND)
        assert said.text.startswith("Dust with 4096 particles runs 1.20 [1.18")
    wide = of_dust(3.5e9, 512, ranks=4)
    (said,) = scaling.attribute(a_run_of(*small, *large, wide), [], {}, BLIND)
    assert said.text.startswith("Dust with 512 particles runs 3.50 [3.43")


def test_the_better_way_speaks_for_a_problem() -> None:
    rows = [a_rate(1e9), a_rate(1.7e9, ranks=2), a_rate(1.8e9, threads=2)]
    (said,) = scaling.attribute(a_run_of(*rows), [], {}, BLIND)
    assert "on 2 cores (threads)" in said.text


def test_losses_are_attributed_to_communication_waiting_and_sharing() -> None:
    one, two = a_rate(1e9), a_rate(1.4e9, ranks=2)
    place = scaling.problem_of(two)
    lost = two.model_copy(update={"median": 0.15, "ci_low": 0.14, "ci_high": 0.16})
    division = a_division(two, 0.2, 0.07)
    (said,) = scaling.attribute(a_run_of(one, two), [division], {place: lost}, BLIND)
    assert value(said, "efficiency") == pytest.approx(0.7)
    talking, waiting, sharing = parts(said, "reasons")
    assert (talking.subject["what"], value(talking, "share")) == ("communication", 0.2)
    assert value(waiting, "share") == 0.07
    assert sharing.text == (
        "copies that do not communicate lose 15.0 % [14.0…16.0 in 3 launches] beside each other "
        "as well"
    )
    _, waits, talks = division.rows
    assert said.evidence == (two.id, one.id, talks, waits)  # the loss has the id of the rate here
    # What may be nothing is no reason.
    unsure = lost.model_copy(update={"ci_low": -0.06})
    (said,) = scaling.attribute(a_run_of(one, two), [division], {place: unsure}, BLIND)
    assert "copies" not in said.text
    maybe = Middle(median=0.2, low=0.0, high=0.3)
    doubted = division.model_copy(update={"communication": maybe, "imbalance": maybe})
    (said,) = scaling.attribute(a_run_of(one, two), [doubted], {}, BLIND)
    assert said.text.endswith("an efficiency of 70.0 % [68.6…71.4 in 3 launches].")


def test_a_speedup_that_may_be_none_says_so() -> None:
    one, two = a_rate(1e9), a_rate(1.02e9, ranks=2)
    wide = two.model_copy(update={"ci_low": 0.9e9, "ci_high": 1.3e9})
    (said,) = scaling.attribute(a_run_of(one, wide), [], {}, BLIND)
    assert said.text == (
        "Solver class W runs as fast on 2 cores (ranks) as on one (no difference that 3 launches "
        "can show), an efficiency of 51.0 % [44.6…65.7 in 3 launches]."
    )


def test_a_loss_that_may_be_none_is_no_loss() -> None:
    one, two = a_rate(1e9), a_rate(1.6e9, ranks=2)
    (said,) = scaling.attribute(a_run_of(one, two), [], {}, BLIND)
    assert said.lost == pytest.approx(0.2)
    wide = two.model_copy(update={"ci_high": 2.1e9})
    (said,) = scaling.attribute(a_run_of(one, wide), [], {}, BLIND)
    assert said.lost == 0.0


def test_superlinear_speedup_is_explained_by_the_cache_that_begins_to_fit() -> None:
    one, two = a_rate(1e9), a_rate(2.5e9, ranks=2)
    context = a_run_of(one, two)
    steps = [a_step_of(one, 24 * MIB), a_step_of(two, 24 * MIB)]
    reach = Reach(steps, a_machine_with((2, MIB, 1, 2), (3, 16 * MIB, 1, 2)))
    (said,) = scaling.attribute(context, [], {}, reach)
    assert said.text.endswith(
        "as on one, 1.25 [1.23…1.28 in 3 launches] times a linear speedup: its 24 MiB fit the "
        "level-3 caches of 2 cores (32 MiB), not that of 1 (16 MiB)."
    )
    shared = Reach(steps, a_machine_with((3, 32 * MIB, 2, 1)))
    (said,) = scaling.attribute(context, [], {}, shared)
    assert "no cache that the problem began to fit" in said.text


def test_a_step_that_brings_nothing_is_saturation() -> None:
    context = a_run_of(a_rate(1e9), a_rate(2e9, ranks=2), a_rate(2.04e9, ranks=4))
    _, *saturated = scaling.attribute(context, [], {}, BLIND)
    (said,) = saturated
    assert said.text == (
        "Solver class W (ranks) is as fast on 4 cores as on 2 (no difference that 3 launches can "
        "show): it is saturated at 2."
    )
    context = a_run_of(a_rate(1e9), a_rate(2e9, ranks=2), a_rate(1.6e9, ranks=4))
    _, slower = scaling.attribute(context, [], {}, BLIND)
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

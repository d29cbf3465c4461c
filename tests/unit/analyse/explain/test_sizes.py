"""Why a larger problem runs at another rate, on rates chosen by hand."""

from __future__ import annotations

import pytest

from heorot.analyse.explain import sizes
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
    of_dust,
)


def test_a_size_that_leaves_the_cache_says_so() -> None:
    small, large = a_rate(2e9, ranks=2), a_rate(1e9, ranks=2, point={"class": "A"})
    steps = [a_step_of(small, 8 * MIB), a_step_of(large, 400 * MIB)]
    reach = Reach(steps, a_machine_with((3, 32 * MIB, 2, 1)))
    (said,) = sizes.attribute(a_run_of(small, large), [], reach)
    assert said.text == (
        "On 2 cores Solver class A runs at 0.500 [0.490…0.510 in 3 launches] times the rate of "
        "class W: its 400 MiB are resident in memory, the 8 MiB of class W in the level-3 cache."
    )
    assert said.lost == pytest.approx(0.5)


def test_a_size_with_fewer_messages_per_flop_says_so() -> None:
    small, large = a_rate(1e9, ranks=2), a_rate(1.5e9, ranks=2, point={"class": "A"})
    divisions = [a_division(small, 0.4), a_division(large, 0.1)]
    (said,) = sizes.attribute(a_run_of(small, large), divisions, BLIND)
    assert said.text.endswith(
        "communication takes 10 % [10…10 in 3 launches] of its time, 40 % [40…40 in 3 launches] "
        "with class W."
    )
    assert said.evidence[2:] == (divisions[1].rows[2], divisions[0].rows[2])
    maybe = divisions[0].model_copy(update={"communication": Middle(median=0.4, low=0.1, high=0.5)})
    (said,) = sizes.attribute(a_run_of(small, large), [maybe, divisions[1]], BLIND)
    assert "communication" not in said.text


def test_sizes_are_compared_in_their_order_whatever_their_words() -> None:
    large, small = of_dust(2e9, 4096), of_dust(1e9, 512)
    (said,) = sizes.attribute(a_run_of(large, small), [], BLIND)
    assert said.text == (
        "On one core Dust with 4096 particles runs at 2.00 [1.96…2.04 in 3 launches] times "
        "the rate of 512 particles."
    )
    assert said.evidence == (large.id, small.id)


def test_the_widest_layout_that_ran_several_sizes_is_told_of() -> None:
    rows = [
        a_rate(1e9),
        a_rate(5e9, point={"class": "A"}),
        a_rate(2e9, ranks=2),
        a_rate(3e9, ranks=2, point={"class": "A"}),
        a_rate(9e9, ranks=4, point={"class": "A"}),
    ]
    (said,) = sizes.attribute(a_run_of(*rows), [], BLIND)
    assert said.text.startswith(
        "On 2 cores Solver class A runs at 1.50 [1.47…1.53 in 3 launches] times"
    )


def test_equal_rates_of_two_sizes_need_no_sentence() -> None:
    context = a_run_of(a_rate(1e9), a_rate(1.05e9, point={"class": "A"}))
    assert sizes.attribute(context, [], BLIND) == []


def test_sizes_on_several_nodes_are_not_held_against_those_on_one() -> None:
    small, large = a_rate(1e9, ranks=2), a_rate(9e9, ranks=2, point={"class": "A"}, nodes=2)
    assert sizes.attribute(a_run_of(small, large), [], BLIND) == []

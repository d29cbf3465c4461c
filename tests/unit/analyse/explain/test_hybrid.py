"""Splits of the cores between ranks and threads, on rates chosen by hand."""

from __future__ import annotations

from heorot.analyse.explain import hybrid
from tests.unit.analyse.explain.problems import a_rate, a_run_of, of_dust


def test_the_best_split_and_the_first_thread_that_costs() -> None:
    context = a_run_of(
        a_rate(1.00e9, ranks=1),
        a_rate(1.95e9, ranks=2),
        a_rate(1.90e9, threads=2),
        a_rate(3.60e9, ranks=4),
        a_rate(3.90e9, ranks=2, threads=2),
        a_rate(1.70e9, threads=4),
    )
    (said,) = hybrid.attribute(context)
    assert said.text == (
        "Solver class W is fastest on 4 cores with 2 x 2 threads; 1 rank x 4 threads reaches "
        "0.436 [0.427…0.445 in 3 launches] of that; threads begin to cost at 4 cores, "
        "where 1 rank x 4 threads reach 0.895 [0.877…0.913 in 3 launches] of the rate of 1 "
        "rank x 2 threads."
    )


def test_splits_without_a_hybrid_are_no_map() -> None:
    assert hybrid.find_maps(a_run_of(a_rate(1e9), a_rate(2e9, ranks=2))) == []


def test_every_problem_has_a_map_of_its_own() -> None:
    rows = [
        of_dust(rate, particles, ranks=ranks, threads=threads)
        for particles, rate in ((512, 1e9), (4096, 2e9))
        for ranks, threads in ((2, 2), (4, 1))
    ]
    maps = hybrid.find_maps(a_run_of(*rows))
    assert [{row.point["particles"] for row in each} for each in maps] == [{512}, {4096}]
    assert hybrid.attribute(a_run_of(*rows))[1].text.startswith(
        "Dust with 4096 particles is equally fast on 4 cores, within the intervals, with 2 x 2"
    )


def test_one_split_of_the_most_cores_is_no_choice() -> None:
    context = a_run_of(a_rate(1e9), a_rate(3.9e9, ranks=2, threads=2))
    assert len(hybrid.find_maps(context)) == 1
    assert hybrid.attribute(context) == []


def test_threads_that_cost_nothing_are_said_to() -> None:
    context = a_run_of(
        a_rate(1.95e9, ranks=2), a_rate(3.9e9, ranks=2, threads=2), a_rate(3.88e9, ranks=4)
    )
    (said,) = hybrid.attribute(context)
    assert said.text.endswith(
        "is equally fast on 4 cores, within the intervals, with 2 x 2 threads and 4 x 1 thread; no "
        "step to more threads lowers the rate beyond the intervals."
    )


def test_splits_within_each_others_intervals_are_as_good() -> None:
    best, unsure = a_rate(3.9e9, ranks=2, threads=2), a_rate(3.5e9, ranks=4)
    wide = unsure.model_copy(update={"ci_high": 4.0e9})
    (said,) = hybrid.attribute(a_run_of(best, wide, a_rate(1e9, threads=4)))
    assert said.text.startswith(
        "Solver class W is fastest on 4 cores with 2 x 2 threads, as fast with 4 x 1 thread; 1 "
        "rank x 4 threads reaches 0.256 [0.251…0.262 in 3 launches] of that"
    )


def test_several_nodes_are_no_part_of_a_map() -> None:
    inside = [a_rate(3.6e9, ranks=4), a_rate(3.9e9, ranks=2, threads=2)]
    several = [a_rate(9e9, ranks=8, nodes=2), a_rate(8e9, ranks=2, threads=4, nodes=2)]
    assert hybrid.attribute(a_run_of(*inside, *several)) == hybrid.attribute(a_run_of(*inside))
    assert hybrid.find_maps(a_run_of(*several)) == []

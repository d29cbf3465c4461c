"""Speedup, saturation, splits of the cores and changes of class, on rates chosen by hand."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.analyse.explain import hybrid, scaling
from heorot.analyse.explain import sizes as classes
from heorot.analyse.explain.reach import Reach
from heorot.analyse.rows import Rows
from heorot.model.analysis.breakdown import Breakdown, Middle
from heorot.model.analysis.result import Result
from heorot.model.machine.machine import Cache, Machine
from heorot.model.run.plan import Step
from tests.unit.analyse.builders import a_machine, a_result

MIB = 1 << 20


def a_rate(rate: float, *, ranks: int = 1, threads: int = 1, **changes: Any) -> Result:
    """A rate of npb/mg class W whose case is named after its layout."""
    size = str(changes.setdefault("point", {"class": "W"})["class"])
    fields: dict[str, Any] = {
        "benchmark": "npb/mg",
        "region": "mg",
        "metric": "flop_rate",
        "unit": "flop/s",
        "case": f"{size}_{ranks}x{threads}",
        "median": rate,
        "ranks": ranks,
        "threads": threads,
    }
    return a_result(**(fields | changes))


def a_step(row: Result, memory_bytes: int) -> Step:
    return Step(
        id=f"S-{row.case}",
        benchmark=row.benchmark,
        case=row.case,
        launch=1,
        options={},
        ranks=row.ranks,
        threads=row.threads,
        per_node=row.ranks,
        toolchain=row.toolchain,
        seconds=1.0,
        memory_bytes=memory_bytes,
        timeout_seconds=60.0,
    )


def a_division(row: Result, communication: float, imbalance: float = 0.0) -> Breakdown:
    def middle(value: float) -> Middle:
        return Middle(median=value, low=value, high=value)

    return Breakdown(
        benchmark=row.benchmark,
        case=row.case,
        toolchain=row.toolchain,
        region=row.region,
        point=row.point,
        nodes=1,
        ranks=row.ranks,
        threads=row.threads,
        copies=0,
        verified="passed",
        disturbed=False,
        n_launches=3,
        seconds=middle(1.0),
        computation=middle(1.0 - communication - imbalance),
        imbalance=middle(imbalance),
        communication=middle(communication),
        load_balance=middle(1.0),
        phases=(),
    )


def machine_with(*caches: tuple[int, int, int, int]) -> Machine:
    """Levels given as level, size [B], hardware threads that share one, instances."""
    found = tuple(
        Cache(level=level, kind="unified", size_bytes=size, n_cpus=n_cpus, n_instances=n)
        for level, size, n_cpus, n in caches
    )
    return a_machine(caches=found)


BLIND = Reach([], machine_with())


def test_speedup_and_efficiency_are_ratios_with_enclosing_intervals() -> None:
    one, four = a_rate(1e9), a_rate(3e9, ranks=4)
    derived = {row.metric: row for row in scaling.explain(Rows([one, four]))}
    speedup, efficiency = derived["speedup"], derived["parallel_efficiency"]
    assert speedup.median == pytest.approx(3.0)
    assert speedup.ci_low == pytest.approx(four.ci_low / one.ci_high)
    assert speedup.ci_high == pytest.approx(four.ci_high / one.ci_low)
    assert efficiency.median == pytest.approx(0.75)
    assert (efficiency.ranks, efficiency.derived) == (4, True)


def test_a_curve_is_one_problem_by_ranks_or_by_threads_alone() -> None:
    rows = [
        a_rate(1e9),
        a_rate(2e9, ranks=2),
        a_rate(1.9e9, threads=2),
        a_rate(3e9, ranks=2, threads=2),
        a_rate(9e9, ranks=2, case="star", options={"star": True}),
        a_rate(9e9, ranks=2, case="wrong", verified="failed"),
        a_rate(5e9, ranks=2, point={"class": "A"}),
    ]
    curves = {curve.way: curve for curve in scaling.find_curves(rows)}
    assert [row.median for row in curves["ranks"].rows] == [1e9, 2e9]
    assert [row.median for row in curves["threads"].rows] == [1e9, 1.9e9]
    assert len(curves) == 2


def test_an_efficient_program_needs_no_reason() -> None:
    curves = scaling.find_curves([a_rate(1e9), a_rate(1.9e9, ranks=2)])
    (said,) = scaling.attribute(curves, [], {}, BLIND)
    assert said.text == (
        "NPB MG class W runs 1.90 times [1.86, 1.94] as fast on 2 cores (ranks) as on one, an "
        "efficiency of 95.0 %."
    )
    assert said.lost == pytest.approx(0.05)


def test_losses_are_attributed_to_communication_waiting_and_sharing() -> None:
    one, two = a_rate(1e9), a_rate(1.4e9, ranks=2)
    place = ("npb/mg", two.toolchain, str(two.point))
    (said,) = scaling.attribute(
        scaling.find_curves([one, two]), [a_division(two, 0.2, 0.07)], {place: 0.15}, BLIND
    )
    assert said.text.endswith(
        "an efficiency of 70.0 %: communication takes 20 % of the time and waiting for the "
        "slowest rank takes 7.0 % of the time and copies that do not communicate lose 15 % "
        "beside each other as well, to shared caches and memory."
    )


def test_superlinear_speedup_is_explained_by_the_cache_that_begins_to_fit() -> None:
    one, two = a_rate(1e9), a_rate(2.5e9, ranks=2)
    curves = scaling.find_curves([one, two])
    steps = [a_step(one, 24 * MIB), a_step(two, 24 * MIB)]
    reach = Reach(steps, machine_with((2, MIB, 1, 2), (3, 16 * MIB, 1, 2)))
    (said,) = scaling.attribute(curves, [], {}, reach)
    assert said.text.endswith(
        "efficiency of 125 %: its 24 MiB fit the level-3 caches of 2 cores (32 MiB), not that of "
        "1 (16 MiB)."
    )
    shared = Reach(steps, machine_with((3, 32 * MIB, 2, 1)))
    (said,) = scaling.attribute(curves, [], {}, shared)
    assert "no cache that the problem began to fit" in said.text


def test_a_step_that_brings_nothing_is_saturation() -> None:
    rows = [a_rate(1e9), a_rate(2e9, ranks=2), a_rate(2.04e9, ranks=4)]
    found = scaling.attribute(scaling.find_curves(rows), [], {}, BLIND)
    said = [each.text for each in found[1:]]
    assert "|".join(said) == (
        "NPB MG class W gains nothing from 2 to 4 cores (ranks): 1.02 times the rate; "
        "it is saturated at 2."
    )


def test_the_best_split_and_the_first_thread_that_costs() -> None:
    rows = [
        a_rate(1.00e9, ranks=1),
        a_rate(1.95e9, ranks=2),
        a_rate(1.90e9, threads=2),
        a_rate(3.60e9, ranks=4),
        a_rate(3.90e9, ranks=2, threads=2),
        a_rate(1.70e9, threads=4),
    ]
    (said,) = hybrid.attribute(hybrid.find_maps(rows))
    assert said.text == (
        "NPB MG class W makes most of 4 cores with 2 x 2 threads; with 1 rank x 4 threads it "
        "reaches 0.44 of that; threads begin to cost at 4 cores, where 1 rank x 4 threads reach "
        "0.89 of the rate of 1 rank x 2 threads."
    )


def test_splits_without_a_hybrid_are_no_map() -> None:
    assert hybrid.find_maps([a_rate(1e9), a_rate(2e9, ranks=2)]) == []


def test_threads_that_cost_nothing_are_said_to() -> None:
    rows = [a_rate(1.95e9, ranks=2), a_rate(3.9e9, ranks=2, threads=2), a_rate(3.88e9, ranks=4)]
    (said,) = hybrid.attribute(hybrid.find_maps(rows))
    assert said.text.endswith(
        "2 x 2 threads, as good as with 4 x 1 thread; more threads cost nothing at any number of "
        "ranks."
    )


def test_a_class_that_leaves_the_cache_says_so() -> None:
    small, large = a_rate(2e9, ranks=2), a_rate(1e9, ranks=2, point={"class": "A"})
    reach = Reach(
        [a_step(small, 8 * MIB), a_step(large, 400 * MIB)], machine_with((3, 32 * MIB, 2, 1))
    )
    (said,) = classes.attribute([small, large], [], reach)
    assert said.text == (
        "On 2 cores NPB MG class A runs at 0.50 times the rate of class W: its 400 MiB live in "
        "memory, the 8 MiB of class W in the level-3 cache."
    )


def test_a_class_with_fewer_messages_per_flop_says_so() -> None:
    small, large = a_rate(1e9, ranks=2), a_rate(1.5e9, ranks=2, point={"class": "A"})
    divisions = [a_division(small, 0.4), a_division(large, 0.1)]
    (said,) = classes.attribute([small, large], divisions, BLIND)
    assert said.text.endswith("communication takes 10 % of its time against 40 %.")


def test_equal_rates_of_two_classes_need_no_sentence() -> None:
    rows = [a_rate(1e9), a_rate(1.05e9, point={"class": "A"})]
    assert classes.attribute(rows, [], BLIND) == []


def test_the_working_set_counts_before_the_memory_that_a_case_takes() -> None:
    row = a_rate(1e9)
    large = a_step(row, 1024 * MIB)
    machine = machine_with((2, MIB, 1, 2))
    assert Reach([large], machine).home(row) == "memory"
    known = large.model_copy(update={"working_set_bytes": MIB // 2})
    assert Reach([known], machine).home(row) == "level-2 cache"

"""Shares of peak of programs, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heorot.analyse.node_roofline.efficiencies import find_efficiencies
from heorot.analyse.node_roofline.roofs import find_roofs
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.shares import Efficiency
from heorot.model.catalogue.metrics import Metric
from tests.unit.analyse.builders import a_benchmark
from tests.unit.analyse.node_roofline.synthetic_node import (
    KIB,
    MIB,
    MILL,
    PEAK,
    a_room,
    copies_of,
    grinding,
)


def found_in(context: Context) -> list[Efficiency]:
    return list(find_efficiencies(context, find_roofs(context)))


def test_the_best_of_all_regions_and_sizes_counts() -> None:
    slow, fast = grinding(1e-3, 64 * MIB), grinding(1e-4, 16 * KIB, region="sift")
    (one,) = found_in(a_room(slow, fast))
    assert (one.benchmark, one.cores, one.region) == (MILL.name, 1, "sift")
    assert one.point == {"working_set_bytes": 16 * KIB}
    assert one.rate.median == pytest.approx(1e10)
    assert one.share_of_peak == pytest.approx(1e10 / PEAK)
    assert one.nominal_share is None


def test_every_number_of_cores_and_toolchain_has_a_row() -> None:
    alone = grinding(1e-4, 16 * KIB)
    threads = grinding(1e-4, 16 * KIB, case="all_cores", threads=2)
    other = grinding(2e-4, 16 * KIB, toolchain="clang")
    found = found_in(a_room(alone, threads, other))
    assert [(one.toolchain, one.cores) for one in found] == [
        ("clang", 1),
        ("gnu-12", 1),
        ("gnu-12", 2),
    ]
    # of the two cores' own peak; and each of them does half of it
    assert found[2].share_of_peak == pytest.approx(1e10 / (2 * PEAK))
    assert found[2].of_a_core == pytest.approx(5e9)


def test_copies_stand_in_where_no_single_program_ran() -> None:
    alone = grinding(1e-4, 16 * KIB)
    (_, both) = found_in(a_room(alone, copies_of(alone)))
    assert both.copies == 2
    assert both.rate.median == pytest.approx(2e10)
    threads = grinding(9e-5, 16 * KIB, case="all_cores", threads=2)
    (_, both) = found_in(a_room(alone, copies_of(alone), threads))
    assert both.copies == 0


def test_failed_runs_and_the_peak_itself_have_none() -> None:
    assert found_in(a_room(grinding(1e-4, 16 * KIB, verified="failed"))) == []


def test_without_a_peak_there_is_a_rate_without_a_share() -> None:
    (one,) = found_in(a_room(grinding(1e-4, 16 * KIB), rows=[]))
    assert (one.share_of_peak, one.nominal_share) == (None, None)


def test_a_share_is_that_of_the_higher_peak_as_in_the_roofline() -> None:
    context = a_room(grinding(1e-4, 16 * KIB))
    (row,) = [row for row in context.rows if row.benchmark == MILL.name]
    for peak, held in ((PEAK / 2, PEAK), (2 * PEAK, 2 * PEAK)):
        context = context.replacing([row.model_copy(update={"share_of_ceiling": 1e10 / peak})])
        assert found_in(context)[0].share_of_peak == pytest.approx(1e10 / held)


@pytest.mark.parametrize(("times", "reported"), [(6.0, 0.9375), (8.0, None)])
def test_more_than_the_peak_is_no_share_of_it(times: float, reported: float | None) -> None:
    nominal = Metric(name="nominal", unit="flop/s", better="higher", count="nominal_flops")
    both = a_benchmark(MILL.name, metrics=(nominal, *MILL.metrics))
    counts = {"flops": 1e6, "nominal_flops": times * 1e6}
    series = grinding(1e-4, 16 * KIB)
    (one,) = found_in(a_room(replace(series, counts=counts), benchmarks=(both,)))
    assert one.nominal_share == (None if reported is None else pytest.approx(reported))


def test_the_nominal_share_is_that_of_the_same_run() -> None:
    nominal = Metric(name="nominal", unit="flop/s", better="higher", count="nominal_flops")
    both = a_benchmark(MILL.name, metrics=(nominal, *MILL.metrics))
    counts = {"flops": 1e6, "nominal_flops": 3e6}
    (one,) = found_in(a_room(grinding(1e-4, 16 * KIB, counts=counts), benchmarks=(both,)))
    assert one.nominal_share == pytest.approx(3e10 / PEAK)
    context = a_room(grinding(1e-4, 16 * KIB))
    (row,) = [row for row in context.rows if row.benchmark == MILL.name]
    reported = {"metric": "nominal_share_of_peak", "unit": "1", "median": 0.4, "derived": True}
    context = context.adding([row.model_copy(update=reported)])
    assert found_in(context)[0].nominal_share == pytest.approx(0.4)

"""Shares of the roofline and of the peak, by performed and by nominal operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.results import group_series
from heorot.families.npb.programs import CG, LU
from heorot.families.npb.rooflines import explain
from heorot.families.npb.sentences import sentences
from heorot.model.analysis.node_roofline.levels import NOMINAL_SHARE, SHARE_OF_ROOFLINE
from tests.unit.analyse.builders import a_context, a_result, a_series, a_steady_result, a_step
from tests.unit.analyse.explain.problems import MIB
from tests.unit.model.keys import but

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result

_PEAK = 40e9
_BANDWIDTH = 10e9


def rate(name: str, median: float, size: str = "A", **changes: Any) -> Result:
    """Flops per second of a program with their share of the peak."""
    fields = {
        "benchmark": name,
        "region": name.removeprefix("npb/"),
        "metric": "flop_rate",
        "unit": "flop/s",
        "case": f"{size}_one_core",
        "point": {"class": size},
        "share_of_ceiling": median / _PEAK,
    }
    return a_result(median=median, **(fields | changes))


def bandwidths(**changes: Any) -> list[Result]:
    """Read bandwidth of arrays of 1 and 64 MiB, and of a faster loop over memory."""
    fields = {
        "benchmark": "memory/stream",
        "metric": "bandwidth",
        "unit": "B/s",
        "case": "one_core",
    }
    sized = [
        a_steady_result(
            region="caches",
            point={"working_set_bytes": mebibytes * MIB},
            median=median,
            **(fields | changes),
        )
        for mebibytes, median in ((1, 50e9), (64, 0.9 * _BANDWIDTH))
    ]
    triad = a_steady_result(region="triad", point={}, median=_BANDWIDTH, **(fields | changes))
    return [*sized, triad]


def shares(
    row: Result, *others: Result, counts: dict[str, float], mebibytes: float = 512
) -> dict[str, float]:
    """Derived shares of a row with these flops and this working set."""
    series = a_series(
        key=row.key,
        counts=counts,
    )
    step = a_step(setup=row.setup, memory_bytes=int(mebibytes * MIB))
    context = a_context(
        [row, *others],
        group_series([series]),
        steps=[step],
    )
    return {one.metric: one.median for one in explain(context)}


@pytest.mark.parametrize(
    ("flops_per_byte", "share"),
    # the memory bandwidth of two nodes allows 4 Gflop/s; with many flops the peak is the lower
    # bound
    [(0.2, 1.5e9 / 4e9), (8.0, 1.5e9 / 40e9)],
)
def test_the_lower_limit_is_the_roof(flops_per_byte: float, share: float) -> None:
    counts = {"operations": 1e9, "flops": 1e9, "bytes": 1e9 / flops_per_byte}
    row = rate(CG.name, 1.5e9, ranks=2, nodes=2)
    found = shares(row, *bandwidths(), counts=counts)
    assert found[SHARE_OF_ROOFLINE] == pytest.approx(share)


def test_one_node_has_the_roofs_of_the_study_in_depth() -> None:
    counts = {"operations": 2e9, "flops": 1e9, "bytes": 5e9}
    found = shares(rate(CG.name, 1e9), *bandwidths(), counts=counts)
    assert found == {NOMINAL_SHARE: pytest.approx(2e9 / _PEAK)}


def test_a_problem_is_fed_from_where_it_is() -> None:
    counts = {"operations": 1e9, "flops": 1e9, "bytes": 5e9}
    row = rate(CG.name, 1e9, ranks=2, nodes=2)

    def share(mebibytes: float) -> float:
        found = shares(row, *bandwidths(), counts=counts, mebibytes=mebibytes)
        return found[SHARE_OF_ROOFLINE]

    assert share(128) == pytest.approx(1e9 / (2 * 10e9 / 5))
    # Half of it, one node's part, is smaller than what was read from memory.
    assert share(127) == pytest.approx(1e9 / (2 * 50e9 / 5))
    assert share(2) == pytest.approx(1e9 / (2 * 50e9 / 5))
    # Smaller than all measured sizes: only the peak is known as bound.
    assert share(1) == pytest.approx(1e9 / _PEAK)


def test_a_roof_that_was_not_measured_yields_no_share() -> None:
    counts = {"operations": 1e9, "flops": 1e9, "bytes": 5e9}
    row = rate(CG.name, 1e9, ranks=2, nodes=2)

    def share(row: Result, *others: Result) -> float | None:
        return shares(row, *others, counts=counts).get(SHARE_OF_ROOFLINE)

    assert share(row, *bandwidths()) is not None
    assert share(row) is None
    assert share(row, *bandwidths(ranks=4)) is None
    sizeless = [but(each, point={}) for each in bandwidths()]
    assert share(row, *sizeless) is None
    without_peak = row.model_copy(update={"share_of_ceiling": None})
    assert shares(without_peak, *bandwidths(), counts=counts) == {}


def test_the_nominal_share_is_of_operations_by_definition() -> None:
    counts = {"operations": 3e9, "flops": 1e9, "bytes": 1e6}
    row = rate(LU.name, 10e9)
    assert shares(row, *bandwidths(), counts=counts)[NOMINAL_SHARE] == pytest.approx(0.75)


def test_random_numbers_are_no_flops_and_move_nothing() -> None:
    counts = {"operations": 1e9, "flops": 30e9}
    assert shares(rate("npb/ep", 20e9), counts=counts) == {}
    assert shares(rate("npb/ep", 20e9, ranks=2, nodes=2), counts=counts) == {}


def test_rooflines_are_told_of_the_largest_class_on_one_core() -> None:
    def share(name: str, size: str, median: float, **changes: Any) -> Result:
        return rate(name, median, size, metric=SHARE_OF_ROOFLINE, unit="1", **changes)

    rows = [
        share(LU.name, "A", 0.3),
        share(LU.name, "W", 0.9),
        share(CG.name, "A", 0.8),
        share(CG.name, "A", 0.99, ranks=2, case="A_two"),
    ]
    (found,) = sentences(a_context(rows))
    assert found.text == (
        "Share of the roofline on one core, performed operations: NPB CG class A 80.0 % "
        "[79.2…80.8 in 3 launches]; NPB LU class A 30.0 % [29.7…30.3 in 3 launches]."
    )
    assert found.evidence == (rows[2].id, rows[0].id)


def test_every_node_feeds_its_part_of_a_problem() -> None:
    counts = {"operations": 1e9, "flops": 1e9, "bytes": 5e9}
    row = rate(CG.name, 1e9, ranks=4, nodes=2)
    full = bandwidths(threads=2, case="full")
    wide = bandwidths(threads=4, case="wide")
    assert SHARE_OF_ROOFLINE not in shares(row, *wide, counts=counts)

    def share(mebibytes: float) -> float:
        return shares(row, *full, *wide, counts=counts, mebibytes=mebibytes)[SHARE_OF_ROOFLINE]

    assert share(128) == pytest.approx(1e9 / (2 * 10e9 / 5))
    # Half of it, one node's part, is smaller than what was read from memory.
    assert share(127) == pytest.approx(1e9 / (2 * 50e9 / 5))

"""Shares of the read bandwidth are those of arrays of the program's own size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from heorot.families.algorithms.reading import judge
from tests.unit.analyse.builders import a_measured_context, a_result, a_series

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result
    from heorot.model.run.series import Series

MIB = 1 << 20
READ = {8 * MIB: 90e9, 16 * MIB: 88e9, 32 * MIB: 60e9, 64 * MIB: 34e9}
MEMORY = (160 * MIB, 25e9)
"""Read bandwidth of small arrays, and of one with the size chosen by memory/stream."""


def reading(cores: int = 1) -> list[Series]:
    """Read bandwidth of memory/stream on one core, by size; and that times the cores on several."""
    sizes = [({"working_set_bytes": size}, size, rate) for size, rate in READ.items()]
    return [
        a_series(
            region=region,
            point=point,
            threads=cores,
            counts={"bytes": float(size)},
            repetitions=1,
            seconds=np.full(10, size / rate / cores),
        )
        for region, members in (("caches", sizes), ("read", [({}, *MEMORY)]))
        for point, size, rate in members
    ]


def product(size: int, median: float = 20e9, **changes: Any) -> Result:
    fields = {
        "benchmark": "algorithms/sparse_matrix_vector",
        "region": "csr",
        "point": {"matrix": "laplace3d", "working_set_bytes": size},
    }
    return a_result(median=median, **(fields | changes))


def judged(row: Result, context: Context) -> Result | None:
    context = context.adding([row])
    return next(iter(judge(context)), None)


@pytest.mark.parametrize(
    ("size", "rate"),
    [
        (64 * MIB, 34e9),
        (160 * MIB, 25e9),
        (1024 * MIB, 25e9),
        (9 * MIB, 90e9),  # on the level part before a fall, the smaller one counts
    ],
)
def test_a_share_is_that_of_reading_as_much(size: int, rate: float) -> None:
    row = judged(product(size), a_measured_context(reading()))
    assert row is not None
    assert row.share_of_ceiling == pytest.approx(20e9 / rate)
    assert row.plausible


def test_a_matrix_between_two_sizes_is_not_held_against_a_smaller_one_alone() -> None:
    """A matrix of 124 MiB had 65.8 % of the read bandwidth of an array of 64 MiB."""
    row = judged(product(124 * MIB, 22.4e9), a_measured_context(reading()))
    assert row is not None
    assert row.share_of_ceiling is not None
    assert 22.4e9 / 29e9 < row.share_of_ceiling < 22.4e9 / 25e9


def test_what_is_smaller_than_all_that_was_read_has_no_share() -> None:
    assert judged(product(4 * MIB), a_measured_context(reading())) is None
    assert judged(product(64 * MIB), a_measured_context([])) is None


def test_several_cores_are_held_against_as_many_or_as_so_many_times_one() -> None:
    both = a_measured_context([*reading(), *reading(2)])
    for context in (both, a_measured_context(reading())):
        row = judged(product(320 * MIB, 40e9, threads=2), context)
        assert row is not None
        assert row.share_of_ceiling == pytest.approx(0.8)


def test_copies_go_over_as_many_matrices() -> None:
    star = {"ranks": 2, "case": "2_copies", "options": {"star": True}}
    row = judged(product(160 * MIB, 40e9, **star), a_measured_context(reading()))
    assert row is not None
    assert row.share_of_ceiling == pytest.approx(0.8)


def test_far_beyond_what_reading_does_is_impossible() -> None:
    row = judged(product(160 * MIB, 60e9), a_measured_context(reading()))
    assert row is not None
    assert row.plausible is False


@pytest.mark.parametrize(
    "changes", [{"metric": "flop_rate"}, {"region": "other", "benchmark": "algorithms/stencil"}]
)
def test_only_bandwidths_of_what_streams_are_judged(changes: dict[str, Any]) -> None:
    assert judged(product(160 * MIB, **changes), a_measured_context(reading())) is None

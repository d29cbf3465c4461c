"""Bounds of programs: by the quantities that they publish, else by contention of their copies."""

from __future__ import annotations

import pytest

from heorot.analyse.compare.bounds import bounds_of
from heorot.families import BENCHMARKS
from heorot.model.analysis.result import Result
from tests.unit.analyse.builders import a_result


def loss(median: float, half: float = 0.01, copies: int = 4, **changes: object) -> Result:
    ends = {"ci_low": median - half, "ci_high": median + half}
    return a_result(
        benchmark="npb/cg", metric="star_degradation", unit="1", median=median, copies=copies,
        **ends | changes,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("losses", "bound"),
    [
        ([loss(0.02)], "compute-bound"),
        ([loss(0.50)], "memory-bound"),
        ([loss(0.17)], None),
        # The interval has to lie beyond the threshold as a whole.
        ([loss(0.09, 0.03)], None),
        ([loss(0.27, 0.03)], None),
        # The largest loss on most cores counts: a small problem is resident in caches.
        ([loss(0.02, point={"class": "S"}), loss(0.50, point={"class": "A"})], "memory-bound"),
        ([loss(0.02, copies=2), loss(0.50, copies=4)], "memory-bound"),
        # An implausible row is no evidence.
        ([loss(0.50, verified="failed")], None),
        ([], None),
    ],
)
def test_copies_say_what_bounds_a_program(losses: list[Result], bound: str | None) -> None:
    assert bounds_of(BENCHMARKS, losses).get("npb/cg") == bound


def test_what_measures_units_or_memory_is_bound_by_them() -> None:
    found = bounds_of(BENCHMARKS, [])
    assert found["compute/peak"] == "compute-bound"
    assert found["memory/stream"] == "memory-bound"
    # A sweep over all levels is bound by each of them in turn.
    assert {"memory/hierarchy", "messages/pingpong"}.isdisjoint(found)

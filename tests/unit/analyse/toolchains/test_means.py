"""Means of programs: their intervals by hand, and which toolchains may be ranked."""

from __future__ import annotations

import math

import pytest

from heorot.analyse.toolchains.means import find_common_means, find_means
from heorot.model.analysis.studies.toolchains import ToolchainField


def field(program: str, toolchain: str, ratio: float, reach: float = 0.0) -> ToolchainField:
    """A ratio whose logarithm has so wide an interval on either side."""
    return ToolchainField(
        benchmark=program,
        toolchain=toolchain,
        state="measured",
        ratio=ratio,
        low=ratio * math.exp(-reach),
        high=ratio * math.exp(reach),
    )


def test_half_widths_add_up_by_their_squares() -> None:
    (mean,) = find_means([field("a/a", "x", 4.0, 0.3), field("a/b", "x", 1.0, 0.4)])
    assert mean.n == 2
    assert mean.ratio == pytest.approx(2.0)
    # Half of 0.5, which is the hypotenuse of 0.3 and 0.4.
    assert mean.low == pytest.approx(2.0 * math.exp(-0.25))
    assert mean.high == pytest.approx(2.0 * math.exp(0.25))


def test_a_bound_that_is_not_known_leaves_none_below() -> None:
    open_below = field("a/a", "x", 2.0).model_copy(update={"low": 0.0})
    (mean,) = find_means([open_below, field("a/b", "x", 2.0)])
    assert mean.low == 0.0
    assert mean.ratio == pytest.approx(2.0)


def test_ranks_are_over_programs_that_all_have() -> None:
    fields = [
        *(field(f"a/{name}", "wide", 2.0 if name == "a" else 1.0) for name in "abcd"),
        *(field(f"a/{name}", "half", 3.0) for name in "bc"),
        field("a/a", "narrow", 100.0),
    ]
    ranked = find_common_means(fields)
    assert [(mean.toolchain, mean.n) for mean in ranked] == [("half", 2), ("wide", 2)]
    assert [mean.ratio for mean in ranked] == pytest.approx([3.0, 1.0])
    assert [mean.toolchain for mean in find_means(fields)] == ["narrow", "half", "wide"]


def test_of_nothing_there_is_no_mean() -> None:
    nothing = ToolchainField(benchmark="a/a", toolchain="x", state="wrong")
    assert find_means([nothing]) == []
    assert find_common_means([nothing]) == []
    apart = [field("a/a", "x", 1.0), field("a/b", "y", 1.0)]
    assert find_common_means(apart) == []

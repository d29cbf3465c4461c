"""Growth with the ranks: the right form is chosen, and its slope is known within its interval."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from heorot.families.messages.derived.growth import (
    LINEAR,
    LOGARITHMIC,
    fit_growth,
    growth_rows,
)
from heorot.model.analysis.result import Result

if TYPE_CHECKING:
    from tests.unit.conftest import Kit

RANKS = (2, 4, 8, 16, 32)


def times(kit: Kit, seconds: dict[int, float], *, width: float = 0.005) -> list[Result]:
    return [
        kit.result(
            region="bcast",
            metric="latency",
            unit="s",
            better="lower",
            ranks=ranks,
            nodes=ranks,
            per_node=1,
            case=f"{ranks}_nodes_1",
            point={"bytes": 8},
            median=value,
            ci_low=value * (1 - width),
            ci_high=value * (1 + width),
        )
        for ranks, value in seconds.items()
    ]


def test_a_tree_grows_with_the_logarithm(kit: Kit) -> None:
    growth = fit_growth(times(kit, {p: 2e-6 + 3e-6 * math.log2(p) for p in RANKS}))
    assert growth is not None
    assert growth.form == LOGARITHMIC
    assert growth.slope_seconds == pytest.approx(3e-6)
    assert growth.seconds(64) == pytest.approx(20e-6)


def test_a_root_that_serves_all_grows_with_their_number(kit: Kit) -> None:
    growth = fit_growth(times(kit, {p: 2e-6 + 3e-6 * p for p in RANKS}))
    assert growth is not None
    assert growth.form == LINEAR
    assert growth.slope_seconds == pytest.approx(3e-6)


def test_the_slope_is_within_its_interval(kit: Kit) -> None:
    rng = np.random.default_rng(11)
    n_within = 0
    for _ in range(200):
        noisy = {p: (2e-6 + 3e-6 * p) * (1.0 + 0.02 * rng.standard_normal()) for p in RANKS}
        growth = fit_growth(times(kit, noisy, width=0.04))
        assert growth is not None
        n_within += abs(growth.slope_seconds - 3e-6) <= growth.slope_error_seconds
    assert n_within >= 180


def test_two_numbers_of_ranks_tell_nothing(kit: Kit) -> None:
    assert fit_growth(times(kit, {2: 1e-6, 4: 2e-6})) is None


def test_rows_are_told_by_operation_size_and_ranks_per_node(kit: Kit) -> None:
    slow = times(kit, {p: 2e-6 + 3e-6 * p for p in RANKS})
    others = [row.model_copy(update={"region": "scatter"}) for row in slow]
    few = [row.model_copy(update={"per_node": 2}) for row in slow[:2]]
    (first, second) = growth_rows([*slow, *others, *few])
    assert (first.region, second.region) == ("bcast", "scatter")
    assert first.point == {"bytes": 8, "form": LINEAR}
    assert first.case == "32_nodes_1"
    assert first.ci_low < 3e-6 < first.ci_high
    assert first.derived

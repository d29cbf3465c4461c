"""Scaling with the ranks: the right form is chosen, and its slope lies within its interval."""

from __future__ import annotations

import math

import numpy as np
import pytest

from heorot.families.messages.among_all.collectives import COLLECTIVES
from heorot.families.messages.among_all.global_sum import GLOBAL_SUM
from heorot.families.messages.among_all.startup import STARTUP
from heorot.families.messages.derived.growth import (
    LINEAR,
    LOGARITHMIC,
    METRIC,
    explain,
    fit_growth,
    growth_rows,
)
from heorot.model.analysis.result import Result
from tests.unit.analyse.builders import a_context, a_result
from tests.unit.model.keys import but

RANKS = (2, 4, 8, 16, 32)


def times(seconds: dict[int, float], *, width: float = 0.005) -> list[Result]:
    return [
        a_result(
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


def test_a_tree_grows_with_the_logarithm() -> None:
    growth = fit_growth(times({p: 2e-6 + 3e-6 * math.log2(p) for p in RANKS}))
    assert growth is not None
    assert growth.form == LOGARITHMIC
    assert growth.slope_seconds == pytest.approx(3e-6)
    assert growth.seconds(64) == pytest.approx(20e-6)


def test_a_root_that_serves_all_grows_with_their_number() -> None:
    growth = fit_growth(times({p: 2e-6 + 3e-6 * p for p in RANKS}))
    assert growth is not None
    assert growth.form == LINEAR
    assert growth.slope_seconds == pytest.approx(3e-6)


def test_the_slope_is_within_its_interval() -> None:
    rng = np.random.default_rng(11)
    n_within = 0
    for _ in range(200):
        noisy = {p: (2e-6 + 3e-6 * p) * (1.0 + 0.02 * rng.standard_normal()) for p in RANKS}
        growth = fit_growth(times(noisy, width=0.04))
        assert growth is not None
        n_within += abs(growth.slope_seconds - 3e-6) <= growth.slope_error_seconds
    assert n_within >= 180


def test_two_numbers_of_ranks_tell_nothing() -> None:
    assert fit_growth(times({2: 1e-6, 4: 2e-6})) is None


def test_rows_are_reported_by_operation_size_and_ranks_per_node() -> None:
    slow = times({p: 2e-6 + 3e-6 * p for p in RANKS})
    others = [but(row, region="scatter") for row in slow]
    few = [but(row, per_node=2) for row in slow[:2]]
    (first, second) = growth_rows([*slow, *others, *few])
    assert (first.region, second.region) == ("bcast", "scatter")
    assert first.point == {"bytes": 8, "form": LINEAR, "from_ranks": 2}
    assert first.case == "32_nodes_1"
    assert first.ci_low < 3e-6 < first.ci_high
    assert first.derived


def test_ranks_of_a_node_and_ranks_over_nodes_have_lines_of_their_own() -> None:
    over = times({p: 2e-6 + 3e-6 * math.log2(p) for p in RANKS})
    inside = [but(row, nodes=1, per_node=row.ranks, median=row.median / 10) for row in over]
    slopes = [row.median for row in growth_rows([*over, *inside])]
    assert slopes == pytest.approx([3e-6, 3e-7])


def test_only_times_of_operations_that_block_grow() -> None:
    rows = times({p: 2e-6 + 3e-6 * p for p in RANKS})
    rows = [but(row, benchmark="messages/collectives") for row in rows]
    others = [
        row.model_copy(update=changes)
        for row in rows
        for changes in (
            {"region": "allreduce_in_place"},
            {"region": "ibcast"},
            {"metric": "bandwidth"},
            {"verified": "failed"},
            {"derived": True},
        )
    ]
    (found,) = explain(a_context([*others, *rows]))
    assert (found.region, found.metric, found.ranks) == ("bcast", "growth", 32)


def test_programs_say_that_their_growth_is_derived() -> None:
    for program in (COLLECTIVES, GLOBAL_SUM, STARTUP):
        assert METRIC in program.derived

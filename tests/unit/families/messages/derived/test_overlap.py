"""The hidden share of nonblocking operations, by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.messages.among_all.collectives import COLLECTIVES
from heorot.families.messages.derived.among_all import hidden_shares
from tests.unit.analyse.builders import a_context, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def rows(alone: float, computed: float, together: float, **changes: object) -> list[Result]:
    times = {
        "iallreduce": ("latency", alone),
        "iallreduce_computation": ("computation_time", computed),
        "iallreduce_overlapped": ("latency", together),
    }
    common: dict[str, object] = {"benchmark": COLLECTIVES.name, "unit": "s", "better": "lower"}
    common |= {"point": {"bytes": 8}, "ranks": 4} | changes
    return [
        a_result(
            **common, region=region, metric=metric, median=t, ci_low=0.99 * t, ci_high=1.01 * t
        )
        for region, (metric, t) in times.items()
    ]


@pytest.mark.parametrize(
    ("together", "share"),
    [(20e-6, 0.0), (10e-6, 1.0), (15e-6, 0.5), (9e-6, 1.0), (30e-6, 0.0)],
)
def test_the_hidden_share(together: float, share: float) -> None:
    (row,) = hidden_shares(a_context(rows(10e-6, 10e-6, together)))
    assert (row.region, row.metric, row.unit) == ("iallreduce_overlapped", "overlap", "1")
    assert row.median == pytest.approx(share)
    assert 0.0 <= row.ci_low <= row.median <= row.ci_high <= 1.0


def test_the_shorter_of_both_is_what_can_be_hidden() -> None:
    (row,) = hidden_shares(a_context(rows(10e-6, 40e-6, 45e-6)))
    assert row.median == pytest.approx(0.5)
    assert row.ci_low == pytest.approx((0.99 * 50 - 1.01 * 45) / 10)


def test_other_sizes_and_places_are_not_mixed() -> None:
    here = rows(10e-6, 10e-6, 15e-6)
    there = rows(10e-6, 10e-6, 20e-6, case="4_nodes_1", nodes=4)
    longer = rows(10e-6, 10e-6, 10e-6, point={"bytes": 64})
    shares = [row.median for row in hidden_shares(a_context([*here, *there, *longer]))]
    assert shares == pytest.approx([0.5, 0.0, 1.0])


def test_without_all_of_them_nothing_is_said() -> None:
    found = rows(10e-6, 10e-6, 15e-6)
    for left_out in range(3):
        assert hidden_shares(a_context(found[:left_out] + found[left_out + 1 :])) == []
    wrong = [row.model_copy(update={"verified": "failed"}) for row in found[:1]]
    assert hidden_shares(a_context([*wrong, *found[1:]])) == []

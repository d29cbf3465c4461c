"""The multiply-add ceiling explained by clock, vector width and units."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.analyse.peak import core_clock, explain
from heorot.analyse.rows import Rows
from heorot.model.analysis.result import Result

if TYPE_CHECKING:
    from tests.unit.analyse.conftest import Kit

CHAIN = "gnu-12"


def peak_row(kit: Kit, region: str, median: float, **changes: object) -> Result:
    clock = region.startswith("clock")
    fields = {
        "benchmark": "compute/peak",
        "region": region,
        "metric": "clock" if clock else "flop_rate",
        "unit": "Hz" if clock else "flop/s",
        "median": median,
    }
    row: Result = kit.result(**(fields | changes))
    return row


@pytest.mark.parametrize(
    ("width", "region", "flops_per_cycle", "share"),
    [
        (64, "fma_double", 31.0, 31.0 / 32.0),  # two units of 512 bits
        (64, "fma_double", 15.5, 15.5 / 16.0),  # one
        (32, "fma_double", 15.5, 15.5 / 16.0),
        (32, "fma_single", 31.0, 31.0 / 32.0),
        (16, "fma_double", 15.5, 15.5 / 16.0),  # four units of 128 bits
        (64, "fma_double", 32.5, 32.5 / 32.0),  # noise is no third unit
    ],
)
def test_units_are_counted_from_the_rate(
    kit: Kit, width: int, region: str, flops_per_cycle: float, share: float
) -> None:
    rows = [
        peak_row(kit, region, flops_per_cycle * 3e9),
        peak_row(kit, "clock_multiply", 3e9),
    ]
    judged, derived = explain(rows, {CHAIN: width})
    assert judged[0].share_of_ceiling == pytest.approx(share)
    assert judged[0].plausible is True
    assert derived[0].metric == "flops_per_cycle"
    assert derived[0].median == pytest.approx(flops_per_cycle)
    assert derived[0].derived


def test_all_cores_are_held_against_the_units_of_one(kit: Kit) -> None:
    rows = [
        peak_row(kit, "fma_double", 93e9),
        peak_row(kit, "fma_double", 84e9, threads=2, case="all_cores"),
        peak_row(kit, "clock_multiply", 3e9),
    ]
    judged, _ = explain(rows, {CHAIN: 64})
    assert judged[1].share_of_ceiling == pytest.approx(14.0 / 32.0)


def test_a_rate_that_no_core_reaches_is_impossible(kit: Kit) -> None:
    rows = [peak_row(kit, "fma_double", 1.16e15), peak_row(kit, "clock_multiply", 3.5e9)]
    judged, derived = explain(rows, {CHAIN: 64})
    assert judged[0].plausible is False
    assert judged[0].share_of_ceiling == pytest.approx(1.16e15 / 3.5e9 / 32.0)
    assert not derived[0].ranked


@pytest.mark.parametrize("widths", [{}, {CHAIN: 64}])
def test_a_shortened_chain_is_impossible(kit: Kit, widths: dict[str, int]) -> None:
    rows = [
        peak_row(kit, "clock_multiply", 18.9e9),
        peak_row(kit, "clock_add", 3.5e9),
        peak_row(kit, "fma_double", 108e9),
    ]
    judged, derived = explain(rows, widths)
    assert [row.plausible for row in judged[:2]] == [False, True]
    # The next chain takes its place.
    assert derived[0].median == pytest.approx(108 / 3.5)


def test_without_a_clock_rates_are_left_as_they_are(kit: Kit) -> None:
    rows = [peak_row(kit, "fma_double", 108e9)]
    assert explain(rows, {CHAIN: 64}) == (rows, [])


def test_without_a_width_there_is_no_share(kit: Kit) -> None:
    rows = [peak_row(kit, "fma_double", 108e9), peak_row(kit, "clock_add", 3.5e9)]
    judged, derived = explain(rows, {})
    assert judged[0].share_of_ceiling is None
    assert len(derived) == 1


def test_the_clock_is_that_of_one_core_however_many_ranks_count(kit: Kit) -> None:
    judged, _ = explain([peak_row(kit, "clock_multiply", 7e9, ranks=2)], {})
    assert judged[0].median == pytest.approx(3.5e9)
    assert judged[0].ci_low == pytest.approx(0.99 * 3.5e9)
    assert judged[0].plausible is True


def test_other_programs_pass_through(kit: Kit) -> None:
    row = kit.result()
    assert explain([row], {CHAIN: 64}) == ([row], [])


def test_the_clock_of_the_same_number_of_cores_comes_first(kit: Kit) -> None:
    rows = Rows(
        [
            peak_row(kit, "clock_multiply", 3.5e9),
            peak_row(kit, "clock_multiply", 3.2e9, threads=2),
            peak_row(kit, "clock_add", 4.0e9),
        ]
    )
    found = [core_clock(rows, cores=cores) for cores in (1, 2, 8)]
    assert [row.median for row in found if row] == [3.5e9, 3.2e9, 3.5e9]
    assert core_clock(Rows()) is None

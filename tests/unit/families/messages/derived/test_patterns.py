"""The peak of each pattern of communication, and its share of the line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.messages.among_all.patterns import PATTERNS
from heorot.families.messages.derived.among_all import pattern_peaks
from heorot.model.machine.network import NetworkInterface
from tests.unit.analyse.builders import a_context, a_machine, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def _rate(size: int, median: float, **what: object) -> Result:
    where = {"benchmark": PATTERNS.name, "region": "broadcast", "metric": "port_bandwidth"}
    return a_result(**{**where, "point": {"bytes": size}, "median": median, **what})


def test_the_peak_is_the_best_size_of_each_pattern() -> None:
    rows = [
        _rate(8, 1e6),
        _rate(65536, 9e9),
        _rate(1 << 20, 7e9),
        _rate(65536, 2e9, region="collect"),
        _rate(65536, 5e9, metric="bandwidth"),
    ]
    peaks = {row.region: row for row in pattern_peaks(a_context(rows))}
    assert {region: row.median for region, row in peaks.items()} == {
        "broadcast": 9e9,
        "collect": 2e9,
    }
    assert peaks["broadcast"].metric in PATTERNS.derived
    assert peaks["broadcast"].share_of_ceiling is None  # inside a node there is no line


@pytest.mark.parametrize(("ranks", "share"), [(2, 0.8), (8, None)])
def test_a_rank_with_a_line_for_itself_has_a_share_of_it(ranks: int, share: float | None) -> None:
    line = NetworkInterface(
        name="eth0", kind="ethernet", state="up", speed_bits=1e9, driver="ixgbe"
    )
    rows = [_rate(65536, 1e8, nodes=2, ranks=ranks)]
    (peak,) = pattern_peaks(a_context(rows, machine=a_machine(interfaces=(line,))))
    assert peak.share_of_ceiling == (share and pytest.approx(share))

"""The policy of messages/patterns: who runs what, and the peak of each pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.messages.among_all.patterns import PATTERNS, explain
from heorot.model.catalogue.benchmark import PROFILES
from heorot.model.machine.network import NetworkInterface

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result
    from tests.unit.conftest import Kit


def _rate(kit: Kit, size: int, median: float, **what: object) -> Result:
    where = {"benchmark": PATTERNS.name, "region": "broadcast", "metric": "port_bandwidth"}
    return kit.result(**{**where, "point": {"bytes": size}, "median": median, **what})


def test_all_patterns_run_where_there_is_time(kit: Kit) -> None:
    chosen = {
        profile: case.options["patterns"]
        for profile in PROFILES
        for case in PATTERNS.cases(kit.machine(8), profile)
    }
    assert chosen["standard"] == chosen["full"] == "all"
    assert "pingpong" in str(chosen["smoke"]).split(",")


def test_short_profiles_are_short_and_ranks_have_cores(kit: Kit) -> None:
    seconds = {}
    for profile in PROFILES:
        (case,) = PATTERNS.cases(kit.machine(4), profile)
        assert case.ranks == case.needs_cores == 4
        seconds[profile] = case.seconds
    assert seconds["smoke"] < 0.3
    assert seconds["quick"] < 3.0
    assert seconds["standard"] < seconds["full"] < 120.0


def test_over_nodes_one_rank_each_and_all_cores(kit: Kit) -> None:
    assert PATTERNS.over_nodes is not None
    full, one_each = PATTERNS.over_nodes(kit.machine(4), "standard", 2)
    assert (full.ranks, full.nodes, one_each.ranks, one_each.nodes) == (8, 2, 2, 2)


def test_an_estimate_grows_with_what_is_asked(kit: Kit) -> None:
    assert PATTERNS.estimate is not None
    machine = kit.machine(4)
    (case,) = PATTERNS.cases(machine, "quick")
    other = {**case.options, "patterns": "all", "sizes": "8,1048576,16777216"}
    larger = PATTERNS.estimate(machine, case.model_copy(update={"options": other}))
    assert larger.seconds > 4 * case.seconds
    assert larger.memory_bytes == 16 * case.memory_bytes


def test_the_peak_is_the_best_size_of_each_pattern(kit: Kit) -> None:
    rows = [
        _rate(kit, 8, 1e6),
        _rate(kit, 65536, 9e9),
        _rate(kit, 1 << 20, 7e9),
        _rate(kit, 65536, 2e9, region="collect"),
        _rate(kit, 65536, 5e9, metric="bandwidth"),
    ]
    peaks = {row.region: row for row in explain(kit.context(rows))}
    assert {region: row.median for region, row in peaks.items()} == {
        "broadcast": 9e9,
        "collect": 2e9,
    }
    assert peaks["broadcast"].metric in PATTERNS.derived
    assert peaks["broadcast"].share_of_ceiling is None  # inside a node there is no line


@pytest.mark.parametrize(("ranks", "share"), [(2, 0.8), (8, None)])
def test_a_rank_with_a_line_for_itself_has_a_share_of_it(
    kit: Kit, ranks: int, share: float | None
) -> None:
    line = NetworkInterface(
        name="eth0", kind="ethernet", state="up", speed_bits=1e9, driver="ixgbe"
    )
    rows = [_rate(kit, 65536, 1e8, nodes=2, ranks=ranks)]
    (peak,) = explain(kit.context(rows, machine=kit.machine(interfaces=(line,))))
    assert peak.share_of_ceiling == (share and pytest.approx(share))

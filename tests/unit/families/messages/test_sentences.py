"""What the programs of messages say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.messages.sentences import sentences

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result
    from tests.unit.conftest import Kit


def message(kit: Kit, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "messages/pingpong",
        "region": "pingpong",
        "metric": "latency",
        "unit": "s",
        "better": "lower",
        "point": {"bytes": 8},
    }
    return kit.result(median=median, **(fields | changes))


def said(kit: Kit, *rows: Result) -> list[str]:
    return [each.text for each in sentences(kit.context(rows))]


def test_messages_are_told_by_the_shortest_the_longest_and_half_speed(kit: Kit) -> None:
    rate = {"metric": "bandwidth", "unit": "B/s", "better": "higher"}
    rows = [
        message(kit, 3e-7),
        message(kit, 5e-7, point={"bytes": 1024}),
        message(kit, 20e9, point={"bytes": 1 << 16}, **rate),
        message(kit, 12e9, point={"bytes": 4 << 20}, **rate),
        message(kit, 9000.0, metric="n_half", unit="B", point={"from_bytes": 0}, derived=True),
        message(kit, 4000.0, metric="n_half", unit="B", point={}, derived=True),
    ]
    (found,) = sentences(kit.context(rows))
    assert found.text == (
        "A message of 8 B inside a node takes 300 ns [297, 303] with gnu-12, and one of 4 MiB "
        "travels at 12.0 GB/s [11.9, 12.1]; half the asymptotic speed takes 4.00 kB [3.96, 4.04]."
    )
    assert found.evidence == (rows[0].key, rows[3].key, rows[5].key)


def test_a_message_between_nodes_is_called_one(kit: Kit) -> None:
    assert "between two nodes" in said(kit, message(kit, 2e-6, nodes=2))[0]


def test_the_slow_toolchain_is_named(kit: Kit) -> None:
    slow = message(kit, 9e-7, toolchain="gnu-12+mpich-5")
    fast = message(kit, 3e-7, toolchain="gnu-12+openmpi-5")
    best, matters = said(kit, slow, fast)
    assert "takes 300 ns [297, 303] with gnu-12+openmpi-5" in best
    assert matters == (
        "The toolchain matters: a message of 8 B takes 3.00 [2.94, 3.06] times as long with "
        "gnu-12+mpich-5 (900 ns [891, 909]) as with gnu-12+openmpi-5 (300 ns [297, 303])."
    )


def test_toolchains_within_each_others_intervals_are_alike(kit: Kit) -> None:
    rows = [message(kit, 3.0e-7, toolchain="a"), message(kit, 3.01e-7, toolchain="b")]
    assert len(said(kit, *rows)) == 1


def test_one_toolchain_is_not_compared_with_itself(kit: Kit) -> None:
    assert len(said(kit, message(kit, 3e-7), message(kit, 9e-7, case="far"))) == 1


@pytest.mark.parametrize("flaw", [{"verified": "failed"}, {"plausible": False}])
def test_refused_numbers_are_not_quoted(kit: Kit, flaw: dict[str, Any]) -> None:
    assert said(kit, message(kit, 3e-7, **flaw)) == []

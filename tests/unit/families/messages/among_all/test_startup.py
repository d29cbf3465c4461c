"""The policy of messages/startup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heorot.families.messages.among_all.startup import STARTUP

if TYPE_CHECKING:
    from tests.unit.conftest import Kit


def test_growth_is_seen_where_there_is_time(kit: Kit) -> None:
    machine = kit.machine(12)
    assert [case.ranks for case in STARTUP.cases(machine, "quick")] == [12]
    assert [case.ranks for case in STARTUP.cases(machine, "full")] == [2, 4, 8, 12]
    assert [case.ranks for case in STARTUP.cases(kit.machine(1), "full")] == [2]


def test_nodes_are_full_or_have_one_rank(kit: Kit) -> None:
    assert STARTUP.over_nodes is not None
    cases = STARTUP.over_nodes(kit.machine(8), "quick", 4)
    assert [(case.name, case.ranks) for case in cases] == [("4_nodes_8", 32), ("4_nodes_1", 4)]

"""The policy of messages/startup."""

from __future__ import annotations

from heorot.families.messages.among_all.startup import STARTUP
from tests.unit.analyse.builders import a_machine


def test_growth_is_seen_where_there_is_time() -> None:
    machine = a_machine(12)
    assert [case.ranks for case in STARTUP.cases(machine, "quick")] == [12]
    assert [case.ranks for case in STARTUP.cases(machine, "full")] == [2, 4, 8, 12]
    assert [case.ranks for case in STARTUP.cases(a_machine(1), "full")] == [2]


def test_nodes_are_full_or_have_one_rank() -> None:
    assert STARTUP.over_nodes is not None
    cases = STARTUP.over_nodes(a_machine(8), "quick", 4)
    assert [(case.name, case.ranks) for case in cases] == [("4_nodes_8", 32), ("4_nodes_1", 4)]

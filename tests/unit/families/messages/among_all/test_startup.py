"""The policy of messages/startup, and the memory that its notes tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heorot.families.messages.among_all.startup import STARTUP, explain_memory
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import NoteLine

if TYPE_CHECKING:
    from tests.unit.conftest import Kit

_NOTE = "library_bytes_per_rank_largest"


def test_growth_is_seen_where_there_is_time(kit: Kit) -> None:
    machine = kit.machine(12)
    assert [case.ranks for case in STARTUP.cases(machine, "quick")] == [12]
    assert [case.ranks for case in STARTUP.cases(machine, "full")] == [2, 4, 8, 12]
    assert [case.ranks for case in STARTUP.cases(kit.machine(1), "full")] == [2]


def test_nodes_are_full_or_have_one_rank(kit: Kit) -> None:
    assert STARTUP.over_nodes is not None
    cases = STARTUP.over_nodes(kit.machine(8), "quick", 4)
    assert [(case.name, case.ranks) for case in cases] == [("4_nodes_8", 32), ("4_nodes_1", 4)]


def test_memory_is_the_most_of_all_launches_of_a_case(kit: Kit) -> None:
    outcomes, steps = [], []
    for number, (case, value) in enumerate([("two", 5e6), ("two", 7e6), ("four", 9e6)]):
        step = kit.step(id=f"S{number:04}", benchmark=STARTUP.name, case=case)
        note = NoteLine(type="note", name=_NOTE, value=value)
        other = NoteLine(type="note", name="connect_bytes_per_rank_largest", value=1e9)
        steps.append(step)
        outcomes.append(Outcome(step=step.id, state="completed", notes=(note, other)))
    rows = [
        kit.result(
            benchmark=STARTUP.name, region="init", metric="time", case=case, toolchain="gnu-12"
        )
        for case in ("two", "none")
    ]
    (found,) = explain_memory(kit.context(rows, steps=steps, outcomes=outcomes))
    assert (found.case, found.metric, found.unit) == ("two", "library_memory", "B")
    assert (found.median, found.ci_low) == (7e6, 5e6)
    assert found.derived

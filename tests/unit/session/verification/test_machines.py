"""Facts about the machine of a run, and ranks that shared cores."""

from __future__ import annotations

import pytest

from heorot.model.machine.machine import Machine, Platform
from heorot.model.machine.network import NetworkInterface
from heorot.model.machine.nodes import NodeCopy, NodeState
from heorot.model.run.outcome import Outcome
from heorot.session.verification.machines import Described
from tests.unit.analyse.builders import a_machine, a_run_line

MACHINE = a_machine(4, platform=Platform(kernel="6.1"))


def copies(*states: NodeState, machine: Machine = MACHINE) -> list[NodeCopy]:
    return [
        NodeCopy(name=f"n{number}", node=machine.node, state=state)
        for number, state in enumerate(states, start=1)
    ]


def test_facts_of_nodes_that_agree_stand_once_and_of_others_with_all_values() -> None:
    states = (NodeState(microcode="0x1"), NodeState(microcode="0x2"), NodeState(microcode="0x1"))
    facts = Described(MACHINE, copies(*states)).facts
    assert facts["number of nodes"] == "3"
    assert facts["microcode"] == "0x1 | 0x2"
    assert facts["kernel"].startswith("6.1")
    assert facts["memory"] == "16 GiB"
    assert facts["governor"] == ""  # not recorded


def test_facts_without_a_description_are_unknown() -> None:
    facts = Described(MACHINE).facts
    assert facts["number of nodes"] == "1"
    assert facts["kernel"].startswith("6.1")
    assert (facts["boot options"], facts["microcode"]) == ("", "")


def test_adapters_are_compared_whatever_they_are_called_and_unused_ones_are_not() -> None:
    def machine(name: str) -> Machine:
        used = NetworkInterface(
            name=name, state="up", kind="ethernet", speed_bits=1e9, driver="e1000e"
        )
        idle = NetworkInterface(name="x9", state="down", kind="ethernet", driver="other")
        return a_machine(4, interfaces=(used, idle))

    first, second = (
        Described(each, copies(NodeState(), machine=each)).facts
        for each in (machine("eth0"), machine("ens3"))
    )
    assert first == second
    assert first["network link"] == "1.00 Gbit/s up"


@pytest.mark.parametrize(
    ("placement", "threads", "shared"),
    [
        ([("n1", (0,)), ("n1", (1,))], 1, False),
        ([("n1", (0,)), ("n1", (0,))], 1, True),
        ([("n1", (0, 1))], 2, False),
        ([("n1", (0, 1))], 3, True),
        ([("n1", (0,)), ("n2", (0,))], 1, False),
    ],
)
def test_ranks_and_threads_that_share_cores_are_found(
    placement: list[tuple[str, tuple[int, ...]]], threads: int, shared: bool
) -> None:
    states = (NodeState(boot_id="x"), NodeState(boot_id="y"))
    outcome = Outcome(step="S1", state="completed", run=a_run_line(placement, threads))
    found = Described(MACHINE, copies(*states)).crowded([outcome])
    assert found == ({"S1"} if shared else set())


def test_nodes_with_one_kernel_are_one_computer() -> None:
    placement: list[tuple[str, tuple[int, ...]]] = [("n1", (0,)), ("n2", (0,))]
    outcome = Outcome(step="S1", state="completed", run=a_run_line(placement))
    boxed = (NodeState(boot_id="x"), NodeState(boot_id="x"))
    assert Described(MACHINE, copies(*boxed)).crowded([outcome]) == {"S1"}

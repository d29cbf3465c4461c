"""Messages that take too long over the line of a node are left out."""

from __future__ import annotations

from heorot.families.messages.durations import affordable
from heorot.families.messages.layouts import Layout
from heorot.model.machine.machine import Limits, Machine, Node, Processor
from heorot.model.machine.site import SiteNetwork

MACHINE = Machine(
    hostname="here",
    nodes=(Node(names=("here",), processor=Processor(isa="x86_64"), limits=Limits()),),
    networks=(SiteNetwork(name="lan", rate_bits=100e6),),
)


def test_over_a_slow_line_the_longest_messages_are_left_out() -> None:
    layout = Layout("4_nodes_2", 8, 4)
    assert affordable(MACHINE, layout, "8,1048576,4194304") == "8,1048576"
    assert affordable(MACHINE, layout, "8,1048576,4194304", sends=64) == "8"
    # There is always one.
    assert affordable(MACHINE, layout, "1048576,4194304", sends=64) == "1048576"
    inside = Layout("all_cores", 8)
    assert affordable(MACHINE, inside, "8,4194304", sends=64) == "8,4194304"

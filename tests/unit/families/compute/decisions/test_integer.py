"""The policy of compute/integer: the time of its cases."""

from __future__ import annotations

from heorot.families.compute.decisions.integer import INTEGER, OPERATIONS
from heorot.model.catalogue.benchmark import Case
from tests.unit.analyse.builders import a_machine


def seconds(operations: str) -> float:
    case = Case(name="x", options={"ops": operations, "budget": 0.1})
    assert INTEGER.estimate is not None
    return INTEGER.estimate(a_machine(), case).needs.seconds


def test_every_operation_takes_its_time() -> None:
    assert seconds("add,divide") == 2.0 * seconds("add")
    assert seconds("all") == seconds(",".join(OPERATIONS))


def test_bits_are_counted_once_more_without_the_instruction() -> None:
    assert seconds("count_ones") > 5.0 * seconds("shift")

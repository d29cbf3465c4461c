"""The policy of compute/integer: what its cases take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heorot.families.compute.decisions.integer import INTEGER, OPERATIONS
from heorot.model.catalogue.benchmark import Case

if TYPE_CHECKING:
    from tests.unit.conftest import Kit


def seconds(kit: Kit, operations: str) -> float:
    case = Case(name="x", options={"ops": operations, "budget": 0.1})
    assert INTEGER.estimate is not None
    return INTEGER.estimate(kit.machine(), case).seconds


def test_every_operation_takes_its_time(kit: Kit) -> None:
    assert seconds(kit, "add,divide") == 2.0 * seconds(kit, "add")
    assert seconds(kit, "all") == seconds(kit, ",".join(OPERATIONS))


def test_bits_are_counted_once_more_without_the_instruction(kit: Kit) -> None:
    assert seconds(kit, "count_ones") > 5.0 * seconds(kit, "shift")

"""The core clock by several chains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heorot.families.compute.units import cross_check
from tests.unit.analyse.builders import a_context, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def clock(region: str, median: float, **changes: Any) -> Result:
    fields = {"benchmark": "compute/peak", "region": region, "metric": "clock", "unit": "Hz"}
    return a_result(median=median, **(fields | changes))


def test_every_chain_is_held_against_the_first() -> None:
    rows = [
        clock("clock_xor", 3.5e9),
        clock("clock_multiply", 3.5e9),
        clock("clock_add", 4.0e9),
        clock("clock_multiply", 1.0e9, threads=2),
    ]
    checks = cross_check(a_context(rows))
    assert [(check.second_name, check.agrees) for check in checks] == [
        ("chain of add", False),
        ("chain of xor", True),
    ]
    assert {check.first_name for check in checks} == {"chain of multiply"}


def test_one_chain_alone_has_nothing_to_agree_with() -> None:
    assert cross_check(a_context([clock("clock_add", 3.5e9)])) == []


def test_toolchains_are_compared_with_themselves() -> None:
    rows = [
        clock(region, median, toolchain=chain)
        for chain, median in (("a", 3e9), ("b", 4e9))
        for region in ("clock_multiply", "clock_add")
    ]
    checks = cross_check(a_context(rows))
    assert [(check.quantity, check.ratio) for check in checks] == [
        ("core clock, a", 1.0),
        ("core clock, b", 1.0),
    ]

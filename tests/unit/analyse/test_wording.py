"""How sentences word rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heorot.analyse.wording import cores, interval, keys

if TYPE_CHECKING:
    from tests.unit.conftest import Kit


def test_a_value_has_its_interval_and_its_doubt(kit: Kit) -> None:
    assert interval(kit.result(median=15e9)) == "15.0 GB/s [14.8, 15.2]"
    assert interval(kit.result(median=15e9, disturbed=True)).endswith("15.2] (disturbed)")


def test_evidence_is_what_there_is(kit: Kit) -> None:
    row = kit.result()
    assert keys(None, row, None) == (row.key,)


def test_cores_are_counted(kit: Kit) -> None:
    assert cores(kit.result()) == "one core"
    assert cores(kit.result(ranks=2, threads=3)) == "6 cores"

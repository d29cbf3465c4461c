"""What the programs of the memory say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.memory.sentences import sentences

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result
    from tests.unit.conftest import Kit


def peak(kit: Kit, median: float, **changes: Any) -> Result:
    fields = {"benchmark": "compute/peak", "region": "fma_double", "metric": "flop_rate"}
    return kit.result(median=median, **(fields | changes))


def test_memory_is_told_by_what_it_feeds_and_what_waits_for_it(kit: Kit) -> None:
    rows = [
        kit.result(median=15e9),
        kit.result(median=24e9, threads=2),
        peak(kit, 100e9),
        peak(kit, 200e9, threads=2),
    ]
    (said,) = sentences(kit.context(rows))
    assert said.text == (
        "Memory feeds 2 cores 24.0 GB/s [23.8, 24.2] in triad, 1.60 [1.57, 1.63] times what it "
        "feeds one; that is 0.120 [0.118, 0.122] byte per flop of peak, so whatever does fewer "
        "than 8.33 [8.17, 8.50] flops per byte waits for memory."
    )
    assert said.evidence == (rows[1].key, rows[0].key, rows[3].key)


def test_one_core_is_told_alone(kit: Kit) -> None:
    row = kit.result(median=15e9)
    (said,) = sentences(kit.context([row, peak(kit, 200e9, threads=2)]))
    assert said.text == "Memory feeds one core 15.0 GB/s [14.8, 15.2] in triad."
    assert said.evidence == (row.key,)


def test_disturbed_numbers_say_so(kit: Kit) -> None:
    (said,) = sentences(kit.context([kit.result(disturbed=True)]))
    assert "(disturbed) in triad" in said.text


@pytest.mark.parametrize("flaw", [{"verified": "failed"}, {"plausible": False}])
def test_refused_numbers_are_not_quoted(kit: Kit, flaw: dict[str, Any]) -> None:
    assert sentences(kit.context([kit.result(**flaw)])) == []

"""Memory bandwidth has one definition: which row it is, and over which working set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.memory_bandwidth import memory_bandwidth, working_set
from heorot.analyse.templates.words import word
from heorot.families.memory.levels import explain
from heorot.families.memory.sentences import sentences
from tests.unit.analyse.builders import a_context, a_measured_context, a_result, a_series
from tests.unit.model.keys import but

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result

MIB = 1 << 20


def test_it_is_that_of_the_operation_on_as_many_cores_of_a_node() -> None:
    rows = [
        a_result(region="read", median=20e9),
        a_result(region="triad", median=15e9),
        a_result(region="triad", median=28e9, threads=2),
        a_result(region="triad", median=99e9, ranks=2, nodes=2),
    ]
    context = a_context(rows)
    assert memory_bandwidth(context, "read", 1) is rows[0]
    assert memory_bandwidth(context, "triad", 2) is rows[2]
    assert memory_bandwidth(context, "read", 2) is None


def test_threads_come_before_copies() -> None:
    star: dict[str, Any] = {"ranks": 2, "case": "2_copies", "options": {"star": True}}
    copies, threads = a_result(median=30e9, **star), a_result(median=28e9, threads=2)
    assert memory_bandwidth(a_context([copies, threads]), "triad", 2) is threads
    assert memory_bandwidth(a_context([copies]), "triad", 2) is copies


@pytest.mark.parametrize("ranks", [1, 2])
def test_the_working_set_is_what_a_body_goes_over(ranks: int) -> None:
    series = a_series(point={}, counts={"bytes": 24.0 * MIB * ranks}, ranks=ranks)
    context = a_measured_context([series])
    (row,) = context.rows
    assert working_set(context, row) == 24.0 * MIB * ranks
    own = but(row, point={"working_set_bytes": MIB})
    assert working_set(context, own) == MIB * ranks
    assert working_set(a_context(), row) is None


def hierarchy() -> list[Result]:
    """Reading over sizes up to memory, as a second program sees it."""
    rates = {32 << 10: 200e9, MIB: 100e9, 32 * MIB: 50e9, 1 << 40: 15e9}
    sizes = [4096 << step for step in range(18)]
    return [
        a_result(
            benchmark="memory/hierarchy",
            region="read",
            point={"working_set_bytes": size},
            median=next(rate for end, rate in rates.items() if size <= end),
        )
        for size in sizes
    ]


def test_a_second_program_adds_no_second_value() -> None:
    """Where memory bandwidth was measured, a plateau of a sweep gives no other value."""
    streamed = a_result(region="read", median=17e9)
    for rows, reported in ((hierarchy(), {15e9}), ([streamed, *hierarchy()], set())):
        context = a_context(rows)
        context = context.adding(explain(context))
        found = context.rows.find("memory/hierarchy", "read", "bandwidth_memory")
        assert {row.median for row in found} == reported
        (levels,) = (one for one in sentences(context) if one.text.startswith("Read bandwidth"))
        memory = streamed if not reported else found[0]
        assert levels.text.endswith(f"; {word(memory)} from memory.")
        assert memory.id in levels.evidence

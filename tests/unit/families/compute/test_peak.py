"""The policy of compute/peak: its layouts, and the clock that it counts."""

from __future__ import annotations

import numpy as np
import pytest

from heorot.families import BENCHMARKS
from heorot.families.compute.peak import PEAK
from tests.unit.analyse.builders import a_machine, a_measured_context, a_series


def test_one_core_and_all_of_them() -> None:
    layouts = [(case.name, case.threads) for case in PEAK.cases(a_machine(6), "smoke")]
    assert layouts == [("one_core", 1), ("all_cores", 6)]
    assert [case.name for case in PEAK.cases(a_machine(1), "full")] == ["one_core"]


def test_copies_tell_the_clock_while_all_cores_are_busy() -> None:
    *_, busy = PEAK.cases(a_machine(6), "quick")
    assert (busy.name, busy.ranks, busy.threads) == ("all_cores_copies", 6, 1)
    assert busy.options["star"] is True


def test_the_clock_is_that_of_one_core_however_many_ranks_count() -> None:
    # Each of two ranks counts 350 000 cycles in 100 microseconds.
    series = a_series(
        benchmark=PEAK.name,
        region="clock_multiply",
        counts={"cycles": 7e5},
        ranks=2,
        repetitions=1,
        seconds=np.full(8, 1e-4),
    )
    (row,) = a_measured_context([series]).rows
    assert row.metric == "clock"
    assert row.median == pytest.approx(3.5e9)


def test_cycles_of_a_clock_refuse_and_limit_nothing() -> None:
    """No division comes near eight operations a cycle, whatever the program."""
    by_clock = [
        (benchmark.name, rule.refuses_only)
        for benchmark in BENCHMARKS
        for rule in benchmark.ceilings
        if rule.by == "core_clock"
    ]
    assert {name for name, _ in by_clock} >= {"compute/integer", "memory/hierarchy"}
    assert all(refuses_only for _, refuses_only in by_clock)

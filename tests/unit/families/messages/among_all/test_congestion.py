"""The policy of messages/congestion, and its ratios."""

from __future__ import annotations

import numpy as np
import pytest

from heorot.families.messages.among_all.congestion import CONGESTION, LOADS
from heorot.families.messages.derived.congested import explain
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import PROFILES
from heorot.model.machine.site import SiteNetwork
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_machine, a_measured_context, a_series


def series(region: str, seconds: float, n: int, **changes: object) -> Series:
    """Samples, n of them, of which the slowest 2 % take ten times as long."""
    times = np.full(n, seconds) * (1.0 + 0.01 * np.random.default_rng(5).standard_normal(n))
    times[: max(1, n // 50)] *= 10.0
    fields = {
        "benchmark": CONGESTION.name,
        "region": region,
        "ranks": 8,
        "point": {"bytes": 8},
        "counts": {"operations": 10.0},
        "repetitions": 1,
        "seconds": times,
    }
    return a_series(**(fields | changes))


def pair(n: int, **changes: object) -> list[Series]:
    """Three times as long with aggressors."""
    return [
        series("allreduce_alone", 1e-5, n, **changes),
        series("allreduce_congested", 3e-5, n, **changes),
    ]


def explained(samples: list[Series]) -> list[Result]:
    return explain(a_measured_context(samples, benchmarks=(CONGESTION,)))


def test_ratios_of_median_and_tail_are_found() -> None:
    rows = explained(pair(400))
    assert {row.metric for row in rows} == {"congestion_median", "congestion_p99"}
    for row in rows:
        assert row.median == pytest.approx(3.0, rel=0.05)
        assert row.ci_low <= row.median <= row.ci_high
        assert (row.region, row.unit, dict(row.point)) == ("allreduce_congested", "1", {"bytes": 8})
    (median,) = (row for row in rows if row.metric == "congestion_median")
    assert median.ci_high - median.ci_low < 0.1


def test_a_few_samples_have_no_tail() -> None:
    assert [row.metric for row in explained(pair(99))] == ["congestion_median"]


def test_only_partners_of_one_case_that_were_verified_have_a_ratio() -> None:
    alone, congested = pair(200)
    other = series("allreduce_congested", 3e-5, 200, case="other")
    wrong = series("allreduce_congested", 3e-5, 200, verified="failed")
    assert explained([congested]) == []
    assert explained([alone, other]) == []
    assert explained([alone, wrong]) == []


def test_victims_and_aggressors_are_two_each_at_least() -> None:
    assert CONGESTION.over_nodes is not None
    for profile in PROFILES:
        for cores in (1, 2, 16):
            assert all(case.ranks >= 4 for case in CONGESTION.cases(a_machine(cores), profile))
        # Two nodes of one core have two ranks.
        assert CONGESTION.over_nodes(a_machine(1), profile, 2) == ()
        shared, apart = (
            case
            for case in CONGESTION.over_nodes(a_machine(8), profile, 4)
            if case.options["load"] == LOADS[0]
        )
        assert (shared.ranks, apart.ranks) == (32, 4)


def test_there_are_samples_for_a_tail() -> None:
    for profile in PROFILES:
        for case in CONGESTION.cases(a_machine(8), profile):
            assert int(case.options["samples-min"]) >= 100


def test_over_a_slow_line_there_is_time_for_more_than_one_sample() -> None:
    machine = a_machine(2)
    slow = machine.model_copy(update={"networks": (SiteNetwork(name="lan", rate_bits=100e6),)})
    fast = machine.model_copy(update={"networks": (SiteNetwork(name="ib", rate_bits=100e9),)})
    budgets = [
        float(CONGESTION.over_nodes(each, "standard", 4)[0].options["budget"])
        for each in (slow, fast)
        if CONGESTION.over_nodes
    ]
    # Ten operations with two messages of 128 KiB from each of two ranks on a line take 0.42 s.
    assert budgets[0] > 6 * 2 * 0.42
    assert budgets[1] == 0.5


def test_memory_follows_the_load() -> None:
    (case, *_) = CONGESTION.cases(a_machine(8), "smoke")
    # Four aggressors, two outstanding messages, two buffers; four victims with four buffers.
    assert case.needs.memory_bytes == 4 * 2 * 2 * (1 << 20) + 4 * 4 * (128 << 10)

"""Compared throughput tests: which ratios are judged, which are not and why, sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from heorot.throughput.analyse.analysis import analyse_throughput
from heorot.throughput.analyse.side_by_side import EndedTest, compare_tests
from heorot.throughput.model.comparison import ComparedQuantity, ThroughputComparison
from heorot.throughput.model.kinds import Arrival, JobKind, JobsFile, Part
from heorot.throughput.model.quantities import CORRECTED, MAKESPAN
from heorot.throughput.model.throughput import Hold, Occupancy, ThroughputJob, ThroughputTest
from tests.unit.report.screens.sentences import excess
from tests.unit.throughput.analyse.synthetic_tests import BEGUN, make_job, make_throughput, ran

KINDS = JobsFile(jobs={"solo": JobKind(parts=(Part(command=("true",)),))})


def jobs_of(factor: float, *, lost: bool = False) -> list[ThroughputJob]:
    """Six jobs in sequence on two nodes, each of 100 s times the factor."""
    jobs = [
        ran(
            i + 1,
            "solo",
            0.0,
            (i // 2) * 100.0 * factor,
            (i // 2 + 1) * 100.0 * factor,
            hosts=(f"n{i % 2}",),
        )
        for i in range(6)
    ]
    if lost:
        jobs[-1] = make_job(6, "solo", 0.0, fate="failed", why="its program exited with 1")
    return jobs


def ended(name: str, jobs: Sequence[ThroughputJob], *, n_jobs: int = 6, **fields: Any) -> EndedTest:
    test: ThroughputTest = make_throughput(jobs, alone={"solo": (99.0, 100.0, 101.0)}, **fields)
    arrivals = tuple(
        Arrival(serial=i + 1, label=f"solo{i + 1}", kind="solo", at_seconds=0.0)
        for i in range(n_jobs)
    )
    return EndedTest(name, test, analyse_throughput(test), arrivals, KINDS)


def repeated(name: str, *factors: float) -> list[EndedTest]:
    return [ended(f"{name}{i}", jobs_of(factor)) for i, factor in enumerate(factors)]


def quantity(comparison: ThroughputComparison, name: str, part: str = "whole") -> ComparedQuantity:
    return next(one for one in comparison.quantities if (one.part, one.name) == (part, name))


def texts(comparison: ThroughputComparison) -> list[str]:
    return [one.text for one in comparison.sentences]


def test_tests_that_repeat_each_other_are_judged() -> None:
    compared = compare_tests([repeated("fast", 1.0, 1.01, 0.99), repeated("slow", 1.5, 1.52, 1.49)])
    makespan = quantity(compared, MAKESPAN)
    against = makespan.against[1]
    assert makespan.against[0] is None
    assert against is not None
    assert makespan.values == ((300.0, 303.0, 297.0), (450.0, 456.0, 447.0))
    assert against.verdict == "worse"
    assert against.ratio == pytest.approx(1.503, abs=0.002)
    assert against.low is not None
    assert against.high is not None
    assert 1.4 < against.low < against.ratio < against.high < 1.6
    assert texts(compared)[0].startswith("The makespan of slow0 is 1.50 [")
    assert texts(compared)[0].endswith(
        "] times that of fast0 (5 min); the difference is significant."
    )
    assert "Repeated tests of slow0 differ by up to 2.0 % in makespan" in " ".join(texts(compared))


def test_alike_tests_are_no_difference() -> None:
    compared = compare_tests([repeated("a", 1.0, 1.1, 0.95), repeated("b", 1.02, 1.12, 0.96)])
    against = quantity(compared, MAKESPAN).against[1]
    assert against is not None
    assert against.verdict == "indistinguishable"
    assert "; the difference is not significant." in texts(compared)[0]


def test_single_tests_are_not_judged_however_many_jobs_they_have() -> None:
    compared = compare_tests([repeated("a", 1.0), repeated("b", 2.0)])
    for one in compared.quantities:
        for against in one.against:
            assert against is None or (against.verdict, against.low) == ("not judged", None)
    assert "is 2.00 times that of a0 (5 min); not judged: single tests." in texts(compared)[0]


def test_missing_work_makes_measured_totals_unjudged_and_corrected_ones_shown() -> None:
    broken = [ended(f"b{i}", jobs_of(1.0, lost=True)) for i in range(2)]
    compared = compare_tests([repeated("a", 1.0, 1.01), broken])
    against = quantity(compared, MAKESPAN).against[1]
    assert against is not None
    assert (against.verdict, against.why) == (
        "not judged",
        "b0: missing work",
    )
    corrected = quantity(compared, CORRECTED)
    assert corrected.values == ((300.0, 303.0), (360.0, 360.0))
    assert corrected.against[1] is not None
    assert corrected.against[1].verdict == "worse"
    assert texts(compared)[0] == "b0 completed 5 of 6 jobs; other tests lack jobs, too."


def test_nodes_that_others_held_are_an_objection() -> None:
    hold = Hold(node="n1", begin=BEGUN + 210.0, end=BEGUN + 290.0)
    seen = Occupancy(watched=((BEGUN, BEGUN + 300.0),), holds=(hold,))
    held = [ended(f"b{i}", jobs_of(1.0)[:5], occupancy=seen) for i in range(2)]
    compared = compare_tests([repeated("a", 1.0, 1.01), held])
    against = quantity(compared, MAKESPAN).against[1]
    assert against is not None
    assert against.why == "b0: nodes down or allocated to other users"


def test_other_work_is_never_judged() -> None:
    other = [ended(f"b{i}", jobs_of(1.0), n_jobs=5) for i in range(2)]
    compared = compare_tests([repeated("a", 1.0, 1.01), other])
    assert not compared.same_work
    assert {against.why for one in compared.quantities for against in one.against if against} == {
        "a0: different work"
    }
    assert texts(compared)[0] == (
        "The tests ran different work: number of jobs and jobs and submission times differ."
    )


def test_what_differs_is_listed_and_said() -> None:
    policy = [
        {"scontrol show config": f"BOOT = 2026-01-0{n}T01:02:03\nType = sched/{name}\nNodes = 4"}
        for n, name in enumerate(("backfill", "builtin"), start=1)
    ]
    systems = [
        [ended(f"t{i}", jobs_of(1.0), facts={"policy": one, "seed": i})]
        for i, one in enumerate(policy)
    ]
    compared = compare_tests(systems)
    assert [(one.what, one.values) for one in compared.differing] == [
        ("seed", ("0", "1")),
        ("Type", ("sched/backfill", "sched/builtin")),
    ]
    assert texts(compared)[-1] == "Settings differ, too: seed and Type."
    alike = compare_tests([repeated("a", 1.0), repeated("b", 1.0)])
    assert texts(alike)[-1].startswith("No recorded setting differs")


def test_contention_is_compared_by_program() -> None:
    compared = compare_tests([repeated("a", 1.0, 1.01, 0.99), repeated("b", 1.3, 1.31, 1.29)])
    one = quantity(compared, "solo", "interference")
    assert one.against[1] is not None
    assert one.against[1].verdict == "worse"
    said = next(text for text in texts(compared) if text.startswith("solo takes"))
    assert "1.30 times its dedicated run time on b0, 1.00 times on a0" in said


def test_zero_waits_have_no_ratio() -> None:
    jobs = [ran(1, "solo", 0.0, 0.0, 100.0), ran(2, "solo", 0.0, 0.0, 100.0)]
    compared = compare_tests([[ended("a", jobs, n_jobs=2)], [ended("b", jobs, n_jobs=2)]])
    wait = quantity(compared, "Queue wait, mean")
    assert wait.values == ((0.0,), (0.0,))
    assert wait.against == (None, None)


def test_a_verdict_has_at_most_seven_short_sentences() -> None:
    broken = [ended(f"b{i}", jobs_of(1.0, lost=True)) for i in range(2)]
    slower = [repeated(f"s{n}-", 1.0 + n / 10, 1.01 + n / 10) for n in range(1, 10)]
    compared = compare_tests([repeated("a", 1.0, 1.01), broken, *slower])
    assert len(texts(compared)) == 7
    assert [text for text in texts(compared) if excess(text)] == []

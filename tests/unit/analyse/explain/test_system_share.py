"""Programs that spend much of their processor time in the system."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from heorot.analyse.analysis import analyse
from heorot.analyse.explain.system_share import attribute, find_system
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.model.analysis.result import Result
from heorot.model.run.records import EndLine
from tests.unit.analyse.builders import QUIET, a_machine
from tests.unit.analyse.evaluations import a_collection
from tests.unit.analyse.explain.problems import DUST, a_rate, a_run_of
from tests.unit.analyse.synthesis import SOME_FAMILIES, Synthesis


def a_share(share: float, *, ranks: int = 2, seconds: float = 10.0, **changes: Any) -> list[Result]:
    """Share and seconds of the system in one case."""
    fields: dict[str, Any] = {"region": "whole_run", "better": "lower", "derived": True} | changes
    return [
        a_rate(share, ranks=ranks, metric="system_share", unit="1", **fields),
        a_rate(seconds, ranks=ranks, metric="system_time", unit="s", **fields),
    ]


def test_all_counts_of_the_worst_problem_are_reported() -> None:
    rows = [
        *a_share(0.012, ranks=1),
        *a_share(0.42, ranks=4),
        *a_share(0.12, ranks=2, threads=2),
        *a_share(0.03, ranks=2, point={"class": "A"}),
    ]
    (said,) = attribute(a_run_of(*rows))
    assert said.text == (
        "System share of the processor time of Solver class W: 1.2 % [1.2…1.2 in 3 launches] "
        "on one rank, 12 % [12…12 in 3 launches] on 2 ranks of 2 threads, 42 % [42…42 in 3 "
        "launches] on 4 ranks."
    )
    assert said.evidence == (rows[0].id, rows[4].id, rows[2].id)
    (found,) = find_system(a_run_of(*rows))
    assert found.text == (
        "42 % [42…42 in 3 launches] of the processor time of grids/solver on 4 ranks was "
        "system time"
    )
    assert (found.severity, found.evidence) == ("note", (rows[2].id,))
    assert found.rows == (("grids/solver", "W_4x1", "4 ranks", "42 % [42…42 in 3 launches]"),)


def test_little_is_not_reported() -> None:
    assert attribute(a_run_of(*a_share(0.05))) == []
    context = a_run_of(*a_share(0.15))
    assert len(attribute(context)) == 1
    assert find_system(context) == []


def test_what_starting_takes_is_not_reported() -> None:
    context = a_run_of(*a_share(0.4, seconds=0.5, ranks=2))
    assert (attribute(context), find_system(context)) == ([], [])


def test_a_share_that_may_be_little_is_not_reported() -> None:
    share, seconds = a_share(0.4)
    context = a_run_of(share.model_copy(update={"ci_low": 0.01}), seconds)
    assert (attribute(context), find_system(context)) == ([], [])


def test_moving_messages_is_the_work_of_some_and_no_finding() -> None:
    rows = a_share(0.42, benchmark="messages/pingpong", point={})
    context = a_run_of(*rows)
    messages = replace(context, benchmarks={"messages/pingpong": PINGPONG})
    assert len(attribute(messages)) == 1
    assert find_system(messages) == []
    assert len(find_system(context)) == 1


def test_refused_rows_are_not_reported() -> None:
    assert find_system(a_run_of(*a_share(0.4, verified="failed"))) == []


def test_one_finding_tells_of_all_programs() -> None:
    rows = [
        *a_share(0.25),
        *a_share(0.5, ranks=8, benchmark=DUST.name, options={"star": True}),
        *a_share(0.3, ranks=4),
    ]
    (found,) = find_system(a_run_of(*rows))
    assert found.text == (
        "50 % [50…50 in 3 launches] of the processor time of grids/dust on 8 copies was "
        "system time; more than 20 % in 1 other program"
    )
    assert [row[0] for row in found.rows] == ["grids/dust", "grids/solver"]
    assert found.affected == ("grids/dust", "grids/solver")


@pytest.mark.slow
def test_a_run_whose_launches_tell_their_seconds() -> None:
    run = Synthesis(n_samples=5)
    by_id = {step.id: step for step in run.steps}
    ended = []
    for outcome in run.outcomes:
        ranks = by_id[outcome.step].ranks
        end = EndLine(
            type="end",
            passed=True,
            checks=1,
            failed=0,
            elapsed_seconds=10.0,
            user_seconds=(6.0,) * ranks,
            system_seconds=(4.0 if ranks > 1 else 0.1,) * ranks,
            peak_memory_bytes=(1,) * ranks,
            involuntary_switches=(0,) * ranks,
            disturbance=QUIET,
        )
        ended.append(outcome.model_copy(update={"end": end}))
    analysis = analyse(
        a_collection(run.series, ended),
        run.steps,
        SOME_FAMILIES,
        a_machine(),
        run="night",
        seed=1,
    )
    keys = [row.id for row in analysis.results]
    assert len(set(keys)) == len(keys)
    cases = {(row.benchmark, row.case) for row in analysis.results}
    for metric in ("user_time", "system_time", "system_share"):
        rows = [row for row in analysis.results if row.metric == metric]
        assert {(row.benchmark, row.case) for row in rows} == cases
        assert {row.region for row in rows} == {"whole_run"}
    speedups = [row for row in analysis.results if row.metric == "user_speedup"]
    assert {(row.benchmark, row.ranks) for row in speedups} == {("npb/ep", 2)}
    (found,) = [each for each in analysis.findings if "was system time" in each.text]
    assert found.affected == ("npb/ep",)
    assert set(found.evidence) <= set(keys)
    said = [each.text for each in analysis.attributions if each.text.startswith("System share")]
    assert len(said) == 2

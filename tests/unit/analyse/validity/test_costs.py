"""Overheads of jobs and launches besides programs: a sentence, and rows of the export."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.analyse.validity.costs import JOB, cost_jobs, cost_rows
from heorot.model.run.outcome import Exit, Outcome
from heorot.model.run.plan import Step
from heorot.model.run.records import EndLine
from tests.unit.analyse.builders import a_job, a_run_line
from tests.unit.collect.conftest import make_step

_END = {
    "type": "end", "passed": True, "checks": 0, "failed": 0, "elapsed_seconds": 2.0,
    "user_seconds": [1.0], "system_seconds": [0.0], "peak_memory_bytes": [1],
    "involuntary_switches": [0],
    "disturbance": {
        "involuntary_switches": 0, "steal_seconds": 0.0, "other_cpu_seconds": None,
        "waited_seconds": None, "window_seconds": 2.0, "sentinel_before": 1.0,
        "sentinel_after": 1.0,
    },
}  # fmt: skip


def an_outcome(step: Step, outside: float, **changes: Any) -> Outcome:
    """A completed launch of two seconds, with that much time outside of its program."""
    exit_ = Exit(step=step.id, started=100.0, ended=102.0 + outside, code=0, timed_out=False)
    fields: dict[str, Any] = {
        "step": step.id,
        "state": "completed",
        "exit": exit_,
        "end": EndLine.model_validate(_END),
        "run": a_run_line([("n1", (0,))]),
        **changes,
    }
    return Outcome(**fields)


def test_launches_are_distinguished_by_layout_and_contention() -> None:
    steps = [
        *(make_step(number, ranks=1) for number in (1, 2, 3)),
        make_step(4, ranks=8, nodes=2),
        *(make_step(number, ranks=1, wave=5) for number in (5, 6)),
        make_step(7, ranks=1, network="roce"),
    ]
    outsides = (0.1, 0.3, 0.2, 0.6, 0.4, 0.8, 0.5)
    outcomes = [an_outcome(step, t) for step, t in zip(steps, outsides, strict=True)]
    costs = cost_jobs([], outcomes, steps)
    found = [(str(c.stack), c.at_once, c.nodes, c.ranks, c.n) for c in costs.launches]
    assert found == [
        ("gnu", 1, 1, 1, 3),
        ("gnu", 1, 2, 8, 1),
        ("gnu", 2, 1, 1, 2),
        ("gnu+roce", 1, 1, 1, 1),
    ]
    alone = costs.launches[0]
    assert alone.median == pytest.approx(0.2)
    assert (alone.ci_low, alone.ci_high) == pytest.approx((0.1, 0.3))
    assert costs.text == "a launch costs 200 ms with 1 rank and 600 ms with 8 on 2 nodes."


@pytest.mark.parametrize(
    "changes", [{"state": "failed"}, {"exit": None}, {"end": None}, {"run": None}]
)
def test_what_did_not_complete_tells_nothing_of_a_launch(changes: dict[str, Any]) -> None:
    step = make_step(ranks=1)
    costs = cost_jobs([], [an_outcome(step, 0.1, **changes)], [step])
    assert (costs.text, costs.launches) == ("", ())


def test_nor_does_a_program_of_others() -> None:
    """Its time includes its launcher."""
    step = make_step(ranks=1)
    run = a_run_line([("n1", (0,))]).model_copy(update={"placement": ()})
    assert not cost_jobs([], [an_outcome(step, 0.1, run=run)], [step]).launches


def test_jobs_waited_in_the_median() -> None:
    jobs = [
        a_job(queue_seconds=seconds, submit_seconds=cost)
        for seconds, cost in ((1.0, 0.1), (1.3, 0.12), (60.0, 0.5))
    ]
    never = a_job(submit_seconds=0.1)
    reported = cost_jobs([*jobs, never], [], []).text
    assert reported == "3 jobs waited 1.3 s in the median and cost 110 ms to submit."
    assert cost_jobs(jobs[:1], [], []).text == "1 job waited 1.0 s and cost 100 ms to submit."
    assert cost_jobs([a_job(queue_seconds=2.0)], [], []).text == "1 job waited 2.0 s."
    assert cost_jobs([a_job()], [], []).text == ""


def test_one_layout_of_several_nodes() -> None:
    step = make_step(ranks=4, nodes=2)
    text = cost_jobs([a_job(queue_seconds=2.0)], [an_outcome(step, 0.25)], [step]).text
    assert text == "1 job waited 2.0 s; a launch costs 250 ms with 4 ranks on 2 nodes."


def test_launches_are_rows_of_the_export() -> None:
    steps = [
        *(make_step(number, ranks=1, launch=number) for number in (1, 2, 3)),
        make_step(4, case="wide", ranks=8, nodes=2, per_node=4, network="roce"),
        *(make_step(number, case="wave", ranks=1, wave=5) for number in (5, 6)),
    ]
    outcomes = [
        *(an_outcome(step, t) for step, t in zip(steps, (0.1, 0.3, 0.2, 0.6, 0.4), strict=False)),
        an_outcome(steps[5], 9.0, state="failed"),
    ]
    rows = cost_rows([], outcomes, steps, "r", "m")
    assert {row.metric for row in rows} == {"launch_overhead"}
    found = [(r.case, str(r.stack), r.nodes, r.ranks, r.per_node, dict(r.point), r.n) for r in rows]
    assert found == [
        ("all_cores", "gnu", 1, 1, 2, {"at_once": 1}, 3),
        ("wide", "gnu+roce", 2, 8, 4, {"at_once": 1}, 1),
        ("wave", "gnu", 1, 1, 2, {"at_once": 2}, 1),
    ]
    first = rows[0]
    assert (first.benchmark, first.region, first.unit, first.better) == (
        "memory/stream", "whole_run", "s", "lower"
    )  # fmt: skip
    assert (first.median, first.min, first.max) == pytest.approx((0.2, 0.1, 0.3))


def test_jobs_are_rows_of_the_export() -> None:
    job = a_job(
        queue="debug",
        submit_seconds=0.1,
        wait_seconds=5.0,
        queue_seconds=2.0,
        run_seconds=10.0,
        step_seconds=9.0,
    )
    here = a_job(id="J0002", system="this machine", number=None, run_seconds=4.0, step_seconds=4.0)
    never = a_job(id="J0003", system="pbs")
    rows = cost_rows([job, here, never], [], [], "r", "m")
    of_jobs = {(r.case, r.metric): r.median for r in rows}
    assert of_jobs == pytest.approx(
        {
            ("J0001", "submit_time"): 0.1,
            ("J0001", "own_jobs_wait"): 3.0,
            ("J0001", "queue_wait"): 2.0,
            ("J0001", "run_time"): 10.0,
            ("J0001", "step_time"): 9.0,
            ("J0001", "job_overhead"): 1.0,
            ("J0002", "run_time"): 4.0,
            ("J0002", "step_time"): 4.0,
            ("J0002", "job_overhead"): 0.0,
        }
    )
    points = {row.case: row.point for row in rows}
    assert points["J0001"] == {"system": "slurm", "queue": "debug", "number": "7"}
    assert points["J0002"] == {"system": "this machine"}
    assert {row.benchmark for row in rows} == {JOB}
    assert len({row.id for row in rows}) == len(rows)
    assert {(row.run, row.system) for row in rows} == {("r", "m")}

"""What ends of steps and jobs tell: lost jobs, and what a launch costs beside its program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.trust.endings import cost_jobs, find_failures, find_lost_jobs
from heorot.model.run.jobs import JobAccount
from heorot.model.run.outcome import Exit, Outcome
from heorot.model.run.plan import Step
from heorot.model.run.records import EndLine
from tests.unit.collect.conftest import make_step

if TYPE_CHECKING:
    from tests.unit.conftest import Kit

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


def a_job(**changes: Any) -> JobAccount:
    fields: dict[str, Any] = {
        "id": "J0001",
        "system": "slurm",
        "number": "7",
        "hosts": ("n1", "n2"),
        "place": "n1, n2",
        "nodes": 2,
        **changes,
    }
    return JobAccount(**fields)


def an_outcome(kit: Kit, step: Step, outside: float, **changes: Any) -> Outcome:
    """A completed launch of two seconds, with so many more outside of its program."""
    exit_ = Exit(step=step.id, started=100.0, ended=102.0 + outside, code=0, timed_out=False)
    fields: dict[str, Any] = {
        "step": step.id,
        "state": "completed",
        "exit": exit_,
        "end": EndLine.model_validate(_END),
        "run": kit.run_line([("n1", (0,))]),
        **changes,
    }
    return Outcome(**fields)


def test_a_job_that_did_not_end_well_is_an_error_with_what_it_took_with_it() -> None:
    lost = a_job(n_asked=3, lost=("S0002", "S0003"), why="it reached its time limit of 2 min")
    survey = a_job(id="J0000", system="hosts", number=None, why="it was interrupted")
    first, second = find_lost_jobs([lost, a_job(id="J0002"), survey], "heorot evaluate --resume r")
    assert first.severity == "error"
    assert first.observation == (
        "job J0001 (slurm 7) on n1, n2 did not end well: it reached its time limit of 2 min; "
        "2 of its 3 steps are lost"
    )
    assert (first.evidence, first.affected) == (("S0002", "S0003"), ("n1", "n2"))
    assert first.remedy.endswith("runs again with heorot evaluate --resume r")
    assert second.observation == (
        "job J0000 on n1, n2 did not end well: it was interrupted; no step is lost"
    )


def test_one_lost_step_of_one() -> None:
    (finding,) = find_lost_jobs([a_job(n_asked=1, lost=("S0001",), why="it failed")], "go on")
    assert finding.observation.endswith("; 1 of its 1 step is lost")


def test_steps_lost_for_one_reason_are_one_finding() -> None:
    steps = [make_step(1), make_step(2, benchmark="compute/peak"), make_step(3, launch=3)]
    reason = "never started; its job vanished"
    outcomes = [Outcome(step=step.id, state="lost", reason=reason) for step in steps]
    (finding,) = find_failures(outcomes, {step.id: step for step in steps})
    assert finding.observation == f"3 launches of 2 programs were lost: {reason}"
    assert finding.affected == ("memory/stream", "compute/peak")
    assert finding.evidence == ("S0001", "S0002", "S0003")
    (finding,) = find_failures(outcomes[::2], {step.id: step for step in steps})
    assert finding.observation == f"memory/stream (all_cores) was lost in 2 launches: {reason}"


def test_launches_are_told_apart_by_layout_and_company(kit: Kit) -> None:
    steps = [
        *(make_step(number, ranks=1) for number in (1, 2, 3)),
        make_step(4, ranks=8, nodes=2),
        *(make_step(number, ranks=1, wave=5) for number in (5, 6)),
        make_step(7, ranks=1, network="roce"),
    ]
    outsides = (0.1, 0.3, 0.2, 0.6, 0.4, 0.8, 0.5)
    outcomes = [an_outcome(kit, step, t) for step, t in zip(steps, outsides, strict=True)]
    costs = cost_jobs([], outcomes, steps)
    found = [(c.toolchain, c.at_once, c.nodes, c.ranks, c.n) for c in costs.launches]
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
def test_what_did_not_complete_tells_nothing_of_a_launch(kit: Kit, changes: dict[str, Any]) -> None:
    step = make_step(ranks=1)
    costs = cost_jobs([], [an_outcome(kit, step, 0.1, **changes)], [step])
    assert (costs.text, costs.launches) == ("", ())


def test_nor_does_a_program_of_others(kit: Kit) -> None:
    """What runs it counts its launcher as part of it."""
    step = make_step(ranks=1)
    run = kit.run_line([("n1", (0,))]).model_copy(update={"placement": ()})
    assert not cost_jobs([], [an_outcome(kit, step, 0.1, run=run)], [step]).launches


def test_jobs_waited_in_the_median() -> None:
    jobs = [
        a_job(queue_seconds=seconds, submit_seconds=cost)
        for seconds, cost in ((1.0, 0.1), (1.3, 0.12), (60.0, 0.5))
    ]
    never = a_job(submit_seconds=0.1)
    told = cost_jobs([*jobs, never], [], []).text
    assert told == "3 jobs waited 1.3 s in the median and cost 110 ms to submit."
    assert cost_jobs(jobs[:1], [], []).text == "1 job waited 1.0 s and cost 100 ms to submit."
    assert cost_jobs([a_job(queue_seconds=2.0)], [], []).text == "1 job waited 2.0 s."
    assert cost_jobs([a_job()], [], []).text == ""


def test_one_layout_of_several_nodes(kit: Kit) -> None:
    step = make_step(ranks=4, nodes=2)
    text = cost_jobs([a_job(queue_seconds=2.0)], [an_outcome(kit, step, 0.25)], [step]).text
    assert text == "1 job waited 2.0 s; a launch costs 250 ms with 4 ranks on 2 nodes."

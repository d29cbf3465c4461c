"""Findings on ends of steps and jobs: failures, and lost jobs with their lost cases."""

from __future__ import annotations

from heorot.analyse.validity.lost_jobs import (
    find_failures,
    find_leftovers,
    find_lost_jobs,
    find_set_clocks,
    lost_with_jobs,
)
from heorot.model.run.outcome import Exit, Left, Outcome
from tests.unit.analyse.builders import a_job
from tests.unit.collect.conftest import make_step


def test_a_job_that_did_not_end_well_is_an_error_with_what_it_took_with_it() -> None:
    lost = a_job(
        n_asked=4,
        lost=("S0002", "S0003", "S0004"),
        cut_off=("S0002",),
        why="it reached its time limit of 2 min",
    )
    steps = [
        make_step(1),
        make_step(2, launch=2),
        make_step(3, launch=3),
        make_step(4, launch=4),
    ]
    description = a_job(id="J0000", system="hosts", number=None, why="it was interrupted")
    jobs = [lost, a_job(id="J0002"), description]
    first, second = find_lost_jobs(jobs, steps, "heorot evaluate --resume r")
    assert first.severity == "error"
    assert first.text == (
        "job J0001 (slurm 7) on n1, n2 did not end well: it reached its time limit of 2 min; "
        "3 of its 4 steps are lost"
    )
    assert (first.evidence, first.affected) == (lost.lost, ("n1", "n2"))
    assert first.rows == (
        ("memory/stream", "all_cores", "2", "had begun"),
        ("memory/stream", "all_cores", "3, 4", "had not begun"),
    )
    assert first.remedy.endswith("heorot evaluate --resume r runs the rest of the job again")
    assert second.text == (
        "job J0000 on n1, n2 did not end well: it was interrupted; no step is lost"
    )
    assert (second.columns, second.rows) == ((), ())
    assert lost_with_jobs(jobs) == {"S0002", "S0003", "S0004"}


def test_one_lost_step_of_one() -> None:
    job = a_job(n_asked=1, lost=("S0001",), why="it failed")
    (finding,) = find_lost_jobs([job], [make_step()], "resume it")
    assert finding.text.endswith("; 1 of its 1 step is lost")


def test_steps_lost_for_one_reason_are_one_finding() -> None:
    steps = [make_step(1), make_step(2, benchmark="compute/peak"), make_step(3, launch=3)]
    reason = "never started; its job vanished"
    outcomes = [Outcome(step=step.id, state="lost", reason=reason) for step in steps]
    (finding,) = find_failures(outcomes, {step.id: step for step in steps})
    assert finding.text == f"3 launches of 2 programs were lost: {reason}"
    assert finding.affected == ("memory/stream", "compute/peak")
    assert finding.evidence == ("S0001", "S0002", "S0003")
    (finding,) = find_failures(outcomes[::2], {step.id: step for step in steps})
    assert finding.text == f"memory/stream (all_cores) was lost in 2 launches: {reason}"


def test_what_a_job_took_with_it_is_reported_with_the_job_only() -> None:
    steps = {step.id: step for step in (make_step(1), make_step(2))}
    outcomes = [Outcome(step=step, state="lost", reason="never started") for step in steps]
    (finding,) = find_failures(outcomes, steps, {"S0001"})
    assert finding.evidence == ("S0002",)
    assert find_failures(outcomes, steps, steps.keys()) == []


def test_what_programs_left_names_them() -> None:
    steps = [make_step(1), make_step(2, launch=3), make_step(3, benchmark="compute/peak")]
    beside = Left(steps=("S0001", "S0003"), n=1)
    outcomes = [
        Outcome(
            step="S0001",
            state="completed",
            left=(Left(steps=("S0001",), n=2, names=("sleep", "daemon")), beside),
        ),
        Outcome(
            step="S0002", state="failed", left=(Left(steps=("S0002",), n=1, names=("sleep",)),)
        ),
        Outcome(step="S0003", state="completed", left=(beside,)),
    ]
    first, second = find_leftovers(outcomes, {step.id: step for step in steps})
    assert first.text == (
        "memory/stream (all_cores) left 3 processes (sleep, daemon) in 2 launches"
    )
    assert (first.severity, first.evidence) == ("warning", ("S0001", "S0002"))
    assert first.affected == ("memory/stream",)
    assert second.text == (
        "one of memory/stream (all_cores), compute/peak (all_cores) left 1 process in 1 launch"
    )
    assert second.affected == ("memory/stream", "compute/peak")


def test_steps_that_left_nothing_are_no_finding() -> None:
    assert find_leftovers([Outcome(step="S0001", state="completed")], {"S0001": make_step()}) == []


def test_a_clock_that_was_set_is_reported() -> None:
    steps = {"S0001": make_step(1), "S0002": make_step(2, launch=3)}
    exits = [
        Exit(step=step, started=1.0, ended=2.0, code=0, timed_out=False, clock_set=by)
        for step, by in (("S0001", -3600), ("S0002", 0))
    ]
    outcomes = [Outcome(step=one.step, state="completed", exit=one) for one in exits]
    (found,) = find_set_clocks(outcomes, steps)
    assert found.text == "the clock was set by -3600 s while 1 launch ran"
    assert (found.severity, found.evidence) == ("warning", ("S0001",))
    assert find_set_clocks(outcomes[1:], steps) == []


def test_what_a_launcher_says_is_said_once() -> None:
    steps = [make_step(1), make_step(2, benchmark="compute/peak"), make_step(3, case="other")]
    said = "wrote no record (exit code 213): There are not enough slots for the {} ranks"
    outcomes = [
        Outcome(step="S0001", state="failed", reason=said.format(2)),
        Outcome(step="S0002", state="failed", reason=said.format(12)),
        Outcome(step="S0003", state="failed", reason="wrote no record (exit code 1)"),
    ]
    common, own = find_failures(outcomes, {step.id: step for step in steps})
    assert common.text == f"2 launches of 2 programs failed: {said.format(2)}"
    assert common.evidence == ("S0001", "S0002")
    assert own.text.startswith("memory/stream (other) failed in 1 launch: wrote no record")


def test_jobs_that_were_lost_for_reasons_with_numbers_stay_apart() -> None:
    steps = [make_step(1), make_step(2, benchmark="compute/peak")]
    outcomes = [
        Outcome(step=step.id, state="lost", reason=f"never started; its job {n} vanished")
        for n, step in enumerate(steps)
    ]
    assert len(find_failures(outcomes, {step.id: step for step in steps})) == 2

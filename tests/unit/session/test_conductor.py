"""The conductor finds what is left of a run by looking at its jobs, however many there are."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from heorot.errors import Interrupted, UsageError
from heorot.model.run.request import Request
from heorot.session import conductor
from heorot.store.directory import RunDirectory
from tests.unit.collect.conftest import make_step
from tests.unit.session.conftest import ONE_HOST, FakeAdapter, Told


def _measure(run: RunDirectory, adapter: FakeAdapter, told: Told) -> None:
    conductor._measure(run, adapter, ONE_HOST, told)


@pytest.fixture
def second_step_disturbed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conductor, "disturbed_steps", lambda _: {"S0002": "steal"})


def test_an_undisturbed_run_is_one_job(
    run: RunDirectory, adapter: FakeAdapter, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conductor, "disturbed_steps", lambda _: {})
    _measure(run, adapter, told)
    assert run.job_numbers() == (1,)
    assert told.finished_steps == ["S0001", "S0002", "S0003"]


@pytest.mark.usefixtures("second_step_disturbed")
def test_repeats_are_a_job_of_their_own_and_are_chosen_once(
    run: RunDirectory, adapter: FakeAdapter, told: Told
) -> None:
    _measure(run, adapter, told)
    assert adapter.started == ["J0001", "J0002"]
    (repeat,) = run.steps(2)
    assert (repeat.id, repeat.launch, repeat.attempt) == ("S0004", 2, 2)
    _measure(run, adapter, told)
    assert adapter.started == ["J0001", "J0002"]
    assert run.job_numbers() == (1, 2)


@pytest.mark.usefixtures("second_step_disturbed")
def test_only_the_job_that_was_cut_off_goes_on(
    run: RunDirectory, adapter: FakeAdapter, told: Told
) -> None:
    adapter.killed_before = "S0004"
    _measure(run, adapter, told)
    adapter.killed_before = ""
    adapter.started.clear()
    told.finished_steps.clear()
    _measure(run, adapter, told)
    assert adapter.started == ["J0002"]
    assert told.finished_steps == ["S0001", "S0002", "S0003", "S0004"]


@pytest.mark.usefixtures("second_step_disturbed")
def test_steps_in_several_jobs_and_in_none(
    run: RunDirectory, adapter: FakeAdapter, told: Told
) -> None:
    """As several allocations would leave them: J0001 came to nothing, J0002 was not written."""
    run.job(1).mkdir()
    run.write_steps(2, (make_step(2),))
    _measure(run, adapter, told)
    assert adapter.started == ["J0002", "J0003", "J0004"]
    ids = [[step.id for step in run.steps(number)] for number in run.job_numbers()]
    assert ids == [[], ["S0002"], ["S0001", "S0003"], ["S0004"]]


@pytest.mark.usefixtures("second_step_disturbed")
def test_no_repeats_without_time_for_them(
    run: RunDirectory, adapter: FakeAdapter, told: Told
) -> None:
    plan = run.plan()
    run.write_plan(plan.model_copy(update={"budget_seconds": plan.seconds + 0.5}))
    _measure(run, adapter, told)
    assert run.job_numbers() == (1,)


def test_what_does_not_compile_is_a_failed_case(run: RunDirectory) -> None:
    plan = run.plan()
    other = make_step(4, benchmark="npb/ep")
    plan = plan.model_copy(update={"steps": (*plan.steps, other)})
    left = conductor._without(plan, {("gnu", "memory/stream"): "stream.cpp:1: error"})
    assert left.steps == (other,)
    assert left.seconds == 1.0
    (case,) = left.skipped
    assert (case.benchmark, case.case, case.failed) == ("memory/stream", "all_cores", True)
    assert case.reason == "did not compile: stream.cpp:1: error"


def test_a_mistake_leaves_nothing_behind_but_a_kill_does(
    tmp_path: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    error: BaseException = UsageError("no benchmark matches")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(conductor, "_plan_and_build", fail)
    request = Request(out=tmp_path / "run")
    with pytest.raises(UsageError):
        conductor.evaluate(request, told)
    assert not (tmp_path / "run").exists()
    error = KeyboardInterrupt()
    with pytest.raises(Interrupted) as caught:
        conductor.evaluate(request, told)
    assert caught.value.run == tmp_path / "run"
    request = Request(out=tmp_path / "second")
    error = OSError(errno.EIO, "the node died")
    with pytest.raises(OSError, match="the node died"):
        conductor.evaluate(request, told)
    assert RunDirectory.open(tmp_path / "second").facts().request == request

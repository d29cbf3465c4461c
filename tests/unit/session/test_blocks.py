"""A plan is run block by block, and the remaining work follows from the jobs."""

from __future__ import annotations

import numpy as np
import pytest

from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.batch.slurm import Slurm
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.cores import Cores
from heorot.model.machine.machine import Limits, Machine
from heorot.model.machine.site import Site, SiteBatch
from heorot.model.run.identity import Setup
from heorot.model.run.plan import DroppedLaunch
from heorot.model.run.series import Series
from heorot.session import blocks
from heorot.session.blocks import measure, spreads, submit_all
from heorot.session.runs import conclude
from heorot.store.directory import RunDirectory
from tests.unit.analyse.builders import a_series
from tests.unit.collect.conftest import make_step
from tests.unit.model.keys import a_setup
from tests.unit.session.conftest import FakeAdapter, Reported


def _measure(run: RunDirectory, adapter: FakeAdapter, reported: Reported) -> None:
    measure(run, ExecutionTarget(adapter, Site(), 1), reported)


def _ids(run: RunDirectory) -> list[list[str]]:
    """The steps of every job."""
    return [[step.id for step in run.steps(number)] for number in run.job_numbers()]


@pytest.fixture
def second_step_disturbed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "disturbed_steps", lambda _: {"S0002": "steal"})


@pytest.fixture
def undisturbed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "disturbed_steps", lambda _: {})


@pytest.mark.usefixtures("undisturbed")
def test_every_launch_is_a_job(run: RunDirectory, adapter: FakeAdapter, reported: Reported) -> None:
    _measure(run, adapter, reported)
    assert _ids(run) == [["S0001"], ["S0002"], ["S0003"]]
    assert reported.finished_steps == ["S0001", "S0002", "S0003"]
    assert reported.dropped_steps == []


@pytest.mark.usefixtures("second_step_disturbed")
def test_repeats_are_a_job_of_their_own_and_are_chosen_once(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    _measure(run, adapter, reported)
    assert adapter.started == ["J0001", "J0002", "J0003", "J0004"]
    (repeat,) = run.steps(4)
    assert (repeat.id, repeat.launch, repeat.attempt) == ("S0004", 2, 2)
    adapter.started.clear()
    _measure(run, adapter, reported)
    assert adapter.started == []
    assert run.job_numbers() == (1, 2, 3, 4)


@pytest.mark.usefixtures("second_step_disturbed")
@pytest.mark.parametrize("cut_off", ["S0002", "S0004"])
def test_only_the_interrupted_job_is_resumed(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported, cut_off: str
) -> None:
    adapter.killed_before = cut_off
    _measure(run, adapter, reported)
    adapter.killed_before = ""
    adapter.started.clear()
    reported.finished_steps.clear()
    _measure(run, adapter, reported)
    assert adapter.started == [f"J{cut_off[1:]}"]
    assert reported.finished_steps == ["S0001", "S0002", "S0003", "S0004"]


@pytest.mark.usefixtures("second_step_disturbed")
def test_steps_in_several_jobs_and_in_none(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    """As several allocations would leave them: J0001 produced nothing, J0002 was not written."""
    run.job(1).mkdir()
    run.write_steps(2, (make_step(2),))
    _measure(run, adapter, reported)
    assert adapter.started == ["J0002", "J0003", "J0004", "J0005"]
    assert _ids(run) == [[], ["S0002"], ["S0001"], ["S0003"], ["S0004"]]


@pytest.mark.usefixtures("second_step_disturbed")
def test_no_repeats_without_time_for_them(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    plan = run.plan()
    run.write_plan(plan.model_copy(update={"budget_seconds": plan.seconds + 0.5}))
    _measure(run, adapter, reported)
    assert run.job_numbers() == (1, 2, 3)


def test_who_interrupts_ends_the_job_but_none_that_has_ended(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    adapter.interrupted = True
    adapter.killed_before = "S0001"
    with pytest.raises(KeyboardInterrupt):
        _measure(run, adapter, reported)
    assert adapter.cancelled == ["J0001"]
    adapter.killed_before = ""  # now its steps end before the interruption
    with pytest.raises(KeyboardInterrupt):
        _measure(run, adapter, reported)
    assert adapter.cancelled == ["J0001"]


@pytest.mark.usefixtures("second_step_disturbed")
def test_launches_that_cannot_be_bound_as_those_before_are_given_up(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    """An earlier version bound ranks by another description, which has no cores."""
    node = run.machine().node.model_copy(update={"limits": Limits(n_allowed_cpus=4)})
    cores = (Cores(cpus=("0", "1", "2", "3")),)
    new = node.model_copy(update={"cores": cores})
    run.write_machine(Machine(hostname="n1", nodes=(new,)))
    adapter.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        _measure(run, adapter, reported)
    adapter.interrupted = False
    run.write_machine(Machine(hostname="n1", nodes=(node,)))
    _measure(run, adapter, reported)
    assert adapter.started == ["J0001"]
    assert [one.step for one in run.dropped()] == reported.dropped_steps == ["S0002", "S0003"]
    assert all("were bound to cores" in one.reason for one in run.dropped())
    _measure(run, adapter, reported)  # and nothing is decided again
    assert adapter.started == ["J0001"]
    assert len(run.dropped()) == 2


def test_a_run_that_was_never_bound_is_resumed(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    node = run.machine().node.model_copy(update={"limits": Limits(n_allowed_cpus=1)})
    run.write_machine(Machine(hostname="n1", nodes=(node,)))
    adapter.killed_before = "S0002"
    _measure(run, adapter, reported)
    adapter.killed_before = ""
    _measure(run, adapter, reported)
    assert run.dropped() == ()
    assert set(reported.finished_steps) >= {"S0001", "S0002", "S0003"}


@pytest.fixture
def short(run: RunDirectory) -> RunDirectory:
    """A run planned for two seconds with three launches, each of which takes one."""
    steps = tuple(make_step(number, launch=number, seconds=0.5) for number in (1, 2, 3))
    run.write_plan(run.plan().model_copy(update={"steps": steps, "budget_seconds": 2.0}))
    return run


@pytest.mark.usefixtures("undisturbed")
def test_what_takes_longer_than_planned_costs_launches(
    short: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    _measure(short, adapter, reported)
    assert adapter.started == ["J0001", "J0002"]
    assert reported.dropped_steps == ["S0003"]
    (dropped,) = short.dropped()
    assert (dropped.step, dropped.launch) == ("S0003", 3)
    assert dropped.reason.startswith("measuring takes longer than planned")
    assert [step.id for step in short.all_steps()] == ["S0001", "S0002"]
    ended = conclude(short).evaluation
    assert ended.dropped == (dropped,)
    assert ended.account.submitted == ended.account.completed == 2
    assert ended.account.balanced


@pytest.mark.usefixtures("undisturbed")
def test_who_resumes_decides_nothing_again(
    short: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    _measure(short, adapter, reported)
    plan = short.plan()
    short.write_plan(plan.model_copy(update={"budget_seconds": None}))  # now time would suffice
    again = Reported()
    adapter.started.clear()
    _measure(short, adapter, again)
    assert adapter.started == []
    assert again.dropped_steps == ["S0003"]
    assert again.finished_steps == ["S0001", "S0002"]


@pytest.mark.usefixtures("undisturbed")
def test_a_kill_after_a_decision_leaves_the_rest_of_its_block_to_be_run(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    steps = tuple(make_step(n, launch=1, case=f"case_{n}") for n in (1, 2))
    run.write_plan(run.plan().model_copy(update={"steps": steps}))
    drop = DroppedLaunch(
        step="S0001",
        setup=Setup(benchmark="b", case="case_1", toolchain="gnu"),
        launch=1,
        reason="r",
    )
    run.write_dropped(1, (drop,))
    _measure(run, adapter, reported)
    assert _ids(run) == [[], ["S0002"]]
    assert reported.finished_steps == ["S0002"]


@pytest.mark.usefixtures("undisturbed")
@pytest.mark.parametrize(("launches", "further"), [(None, ["S0004", "S0005"]), (3, [])])
def test_time_that_is_left_goes_to_what_is_uncertain_unless_launches_were_asked_for(
    run: RunDirectory,
    adapter: FakeAdapter,
    reported: Reported,
    monkeypatch: pytest.MonkeyPatch,
    launches: int | None,
    further: list[str],
) -> None:
    facts = run.facts()
    request = facts.request.model_copy(update={"launches": launches})
    run.write_facts(facts.model_copy(update={"request": request}))
    key = run.plan().steps[0].setup
    monkeypatch.setattr(blocks, "spreads", lambda _: {key: 0.2})
    _measure(run, adapter, reported)
    assert [step.id for step in run.steps(4)] == further
    assert [step.launch for step in run.steps(4)] == [4, 5][: len(further)]


def test_launches_differ_by_their_medians_in_the_middle_of_their_regions() -> None:
    def launch(number: int, region: str, seconds: float) -> Series:
        return a_series(launch=number, region=region, seconds=np.full(9, seconds))

    series = [
        *(launch(number, "steady", 1.0) for number in (1, 2)),
        *(launch(number, "between", seconds) for number, seconds in ((1, 0.9), (2, 1.1))),
        *(launch(number, "wild", seconds) for number, seconds in ((1, 0.5), (2, 1.5))),
        a_series(case="launched once"),
    ]
    ((key, spread),) = spreads(series).items()
    assert key == a_setup()
    assert spread == pytest.approx(0.1)


def test_what_is_submitted_as_a_whole_is_a_chain_of_jobs(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    steps = [
        make_step(1, launch=1),
        make_step(2, launch=1, nodes=2, ranks=2),
        make_step(3, launch=2),
        make_step(4, launch=2, nodes=2, ranks=2),
    ]
    run.write_plan(run.plan().model_copy(update={"steps": tuple(steps)}))
    batch = SiteBatch(system="slurm")
    target = ExecutionTarget(adapter, Site(batch=batch), 2, BatchClient(Slurm()), batch)
    assert submit_all(run, target, reported) == 4
    assert adapter.started == ["J0001", "J0002", "J0003", "J0004"]
    assert [[step.id for step in run.steps(n)] for n in run.job_numbers()] == [
        ["S0001"],
        ["S0002"],
        ["S0003"],
        ["S0004"],
    ]
    script = (run.job(2) / "script.sh").read_text()
    assert "#SBATCH --nodes=2" in script
    assert submit_all(run, target, reported) == 4  # nothing is left to submit
    measure(run, target, reported)
    assert reported.finished_steps == ["S0001", "S0002", "S0003", "S0004"]

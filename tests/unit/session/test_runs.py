"""Exit codes of ended runs; runs of earlier versions stay readable."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from heorot.launch.command import StepCommand
from heorot.launch.job import write_job
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.site import Site
from heorot.session.blocks import measure
from heorot.session.runs import Ended, conclude, reopen
from heorot.store.directory import RunDirectory
from tests.unit.collect.conftest import make_step
from tests.unit.session.conftest import FakeAdapter, Reported

_OLD_RUN = Path(__file__).parents[2] / "samples" / "runs" / "peak_0.1.0"


def _ended(run: RunDirectory, adapter: FakeAdapter, reported: Reported) -> Ended:
    measure(run, ExecutionTarget(adapter, Site(), 1), reported)
    return conclude(run)


def test_all_well_is_exit_code_0(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    ended = _ended(run, adapter, reported)
    assert ended.evaluation.account.completed == 3
    assert ended.code == 0
    assert (run.path / "report.html").exists()
    assert reopen(run.path).evaluation.account == ended.evaluation.account


@pytest.mark.parametrize(
    ("sample", "code", "killed_before"),
    [("corrupted", 1, ""), ("stream", 139, ""), ("stream", 0, "S0003")],
)
def test_a_step_in_trouble_is_exit_code_1(
    run: RunDirectory,
    adapter: FakeAdapter,
    reported: Reported,
    sample: str,
    code: int,
    killed_before: str,
) -> None:
    adapter.sample, adapter.code, adapter.killed_before = sample, code, killed_before
    ended = _ended(run, adapter, reported)
    assert ended.evaluation.account.troubled > 0
    assert ended.code == 1


def test_a_refusal_is_exit_code_0_and_a_note(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    alone = [
        make_step(number, benchmark="messages/pingpong", ranks=1, per_node=1) for number in (1, 2)
    ]
    run.write_plan(run.plan().model_copy(update={"steps": tuple(alone)}))
    adapter.sample, adapter.code = "refused", 3
    ended = _ended(run, adapter, reported)
    assert ended.evaluation.account.refused == 2
    assert ended.code == 0
    (finding,) = ended.evaluation.analysis.findings
    assert finding.severity == "note"
    assert "refused to run in 2 launches: needs at least 2 ranks, has 1" in finding.text


def test_a_step_that_ended_twice_is_exit_code_1_and_an_error(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    measure(run, ExecutionTarget(adapter, Site(), 1), reported)
    status = run.job(1) / "status.jsonl"
    status.write_text(status.read_text() + status.read_text().splitlines()[1] + "\n")
    ended = conclude(run)
    assert ended.code == 1
    assert ended.evaluation.analysis.findings[0].text == "1 step ended more than once"


def test_a_lost_job_is_an_error_with_the_command_to_resume(
    run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    adapter.killed_before = "S0003"
    measure(run, ExecutionTarget(adapter, Site(), 1), reported)
    numbers = [number for number in run.job_numbers() if "S0003" in str(run.steps(number))]
    facts = {"system": "slurm", "name": "x", "id": "7", "state": "timeout", "asked_seconds": 120.0}
    (run.job(numbers[-1]) / "batch.json").write_text(json.dumps(facts))
    evaluation = conclude(run).evaluation
    lost = next(each for each in evaluation.outcomes if each.step == "S0003")
    assert lost.reason == "never started; its job reached its time limit of 2 min"
    assert evaluation.account.balanced
    ill = [each for each in evaluation.analysis.findings if "did not end well" in each.text]
    assert [each.severity for each in ill] == ["error"]
    assert ill[0].evidence == ("S0003",)
    assert f"--resume {run.path}" in ill[0].remedy
    # The finding on the job is the only one on its lost steps.
    assert [f for f in evaluation.analysis.findings if "S0003" in f.evidence] == ill
    assert ill[0].rows == (("memory/stream", "all_cores", "3", "had not begun"),)
    assert sum(bool(job.why) for job in evaluation.jobs) == 1
    assert sum(finding in run.claims().findings for finding in ill) == 1


@pytest.fixture
def old_run(tmp_path: Path) -> RunDirectory:
    """A run of version 0.1.0 that was interrupted while it repeated its step: two jobs."""
    shutil.copytree(_OLD_RUN, tmp_path / "peak")
    directory = RunDirectory.open(tmp_path / "peak")
    first = (directory.job(1) / "steps.json").read_text()
    directory.job(2).mkdir()
    again = first.replace('"S0001"', '"S0002"').replace('"attempt": 1', '"attempt": 2')
    (directory.job(2) / "steps.json").write_text(again)
    for number, step in ((1, "S0001"), (2, "S0002")):
        job = directory.job(number)
        record = job / "records" / f"{step}.jsonl"
        command = StepCommand(
            step=step, argv=("true",), cwd=job, timeout_seconds=1.0, record=record
        )
        write_job(job, [command])
    return directory


def test_a_run_of_an_earlier_version_is_resumed(
    old_run: RunDirectory, adapter: FakeAdapter, reported: Reported
) -> None:
    plan = json.loads((old_run.path / "plan.json").read_text())
    assert "place" not in plan["steps"][0]
    for step in plan["steps"]:
        step["hosts"] = []  # of a version between that one and this
    (old_run.path / "plan.json").write_text(json.dumps(plan))
    adapter.killed_before = "S0002"
    measure(old_run, ExecutionTarget(adapter, Site(), 1), reported)
    assert adapter.started == ["J0002"]
    assert reported.finished_steps == ["S0001"]
    ended = conclude(old_run)
    assert [step.numbers for step in ended.evaluation.steps] == [(0,), (0,)]
    assert [outcome.state for outcome in ended.evaluation.outcomes] == ["completed", "lost"]
    assert any(row.benchmark == "compute/peak" for row in ended.evaluation.analysis.results)

"""Steps of one job or several: each is found, classified once and accounted for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from heorot.model.run.plan import Step

if TYPE_CHECKING:
    from tests.unit.collect.conftest import Remains


def _with_id(step: Step, number: int) -> Step:
    return step.model_copy(update={"id": f"S{number:04d}"})


def test_samples_of_all_whole_steps_are_kept_whatever_became_of_the_others(
    remains: Remains, step: Step
) -> None:
    steps = [_with_id(step, number) for number in range(1, 5)]
    for one in (steps[1], steps[3]):  # the others are lost, the first of all
        remains.ended(one.id)
        remains.record(one.id, "stream")
    collected = remains.collect(*steps)
    assert [outcome.step for outcome in collected.outcomes] == [one.id for one in steps]
    assert {series.step for series in collected.series} == {"S0002", "S0004"}


def test_the_job_in_which_a_step_ended_counts_not_a_later_start(
    remains: Remains, step: Step, tmp_path: Path
) -> None:
    remains.ended("S0001")
    remains.record("S0001", "stream")
    type(remains)(tmp_path / "jobs", "J0002").event("start", step="S0001")
    assert remains.collect(step).outcomes[0].state == "completed"


def test_of_several_complaints_a_lost_step_has_the_last(
    remains: Remains, step: Step, tmp_path: Path
) -> None:
    second = type(remains)(tmp_path / "jobs", "J0002")
    for job, words in ((remains, "first"), (second, "last")):
        (job.directory / "stderr").write_text(f"heorot: {words}\n")
    assert remains.collect(step).outcomes[0].reason == "never started; last"

"""A step whose record finds no space has not ended: its job stops with a message and repeats it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.launch.command import StepCommand
from heorot.launch.job import Job, write_job

if TYPE_CHECKING:
    from tests.unit.launch.conftest import Jobs

_WORDS = "cannot write the record 'r': No space left on device"
_SAYS = f'echo "heorot: {_WORDS}" >&2; exit 2'
# Not writable for any user.
_IS_FULL = "rm -r jobs/J0001/records; exit 9"


def _make(jobs: Jobs, trouble: str, *, wave: int = 0) -> Job:
    """A job of three steps, of which the second is in trouble until there is a file `space`."""
    scripts = ("true", f"[[ -e space ]] || {{ {trouble}; }}", "true")
    directory = jobs.base / "jobs" / "J0001"
    commands = [
        StepCommand(
            step=f"S{number:04d}",
            argv=("bash", "-c", script),
            cwd=jobs.base,
            timeout_seconds=20.0,
            record=directory / "records" / f"S{number:04d}.jsonl",
            wave=wave,
        )
        for number, script in enumerate(scripts, start=1)
    ]
    jobs.made.append(write_job(directory, commands))
    return jobs.made[-1]


@pytest.mark.slow
@pytest.mark.parametrize("wave", [0, 1], ids=["alone", "in a wave"])
@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (_SAYS, f"job J0001 stopped: {_WORDS}"),
        (_IS_FULL, "job J0001 stopped: cannot write the record of step S0002 (no space left?)"),
    ],
    ids=["prints it", "is full"],
)
def test_it_is_told_and_repeated(jobs: Jobs, trouble: str, said: str, wave: int) -> None:
    job = _make(jobs, trouble, wave=wave)
    jobs.run_to_end(job)
    assert jobs.adapter.complaint(job) == said
    assert "S0002" not in [one["step"] for one in jobs.exits(job)]
    assert "end" not in [one["event"] for one in jobs.events(job)]
    assert not jobs.left(job)
    (jobs.base / "space").touch()
    (job.directory / "records").mkdir(exist_ok=True)
    jobs.run_to_end(job)
    ended = [one["step"] for one in jobs.exits(job)]
    assert sorted(ended) == list(job.steps)
    assert {one["code"] for one in jobs.exits(job)} == {0}


def test_a_failure_of_another_kind_ends_the_step(jobs: Jobs) -> None:
    job = jobs.run("echo 'heorot: cannot start'; exit 2", "true")
    assert [one["code"] for one in jobs.exits(job)] == [2, 0]
    assert jobs.adapter.complaint(job) == ""
    assert list((job.directory / "records").iterdir()) == []

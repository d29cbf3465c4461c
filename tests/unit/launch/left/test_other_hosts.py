"""Processes left on other hosts are ended there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.launch.job import write_job
from tests.unit.launch.hosts import Hosts

if TYPE_CHECKING:
    from tests.unit.launch.conftest import Jobs, Make

pytestmark = pytest.mark.waiting


@pytest.mark.slow
def test_what_a_program_leaves_on_another_host_is_ended(
    jobs: Jobs, hosts: Hosts, make: Make, tmp_path: Path
) -> None:
    """Without its mark by the shell that started it there, and with it from here."""
    leave, said = tmp_path / "leave", tmp_path / "said"
    daemon = f"bash -c 'echo >>{said}; exec sleep 4242'"
    leave.write_text(f"( (nohup setsid {daemon} <&- >&- 2>&- 3>&- 9>&- &) & )\n")
    wait = f"until [ -s {said} ]; do sleep 0.01; done; rm {said}"
    bare, look = 'env -i PATH="$PATH"', "cat /proc/[0-9]*/cmdline | tr '\\0' ' '"
    marks = "HEOROT_JOB=$HEOROT_JOB HEOROT_STEP=$HEOROT_STEP"
    commands = (
        make("S0001", f"{bare} bash {leave}; {wait}", place=(1,), taken=True),
        make("S0002", f"exec {bare} sleep 4242", place=(1,), taken=True, timeout_seconds=0.5),
        make("S0003", look, place=(1,), taken=True),
        # Like a launcher whose ranks leave a process on both of its hosts.
        make("S0004", f"bash {leave}; '{hosts.agent}' n3 {marks} bash {leave}", place=(0, 2)),
        make("S0005", look, place=(2,), taken=True),
    )
    job = write_job(tmp_path / "jobs/J0001", commands, hosts.job_environment("n2", "n3"))
    jobs.made.append(job)
    jobs.run_to_end(job)
    exits = {event["step"]: event for event in jobs.exits(job)}
    assert [exits[step]["code"] for step in job.steps] == [0, 124, 0, 0, 0]
    assert "4242" not in jobs.output(job, "S0003") + jobs.output(job, "S0005")
    found = [(e["steps"], e["n"], e["names"]) for e in jobs.events(job) if e["event"] == "left"]
    assert found == [(["S0001"], 1, ["sleep"]), (["S0004"], 1, ["sleep"])]
    assert not [*(job.directory / "outputs").glob("*.left")]

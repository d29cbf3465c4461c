"""A throughput test on a real Slurm half of whose nodes others have: the page says that first."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from heorot.lab.place import directory_of
from tests.end_to_end.labs import slurm_lab
from tests.end_to_end.running import heorot
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.waiting, pytest.mark.timeout(300)]

JOBS = """
exclusive: true
jobs:
  pair: {command: [sleep, "2"], nodes: 2}
"""


def test_the_page_says_first_what_others_held(tmp_path: Path) -> None:
    (tmp_path / "jobs.yaml").write_text(JOBS)
    (tmp_path / "day.schedule").write_text("0: 4 * pair\n")
    out = tmp_path / "day"
    with slurm_lab("--nodes", "4", "--cpus", "1", "--shared", tmp_path) as lab:
        commands = directory_of(lab) / "bin"
        stay = ("--exclusive", "-N1", "-o", "/dev/null", "--wrap", "sleep 200")
        for _ in range(2):
            subprocess.run([commands / "sbatch", *stay], check=True)
        running: list[str | Path] = [commands / "squeue", "-h", "-t", "R", "-o", "%i"]
        wait_until(
            lambda: len(subprocess.check_output(running).split()) == 2,
            60.0,
            lambda: subprocess.check_output([commands / "squeue"]),
        )
        words = (tmp_path / "day.schedule", "--jobs", tmp_path / "jobs.yaml", "--alone", "0")
        done = heorot("throughput", *words, "--site", f"lab:{lab}", "--out", out)
    assert done.code == 0, done.err
    first = done.out.splitlines()[0]
    assert "Jobs of others held 50 % of the node time" in first, done.out
    assert "Jobs of others held 50 % of the node time" in (out / "report.html").read_text()
    day = json.loads((out / "settled.json").read_text())
    assert len(day["occupancy"]["jobs"]) == 2
    # Each pair of nodes waited for the only pair that was left: no node was idle in vain.
    assert "nodes were idle though a job waited" not in done.out

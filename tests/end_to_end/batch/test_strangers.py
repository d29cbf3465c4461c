"""A throughput test on a real Slurm with half its nodes in use: the page reports that first."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from heorot.lab.storage import directory_of
from heorot.throughput.analyse.analysis import analyse_throughput
from heorot.throughput.model.throughput import ThroughputTest
from tests.end_to_end.labs import slurm_lab
from tests.end_to_end.running import heorot
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.waiting, pytest.mark.timeout(300)]

JOBS = """
exclusive: true
jobs:
  pair: {command: [sleep, "6"], nodes: 2}
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
    assert "Jobs of other users were allocated 50 % of the node time" in first, done.out
    page = (out / "report.html").read_text().replace("\N{NO-BREAK SPACE}", " ")
    assert "Jobs of other users were allocated 50 % of the node time" in page
    test = json.loads((out / "settled.json").read_text())
    assert len(test["occupancy"]["jobs"]) == 2
    analysis = analyse_throughput(ThroughputTest.model_validate(test))
    use, best = analysis.measures.use, analysis.explanation.orders[0]
    # Pairs waited for the only free pair of nodes, which idled only between two jobs.
    assert use.others == pytest.approx(0.5, abs=0.005)
    assert use.watched == pytest.approx(1.0, abs=0.01)
    assert (use.loss_fitting or 0.0) < 0.35
    assert 4 * 6.0 <= use.bound <= best.makespan

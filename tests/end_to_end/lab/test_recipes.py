"""Third-party programs over the nodes of a lab, by the recipes that come with Heorot."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from heorot.session.runs import reopen
from tests.end_to_end.lab.conftest import LabMaker
from tests.end_to_end.running import heorot

pytestmark = [pytest.mark.mpi, pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(600)]


def test_a_packaged_program_runs_over_two_nodes_and_is_verified(
    make: LabMaker, shared: Path
) -> None:
    if shutil.which("lmp") is None:
        pytest.skip("lmp is not installed: apt-get install lammps")
    lab, out = make("r", "--nodes", "2", "--shared", shared), shared / "run"
    layout = ("--ranks", "2", "--nodes", "2", "--per-node", "1", "--site", f"lab:{lab.name}")
    done = heorot("run", "others/lammps", *layout, "--launches", "1", "--out", out)
    assert done.code == 0, done.out + done.err
    evaluation = reopen(out).evaluation
    assert evaluation.outcomes
    for outcome in evaluation.outcomes:  # one, and its repeats if it was perturbed
        assert outcome.state == "completed"
        assert outcome.run
        assert [place.host for place in outcome.run.placement] == ["n1", "n2"]
    assert all("2 by 1 by 1 MPI processor grid" in text for text in _printed(out))
    (row,) = (row for row in evaluation.analysis.results if row.metric == "steps")
    assert (row.nodes, row.ranks, row.verified) == (2, 2, "passed")
    assert row.median > 0.0


def _printed(run: Path) -> list[str]:
    """The output of each launch of a run."""
    return [output.read_text() for output in run.glob("jobs/*/outputs/*.txt")]

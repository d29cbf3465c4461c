"""Names that a shell or Slurm might act upon: taken as they are, or refused and nothing is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.cluster.site import Cluster, Run

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.slow,
    pytest.mark.waiting,
    pytest.mark.timeout(600),
]

NASTY = "a b'c\"d;touch pwned;$(touch pwned)`touch pwned`%j\\*?&\ttab\nnew line"
VALUES = (
    ("queue", "lab;touch pwned"),
    ("queue", "-x"),
    ("account", "$(touch pwned)"),
    ("account", "lab --wrap=touch"),
    ("constraint", "`touch pwned`"),
    ("constraint", '"lab'),
)


def traces(cluster: Cluster) -> list[Path]:
    """Where a name was acted upon."""
    return [
        file
        for place in (cluster.base, Path.cwd(), Path.home())
        for file in (place, *place.glob("*/"))
        if (file / "pwned").exists()
    ]


def test_a_run_directory_may_be_called_anything(cluster: Cluster) -> None:
    path = cluster.base / NASTY
    done = cluster.heorot("run", "npb/ep", "--ranks", "2", "--nodes", "2", "--out", path)
    assert done.code == 0, done.err
    assert {one.state for one in Run(path).outcomes()} == {"completed"}
    assert traces(cluster) == []
    assert cluster.processes_left() == []
    assert cluster.files_left() == []


@pytest.mark.parametrize(("key", "value"), VALUES)
def test_values_of_a_site_are_words(cluster: Cluster, key: str, value: str) -> None:
    site = cluster.write_site("site.yaml", f"{key}: '{value}'")
    path = cluster.base / "refused"
    done = cluster.heorot("run", "compute/peak", "--out", path, site=site)
    assert done.code == 2
    assert value in done.err
    assert f"{site}" in done.err
    assert not path.exists()
    assert traces(cluster) == []


def test_lines_of_a_site_are_single_ones(cluster: Cluster) -> None:
    site = cluster.write_site("site.yaml", r'account: "me\n#SBATCH --wrap=touch"')
    done = cluster.heorot("run", "compute/peak", site=site)
    line = 1 + site.read_text().splitlines().index(r'  account: "me\n#SBATCH --wrap=touch"')
    assert done.code == 2
    assert f"{site}:{line}: `batch.account`" in done.err
    assert "one line" in done.err

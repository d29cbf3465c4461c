"""A lab of four nodes with real Slurm for each file of tests; it goes, whatever happened."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.cluster.site import Cluster
from tests.end_to_end.running import heorot

_SBIN = "/usr/local/sbin:/usr/sbin:/sbin"
_NEEDED = ("slurmctld", "slurmd", "munged", "sbatch", "ip", "tc")
N_NODES = 4


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Four nodes; what is below `base` they all see."""
    path = os.pathsep.join((os.environ.get("PATH", ""), _SBIN))
    for program in _NEEDED:
        if shutil.which(program, path=path) is None:
            pytest.skip(f"{program} is not here")
    if os.geteuid() != 0:
        pytest.skip("Slurm in a lab needs root")
    # Not below /tmp, of which each node has its own.
    base = Path(tempfile.mkdtemp(prefix="heorot-tests-", dir="/var/tmp"))
    name = f"test-{os.getpid()}-{secrets.token_hex(2)}"
    options = ("--name", name, "--nodes", str(N_NODES), "--slurm", "--shared", base)
    try:
        up = heorot("lab", "up", *options, timeout_seconds=60.0)
        assert up.ok, up.err
        yield Cluster(name, base)
    finally:
        heorot("lab", "down", "--name", name, timeout_seconds=60.0)
        shutil.rmtree(base, ignore_errors=True)

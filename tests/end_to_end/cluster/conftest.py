"""A lab of six nodes with real Slurm for each file of tests; it goes, whatever happened."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from heorot.process import run
from tests.end_to_end.cluster.site import Cluster
from tests.end_to_end.running import heorot

_SBIN = "/usr/local/sbin:/usr/sbin:/sbin"
_NEEDED = ("slurmctld", "slurmd", "munged", "sbatch", "ip", "tc")
N_NODES = 6
SMALL_BYTES = 4 << 20


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Six nodes; what is below `base` they all see, and of that `small` is soon full."""
    path = os.pathsep.join((os.environ.get("PATH", ""), _SBIN))
    for program in _NEEDED:
        if shutil.which(program, path=path) is None:
            pytest.skip(f"{program} is not here")
    if os.geteuid() != 0:
        pytest.skip("Slurm in a lab needs root")
    # Not below /tmp, of which each node has its own.
    base = Path(tempfile.mkdtemp(prefix="heorot-tests-", dir="/var/tmp"))
    small = base / "small"
    small.mkdir()
    name = f"test-{os.getpid()}-{secrets.token_hex(2)}"
    shared = [base, Path(os.environ.get("CCACHE_DIR", base))]  # nodes compile, too
    places = [word for place in shared if place.is_dir() for word in ("--shared", place)]
    options = ("--name", name, "--nodes", str(N_NODES), "--slurm", *places)
    mounted = run(["mount", "-t", "tmpfs", "-o", f"size={SMALL_BYTES}", "none", small])
    assert mounted.ok, mounted.err
    try:
        up = heorot("lab", "up", *options, timeout_seconds=60.0)
        assert up.ok, up.err
        yield Cluster(name, base)
    finally:
        heorot("lab", "down", "--name", name, timeout_seconds=60.0)
        run(["umount", "--lazy", small])
        shutil.rmtree(base, ignore_errors=True)

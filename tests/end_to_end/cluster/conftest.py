"""A lab of six nodes with real Slurm for each file of tests; it is always removed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from heorot.process import run
from tests.end_to_end.cluster.site import Cluster
from tests.end_to_end.labs import SLURM, need, slurm_lab

N_NODES = 6
SMALL_BYTES = 4 << 20


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Six nodes that share `base`, which contains `small`, a file system with little space."""
    need(*SLURM)
    # Not below /tmp, of which each node has its own.
    base = Path(tempfile.mkdtemp(prefix="heorot-tests-", dir="/var/tmp"))
    small = base / "small"
    small.mkdir()
    shared = [base, Path(os.environ.get("CCACHE_DIR", base))]  # nodes compile, too
    places = [word for place in shared if place.is_dir() for word in ("--shared", place)]
    mounted = run(["mount", "-t", "tmpfs", "-o", f"size={SMALL_BYTES}", "none", small])
    assert mounted.ok, mounted.err
    try:
        with slurm_lab("--nodes", str(N_NODES), *places, nodes_die=True) as name:
            yield Cluster(name, base)
    finally:
        run(["umount", "--lazy", small])
        shutil.rmtree(base, ignore_errors=True)

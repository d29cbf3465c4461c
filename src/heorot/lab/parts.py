"""The programs of this machine that a lab is made of, and how to get those that are missing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from heorot.errors import SetupError

# Where distributions keep what administrators use, which is not in everybody's PATH.
_PLACES = ("/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin", "/bin")
_NETWORK = {"ip": "iproute2", "tc": "iproute2"}
SLURM_COMMANDS = ("sbatch", "squeue", "scancel", "sinfo", "scontrol", "sacct", "srun", "salloc")
_SLURM = {
    "slurmctld": "slurm-wlm",
    "slurmd": "slurm-wlm",
    "munged": "munge",
    **dict.fromkeys(SLURM_COMMANDS, "slurm-wlm"),
}
_RPM = {"iproute2": "iproute iproute-tc", "slurm-wlm": "slurm slurm-slurmctld slurm-slurmd"}


def find(name: str) -> str | None:
    """The path of a program; a lab's own commands, which only pass on, do not count."""
    places = [
        place
        for place in os.environ.get("PATH", "").split(os.pathsep)
        if place and not _is_of_a_lab(Path(place))
    ]
    return shutil.which(name, path=os.pathsep.join((*places, *_PLACES)))


def _is_of_a_lab(place: Path) -> bool:
    try:
        return (place / ".." / "lab.json").exists()
    except OSError:  # it may not be looked into: nobody's lab is there for us
        return False


def tool(name: str) -> str:
    """The path of a program that was found before; its name if it has gone."""
    return find(name) or name


def require(*, slurm: bool) -> None:
    """Refuse to begin what cannot be finished.

    Args:
        slurm: whether the batch system is wanted, too.

    Raises:
        SetupError: a program is missing; names the command that brings it.
    """
    for name, package in (_NETWORK | (_SLURM if slurm else {})).items():
        if find(name) is None:
            raise SetupError(f"{name} is missing, which a lab needs", f"get it: {command(package)}")


def command(package: str) -> str:
    """The command by which this system's package manager brings something.

    Args:
        package: its name in Debian.
    """
    sudo = "" if os.geteuid() == 0 else "sudo "
    if shutil.which("dnf"):
        return f"{sudo}dnf install -y {_RPM.get(package, package)}"
    if shutil.which("zypper"):
        return f"{sudo}zypper install -y {package}"
    return f"{sudo}apt-get install -y {package}"

"""The programs of this machine that a lab is made of, and how to get those that are missing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from heorot.errors import SetupError
from heorot.lab.model import Accounting

OUT_OF_TIME = 124
"""The exit code that heorot.process gives a command that took too long."""

# Where distributions keep what administrators use, which is not in everybody's PATH.
_PLACES = ("/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin", "/bin", "/usr/libexec")
_NETWORK = {"ip": "iproute2", "tc": "iproute2"}
_SLURM_COMMANDS = ("sbatch", "squeue", "scancel", "sinfo", "scontrol", "sacct", "srun", "salloc")
_SLURM = {
    "slurmctld": "slurm-wlm",
    "slurmd": "slurm-wlm",
    "munged": "munge",
    **dict.fromkeys(_SLURM_COMMANDS, "slurm-wlm"),
}
_DATABASE_COMMANDS = ("sacctmgr",)
# slurmdbd brings its plugin for MariaDB.
_DATABASE = {
    "slurmdbd": "slurmdbd",
    "mariadbd": "mariadb-server",
    "mariadb-install-db": "mariadb-server",
    **dict.fromkeys(_DATABASE_COMMANDS, "slurm-wlm"),
}
_RPM = {
    "iproute2": "iproute iproute-tc",
    "slurm-wlm": "slurm slurm-slurmctld slurm-slurmd",
    "slurmdbd": "slurm-slurmdbd",
}


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


def slurm_commands(accounting: Accounting) -> tuple[str, ...]:
    """The commands of Slurm that users of a lab get."""
    return _SLURM_COMMANDS + (_DATABASE_COMMANDS if accounting == "slurmdbd" else ())


def require(*, slurm: bool, accounting: Accounting = "file") -> None:
    """Refuse to begin what cannot be finished.

    Args:
        slurm: whether the batch system is wanted, too.
        accounting: where it keeps what it knows of jobs.

    Raises:
        SetupError: a program is missing; names the command that brings it.
    """
    wanted = dict(_NETWORK)
    if slurm:
        wanted |= _SLURM | (_DATABASE if accounting == "slurmdbd" else {})
    for name, package in wanted.items():
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

"""The programs that a lab needs on this machine, and the packages that have them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from heorot.errors import SetupError
from heorot.lab.quantities import Accounting

OUT_OF_TIME = 124
"""The exit code that heorot.process gives a command that took too long."""

# Directories of administration programs, which may not be in PATH.
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
    """The path of a program; wrappers of labs do not count."""
    places = [
        place
        for place in os.environ.get("PATH", "").split(os.pathsep)
        if place and not _is_of_a_lab(Path(place))
    ]
    return shutil.which(name, path=os.pathsep.join((*places, *_PLACES)))


def _is_of_a_lab(place: Path) -> bool:
    try:
        return (place / ".." / "lab.json").exists()
    except OSError:  # not readable
        return False


def tool(name: str) -> str:
    """The path of a program found before; its name if it is gone."""
    return find(name) or name


def slurm_commands(accounting: Accounting) -> tuple[str, ...]:
    """The commands of Slurm that users of a lab get."""
    return _SLURM_COMMANDS + (_DATABASE_COMMANDS if accounting == "slurmdbd" else ())


def require(*, slurm: bool, accounting: Accounting = "file") -> None:
    """Check for the required programs before a lab is started.

    Args:
        slurm: whether Slurm is required, too.
        accounting: where Slurm keeps ended jobs.

    Raises:
        SetupError: a program is missing; the hint has the command that installs it.
    """
    wanted = dict(_NETWORK)
    if slurm:
        wanted |= _SLURM | (_DATABASE if accounting == "slurmdbd" else {})
    for name, package in wanted.items():
        if find(name) is None:
            raise SetupError(f"{name} is missing, which a lab needs", f"get it: {command(package)}")


def command(package: str) -> str:
    """The command of this system's package manager that installs a package.

    Args:
        package: its name in Debian.
    """
    sudo = "" if os.geteuid() == 0 else "sudo "
    if shutil.which("dnf"):
        return f"{sudo}dnf install -y {_RPM.get(package, package)}"
    if shutil.which("zypper"):
        return f"{sudo}zypper install -y {package}"
    return f"{sudo}apt-get install -y {package}"

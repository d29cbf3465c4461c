"""The command by which this system's package manager installs a C++20 compiler.

The launcher script `heorot` has the same rules in shell, for systems without Python.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from heorot import process
from heorot.model.machine.software import MINIMUM_VERSIONS
from heorot.suggestion import suggest

# The default g++ of the enterprise releases is too old, their clang is not.
_DNF = {"fedora": "gcc-c++"}
_DNF_ENTERPRISE = "gcc-c++ clang libomp-devel"
_COMMANDS = {
    "zypper": "zypper install -y gcc13-c++",
    "apk": "apk add g++",
    "pacman": "pacman -S --needed gcc",
}
_OS_RELEASE = Path("/etc/os-release")
_NONE = "load a module with g++ >= 12 or clang++ >= 15, or ask the administrators for one"


def compiler_command() -> str:
    """How to install a compiler: a command if the package manager is known."""
    sudo = "" if os.geteuid() == 0 else "sudo "
    if shutil.which("apt-get"):
        return _apt_command(sudo)
    if shutil.which("dnf"):
        return f"{sudo}dnf install -y {_DNF.get(_distribution(), _DNF_ENTERPRISE)}"
    for manager, command in _COMMANDS.items():
        if shutil.which(manager):
            return sudo + command
    return "brew install gcc" if shutil.which("brew") else _NONE


def _apt_command(sudo: str) -> str:
    """The apt command for a package that exists under its exact name and is new enough."""
    if not _apt_version("bash"):
        return f"{sudo}apt-get update; then ask again: {suggest('doctor')}"  # its lists are empty
    names = ["g++", *(f"g++-{number}" for number in range(16, 11, -1))]
    for name in names:
        if _apt_version(name) >= MINIMUM_VERSIONS["gnu"]:
            return f"{sudo}apt-get install -y {name}"
    for number in range(21, 14, -1):
        if _apt_version(f"clang-{number}") >= MINIMUM_VERSIONS["clang"]:
            return f"{sudo}apt-get install -y clang-{number} libomp-{number}-dev"
    return _NONE


def _apt_version(package: str) -> tuple[int, ...]:
    """The version of a package that apt would install, empty if it has none of that name.

    apt takes a name that it does not know for a pattern: `g++-14` fits `clang-14`.
    """
    listing = process.run(["apt-cache", "--no-all-versions", "show", package]).out
    for paragraph in listing.split("\n\n"):
        fields = dict(re.findall(r"^(Package|Version): (?:\d+:)?(\S+)", paragraph, re.MULTILINE))
        if fields.get("Package") == package and "Version" in fields:
            return tuple(int(part) for part in re.findall(r"\d+", fields["Version"])[:1])
    return ()


def _distribution() -> str:
    try:
        text = _OS_RELEASE.read_text(errors="replace")
    except OSError:
        return ""
    return "".join(re.findall(r'^ID="?(\w+)', text, re.MULTILINE)[:1])

"""Access of other users of this computer to an open lab: a readable folder, and an entrance.

The folder has only the files of Slurm's commands; the lab's own directory stays closed.
"""

from __future__ import annotations

import json
import os
import pwd
import shlex
import shutil
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heorot.errors import SetupError, UsageError
from heorot.files import read_regular, real
from heorot.lab import requirements, site
from heorot.lab.model import Laboratory
from heorot.lab.storage import MARK, mark_of
from heorot.ownership.paths import stranger
from heorot.suggestion import suggest
from heorot.writing import write

# Not in /tmp, which every node has of its own; only owners may rename there.
PARENT = Path("/var/tmp")  # noqa: S108 (only a folder of root is used there)
JOBS = "jobs.txt"
_PREFIX = "heorot-lab-"
_SHARING = "sharing.json"
_MOST_BYTES = 1 << 20
_OTHERS_WRITE = 0o022
_USUAL = ("/usr/local/bin", "/usr/bin", "/bin")
# Variables kept from the caller's environment: terminal and language.
_KEPT = ("TERM", "LANG", "LC_ALL", "TZ")


def folder_of(directory: Path) -> Path:
    """The folder of an open lab that other users can read, whether it exists or not.

    Its name is unique for the lab's directory.
    """
    return PARENT / f"{_PREFIX}{mark_of(directory)}"


def make(directory: Path) -> None:
    """Create that folder, empty; the rest of a dead lab is removed.

    Raises:
        SetupError: it cannot be created, or another user has, or may put, something in its place.
    """
    remove(directory)
    folder = folder_of(directory)
    try:
        folder.mkdir(mode=0o700)
        clause = stranger(folder)
        folder.chmod(0o755)  # whatever the umask
    except FileExistsError:
        clause = f"{folder} exists and is not a folder that only root can write"
    except OSError as error:
        clause = f"cannot make {folder}: {error.strerror}"
    if clause is not None:
        hint = f"remove {folder}, or choose another --name"
        raise SetupError(f"the lab is not opened to other users: {clause}", hint)


def remove(directory: Path) -> bool:
    """Remove that folder if root created it; returns whether it was removed."""
    folder = folder_of(directory)
    try:
        status = folder.lstat()
    except OSError:
        return False
    is_own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
    if not is_own or status.st_mode & _OTHERS_WRITE:
        return False
    shutil.rmtree(folder, ignore_errors=True)
    return True


def show(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file of that folder, readable for all whatever the umask."""
    write(path, text, mode)
    path.chmod(mode)


def furnish(laboratory: Laboratory, directory: Path, shared: Sequence[str]) -> None:
    """Write the commands and the site file of other users into that folder.

    Args:
        shared: directories that all nodes share although they are below private ones.
    """
    folder = folder_of(directory)
    commands = folder / site.COMMANDS
    commands.mkdir(exist_ok=True)
    commands.chmod(0o755)
    for name in requirements.slurm_commands(laboratory.accounting):
        show(commands / name, _script(laboratory, name, folder), 0o755)
    show(folder / _SHARING, json.dumps({"name": laboratory.name, "shared": list(shared)}))
    show(folder / site.SITE, site.site_file(directory, laboratory, commands))
    if laboratory.accounting == "file" and not (folder / JOBS).exists():
        show(folder / JOBS, "")  # the daemon's umask would make it private


def sharing(site_file: Path) -> tuple[str, list[str]] | None:
    """The name of an open lab and the directories that its nodes share, by the users' site file.

    Args:
        site_file: any site file; the result is None if it is not of an open lab.
    """
    folder = real(site_file).parent
    if folder.parent != real(PARENT) or not folder.name.startswith(_PREFIX):
        return None
    try:
        document = json.loads(read_regular(folder / _SHARING, _MOST_BYTES))
        return str(document["name"]), [str(each) for each in document["shared"]]
    except (OSError, ValueError, KeyError, TypeError):
        return None


# sacct opens the list of jobs for writing, which users must not: it gets a copy.
_COPYING = """\
own=$(mktemp -d /tmp/sacct.XXXXXX) || exit
trap 'rm -rf "$own"' EXIT
cp {jobs} "$own/jobs" && sed "s|^JobCompLoc=.*|JobCompLoc=$own/jobs|" {conf} >"$own/conf" || exit
export SLURM_CONF="$own/conf"
"""


def _script(laboratory: Laboratory, name: str, folder: Path) -> str:
    command = shlex.join(site.slurm_command(name, laboratory.accounting))
    enter = suggest("lab", "run", "--name", laboratory.name, "--user", "USER", "--", name)
    outside = shlex.quote(f"{name}: this is outside of the lab; root lets you in: {enter}")
    is_copy = name == "sacct" and laboratory.accounting == "file"
    before = _COPYING.format(jobs=folder / JOBS, conf=folder / "slurm.conf") if is_copy else "exec "
    return (
        f"#!/bin/sh\n# Of the open lab {laboratory.name}: runs {name} inside of it.\n"
        f'[ "${{{MARK}:-}}${{SLURM_JOB_ID:-}}" ] || {{ echo {outside} >&2; exit 2; }}\n'
        f'{before}{command} "$@"\n'
    )


def request_as(name: str, laboratory: Laboratory, directory: Path) -> Mapping[str, Any]:
    """Fields of a request by which a command runs as another user.

    Of our own environment only terminal and language are passed on.

    Raises:
        UsageError: the lab is not open, or there is no such user.
    """
    if not laboratory.is_open:
        raise UsageError(
            f"the lab {laboratory.name} is not open to other users",
            f"make it anew: {suggest('lab', 'up', '--slurm', '--open')}",
        )
    try:
        account = pwd.getpwnam(name)
    except (KeyError, ValueError):
        message = f"this computer has no user {name!r}"
        raise UsageError(message, "getent passwd lists them") from None
    places = (str(folder_of(directory) / site.COMMANDS), *_USUAL)
    return {
        "user": {
            "uid": account.pw_uid,
            "gid": account.pw_gid,
            "groups": os.getgrouplist(name, account.pw_gid),
        },
        "environment": {each: os.environ[each] for each in _KEPT if each in os.environ}
        | {"USER": name, "LOGNAME": name, "HOME": account.pw_dir, "SHELL": account.pw_shell}
        | {"PATH": os.pathsep.join(places)},
    }

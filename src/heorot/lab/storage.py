"""Directories of labs: one each, with everything about a lab."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import ValidationError

from heorot.errors import SetupError, UsageError
from heorot.files import read_regular
from heorot.lab.model import Laboratory
from heorot.ownership.paths import stranger
from heorot.suggestion import suggest
from heorot.writing import open_staying, write

MARK = "HEOROT_LAB"
_RECORD = "lab.json"
_OTHERS = 0o077
_ANOTHER = "correct that, or set XDG_RUNTIME_DIR to a directory of your own that is not in /tmp"
_MOST_BYTES = 1 << 20


def base_directory() -> Path:
    """The directory of all labs of this user; not in /tmp, which every node has of its own."""
    own = os.environ.get("XDG_RUNTIME_DIR", "")
    # After `su` the variable is still that of another user, and root may write anywhere.
    if own and os.access(own, os.W_OK | os.X_OK) and Path(own).stat().st_uid == os.geteuid():
        return Path(own).resolve() / "heorot" / "labs"
    return Path(f"/var/tmp/heorot-{os.geteuid()}/labs")  # noqa: S108 (private, see below)


def directory_of(name: str) -> Path:
    """The directory of a lab, whether it exists or not."""
    return base_directory() / name


def mark_of(directory: Path) -> str:
    """The value of HEOROT_LAB in the environment of the lab's processes.

    It follows from the directory alone, so that they are found even if that is empty.
    """
    digest = hashlib.sha256(os.fsencode(directory)).hexdigest()[:12]
    return f"{directory.name}-{digest}"


def make_private(directory: Path) -> None:
    """Create a directory that only this user can read.

    Raises:
        SetupError: it cannot be created, or belongs to another user.
    """
    try:
        # One by one: makedirs would leave the outer ones open to all users.
        for folder in (directory.parent.parent, directory.parent, directory):
            require_own(directory)  # nothing is created in another user's directory
            folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise SetupError(f"cannot make {directory}: {error.strerror}", _ANOTHER) from None
    require_own(directory)


def require_own(directory: Path) -> None:
    """Refuse a lab that another user may have created or changed; a missing one is accepted.

    Raises:
        SetupError: it, a part of it or a folder above it is not ours alone.
    """
    clause = _not_own(directory)
    if clause is not None:
        raise SetupError(f"the lab {directory.name} may be another user's: {clause}", _ANOTHER)


def _not_own(directory: Path) -> str | None:
    clause = stranger(directory)
    if clause is not None:
        return clause
    own = (directory.parent.parent, directory.parent, directory)
    # Their content is ours then, unless they belonged to another user before.
    for place in (*own, *directory.glob("*"), *directory.glob("bin/*")):
        with suppress(FileNotFoundError):
            status = place.lstat()
            if status.st_uid != os.geteuid():
                return f"{place} belongs to user {status.st_uid}"
            if stat.S_ISLNK(status.st_mode):
                return f"{place} is a symbolic link"
            if place == directory and stat.S_IMODE(status.st_mode) & _OTHERS:
                return f"other users may read {place}"
    return None


def save(directory: Path, laboratory: Laboratory) -> None:
    """Write the description of a lab atomically."""
    write(directory / _RECORD, laboratory.model_dump_json(indent=1) + "\n")


def load(name: str) -> Laboratory:
    """The description of a lab.

    Raises:
        SetupError: it is not ours alone.
        UsageError: there is none of that name, or its directory is damaged.
    """
    directory = directory_of(name)
    require_own(directory)
    try:
        return Laboratory.model_validate_json(read_regular(directory / _RECORD, _MOST_BYTES))
    except FileNotFoundError:
        raise _missing(name) from None
    except (OSError, ValidationError):
        raise UsageError(
            f"the lab {name} is damaged: {directory / _RECORD} cannot be read",
            f"end it: {suggest('lab', 'down', '--name', name)}",
        ) from None


def _missing(name: str) -> UsageError:
    return UsageError(
        f"there is no lab {name}", f"make one: {suggest('lab', 'up', '--name', name)}"
    )


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """A lock: one command at a time changes a lab; others wait.

    Raises:
        SetupError: it is not ours alone.
        UsageError: the lab is gone.
    """
    require_own(directory)
    try:
        descriptor = open_staying(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        raise _missing(directory.name) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def clear(directory: Path) -> None:
    """Remove the files of a dead lab, except the lock, which this process holds."""
    for entry in directory.iterdir():
        if entry.name == "lock":
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def remove(directory: Path) -> bool:
    """Remove a lab's directory, and empty ones above it that were created for it."""
    was_there = directory.exists()
    shutil.rmtree(directory, ignore_errors=True)
    if was_there and not directory.exists():
        for folder in (directory.parent, directory.parent.parent):
            with suppress(OSError):  # not empty
                folder.rmdir()
    return was_there


def names() -> list[str]:
    """The names of all labs of this user, without those that may be another user's."""
    with suppress(OSError):
        every = sorted(path for path in base_directory().iterdir() if path.is_dir())
        return [path.name for path in every if _not_own(path) is None]
    return []

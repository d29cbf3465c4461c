"""Where labs live: one directory each, which says everything about a lab."""

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
_ANOTHER = "mend that, or set XDG_RUNTIME_DIR to a directory of your own that is not in /tmp"
_MOST_BYTES = 1 << 20


def base_directory() -> Path:
    """The directory of all labs of this user; not in /tmp, which every node has for itself."""
    own = os.environ.get("XDG_RUNTIME_DIR", "")
    # After `su` it is still that of another user, and root may write anywhere.
    if own and os.access(own, os.W_OK | os.X_OK) and Path(own).stat().st_uid == os.geteuid():
        return Path(own).resolve() / "heorot" / "labs"
    return Path(f"/var/tmp/heorot-{os.geteuid()}/labs")  # noqa: S108 (made private below)


def directory_of(name: str) -> Path:
    """The directory of a lab, whether it is there or not."""
    return base_directory() / name


def mark_of(directory: Path) -> str:
    """What processes of the lab in a directory have in their environment as HEOROT_LAB.

    It follows from the directory alone, so that they are found when nothing is left in it.
    """
    digest = hashlib.sha256(os.fsencode(directory)).hexdigest()[:12]
    return f"{directory.name}-{digest}"


def make_private(directory: Path) -> None:
    """Make a directory that nobody else can look into.

    Raises:
        SetupError: it cannot be made, or belongs to somebody else.
    """
    try:
        # Each by itself: makedirs would leave the outer ones open to everybody.
        for folder in (directory.parent.parent, directory.parent, directory):
            require_own(directory)  # nothing is made in somebody else's
            folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise SetupError(f"cannot make {directory}: {error.strerror}", _ANOTHER) from None
    require_own(directory)


def require_own(directory: Path) -> None:
    """Refuse a lab that somebody else can have made or changed; one that is missing is fine.

    Raises:
        SetupError: it, what is used of it, or a folder above it is not ours alone.
    """
    clause = _not_own(directory)
    if clause is not None:
        raise SetupError(f"the lab {directory.name} may be somebody else's: {clause}", _ANOTHER)


def _not_own(directory: Path) -> str | None:
    clause = stranger(directory)
    if clause is not None:
        return clause
    own = (directory.parent.parent, directory.parent, directory)
    # What lies in them can only be ours then, unless they were another's once.
    for place in (*own, *directory.glob("*"), *directory.glob("bin/*")):
        with suppress(FileNotFoundError):
            status = place.lstat()
            if status.st_uid != os.geteuid():
                return f"{place} belongs to user {status.st_uid}"
            if stat.S_ISLNK(status.st_mode):
                return f"{place} is a symbolic link"
            if place == directory and stat.S_IMODE(status.st_mode) & _OTHERS:
                return f"others may look into {place}"
    return None


def save(directory: Path, laboratory: Laboratory) -> None:
    """Write what a lab is, as a whole."""
    write(directory / _RECORD, laboratory.model_dump_json(indent=1) + "\n")


def load(name: str) -> Laboratory:
    """What a lab is.

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
    """One command at a time changes a lab; others wait.

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
    """Remove what a lab that died left in its directory, but for the lock, which we hold."""
    for entry in directory.iterdir():
        if entry.name == "lock":
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def remove(directory: Path) -> bool:
    """Remove a lab's directory, and those above it that were made for it and are empty."""
    was_there = directory.exists()
    shutil.rmtree(directory, ignore_errors=True)
    if was_there and not directory.exists():
        for folder in (directory.parent, directory.parent.parent):
            with suppress(OSError):  # another lab, or something else, is in it
                folder.rmdir()
    return was_there


def names() -> list[str]:
    """The names of all labs of this user; what may be somebody else's is none of them."""
    with suppress(OSError):
        every = sorted(path for path in base_directory().iterdir() if path.is_dir())
        return [path.name for path in every if _not_own(path) is None]
    return []

"""Decides whose commands are run: the user's own, and other users' only with --trust.

A run directory contains commands, and paths of commands. They are run only if no other user can
have written them.
"""

from __future__ import annotations

import shlex
from itertools import chain
from pathlib import Path

from heorot.errors import RunError, SiteError
from heorot.files import real, require_regular, why_not_read
from heorot.ownership.paths import stranger, stranger_among

# Below them no user can create files: `/proc/self/cwd` leads to the working directory.
_NO_FILES = ("/proc", "/dev")
TRUST = "to run its commands under your name anyway: --trust"
_HINT = f"if all of it is yours, make it writable for you only: chmod go-w; {TRUST}"
# Scripts and their sources, files and folders.
_ACTED_UPON = ("*", "jobs/*", "jobs/*/*", "alone/*", "alone/*/*", "recipes/*", "builds/*")


def require_own_site(file: Path | None, *, trust: bool = False) -> None:
    """Refuse a site file that another user can have written: its commands run as this user.

    Args:
        file: the site file; None and a missing file are accepted.
        trust: whether the user trusts the file whatever its owner.

    Raises:
        SiteError: it is another user's, or cannot be read.
    """
    if file is None or trust:
        return
    try:
        require_regular(file, follow=True)
    except (FileNotFoundError, NotADirectoryError):  # reported when it is read
        pass
    except OSError as error:
        message = f"cannot be read: {why_not_read(file, error)}"
        raise SiteError(message, file=file, hint="name a file that you can read") from None
    clause = stranger(file)
    if clause is not None:
        raise SiteError(f"its commands are not run: {clause}", file=file, hint=_HINT)


def require_own_site_of(run: Path, file: Path | None, *, trust: bool = False) -> None:
    """Refuse a site file named by a run, unless it is the user's and not part of the run.

    Args:
        run: directory of the run, of any owner.
        file: its site file.
        trust: whether the user trusts the file whatever its owner.

    Raises:
        SiteError: it may be another user's.
    """
    if file is None or trust:
        return
    clause = None
    no_file = not file.is_absolute() or any(file.is_relative_to(each) for each in _NO_FILES)
    if no_file or "\0" in str(file):
        clause = f"{run} does not name it by the path of a file"
    elif real(file).is_relative_to(real(run)):
        clause = "it is part of the run"
    if clause is not None:
        raise SiteError(f"its commands are not run: {clause}", file=file, hint=_HINT)
    require_own_site(file)


def require_own_run(run: Path, *, trust: bool = False) -> None:
    """Refuse a run that other users can have written, before scripts run or jobs are ended.

    Users who may write in a folder above it, or own a link on the way to it, can replace it, also
    after this check. For reading only, as in a report, these folders are not checked.

    Args:
        trust: whether the user trusts the run whatever its owner.

    Raises:
        RunError: it is another user's.
    """
    if trust:
        return
    reason = _reason(run)
    if reason is not None:
        clause, hint = reason
        raise RunError(f"nothing of {run} is run or ended: {clause}", f"{hint}; {TRUST}")


def remark_on_new(run: Path) -> str | None:
    """A warning about a new run that `require_own_run` will refuse; None for others.

    It is no error: in a shared folder, or in a container with a folder of its host, there may be no
    other place.

    Args:
        run: its directory, which is there.
    """
    reason = _reason(run)
    return reason and f"stop and --resume will refuse this run without --trust: {reason[0]}"


def _reason(run: Path) -> tuple[str, str] | None:
    """Why a run may be another user's, one clause, and a remedy."""
    within = chain.from_iterable(run.glob(pattern) for pattern in _ACTED_UPON)
    clause = stranger_among(chain([real(run)], within))
    if clause is not None:
        return clause, f"if you wrote it: chmod -R go-w {shlex.quote(str(run))}"
    clause = stranger(run)
    if clause is not None:
        hint = "keep runs in folders that only you can write"
        return f"other users can replace it, as {clause}", hint
    return None

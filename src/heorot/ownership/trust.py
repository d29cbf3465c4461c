"""Whose commands are run: the user's own, unless he says that he trusts those of another.

A run directory names facts. What it has run, and where it lets commands be found, is heeded only if
nobody else can have written that.
"""

from __future__ import annotations

import shlex
from itertools import chain
from pathlib import Path

from heorot.errors import RunError, SiteError
from heorot.files import real, require_regular, why_not_read
from heorot.ownership.paths import stranger, stranger_among

# Below them nothing is a file that somebody wrote: `/proc/self/cwd` leads wherever we are.
_NO_FILES = ("/proc", "/dev")
TRUST = "to have what it names run under your name all the same: --trust"
_HINT = f"if all of that is yours, nobody else may write it: chmod go-w; {TRUST}"
# Scripts and what they are made of, files and folders.
_ACTED_UPON = ("*", "jobs/*", "jobs/*/*", "alone/*", "alone/*/*", "recipes/*", "builds/*")


def require_own_site(file: Path | None, *, trust: bool = False) -> None:
    """Refuse a site file that another can have written: its commands would be run as the user.

    Args:
        file: the site file; None, as what is missing, is fine.
        trust: whether the user says that it may be anybody's.

    Raises:
        SiteError: it is another's, or no file that can be read.
    """
    if file is None or trust:
        return
    try:
        require_regular(file, follow=True)
    except (FileNotFoundError, NotADirectoryError):  # whoever reads it says so
        pass
    except OSError as error:
        message = f"cannot be read: {why_not_read(file, error)}"
        raise SiteError(message, file=file, hint="name a file that you can read") from None
    clause = stranger(file)
    if clause is not None:
        raise SiteError(f"its commands are not run: {clause}", file=file, hint=_HINT)


def require_own_site_of(run: Path, file: Path | None, *, trust: bool = False) -> None:
    """Refuse a site file that a run names, unless it is the user's and no part of the run.

    Args:
        run: directory of the run, whoever wrote it.
        file: what it says is its site file.
        trust: whether the user says that it may be anybody's.

    Raises:
        SiteError: it may be another's.
    """
    if file is None or trust:
        return
    clause = None
    no_file = not file.is_absolute() or any(file.is_relative_to(each) for each in _NO_FILES)
    if no_file or "\0" in str(file):
        clause = f"{run} does not name it by the path of a file"
    elif real(file).is_relative_to(real(run)):
        clause = "the run has brought it along"
    if clause is not None:
        raise SiteError(f"its commands are not run: {clause}", file=file, hint=_HINT)
    require_own_site(file)


def require_own_run(run: Path, *, trust: bool = False) -> None:
    """Refuse a run that another can have written, before its scripts run or its jobs are ended.

    Whoever may write in a folder above it, or owns a link on the way to it, can put another run in
    its place, also after it was looked at. Only to read it, as for a report, the way is not asked.

    Args:
        trust: whether the user says that it may be anybody's.

    Raises:
        RunError: it is another's.
    """
    if trust:
        return
    doubt = _doubt(run)
    if doubt is not None:
        clause, hint = doubt
        raise RunError(f"nothing of {run} is run or ended: {clause}", f"{hint}; {TRUST}")


def remark_on_new(run: Path) -> str | None:
    """A sentence on a run that begins and that `require_own_run` will refuse; None for others.

    It begins all the same: where colleagues share a folder, or in a container that has one of its
    host's, there may be no other place.

    Args:
        run: its directory, which is there.
    """
    doubt = _doubt(run)
    return doubt and f"stop and --resume will refuse this run without --trust: {doubt[0]}"


def _doubt(run: Path) -> tuple[str, str] | None:
    """Why a run may be another's, one clause, and what to do about it."""
    within = chain.from_iterable(run.glob(pattern) for pattern in _ACTED_UPON)
    clause = stranger_among(chain([real(run)], within))
    if clause is not None:
        return clause, f"if you wrote it: chmod -R go-w {shlex.quote(str(run))}"
    clause = stranger(run)
    if clause is not None:
        hint = "keep runs in folders where nobody else can write"
        return f"others can put another run in its place, as {clause}", hint
    return None

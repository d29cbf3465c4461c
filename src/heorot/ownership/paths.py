"""Checks whether only this user and root determine the file at a path."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from collections.abc import Iterable
from pathlib import Path

_ROOT = 0
_MOST_LINKS = 40  # limit of the kernel
_OTHERS, _GROUP = 0o002, 0o020


def stranger(path: Path) -> str | None:
    """Which other user determines the file at a path, as a clause; None if there is none.

    Every component counts, from the root down, and every symbolic link on the way: the owner of a
    folder, and anyone who may write to it, can replace its content. In folders where all may write
    but only owners may rename, as in /var/tmp, the next component has to be ours.

    Args:
        path: a file or a folder; a missing one has no owner.
    """
    place, left, n_links = Path("/"), [*reversed(path.absolute().parts)], 0
    while left:
        name = left.pop()
        place = place.parent if name == ".." else place / name
        try:
            status = place.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            return f"{place} cannot be inspected: {error.strerror}"
        is_above = bool(left) and stat.S_ISDIR(status.st_mode)
        clause = _whose(place, status, is_above=is_above)
        if clause is not None:
            return clause
        if stat.S_ISLNK(status.st_mode):
            n_links += 1
            if n_links > _MOST_LINKS:
                return f"{path} leads through too many symbolic links"
            left += reversed(place.readlink().parts)
            place = place.parent
    return None


def stranger_among(places: Iterable[Path]) -> str | None:
    """Which other user owns, or may change, one of some files or folders; paths above are ignored.

    Args:
        places: files and folders; missing ones have no owner.
    """
    for place in places:
        try:
            clause = _whose(place, place.lstat(), is_above=False)
        except FileNotFoundError:
            continue
        except OSError as error:
            clause = f"{place} cannot be inspected: {error.strerror}"
        if clause is not None:
            return clause
    return None


def _whose(place: Path, status: os.stat_result, *, is_above: bool) -> str | None:
    owner, mode = status.st_uid, status.st_mode
    if owner not in {_ROOT, os.geteuid()} and not (is_above and _is_unmapped(owner)):
        return f"{place} belongs to {_user(owner)}"
    # The mode of a link means nothing.
    if stat.S_ISLNK(mode) or (is_above and mode & stat.S_ISVTX):
        return None
    if mode & _OTHERS:
        return f"all users may write {place}"
    if mode & _GROUP and not _is_private(status.st_gid, place):
        return f"group {_group(status.st_gid)} may write {place}"
    return None


def _is_private(number: int, place: Path) -> bool:
    """Whether only this user and root are in a group, as in a group per user."""
    try:
        group, us = grp.getgrgid(number), pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return False
    own = {us, "root"}
    return group.gr_name in own and set(group.gr_mem) <= own and not _has_list(place)


def _has_list(place: Path) -> bool:
    """Whether an access list replaces the group's bits, which may then mean other users."""
    try:
        return bool(os.getxattr(place, "system.posix_acl_access", follow_symlinks=False))
    except OSError:
        return False


def _is_unmapped(owner: int) -> bool:
    """Whether an owner has no number here, as root in containers of users."""
    try:
        if owner != int(Path("/proc/sys/kernel/overflowuid").read_text(encoding="ascii")):
            return False
        lines = Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()
        spans = [[int(word) for word in line.split()] for line in lines]
        return not any(first <= owner < first + count for first, _, count in spans)
    except (OSError, ValueError):
        return False


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)

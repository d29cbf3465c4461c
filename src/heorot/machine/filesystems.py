"""The file systems of the directories that a run uses."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heorot.machine.kernel.tree import ROOT, read_text
from heorot.model.machine.machine import FileSystem


@dataclass(frozen=True)
class Mount:
    """A line of /proc/self/mountinfo.

    Attributes:
        point: where it is mounted.
        kind: type of the file system.
        options: options of the mount and of the file system.
    """

    point: str
    kind: str
    options: tuple[str, ...]


def describe_filesystems(
    directories: Mapping[str, Path], root: Path = ROOT
) -> tuple[FileSystem, ...]:
    """The file system of each directory.

    Args:
        directories: role (`work`, `tmp`, `home`) and directory.
    """
    mounts = parse_mountinfo(read_text(root / "proc/self/mountinfo") or "")
    return tuple(describe_one(role, path, mounts) for role, path in directories.items())


def describe_one(role: str, directory: Path, mounts: tuple[Mount, ...]) -> FileSystem:
    """The file system of one directory; of its nearest parent if it does not exist yet."""
    path = Path(os.path.realpath(directory))
    mount = find_mount(path, mounts)
    existing = next((place for place in (path, *path.parents) if place.exists()), Path("/"))
    try:
        space = os.statvfs(existing)
        size: int | None = space.f_blocks * space.f_frsize
        free: int | None = space.f_bavail * space.f_frsize
        # File systems without a table of inodes, such as btrfs, report none.
        inodes = space.f_favail if space.f_files else None
    except OSError:
        size = free = inodes = None
    return FileSystem(
        role=role,
        path=str(path),
        mount_point=mount.point if mount else None,
        kind=mount.kind if mount else None,
        size_bytes=size,
        free_bytes=free,
        free_inodes=inodes,
        options=mount.options if mount else (),
    )


def parse_mountinfo(text: str) -> tuple[Mount, ...]:
    """The mounts of /proc/self/mountinfo (format: proc(5)), in order."""
    mounts = []
    for line in text.splitlines():
        left, dash, right = line.partition(" - ")
        before, after = left.split(), right.split()
        if dash and len(before) > 5 and len(after) > 2:  # noqa: PLR2004 (columns of proc(5))
            options = dict.fromkeys([*before[5].split(","), *after[2].split(",")])
            mounts.append(Mount(_unescape(before[4]), after[0], tuple(options)))
    return tuple(mounts)


def find_mount(path: Path, mounts: tuple[Mount, ...]) -> Mount | None:
    """The mount of a path: the longest mount point, the latest of equal ones."""
    around = [mount for mount in mounts if path.is_relative_to(mount.point)]
    return max(reversed(around), key=lambda mount: len(mount.point), default=None)


def _unescape(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)

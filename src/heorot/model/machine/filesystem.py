"""A file system that a run may write to, and its free space."""

from __future__ import annotations

from heorot.model.base import Count, Record

_OF_A_NODE = frozenset(
    {
        "btrfs",
        "ext2",
        "ext3",
        "ext4",
        "f2fs",
        "jfs",
        "overlay",
        "ramfs",
        "tmpfs",
        "vfat",
        "xfs",
        "zfs",
    }
)


class FileSystem(Record):
    """The file system of a directory that Heorot uses.

    Attributes:
        role: `work`, `tmp` or `home`, or the site's name of it.
        kind: such as `ext4`, `lustre`, `nfs4`.
        size_bytes: its size [B].
        free_bytes: free space when it was described [B].
        free_inodes: free inodes when it was described; None if unknown.
        shared: whether all nodes share it, by the site file; None if it is silent.
    """

    role: str
    path: str
    mount_point: str | None = None
    kind: str | None = None
    size_bytes: Count | None = None
    free_bytes: Count | None = None
    free_inodes: Count | None = None
    options: tuple[str, ...] = ()
    shared: bool | None = None

    @property
    def between_nodes(self) -> bool:
        """Whether all nodes share it: true unless it is known to be local to a node."""
        return self.kind not in _OF_A_NODE if self.shared is None else self.shared

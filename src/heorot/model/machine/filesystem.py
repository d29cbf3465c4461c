"""A file system that a run may write to, and what is free in it."""

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
    """The file system behind a directory that matters.

    Attributes:
        role: `work`, `tmp` or `home`, or what the site calls it.
        kind: such as `ext4`, `lustre`, `nfs4`.
        size_bytes: its size [B].
        free_bytes: free to us when it was described [B].
        free_inodes: files and directories that we could make then; None if it does not tell.
        shared: whether it is one for all nodes, as the site says; None if it does not.
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
        """Whether it is one for all nodes, as all may be but those of which each has its own."""
        return self.kind not in _OF_A_NODE if self.shared is None else self.shared

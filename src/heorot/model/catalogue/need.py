"""What one launch of a case needs of a machine; what machines offer is subtracted from it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from heorot.model.base import Count, Record, Several, Span
from heorot.model.resource import Resource, device, filesystem

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Space(Record):
    """Room in a file system.

    Attributes:
        bytes: of all files together [B].
    """

    bytes: Count = 0
    inodes: Count = 0


class CheckedFile(Record):
    """A file that must be there, as it was made; each launch finds it in its folder.

    Attributes:
        sha256: digest of what it holds, in hexadecimal digits.
        bytes: its size; None if that of the file that is found counts [B].
        copied: whether each launch gets a copy of its own, which stays in the run.
    """

    path: Path
    sha256: Sha256
    bytes: Count | None = None
    copied: bool = False

    @property
    def called(self) -> str:
        """What it is called in the folder of a launch."""
        return self.path.name


class Need(Record):
    """What one launch needs, on all its nodes together.

    Attributes:
        shared_cores: whether its threads may share cores; else each has one of its own, as it takes
            to mean anything.
        memory_bytes: what all ranks together will allocate, generously; 0 if not known [B].
        seconds: how long one launch will take, start-up excluded; a minute if nobody knows [s].
        devices: how many of each kind, such as `gpu`.
        files: what it writes, by the roles of file systems, such as `scratch`.
        exclusive: what nobody else may use meanwhile: nodes, the link between them, file systems.
    """

    shared_cores: bool = False
    memory_bytes: Count = 0
    seconds: Span = 60.0
    devices: dict[str, Several] = Field(default_factory=dict)
    files: dict[str, Space] = Field(default_factory=dict)
    inputs: tuple[CheckedFile, ...] = ()
    exclusive: tuple[Resource, ...] = ()

    @property
    def resources(self) -> tuple[Resource, ...]:
        """What its rows are about besides cores, memory and link: its devices and file systems."""
        devices = (device(kind).of(n) for kind, n in self.devices.items())
        return (*devices, *map(filesystem, self.files))

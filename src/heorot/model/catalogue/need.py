"""Resources that one launch of a case needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from heorot.model.base import Count, PositiveInt, Record, Seconds
from heorot.model.resource import Resource, device, filesystem

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Space(Record):
    """Space in a file system.

    Attributes:
        bytes: of all files together [B].
    """

    bytes: Count = 0
    inodes: Count = 0


class CheckedFile(Record):
    """An input file with a known digest; each launch finds it in its folder.

    Attributes:
        sha256: digest of its content, in hexadecimal digits.
        bytes: its size; None to use the size of the file that is found [B].
        copied: whether each launch gets a copy of its own, which is kept in the run.
    """

    path: Path
    sha256: Sha256
    bytes: Count | None = None
    copied: bool = False

    @property
    def called(self) -> str:
        """Its name in the folder of a launch."""
        return self.path.name


class Need(Record):
    """Resources of one launch, on all its nodes together.

    Attributes:
        shared_cores: whether its threads may share cores; else each needs a core of its own.
        memory_bytes: what all ranks together will allocate, generously; 0 if not known [B].
        seconds: estimated time of one launch without start-up; a minute if unknown [s].
        devices: number of devices by kind, such as `gpu`.
        files: space that it writes, by role of the file system, such as `scratch`.
        exclusive: resources that must not be shared meanwhile: nodes, links, file systems.
    """

    shared_cores: bool = False
    memory_bytes: Count = 0
    seconds: Seconds = 60.0
    devices: dict[str, PositiveInt] = Field(default_factory=dict)
    files: dict[str, Space] = Field(default_factory=dict)
    inputs: tuple[CheckedFile, ...] = ()
    exclusive: tuple[Resource, ...] = ()

    @property
    def resources(self) -> tuple[Resource, ...]:
        """The devices and file systems that its results are about."""
        devices = (device(kind).of(n) for kind, n in self.devices.items())
        return (*devices, *map(filesystem, self.files))

"""A part of a machine: needed by cases, measured by rows, and limiting them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import ConfigDict

from heorot.model.base import PositiveInt

ResourceKind = Literal["node", "cores", "memory", "device", "filesystem", "link"]


@dataclass(frozen=True, order=True, slots=True)
class Resource:
    """A part of a machine, or a number of parts of one kind.

    Attributes:
        kind: `link` is the connection of the nodes.
        name: which of its kind: the role of a file system such as `scratch`, the kind of a device
            such as `gpu`; empty if there is one only.
        n: number of parts, on all nodes together; None if it does not matter, or is given
            elsewhere.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    kind: ResourceKind
    name: str = ""
    n: PositiveInt | None = None

    def __str__(self) -> str:
        """Such as `cores:8`, `filesystem:scratch`, `device:gpu:2`."""
        n = "" if self.n is None else str(self.n)
        return ":".join(filter(None, (self.kind, self.name, n)))

    @property
    def noun(self) -> str:
        """Name of one of it, such as `core` or `gpu`."""
        return self.name or self.kind.removesuffix("s")

    def of(self, n: int) -> Resource:
        """The same part, with that number."""
        return Resource(self.kind, self.name, n)

    def is_same(self, other: Resource) -> bool:
        """Whether it is the same part, whatever the number."""
        return (self.kind, self.name) == (other.kind, other.name)


CORES = Resource("cores")
ONE_CORE = CORES.of(1)
MEMORY = Resource("memory")
NODE = Resource("node")
LINK = Resource("link")
FILESYSTEM = Resource("filesystem")

VISIBLE_DEVICES = (
    "CUDA_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",
    "ZE_AFFINITY_MASK",
)
"""Environment variables that select the visible devices."""


def filesystem(role: str) -> Resource:
    """The file system with a role, such as `scratch`."""
    return Resource("filesystem", role)


def device(kind: str) -> Resource:
    """The devices of a kind, such as `gpu`."""
    return Resource("device", kind)

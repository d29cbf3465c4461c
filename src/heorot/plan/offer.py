"""What a machine offers to one launch, compared with what a case needs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from heorot.model.catalogue.benchmark import Case
from heorot.model.catalogue.need import CheckedFile, Need, Space
from heorot.model.machine.machine import FileSystem
from heorot.units import format_binary, format_duration, plural

# Share of the memory that programs may use: the rest is for the system and file caches.
_USABLE_MEMORY = 0.85
_DIGITS = 12
# Role of the file system with the copies of input files: that of the run directory.
_WORK = "work"


@dataclass(frozen=True)
class FoundFile:
    """The file at the path of an input file.

    Attributes:
        sha256: its digest, in hexadecimal digits.
        bytes: its size [B].
        trouble: why it cannot be read, one clause; empty if it can.
    """

    sha256: str = ""
    bytes: int = 0
    trouble: str = ""


@dataclass(frozen=True)
class Offer:
    """What the machine can give to one step.

    Attributes:
        cores: distinct cores one job may use on a node.
        memory_bytes: memory one job may use on a node [B].
        nodes: nodes one job may use.
        kinds: kinds of cores that every node has; the empty string is any kind.
        seconds: longest estimate of a launch that fits into a job; None without a limit [s].
        devices: number of devices on every node, by kind.
        device_variables: environment variable that selects the visible devices, by kind.
        device_words: how jobs request devices, by kind; None where no request is needed.
        filesystems: file systems with a role, and their free space.
        inputs: the files found at the paths of input files.
        own_nodes: whether jobs have their nodes to themselves.
        shared_links: names of the networks that are shared with other users.
    """

    cores: int
    memory_bytes: int
    nodes: int = 1
    kinds: tuple[str, ...] = ("",)
    seconds: float | None = None
    devices: Mapping[str, int] = field(default_factory=dict)
    device_variables: Mapping[str, str] = field(default_factory=dict)
    device_words: Mapping[str, str] | None = None
    filesystems: Sequence[FileSystem] = ()
    inputs: Mapping[Path, FoundFile] = field(default_factory=dict)
    own_nodes: bool = True
    shared_links: frozenset[str] = frozenset()

    def filesystem(self, role: str) -> FileSystem | None:
        """The file system of a role; None if there is none."""
        return next((each for each in self.filesystems if each.role == role), None)

    def lacks(
        self, case: Case, network: str = "", at_once: int = 1, launches: int = 1
    ) -> Iterator[str]:
        """Unmet needs of a case, each as a clause with the missing amount.

        Args:
            network: the network that it uses; empty if there is no choice.
            at_once: number of its copies that run at the same time, each on nodes of its own.
            launches: launches of each copy; the copied input files of all launches are kept.
        """
        nodes, need = case.nodes, case.needs
        where = " on each node" if nodes > 1 else ""
        if case.kind not in self.kinds:
            yield f"needs a core of kind {case.kind}, which not every node has"
        yield from _too_many(nodes, self.nodes, "node")
        yield from _too_many(math.ceil(case.needs_cores / nodes), self.cores, "core", where)
        usable = int(_USABLE_MEMORY * self.memory_bytes)
        yield from _too_much(math.ceil(need.memory_bytes / nodes), usable, f"memory{where}")
        for kind, n in need.devices.items():
            yield from _too_many(math.ceil(n / nodes), self.devices.get(kind, 0), kind, where)
            yield from self._cannot_be_given(kind)
        for each in need.inputs:
            if wrong := wrong_input(each, self.inputs.get(each.path)):
                yield f"needs the input file {each.path}{wrong}"
        yield from self._lacks_room(case, at_once, launches)
        yield from self._cannot_be_alone(need, network)

    def _cannot_be_given(self, kind: str) -> Iterator[str]:
        """Why jobs or ranks cannot get devices of a kind."""
        if self.device_words is not None and kind not in self.device_words:
            yield (
                f"needs a {kind}, and no job request for it is known: `request` of `devices` in "
                "the site file"
            )
        if kind in self.devices and kind not in self.device_variables:
            yield (
                f"needs a {kind}, and no variable that selects it is known: "
                "`variable` of `devices` in the site file"
            )

    def _lacks_room(self, case: Case, at_once: int, launches: int) -> Iterator[str]:
        """Unmet needs of file systems; roles on one file system share its free space."""
        together: dict[str, list[tuple[str, FileSystem, Space, float]]] = defaultdict(list)
        for role, space in case.needs.files.items():
            found = self.filesystem(role)
            if found is None:
                yield f"needs a file system {role}, and the site file names none: `filesystems`"
            else:
                times = at_once if found.between_nodes else 1 / case.nodes
                together[found.mount_point or found.path].append((role, found, space, times))
        copies, work = self._copies(case.needs), self.filesystem(_WORK)
        if copies.inodes and work:
            own = (_WORK, work, copies, at_once * launches)
            together[work.mount_point or work.path].append(own)
        for mount, parts in together.items():
            names = " and ".join(dict.fromkeys(role for role, *_ in parts))
            where, place = f"the file system {names} ({mount})", parts[0][1]
            n_bytes = math.ceil(sum(times * space.bytes for *_, space, times in parts))
            n_inodes = math.ceil(sum(times * space.inodes for *_, space, times in parts))
            yield from _too_much(n_bytes, place.free_bytes, f"room in {where}", "are free")
            yield from _too_many(n_inodes, place.free_inodes, "file", f" in {where}", "are free")

    def _copies(self, need: Need) -> Space:
        """Space for the input files that a launch copies."""
        copied = [each for each in need.inputs if each.copied]
        sizes = (
            self.inputs.get(each.path, FoundFile()).bytes if each.bytes is None else each.bytes
            for each in copied
        )
        return Space(bytes=sum(sizes), inodes=len(copied))

    def _cannot_be_alone(self, need: Need, network: str) -> Iterator[str]:
        kinds = {resource.kind for resource in need.exclusive}
        if "node" in kinds and not self.own_nodes:
            yield "needs its nodes to itself, and jobs share them: `exclusive` of `batch`"
        used = {network} & self.shared_links if network else self.shared_links
        if "link" in kinds and used:
            names = " and ".join(sorted(used))
            yield f"needs the network to itself, and others use {names}: `shared` of `networks`"


def wrong_input(needed: CheckedFile, found: FoundFile | None) -> str:
    """Why a file is not the required one, worded to follow its path; empty if it is."""
    if found is None or found.trouble:
        return f", which cannot be read{f': {found.trouble}' if found else ''}"
    if needed.bytes not in {None, found.bytes}:
        return f" of {needed.bytes} bytes, it has {found.bytes}"
    if found.sha256 != needed.sha256:
        return f" with SHA-256 {needed.sha256[:_DIGITS]}..., it has {found.sha256[:_DIGITS]}..."
    return ""


def too_long(takes: float, most: float | None, for_what: str) -> Iterator[str]:
    """A clause if an estimate exceeds a time limit.

    Args:
        takes: the estimate [s].
        most: the limit; None if there is none [s].
        for_what: words before the limit.
    """
    if most is not None and takes > most:
        over = f"{format_duration(takes - most)} too long"
        yield f"takes about {format_duration(takes)}, {for_what} {format_duration(most)}: {over}"


def _too_much(
    wanted: int, most: int | None, what: str, state: str = "may be used"
) -> Iterator[str]:
    if most is not None and wanted > most:
        have, over = format_binary(most), format_binary(wanted - most)
        yield f"needs {format_binary(wanted)} of {what}, {have} {state}: {over} too much"


def _too_many(
    wanted: int, most: int | None, noun: str, where: str = "", state: str = "may be used"
) -> Iterator[str]:
    if most is not None and wanted > most:
        over = f"{wanted - most} too many"
        yield f"needs {plural(wanted, noun)}{where}, {most} {state}: {over}"

"""Reads the copies of nodes with the readers for this machine, and groups nodes by type."""

from __future__ import annotations

import contextlib
import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from heorot.errors import SetupError
from heorot.files import open_regular
from heorot.machine.describe import read_node
from heorot.machine.kernel.tree import DECIMAL, parse_fields, read_text
from heorot.machine.nodes.copied_tree import plant, split_copy
from heorot.machine.nodes.node_kinds import alike
from heorot.machine.platform import read_container
from heorot.model.machine.machine import Node
from heorot.model.machine.nodes import NodeCopy, NodeState

Window = tuple[float, float]

# A copy of a node with a thousand hardware threads has 4 MiB.
_MOST_BYTES = 1 << 26
_GZIP = b"\x1f\x8b"
# lscpu's names of hypervisors, and ours.
_HYPERVISORS = {"KVM": "KVM", "Xen": "Xen", "VMware": "VMware", "Microsoft": "Hyper-V"}


def read_copies(folder: Path, window: Window | None = None) -> tuple[NodeCopy, ...]:
    """The nodes with a copy in a folder, in numerical order.

    Incomplete copies are left out; the caller knows the expected nodes.

    Args:
        folder: the folder given to `copy.sh`; without it, there are none.
        window: start and end of the copying by the clock of the job [Unix time, s]; all nodes'
            clocks must have been within; None compares no clocks.
    """
    with contextlib.suppress(OSError):
        files = [file for file in folder.iterdir() if not file.name.startswith(".")]
        copies = [copy for file in files if (copy := read_copy(file, window)) is not None]
        return tuple(sorted(copies, key=lambda copy: _in_order(copy.name)))
    return ()


def read_copy(file: Path, window: Window | None = None) -> NodeCopy | None:
    """The node described by a copy; None if the file is not a copy of a node.

    Raises:
        SetupError: none of the CPUs that processes may use there is online.
    """
    parts = split_copy(read_whole(file))
    name, isa = parts.get("heorot/name", ""), parts.get("heorot/isa", "")
    if not name or not isa:
        return None
    root = plant(parts)
    try:
        node = read_node(root, isa, name)
    except SetupError as error:
        raise SetupError(f"{name}: {error}", error.hint) from None
    return NodeCopy(
        name=name,
        node=_as_seen_there(node, root),
        state=read_state(root, window),
    )


def read_whole(file: Path) -> str:
    """The text of a copy, compressed or not; empty if it cannot be read."""
    try:
        with open_regular(file) as stream:
            packed = stream.read(len(_GZIP)) == _GZIP
            stream.seek(0)
            content = gzip.GzipFile(fileobj=stream) if packed else stream
            return content.read(_MOST_BYTES).decode(errors="replace")
    except (OSError, EOFError, ValueError, zlib.error):
        return ""


def read_state(root: Path, window: Window | None) -> NodeState:
    """Facts that are no property of the node's type, from below its root."""
    fields = parse_fields(read_text(root / "proc/cpuinfo") or "")
    dmi = root / "sys/class/dmi/id"
    bios = (read_text(dmi / f"bios_{word}") for word in ("vendor", "version", "date"))
    clock = next(iter(_numbers(read_text(root / "heorot/clock"))), None)
    return NodeState(
        clock_seconds=clock,
        clock_offset_seconds=None if clock is None else offset(clock, window),
        boot_id=read_text(root / "proc/sys/kernel/random/boot_id"),
        uptime_seconds=next(iter(_numbers(read_text(root / "proc/uptime"))), None),
        load=tuple(_numbers(read_text(root / "proc/loadavg")))[:3],
        microcode=fields.get("microcode"),
        bios=" ".join(filter(None, bios)) or None,
    )


def offset(clock: float, window: Window | None) -> float | None:
    """The least offset of a clock from a window, negative if it is behind [s]."""
    if window is None:
        return None
    start, end = window
    return min(clock - start, 0.0) or max(clock - end, 0.0)


def merge(copies: Iterable[NodeCopy]) -> tuple[Node, ...]:
    """The types of nodes, the one with most nodes first.

    Two nodes are of one type if all facts that affect performance are equal, amounts within 1 %. A
    type is described by its first node, with the names of all.
    """
    kinds: list[list[Node]] = []
    for copy in copies:
        mates = next((kind for kind in kinds if alike(kind[0], copy.node)), None)
        if mates is None:
            kinds.append([copy.node])
        else:
            mates.append(copy.node)
    return tuple(map(_describe_kind, sorted(kinds, key=len, reverse=True)))


def _describe_kind(nodes: Sequence[Node]) -> Node:
    names = tuple(name for node in nodes for name in node.names)
    return nodes[0].model_copy(update={"names": names, "n_nodes": len(names)})


def _as_seen_there(node: Node, root: Path) -> Node:
    """The node with facts that only its own processes can read: hypervisor and container."""
    lines = (read_text(root / "heorot/environment") or "").splitlines()
    variables = dict(line.split("=", 1) for line in lines if "=" in line and line[-1] != "=")
    lscpu = parse_fields(read_text(root / "heorot/lscpu") or "")
    hypervisor = _HYPERVISORS.get(lscpu.get("Hypervisor vendor", ""), node.platform.hypervisor)
    seen = {"container": read_container(root, variables), "hypervisor": hypervisor}
    return node.model_copy(update={"platform": node.platform.model_copy(update=seen)})


def _numbers(text: str | None) -> Iterator[float]:
    words = (text or "").split()
    return (
        float(word) for word in words if re.fullmatch(rf"\d{{10,11}}\.\d{{1,9}}|{DECIMAL}", word)
    )


def _in_order(name: str) -> tuple[tuple[str, int], ...]:
    """Sort key that puts `node2` before `node10`."""
    pieces = re.findall(r"(\D*)(\d{0,18})", name)
    return tuple((text, int(digits or 0)) for text, digits in pieces)


# For bash 4.2 and an ordinary user: `bash copy.sh FOLDER` on each node, without binding to cores,
# which would count as a limit of the node.
COPY_SCRIPT = Path(__file__).with_name("copy.sh").read_text(encoding="utf-8")

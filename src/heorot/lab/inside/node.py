"""Makes one node: its file systems, its name, and its first process."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from heorot.lab.inside import kernel
from heorot.lab.inside.agent import SOCKETS
from heorot.lab.inside.inspection import inspect
from heorot.lab.inside.node_server import NodeServer, Operation, ServedNode, open_socket

# What each node has of its own, as every computer does.
OWN = ("/tmp", "/dev/shm")  # noqa: S108 (these are mounted upon, nothing is created there)
_TEMPORARY_MODE = "mode=1777"
_QUIET = ("all", "default")  # and so no interface talks of itself


@dataclass(frozen=True)
class LabSettings:
    """What all nodes of a lab have in common.

    Attributes:
        shared: directories below the nodes' own ones that they all see nevertheless.
        environment: of commands, over that of whoever asks.
        defaults: of commands, unless whoever asks has them.
    """

    directory: Path
    shared: tuple[str, ...]
    environment: Mapping[str, str]
    defaults: Mapping[str, str]


def spawn(job: Callable[[int], NoReturn], flags: int) -> int:
    """Start the first process of new namespaces and wait until it is ready.

    Args:
        job: what it does, given the descriptor at which it says `ready`.

    Returns:
        its process id, as we see it; our child or, if we are an init, about to become it.

    Raises:
        OSError: the kernel refuses, or it was not ready.
    """
    read_end, write_end = os.pipe2(os.O_CLOEXEC)
    between = os.fork()
    if between == 0:
        # A new PID namespace is for children, so one of us makes it and leaves.
        try:
            kernel.separate(flags)
            child = os.fork()
            if child == 0:
                job(write_end)
            os.write(write_end, f"pid {child}\n".encode())
        except OSError as error:
            os.write(write_end, f"error {error.strerror}\n".encode())
        finally:
            os._exit(0)
    os.close(write_end)
    os.waitpid(between, 0)
    with open(read_end, encoding="utf-8", closefd=True) as pipe:  # noqa: PTH123 (a descriptor)
        lines: list[str] = []
        while len(lines) < 2 or not any(line == "ready" for line in lines):  # noqa: PLR2004
            line = pipe.readline().strip()
            if not line or line.startswith("error "):
                raise OSError(0, line.removeprefix("error ") or "it died at once")
            lines.append(line)
    (pid,) = [int(line.split()[1]) for line in lines if line.startswith("pid ")]
    return pid


def become_node(name: str, cpus: frozenset[int], place: LabSettings, write_end: int) -> NoReturn:
    """Be the first process of a node.

    Args:
        cpus: the processors it may use; empty leaves them as they are.
        write_end: descriptor for the word that it is ready.
    """
    try:
        _forget_parent(write_end)
        kernel.set_name(f"lab:{name}")
        socket.sethostname(name)
        if cpus:
            os.sched_setaffinity(0, cpus)
        mount_own(place)
        mount_kernel_views()
        listener = open_socket(place.directory / SOCKETS, name)
        os.write(write_end, b"ready\n")
        os.close(write_end)
        NodeServer(listener, node_of(place, {"look": inspect, "offloads": offloads})).serve()
    except OSError as error:
        with contextlib.suppress(OSError):
            os.write(write_end, f"error {error.strerror}\n".encode())
    finally:
        os._exit(1)


def node_of(place: LabSettings, operations: Mapping[str, Operation]) -> ServedNode:
    """What a door serves in a place."""
    return ServedNode(place.environment, place.defaults, operations)


def offloads(request: Mapping[str, Any]) -> dict[str, Any]:
    """Operation: say which work on packets is left to interfaces."""
    for interface in request["interfaces"]:
        kernel.set_offloads(
            interface, segmentation=request["segmentation"], checksum=request["checksum"]
        )
    return {}


def mount_own(place: LabSettings) -> None:
    """Give this mount namespace its own temporary directories, hosts file and nothing else.

    Raises:
        OSError: the kernel refuses.
    """
    kernel.mount("none", "/", flags=kernel.PRIVATE | kernel.RECURSIVE)
    kept = {path: os.open(path, os.O_PATH) for path in place.shared if Path(path).is_dir()}
    above = {folder: folder.stat() for path in kept for folder in _between(Path(path))}
    for path in OWN:
        flags = kernel.NO_SETUID | kernel.NO_DEVICES
        kernel.mount("tmpfs", path, "tmpfs", flags, _TEMPORARY_MODE)
    for folder in sorted(above):
        _make_like(folder, above[folder])
    for path, descriptor in kept.items():
        Path(path).mkdir(exist_ok=True)
        flags = kernel.BIND | kernel.RECURSIVE
        kernel.mount(f"/proc/self/fd/{descriptor}", path, flags=flags)
        os.close(descriptor)
    kernel.mount(str(place.directory / "hosts"), "/etc/hosts", flags=kernel.BIND)


def _between(path: Path) -> list[Path]:
    """The folders between what a node has of its own and a path."""
    return [folder for folder in path.parents if any(Path(own) in folder.parents for own in OWN)]


def _make_like(folder: Path, status: os.stat_result) -> None:
    """Make a folder as one outside: who could not pass that one cannot pass it here, either."""
    folder.mkdir(exist_ok=True)
    with contextlib.suppress(OSError):  # an owner may have no number in the namespace of a user
        os.chown(folder, status.st_uid, status.st_gid)
    folder.chmod(stat.S_IMODE(status.st_mode))


def mount_kernel_views() -> None:
    """Show this namespace's own processes and interfaces in /proc and /sys.

    Raises:
        OSError: the kernel refuses a new /proc.
    """
    flags = kernel.NO_SETUID | kernel.NO_DEVICES | kernel.NO_PROGRAMS
    kernel.mount("proc", "/proc", "proc", flags)
    with contextlib.suppress(OSError):  # where it is refused, interfaces of the outside are shown
        groups = os.open("/sys/fs/cgroup", os.O_PATH)
        kernel.mount("sysfs", "/sys", "sysfs", flags)
        bound = kernel.BIND | kernel.RECURSIVE
        kernel.mount(f"/proc/self/fd/{groups}", "/sys/fs/cgroup", flags=bound)
        os.close(groups)
    for word in _QUIET:
        with contextlib.suppress(OSError):  # a kernel without IPv6
            setting = Path(f"/proc/sys/net/ipv6/conf/{word}/disable_ipv6")
            setting.write_text("1", encoding="ascii")


def _forget_parent(keep: int) -> None:
    """Close what belongs to the process that we are a fork of."""
    for entry in os.listdir("/proc/self/fd"):  # noqa: PTH208 (numbers, not paths)
        if int(entry) > 2 and int(entry) != keep:  # noqa: PLR2004 (the standard streams)
            with contextlib.suppress(OSError):
                os.close(int(entry))

"""Creates a node: its file systems, its name, and its first process."""

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

# Directories that each node has of its own.
OWN = ("/tmp", "/dev/shm")  # noqa: S108 (mount points only)
_TEMPORARY_MODE = "mode=1777"
_QUIET = ("all", "default")  # no router discovery of its own


@dataclass(frozen=True)
class LabSettings:
    """Settings common to all nodes of a lab.

    Attributes:
        shared: directories below private ones that all nodes share.
        environment: variables of commands that replace the caller's.
        defaults: variables of commands that the caller's replace.
    """

    directory: Path
    shared: tuple[str, ...]
    environment: Mapping[str, str]
    defaults: Mapping[str, str]


def spawn(job: Callable[[int], NoReturn], flags: int) -> int:
    """Start the first process of new namespaces and wait until it is ready.

    Args:
        job: its function, called with the descriptor to which it writes `ready`.

    Returns:
        its process id in our namespace; it is a child of ours, or will be adopted by us.

    Raises:
        OSError: the kernel refuses, or it did not become ready.
    """
    read_end, write_end = os.pipe2(os.O_CLOEXEC)
    between = os.fork()
    if between == 0:
        # The first child in a new PID namespace becomes its init, so a fork of ours creates it and
        # exits.
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
    """Become the first process of a node.

    Args:
        cpus: the processors it may use; empty leaves them unchanged.
        write_end: descriptor for the message that it is ready.
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
    """The settings of the server of a place."""
    return ServedNode(place.environment, place.defaults, operations)


def offloads(request: Mapping[str, Any]) -> dict[str, Any]:
    """Operation: switch the offloading of packet processing to interfaces."""
    for interface in request["interfaces"]:
        kernel.set_offloads(
            interface, segmentation=request["segmentation"], checksum=request["checksum"]
        )
    return {}


def mount_own(place: LabSettings) -> None:
    """Mount this namespace's own temporary directories and hosts file.

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
    """The folders between a private directory of a node and a path below it."""
    return [folder for folder in path.parents if any(Path(own) in folder.parents for own in OWN)]


def _make_like(folder: Path, status: os.stat_result) -> None:
    """Create a folder with owner and mode of the one outside, for equal access."""
    folder.mkdir(exist_ok=True)
    with contextlib.suppress(OSError):  # the owner may be unmapped
        os.chown(folder, status.st_uid, status.st_gid)
    folder.chmod(stat.S_IMODE(status.st_mode))


def mount_kernel_views() -> None:
    """Show this namespace's own processes and interfaces in /proc and /sys.

    Raises:
        OSError: the kernel refuses a new /proc.
    """
    flags = kernel.NO_SETUID | kernel.NO_DEVICES | kernel.NO_PROGRAMS
    kernel.mount("proc", "/proc", "proc", flags)
    with contextlib.suppress(OSError):  # if refused, outer interfaces are shown
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

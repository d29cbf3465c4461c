"""What a lab asks of the kernel that Python 3.11 has no function for."""

from __future__ import annotations

import array
import ctypes
import fcntl
import os
import socket
import struct
from contextlib import suppress
from pathlib import Path

NEW_MOUNTS = 0x00020000
NEW_UTS = 0x04000000
NEW_IPC = 0x08000000
NEW_USER = 0x10000000
NEW_PID = 0x20000000
NEW_NET = 0x40000000
SEPARATE = NEW_MOUNTS | NEW_UTS | NEW_IPC | NEW_PID | NEW_NET

BIND = 4096
RECURSIVE = 16384
PRIVATE = 1 << 18
NO_SETUID = 2
NO_DEVICES = 4
NO_PROGRAMS = 8

_SET_NAME = 15
# Linux's ethtool: the request to an interface, and its switches for segmentation of what is sent,
# by the card and by the kernel, for checksums of what is sent, and for joining what is received.
_ETHTOOL = 0x8946
_SEGMENTATION = (0x1F, 0x24)
_CHECKSUM = 0x17
_JOINING = 0x2C

_libc = ctypes.CDLL(None, use_errno=True)


def _require(code: int, what: str) -> None:
    if code != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def separate(flags: int) -> None:
    """Leave namespaces for new ones; a new PID namespace holds the children only.

    Raises:
        OSError: the kernel refuses.
    """
    _require(_libc.unshare(flags), "cannot make namespaces")


def become_root_of_own() -> None:
    """Enter a user namespace in which whoever we are is root.

    Raises:
        OSError: the kernel refuses.
    """
    user, group = os.geteuid(), os.getegid()
    separate(NEW_USER)
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"0 {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"0 {group} 1", encoding="ascii")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount something.

    Args:
        source: what; a name where the kind of file system needs none.
        kind: of file system; empty for what is there already.
        flags: of mount(2).

    Raises:
        OSError: the kernel refuses.
    """
    words = [word.encode() or None for word in (source, target, kind)]
    code = _libc.mount(*words, ctypes.c_ulong(flags), options.encode() or None)
    _require(code, f"cannot mount {kind or source} on {target}")


def set_name(name: str) -> None:
    """Show this process by a name of up to 15 letters in `ps` and `top`."""
    _libc.prctl(_SET_NAME, name.encode(), 0, 0, 0)


def set_offloads(interface: str, *, segmentation: bool, checksum: bool) -> None:
    """Say which work on packets is left to an interface.

    A virtual interface does none of it: packets of up to 64 KiB without checksums pass it, which a
    shaper would count as one and a switch in user space would deliver as they are.

    Args:
        segmentation: whether what is sent is cut, and what is received is joined, late.
        checksum: whether checksums of what is sent are left out.
    """
    wanted = dict.fromkeys(_SEGMENTATION, segmentation)
    wanted |= {_CHECKSUM: checksum, _JOINING: segmentation}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for command, is_on in wanted.items():
            switch = array.array("B", struct.pack("II", command, int(is_on)))
            address, _ = switch.buffer_info()
            request = struct.pack("16sP16x", interface.encode(), address)
            with suppress(OSError):  # an interface that lacks one has nothing to switch
                fcntl.ioctl(control, _ETHTOOL, request)

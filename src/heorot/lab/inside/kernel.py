"""System calls for labs that Python 3.11 does not have."""

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
# Linux's ethtool: the request, and its switches for segmentation by the card and by the kernel, for
# checksums of sent packets, and for joining received ones.
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
    """Move this process to new namespaces; a new PID namespace is for its children only.

    Raises:
        OSError: the kernel refuses.
    """
    _require(_libc.unshare(flags), "cannot make namespaces")


def become_root_of_own() -> None:
    """Enter a user namespace in which this user is root.

    Raises:
        OSError: the kernel refuses.
    """
    user, group = os.geteuid(), os.getegid()
    separate(NEW_USER)
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"0 {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"0 {group} 1", encoding="ascii")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount a file system.

    Args:
        source: device or path; a name where the file system needs none.
        kind: type of file system; empty for a mount of existing files.
        flags: of mount(2).

    Raises:
        OSError: the kernel refuses.
    """
    words = [word.encode() or None for word in (source, target, kind)]
    code = _libc.mount(*words, ctypes.c_ulong(flags), options.encode() or None)
    _require(code, f"cannot mount {kind or source} on {target}")


def set_name(name: str) -> None:
    """Set the name of this process in `ps` and `top`, up to 15 letters."""
    _libc.prctl(_SET_NAME, name.encode(), 0, 0, 0)


def set_offloads(interface: str, *, segmentation: bool, checksum: bool) -> None:
    """Switch the offloading of packet processing to an interface.

    A virtual interface processes nothing: packets of up to 64 KiB pass it without checksums. A
    shaper would count each as one, and a switch in user space would deliver them unchanged.

    Args:
        segmentation: whether sending segments and receiving joins packets in the interface.
        checksum: whether checksums of sent packets are omitted.
    """
    wanted = dict.fromkeys(_SEGMENTATION, segmentation)
    wanted |= {_CHECKSUM: checksum, _JOINING: segmentation}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for command, is_on in wanted.items():
            switch = array.array("B", struct.pack("II", command, int(is_on)))
            address, _ = switch.buffer_info()
            request = struct.pack("16sP16x", interface.encode(), address)
            with suppress(OSError):  # the interface does not have it
                fcntl.ioctl(control, _ETHTOOL, request)

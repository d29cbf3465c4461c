"""The network interfaces and host channel adapters of this node, from /sys/class."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from heorot.machine.kernel.tree import (
    DECIMAL,
    ROOT,
    list_names,
    numbered,
    parse_integer,
    read_count,
    read_integer,
    read_text,
)
from heorot.model.machine.machine import Hca, HcaPort, NetworkInterface

Kind = Literal["ethernet", "infiniband", "loopback", "other"]
# Hardware types of the Linux header if_arp.h.
_KINDS: dict[int, Kind] = {1: "ethernet", 32: "infiniband", 772: "loopback"}


def read_interfaces(root: Path = ROOT) -> tuple[NetworkInterface, ...]:
    """The network interfaces, sorted by name.

    Args:
        root: directory that holds `sys`.
    """
    directory = root / "sys/class/net"
    return tuple(
        read_interface(directory / name)
        for name in list_names(directory)
        if (directory / name / "type").exists()
    )


def read_interface(directory: Path) -> NetworkInterface:
    """One interface from its directory in sysfs."""
    speed = read_integer(directory / "speed")
    device = read_text(directory / "device/uevent")
    virtual = device is None and not (directory / "device").is_symlink()
    return NetworkInterface(
        name=directory.name,
        state=read_text(directory / "operstate"),
        kind=_KINDS.get(read_integer(directory / "type") or 0, "other"),
        virtual=virtual,
        # Interfaces without a link and virtual ones say -1.
        speed_bits=speed * 1e6 if speed and speed > 0 else None,
        mtu_bytes=read_count(directory / "mtu"),
        driver=parse_driver(device or ""),
    )


def parse_driver(uevent: str) -> str | None:
    """The driver that a device's uevent file names."""
    match = re.search(r"^DRIVER=(\S+)", uevent, re.MULTILINE)
    return match[1] if match else None


def read_hcas(root: Path = ROOT) -> tuple[Hca, ...]:
    """InfiniBand, Omni-Path and RoCE adapters, sorted by name.

    Args:
        root: directory that holds `sys`.
    """
    directory = root / "sys/class/infiniband"
    return tuple(read_hca(directory / name) for name in list_names(directory))


def read_hca(directory: Path) -> Hca:
    """One adapter from its directory in sysfs."""
    names = (read_text(directory / "hca_type"), read_text(directory / "board_id"))
    ports = numbered(directory / "ports", "")
    return Hca(
        name=directory.name,
        model=", ".join(filter(None, names)) or None,
        firmware=read_text(directory / "fw_ver"),
        ports=tuple(read_port(number, port) for number, port in ports),
    )


def read_port(number: int, directory: Path) -> HcaPort:
    """One port of an adapter."""
    rate, link = parse_rate(read_text(directory / "rate"))
    return HcaPort(
        number=number,
        state=parse_state(read_text(directory / "state")),
        rate_bits=rate,
        link=link,
        layer=read_text(directory / "link_layer"),
    )


def parse_rate(text: str | None) -> tuple[float | None, str | None]:
    """Line rate [bit/s] and link of `100 Gb/sec (4X EDR)`."""
    match = re.match(rf"({DECIMAL}) Gb/sec(?: \((.*)\))?", text or "")
    return (float(match[1]) * 1e9, match[2]) if match else (None, None)


def parse_state(text: str | None) -> str | None:
    """The word of `4: ACTIVE`."""
    number, colon, word = (text or "").partition(":")
    return word.strip() if colon and parse_integer(number) is not None else None

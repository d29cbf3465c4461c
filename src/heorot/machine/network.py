"""The network interfaces and host channel adapters of this node, from /sys/class."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Literal, TypedDict

from heorot.machine.kernel.tree import (
    DECIMAL,
    ROOT,
    list_names,
    numbered,
    parse_fields,
    parse_integer,
    read_count,
    read_integer,
    read_text,
)
from heorot.model.machine.machine import Hca, HcaPort, NetworkInterface
from heorot.process import run

Kind = Literal["ethernet", "infiniband", "loopback", "other"]
# Hardware types of the Linux header if_arp.h.
_KINDS: dict[int, Kind] = {1: "ethernet", 32: "infiniband", 772: "loopback"}
# Value of a device without a known width.
_MOST_LANES = 32
_PATIENCE_SECONDS = 3.0


class Device(TypedDict):
    """Common fields of interfaces and adapters, named as in their records."""

    driver: str | None
    driver_version: str | None
    pcie_width: int | None
    pcie_speed: float | None
    pcie_width_max: int | None
    pcie_speed_max: float | None


def read_interfaces(root: Path = ROOT) -> tuple[NetworkInterface, ...]:
    """The network interfaces, sorted by name.

    Args:
        root: directory with `sys`, and with the output of ethtool in a copy of a node.
    """
    directory = root / "sys/class/net"
    return tuple(
        read_interface(directory / name, ask_ethtool(root, name))
        for name in list_names(directory)
        if (directory / name / "type").exists()
    )


def ask_ethtool(root: Path, name: str) -> str:
    """The output of ethtool for an interface with a device; empty if not installed."""
    if root != ROOT:
        return read_text(root / "heorot/ethtool" / name) or ""
    search = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))
    command = shutil.which("ethtool", path=search)
    if command is None or not (root / "sys/class/net" / name / "device").exists():
        return ""
    return run([command, "-i", name], timeout_seconds=_PATIENCE_SECONDS).out


def read_interface(directory: Path, ethtool: str = "") -> NetworkInterface:
    """One interface.

    Args:
        directory: its directory in sysfs.
        ethtool: output of ethtool for it.
    """
    fields = parse_fields(ethtool)
    speed = read_integer(directory / "speed")
    device = directory / "device"
    virtual = read_text(device / "uevent") is None and not device.is_symlink()
    return NetworkInterface(
        name=directory.name,
        state=read_text(directory / "operstate"),
        kind=_KINDS.get(read_integer(directory / "type") or 0, "other"),
        virtual=virtual,
        # Interfaces without a link and virtual ones report -1.
        speed_bits=speed * 1e6 if speed and speed > 0 else None,
        mtu_bytes=read_count(directory / "mtu"),
        firmware=fields.get("firmware-version") or None,
        **read_device(device, fields.get("version")),
    )


def read_device(directory: Path, version: str | None = None) -> Device:
    """Driver and PCIe link of a device.

    Args:
        directory: its directory in sysfs.
        version: version of the driver if its module has none.
    """
    return Device(
        driver=parse_driver(read_text(directory / "uevent") or ""),
        driver_version=read_text(directory / "driver/module/version") or version or None,
        pcie_width=read_width(directory / "current_link_width"),
        pcie_speed=parse_transfers(read_text(directory / "current_link_speed")),
        pcie_width_max=read_width(directory / "max_link_width"),
        pcie_speed_max=parse_transfers(read_text(directory / "max_link_speed")),
    )


def read_width(file: Path) -> int | None:
    """The lanes of a link, None if unknown."""
    width = read_count(file)
    return width if width and width <= _MOST_LANES else None


def parse_transfers(text: str | None) -> float | None:
    """The rate of a lane in `16.0 GT/s PCIe` [transfer/s], None if unknown."""
    match = re.match(rf"({DECIMAL}) GT/s", text or "")
    return float(match[1]) * 1e9 if match else None


def parse_driver(uevent: str) -> str | None:
    """The driver in a device's uevent file."""
    match = re.search(r"^DRIVER=(\S+)", uevent, re.MULTILINE)
    return match[1] if match else None


def read_hcas(root: Path = ROOT) -> tuple[Hca, ...]:
    """InfiniBand, Omni-Path and RoCE adapters, sorted by name."""
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
        interfaces=tuple(list_names(directory / "device/net")),
        **read_device(directory / "device"),
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

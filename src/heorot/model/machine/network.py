"""The network interfaces and host channel adapters of a node."""

from __future__ import annotations

from typing import Literal

from heorot.model.base import Count, NonNegative, Record


class NetworkInterface(Record):
    """A network interface of a node.

    Attributes:
        name: such as `eth0`.
        state: `up`, `down`, `unknown`...
        kind: `ethernet`, `infiniband`, `loopback` or `other`.
        virtual: whether it has no device (bridges, tunnels, loopback).
        speed_bits: line rate [bit/s].
        mtu_bytes: largest packet [B].
        driver_version: of the driver; that of the kernel for a driver of the kernel; None if
            unknown.
        pcie_width: negotiated number of lanes.
        pcie_speed: negotiated rate of each lane [transfer/s].
        pcie_width_max: largest number of lanes.
        pcie_speed_max: largest rate of a lane [transfer/s].
    """

    name: str
    state: str | None = None
    kind: Literal["ethernet", "infiniband", "loopback", "other"] = "other"
    virtual: bool = False
    speed_bits: NonNegative | None = None
    mtu_bytes: Count | None = None
    firmware: str | None = None
    driver: str | None = None
    driver_version: str | None = None
    pcie_width: Count | None = None
    pcie_speed: NonNegative | None = None
    pcie_width_max: Count | None = None
    pcie_speed_max: NonNegative | None = None


class HcaPort(Record):
    """A port of a host channel adapter.

    Attributes:
        number: counted from 1.
        state: such as `ACTIVE`.
        rate_bits: line rate [bit/s].
        link: width and generation, such as `4X EDR`.
        layer: `InfiniBand` or `Ethernet`.
    """

    number: Count
    state: str | None = None
    rate_bits: NonNegative | None = None
    link: str | None = None
    layer: str | None = None


class Hca(Record):
    """A host channel adapter: InfiniBand, Omni-Path, RoCE.

    Attributes:
        name: such as `mlx5_0`.
        model: board or chip, by its own name.
        driver_version: of the driver; that of the kernel for a driver of the kernel; None if
            unknown.
        pcie_width: negotiated number of lanes.
        pcie_speed: negotiated rate of each lane [transfer/s].
        pcie_width_max: largest number of lanes.
        pcie_speed_max: largest rate of a lane [transfer/s].
    """

    name: str
    model: str | None = None
    firmware: str | None = None
    ports: tuple[HcaPort, ...] = ()
    interfaces: tuple[str, ...] = ()
    driver: str | None = None
    driver_version: str | None = None
    pcie_width: Count | None = None
    pcie_speed: NonNegative | None = None
    pcie_width_max: Count | None = None
    pcie_speed_max: NonNegative | None = None

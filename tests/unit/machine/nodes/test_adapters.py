"""Drivers, firmware and PCIe links of adapters, in the record, the table and the YAML."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.machine.description.table import adapter_text, node_rows, summary_rows
from heorot.machine.description.yaml import from_yaml, to_yaml
from heorot.machine.network import (
    ask_ethtool,
    parse_transfers,
    read_device,
    read_hcas,
    read_interface,
    read_width,
)
from heorot.machine.software.modules import find_modules
from heorot.model.machine.machine import (
    Hca,
    Machine,
    ModulesSystem,
    NetworkInterface,
    Node,
    Processor,
)

LINKS = "pcie_links/sys/devices/pci0000:00/0000:00:02.1"


def test_links_of_a_port_and_of_what_is_in_it(samples: Path) -> None:
    port, disk = read_device(samples / LINKS), read_device(samples / LINKS / "0000:01:00.0")
    assert (port["pcie_width"], port["pcie_width_max"]) == (4, 8)
    assert (port["pcie_speed"], port["pcie_speed_max"]) == (8e9, 8e9)
    assert (disk["pcie_width"], disk["pcie_width_max"], disk["driver"]) == (4, 4, "nvme")


@pytest.mark.parametrize(
    ("text", "rate"),
    [("16.0 GT/s PCIe", 16e9), ("8 GT/s", 8e9), ("2.5 GT/s PCIe", 2.5e9), ("Unknown", None),
     ("Unknown speed", None), ("", None), (None, None)],
)  # fmt: skip
def test_rates_of_lanes(text: str | None, rate: float | None) -> None:
    assert parse_transfers(text) == rate


@pytest.mark.parametrize(("text", "width"), [("16", 16), ("0", None), ("255", None), ("x", None)])
def test_lanes(tmp_path: Path, text: str, width: int | None) -> None:
    (tmp_path / "width").write_text(text + "\n")
    assert read_width(tmp_path / "width") == width


def test_what_a_driver_says_of_itself(samples: Path, banner: Callable[[str], str]) -> None:
    eth0 = samples / "epyc_zen5_kvm/sys/class/net/eth0"
    virtio = read_interface(eth0, banner("ethtool-virtio"))
    assert (virtio.driver_version, virtio.firmware) == ("1.0.0", None)
    mlx5 = read_interface(eth0, banner("ethtool-mlx5-quoted"))
    assert (mlx5.driver_version, mlx5.firmware) == ("3.0-1 (January 2015)", "14.23.1020")
    assert ask_ethtool(samples / "epyc_zen5_kvm", "eth0") == ""


def test_ethtool_is_asked_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, banner: Callable[[str], str]
) -> None:
    (tmp_path / "ethtool").write_text(f"#!/bin/sh\ncat <<'END'\n{banner('ethtool-virtio')}END\n")
    (tmp_path / "ethtool").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    real = [p.parent.name for p in Path("/sys/class/net").glob("*/device")]
    for name in real:
        assert ask_ethtool(Path("/"), name).startswith("driver: virtio_net")
    assert ask_ethtool(Path("/"), "lo") == ""


def test_a_version_of_a_module_comes_first(tmp_path: Path) -> None:
    module = tmp_path / "sys/class/infiniband/mlx5_0/device"
    (module / "driver/module").mkdir(parents=True)
    (module / "driver/module/version").write_text("5.8-1.1.2\n")
    (module / "net/ib0").mkdir(parents=True)
    (hca,) = read_hcas(tmp_path)
    assert (hca.driver_version, hca.interfaces) == ("5.8-1.1.2", ("ib0",))
    assert read_device(module, "6.1")["driver_version"] == "5.8-1.1.2"


HCA = Hca(
    name="mlx5_0",
    firmware="20.1",
    interfaces=("ib0",),
    driver="mlx5_core",
    driver_version="5.8-1",
    pcie_width=8,
    pcie_speed=16e9,
    pcie_width_max=16,
    pcie_speed_max=16e9,
)


def test_adapters_in_the_table() -> None:
    over = NetworkInterface(name="ib0", driver="mlx5_core", driver_version="5.8-1")
    plain = NetworkInterface(name="eth0", state="up", driver="virtio_net")
    node = Node(
        names=("n",), processor=Processor(isa="x86_64"), hcas=(HCA,), interfaces=(plain, over)
    )
    rows = dict(node_rows(node))
    text = "mlx5_core 5.8-1, firmware 20.1, PCIe x8 at 16 GT/s of x16 at 16 GT/s"
    assert rows["Adapter mlx5_0"] == text
    assert [name for name in rows if name.startswith("Adapter")] == ["Adapter mlx5_0"]
    full = HCA.model_copy(update={"pcie_width": 16, "driver_version": None, "firmware": None})
    assert adapter_text(full) == "PCIe x16 at 16 GT/s"


def test_adapters_and_modules_in_yaml() -> None:
    modules = ModulesSystem(name="lmod", version="8.7", loaded=("gcc/12", "openmpi/5"))
    node = Node(names=("n",), processor=Processor(isa="x86_64"), hcas=(HCA,))
    machine = Machine(hostname="n", nodes=(node,), modules=modules)
    assert from_yaml(to_yaml(machine), Path("m.yaml")) == machine
    assert dict(summary_rows(machine))["Loaded modules"] == "gcc/12, openmpi/5"


def test_loaded_modules() -> None:
    variables = {"LMOD_CMD": "/nowhere", "LMOD_VERSION": "8.7", "LOADEDMODULES": "gcc/12:openmpi/5"}
    lmod = find_modules(variables)
    assert lmod is not None
    assert lmod.loaded == ("gcc/12", "openmpi/5")
    none = find_modules({**variables, "LOADEDMODULES": ""})
    assert none is not None
    assert none.loaded == ()

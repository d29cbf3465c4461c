"""Accelerators, from the kernel's PCI devices, in the format of drivers/pci/pci-driver.c."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.machine.describe import read_node
from heorot.machine.description.table import node_rows
from heorot.machine.devices import allowed_devices, read_device_variables, read_devices
from heorot.machine.nodes.node_kinds import alike
from heorot.machine.nodes.read import read_copies

Runs = Callable[..., subprocess.CompletedProcess[str]]

VIRTIO = "PCI_CLASS=FFFF00\nPCI_ID=1AF4:1045\nPCI_SLOT_NAME=0000:00:01.0\n"
A100 = "PCI_CLASS=30200\nPCI_ID=10DE:20B0\nPCI_SUBSYS_ID=10DE:134F\nPCI_SLOT_NAME=0000:07:00.0\n"


def plug(root: Path, slot: int, driver: str, lines: str) -> None:
    """A device in a slot, with its directory."""
    folder = root / f"sys/bus/pci/devices/0000:{slot:02x}:00.0"
    folder.mkdir(parents=True)
    (folder / "uevent").write_text((f"DRIVER={driver}\n" if driver else "") + lines)


@pytest.mark.parametrize(
    ("driver", "upper", "kind"),
    [
        ("nvidia", "30200", "gpu"),
        ("nvidia", "30000", "gpu"),
        ("amdgpu", "38000", "gpu"),
        ("amdgpu", "120000", "gpu"),
        ("amdgpu", "30000", None),
        ("xe", "38000", "gpu"),
        ("ast", "30000", None),
        ("snd_hda_intel", "40300", None),
        ("habanalabs", "120000", "accelerator"),
        ("nouveau", "30200", None),
        ("", "30200", None),
        ("", "120000", None),
    ],
)
def test_what_computes_and_has_a_driver_counts(
    tmp_path: Path, driver: str, upper: str, kind: str | None
) -> None:
    plug(tmp_path, 0, "virtio-pci", VIRTIO)
    plug(tmp_path, 7, driver, A100.replace("30200", upper))
    assert read_devices(tmp_path) == ({kind: 1} if kind else {})


@pytest.mark.parametrize(
    ("drivers", "variables"),
    [
        (("nvidia", "nvidia"), {"gpu": "CUDA_VISIBLE_DEVICES"}),
        (("amdgpu",), {"gpu": "ROCR_VISIBLE_DEVICES"}),
        (("i915", "xe"), {"gpu": "ZE_AFFINITY_MASK"}),
        (("nvidia", "amdgpu"), {}),
        (("habanalabs",), {}),
        ((), {}),
    ],
)
def test_a_driver_says_by_which_variable_they_are_seen(
    tmp_path: Path, drivers: tuple[str, ...], variables: dict[str, str]
) -> None:
    for slot, driver in enumerate(drivers):
        upper = "120000" if driver == "habanalabs" else "30200"
        plug(tmp_path, slot, driver, A100.replace("30200", upper))
    assert read_device_variables(tmp_path) == variables


@pytest.mark.parametrize(
    ("environment", "n"),
    [
        ({}, 4),
        ({"CUDA_VISIBLE_DEVICES": "1,GPU-7"}, 2),
        ({"CUDA_VISIBLE_DEVICES": "0,1,2,3,4,5"}, 4),
        ({"CUDA_VISIBLE_DEVICES": ""}, 0),
        ({"CUDA_VISIBLE_DEVICES": "NoDevFiles"}, 0),
        ({"CUDA_VISIBLE_DEVICES": "-1", "ROCR_VISIBLE_DEVICES": "2"}, 0),
        ({"HIP_VISIBLE_DEVICES": "2"}, 1),
    ],
)
def test_those_that_are_hidden_do_not_count(environment: dict[str, str], n: int) -> None:
    for variables in ({"gpu": "CUDA_VISIBLE_DEVICES"}, {}):
        assert allowed_devices({"gpu": 4}, variables, environment) == {"gpu": n}


def test_a_node_without_a_bus_has_none(tmp_path: Path) -> None:
    assert read_devices(tmp_path) == {}


def test_they_are_seen_where_the_node_is_and_tell_its_kind(tmp_path: Path, copies: Runs) -> None:
    root = tmp_path / "root"
    for slot in (7, 8, 9):
        plug(root, slot, "nvidia", A100)
    plug(root, 10, "habanalabs", A100.replace("30200", "120000"))
    copies(tmp_path / "nodes", root)
    (copy,) = read_copies(tmp_path / "nodes")
    assert copy.node.devices == {"accelerator": 1, "gpu": 3}
    assert dict(node_rows(copy.node))["Devices per node"] == "1 accelerator, 3 gpus"
    without = read_node(tmp_path, copy.node.processor.isa, "n")
    assert "Devices per node" not in dict(node_rows(without))
    assert not alike(copy.node, copy.node.model_copy(update={"devices": {"gpu": 2}}))

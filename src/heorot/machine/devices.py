"""The accelerators of this node, from the PCI devices that have a driver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from heorot.machine.kernel.tree import ROOT, list_names, read_text
from heorot.model.resource import VISIBLE_DEVICES

_PCI = "sys/bus/pci/devices"
# Variables with the devices that a process sees, by driver. Sources: CUDA C++ Programming Guide,
# "Environment Variables"; ROCm documentation, "GPU isolation techniques"; oneAPI Level Zero
# specification, "Environment Variables".
_GRAPHICS = {
    "nvidia": "CUDA_VISIBLE_DEVICES",
    "amdgpu": "ROCR_VISIBLE_DEVICES",
    "i915": "ZE_AFFINITY_MASK",
    "xe": "ZE_AFFINITY_MASK",
}
# Upper parts of PCI class codes (PCI Code and ID Assignment Specification). Display controllers are
# left out, except NVIDIA's, which also compute: others are parts of processors.
_SCREEN, _COMPUTES = "0300", frozenset({"0302", "0380", "1200"})
# Values that batch systems set for a job without devices.
_NONE = frozenset({"", "-1", "NoDevFiles"})


def read_devices(root: Path = ROOT) -> dict[str, int]:
    """The number of each kind: `gpu`, or `accelerator` for drivers of neither."""
    return dict(sorted(Counter(kind for kind, _ in _found(root)).items()))


def read_device_variables(root: Path = ROOT) -> dict[str, str]:
    """By kind, the variable with the devices that a process sees, if common to all of the kind."""
    stated: dict[str, set[str]] = {}
    for kind, driver in _found(root):
        stated.setdefault(kind, set()).add(_GRAPHICS.get(driver, ""))
    return {
        kind: next(iter(each)) for kind, each in sorted(stated.items()) if len(each - {""}) == 1
    }


def allowed_devices(
    devices: Mapping[str, int], variables: Mapping[str, str], environment: Mapping[str, str]
) -> dict[str, int]:
    """The number of devices of each kind visible with an environment.

    Args:
        variables: variable with the visible devices, by kind.
    """
    found = {}
    for kind, n in devices.items():
        several = (variables.get(kind, ""), *VISIBLE_DEVICES)
        stated = next((environment[name] for name in several if name in environment), None)
        listed = n if stated is None else len(set(stated.split(",")) - _NONE)
        found[kind] = min(n, listed)
    return found


def _found(root: Path) -> Iterator[tuple[str, str]]:
    """Kind and driver of each device."""
    folder = root / _PCI
    for name in list_names(folder):
        lines = (read_text(folder / name / "uevent") or "").splitlines()
        facts = dict(line.partition("=")[::2] for line in lines)
        driver = facts.get("DRIVER", "")
        if kind := _kind(driver, facts.get("PCI_CLASS", "")):
            yield kind, driver


def _kind(driver: str, pci_class: str) -> str:
    """The kind of a device by its entry in sysfs; empty for other devices."""
    upper = pci_class.zfill(6)[:4]
    if driver in _GRAPHICS and (upper in _COMPUTES or (upper, driver) == (_SCREEN, "nvidia")):
        return "gpu"
    return "accelerator" if driver and upper == "1200" else ""

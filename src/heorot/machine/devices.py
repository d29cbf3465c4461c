"""The accelerators of this node, from the PCI devices that have a driver."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from heorot.machine.kernel.tree import ROOT, list_names, read_text

_PCI = "sys/bus/pci/devices"
_GRAPHICS = frozenset({"nvidia", "amdgpu", "i915", "xe"})
# Upper parts of PCI class codes (PCI Code and ID Assignment Specification). What drives a screen is
# left out, but for cards of NVIDIA, which compute no less: others are parts of processors.
_SCREEN, _COMPUTES = "0300", frozenset({"0302", "0380", "1200"})


def read_devices(root: Path = ROOT) -> dict[str, int]:
    """How many there are of each kind: `gpu`, or `accelerator` where the driver is of neither.

    Args:
        root: directory that holds `sys`.
    """
    folder = root / _PCI
    told = (_kind(read_text(folder / name / "uevent") or "") for name in list_names(folder))
    return dict(sorted(Counter(filter(None, told)).items()))


def _kind(uevent: str) -> str:
    """What a device is by the lines that the kernel tells of it; empty if it computes nothing."""
    facts = dict(line.partition("=")[::2] for line in uevent.splitlines())
    driver = facts.get("DRIVER", "")
    upper = facts.get("PCI_CLASS", "").zfill(6)[:4]
    if driver in _GRAPHICS and (upper in _COMPUTES or (upper, driver) == (_SCREEN, "nvidia")):
        return "gpu"
    return "accelerator" if driver and upper == "1200" else ""

"""Type of this node: product, hypervisor, container, kernel, distribution."""

from __future__ import annotations

import os
import platform
import re
import struct
from collections.abc import Mapping
from pathlib import Path

from heorot.machine.kernel.tree import ROOT, list_names, parse_fields, read_integer, read_text
from heorot.model.machine.machine import Platform

# Signatures of hypervisors in CPUID leaf 0x40000000 (Linux, arch/x86/kernel/cpu/hypervisor.c and
# the files it names).
_SIGNATURES = {
    "KVMKVMKVM": "KVM",
    "Linux KVM Hv": "KVM",
    "TCGTCGTCGTCG": "QEMU",
    "Microsoft Hv": "Hyper-V",
    "VMwareVMware": "VMware",
    "XenVMMXenVMM": "Xen",
    "bhyve bhyve": "bhyve",
    "ACRNACRNACRN": "ACRN",
    "Jailhouse": "Jailhouse",
}
# Options of the kernel's command line that affect performance. Others are not recorded: they may
# identify a site, such as the addresses of its servers.
_OPTIONS = re.compile(
    r"(mitigations|isolcpus|nohz|nohz_full|rcu_nocbs|nosmt|maxcpus|nr_cpus|idle|intel_idle\S*|"
    r"processor\S*|intel_pstate|amd_pstate|cpufreq\S*|transparent_hugepage|hugepages|hugepagesz|"
    r"default_hugepagesz|numa|numa_balancing|iommu|intel_iommu|amd_iommu|preempt|skew_tick|tsc|"
    r"clocksource|mem|spectre_v2|spec_store_bypass_disable|pti|nopti|l1tf|mds|retbleed|tsx|"
    r"tsx_async_abort|nospectre_v[12]|nmi_watchdog|nowatchdog|init_on_alloc|init_on_free)(=\S*)?"
)
_PRODUCTS = {
    "QEMU": "QEMU",
    "KVM": "KVM",
    "Amazon EC2": "Amazon EC2",
    "Google Compute Engine": "Google Compute Engine",
    "VMware": "VMware",
    "VirtualBox": "VirtualBox",
    "Virtual Machine": "Hyper-V",
    "Xen": "Xen",
}


def read_platform(root: Path = ROOT, environment: Mapping[str, str] | None = None) -> Platform:
    """Product, virtualisation, kernel and distribution of the node.

    Args:
        root: directory that holds `proc`, `sys` and `etc`.
        environment: variables of this process; None takes the real ones.
    """
    release = read_text(root / "etc/os-release") or read_text(root / "usr/lib/os-release")
    clocks = root / "sys/devices/system/clocksource/clocksource0"
    balancing = read_integer(root / "proc/sys/kernel/numa_balancing")
    return Platform(
        product=read_product(root),
        hypervisor=read_hypervisor(root),
        container=read_container(root, os.environ if environment is None else environment),
        kernel=read_text(root / "proc/sys/kernel/osrelease"),
        kernel_version=read_text(root / "proc/sys/kernel/version"),
        distribution=parse_os_release(release or ""),
        clocksource=read_text(clocks / "current_clocksource"),
        numa_balancing=None if balancing is None else balancing > 0,
        mitigations=read_mitigations(root),
        boot_options=parse_boot_options(read_text(root / "proc/cmdline")),
    )


def read_mitigations(root: Path = ROOT) -> dict[str, str] | None:
    """The kernel's mitigation of each vulnerability of the processor; None before Linux 4.15."""
    folder = root / "sys/devices/system/cpu/vulnerabilities"
    answers = {name: read_text(folder / name) for name in list_names(folder)}
    return {name: text for name, text in answers.items() if text} or None


def parse_boot_options(text: str | None) -> tuple[str, ...] | None:
    """Options of the kernel's command line that affect performance."""
    if text is None:
        return None
    return tuple(word for word in text.split() if _OPTIONS.fullmatch(word))


def parse_os_release(text: str) -> str | None:
    """The name of the distribution with its version."""
    pairs = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    fields = {key: value.strip().strip("\"'") for key, value in pairs.items()}
    name = fields.get("PRETTY_NAME")
    return name or " ".join(filter(None, (fields.get("NAME"), fields.get("VERSION")))) or None


def read_product(root: Path = ROOT) -> str | None:
    """Vendor and product name of the computer, from DMI or the device tree."""
    dmi = root / "sys/class/dmi/id"
    words = (read_text(dmi / "sys_vendor"), read_text(dmi / "product_name"))
    return " ".join(filter(None, words)) or read_text(root / "proc/device-tree/model")


def read_hypervisor(root: Path = ROOT) -> str | None:
    """The hypervisor under this system, None on bare metal or if undetectable."""
    fields = parse_fields(read_text(root / "proc/cpuinfo") or "")
    product = read_product(root) or ""
    named = next((name for word, name in _PRODUCTS.items() if word in product), None)
    if "hypervisor" in fields.get("flags", "").split():
        signature = _cpuid_signature() if root == ROOT else None
        return _SIGNATURES.get(signature or "") or named or "unnamed"
    if "platform" in fields and "pSeries" in fields["platform"]:
        return "PowerVM or KVM"
    return read_text(root / "sys/hypervisor/type") or named


def read_container(root: Path, environment: Mapping[str, str]) -> str | None:
    """The type of container around this process, None if there is no sign of one."""
    if "APPTAINER_CONTAINER" in environment:
        return "apptainer"
    if "SINGULARITY_CONTAINER" in environment:
        return "singularity"
    if (root / "run/.containerenv").exists():
        return "podman"
    if (root / ".dockerenv").exists():
        return "docker"
    groups = read_text(root / "proc/self/cgroup") or ""
    match = re.search(r"kubepods|docker|lxc|libpod", groups)
    container = read_text(root / "run/systemd/container") or environment.get("container")
    return container or (match[0] if match else None)


def host_isa() -> str:
    """The machine name of this kernel, such as `x86_64`."""
    return platform.machine()


def _cpuid_signature() -> str | None:
    try:
        from archspec.vendor.cpuid.cpuid import CPUID  # noqa: PLC0415 (x86 virtual machines only)

        answer = CPUID().registers_for(eax=0x40000000, ecx=0)
    except Exception:  # noqa: BLE001 (runs machine code: any failure means "unknown")
        return None
    text = struct.pack("III", answer.ebx, answer.ecx, answer.edx)
    return text.decode("ascii", errors="replace").strip("\0 ")

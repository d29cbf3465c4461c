"""The processors of this node, from /proc/cpuinfo and /sys/devices/system/cpu."""

from __future__ import annotations

import re
from pathlib import Path

from heorot.machine.cpus.topology import Cpus
from heorot.machine.kernel.tree import (
    DECIMAL,
    ROOT,
    numbered,
    parse_fields,
    read_count,
    read_integer,
    read_text,
)
from heorot.machine.microarchitecture import arm_vendor, name_microarchitecture
from heorot.model.machine.machine import Processor

# Linux, Documentation/ABI/testing/sysfs-devices-system-cpu.
_SMT_SWITCH = frozenset({"on", "off", "forceoff", "notsupported", "notimplemented"})


def read_processor(cpus: Cpus, root: Path = ROOT, isa: str = "x86_64") -> Processor:
    """The processors of the node.

    Args:
        root: directory that holds `proc` and `sys`.
    """
    cpuinfo = read_text(root / "proc/cpuinfo") or ""
    fields = parse_fields(cpuinfo)
    name, level = name_microarchitecture(cpuinfo, isa)
    cores = cpus.cores if cpus.cores_known else ()
    per_core = max((len(core.cpus) for core in cores), default=None)
    low, high = read_clock_range(root)
    return Processor(
        isa=isa,
        microarchitecture=name,
        feature_level=level,
        vendor=parse_vendor(fields),
        model=parse_model(fields),
        signature=parse_signature(fields),
        n_sockets=cpus.n_sockets,
        n_cores=len(cores) or None,
        n_threads=len(cpus.online) or None,
        threads_per_core=per_core,
        smt=read_smt(root, per_core),
        smt_control=read_smt_control(root),
        features=parse_features(fields),
        nominal_hz=read_base_clock(root) or parse_nominal_clock(fields),
        min_hz=low,
        max_hz=high,
        governor=read_policies(root, "scaling_governor"),
        frequency_driver=read_policies(root, "scaling_driver"),
        boost=read_boost(root),
    )


def parse_vendor(fields: dict[str, str]) -> str | None:
    """The vendor of the processor."""
    if "CPU implementer" in fields:
        return arm_vendor(fields["CPU implementer"])
    return fields.get("vendor_id") or ("IBM" if "POWER" in fields.get("cpu", "") else None)


def parse_model(fields: dict[str, str]) -> str | None:
    """The model string; ARM processors have none in /proc/cpuinfo."""
    text = fields.get("model name") or fields.get("cpu") or fields.get("uarch")
    return " ".join(text.split()) if text else None


def parse_signature(fields: dict[str, str]) -> str | None:
    """The numbers that identify a processor where its name does not."""
    keys = ("cpu family", "model", "stepping", "microcode")
    arm = ("CPU implementer", "CPU variant", "CPU part", "CPU revision")
    other = ("revision", "mvendorid", "marchid", "mimpid")
    for group in (keys, arm, other):
        present = [f"{key.removeprefix('cpu ')} {fields[key]}" for key in group if key in fields]
        if present and group[0] in fields:
            return ", ".join(present)
    return None


def parse_features(fields: dict[str, str]) -> tuple[str, ...]:
    """Instruction-set features, sorted."""
    text = fields.get("flags") or fields.get("Features") or ""
    if not text and "isa" in fields:
        text = fields["isa"].replace("_", " ")
    if not text and "altivec" in fields.get("cpu", ""):
        text = "altivec"
    return tuple(sorted(set(text.split())))


def parse_nominal_clock(fields: dict[str, str]) -> float | None:
    """The base clock according to /proc/cpuinfo [Hz].

    In this order: the clock in the model string, POWER's clock line, and on x86 with a constant
    time-stamp counter half the bogomips, which is that counter's rate and so the base clock.
    """
    match = re.search(rf"@ ({DECIMAL})\s?GHz", fields.get("model name", ""))
    if match:
        return round(float(match[1]) * 1e9)
    match = re.fullmatch(rf"({DECIMAL})MHz", fields.get("clock", ""))
    if match:
        return round(float(match[1]) * 1e6)
    if "constant_tsc" in fields.get("flags", "").split():
        match = re.fullmatch(DECIMAL, fields.get("bogomips", ""))
        return round(float(match[0]) / 2 * 1e6) if match else None
    return None


def read_base_clock(root: Path = ROOT) -> float | None:
    """The base clock according to the frequency driver [Hz]."""
    khz = read_count(root / "sys/devices/system/cpu/cpu0/cpufreq/base_frequency")
    return khz * 1e3 if khz else None


def read_clock_range(root: Path = ROOT) -> tuple[float | None, float | None]:
    """The lowest and the highest clock of any core [Hz]."""
    lows, highs = [], []
    for _, policy in numbered(root / "sys/devices/system/cpu/cpufreq", "policy"):
        lows.append(read_count(policy / "cpuinfo_min_freq"))
        highs.append(read_count(policy / "cpuinfo_max_freq"))
    low = min((khz for khz in lows if khz), default=None)
    high = max((khz for khz in highs if khz), default=None)
    return (low * 1e3 if low else None, high * 1e3 if high else None)


def read_policies(root: Path, file: str) -> str | None:
    """Values of a file of the frequency policies of all cores, comma-separated."""
    policies = numbered(root / "sys/devices/system/cpu/cpufreq", "policy")
    names = {read_text(policy / file) for _, policy in policies}
    return ", ".join(sorted(name for name in names if name)) or None


def read_boost(root: Path = ROOT) -> bool | None:
    """Whether the clock may exceed the base clock, None if unknown."""
    cpus = root / "sys/devices/system/cpu"
    no_turbo = read_integer(cpus / "intel_pstate/no_turbo")
    if no_turbo is not None:
        return no_turbo == 0
    boost = read_integer(cpus / "cpufreq/boost")
    return None if boost is None else boost == 1


def read_smt(root: Path, threads_per_core: int | None) -> bool | None:
    """Whether several hardware threads of a core are active."""
    active = read_integer(root / "sys/devices/system/cpu/smt/active")
    if active is not None:
        return active == 1
    return None if threads_per_core is None else threads_per_core > 1


def read_smt_control(root: Path = ROOT) -> str | None:
    """The kernel's SMT setting; None for kernels without it."""
    word = read_text(root / "sys/devices/system/cpu/smt/control")
    return word if word in _SMT_SWITCH else None

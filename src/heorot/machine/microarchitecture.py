"""Names the microarchitecture of a processor by archspec's catalogue."""

from __future__ import annotations

import re

from archspec.cpu import TARGETS

from heorot.machine.kernel.tree import parse_fields

# Vendor, family and model of processors that guests often see without all features.
# Source: Linux, arch/x86/include/asm/intel-family.h.
_MODELS: dict[tuple[str | None, ...], str] = {("GenuineIntel", "6", "143"): "sapphirerapids"}
_MAKER = "CPU implementer"
_ARM_DESIGNS = {
    (target.vendor, target.cpu_part): name for name, target in TARGETS.items() if target.cpu_part
}
# Linux's names of the instructions that a version of the architecture requires and earlier versions
# do not. Source: Arm Architecture Reference Manual, A2; Linux, arch/arm64/elf_hwcaps.rst.
_ADDED = {
    "armv8.1a": "atomics asimdrdm crc32",
    "armv8.2a": "dcpop",
    "armv8.3a": "jscvt fcma lrcpc",
    "armv8.4a": "asimddp flagm uscat ilrcpc dit",
    "armv8.5a": "flagm2 frint sb dcpodp",
    "armv8.6a": "i8mm bf16",
    "armv9.0a": "sve2",
    "armv9.2a": "wfxt",
}
# Registers rather than instructions: microcode and hypervisors add them to older processors.
_RETROFITTED = frozenset({"flush_l1d", "tsc_adjust"})


def name_microarchitecture(cpuinfo: str, isa: str) -> tuple[str | None, str | None]:
    """The microarchitecture and the best generic level that a processor supports.

    archspec's own detection reads the running machine only; this applies its catalogue and its
    rules (all features of the target present, the deepest such target wins) to any text.

    Args:
        isa: machine name as uname reports it.

    Returns:
        Names such as `("zen4", "x86_64_v4")`; None if unknown to archspec. A processor with more
            features than the deepest target, but not all of a later one, as in a guest with hidden
            features, is `unknown, at least icelake` unless identified by its model number; so is a
            design of ARM unknown to archspec, `unknown, at least armv8.2a`.
    """
    fields = parse_fields(cpuinfo)
    fits = [name for name in TARGETS if str(TARGETS[name].family) == isa and _fits(name, fields)]
    generic = max((n for n in fits if TARGETS[n].vendor == "generic"), key=_depth, default=None)
    if isa == "aarch64":
        return _name_arm(cpuinfo), generic
    # A processor without one rare feature must not fall below its generic level.
    above = [n for n in fits if generic is None or TARGETS[n] > TARGETS[generic]]
    name = max(above, key=_depth, default=generic)
    if name is not None and _exceeds(name, fields):
        model = tuple(fields.get(key) for key in ("vendor_id", "cpu family", "model"))
        name = _MODELS.get(model, f"unknown, at least {name}")
    return name, generic


def _name_arm(cpuinfo: str) -> str:
    """The name of the only design of a node's ARM cores, by its number.

    A number missing in the catalogue is not matched by features; a node with several designs has no
    single name.
    """
    blocks = [parse_fields(block) for block in cpuinfo.split("\n\n")]
    with_part = [fields for fields in blocks if "CPU part" in fields]
    designs = {(arm_vendor(fields.get(_MAKER, "")), fields["CPU part"]) for fields in with_part}
    if len(designs) == 1 and (design := designs.pop()) in _ARM_DESIGNS:
        return str(_ARM_DESIGNS[design])
    every = [set(fields["Features"].split()) for fields in blocks if "Features" in fields]
    common = set.intersection(*every) if every else set()
    fits = [level for level in _ADDED if _needs(level) <= common]
    return f"unknown, at least {max(fits, key=_depth, default='aarch64')}"


def _needs(level: str) -> set[str]:
    """The features required by a version of ARM's architecture and its predecessors."""
    lineage = (level, *(each.name for each in TARGETS[level].ancestors))
    return {word for one in lineage for word in _ADDED.get(one, "").split()}


def arm_vendor(implementer: str) -> str:
    """The vendor of an ARM implementer code such as `0x41`."""
    from archspec.cpu.schema import TARGETS_JSON  # noqa: PLC0415 (only ARM processors need it)

    return str(TARGETS_JSON["conversions"]["arm_vendors"].get(implementer, implementer))


def _exceeds(name: str, fields: dict[str, str]) -> bool:
    """Whether a processor has features that the target lacks and a later one of its vendor has."""
    target = TARGETS[name]
    if str(target.family).startswith("ppc64"):
        return bool(target.generation < _power_generation(fields))
    known = _features(fields) - _RETROFITTED
    later = (one for one in TARGETS.values() if one > target and one.vendor == target.vendor)
    return target.vendor != "generic" and any(
        known & (one.features - target.features) for one in later
    )


def _features(fields: dict[str, str]) -> set[str]:
    known = set(fields.get("flags", "").split())
    if "pni" in known:
        # Linux calls SSE3 by its old name, Prescott New Instructions.
        known.add("sse3")
    return known


def _fits(name: str, fields: dict[str, str]) -> bool:
    target = TARGETS[name]
    isa = str(target.family)
    if isa.startswith("ppc64"):
        return bool(target.generation <= _power_generation(fields))
    if isa == "riscv64":
        core = fields.get("uarch", "").rpartition(",")[2].replace("-", "")
        return target.vendor == "generic" or name == core
    if isa == "aarch64":
        # By its number only; the kernel does not report the version of the architecture.
        return name == isa
    vendor = fields.get("vendor_id", "generic")
    known = _features(fields)
    return target.vendor in (vendor, "generic") and target.features <= known


def _power_generation(fields: dict[str, str]) -> int:
    match = re.search(r"POWER(\d{1,3})", fields.get("cpu", ""))
    return int(match[1]) if match else 0


def _depth(name: str) -> tuple[int, int]:
    return len(TARGETS[name].ancestors), len(TARGETS[name].features)

"""Names the micro-architecture of a processor with archspec's catalogue."""

from __future__ import annotations

import re

from archspec.cpu import TARGETS

from heorot.machine.kernel.tree import parse_fields

# Maker, family and model of what guests are often given without all of its features.
# Source: Linux, arch/x86/include/asm/intel-family.h.
_MODELS: dict[tuple[str | None, ...], str] = {("GenuineIntel", "6", "143"): "sapphirerapids"}
# Registers rather than instructions: microcode and hypervisors give them to older processors.
_RETROFITTED = frozenset({"flush_l1d", "tsc_adjust"})


def name_microarchitecture(cpuinfo: str, isa: str) -> tuple[str | None, str | None]:
    """The micro-architecture and the best generic level that a processor supports.

    archspec's own detection reads the running machine only; this applies its catalogue and its
    rules (all features of the target present, the deepest such target wins) to any text.

    Args:
        cpuinfo: contents of /proc/cpuinfo.
        isa: machine name as uname reports it.

    Returns:
        Names such as `("zen4", "x86_64_v4")`; None where archspec knows nothing. A processor that
        has more than the deepest target, but not all of a later one, as in a guest that hides
        something, is `unknown, at least icelake` unless its model number tells.
    """
    fields = parse_fields(cpuinfo)
    fits = [name for name in TARGETS if str(TARGETS[name].family) == isa and _fits(name, fields)]
    generic = max((n for n in fits if TARGETS[n].vendor == "generic"), key=_depth, default=None)
    part = fields.get("CPU part", "")
    same_part = [name for name in fits if part and TARGETS[name].cpu_part == part]
    candidates = same_part or fits
    # A processor with a niche feature switched off must not fall behind its generic level.
    above = [n for n in candidates if generic is None or TARGETS[n] > TARGETS[generic]]
    name = max(above, key=_depth, default=generic)
    if name is not None and isa == "x86_64" and _exceeds(name, fields):
        model = tuple(fields.get(key) for key in ("vendor_id", "cpu family", "model"))
        name = _MODELS.get(model, f"unknown, at least {name}")
    return name, generic


def arm_vendor(implementer: str) -> str:
    """The company behind an ARM implementer code such as `0x41`."""
    from archspec.cpu.schema import TARGETS_JSON  # noqa: PLC0415 (only ARM processors need it)

    return str(TARGETS_JSON["conversions"]["arm_vendors"].get(implementer, implementer))


def _exceeds(name: str, fields: dict[str, str]) -> bool:
    """Whether a processor has features that the target lacks and a later one of its maker has."""
    target, known = TARGETS[name], _features(fields, "flags") - _RETROFITTED
    later = (one for one in TARGETS.values() if one > target and one.vendor == target.vendor)
    return target.vendor != "generic" and any(
        known & (one.features - target.features) for one in later
    )


def _features(fields: dict[str, str], key: str) -> set[str]:
    known = set(fields.get(key, "").split())
    if "pni" in known:
        # Linux calls SSE3 by its old name, Prescott New Instructions.
        known.add("sse3")
    return known


def _fits(name: str, fields: dict[str, str]) -> bool:
    target = TARGETS[name]
    isa = str(target.family)
    if isa.startswith("ppc64"):
        match = re.search(r"POWER(\d+)", fields.get("cpu", ""))
        return bool(target.generation <= (int(match[1]) if match else 0))
    if isa == "riscv64":
        core = fields.get("uarch", "").rpartition(",")[2].replace("-", "")
        return target.vendor == "generic" or name == core
    if isa == "aarch64":
        vendor, features = arm_vendor(fields.get("CPU implementer", "generic")), "Features"
        if target.vendor == "generic" and name != isa:
            # The kernel does not tell which version of the architecture a processor follows.
            return False
    else:
        vendor, features = fields.get("vendor_id", "generic"), "flags"
    known = _features(fields, features)
    return target.vendor in (vendor, "generic") and target.features <= known


def _depth(name: str) -> tuple[int, int]:
    return len(TARGETS[name].ancestors), len(TARGETS[name].features)

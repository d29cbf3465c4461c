"""Settings of a node that affect performance, as texts."""

from __future__ import annotations

from heorot.model.machine.machine import Node
from heorot.units import plural

UNKNOWN = "unknown"
_VULNERABLE, _UNAFFECTED = "Vulnerable", "Not affected"


def switch_text(*, on: bool | None) -> str:
    """`on`, `off` or `unknown`."""
    return UNKNOWN if on is None else ("on" if on else "off")


def microarchitecture_text(node: Node) -> str:
    """Such as `zen4 (x86_64_v4)`; the instruction set if unknown to archspec."""
    name, level = node.processor.microarchitecture, node.processor.feature_level
    known = name or node.processor.isa
    return f"{known} ({level})" if level and level != known else known


def governor_text(node: Node) -> str:
    """The frequency governors with their driver."""
    governor, driver = node.processor.governor, node.processor.frequency_driver
    return f"{governor} ({driver})" if governor and driver else governor or UNKNOWN


def smt_text(node: Node) -> str:
    """Whether SMT is on, and why not."""
    p = node.processor
    if p.smt and p.threads_per_core:
        return f"on, {p.threads_per_core} hardware threads per core"
    why = {"notsupported": "not supported", "forceoff": "off until the next boot"}
    return why.get(p.smt_control or "", switch_text(on=p.smt)) if not p.smt else "on"


def modules_text(node: Node) -> str:
    """Such as `16 x DDR5 at 4800 MT/s`; empty if nothing is known."""
    memory = node.memory
    if memory.module_kind is None:
        return ""
    # Modules are sold by this number and in this unit.
    speed = memory.module_transfers
    rate = f"at {speed / 1e6:.0f} MT/s" if speed else "of unknown speed"
    count = f"{memory.n_modules} × " if memory.n_modules else ""
    return f"{count}{memory.module_kind} {rate}"


def huge_pages_text(node: Node) -> str:
    """When programs get huge pages, and when they wait for them."""
    enabled, defrag = node.memory.huge_pages, node.memory.huge_page_defrag
    return f"{enabled}, defrag {defrag}" if enabled and defrag else enabled or UNKNOWN


def boot_text(node: Node) -> str:
    """The options of the kernel's command line that affect performance."""
    words = node.platform.boot_options
    if words is None:
        return UNKNOWN
    return " ".join(words) or "no options that affect performance"


def mitigations_text(node: Node) -> str:
    """The vulnerabilities that the kernel mitigates, those open, and the number of others."""
    answers = node.platform.mitigations
    if answers is None:
        return UNKNOWN
    unaffected = [flaw for flaw, text in answers.items() if text.startswith(_UNAFFECTED)]
    vulnerable = [flaw for flaw, text in answers.items() if text.startswith(_VULNERABLE)]
    active = [flaw for flaw in answers if flaw not in {*unaffected, *vulnerable}]
    pieces = (
        f"active: {', '.join(active)}" if active else "",
        f"vulnerable: {', '.join(vulnerable)}" if vulnerable else "",
        f"not affected: {plural(len(unaffected), 'other')}" if unaffected else "",
    )
    return "; ".join(filter(None, pieces))

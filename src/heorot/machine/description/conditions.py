"""Settings of a node that make measurements slower or less repeatable, with remedies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from heorot.machine.description.settings import (
    UNKNOWN,
    governor_text,
    huge_pages_text,
    smt_text,
    switch_text,
)
from heorot.machine.kernel.activity import NodeActivity
from heorot.model.machine.machine import Node
from heorot.units import format_binary

State = Literal["ok", "note", "unknown"]
# The driver raises the clock by itself, whatever the governor's name.
_RAISING = frozenset({"intel_pstate", "amd-pstate-epp"})
_TRUSTED_CLOCKS = frozenset({"tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter"})
_QUIET_CPUS, _QUIET_LOAD, _STOLEN, _SWAPPED = 0.1, 0.5, 0.001, 0.01
_NO_FREQUENCY = "no frequency driver: firmware or hypervisor sets the clock"


@dataclass(frozen=True)
class Condition:
    """A setting or state that affects measurements; none prevents them.

    Attributes:
        what: its name, such as `governor`.
        found: its value and meaning.
        advice: the remedy of a note; empty otherwise.
    """

    what: str
    state: State
    found: str
    advice: str = ""


def node_conditions(node: Node) -> tuple[Condition, ...]:
    """The settings of a node, also of a remote one."""
    return (
        _governor(node),
        _boost(node),
        _smt(node),
        _huge_pages(node),
        _numa_balancing(node),
        _clock_source(node),
        *_limits(node),
    )


def activity_conditions(activity: NodeActivity, node: Node) -> tuple[Condition, ...]:
    """The present activity of this node, and its readable counters."""
    return (
        _other_load(activity),
        _virtual(activity, node),
        _swap(activity, node),
        _counters(activity),
        _energy(activity),
    )


def load_condition(load: float) -> Condition:
    """Other load of a node from one reading.

    Args:
        load: processes that ran or waited, average over a minute.
    """
    found = f"load average {load:.2f} (1 min)"
    if load < _QUIET_LOAD:
        return Condition("other load", "ok", found)
    return Condition("other load", "note", found, "reserve whole nodes: exclusive jobs")


def _governor(node: Node) -> Condition:
    names = {*(node.processor.governor or "").split(", ")}
    what, found = "governor", governor_text(node)
    advice = "cpupower frequency-set -g performance"
    if node.processor.governor is None:
        return Condition(what, "unknown", _NO_FREQUENCY)
    if names == {"performance"}:
        return Condition(what, "ok", found)
    if "powersave" in names and node.processor.frequency_driver not in _RAISING:
        return Condition(what, "note", f"{found}: the clock stays at its lowest", advice)
    return Condition(what, "note", f"{found}: the clock follows the load, short runs vary", advice)


def _boost(node: Node) -> Condition:
    on = node.processor.boost
    if on is None:
        return Condition("boost", "unknown", _NO_FREQUENCY)
    varies = "the clock varies with temperature and active cores"
    return Condition("boost", "ok", f"on: {varies}" if on else "off")


def _smt(node: Node) -> Condition:
    found = smt_text(node)
    known = node.processor.smt is not None
    return Condition("SMT", "ok" if known else "unknown", found)


def _huge_pages(node: Node) -> Condition:
    what, found = "transparent huge pages", huge_pages_text(node)
    if node.memory.huge_pages is None:
        return Condition(what, "unknown", found)
    if node.memory.huge_pages != "never":
        return Condition(what, "ok", found)
    advice = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"
    return Condition(what, "note", f"{found}: more dTLB misses", advice)


def _numa_balancing(node: Node) -> Condition:
    on, what = node.platform.numa_balancing, "NUMA balancing"
    if on and len(node.numa) > 1:
        found = "on: the kernel moves pages while programs run"
        return Condition(what, "note", found, "sysctl kernel.numa_balancing=0")
    return Condition(what, "unknown" if on is None else "ok", switch_text(on=on))


def _clock_source(node: Node) -> Condition:
    name = node.platform.clocksource
    if name is None or name in _TRUSTED_CLOCKS:
        return Condition("clock source", "ok" if name else "unknown", name or UNKNOWN)
    advice = "the kernel's log has the reason why the TSC is not used"
    return Condition("clock source", "note", f"{name}: reading the time is slow", advice)


def _limits(node: Node) -> Iterator[Condition]:
    """CPUs, time and memory that this process may not use; one `ok` if there is no limit."""
    limits, n_threads = node.limits, node.processor.n_threads
    found = []
    if limits.cpu_quota is not None:
        quota = f"{limits.cpu_quota:.4g} CPUs worth of time: the kernel stops ranks beyond it"
        found.append(Condition("CPU quota", "note", quota, "use a cpuset of whole cores instead"))
    if limits.n_allowed_cpus and n_threads and limits.n_allowed_cpus < n_threads:
        text = f"CPUs {limits.allowed_cpus} of {n_threads}: others use the rest"
        found.append(Condition("CPU set", "note", text, "reserve the whole node"))
    if limits.memory_limit_bytes is not None:
        text = f"{format_binary(limits.memory_limit_bytes)} for this control group"
        found.append(Condition("memory limit", "ok", text))
    yield from found or [Condition("CPU set and quota", "ok", "none")]


def _other_load(activity: NodeActivity) -> Condition:
    if activity.busy_cpus is None:
        return Condition("other load", "unknown", "/proc/stat does not count")
    found = f"{activity.busy_cpus:.2f} hardware threads busy now"
    if activity.busy_cpus < _QUIET_CPUS:
        return Condition("other load", "ok", found)
    return Condition("other load", "note", found, "end it, or measure later: top -b -n 1 | head")


def _virtual(activity: NodeActivity, node: Node) -> Condition:
    what, name, stolen = "virtual machine", node.platform.hypervisor, activity.stolen
    steal = "" if stolen is None else f"steal {100.0 * stolen:.1f} %"
    if name is None and not (stolen and stolen > _STOLEN):
        return Condition(what, "ok", "none is seen")
    found = ", ".join(filter(None, (name or "unnamed", steal)))
    advice = "other guests share processors and memory: repeat runs at other times"
    return Condition(what, "note", found, advice)


def _swap(activity: NodeActivity, node: Node) -> Condition:
    used, total = activity.swapped_bytes, node.memory.total_bytes
    if used is None or total is None:
        return Condition("swap in use", "unknown", UNKNOWN)
    found = format_binary(used) if used else "none"
    if used <= _SWAPPED * total:
        return Condition("swap in use", "ok", found)
    advice = "end what has filled the memory, then swapoff -a; swapon -a"
    return Condition("swap in use", "note", found, advice)


def _counters(activity: NodeActivity) -> Condition:
    what, level = "perf_event_paranoid", activity.perf_event_paranoid
    if level is None:
        return Condition(what, "unknown", "this kernel has no performance counters")
    if level <= 0 or activity.is_root:
        root = ", which does not limit root" if level > 0 else ""
        return Condition(what, "ok", f"{level}{root}")
    found = f"{level}: memory traffic is counted for root only"
    return Condition(what, "note", found, "sysctl kernel.perf_event_paranoid=0")


def _energy(activity: NodeActivity) -> Condition:
    what = "energy (RAPL)"
    if activity.reads_energy is None:
        return Condition(what, "unknown", "no counters on this node")
    if activity.reads_energy:
        return Condition(what, "ok", "readable")
    advice = "chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj"
    return Condition(what, "note", "readable for root only: no energy is reported", advice)

"""Whether two nodes are of one type: equal in all facts that affect performance."""

from __future__ import annotations

import math
from typing import Any

from heorot.model.machine.machine import Node

# Nodes of one type report slightly different memory, and measure clocks at each boot.
_TOLERANCE = 0.01
_CLOCKS = frozenset({"nominal_hz", "min_hz", "max_hz"})


def alike(first: Node, second: Node) -> bool:
    """Whether two nodes are of one type: amounts within 1 %, all else equal.

    Facts without an effect on performance, such as the names of interfaces, and changing ones, such
    as the memory available, are left out.
    """
    return _facts(first) == _facts(second) and close(_amounts(first), _amounts(second))


def close(first: list[float], second: list[float]) -> bool:
    """Whether two lists have the same amounts, within 1 %."""
    return len(first) == len(second) and all(
        math.isclose(one, other, rel_tol=_TOLERANCE)
        for one, other in zip(first, second, strict=True)
    )


def _facts(node: Node) -> tuple[Any, ...]:
    memory = {"total_bytes", "available_bytes", "swap_bytes"}
    return (
        node.processor.model_dump(exclude=set(_CLOCKS)),
        node.cores,
        node.caches,
        [one.model_copy(update={"memory_bytes": None}) for one in node.numa],
        node.memory.model_dump(exclude=memory),
        # The number of a job's CPUs and NUMA nodes matters, not which ones.
        node.limits.model_dump(exclude={"memory_limit_bytes", "allowed_cpus", "allowed_domains"}),
        len(node.usable_numa),
        # Boot options of kernels of one release are compared fact by fact.
        node.platform.model_dump(exclude={"mitigations", "boot_options"}),
        node.devices,
        node.device_variables,
        sorted(str(one.model_dump(exclude={"name"})) for one in node.interfaces if not one.virtual),
        sorted(str(one.model_dump(exclude={"name", "interfaces"})) for one in node.hcas),
    )


def _amounts(node: Node) -> list[float]:
    """Facts compared with a tolerance; unknown values are left out."""
    amounts = (
        *(getattr(node.processor, name) for name in sorted(_CLOCKS)),
        node.memory.total_bytes,
        node.memory.swap_bytes,
        node.limits.memory_limit_bytes,
        *(one.memory_bytes for one in node.numa),
    )
    return [-1.0 if amount is None else float(amount) for amount in amounts]

"""How long memory/numa takes: pairs of domains with CPUs and domains with memory."""

from __future__ import annotations

from heorot.families.memory.numa import NUMA
from heorot.model.machine.machine import NumaNode
from tests.unit.analyse.builders import a_machine


def seconds(with_cpus: int, alone: int) -> float:
    """The estimate of its case on a node with so many domains."""
    near = [NumaNode(number=n, cpus=str(n), memory_bytes=8 << 30) for n in range(with_cpus)]
    far = [NumaNode(number=250 + n, memory_bytes=1 << 30) for n in range(alone)]
    machine = a_machine(4, numa=(*near, *far))
    return NUMA.cases(machine, "quick")[0].seconds


def test_memory_without_cpus_reads_nothing() -> None:
    # Two regions for every pair, and two more for all.
    each = seconds(1, 0) / 4
    assert round(seconds(2, 0) / each) == 2 * 4 + 2
    assert round(seconds(2, 6) / each) == 2 * 16 + 2

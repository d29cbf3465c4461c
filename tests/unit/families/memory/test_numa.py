"""Time of memory/numa: pairs of domains with CPUs and domains with memory."""

from __future__ import annotations

from heorot.families.memory.numa import NUMA
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.machine import Limits, NumaNode
from tests.unit.analyse.builders import a_machine


def seconds(with_cpus: int, alone: int) -> float:
    """The estimate of its case on a node with that many domains."""
    near = [NumaNode(number=n, cpus=str(n), memory_bytes=8 << 30) for n in range(with_cpus)]
    far = [NumaNode(number=250 + n, memory_bytes=1 << 30) for n in range(alone)]
    machine = a_machine(4, numa=(*near, *far))
    return NUMA.cases(machine, "quick")[0].needs.seconds


def test_what_a_cpu_set_bars_is_not_measured() -> None:
    """Neither domains whose memory it does not grant, nor cores that it does not."""
    numa = [NumaNode(number=n, cpus=str(n), memory_bytes=8 << 30) for n in range(4)]

    def case(cpus: str, domains: str | None) -> Case:
        limits = Limits(allowed_cpus=cpus, allowed_domains=domains, n_usable_cores=1)
        return NUMA.cases(a_machine(4, numa=tuple(numa), limits=limits), "quick")[0]

    each = seconds(1, 0) / 4
    assert round(case("0-3", None).needs.seconds / each) == 2 * 16 + 2
    assert round(case("0-3", "1").needs.seconds / each) == 2 * 4 + 2
    assert round(case("2-3", "1-2").needs.seconds / each) == 2 * 4 + 2
    assert [case("2", text).priority for text in ("1", "1-2")] == ["detail", "main"]


def test_memory_without_cpus_reads_nothing() -> None:
    # Two regions for every pair, and two more for all.
    each = seconds(1, 0) / 4
    assert round(seconds(2, 0) / each) == 2 * 4 + 2
    assert round(seconds(2, 6) / each) == 2 * 16 + 2

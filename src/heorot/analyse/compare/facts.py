"""Differences between the machines of several systems, and the rates that each may affect.

A difference is offered as a possible cause only: no fact was varied by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from heorot.analyse.compare.builds import Build
from heorot.model.analysis.studies.systems import UNKNOWN, Fact, Touched

Known = Mapping[str, str]
"""Facts of one system, by subject."""

_ON_RECORD = "on record"
_TOUCHES: dict[Touched, frozenset[str]] = {
    "computing": frozenset(
        {
            *("processor", "microcode", "cores", "clock range", "governor", "boost", "limits"),
            *("mitigations", "boot options", "hypervisor", "container", "kernel", "sources"),
            *("compiler", "flags", "BLAS", "devices", "frequency driver", "SMT"),
        }
    ),
    "memory": frozenset(
        {
            *("processor", "caches", "NUMA nodes", "memory", "swap", "huge pages", "limits"),
            *("huge page defrag", "memory modules", "SMT"),
            *("NUMA balancing", "boot options", "hypervisor", "kernel", "sources", "compiler"),
            "flags",
        }
    ),
    "messages": frozenset(
        {
            *(
                "number of nodes",
                "network adapter",
                "network link",
                "largest packet",
                "driver",
                "firmware",
            ),
            *("PCIe link", "MPI", "kernel", "mitigations", "hypervisor", "container", "sources"),
        }
    ),
}


def differing_facts(known: Sequence[Known | None]) -> tuple[Fact, ...]:
    """The facts in which runs differ or that only some runs record.

    Args:
        known: facts of every system; None for a system without any record.
    """
    names = dict.fromkeys(name for facts in known if facts is not None for name in facts)
    recorded = [facts for facts in known if facts is not None]
    found = [
        Fact(
            what=name,
            values=tuple((facts or {}).get(name) or UNKNOWN for facts in known),
            touches=touched_by(name),
        )
        for name in names
        if len({facts.get(name) or UNKNOWN for facts in recorded}) > 1
    ]
    return tuple(_joined(found))


def _joined(facts: Sequence[Fact]) -> Iterator[Fact]:
    """The facts; parts equal wherever known, and unknown for some systems, become one entry."""
    seen: set[tuple[str, tuple[bool, ...]]] = set()
    for fact in facts:
        whole, _, part = fact.what.partition(":")
        if not part or fact.differs:
            yield fact
            continue
        unknown = tuple(value == UNKNOWN for value in fact.values)
        if (whole, unknown) not in seen:
            seen.add((whole, unknown))
            words = tuple(UNKNOWN if each else _ON_RECORD for each in unknown)
            yield Fact(what=whole, values=words, touches=fact.touches)


def touched_by(name: str) -> tuple[Touched, ...]:
    """The rates that a fact can affect.

    Args:
        name: of a fact, or of a part of it behind a colon.
    """
    whole = name.partition(":")[0]
    return tuple(what for what, facts in _TOUCHES.items() if whole in facts)


def build_facts(builds: Iterable[Build]) -> dict[str, str]:
    """The builds of a run's programs; several builds are all listed."""
    facts: dict[str, dict[str, None]] = {}
    for build in builds:
        parts = {
            "sources": build.sources[:12],
            "compiler": build.compiler,
            "flags": build.flags,
            "MPI": build.mpi,
            "BLAS": build.blas,
        }
        for name, text in parts.items():
            facts.setdefault(name, {})[text or UNKNOWN] = None
    return {name: " | ".join(sorted(texts)) for name, texts in facts.items()}

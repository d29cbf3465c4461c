"""Memory: bandwidth and latency of a node's levels."""

from __future__ import annotations

from heorot.families.memory.atomics import ATOMICS
from heorot.families.memory.gups import GUPS
from heorot.families.memory.hierarchy import HIERARCHY
from heorot.families.memory.latency import LATENCY
from heorot.families.memory.numa import NUMA
from heorot.families.memory.stream import STREAM
from heorot.model.catalogue.family import Family, FamilyAnalysis


def _analysis() -> FamilyAnalysis:
    from heorot.families.memory import levels, operations, sentences
    from heorot.families.memory.derived import cache_ends, disagreements, domains, translations

    return FamilyAnalysis(
        explain=(operations.explain, levels.explain, translations.explain, domains.explain),
        cross_check=(disagreements.cross_check, cache_ends.cross_check),
        find=(operations.find, domains.find, cache_ends.find, translations.find),
        sentences=(sentences.sentences,),
    )


FAMILY = Family(
    name="memory",
    title="Memory",
    about="bandwidth and latency of caches, memory and NUMA domains",
    analysis=_analysis,
    benchmarks=(STREAM, HIERARCHY, LATENCY, GUPS, ATOMICS, NUMA),
    tiles=((STREAM.name, "bandwidth", "triad"), (LATENCY.name, "latency_memory", "chase")),
)

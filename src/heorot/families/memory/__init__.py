"""Memory: what it feeds to the cores of a node."""

from __future__ import annotations

from heorot.families.memory import levels, operations
from heorot.families.memory.atomics import ATOMICS
from heorot.families.memory.derived import cache_ends, disagreements, domains, translations
from heorot.families.memory.gups import GUPS
from heorot.families.memory.hierarchy import HIERARCHY
from heorot.families.memory.latency import LATENCY
from heorot.families.memory.numa import NUMA
from heorot.families.memory.sentences import sentences
from heorot.families.memory.stream import STREAM
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import CrossCheck, Finding, Result
from heorot.model.catalogue.family import Family


def _explain(context: Context) -> list[Result]:
    return [
        *operations.explain(context),
        *levels.explain(context),
        *translations.explain(context),
        *domains.explain(context),
    ]


def _cross_check(context: Context) -> list[CrossCheck]:
    return [*disagreements.cross_check(context), *cache_ends.cross_check(context)]


def _find(context: Context) -> list[Finding]:
    return [
        *operations.find(context),
        *domains.find(context),
        *cache_ends.find(context),
        *translations.find(context),
    ]


FAMILY = Family(
    name="memory",
    title="Memory",
    about="what the memory of a node feeds to its cores",
    benchmarks=(STREAM, HIERARCHY, LATENCY, GUPS, ATOMICS, NUMA),
    explain=_explain,
    cross_check=_cross_check,
    find=_find,
    sentences=sentences,
)

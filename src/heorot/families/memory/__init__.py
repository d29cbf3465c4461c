"""Memory: what it feeds to the cores of a node."""

from __future__ import annotations

from heorot.families.memory.atomics import ATOMICS
from heorot.families.memory.checks import cross_check
from heorot.families.memory.gups import GUPS
from heorot.families.memory.hierarchy import HIERARCHY
from heorot.families.memory.latency import LATENCY
from heorot.families.memory.levels import explain
from heorot.families.memory.numa import NUMA
from heorot.families.memory.operations import find
from heorot.families.memory.sentences import sentences
from heorot.families.memory.stream import STREAM
from heorot.model.catalogue.family import Family

FAMILY = Family(
    name="memory",
    title="Memory",
    about="what the memory of a node feeds to its cores",
    benchmarks=(STREAM, HIERARCHY, LATENCY, GUPS, ATOMICS, NUMA),
    explain=explain,
    cross_check=cross_check,
    find=find,
    sentences=sentences,
)

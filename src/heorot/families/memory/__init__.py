"""Memory: what it feeds to the cores of a node."""

from __future__ import annotations

from heorot.families.memory.checks import cross_check
from heorot.families.memory.sentences import sentences
from heorot.families.memory.stream import STREAM
from heorot.model.catalogue.family import Family

FAMILY = Family(
    name="memory",
    title="Memory",
    about="what the memory of a node feeds to its cores",
    benchmarks=(STREAM,),
    cross_check=cross_check,
    sentences=sentences,
)

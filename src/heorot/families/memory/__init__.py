"""Memory: what it feeds to the cores of a node."""

from __future__ import annotations

from heorot.families.memory.checks import cross_check
from heorot.families.memory.sentences import sentences
from heorot.families.memory.stream import STREAM
from heorot.model.catalogue.family import Family
from heorot.model.catalogue.figure import Figure

FAMILY = Family(
    name="memory",
    title="Memory",
    about="what the memory of a node feeds to its cores",
    benchmarks=(STREAM,),
    cross_check=cross_check,
    sentences=sentences,
    overview=Figure(
        title="What cores read from the levels of the memory",
        kind="curve",
        metric="bandwidth",
        regions=("caches",),
        x="working_set_bytes",
        x_label="working set of each rank [B]",
        series=("layout",),
        log_x=True,
        log_y=True,
    ),
)

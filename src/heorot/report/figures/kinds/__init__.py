"""The kinds of figures."""

from __future__ import annotations

from heorot.report.figures.kind import Kind
from heorot.report.figures.kinds.answers import ANSWERS, SCALED, SCALING
from heorot.report.figures.kinds.bars import BARS
from heorot.report.figures.kinds.curve import CURVE, INSIDE, MULTIPLES, OVER_NODES
from heorot.report.figures.kinds.maps.matrix import MATRIX
from heorot.report.figures.kinds.maps.node_map import NODE_MAP
from heorot.report.figures.kinds.maps.toolchain_map import TOOLCHAIN_MAP
from heorot.report.figures.kinds.maps.winners import WINNERS
from heorot.report.figures.kinds.node_bands import NODE_BANDS
from heorot.report.figures.kinds.phases import PHASES
from heorot.report.figures.kinds.roofline import ROOFLINE
from heorot.report.figures.kinds.shares import SHARES

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        CURVE,
        BARS,
        SHARES,
        PHASES,
        MULTIPLES,
        NODE_MAP,
        NODE_BANDS,
        INSIDE,
        OVER_NODES,
        WINNERS,
        MATRIX,
        ROOFLINE,
        TOOLCHAIN_MAP,
        SCALING,
        SCALED,
        ANSWERS,
    )
}

"""An evaluation of a node whose roofs are known by hand."""

from __future__ import annotations

from dataclasses import replace

from heorot.analyse.explain.copies import METRIC, explain
from heorot.analyse.node_roofline.analysis import analyse_node
from heorot.analyse.node_roofline.sentences import make_sentences
from heorot.model.analysis.node_roofline.node_roofline import NodeRoofline
from heorot.model.analysis.result import Analysis, Result
from heorot.model.evaluation import Evaluation
from heorot.model.run.series import Series
from tests.unit.analyse.node_roofline.synthetic_node import KIB, MIB, a_room, copies_of, grinding
from tests.unit.report.samples import make_evaluation

ALONE = (
    grinding(2.6e-4, 128 * MIB),
    grinding(1e-4, 16 * KIB, region="sift"),
    grinding(2e-5, 128 * MIB, region="press", moved=1e4),
)
COPIES = tuple(copies_of(series, slower=1.6) for series in ALONE)
SWEEP = tuple(
    grinding(1e-4 if size < MIB else 1e-3, size, region="sweep")
    for size in (4 * KIB << k for k in range(16))
)


def analysis_of(*series: Series) -> tuple[NodeRoofline, list[Result]]:
    """The analysis of a node with these series, and all rows."""
    context = a_room(*series)
    context = context.adding(explain(context))
    depth, rows = analyse_node(context, METRIC, "test")
    context = context.adding(rows)
    return depth, list(context.rows)


def evaluate(*series: Series) -> Evaluation:
    """A run of these series."""
    context = a_room(*series)
    context = context.adding(explain(context))
    depth, rows = analyse_node(context, METRIC, "test")
    context = context.adding(rows)
    sample = make_evaluation(1)
    analysis = Analysis(
        results=tuple(context.rows),
        scores=(),
        verdict=(),
        sentences=tuple(make_sentences(context, depth)),
        findings=(),
        cross_checks=(),
        depth=depth,
    )
    return replace(sample, analysis=analysis)

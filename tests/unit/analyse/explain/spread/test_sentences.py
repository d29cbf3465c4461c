"""Sentences on threads against ranks on full nodes, on rates chosen by hand."""

from __future__ import annotations

from heorot.analyse.explain.spread.sentences import sentences
from heorot.model.analysis.context import Context
from tests.unit.analyse.explain.problems import a_run_of
from tests.unit.analyse.explain.spread.placing import of_dust, placed


def said(context: Context) -> list[str]:
    return [each.text for each in sentences(context)]


def test_threads_on_full_nodes_are_reported_against_ranks() -> None:
    rows = [
        *(placed(2e9, 2, 8), placed(1.6e9, 2, 2, 4)),
        *(of_dust(2e9, 2, 8), of_dust(2.5e9, 2, 2, 4)),
    ]
    (reported,) = said(a_run_of(*rows))
    assert reported == (
        "On 2 nodes, one rank of 4 threads on each takes, against 4 ranks: Solver class W "
        "1.25 [1.23…1.28 in 3 launches] times as long, Dust with 512 particles 0.800 "
        "[0.784…0.816 in 3 launches]; Dust is faster with threads."
    )


def test_a_run_on_one_node_has_no_such_sentence() -> None:
    context = a_run_of(placed(1e9, 1, 4), placed(1e9, 1, 2), placed(2e9, 1, 1, 4))
    assert said(context) == []

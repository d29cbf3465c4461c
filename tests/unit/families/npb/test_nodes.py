"""The NAS Parallel Benchmarks over nodes: which classes, and how many ranks on each node."""

from __future__ import annotations

from heorot.families.npb import FAMILY
from heorot.families.npb.programs import CG
from tests.unit.analyse.builders import a_machine


def test_quick_runs_the_class_of_one_node() -> None:
    for benchmark in FAMILY.benchmarks:
        assert benchmark.over_nodes
        inside = {case.options["class"] for case in benchmark.cases(a_machine(4), "quick")}
        several = benchmark.over_nodes(a_machine(4), "quick", 2)
        assert {case.options["class"] for case in several} == inside


def test_nodes_are_full_share_a_full_one_or_have_one_rank_unless_others_are_asked_for() -> None:
    assert CG.over_nodes
    for per_node, layouts in (
        ((), [(4, 1), (2, 1), (1, 1), (1, 4)]),
        ((1, 2, 4), [(1, 1), (2, 1), (4, 1), (1, 4)]),
        ((2,), [(2, 1)]),
    ):
        found = CG.over_nodes(a_machine(4), "quick", 2, per_node)
        assert [(case.per_node, case.threads) for case in found] == layouts
        assert len({case.name for case in found}) == len(found)

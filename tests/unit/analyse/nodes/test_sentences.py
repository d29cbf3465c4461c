"""Sentences about nodes agree with their findings."""

from __future__ import annotations

from heorot.units import format_quantity
from tests.unit.analyse.nodes.cluster import Cluster, names
from tests.unit.model.keys import but


def test_the_slowest_is_reported_by_the_quantity_of_its_finding_not_by_the_median_of_its_case() -> (
    None
):
    """One of the four quantities of a case is slow: their median is as good as elsewhere."""
    slow, sound = Cluster([names(8)], speed={("n2", 0): 0.6}), Cluster([names(8)], seed=2)
    others = [
        but(one, step=f"{one.step}-{n}", point={**one.point, "n": n})
        for n in (8, 9, 10)
        for one in sound.series()
        if one.benchmark.endswith("program0")
    ]
    analysis = slow.analysed([*slow.series(), *others])
    assert analysis.nodes is not None
    (line,) = [one for one in analysis.nodes.lines if one.name == "n2"]
    assert (line.speeds[0] or 0.0) > 0.95
    ((worst,),) = [one.metrics for one in analysis.nodes.slow]
    share = format_quantity(worst.speed, "%", 3)
    (finding,) = [one for one in analysis.findings if "slow" in one.text]
    (sentence,) = [one for one in analysis.verdict if one.family == "nodes"]
    assert f"it reaches {share} of the median" in finding.text
    assert sentence.text.startswith(
        f"The slowest of 8 nodes, n2, reaches {share} of the median of its kind in "
        "family0/program0 body"
    )
    assert "and is slow in 1 of 9 quantities" in sentence.text
    assert sentence.evidence == finding.evidence == (worst.row,)


def test_the_other_nodes_are_all_but_the_one_that_is_told_of() -> None:
    """One that is slow in a single quantity need not be the slowest at its median."""
    slow = Cluster([names(8)], speed={("n2", 0): 0.3, "n5": 0.98}, spread=0.0, noise=0.001)
    (sentence,) = [one for one in slow.analysed().verdict if one.family == "nodes"]
    assert "n2, reaches" in sentence.text
    assert sentence.text.endswith("over all of them the other nodes lie within 2.0 %.")

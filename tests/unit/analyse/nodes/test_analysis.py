"""Nodes and pairs of whole runs: named ones, sentences, and unchanged results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from heorot.analyse.analysis import analyse
from heorot.model.analysis.studies.nodes import NodeStudy
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_machine, a_series
from tests.unit.analyse.evaluations import a_collection
from tests.unit.analyse.nodes.cluster import LOUD, Cluster, every_pair, names, ring
from tests.unit.analyse.synthesis import SOME_FAMILIES, Synthesis
from tests.unit.model.keys import but


def study_of(cluster: Cluster) -> NodeStudy:
    found = cluster.analysed().nodes
    assert found is not None
    return found


def named(cluster: Cluster) -> tuple[list[str], list[str]]:
    """Names of slow nodes and of slow pairs."""
    compared = study_of(cluster)
    return [one.name for one in compared.slow], [one.name for one in compared.slow_pairs]


def test_a_slow_node_has_one_finding_with_all_there_is_to_say() -> None:
    analysis = Cluster([names(16)], speed={"n3": 0.5}).analysed()
    (finding,) = [one for one in analysis.findings if "slow" in one.text]
    assert finding.text.startswith("node n3 is slow: in 6 of 6 quantities it reaches less")
    assert "than 95 % of the median of the 16 nodes of its kind" in finding.text
    assert "(z = " in finding.text
    assert finding.severity == "warning"
    assert finding.affected[0] == "n3"
    assert "clock, temperature, memory" in finding.remedy
    assert len(finding.rows) == 6
    assert set(finding.evidence) <= {row.id for row in analysis.results}


def test_whose_programs_wait_for_a_slow_node_is_said() -> None:
    cluster = Cluster([names(6)], speed={"n2": 0.5}, pairs=ring(names(6)))
    (finding,) = [one for one in cluster.analysed().findings if "slow" in one.text]
    assert finding.affected == ("n2", "links/link")
    assert "1 program over several nodes ran on it" in finding.text


def test_a_quiet_set_names_none_and_tells_what_all_reach() -> None:
    analysis = Cluster([names(24)]).analysed()
    assert not [one for one in analysis.findings if "slow" in one.text]
    (sentence,) = [one for one in analysis.verdict if one.family == "nodes"]
    assert sentence.text.startswith("None of 24 nodes is slower than equal hardware beyond chance;")
    assert "slowest" not in sentence.text
    assert "95 % of the nodes lie within" in sentence.text
    assert set(sentence.evidence) <= {row.id for row in analysis.results}
    assert sentence.evidence


def test_the_verdict_tells_the_slowest_node_and_the_spread() -> None:
    analysis = Cluster([names(24)], speed={"n17": 0.8, "n5": 0.9}).analysed()
    texts = [one.text for one in (*analysis.verdict, *analysis.sentences) if one.family == "nodes"]
    assert texts[0].startswith("The slowest of 24 nodes, n17, reaches 7")
    assert texts[1].startswith("Of 24 nodes 2 are slower than equal hardware: n17 (79")
    assert "95 % of the nodes lie within" in texts[0]


def test_of_two_nodes_that_are_as_slow_none_is_the_slowest() -> None:
    analysis = Cluster([names(24)], speed={"n17": 0.8, "n5": 0.8}).analysed()
    texts = [one.text for one in (*analysis.verdict, *analysis.sentences) if one.family == "nodes"]
    assert texts[0].startswith("One of the slowest of 24 nodes, n")


def test_each_kind_of_nodes_is_a_world_of_its_own() -> None:
    cluster = Cluster([names(8), names(8, first=9)], speed={"n12": 0.8})
    compared = study_of(cluster)
    assert [kind.name for kind in compared.kinds] == ["Processor 0", "Processor 1"]
    assert [one.name for one in compared.slow] == ["n12"]
    typical = [line.typical for line in compared.lines if line.name != "n12"]
    assert typical == pytest.approx([1.0] * 15, rel=0.02)
    assert compared.slow[0].n_equals == 8


def test_two_nodes_differ_and_neither_is_named() -> None:
    analysis = Cluster([names(2)], speed={"n2": 0.8}).analysed()
    assert analysis.nodes is not None
    assert analysis.nodes.slow == ()
    (finding,) = [one for one in analysis.findings if "slower" in one.text]
    assert finding.text.startswith("n2 is slower than n1 in 6 of 6 quantities, by 2")
    assert finding.text.endswith("two nodes do not show which one is wrong")
    (sentence,) = [one for one in analysis.verdict if one.family == "nodes"]
    assert sentence.text.startswith("n2 is slower than n1")


def test_two_equal_nodes_are_said_to_be() -> None:
    analysis = Cluster([names(2)]).analysed()
    (sentence,) = [one for one in analysis.verdict if one.family == "nodes"]
    assert sentence.text == (
        "In none of 6 quantities do the two nodes differ by 5 % or more beyond what their launches "
        "do (false alarms over all of them: at most one run in 20)."
    )


def test_perturbed_rows_are_no_evidence_unless_there_are_no_others() -> None:
    loud = Cluster([names(8)], speed={"n3": 0.5}, loud=frozenset({"n3"}))
    (finding,) = [one for one in loud.analysed().findings if "node n3 is slow" in one.text]
    assert "the hardware may be sound" in finding.remedy
    partly = Cluster([names(8)], speed={("n3", 1): 0.5, ("n3", 2): 0.5})
    series = [
        replace(one, disturbance=LOUD) if one.point["node"] == "n3" and is_one(one, 1, 2) else one
        for one in partly.series()
    ]
    compared = partly.analysed(series).nodes
    assert compared is not None
    assert compared.slow == ()
    (line,) = [one for one in compared.lines if one.name == "n3"]
    assert line.disturbed == (False, True, True, False, False, False)
    assert (line.speeds[1] or 0.0) == pytest.approx(0.5, rel=0.05)  # shown all the same


def is_one(series: Series, *numbers: int) -> bool:
    """Whether the samples are of the programs with these numbers."""
    return series.benchmark.endswith(tuple(f"program{number}" for number in numbers))


@pytest.mark.parametrize("pairs", [every_pair, ring])
def test_a_node_whose_pairs_are_all_slow_is_named_and_they_are_not(
    pairs: Callable[[Sequence[str]], list[tuple[str, str]]],
) -> None:
    cluster = Cluster([names(8)], speed={("n3", -1): 0.1}, pairs=pairs(names(8)))
    assert named(cluster) == (["n3"], [])
    (finding,) = [one for one in cluster.analysed().findings if "slow" in one.text]
    assert "its pairs reach" in finding.text
    assert "cable" in finding.remedy


def test_a_slow_pair_of_sound_nodes_is_named_as_a_pair() -> None:
    cluster = Cluster([names(8)], speed={"n3/n5": 0.1}, pairs=every_pair(names(8)))
    assert named(cluster) == ([], ["n3/n5"])
    analysis = cluster.analysed()
    texts = [one.text for one in (*analysis.verdict, *analysis.sentences)]
    assert any(
        text.startswith("Of 28 pairs of nodes n3/n5 is slow though neither node is: links/link")
        for text in texts
    )


def test_who_has_a_single_pair_besides_that_with_a_slow_node_is_not_named_for_it() -> None:
    """Either of n3 and n4 may be slow, or their link: n4 has one more sound pair."""
    speed: dict[str | tuple[str, int], float] = {("n2", -1): 0.1, "n3/n4": 0.8}
    cluster = Cluster([names(8)], speed=speed, pairs=ring(names(8)))
    assert named(cluster) == (["n2"], ["n3/n4"])


def test_pairs_without_a_node_in_common_can_only_be_named_as_pairs() -> None:
    hosts = names(12)
    pairs = list(zip(hosts[::2], hosts[1::2], strict=True))
    assert named(Cluster([hosts], speed={("n3", -1): 0.1}, pairs=pairs)) == ([], ["n3/n4"])


def test_a_node_slow_by_itself_and_in_its_pairs_is_named_once() -> None:
    cluster = Cluster([names(8)], speed={"n3": 0.5}, pairs=every_pair(names(8)))
    (slow,) = study_of(cluster).slow
    assert slow.name == "n3"
    assert len(slow.metrics) == 7


def test_very_many_slow_nodes_have_findings_for_the_worst_only() -> None:
    hosts = names(100)
    analysis = Cluster([hosts], speed=dict.fromkeys(hosts[:25], 0.7), n_programs=3).analysed()
    reported = [one for one in analysis.findings if "slow" in one.text]
    assert len(reported) == 21
    assert reported[-1].text == "5 more nodes or pairs are slower than those with equal hardware"
    assert len(reported[-1].affected) == 5


def test_other_names_give_the_same_findings_with_these() -> None:
    one = Cluster([names(8)], speed={"n3": 0.6, ("n5", 1): 0.3})
    other = Cluster([names(8, first=11)], speed={"n13": 0.6, ("n15", 1): 0.3})
    assert {f"n{10 + int(name[1:])}" for name in named(one)[0]} == set(named(other)[0])


def test_a_single_node_is_held_against_nothing() -> None:
    analysis = Cluster([names(1)]).analysed()
    assert analysis.nodes is None
    assert len(analysis.results) == 10  # of six programs, four of which have two metrics


def test_ordinary_rows_stay_what_they_are() -> None:
    more = [
        a_series(
            step=f"S{launch}",
            benchmark="family0/program0",
            case="all_cores",
            region="body",
            point={"n": 7},
            launch=launch,
            counts={"flops": 1e9},
            seconds=np.full(8, 0.5),
            repetitions=1,
        )
        for launch in (1, 2, 3)
    ]
    cluster = Cluster([names(6)], speed={"n2": 0.5})
    among = cluster.analysed([*cluster.series(), *more])
    ordinary = [row for row in among.results if "node" not in row.point]
    assert ordinary == list(cluster.analysed(more).results)
    assert list(among.results[: len(ordinary)]) == ordinary  # rows of nodes come last
    assert len({row.id for row in among.results}) == len(among.results)
    assert among.breakdowns == ()


@pytest.mark.parametrize("programs", [(), ("memory/stream",), ("compute/peak",)])
def test_programs_may_have_rows_of_nodes_and_no_others(programs: tuple[str, ...]) -> None:
    run = Synthesis(n_samples=5)
    series = [
        but(one, point={**one.point, "node": node})
        for node in names(3)
        for one in run.series
        if not programs or one.benchmark in programs
    ] + [one for one in run.series if programs and one.benchmark not in programs]
    analysis = analyse(
        a_collection(series, run.outcomes),
        run.steps,
        SOME_FAMILIES,
        a_machine(),
        run="r",
        seed=1,
    )
    assert analysis.nodes is not None
    assert len(analysis.nodes.lines) == 3
    assert analysis.nodes.slow == ()
    assert analysis.verdict
    assert not {one.result.benchmark for one in analysis.scores} & set(programs)


def test_results_that_failed_their_checks_say_nothing_of_their_node() -> None:
    slow = Cluster([names(6)], speed={"n2": 0.5})
    series = [
        replace(one, verified="failed") if one.point["node"] == "n2" else one
        for one in slow.series()
    ]
    compared = slow.analysed(series).nodes
    assert compared is not None
    assert compared.slow == ()
    (line,) = [one for one in compared.lines if one.name == "n2"]
    assert line.typical is None

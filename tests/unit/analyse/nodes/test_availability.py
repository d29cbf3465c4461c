"""A node with a background load is reported, though its perturbed samples do not count."""

from __future__ import annotations

import pytest

from heorot.model.analysis.studies.nodes import AVAILABILITY
from tests.unit.analyse.nodes.cluster import Cluster, names


def test_a_node_whose_programs_wait_for_cores_is_named_for_that() -> None:
    analysis = Cluster([names(4)], waiting={"n2": (0.5, 0.45, 0.52)}).analysed()
    (finding,) = [one for one in analysis.findings if "is slow" in one.text]
    assert finding.text.startswith("node n2 is slow: in 6 of 12 quantities it reaches less")
    assert "core availability" in finding.text
    assert "find its processes" in finding.remedy
    assert set(finding.evidence) <= {row.id for row in analysis.results}
    (sentence,) = [one for one in analysis.verdict if one.family == "nodes"]
    assert "n2, reaches 50" in sentence.text
    assert "core availability while something else runs on it" in sentence.text


def test_the_row_tells_the_share_of_the_time_with_a_core() -> None:
    analysis = Cluster([names(4)], waiting={"n2": (0.5, 0.4, 0.6)}, n_programs=3).analysed()
    rows = {
        row.point["node"]: row
        for row in analysis.results
        if row.metric == AVAILABILITY and row.benchmark == "family0/program0"
    }
    assert rows["n2"].median == pytest.approx(0.5)
    assert [rows["n2"].min, rows["n2"].max] == pytest.approx([0.4, 0.6])
    assert rows["n1"].median == pytest.approx(0.999)
    assert not rows["n2"].disturbed
    assert rows["n2"].n_launches == 3


@pytest.mark.parametrize(
    "waiting",
    [
        {"n2": (0.0, 0.5, 0.01)},  # once, in one launch of three
        {"n2": (0.04, 0.03, 0.04)},  # less than what counts
        dict.fromkeys(names(4), (0.5, 0.52, 0.48)),  # all: more ranks than cores
    ],
)
def test_waiting_now_and_then_or_everywhere_names_nobody(
    waiting: dict[str, tuple[float, ...]],
) -> None:
    analysis = Cluster([names(4)], waiting=waiting).analysed()
    assert not [one for one in analysis.findings if "is slow" in one.text]


def test_where_every_node_has_its_cores_there_are_no_such_rows() -> None:
    analysis = Cluster([names(4)], waiting={"n2": (0.02, 0.03, 0.01)}).analysed()
    assert not [row for row in analysis.results if row.metric == AVAILABILITY]

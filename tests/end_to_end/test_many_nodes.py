"""A thousand nodes, each with sixty programs: analysed and told in seconds and megabytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.report.page import write_report
from tests.unit.analyse.nodes.cluster import Cluster, names
from tests.unit.report.many_nodes import evaluate
from tests.yardstick import processor_time

pytestmark = pytest.mark.slow

_SLOW = "n417"


def test_a_thousand_nodes_make_a_page_that_can_be_mailed_and_read(tmp_path: Path) -> None:
    hosts = names(1000)
    cluster = Cluster(
        [hosts[:800], hosts[800:]],
        n_programs=60,
        n_families=9,
        disturbed=0.02,
        speed={_SLOW: 0.5},
    )
    with processor_time(40.0):  # half of it draws the samples
        evaluation = evaluate(cluster)
    assert len(evaluation.analysis.results) == 100_000
    study = evaluation.analysis.nodes
    assert study is not None
    assert [one.name for one in study.slow] == [_SLOW]
    path = tmp_path / "report.html"
    with processor_time(20.0):
        write_report(evaluation, path, machine_rows=())
    assert path.stat().st_size <= 10_000_000
    text = path.read_text()
    assert '<section id="nodes"' in text
    assert f"The slowest of 1000 nodes, {_SLOW}, reaches" in text

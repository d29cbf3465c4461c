"""Very large runs: their analysis and page take seconds and megabytes, small enough to mail."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.analyse.verdict import MOST_SENTENCES
from heorot.report.page import write_report
from tests.end_to_end.running import heorot
from tests.end_to_end.synthetic_run import write_run
from tests.unit.analyse.nodes.cluster import Cluster, evaluate, names
from tests.unit.analyse.synthesis import Synthesis
from tests.unit.report.many_programs import N_PROGRAMS, TITLES, make_cluster_evaluation
from tests.yardstick import processor_time

pytestmark = [pytest.mark.timed, pytest.mark.slow, pytest.mark.timeout(600)]

_ACCESS = ("contiguous", "stride3", "stride4", "indirect")
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
    nodes = evaluation.analysis.nodes
    assert nodes is not None
    assert [one.name for one in nodes.slow] == [_SLOW]
    path = tmp_path / "report.html"
    with processor_time(20.0):
        write_report(evaluation, path, machine_rows=())
    assert path.stat().st_size <= 10_000_000
    text = path.read_text()
    assert '<section id="nodes"' in text
    assert f"The slowest of 1000 nodes, {_SLOW}, reaches" in text


def test_sixty_programs_make_a_page_that_can_be_mailed_and_read(tmp_path: Path) -> None:
    evaluation = make_cluster_evaluation()
    path = tmp_path / "report.html"
    with processor_time(5.0):
        write_report(evaluation, path, machine_rows=())
    assert path.stat().st_size <= 4_000_000
    text = path.read_text()
    assert text.count('<details class="program"') == N_PROGRAMS
    assert '<details class="program" open' not in text
    for number, title in enumerate(TITLES):
        assert f'<section id="f-family{number}"' in text
        assert f">{title}</h2>" in text
    verdict = evaluation.analysis.verdict
    assert 5 <= len(verdict) <= MOST_SENTENCES
    families = [sentence.family for sentence in verdict if sentence.family]
    assert len(set(families)) == len(families) >= MOST_SENTENCES - 3


def test_report_of_a_million_samples(tmp_path: Path) -> None:
    run = Synthesis(n_samples=138, octave=2.0, access=_ACCESS)
    assert sum(one.seconds.size for one in run.series) >= 1_000_000
    directory = write_run(tmp_path / "million", run)
    with processor_time(5.0):
        done = heorot("report", directory.path)
    assert done.code == 0, done.err
    assert directory.report_file.stat().st_size <= 4_000_000

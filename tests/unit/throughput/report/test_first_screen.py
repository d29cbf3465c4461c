"""The first screen of throughput tests, and what their pages keep short."""

from __future__ import annotations

import re
from pathlib import Path

from heorot.throughput.analyse.claims.simulation_verdict import simulation_sentences
from heorot.throughput.analyse.measures import measure
from heorot.throughput.report.simulation import write_simulation
from tests.unit.report.screens.sentences import excess
from tests.unit.throughput.analyse.synthetic_tests import make_timeline
from tests.unit.throughput.report.synthetic import page_of, published_throughput


def test_the_first_screen_has_numbers_trust_findings_and_what_is_not_covered(
    tmp_path: Path,
) -> None:
    page = page_of(published_throughput(), tmp_path)
    first = page.partition('<section id="summary"')[2].partition("</section>")[0]
    text = re.sub(r"<[^>]+>", "", first).replace("\N{NO-BREAK SPACE}", " ")
    for said in (
        "slurm",
        "1970-01-12 13:46 UTC",
        "Jobs completed31 of 33",
        "Queue wait, median",
        "33 jobs = 31 completed + 1 failed + 1 lost",
        "3 dedicated runs per job class",
        "euroben15 was lost and never started",
        "One test is one sample: the variation between tests is unknown.",
        "Jobs of other users were not watched.",
    ):
        assert said in text, said
    assert 6 <= first.count('<li class="tile') <= 10
    assert first.count('<li class="error"') + first.count('<li class="warning"') == 3
    for target in re.findall(r'href="#([^"]+)"', first):
        assert f'id="{target}"' in page, target


def test_no_table_of_a_test_has_more_than_ten_columns_and_missing_jobs_stand_once(
    tmp_path: Path,
) -> None:
    page = page_of(published_throughput(), tmp_path)
    heads = re.findall(r"<thead>.*?</thead>", page, re.DOTALL)
    assert len(heads) > 8
    assert max(head.count("<th") for head in heads) <= 11  # `<thead` itself is one
    tables = page.partition("<main")[2].partition("<svg")[0]
    assert tables.count("the batch system does not know it") == 0
    missing = page.partition('<table id="missing"')[2].partition("</table>")[0]
    assert missing.count("the batch system does not know it") == 1


def test_the_verdict_on_simulations_names_the_best_and_the_worst(tmp_path: Path) -> None:
    timelines = {
        "FCFS": make_timeline([(0.0, 10.0, 110.0, 1, ()), (0.0, 110.0, 200.0, 1, ())]),
        "EASY": make_timeline([(0.0, 0.0, 100.0, 1, ()), (0.0, 0.0, 90.0, 1, ())]),
    }
    measures = {name: measure(each) for name, each in timelines.items()}
    sentences = tuple(simulation_sentences(measures))
    assert sentences[0].text == (
        "EASY has the shortest makespan, 1 min 40 s; FCFS the longest, 3 min 20 s."
    )
    assert [each.text for each in sentences if excess(each.text)] == []
    assert list(simulation_sentences({"FCFS": measures["FCFS"], "same": measures["FCFS"]})) == []
    path = tmp_path / "page.html"
    troubles = ["2 jobs never start: larger than the machine of 2 nodes x 1"]
    write_simulation(timelines, measures, path, title="two", verdict=sentences, troubles=troubles)
    first = path.read_text(encoding="utf-8").partition('<section id="summary"')[2]
    assert "EASY; FCFS 3.33" in first.replace("\N{NO-BREAK SPACE}", " ")
    assert "2 jobs never start" in first.partition("</section>")[0]

"""Pages of throughput tests and simulations: content, and a bound on their size."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from heorot.model.analysis.result import Finding
from heorot.monitoring.model import BusyCpus, Crossing, JobUse, Monitoring, MonitoringStudy
from heorot.throughput.analyse.analysis import analyse_throughput
from heorot.throughput.analyse.measures import measure
from heorot.throughput.analyse.timeline import timeline_of
from heorot.throughput.model.throughput import PartEnd
from heorot.throughput.report.simulation import write_simulation
from heorot.throughput.report.tables.cells import change, duration, ratio, share
from heorot.throughput.report.throughput_page import write_throughput
from tests.unit.throughput.analyse.synthetic_tests import (
    FOUR,
    make_job,
    make_throughput,
    make_timeline,
    ran,
)
from tests.unit.throughput.report.synthetic import (
    many_jobs,
    page_of,
    published_throughput,
    write_side_by_side,
)

MOST_BYTES = 3_000_000


def test_the_page_of_the_published_schedule(tmp_path: Path) -> None:
    test = published_throughput()
    simulated = {"EASY": timeline_of(test)}
    write_throughput(test, analyse_throughput(test, simulated), tmp_path / "test.html")
    page = (tmp_path / "test.html").read_text(encoding="utf-8")
    for text in (
        "31 of 33 jobs completed.",
        "euroben15",
        'id="jobs-over-time-queue-clip"',
        'id="nodes-over-time-clip"',
        "Run times under load and dedicated",
        "Programs of composite jobs",
        "euroben/mod1h",
        "makespan if 4 x faster",
        "The same jobs in other orders",
        "Measured, and simulated with the measured run times",
        "Response times of interactive commands",
        "sched/backfill",
        "heorot throughput schedule.txt",
        "The nodes were not monitored.",
        "By node</caption>",
        "2\N{NO-BREAK SPACE}nodes",
        'id="job-15"',
    ):
        assert text in page, text
    assert "//" not in page.partition("<main")[2].partition("<script")[0]


def test_all_jobs_are_in_the_file_next_to_the_page(tmp_path: Path) -> None:
    page_of(published_throughput(), tmp_path)
    with (tmp_path / "test-jobs.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 33
    lost = rows[14]
    assert (lost["label"], lost["fate"], lost["wait_seconds"]) == ("euroben15", "vanished", "")
    assert lost["why"] == "the batch system does not know it"
    assert float(rows[6]["stretch"]) == pytest.approx(
        float(rows[6]["turnaround_seconds"]) / 600, rel=1e-6
    )
    assert rows[0]["hosts"] == "n0 n1"
    picture = (tmp_path / "test-activity.svg").read_text(encoding="utf-8")
    assert picture.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert "adf7" in picture


def test_a_job_that_was_never_submitted_has_no_time_of_it(tmp_path: Path) -> None:
    jobs = [ran(1, "a", 0, 0, 10), make_job(2, "a", 4, submitted=None)]
    page = page_of(make_throughput(jobs), tmp_path)
    assert "a2: never submitted, never started" in page
    with (tmp_path / "test-jobs.csv").open(encoding="utf-8") as file:
        assert [row["submitted_seconds"] for row in csv.DictReader(file)] == ["0", ""]


@pytest.mark.slow
def test_a_page_of_many_jobs_stays_small(tmp_path: Path) -> None:
    page = page_of(many_jobs(4500), tmp_path)
    assert len(page) < MOST_BYTES
    assert "All rows, too many for this page: test-jobs.csv, next to this page." in page
    assert len((tmp_path / "test-jobs.csv").read_text().splitlines()) == 4501


def test_a_test_of_which_little_is_known(tmp_path: Path) -> None:
    page = page_of(make_throughput([make_job(1, "a", 0)], facts={"begun": None}), tmp_path)
    assert "not known" in page
    assert "slurm reported no definitions of queues." in page
    assert "No job ran dedicated: the cost of co-location is unknown." in page
    assert "No scheduler was simulated on these jobs." in page
    assert "1 job = 1 unfinished" in page
    assert "No job was scheduled." in page_of(make_throughput([]), tmp_path)


def test_co_location_interventions_and_missing_programs_are_shown(tmp_path: Path) -> None:
    parts = (PartEnd(name="p", fate="ok", seconds=5.0), PartEnd(name="q", fate="skipped"))
    jobs = [
        ran(1, "e", 0, 0, 10, parts=parts, hosts=("n0", "n1", "n2"), interventions=("held",)),
        *(ran(i, "a", 0, 0, 10 + i, hosts=("n0",)) for i in range(2, 6)),
        ran(6, "b", 0, 20, 30, hosts=("n1",), exclusive=True, reason="Prolog", fate="failed"),
    ]
    facts = {"exclusive": True, "schedule_digest": "ab" * 32, "time_scale": 0.1}
    page = page_of(
        make_throughput(jobs, n_nodes=3, alone={"a": (3.0, 3.1, 3.05)}, facts=facts), tmp_path
    )
    for text in (
        "n0\N{NO-BREAK SPACE}n1\N{NO-BREAK SPACE}+1",
        "e: 83 %",
        "1 program missing in composite jobs",
        "1 manual intervention",
        "failed: Prolog",
        "skipped</td>",
        "times x 0.1",
        "SHA-256 abababab",
        "nodes were exclusive unless a job requested otherwise",
        "b</td>",
        "slower",
    ):
        assert text in page, text


def test_programs_of_jobs_that_never_ran_are_not_missing_twice(tmp_path: Path) -> None:
    parts = tuple(PartEnd(name=name, fate="ok", seconds=5.0) for name in "pq")
    jobs = [ran(1, "e", 0, 0, 10, parts=parts), make_job(2, "e", 0, fate="rejected")]
    page = page_of(make_throughput(jobs, alone={"x": (1.0,)}), tmp_path)
    assert "1 rejected" in page
    assert "0 programs missing in composite jobs" in page
    assert "No program has both dedicated runs and runs under load." in page
    assert "nodes were shared unless a job requested otherwise" in page


def test_what_monitoring_shows_is_on_the_page(tmp_path: Path) -> None:
    use = JobUse(
        job="adf7",
        cpu_seconds=100.0,
        peak_memory_bytes=2.0**30,
        peak_node_bytes=2.0**29,
        processes=4,
        read_bytes=0.0,
        written_bytes=1024.0,
        busy=1.5,
    )
    crossing = Crossing(
        what="CPU seconds of adf7", ours=100.0, theirs=50.0, source="sacct", unit="s", agrees=False
    )
    nothing = crossing.model_copy(update={"ours": 0.0, "agrees": True})
    finding = Finding(text="node n3 fell silent", severity="warning")
    watched = MonitoringStudy(
        busy=BusyCpus(cpus=16, mean=12.0, least=1.0, most=16.0, seconds=60.0, sampler=0.004),
        jobs=(use,),
        findings=(finding,),
        crossings=(crossing, nothing),
    )
    page = page_of(published_throughput(), tmp_path, monitoring=Monitoring(), watched=watched)
    for text in (
        "Resources used by each job",
        "1 GiB",
        "node n3 fell silent",
        "sacct",
        "0.500",
        "12.00",
    ):
        assert text in page, text
    unknown = make_throughput([make_job(1, "a", 0, submitted=None)], facts={"begun": None})
    alone = page_of(unknown, tmp_path, monitoring=Monitoring(), watched=MonitoringStudy())
    assert "Resources used by each job" not in alone


def test_compared_simulations(tmp_path: Path) -> None:
    timelines = {name: make_timeline(FOUR) for name in ("FCFS", "EASY")}
    measures = {name: measure(each) for name, each in timelines.items()}
    path = tmp_path / "simulation.html"
    definition = "jobs start in the order of their submission, as soon as the first of them fits"
    write_simulation(
        timelines,
        measures,
        path,
        title="four jobs",
        facts=[("Seed", "7"), ("FCFS", definition)],
        command=["heorot", "simulate-batch", "four.swf"],
    )
    page = path.read_text(encoding="utf-8")
    for text in (
        "Under FCFS",
        "Under EASY",
        "By number of nodes, EASY",
        definition,
        "simulate-batch four.swf",
    ):
        assert text in page, text
    assert "<dt>Seed</dt><dd>7</dd>" in page
    assert "Every job</caption>" not in page


def test_simulations_without_a_graph_are_named_as_such(tmp_path: Path) -> None:
    timelines = {f"p{i}": make_timeline(FOUR) for i in range(9)}
    measures = {name: measure(each) for name, each in timelines.items()}
    path = tmp_path / "simulation.html"
    write_simulation(timelines, measures, path, title="nine")
    page = path.read_text(encoding="utf-8")
    assert "9 simulations" in page
    assert "Graphs and job classes are those of the first 8 simulations." in page


def test_one_simulation_has_its_jobs_in_a_table(tmp_path: Path) -> None:
    rows = [*FOUR, (40.0, np.nan, np.nan, 1, ())]
    timeline = make_timeline(rows, states=np.array([0, 0, 0, 0, 3]))
    path = tmp_path / "simulation.html"
    write_simulation({"FCFS": timeline}, {"FCFS": measure(timeline)}, path, title="five")
    page = path.read_text(encoding="utf-8")
    assert "Every job</caption>" in page
    assert "<td>rejected</td>" in page
    assert "Simulate again" not in page


def test_cells() -> None:
    times = {0.0: "0 s", 0.5: "500 ms", 42.0: "42 s", 2616.0: "43.6 min", 9000.0: "2.5 h"}
    times |= {864_000.0: "10 d", 999.6 * 86_400: "1000 d", 864e5: "1000 d"}
    assert {x: duration(x).text for x in times} == times
    assert (duration(None).tone, duration(np.nan).text) == ("muted", "–")
    assert (ratio(1.234).text, ratio(12.34).text, ratio(None).text) == ("1.23", "12.3", "–")
    assert (share(0.5, bar=True).share, share(None).text) == (0.5, "–")
    assert [change(x).text for x in (0.5, -0.5, 0.0, None)] == ["+50.0 %", "−50.0 %", "0.0 %", "–"]


def test_the_page_of_compared_tests(tmp_path: Path) -> None:
    """Twelve systems: one axis for all, a column each, everything escaped."""
    write_side_by_side(12, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert len(page) < MOST_BYTES
    assert "<s1>" not in page
    assert page.count('<svg class="timed"') == 24
    for text in ("12 tests of 12 systems", "same work", "Median queue wait by job class", "rboltz"):
        assert text in page, text

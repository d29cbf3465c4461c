"""A cluster is evaluated from the command line to the page, by real Slurm."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from heorot.analyse.validity.costs import JOB
from heorot.jobs.facts import read_facts
from tests.end_to_end.cluster.site import Cluster, Run
from tests.end_to_end.running import heorot

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.slow,
    pytest.mark.waiting,
    pytest.mark.timeout(600),
]

NODES = ("n1", "n2", "n3", "n4")
PROGRAMS = ("npb/ep", "compute/peak", "messages/pingpong")
ARGUMENTS = ("--launches", "1", "--profile", "smoke", *(f"--only={name}" for name in PROGRAMS))


@pytest.fixture(scope="module")
def evaluated(cluster: Cluster) -> Run:
    """An evaluation on one, two and four nodes."""
    path = cluster.base / "run"
    done = cluster.heorot("evaluate", "--nodes", "1,2,4", *ARGUMENTS, "--out", path)
    assert done.code == 0, done.err
    return Run(path)


def rows_of(path: Path) -> list[dict[str, str]]:
    """The export of a run."""
    done = heorot("export", path)
    assert done.ok, done.err
    return list(csv.DictReader(io.StringIO(done.out)))


def test_every_step_is_done_and_accounted_for(evaluated: Run) -> None:
    planned = {step.id for step in evaluated.directory.all_steps()}
    assert set(evaluated.exits()) == planned
    assert set(evaluated.exits().values()) == {1}
    assert {one.state for one in evaluated.outcomes()} == {"completed"}
    assert "error: " not in evaluated.findings()


def test_the_report_is_whole_and_tells_of_the_nodes(evaluated: Run) -> None:
    page = (evaluated.path / "report.html").read_text(encoding="utf-8")
    assert page.rstrip().endswith("</html>")
    assert '<section id="nodes"' in page
    assert '<h3 id="question-nodes">' in page
    assert all(name in page for name in (*PROGRAMS, *NODES))


def test_rows_are_of_one_two_and_four_nodes_and_of_each_node_and_pair(evaluated: Run) -> None:
    rows = rows_of(evaluated.path)
    assert {row["nodes"] for row in rows} == {"1", "2", "4"}
    assert {row["nodes"] for row in rows if row["benchmark"] == "npb/ep"} == {"1", "2", "4"}
    assert {row["verified"] for row in rows if row["derived"] == "false"} == {"passed"}
    points = [json.loads(row["point"]) for row in rows]
    assert set(NODES) <= {point["node"] for point in points if "node" in point}
    pairs = {point["pair"] for point in points if "pair" in point}
    assert pairs == {"n1/n2", "n2/n3", "n3/n4", "n1/n4"}


def test_rows_tell_what_jobs_and_launches_cost(evaluated: Run) -> None:
    rows = rows_of(evaluated.path)
    jobs = {row["case"] for row in rows if row["benchmark"] == JOB}
    assert jobs == {f"J{number:04d}" for number in evaluated.directory.job_numbers()}
    found = {(row["case"], row["metric"]): row for row in rows if row["benchmark"] == JOB}
    for job in jobs:
        assert 0.0 < float(found[job, "submit_time"]["median"]) < 10.0
        waits = ("own_jobs_wait", "queue_wait")
        waited = sum(float(found[job, metric]["median"]) for metric in waits)
        by_slurm = evaluated.slurm_facts(int(job[1:])).wait_seconds
        assert by_slurm == pytest.approx(waited)
        point = json.loads(found[job, "submit_time"]["point"])
        assert point["number"] == evaluated.slurm_facts(int(job[1:])).id
    launches = [row for row in rows if row["metric"] == "launch_overhead"]
    assert {row["nodes"] for row in launches} == {"1", "2", "4"}
    assert sum(int(row["n"]) for row in launches) == len(evaluated.directory.all_steps())
    assert all(0.0 < float(row["median"]) < 10.0 for row in launches)


def test_ranks_ran_where_they_were_to(evaluated: Run) -> None:
    begun = {one["step"]: one["hosts"] for one in evaluated.events() if one["event"] == "start"}
    for step in evaluated.directory.all_steps():
        (record,) = evaluated.path.glob(f"jobs/*/records/{step.id}.jsonl")
        placement = json.loads(record.read_text().splitlines()[0])["placement"]
        hosts = [rank["host"] for rank in placement]
        assert hosts == begun[step.id], step
        assert len(set(hosts)) == step.nodes, step
    each = [step for step in evaluated.directory.plan().steps if step.benchmark == "compute/peak"]
    alone = {str(begun[step.id]) for step in each if step.each_node}
    assert alone == {f"['{name}']" for name in NODES}


def test_every_job_had_the_nodes_it_needed(evaluated: Run) -> None:
    directory = evaluated.directory
    needed = {0: len(NODES)}
    for number in directory.job_numbers():
        steps = directory.steps(number)
        if steps:
            each = any(step.each_node for step in steps)
            needed[number] = len(NODES) if each else max(step.nodes for step in steps)
    assert set(needed.values()) == {1, 2, 4}
    for number, n_nodes in needed.items():
        hosts = (directory.job(number) / "hosts").read_text().split()
        assert len(set(hosts)) == len(hosts) == n_nodes
        facts = read_facts(directory.job(number))
        assert facts is not None
        assert (facts.state, facts.attempt, facts.queue) == ("ok", 1, "lab")


def test_the_machine_is_that_of_the_nodes(evaluated: Run) -> None:
    machine = evaluated.directory.machine()
    assert sorted(name for node in machine.nodes for name in node.names) == list(NODES)
    assert all(node.processor.isa and node.memory.total_bytes for node in machine.nodes)
    assert [network.name for network in machine.networks] == ["lab"]


def test_columns_are_those_of_a_local_run(evaluated: Run, cluster: Cluster) -> None:
    path = cluster.base / "local"
    done = heorot("run", "compute/peak", "--batch", "local", "--out", path)
    assert done.code == 0, done.err
    assert list(rows_of(path)[0]) == list(rows_of(evaluated.path)[0])


def test_nothing_is_left_on_the_nodes(evaluated: Run, cluster: Cluster) -> None:
    assert cluster.processes_left() == []
    assert cluster.files_left() == []
    assert cluster.slurm("squeue", "--noheader") == ""
    left = [*evaluated.path.glob("jobs/*/lock.*"), *evaluated.path.glob("jobs/*/nodes/*.part")]
    assert left == []
    assert evaluated.directory.holder() is None

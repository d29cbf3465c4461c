"""Findings from samples of jobs and nodes; quiet nodes yield none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heorot.model.analysis.result import Finding
from heorot.monitoring.collect.monitor_output import parse_exporter
from heorot.monitoring.collect.node_loads import read_monitoring
from heorot.monitoring.model import Accounted, Exported, Monitoring, NodeLoad, PortLoad, Uses
from heorot.throughput.analyse.monitored import analyse_monitoring
from heorot.throughput.model.throughput import ThroughputTest
from tests.unit.monitoring.analyse.synthetic import (
    BEGIN,
    make_job,
    make_node,
    make_throughput,
    make_uses,
)

SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "monitoring"
MARK = "a-1-0123456789ab"


def findings(*nodes: NodeLoad, test: ThroughputTest | None = None, **more: Any) -> list[Finding]:
    return list(analyse_monitoring(Monitoring(nodes=nodes, **more), test).findings)


def only(*nodes: NodeLoad, test: ThroughputTest | None = None, **more: Any) -> Finding:
    (finding,) = findings(*nodes, test=test, **more)
    return finding


def spike(value: float, n: int = 10) -> list[float]:
    return [value if i == 4 else 0.0 for i in range(n)]


def test_quiet_nodes_give_no_findings() -> None:
    assert findings(make_node("n1"), make_node("n2")) == []
    nothing = analyse_monitoring(Monitoring())
    assert (nothing.busy, nothing.jobs, nothing.findings) == (None, (), ())


def test_what_a_real_lab_says() -> None:
    monitoring = read_monitoring(SAMPLES, ["n1", "n2", "n3"])
    reported = analyse_monitoring(monitoring, labels={"J0001": "wide1"})
    wide = reported.jobs[0]
    assert wide.job == "wide1"
    assert 7.0 < wide.cpu_seconds < 10.5  # six seconds on one node, four on the other
    assert wide.processes == 5
    assert wide.network_bytes is not None
    assert wide.network_bytes > 20e6
    assert reported.findings[0].text == "1 node of 4 stopped reporting"
    assert reported.findings[0].affected == ("n3",)


def test_jobs_are_summed_over_nodes_and_marks() -> None:
    nodes = (make_node("n1", received=100.0), make_node("n2", sent=10.0))
    jobs = make_uses(
        [MARK, "b", "a-1-ffffffffffff"],
        [(0, 0, 0, 2.0, 50), (0, 1, 0, 1.0, 30), (1, 1, 0, 1.0, 5), (2, 0, 5, 4.0, 60)],
    )
    test = make_throughput(make_job("b", 0, 0, 1), make_job("a1", 0, 0, 9))
    reported = analyse_monitoring(Monitoring(nodes=nodes, jobs=jobs), test, labels={"a-1": "a1"})
    assert [use.job for use in reported.jobs] == ["b", "a1"]
    b, a = reported.jobs
    assert (a.cpu_seconds, a.peak_memory_bytes, a.peak_node_bytes, a.processes) == (7, 80, 60, 2)
    assert (a.read_bytes, a.written_bytes) == (24, 24)
    assert (a.network_bytes, a.shared_network_bytes) == (200, 10)
    assert (b.network_bytes, b.shared_network_bytes) == (None, 10)
    assert (a.seconds, a.busy) == pytest.approx((6.0, 7 / 6))


def test_samples_of_one_second_are_no_concurrent_processes() -> None:
    often = make_node("n1", times=BEGIN + 1.0 + 0.1 * np.arange(10), seconds=np.full(10, 0.1))
    late = make_node("n2", times=BEGIN + np.array([1.0, 2.6, 3.0]), n=3)
    rows = [(0, 0, i, 1.0, 10.0 + i) for i in range(10)] + [(0, 1, i, 1.0, 7.0) for i in range(3)]
    rows += [(1, 0, 0, 1.0, 100.0)]  # the same job again, with a mark of its own
    uses = make_uses([MARK, "a-1-ffffffffffff"], rows)
    (use,) = analyse_monitoring(Monitoring(nodes=(often, late), jobs=uses)).jobs
    assert (use.peak_memory_bytes, use.processes) == (14.0 + 100.0 + 7.0, 3)


def test_memory_that_processes_share_is_no_lack_of_it() -> None:
    assert findings(make_node(contained=True, memory=300.0)) == []
    assert findings(make_node(memory=0.0, memory_bytes=0.0)) == []


def test_samplers_whose_time_was_up() -> None:
    (short,) = findings(make_node("n1", ending="stop"), make_node("n2", 4, ending="time"))
    assert short.text.startswith("1 node was not monitored to the end")
    assert short.affected == ("n2",)


def test_a_silent_node_and_those_that_were_not_watched() -> None:
    found = findings(
        make_node("n1"), make_node("n2", 4, ending="silent"), unwatched={"n3": "no route"}
    )
    assert [(each.severity, each.affected) for each in found] == [
        ("error", ("n2",)),
        ("note", ("n3",)),
    ]
    assert found[0].rows == (("n2", "6.0 s before the last sample of all"),)
    assert "1 node was not monitored" in found[1].text


def test_a_node_that_hung() -> None:
    node = make_node(seconds=np.array([1.0] * 9 + [12.0]))
    found = only(node)
    assert found.rows == (("n1", "1", "12 s"),)


@pytest.mark.parametrize(
    ("columns", "severity", "words"),
    [
        ({"kills": spike(2)}, "error", "for lack of memory"),
        ({"memory": spike(96)}, "warning", "memory use exceeded 95 % on 1 node"),
        ({"swapped": spike(2e6)}, "warning", "1 node swapped"),
        ({"drops": spike(7)}, "warning", "packets were lost at 1 node"),
        ({"errors": spike(7)}, "warning", "packets were lost at 1 node"),
        ({"stolen": 0.1}, "warning", "a hypervisor took processor time from 1 node"),
        ({"own": 0.006}, "note", "the samplers used more than 0.500 % of a CPU"),
        (
            {"offset_seconds": -0.5, "offset_error_seconds": 0.01},
            "warning",
            "the clocks of 1 node are wrong by more than 100 ms",
        ),
        ({"clock_steps": ((BEGIN, 60.0),)}, "warning", "clocks were set 1 time"),
    ],
)
def test_each_trouble_is_a_finding(columns: dict[str, Any], severity: str, words: str) -> None:
    found = only(make_node("n1"), make_node("n2", **columns))
    assert found.severity == severity
    assert words in found.text
    assert found.affected == ("n2",)
    assert found.remedy
    assert all(len(row) == len(found.columns) for row in found.rows)


@pytest.mark.parametrize(
    "columns",
    [
        {"memory": 95.0},
        {"swapped": spike(9e5)},
        {"stolen": 0.03},
        {"own": 0.004},
        {"offset_seconds": 0.5, "offset_error_seconds": 0.45},
        {"seconds": np.array([1.0] * 9 + [4.0])},
    ],
)
def test_little_is_no_finding(columns: dict[str, Any]) -> None:
    assert findings(make_node(**columns)) == []


def test_nodes_that_share_a_computer_are_reported_once() -> None:
    nodes = [make_node(f"n{i}", contained=True, kills=spike(1)) for i in range(3)]
    assert only(*nodes).rows == (("the computer that they share", "1"),)


def test_ports_that_drop() -> None:
    times, ones = np.array([BEGIN, BEGIN + 1.0]), np.ones(2)
    port = PortLoad("p7", times, ones, ones, np.zeros(2), np.array([0.0, 9.0]))
    found = only(make_node(), ports=(port,))
    assert found.rows == (("port p7", "0", "9"),)
    assert found.text == "packets were lost at 1 port"
    both = only(make_node(drops=1.0), ports=(port, port))
    assert both.text == "packets were lost at 1 node and 2 ports"


def test_lines_that_could_not_be_read() -> None:
    found = only(make_node(), complaints=("n1.samples:7: not a line of a sampler",))
    assert found.rows == (("n1.samples:7", "not a line of a sampler"),)


def test_work_of_others() -> None:
    little = make_uses(["1000"], [(0, 0, i, 0.03, 1) for i in range(10)])
    assert findings(make_node(), users=little) == []
    brief = make_uses(["1000"], [(0, 0, 3, 0.3, 1), (0, 0, 7, 0.09, 1)])
    assert findings(make_node(), users=brief) == []
    rows = [(0, 0, i, 0.5, 1) for i in range(10)] + [(1, 0, 0, 0.6, 1), (2, 0, 1, 9.0, 1)]
    found = only(make_node(), users=make_uses(["0", "kernel", "1000"], rows))
    assert found.rows == (
        ("n1", "root", "5.0 s", "12.5 %", "0.50"),
        ("n1", "the kernel", "600 ms", "1.50 %", "0.60"),
        ("n1", "user 1000", "9.0 s", "22.5 %", "9.00"),
    )


def test_a_load_that_lasts_is_reported_however_long_the_test() -> None:
    rows = [(0, 0, i, 0.5, 1.0) for i in (5, 6, 7)]
    node = make_node(n=1000)
    assert len(findings(node, users=make_uses(["5"], rows))) == 1
    assert findings(node, users=make_uses(["5"], rows[:2])) == []


def test_idle_cpus_while_jobs_wait() -> None:
    nodes = (make_node("n1", 20, busy=1.0), make_node("n2", 20, busy=0.0))
    running = make_job("a1", 0, 0, 20, hosts=("n1",))
    waiting = make_job("b1", 5, 18, None, hosts=("n2", "n9"), eligible=BEGIN + 8)
    found = only(*nodes, test=make_throughput(running, waiting))
    assert found.severity == "warning"
    assert found.text == (
        "while jobs were queued, 7.0 of 8 CPUs idled on average: 4.0 on nodes without a job, "
        "3.0 under jobs"
    )
    assert found.evidence == ("10 s with waiting jobs",)
    busy = (make_node("n1", 20, busy=3.9), make_node("n2", 20, busy=3.9))
    assert findings(*busy, test=make_throughput(running, waiting)) == []
    some = (make_node("n1", 20, busy=3.4), make_node("n2", 20, busy=3.4))
    assert only(*some, test=make_throughput(running, waiting)).severity == "note"
    brief = make_job("b1", 15, 18, 20)
    never = make_job("c1", 1, None, 2)
    assert findings(*nodes, test=make_throughput(running, brief, never)) == []


def test_processes_of_jobs_out_of_place() -> None:
    rows = [(0, 0, i, 1.0, 1.0) for i in range(18)] + [(0, 1, 3, 0.0, 1.0), (1, 1, 3, 0.0, 1.0)]
    nodes = (make_node("n1", 20), make_node("n2", 20))
    uses = make_uses([MARK, "stranger"], rows)
    test = make_throughput(make_job("a-1", 0, 0, 8, hosts=("n1",)))
    left, stray = findings(*nodes, jobs=uses, test=test)
    assert left.severity == stray.severity == "error"
    assert left.rows == (("n1", "a-1", "1", "10 s", "5.00 s"),)
    assert stray.rows == (("n2", "a-1", "1"),)
    later = make_throughput(make_job("a-1", 0, 0, 13, hosts=("n1", "n2")))
    assert findings(*nodes, jobs=uses, test=later) == []
    unknown = make_throughput(make_job("a-1", 0, 0, None))
    assert findings(*nodes, jobs=uses, test=unknown) == []


def test_accounts_of_the_batch_system() -> None:
    jobs = make_uses(["a", "b", "c"], [(i, 0, 0, 4.0, 1) for i in range(3)])
    monitoring = Monitoring(nodes=(make_node(n=1, seconds=np.array([10.0])),), jobs=jobs)
    accounts = {"a": Accounted(41.0), "b": Accounted(90.0), "c": Accounted(None)}
    reported = analyse_monitoring(monitoring, accounts=accounts)
    assert [(each.what, each.agrees) for each in reported.crossings] == [
        ("processor time of a", True),
        ("processor time of b", False),
    ]
    disputes = [each for each in reported.findings if "other monitors" in each.text]
    assert disputes[0].rows == (("processor time of b", "40.0 s", "90.0 s", "sacct"),)
    none = analyse_monitoring(monitoring, accounts={"a": Accounted(0.0), "b": Accounted(None)})
    assert none.crossings == ()


def test_pages_of_an_exporter() -> None:
    pages = tuple(
        parse_exporter((SAMPLES / f"exporter-{word}.txt").read_text())
        for word in ("before", "after")
    )
    monitoring = read_monitoring(SAMPLES, [])
    reported = analyse_monitoring(
        monitoring, pages={"node exporter": {"host": (pages[0], pages[1])}}
    )
    assert [(each.what, each.agrees) for each in reported.crossings] == [
        ("busy CPUs of host", True),
        ("traffic of host", True),
    ]
    (first,) = (float(node.times[0]) for node in monitoring.nodes if node.name == "n1")
    early, late = replace(pages[0], time=first), replace(pages[1], time=first + 5.0)
    shared = analyse_monitoring(
        monitoring, pages={"PCP": {"n1": (early, late), "n2": (late, early)}}
    )
    assert [each.what for each in shared.crossings] == ["traffic of n1"]
    assert (
        analyse_monitoring(monitoring, pages={"PCP": {"n1": (Exported(), pages[1])}}).crossings
        == ()
    )


def test_what_was_not_seen_cannot_be_disputed() -> None:
    at = BEGIN + 2.0
    pages = {"n1": (Exported(at, 1.0, received=1.0), Exported(at + 4.0, 9.0, received=9e9))}
    unknown = make_node(busy=np.nan, received=np.nan, sent=np.nan)
    for node in (unknown, make_node(times=BEGIN + 1e4 + np.arange(10.0))):
        assert analyse_monitoring(Monitoring(nodes=(node,)), pages={"PCP": pages}).crossings == ()
    seen = analyse_monitoring(Monitoring(nodes=(make_node(),)), pages={"PCP": pages})
    assert [each.agrees for each in seen.crossings] == [False, False]


def test_nothing_was_used() -> None:
    reported = analyse_monitoring(Monitoring(nodes=(make_node(),), jobs=Uses(names=("a",))))
    (use,) = reported.jobs
    assert (use.cpu_seconds, use.seconds, use.busy, use.network_bytes) == (0, 0, 0, None)

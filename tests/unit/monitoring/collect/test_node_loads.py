"""Samples become the activity of nodes, jobs and users in each interval."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from heorot.monitoring.collect.monitor_output import parse_exporter
from heorot.monitoring.collect.node_loads import CLOCKS, read_monitoring
from heorot.monitoring.model import Monitoring, NodeLoad

SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "monitoring"
HEAD = "monitor format=1 host=n1 interval=1.000 ticks=100 page=1024"
NAMES = (
    "time clock own_seconds user system io_wait steal busy:0 busy:1 mem_total_kib "
    "mem_available_kib swapped_in_pages swapped_out_pages"
)


def read_one(path: Path, text: str) -> NodeLoad:
    (path / "n1.samples").write_text(text)
    monitoring = read_monitoring(path)
    assert monitoring.complaints == ()
    (node,) = monitoring.nodes
    return node


def rows(*samples: str) -> str:
    return f"{HEAD}\ncolumns {NAMES}\n" + "".join(f"s {each}\n" for each in samples)


@pytest.fixture(scope="module")
def monitoring() -> Monitoring:
    return read_monitoring(SAMPLES, ["n1", "n2", "n3", "n4"])


def test_nodes_of_a_real_lab(monitoring: Monitoring) -> None:
    assert [node.name for node in monitoring.nodes] == ["n1", "n2", "n3", "host"]
    assert [node.ending for node in monitoring.nodes] == ["stop", "stop", "silent", "time"]
    assert [node.contained for node in monitoring.nodes] == [True, True, True, False]
    assert [node.cores.shape[1] for node in monitoring.nodes] == [0, 0, 0, 2]
    assert monitoring.unwatched == {"n4": "it left no samples"}
    for node in monitoring.nodes:
        assert len(node.times) == len(node.seconds) == len(node.busy) == len(node.memory)
        assert np.all(np.diff(node.times) > 0)
        assert np.nanmean(node.own) < 0.005


def test_traffic_of_one_node_is_that_of_the_other(monitoring: Monitoring) -> None:
    first, second = monitoring.nodes[:2]
    sent = np.nansum(first.sent * first.seconds)
    assert sent == pytest.approx(20_911_930)
    assert np.nansum(second.received * second.seconds) == pytest.approx(sent)


def test_jobs_of_a_real_lab(monitoring: Monitoring) -> None:
    jobs = monitoring.jobs
    group = jobs.names.index("/runs/day/jobs/J0001")
    mine = (jobs.group == group) & (jobs.node == 0)
    # It ran for six seconds, on two processors shared by three nodes and others.
    seconds = monitoring.nodes[0].seconds[jobs.interval[mine]]
    assert 4.0 < np.sum(jobs.busy[mine] * seconds) < 6.2
    assert jobs.n[mine].max() == 3
    assert set(monitoring.users.names) == {"0", "kernel"}


def test_the_exporter_of_others_saw_the_same(monitoring: Monitoring) -> None:
    before, after = (
        parse_exporter((SAMPLES / f"exporter-{word}.txt").read_text())
        for word in ("before", "after")
    )
    assert before.time is not None
    assert after.time is not None
    theirs = (after.cpu_seconds - before.cpu_seconds) / (after.time - before.time)
    host = monitoring.nodes[3]
    between = (host.times > before.time) & (host.times < after.time)
    assert host.busy[between].mean() == pytest.approx(theirs, abs=0.05)
    assert before.memory_bytes is not None
    first = np.flatnonzero(between)[0]
    assert host.memory[first] == pytest.approx(before.memory_bytes, rel=0.5)


def test_counters_become_rates(tmp_path: Path) -> None:
    node = read_one(
        tmp_path,
        rows("100 10 0 0 0 0 0 0 0 100 60 0 0", "102 12 0.01 150 50 20 10 120 80 100 40 6 2"),
    )
    assert (node.cpus, node.contained, node.ending) == (2, False, "silent")
    assert node.times.tolist() == [102.0]
    assert node.seconds.tolist() == [2.0]
    assert node.busy.tolist() == [1.0]
    assert node.cores.tolist() == [[0.6, 0.4]]
    assert (node.waiting[0], node.stolen[0]) == (0.1, 0.05)
    assert (node.memory[0], node.memory_bytes) == (60 * 1024, 100 * 1024)
    assert node.swapped.tolist() == [4 * 1024]
    assert node.own[0] == pytest.approx(0.005)
    assert np.isnan(node.received[0])  # there was no adapter


@pytest.mark.parametrize("adapter", ["mlx5_0/1", "ibp65s0/1"])
def test_an_interface_over_a_port_does_not_count_twice(tmp_path: Path, adapter: str) -> None:
    names = f"time clock own_seconds rx_bytes:{adapter} rx_bytes:ib0 rx_bytes:eth0"
    node = read_one(tmp_path, f"{HEAD}\ncolumns {names}\ns 1 1 0 0 0 0\ns 2 2 0 70 60 5\n")
    assert node.received.tolist() == [75.0]


def test_a_counter_that_was_set_back_is_not_known(tmp_path: Path) -> None:
    zeros = "0 0 0 0 0 0 100 60 0 0"
    node = read_one(
        tmp_path, rows(f"1 1 0 50 {zeros}"[:-2], f"2 2 0 20 {zeros}"[:-2], f"3 3 0 30 {zeros}"[:-2])
    )
    assert np.isnan(node.busy[0])
    assert node.busy[1] == pytest.approx(0.1)


def test_times_follow_the_clock_that_nobody_sets(tmp_path: Path) -> None:
    zeros = "0 0 0 0 0 0 0 100 60 0 0"
    node = read_one(
        tmp_path,
        rows(
            *(
                f"{time} {clock} {zeros}"
                for time, clock in [(101, 1), (102, 2), (103, 3), (164, 4), (105, 5), (106, 6)]
            )
        ),
    )
    assert node.times.tolist() == [102, 103, 104, 105, 106]
    assert [(time, round(step)) for time, step in node.clock_steps] == [(104.0, 60), (105.0, -60)]


def test_intervals_end_where_a_sampler_did(tmp_path: Path) -> None:
    zeros = "0 0 0 0 0 0 0 100 60 0 0"
    first = rows(f"1 1 {zeros}", f"2 2 {zeros}")
    second = f"{HEAD}\ncolumns {NAMES} busy:2\n" + "".join(
        f"s {i} {i} {zeros} {100 * i}\n" for i in (50, 51, 52)
    )
    third = rows(f"99 99 {zeros}")
    node = read_one(tmp_path, first + second + third)
    assert node.times.tolist() == [2, 51, 52]
    assert node.cores.shape == (3, 3)
    assert np.isnan(node.cores[0, 2])
    assert node.cores[1, 2] == 1.0


def groups(*samples: str) -> str:
    names = "time clock own_seconds mem_total_kib rx_bytes:eth0 rx_bytes:ib0 rx_bytes:mlx5_0/1"
    head = f"{HEAD} contained=1 allowed=4\ncolumns {names} tx_bytes:eth0 oom_kill\n"
    return head + "".join(
        f"s {i} {i} 0 9 {10 * i} {7 * i} {7 * i} 0 0{' ; ' if each else ''}{each}\n"
        for i, each in enumerate(samples, start=1)
    )


def test_nodes_that_share_a_computer_are_sums_of_their_processes(tmp_path: Path) -> None:
    text = groups(
        "u 7 1000 5 1 0 0",  # earlier use is not counted
        "u 7 1010 5 1 0 0 ; j A-1 50 2 2 64 0 ; k - 5 0 9 0 0",
        "",
        "u 7 1020 6 1 0 0 ; j A-1 150 1 1 64 32",
    )
    (tmp_path / "n1.samples").write_text(text)
    found = read_monitoring(tmp_path)
    (node,) = found.nodes
    assert (node.cpus, node.contained) == (4, True)
    assert node.busy == pytest.approx([0.65, 0.0, 1.1])
    assert node.memory.tolist() == [7 * 1024, 0, 7 * 1024]
    # The interface over the port counts the same again.
    assert node.received.tolist() == [17, 17, 17]
    assert found.jobs.names == ("A-1",)
    assert found.jobs.busy.tolist() == [0.5, 1.0]
    assert found.jobs.interval.tolist() == [0, 2]
    assert (found.jobs.read.tolist(), found.jobs.written.tolist()) == ([64, 0], [0, 32])
    assert found.users.names == ("7", "kernel")


def test_clocks_by_the_fastest_answer(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "n1.samples", tmp_path)
    lines = [
        '{"node":"n1","asked":10.0,"time":15.2,"told":10.4}',
        '{"node":"n1","asked":20.0,"time":25.05,"told":20.1}',
        '{"node":"n1","asked":30.0,"time":35.5,"told":29.0}',
        "torn",
        '{"node":"n9","asked":30.0,"time":35.5,"told":31.0}',
    ]
    (tmp_path / CLOCKS).write_text("\n".join(lines))
    (node,) = read_monitoring(tmp_path).nodes
    assert node.offset_seconds == pytest.approx(5.0)
    assert node.offset_error_seconds == pytest.approx(0.05)


def test_reasons_why_nodes_are_not_watched(tmp_path: Path) -> None:
    (tmp_path / "n2.samples").write_text("garbage\n")
    found = read_monitoring(tmp_path, ["n1", "n2"], unwatched={"n1": "no route"})
    assert found.unwatched == {"n1": "no route", "n2": "it left no samples"}
    assert found.complaints == ("n2.samples:1: not a line of a sampler",)
    assert found.nodes == ()

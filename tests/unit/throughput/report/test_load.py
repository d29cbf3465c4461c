"""The load of nodes as pictures: what is shown, where, and what is marked."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import numpy as np

from heorot.monitoring.model import Monitoring, PortLoad
from heorot.throughput.report.graph import make_span
from heorot.throughput.report.load import load_graphs, strips
from heorot.throughput.report.load_map import node_map
from tests.unit.monitoring.analyse.synthetic import BEGIN, make_node

SPAN = make_span([0.0, 10.0])


def spike() -> list[float]:
    return [3.0 if i == 4 else 0.0 for i in range(10)]


def test_nothing_without_samples() -> None:
    assert load_graphs(Monitoring(), BEGIN, SPAN) == ()


def test_every_graph_is_a_picture_of_the_same_time() -> None:
    ones, drops = np.ones(4), np.array([0, 0, 5, np.nan])
    ports = (PortLoad("p", BEGIN + np.arange(4.0), ones, ones, 0 * ones, drops),)
    nodes = (make_node("a<b", busy=2.0), make_node("n2", busy=1.0, received=5e6))
    graphs = load_graphs(Monitoring(nodes=nodes, ports=ports), BEGIN, SPAN)
    assert len(graphs) == 7
    titles = []
    for graph in graphs:
        root = ET.fromstring(graph)  # noqa: S314 (our own)
        assert root.get("data-begin") == "0"
        assert root.get("data-end") == "10.1"
        titles += [text.text for text in root.iter("text") if text.get("class") == "panel-title"]
    assert titles == [
        "Busy CPUs, at most 3 of 8",
        "Memory, at most 0 B of 200 B",
        "Network, at most 5.0 MB/s",
        "Disks, at most 0 B/s",
        "Processes that want a CPU (load), at most 0",
        "Switch, at most 1.0 B/s",
        "Busy CPUs of each node",
    ]
    assert graphs[5].count("stroke:var(--bad)") == 1
    assert "a&lt;b" in graphs[6]


def test_large_numbers_are_grouped() -> None:
    nodes = tuple(make_node(f"n{i}", busy=2000.0, cpus=2048) for i in range(2))
    (cpus, *_) = strips(Monitoring(nodes=nodes), BEGIN, SPAN)
    assert re.sub(r"\s", "", cpus.label) == "BusyCPUs,atmost4000,overtime"


def test_nodes_that_share_a_computer_have_its_memory_once() -> None:
    nodes = tuple(make_node(f"n{i}", contained=True, load=2.0, memory=1.0) for i in range(3))
    _, memory, _, _, load = strips(Monitoring(nodes=nodes), BEGIN, SPAN)
    assert "at most 3 B of 100 B" in memory.fixed[0]
    assert load.label == "Processes that want a CPU (load), at most 2, over time"


def test_what_is_not_known_is_not_drawn() -> None:
    busy = np.array([1.0] * 4 + [np.nan] * 3 + [1.0] * 3)
    (cpus, *_) = strips(Monitoring(nodes=(make_node(busy=busy),)), BEGIN, SPAN)
    assert cpus.moved[0].count("M") == 2
    memory = strips(Monitoring(nodes=(make_node(memory=np.nan),)), BEGIN, SPAN)[1]
    assert memory.moved[0].count("M") == 0


def test_the_map_marks_drops_and_silence() -> None:
    nodes = (
        make_node("n1", drops=spike()),
        make_node("n2", 4, ending="silent"),
        make_node("n3", kills=spike()),
        make_node("n4", kills=spike(), contained=True),
    )
    graph = node_map(Monitoring(nodes=nodes), BEGIN, SPAN, "m")
    assert graph is not None
    text = "".join(graph.moved)
    assert text.count("stroke:var(--bad);stroke-width:2") == 2
    assert text.count("n2 stopped reporting") == 1
    assert graph.height == 20 + 4 * 16


def test_shares_have_classes_and_neighbours_are_one_box() -> None:
    busy = np.array([0.0, 0.0, 0.5, 0.5, 2.0, 2.0, 4.0, 4.0, 4.0, 4.0])
    graph = node_map(Monitoring(nodes=(make_node(busy=busy),)), BEGIN, make_span([0, 10]), "m")
    assert graph is not None
    # Averages over columns that lie in two intervals are of classes between.
    boxes = [part.count("z") for part in graph.moved[:5]]
    assert boxes[0] == 1
    assert boxes[4] == 1
    assert sum(boxes) <= 5


def test_many_nodes_stay_legible() -> None:
    nodes = tuple(make_node(f"rack1-node{i:03d}", 3, busy=1.0) for i in range(300))
    graph = node_map(Monitoring(nodes=nodes), BEGIN, SPAN, "m")
    assert graph is not None
    assert graph.height < 600
    text = "".join(graph.fixed)
    assert "Busy CPUs of each node, the first 256" in text
    assert ">000<" in text
    assert text.count("data-y") <= 60
    same = tuple(make_node("longest-name", 3) for _ in range(2))
    named = node_map(Monitoring(nodes=same), BEGIN, SPAN, "m")
    assert named is not None
    assert "longest-name" in "".join(named.fixed)

"""The section of nodes: hidden for one, a map for some, bands and the worst for very many."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from heorot.model.analysis.studies.networks import MeasuredNetwork
from heorot.model.machine.nodes import QuotedNetwork
from heorot.report.figures.kinds.maps.node_map import CLASSES, MOST_NODES, WORST_NODES, class_of
from heorot.report.page import format_report
from tests.unit.analyse.nodes.cluster import Cluster, evaluate, every_pair, names


@cache
def page(n_nodes: int) -> str:
    """A report of two kinds of nodes, the second of which is slow."""
    hosts = names(n_nodes)
    half = (n_nodes + 1) // 2
    cluster = Cluster([hosts[:half], hosts[half:]], speed={"n2": 0.5, ("n3", 1): 0.7})
    return format_report(evaluate(cluster), ())


@cache
def few() -> str:
    """A report of eight nodes with a slow pair and a node on which something else ran."""
    hosts = names(8)
    cluster = Cluster(
        [hosts],
        speed={"n2": 0.5, "n5/n7": 0.1, "n8": 0.7},
        loud=frozenset({"n8"}),
        pairs=every_pair(hosts),
    )
    return format_report(evaluate(cluster), ())


def section(text: str) -> str:
    found = re.search(r'<section id="nodes".*?</section>', text, re.DOTALL)
    return found[0] if found else ""


def test_a_single_node_has_no_section() -> None:
    text = format_report(evaluate(Cluster([names(1)])), ())
    assert section(text) == ""
    assert 'href="#nodes"' not in text


def test_a_network_has_its_place_also_where_no_nodes_are_compared() -> None:
    evaluation = evaluate(Cluster([names(1)]))
    network = MeasuredNetwork(quoted=QuotedNetwork(name="ib <1>", quoted_bits=1e11))
    analysis = evaluation.analysis.model_copy(update={"networks": (network,)})
    text = format_report(replace(evaluation, analysis=analysis), ())
    found = section(text)
    assert "ib &lt;1&gt;" in found
    assert "100 Gbit/s" in found
    assert "<figure" not in found
    assert 'href="#nodes"' in text


def test_the_map_has_a_field_for_every_node_and_program() -> None:
    text = section(page(16))
    assert text.count('<rect class="field') == 16 * 6 + len(CLASSES)
    assert text.count('<rect class="frame"') == 6 + 1
    assert "Framed: slower beyond chance." in text
    assert re.search(r"<title>n2, family0/program0: 4\d\.\d %|<title>n2, family0/program0: 5", text)
    assert "Processor 0" in text
    assert "Processor 1" in text
    assert 'href="#nodes"' in page(16)


def test_the_map_needs_no_script_and_has_words_for_those_who_cannot_see_it() -> None:
    text = section(page(16))
    assert "data-figure" not in text
    assert 'role="img" aria-labelledby="fig-nodes-map-summary"' in text
    assert re.search(r'id="fig-nodes-map-summary">Speed of 16 nodes in 6 cases of programs', text)
    assert re.search(r"Slower than their equals beyond chance: n2 \((49|50)", text)


def test_the_table_has_the_values_of_the_map() -> None:
    text = section(page(16))
    rows = re.findall(r'<tr id="node-\d+".*?</tr>', text, re.DOTALL)
    assert len(rows) == 16
    assert all(row.count("<td") == 1 + 5 + 6 for row in rows)
    assert "6 of 6" in rows[1]


def test_statements_link_to_the_lines_of_nodes() -> None:
    text = page(16)
    targets = set(re.findall(r'href="#(node-\d+)"', text))
    assert targets
    assert all(f'id="{target}"' in text for target in targets)


def test_rows_of_nodes_stand_in_no_other_table_or_figure() -> None:
    text = page(16)
    assert "node n1, n 7" not in text
    assert text.count('id="t-family0_program0"') == 0
    assert "differences among the" not in text


def test_pairs_and_disturbed_nodes_are_shown_as_such() -> None:
    text = section(few())
    assert text.count('<rect class="field') == 8 * 7 + len(CLASSES)
    assert text.count('class="pattern lines"') == 6
    assert "Hatched: disturbed." in text
    assert "links/link, pairs" in text
    assert "Pairs of nodes that are slow though neither node is" in text
    assert "n5/n7" in text


def test_very_many_nodes_are_bands_classes_and_the_worst() -> None:
    n_nodes = MOST_NODES + 28
    text = section(page(n_nodes))
    assert text.count('<rect class="field') == WORST_NODES * 6 + len(CLASSES)
    assert "80 faster nodes in the table only" in text
    assert text.count('<rect class="bar s0"') == 2 * 6
    assert text.count('<circle class="ring') == 6 + 1
    assert "How many nodes are how fast" in text
    assert re.search(r"40 of 100 rows: the slowest", text)
    first = re.search(
        r"<tbody>.*?<th[^>]*>(n\d+)</th>", text[text.index('id="node-table"') :], re.DOTALL
    )
    assert first is not None
    assert first[1] == "n2"


def test_names_of_hosts_write_no_html() -> None:
    hosts = ["<script>alert(1)</script>", "n2", "n3"]
    text = format_report(evaluate(Cluster([hosts], speed={hosts[0]: 0.5})), ())
    assert "<script>alert" not in text


@pytest.mark.parametrize(
    ("speed", "words"),
    [(0.1, "< 80"), (0.8, "80–90"), (0.979, "95–98"), (1.0, "98–102"), (9.0, "> 110 %")],
)
def test_speeds_have_classes(speed: float, words: str) -> None:
    assert CLASSES[class_of(speed)][1] == words

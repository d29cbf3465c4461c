"""The section of nodes: hidden for one, a map for some, bands and the worst for very many."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from heorot.model.analysis.studies.networks import MeasuredNetwork
from heorot.model.evaluation import Evaluation
from heorot.model.machine.nodes import QuotedNetwork
from heorot.model.point import Scalar
from heorot.report.anchors import Frame, find_anchors
from heorot.report.figures.kinds.maps.node_map import CLASSES, MOST_NODES, WORST_NODES, class_of
from heorot.report.figures.show import kind_of
from heorot.report.page import format_report
from heorot.report.sections.nodes import (
    nodes_section,
    place_nodes,
    without_nodes,
)
from heorot.report.sections.section import Section
from heorot.report.tables.table import Allowance
from tests.unit.analyse.nodes.cluster import Cluster, evaluate, every_pair, names
from tests.unit.model.keys import but
from tests.unit.report.figures.pictures import of_class, picture_of
from tests.unit.report.tables.reading import column_of, lines_of

EXPORT = "heorot export runs/r"


def cluster_of(n_nodes: int) -> Cluster:
    """Two kinds of nodes, the second of which is slow."""
    hosts, half = names(n_nodes), (n_nodes + 1) // 2
    kinds = [kind for kind in (hosts[:half], hosts[half:]) if kind]
    return Cluster(kinds, speed={"n2": 0.5, ("n3", 1): 0.7})


@cache
def run_of(n_nodes: int) -> Evaluation:
    """A run on them."""
    return evaluate(cluster_of(n_nodes))


def section_of(evaluation: Evaluation) -> Section:
    """The section of a run that has one."""
    anchors = place_nodes(evaluation, find_anchors(evaluation))
    found = nodes_section(evaluation, Frame(anchors, Allowance(), EXPORT))
    assert found is not None
    return found


@cache
def section(n_nodes: int) -> Section:
    """The section about a number of nodes."""
    return section_of(run_of(n_nodes))


@cache
def few() -> Section:
    """Of eight nodes with a slow pair and a node on which something else ran."""
    hosts = names(8)
    cluster = Cluster(
        [hosts],
        speed={"n2": 0.5, "n5/n7": 0.1, "n8": 0.7},
        loud=frozenset({"n8"}),
        pairs=every_pair(hosts),
    )
    return section_of(evaluate(cluster))


@cache
def page() -> str:
    """A report of sixteen nodes."""
    return format_report(run_of(16), ())


def test_a_single_node_has_no_section() -> None:
    single = run_of(1)
    assert nodes_section(single, Frame(find_anchors(single), Allowance(), EXPORT)) is None
    assert 'href="#nodes"' not in format_report(single, ())


def test_a_network_has_its_place_also_where_no_nodes_are_compared() -> None:
    network = MeasuredNetwork(quoted=QuotedNetwork(name="ib <1>", quoted_bits=1e11))
    analysis = run_of(1).analysis.model_copy(update={"networks": (network,)})
    evaluation = replace(run_of(1), analysis=analysis)
    found = section_of(evaluation)
    assert found.drawings == []
    ((table,),) = [found.tables]
    (line,) = lines_of(table)
    assert {"ib <1>", "100 Gbit/s"} <= set(line.values())
    text = format_report(evaluation, ())
    assert "ib &lt;1&gt;" in text
    assert 'href="#nodes"' in text


def test_the_map_has_a_field_for_every_node_and_program() -> None:
    (drawing,) = section(16).drawings
    assert [panel.title for panel in drawing.panels] == ["Processor 0", "Processor 1"]
    assert [line.name for line in drawing.lines] == names(16)
    assert {len(line.y) for line in drawing.lines} == {6}
    assert [line.name for line in drawing.lines if all(line.marked)] == ["n2"]
    (third,) = [line for line in drawing.lines if line.name == "n3"]
    assert third.marked == (False, True, False, False, False, False)
    text = page().partition('<section id="nodes"')[2].partition("</section>")[0]
    assert text.count('<rect class="field') == 16 * 6 + len(CLASSES)
    assert text.count('<rect class="frame"') == 6 + 1
    assert "Framed: slower beyond chance." in text
    assert 'href="#nodes"' in page()


def test_the_map_has_words_for_those_who_cannot_see_it() -> None:
    text = page().partition('<section id="nodes"')[2].partition("</section>")[0]
    assert 'role="img" aria-labelledby="fig-nodes-map-summary"' in text
    (drawing,) = section(16).drawings
    assert f'id="fig-nodes-map-summary">{drawing.summary}' in text.replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert drawing.summary.startswith("Speed of 16 nodes in 6 cases of programs")
    assert "Slower than equal hardware beyond chance: n2 (50" in drawing.summary


def test_the_table_has_the_values_of_the_map() -> None:
    (table,) = section(16).tables
    (drawing,) = section(16).drawings
    lines = lines_of(table)
    assert [line["node"] for line in lines] == names(16)
    assert [line["slow in"] for line in lines[:3]] == ["–", "6 of 6", "1 of 6"]
    for line, drawn in zip(lines, drawing.lines, strict=True):
        assert tuple(line[str(name)] for name in drawn.x) == drawn.texts


def test_statements_link_to_the_lines_of_nodes() -> None:
    targets = set(re.findall(r'href="#(node-\d+)"', page()))
    assert targets
    assert all(f'id="{target}"' in page() for target in targets)


def test_rows_of_nodes_stand_in_no_other_table_or_figure() -> None:
    assert "node n1, n 7" not in page()
    assert page().count('id="t-family0_program0"') == 0
    assert "differences among the" not in page()


def test_pairs_and_disturbed_nodes_are_shown_as_such() -> None:
    (drawing,) = few().drawings
    assert {len(line.y) for line in drawing.lines} == {7}
    assert drawing.bars[-1] == "links/link, pairs"
    (loud,) = [line for line in drawing.lines if any(line.perturbed)]
    assert (loud.name, sum(loud.perturbed)) == ("n8", 6)
    assert "Hatched: perturbed." in kind_of(drawing).read(drawing)
    hatched = of_class(picture_of(drawing), "pattern")
    assert len(hatched) == 6
    _, pairs = few().tables
    assert pairs.caption == "Pairs of nodes that are slow though neither node is"
    assert column_of(pairs, "pair") == ["n5/n7"]


def test_very_many_nodes_are_bands_classes_and_the_worst() -> None:
    found = section(MOST_NODES + 28)
    kept, *bands = found.drawings
    assert len(kept.lines) == WORST_NODES
    assert kept.omitted == "80 faster nodes in the table only."
    assert [drawing.id for drawing in bands] == ["nodes-bands-0", "nodes-bands-1"]
    classes, table = found.tables
    assert classes.caption.startswith("How many nodes are how fast")
    assert (len(table.rows), table.n_rows) == (40, 100)
    assert table.statement.startswith("40 of 100 rows: the slowest")
    assert column_of(table, "node")[0] == "n2"


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


def test_rows_of_nodes_and_kinds_of_cores_stay_out_of_the_tables_of_programs() -> None:
    evaluation = run_of(1)
    row = but(evaluation.analysis.results[0], point={})
    points: tuple[dict[str, Scalar], ...] = (
        {},
        {"node": "n1"},
        {"pair": "n1/n2"},
        {"core_kind": "E-core"},
        {"n": 1},
    )
    results = tuple(but(row, point=point) for point in points)
    analysis = evaluation.analysis.model_copy(update={"results": results})
    left = without_nodes(replace(evaluation, analysis=analysis)).analysis.results
    assert [one.point for one in left] == [{}, {"n": 1}]

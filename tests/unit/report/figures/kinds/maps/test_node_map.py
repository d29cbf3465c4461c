"""The map and the bands of nodes stay inside their frames, with any nodes and programs."""

from __future__ import annotations

from functools import cache

import pytest

from heorot.model.analysis.studies.nodes import NodeColumn, NodeStudy
from heorot.model.catalogue.figure import Figure
from heorot.model.run.identity import Setup
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.kinds.maps.node_map import (
    MOST_COLUMNS,
    MOST_NODES,
    WORST_NODES,
    name_columns,
)
from heorot.report.figures.show import draw, kind_of, write_picture
from heorot.report.figures.text import text_width
from tests.unit.analyse.nodes.cluster import Cluster, names
from tests.unit.report.figures.pictures import of_class, picture_of, visible_text

MAP = Figure(title="t", kind="node_map")
BANDS = Figure(title="t", kind="node_bands")
LONG = "a-host-whose-name-is-longer-than-any-figure-has-room-for-in-front-of-its-fields"


@cache
def analysis_of(n_nodes: int, n_programs: int = 6, first: str = "n1") -> NodeStudy:
    hosts = [first, *names(n_nodes - 1, first=2)]
    cluster = Cluster([hosts], n_programs=n_programs, speed={"n2": 0.4, "n3": 1.6})
    found = cluster.analysed().nodes
    assert found is not None
    return found


def drawn(figure: Figure, found: NodeStudy) -> Drawing:
    drawing = draw(figure, Material(nodes=found), "f")
    assert drawing is not None
    return drawing


@pytest.mark.parametrize("figure", [MAP, BANDS], ids=lambda figure: figure.kind)
def test_without_nodes_there_is_no_figure(figure: Figure) -> None:
    assert draw(figure, Material(), "f") is None
    nothing = analysis_of(3).model_copy(update={"columns": ()})
    assert draw(figure, Material(nodes=nothing), "f") is None


@pytest.mark.parametrize("figure", [MAP, BANDS], ids=lambda figure: figure.kind)
@pytest.mark.parametrize(
    "found",
    [
        analysis_of(2),
        analysis_of(4, 1),
        analysis_of(MOST_NODES),
        analysis_of(100),
        analysis_of(5, 70),
        analysis_of(3, 6, LONG),
    ],
    ids=["two", "one program", "many", "too many", "70 programs", "long names"],
)
def test_everything_stays_inside_its_frame(figure: Figure, found: NodeStudy) -> None:
    drawing = drawn(figure, found)
    assert kind_of(drawing).read(drawing)
    picture = picture_of(drawing)
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    for text in picture.iter("text"):
        if "x" in text.attrib:
            assert 0 <= float(text.attrib["x"]) <= width
            assert 0 <= float(text.attrib["y"]) <= height
            if text.attrib.get("text-anchor") == "end" and figure is MAP:
                assert text_width(visible_text(text)) <= float(text.attrib["x"]) + 2.5
    for field in picture.iter("rect"):
        assert float(field.attrib["width"]) >= 0
        assert 0 <= float(field.attrib["x"]) <= width - float(field.attrib["width"]) + 0.1
        assert 0 <= float(field.attrib["y"]) <= height - float(field.attrib["height"])
    for ring in picture.iter("circle"):
        assert 0 <= float(ring.attrib["cx"]) <= width


def test_slow_nodes_have_frames_and_bold_names() -> None:
    picture = picture_of(drawn(MAP, analysis_of(10)))
    assert [visible_text(name) for name in of_class(picture, "bar-value")] == ["n2"]
    assert len(of_class(picture, "frame")) == 6
    assert len(of_class(picture, "d0")) == 6 + 1  # and the legend
    assert len(of_class(picture, "d7")) == 6 + 1


def test_of_too_many_nodes_the_worst_are_shown_and_the_others_counted() -> None:
    drawing = drawn(MAP, analysis_of(100))
    assert len(drawing.lines) == WORST_NODES
    assert drawing.lines[0].name == "n2"
    assert drawing.omitted == "80 faster nodes in the table only."
    assert drawing.summary.startswith("Speed of the 20 slowest of 100 nodes in 6 cases")


def test_of_too_many_programs_those_in_which_a_node_is_slow_stay() -> None:
    hosts = names(6)
    found = Cluster([hosts], n_programs=70, speed={("n2", 69): 0.3}).analysed().nodes
    assert found is not None
    drawing = drawn(MAP, found)
    assert len(drawing.bars) == MOST_COLUMNS
    assert drawing.bars[-1] == "family2/program69"
    assert drawing.omitted == "10 more cases of programs only in the export."


def test_what_was_not_measured_is_a_dot() -> None:
    found = analysis_of(6)
    hole = found.lines[0].model_copy(update={"speeds": (None, *found.lines[0].speeds[1:])})
    drawing = drawn(MAP, found.model_copy(update={"lines": (hole, *found.lines[1:])}))
    assert len(of_class(picture_of(drawing), "gap")) == 1
    assert "Dot: not measured." in kind_of(drawing).read(drawing)


def test_bands_ring_the_nodes_that_are_slow_and_say_which_is_widest() -> None:
    drawing = drawn(BANDS, analysis_of(100))
    assert drawing.summary.startswith("Speeds of 100 nodes relative to the median")
    assert len(of_class(picture_of(drawing), "ring")) == 6
    assert "Rings" in kind_of(drawing).read(drawing)
    assert "<title>n2: 4" in str(write_picture(drawing))


def test_columns_are_named_by_what_tells_them_apart() -> None:
    def column(case: str, toolchain: str = "gnu", *, of_pairs: bool = False) -> NodeColumn:
        return NodeColumn(
            setup=Setup(benchmark="a/b", case=case, toolchain=toolchain),
            n_metrics=1,
            of_pairs=of_pairs,
        )

    assert name_columns([column("one")]) == ["a/b"]
    assert name_columns([column("one"), column("all")]) == ["a/b, one", "a/b, all"]
    assert name_columns([column("one"), column("one", "llvm", of_pairs=True)]) == [
        "a/b, one, gnu",
        "a/b, one, llvm, pairs",
    ]

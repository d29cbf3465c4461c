"""Curves over the number of nodes: a line for each way to use a node."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from tests.unit.analyse.builders import a_result
from tests.unit.model.keys import but
from tests.unit.report.figures.pictures import drawn, picture_of, visible_text

FIGURE = Figure(
    title="Rate over the nodes",
    kind="over_nodes",
    metric="rate",
    least_values=2,
    series=("class",),
)


def rate(median: float, nodes: int, ranks: int, threads: int = 1, **changes: Any) -> Result:
    fields = {
        "benchmark": "grids/solver",
        "metric": "rate",
        "region": "solve",
        "point": {"class": "W"},
        "case": f"{nodes}_{ranks}x{threads}",
        "nodes": nodes,
        "ranks": ranks,
        "per_node": ranks // nodes,
        "threads": threads,
    }
    return a_result(median=median, **(fields | changes))


ROWS = [
    *(rate(1.0, 1, 1), rate(1.5, 2, 2)),
    *(rate(3.0, 1, 4), rate(5.0, 2, 8), rate(4.0, 4, 16)),
    *(rate(3.3, 1, 1, 4), rate(5.5, 2, 2, 4)),
]
LINES = {
    "1 rank each": ((1, 2), (1.0, 1.5)),
    "4 ranks each": ((1, 2, 4), (3.0, 5.0, 4.0)),
    "1 rank of 4 threads each": ((1, 2), (3.3, 5.5)),
}


def test_a_line_is_a_way_to_use_every_node() -> None:
    drawing = drawn(FIGURE, ROWS)
    assert {line.name: (line.x, line.y) for line in drawing.lines} == LINES
    assert (drawing.figure.x, drawing.figure.x_label) == ("nodes", "nodes")
    assert "nodes" in {visible_text(each) for each in picture_of(drawing).iter()}


@pytest.mark.parametrize(
    "row",
    [
        # Ways that were measured on one number of nodes only, or on none alike.
        rate(9.0, 1, 2),
        rate(9.0, 2, 3),
        rate(9.0, 2, 8, point={"class": "A"}),
        rate(9.0, 2, 8, options={"star": True}),
        rate(9.0, 2, 8, metric="other"),
    ],
)
def test_what_is_no_line_is_not_drawn(row: Result) -> None:
    lines = drawn(FIGURE, [*ROWS, row]).lines
    assert {line.name: (line.x, line.y) for line in lines} == LINES


def test_ranks_per_node_make_panels_where_that_is_asked_for() -> None:
    by_use = FIGURE.model_copy(update={"panels": ("per_node",)})
    single, full = drawn(by_use, ROWS).panels
    assert (single.title, full.title) == ("1 per node", "4 per node")
    # What runs on a node still makes lines where that is not all.
    assert [line.name for line in single.lines] == ["1 rank each", "1 rank of 4 threads each"]
    assert {"1 per node", "4 per node"} <= {
        visible_text(each) for each in picture_of(drawn(by_use, ROWS)).iter()
    }
    lengths = [but(row, point={**row.point, "n": n}) for row in ROWS for n in (8, 9)]
    both = by_use.model_copy(update={"panels": ("per_node", "n")})
    titles = [panel.title for panel in drawn(both, lengths).panels]
    assert titles == [f"{use}, n {n}" for use in (single.title, full.title) for n in (8, 9)]


def test_a_run_on_one_node_has_no_such_figure() -> None:
    assert draw(FIGURE, Material([row for row in ROWS if row.nodes == 1]), "x") is None

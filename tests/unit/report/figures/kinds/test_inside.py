"""Curves over the cores of a node, whatever ran on several."""

from __future__ import annotations

from heorot.model.catalogue.figure import Figure
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from tests.unit.model.keys import but
from tests.unit.report.figures.pictures import drawn
from tests.unit.report.sample_programs import family_rows

FIGURE = Figure(
    title="Rate over the cores of a node",
    kind="inside",
    metric="flop_rate",
    x="cores",
    x_label="cores",
    series=("class", "way"),
)


def test_as_many_cores_of_several_nodes_are_on_no_line() -> None:
    inside = list(family_rows(["cg"]))
    several = [but(row, nodes=2, case=f"{row.case}_far") for row in inside]
    alone = drawn(FIGURE, inside)
    assert [(line.x, line.y) for line in drawn(FIGURE, [*inside, *several]).lines] == [
        (line.x, line.y) for line in alone.lines
    ]
    assert draw(FIGURE, Material(several), "x") is None

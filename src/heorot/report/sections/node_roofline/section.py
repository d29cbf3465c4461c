"""The section about one node in depth: its parts, each with figures and the tables behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from heorot.model.analysis.node_roofline.node_roofline import DEPTH, NodeRoofline
from heorot.model.analysis.node_roofline.roofs import RooflinePoint, Roofs
from heorot.model.catalogue.figure import Figure
from heorot.model.evaluation import Evaluation
from heorot.model.grouping import best_of_each
from heorot.model.resource import Resource
from heorot.model.run.identity import Stack
from heorot.report.anchors import Frame
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from heorot.report.sections.node_roofline.cells import several_toolchains
from heorot.report.sections.node_roofline.shares import (
    contention_table,
    efficiency_table,
    plateau_table,
    prediction_table,
)
from heorot.report.sections.node_roofline.tables import balance_table, level_table
from heorot.report.sections.section import Part, Section
from heorot.report.tables.table import Table
from heorot.report.wording import count

ID = "depth"
_LEAST_CORE_COUNTS = 2
_Found = TypeVar("_Found")

_WALL = (
    "How much a program must compute with each byte or number before a level of the memory stops "
    "being its limit: the peak of the units divided by the bandwidth of the level."
)
_EFFICIENCY = (
    "How much of the peak every program makes use of, r_max / peak: its best rate of operations "
    "that are performed, with the problem where it has it. The nominal share is that of the same "
    "run by the operations of the definition, as published tables have it."
)
_KERNELS = (
    "The speed of the kernels that algorithms are made of, 1 / sum(share / rate) on working sets "
    "of the same size, and the speed that algorithms have. It is no bound: kernels fetch their "
    "operands for every operation, an algorithm in blocks does not."
)
_PLATEAUS = (
    "Programs that went over growing working sets: where their speed stays the same, by the level "
    "of the memory in which that ends."
)


def node_section(evaluation: Evaluation, frame: Frame) -> Section | None:
    """The section; None if nothing was measured that it could be about."""
    depth = evaluation.analysis.depth
    if depth.empty:
        return None
    parts = (
        *_rooflines(depth, frame),
        *_plain("Machine balance", _WALL, depth.balances, balance_table, frame),
        *_plain("Efficiency", _EFFICIENCY, depth.efficiencies, efficiency_table, frame),
        *_plain("Kernels and algorithms", _KERNELS, depth.predictions, prediction_table, frame),
        *_copies(evaluation, frame),
        *_plain("Plateaus", _PLATEAUS, depth.level_plateaus, plateau_table, frame),
    )
    return Section(
        ID, "One node in depth", frame.anchors.sentences_of(evaluation.analysis, DEPTH), parts
    )


def _rooflines(depth: NodeRoofline, frame: Frame) -> Iterator[Part]:
    """A table for each number of cores, with a figure for one core and for the most."""
    if not depth.roofs:
        return
    text = (
        "What limits each program: the units, or what is fetched from the level of the memory "
        "that its working set is resident in. A line that is stored to is fetched before, and "
        "written back: what memory carries both ways is a bound, too. Bandwidths are those "
        "measured with as many cores on working sets as large."
    )
    if depth.n_elsewhere:
        regions = count(depth.n_elsewhere, "region")
        text += f" {regions} on other numbers of cores have no roofs to stand below."
    title = "Roofline"
    several = several_toolchains(depth.roofs)
    for number, roofs in enumerate(depth.roofs):
        points = [one for one in depth.points if depth.roofs_of(one.of, one.stack) is roofs]
        where = count(roofs.of.n or 1, roofs.of.noun) + (f", {roofs.stack}" if several else "")
        drawn, name = roofs.of in _drawn(depth, roofs.stack), f"depth-places-{number}"
        drawing = (
            draw_roofline(f"Roofline of {where}", roofs, points, f"depth-roofline-{number}")
            if drawn
            else None
        )
        tables = [level_table(name, where, points, frame, drawn=drawn)] if points else []
        yield Part(title, text, (drawing,) if drawing else (), tuple(tables))
        title, text = "", ""


def _drawn(depth: NodeRoofline, stack: Stack) -> set[Resource]:
    """The numbers of cores whose roofs are drawn: the fewest and the most of a toolchain."""
    cores = [roofs.of for roofs in depth.roofs if roofs.stack == stack]
    return {min(cores), max(cores)}


def draw_roofline(
    title: str, roofs: Roofs, points: Sequence[RooflinePoint], identifier: str
) -> Drawing | None:
    """Places of programs below their roofs; None if there is nothing to draw."""
    figure = Figure(
        title=title,
        kind="roofline",
        x="intensity",
        x_label="arithmetic intensity [flop/B]",
        log_x=True,
        log_y=True,
    )
    part = NodeRoofline(roofs=(roofs,), points=tuple(points))
    return draw(figure, Material(depth=part), identifier)


def _plain(
    title: str,
    text: str,
    found: Sequence[_Found],
    table: Callable[[Sequence[_Found], Frame], Table],
    frame: Frame,
) -> Iterator[Part]:
    """A part of one table, if anything was found."""
    if found:
        yield Part(title, text, (), (table(found, frame),))


def _copies(evaluation: Evaluation, frame: Frame) -> Iterator[Part]:
    """What copies lose: the worst of each program drawn, all of them in the table.

    Of several toolchains the first one is drawn.
    """
    contentions = evaluation.analysis.depth.contentions
    if not contentions:
        return
    drawn = contentions[0].stack
    rows = [frame.anchors.rows[one.row] for one in contentions if one.stack == drawn]
    worst = best_of_each(rows, lambda row: (row.benchmark, row.copies), lambda row: row.median)
    metric = next(iter(worst.values())).metric
    title = "Speed that a copy loses while others run, worst problem of each program"
    title += f", {drawn}" if several_toolchains(contentions) else ""
    curves = len({copies for _, copies in worst}) >= _LEAST_CORE_COUNTS
    figure = (
        Figure.curve(
            title, metric, "cores", "copies at once", log_x=False, log_y=False, series=("program",)
        )
        if curves
        else Figure.bars(title, metric, ("program",))
    )
    drawing = draw(figure, Material(list(worst.values())), "depth-company")
    text = (
        "Serial copies of a program on several and all cores at once against one alone: what they "
        "share, they take from each other. The table has the causes that were measured."
    )
    table = contention_table(contentions, frame)
    yield Part("Contention on a node", text, (drawing,) if drawing else (), (table,))
